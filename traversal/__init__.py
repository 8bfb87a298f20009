"""Question in, chains out."""

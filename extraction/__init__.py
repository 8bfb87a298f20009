"""Documents in, claims out."""

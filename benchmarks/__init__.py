"""Scripts that measure quality and speed, with their stored results."""

"""The addresses of the HTTP door, a file for each family."""

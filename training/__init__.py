"""Scripts that make what models/ packages, each reproducible from one command."""

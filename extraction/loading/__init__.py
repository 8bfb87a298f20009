"""Files and bytes in, normalised texts with their sources out; a coded error for each that cannot be read."""

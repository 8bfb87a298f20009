"""Everything learned: the encoder and the weights that are packaged with it."""

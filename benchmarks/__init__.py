"""What is claimed, measured: how fast each step is, how well pictures are read; and training."""

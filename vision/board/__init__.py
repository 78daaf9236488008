"""What lies on each cell of the board."""

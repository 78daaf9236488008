"""What a table builds and brings: figures, weapons, ships, forts, and what limits them."""

"""What the games mean. Values and pure functions only: no clock, no chance, no files."""

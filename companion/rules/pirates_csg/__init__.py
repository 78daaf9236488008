"""*Pirates CSG: Economy Edition*: ships on an open sea, islands to explore, a market that turns."""

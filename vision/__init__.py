"""Edge: cameras in, observations out (probabilities, never moves)."""

"""What the LED ring should say: one sign, derived from the snapshot, and its colours at a time."""

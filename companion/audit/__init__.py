"""What the dice are worth: whether a die is fair, and how sure one can be of it."""

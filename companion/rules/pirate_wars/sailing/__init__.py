"""Moving: ships under sail or adrift, boats and figures, contact and running aground."""

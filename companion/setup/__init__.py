"""Setting a table up: what its camera sees, and what is kept of that from evening to evening."""

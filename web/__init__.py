"""Edge: the Flask application that serves every phone at the table."""

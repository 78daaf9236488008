"""The referee: one writer, commands and observations in, events out."""

"""Card files: TOML texts in, plain values out, faults shown by line. Knows no game's cards.

The decks that come with Quarterdeck are part of the program, as its source is, and are read as
package data. A deck of the table's own is opened by whoever knows its path and handed over as text.
"""

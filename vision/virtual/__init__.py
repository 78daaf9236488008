"""The virtual table: a camera source that renders the truth of a table into pictures.

It knows no rules and talks to nobody: whoever wants to know what lies on it must read its pictures.
"""

"""Gunfire and boarding: what bears, what is thrown, what it costs, what is captured."""

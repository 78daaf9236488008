"""Quarterdeck: a companion for physical pirate board games."""

__version__ = "0.1.0"

"""The demo: virtual captains at a virtual table, watched by the real service."""

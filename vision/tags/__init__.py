"""Printed tags: where tagged pieces stand on an open table, and which way they point."""

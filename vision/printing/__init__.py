"""The printed board: one drawing in millimetres, as PDF for printers and as picture for tests."""

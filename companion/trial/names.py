"""What the files in the folder of a trial are called."""

ROLLS, PICTURES = "rolls.csv", "pictures"
"""Every roll, and the pictures of the tray and of each die."""
PLAN = "trial.json"
"""What is rolled, and how often; of trials of an open table."""
REPORT, CHECKS = "report.html", "checks.csv"
"""The verdict with plots; how well the camera was found to read."""

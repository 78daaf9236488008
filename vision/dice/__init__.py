"""Reading the dice tray: where each die lies, of which kind it is and what it shows."""

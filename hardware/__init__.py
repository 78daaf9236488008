"""Edge: buttons and the LED ring."""

"""Land: launches and landing parties, loot, fortresses, islanders and what else lives there."""

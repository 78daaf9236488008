"""Articles of War: Privateer, the complete basic game (rule numbers AOW-1 to AOW-63)."""

"""Articles of War: Privateer, the complete game with every option (AOW-1 to AOW-87)."""

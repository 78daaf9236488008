"""*Privateer*: first to 20 Infamy. Ports, purses, bounty cards and the wind."""

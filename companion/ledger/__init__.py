"""What happened, for good: the append-only, hash-chained event store."""

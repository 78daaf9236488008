"""``python -m benchmarks``: every step from the picture to the phone, one after the other."""

from __future__ import annotations

from benchmarks import phone_latency, rules_speed, walk

if __name__ == "__main__":
    print("rules")
    rules_speed.main()
    print("\nfrom the picture to the ledger")
    walk.main()
    print("\nfrom the command to the phones")
    phone_latency.main([])

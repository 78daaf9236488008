"""``python -m benchmarks``: every step from the picture to the phone, one after the other."""

from __future__ import annotations

from benchmarks import (
    audit_bars,
    board_speed,
    dice_speed,
    phone_latency,
    pirate_wars_speed,
    rules_speed,
    walk,
    whole_turns,
)

if __name__ == "__main__":
    print("rules")
    rules_speed.main()
    print("\nPirateWars, kind by kind")
    pirate_wars_speed.main()
    print("\nfrom the picture to the ledger")
    walk.main()
    print("\nfrom the picture to the cells, board by board")
    board_speed.main()
    print("\nfrom the picture to the dice, tray by tray")
    dice_speed.main()
    print("\nwhole turns under one hand")
    whole_turns.main([])
    print("\nfrom the command to the phones")
    phone_latency.main([])
    print("\nthe audit of dice: what it promises")
    audit_bars.main([])

"""What the optional rules let people do, in words."""

from __future__ import annotations

from companion.rules.deeds import Deed
from companion.rules.pirate_wars.actions import Haul, StrikeSail
from companion.rules.pirate_wars.state import State
from companion.rules.pirate_wars.words import ship_name
from companion.rules.words import counted


def optional_words(state: State, action: Deed) -> str:
    """Name an action of the optional rules; empty for all others."""
    match action:
        case StrikeSail(ship=ship):
            what = "sets" if state.ships[ship].struck else "strikes"
            return f"{ship_name(state, ship)} {what} her square sail"
        case Haul(ship=ship, target=target, gun=gun, count=count):
            chests = counted(count, "chest or barrel", "chests and barrels")
            what = chests if gun == -1 else "a stowed cannon" if gun < 0 else f"gun {gun + 1}"
            return f"{ship_name(state, ship)} hauls {what} to {ship_name(state, target)}"
    return ""

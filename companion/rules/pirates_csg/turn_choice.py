"""What the parts of a game have in common in which the captain on turn chooses."""

from __future__ import annotations

from typing import TypeVar

from companion.rules.deeds import Deed
from companion.rules.game import PlayerId
from companion.rules.phases import Choice
from companion.rules.pirates_csg.state import State

D = TypeVar("D", bound=Deed)


class TurnChoice(Choice[State, D]):
    """A part in which the captain on turn chooses."""

    def asked(self, state: State) -> PlayerId:
        """Return the captain on turn."""
        return state.player

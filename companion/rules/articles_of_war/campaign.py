"""From one battle of a campaign to the next (AOW-75, AOW-76)."""

from __future__ import annotations

from companion.rules.articles_of_war.actions import ClearOcean
from companion.rules.articles_of_war.setup import open_battle
from companion.rules.articles_of_war.state import State
from companion.rules.articles_of_war.words import colour_name
from companion.rules.game import Decision, Happening, Ruling, Step
from companion.rules.phases import Choice


class BetweenBattles(Choice[State, ClearOcean]):
    """The ocean is cleared and the merchant anchors again; the people keep cards and gold."""

    name, rule, takes = "clear_ocean", "AOW-76", (ClearOcean,)

    def pending(self, state: State) -> Decision:
        """Ask the fleet that begins the next battle."""
        following = f"battle {state.memory.battle + 1} of {state.options.battles}"
        text = f"{colour_name(state.fleet.colour)}: clear the ocean for {following}"
        return Decision(state.fleet.player, self.name, f"{text}, with the merchant in the centre")

    def actions(self, state: State) -> tuple[ClearOcean, ...]:
        """Nothing is left to choose."""
        return (ClearOcean(state.fleet.player),)

    def refuse(self, state: State, action: ClearOcean) -> Ruling | None:
        """Nothing stands against it."""
        return None

    def play(self, state: State, action: ClearOcean) -> Step[State]:
        """Begin the next battle."""
        battle = state.memory.battle + 1
        begun = Happening(f"Battle {battle} begins", "AOW-75")
        return open_battle(state, battle, (begun,))

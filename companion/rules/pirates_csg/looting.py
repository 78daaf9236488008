"""What the winner of a boarding takes (CSG-23, CSG-80)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.rules.deeds import Deed
from companion.rules.game import Decision, Happening, PlayerId, Ruling, Step
from companion.rules.phases import Choice, no, stage_of
from companion.rules.pirates_csg.abilities import room_for, space, without_crew
from companion.rules.pirates_csg.actions import (
    KillCrew,
    TakeCoin,
    TakeNoMore,
    TakeToken,
    TakeTreasure,
)
from companion.rules.pirates_csg.fates import buried
from companion.rules.pirates_csg.loading import cargo_text, lightened, loaded
from companion.rules.pirates_csg.stages import Looting, OnTurn
from companion.rules.pirates_csg.state import PLAYERS, State, ship_of, with_ship
from companion.rules.pirates_csg.words import name_of, ship_name, who
from companion.rules.words import counted, listed

TREASURE, CREW = "take one treasure", "eliminate one crew"
PRIZES: Mapping[type[Deed], str] = {TakeCoin: TREASURE, TakeTreasure: TREASURE, KillCrew: CREW}
"""What the winner takes one of, in words."""


def spoils(state: State, stage: Looting) -> list[Deed]:
    """Return what the winner of a boarding may take now (CSG-23, CSG-80)."""
    winner, loser = ship_of(state, stage.winner), ship_of(state, stage.loser)
    player = PLAYERS[winner.owner]
    found: list[Deed] = []
    if stage.prize:
        found += [KillCrew(player, card) for card in sorted(set(loser.crew))]
        if space(state, winner) > 0:
            found += [TakeCoin(player, coin) for coin in sorted(set(loser.coins))]
            found += [TakeTreasure(player, card) for card in loser.treasures]
    for resource, aboard in enumerate(loser.tokens):
        most = min(stage.tokens, aboard, room_for(state, winner, resource))
        found += [TakeToken(player, resource, n) for n in range(1, most + 1)]
    return found


def _offered(state: State, stage: Looting) -> str:
    """Say what there is for the winner of a boarding, and fits."""
    found = spoils(state, stage)
    kinds = {type(action) for action in found}
    prize = listed(dict.fromkeys(text for kind, text in PRIZES.items() if kind in kinds), "or")
    most = {a.resource: a.count for a in found if isinstance(a, TakeToken)}
    count = min(stage.tokens, sum(most.values()), space(state, ship_of(state, stage.winner)))
    tokens = f"take up to {counted(count, 'token', 'tokens')}" if most else ""
    return ", and ".join(part for part in (prize, tokens) if part)


class Loot(Choice[State, Deed]):
    """The winner of a boarding takes gold or crew, and up to three tokens (CSG-80)."""

    name, rule = "loot", "CSG-80"
    takes = (KillCrew, TakeCoin, TakeTreasure, TakeToken, TakeNoMore)

    def pending(self, state: State) -> Decision:
        """Ask the winner."""
        stage = stage_of(state, Looting)
        player = self.asked(state)
        name, loot = name_of(state, stage.loser), _offered(state, stage)
        text = f"{who(state, player)}: aboard {name} {loot}"
        return Decision(player, self.name, text, passing=TakeNoMore(player))

    def asked(self, state: State) -> PlayerId:
        """Return the winner."""
        return PLAYERS[ship_of(state, stage_of(state, Looting).winner).owner]

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Everything that fits."""
        found = spoils(state, stage_of(state, Looting))
        return tuple(sorted([*found, TakeNoMore(self.asked(state))]))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse what is not there, does not fit or is too much."""
        if isinstance(action, TakeNoMore) or action in spoils(state, stage_of(state, Looting)):
            return None
        return no(self.rule, "The winner takes one treasure or crew and three tokens that fit.")

    def play(self, state: State, action: Deed) -> Step[State]:
        """Take it; go on while there is more."""
        stage = stage_of(state, Looting)
        if isinstance(action, TakeNoMore):
            return Step(state._replace(stage=OnTurn()))
        winner, loser = ship_of(state, stage.winner), ship_of(state, stage.loser)
        if isinstance(action, KillCrew):
            victim = state.deck.crewman[action.card].title
            text = f"{victim} of {ship_name(state, loser)} is eliminated"
            state = with_ship(state, without_crew(loser, action.card))
            state = buried(state, [action.card])
        else:
            text = f"{ship_name(state, winner)} takes {cargo_text(state, action)}"
            state = with_ship(state, loaded(winner, action))
            state = with_ship(state, lightened(loser, action))
        taken = action.count if isinstance(action, TakeToken) else 0
        left = replace(stage, prize=stage.prize and bool(taken), tokens=stage.tokens - taken)
        state = state._replace(stage=left if spoils(state, left) else OnTurn())
        return Step(state, (Happening(text, self.rule),))

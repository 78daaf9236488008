"""The dice of a boarding and the figures they cost (PWR-60 to PWR-63)."""

from __future__ import annotations

from companion.rules.deeds import Odds, Roll
from companion.rules.game import ChanceRoll, Decision, Happening, PlayerId, Ruling, Step
from companion.rules.phases import Chance, Choice, no, stage_of
from companion.rules.pirate_wars.actions import Lose
from companion.rules.pirate_wars.built.weapons import successes
from companion.rules.pirate_wars.crew import crew_size, without
from companion.rules.pirate_wars.dice import faces_of, good_faces, kinds, pool, refuse_dice
from companion.rules.pirate_wars.fighting.close_quarters import decided, melee
from companion.rules.pirate_wars.fighting.losses import (
    offers_to_lose,
    refuse_loss,
    those,
    who_falls,
)
from companion.rules.pirate_wars.fighting.native_melee import felled
from companion.rules.pirate_wars.stages import Culling, Fight, Throwing
from companion.rules.pirate_wars.state import State
from companion.rules.pirate_wars.words import Told, ship_name, who
from companion.rules.words import capital, counted


class ThrowBoarding(Chance[State, Roll]):
    """A side throws all its dice of one target number."""

    name, rule, takes = "boarding", "PWR-61", (Roll,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask for the dice."""
        stage = stage_of(state, Throwing)
        throw = stage.throws[0]
        player = state.ships[stage.fight.ships[throw.side]].player
        what = "gunfire" if stage.guns else "melee"
        text = (
            f"{who(state, player)}: throw {throw.dice} d6 for the {what};"
            f" {throw.target} or less hits"
        )
        return ChanceRoll(player, self.name, text, kinds(throw.dice))

    def odds(self, state: State) -> Odds:
        """Return a throw for every number of successes."""
        throw = stage_of(state, Throwing).throws[0]
        return pool(throw.dice, good_faces(throw.target))

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """Refuse anything but these dice."""
        return refuse_dice(action, stage_of(state, Throwing).throws[0].dice, "PWR-61")

    def play(self, state: State, action: Roll) -> Step[State]:
        """Add the successes up; after the last throw both sides lose figures at once."""
        stage = stage_of(state, Throwing)
        throw, rest = stage.throws[0], stage.throws[1:]
        count = successes(faces_of(action), throw.target)
        hits = list(stage.fight.hits)
        hits[throw.side] += count
        fight = stage.fight._replace(hits=(hits[0], hits[1]))
        name = capital(ship_name(state, fight.ships[throw.side]))
        text = f"{name}: {counted(count, 'success', 'successes')} of {throw.dice}"
        told = (Happening(text, "PWR-61"),)
        if rest:
            return Step(state._replace(stage=Throwing(fight, stage.guns, rest)), told)
        # Successes beyond the figures committed are lost (PWR-63).
        owed = (
            felled(fight.crews[0], hits[1]),
            felled(fight.crews[1], hits[0]),
        )
        return cull(state, fight, stage.guns, owed, told)


def cull(state: State, fight: Fight, guns: bool, owed: tuple[int, int], told: Told) -> Step[State]:
    """Let figures fall as far as nobody has to choose; then the next part of the boarding."""
    for side in (0, 1):
        if not owed[side]:
            continue
        falling = who_falls(state, fight.crews[side], owed[side])
        if falling is None:
            return Step(state._replace(stage=Culling(fight, guns, owed)), told)
        fight = fight.with_crew(side, without(fight.crews[side], falling))
        owed = (0, owed[1]) if side == 0 else (owed[0], 0)
    sizes = [crew_size(crew) for crew in fight.crews]
    if guns:
        text = f"After the gunfire it is {sizes[0]} against {sizes[1]}"
        return melee(state, fight, (*told, Happening(text, "PWR-60")))
    return decided(state, fight, told)


class ChooseFallen(Choice[State, Lose]):
    """A captain says which of the committed figures fall (PWR-63)."""

    name, rule, takes = "lose_boarders", "PWR-63", (Lose,)

    def asked(self, state: State) -> PlayerId:
        """Return the side that still loses figures, the attacker first."""
        stage = stage_of(state, Culling)
        return state.ships[stage.fight.ships[_side(stage)]].player

    def pending(self, state: State) -> Decision:
        """Ask for them."""
        stage, player = stage_of(state, Culling), self.asked(state)
        owed = stage.owed[_side(stage)]
        count = counted(owed, "figure of the boarding falls", "figures of the boarding fall")
        text = f"{who(state, player)}: {count}, say which"
        return Decision(player, self.name, text, told=True, total=owed)

    def actions(self, state: State) -> tuple[Lose, ...]:
        """Return every group that can lose some, by number."""
        stage, player = stage_of(state, Culling), self.asked(state)
        side = _side(stage)
        ship, crew = stage.fight.ships[side], stage.fight.crews[side]
        return offers_to_lose(player, ship, crew, stage.owed[side])

    def refuse(self, state: State, action: Lose) -> Ruling | None:
        """Refuse figures that do not fight, and too many."""
        stage = stage_of(state, Culling)
        side = _side(stage)
        if action.ship != stage.fight.ships[side]:
            return no(self.rule, f"{capital(ship_name(state, stage.fight.ships[side]))} loses now.")
        crew, owed = stage.fight.crews[side], stage.owed[side]
        return refuse_loss(crew, action, owed, "in the fight from there", self.rule)

    def play(self, state: State, action: Lose) -> Step[State]:
        """Take them out of the fight."""
        stage = stage_of(state, Culling)
        side = _side(stage)
        crew = stage.fight.crews[side]
        figures = those(crew, action.figure, action.station, action.count)
        owed = list(stage.owed)
        owed[side] -= action.count
        fight = stage.fight.with_crew(side, without(crew, figures))
        return cull(state, fight, stage.guns, (owed[0], owed[1]), ())


def _side(stage: Culling) -> int:
    return 0 if stage.owed[0] else 1

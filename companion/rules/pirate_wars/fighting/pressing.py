"""What becomes of the ships after a round of boarding (PWR-65, PWR-66)."""

from __future__ import annotations

from companion.rules.deeds import Deed
from companion.rules.game import Decision, Happening, PlayerId, Ruling, Step
from companion.rules.phases import Choice, stage_of
from companion.rules.pirate_wars.actions import CastOff, Press, Surrender
from companion.rules.pirate_wars.ashore.setting_down import places_ashore
from companion.rules.pirate_wars.ashore.storming import in_the_open
from companion.rules.pirate_wars.fighting.boarding import eligible
from companion.rules.pirate_wars.fighting.close_quarters import parted
from companion.rules.pirate_wars.fighting.prizes import captured
from companion.rules.pirate_wars.pieces import NOWHERE
from companion.rules.pirate_wars.stages import Fight, Pressing, SettingDown, Tasking, Yielding
from companion.rules.pirate_wars.state import State, with_ship
from companion.rules.pirate_wars.words import fight_named, is_melee, ship_name, who
from companion.rules.words import capital


class PressOn(Choice[State, Deed]):
    """The winner goes on or casts off (PWR-65)."""

    name, rule, takes = "press_on", "PWR-65", (Press, CastOff)

    def asked(self, state: State) -> PlayerId:
        """Return the winner."""
        stage = stage_of(state, Pressing)
        return state.ships[stage.fight.ships[stage.winner]].player

    def pending(self, state: State) -> Decision:
        """Ask the winner."""
        player, pair = self.asked(state), stage_of(state, Pressing).fight.ships
        end = "break it off" if is_melee(state, pair) else "cast off"
        text = f"{who(state, player)}: go on with the {fight_named(state, pair)}, or {end}"
        return Decision(player, self.name, text, told=True)

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Return both."""
        player = self.asked(state)
        return (Press(player), CastOff(player))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse nothing."""
        return None

    def play(self, state: State, action: Deed) -> Step[State]:
        """Free the ships of each other, or ask the loser."""
        stage = stage_of(state, Pressing)
        loser = stage.fight.ships[1 - stage.winner]
        if isinstance(action, CastOff):
            return _cast_off(state, stage.fight, loser)
        crew = state.ships[loser].crew
        if not eligible(crew, attacking=False):
            text = f"Nobody aboard {ship_name(state, loser)} can fight any more"
            told = (Happening(text, "PWR-66"),)
            return captured(state, stage.fight.ships[stage.winner], loser, told)
        return Step(state._replace(stage=Yielding(stage.fight, stage.winner)))


def _cast_off(state: State, fight: Fight, loser: int) -> Step[State]:
    """Free the ships of each other; attackers that lost are driven out of a fortress."""
    state = parted(state, fight)._replace(stage=Tasking())
    party = state.ships[loser]
    if not party.is_inside:
        text = "They fall back" if is_melee(state, fight.ships) else "The lashings are cut"
        return Step(state, (Happening(text, "PWR-65"),))
    out = with_ship(state, loser, in_the_open(party)._replace(pose=NOWHERE))
    out = out._replace(stage=SettingDown(loser, party.fort))
    if not any(True for _ in places_ashore(out)):
        return Step(state, (Happening("There is no way out for them", "PWR-65"),))
    name, fort = capital(ship_name(state, loser)), ship_name(state, party.fort)
    return Step(out, (Happening(f"{name} is driven out of {fort}", "PWR-65"),))


class Yield(Choice[State, Deed]):
    """The loser fights on or surrenders (PWR-66)."""

    name, rule, takes = "yield", "PWR-66", (Press, Surrender)

    def asked(self, state: State) -> PlayerId:
        """Return the loser."""
        stage = stage_of(state, Yielding)
        return state.ships[stage.fight.ships[1 - stage.winner]].player

    def pending(self, state: State) -> Decision:
        """Ask the loser; playing on fights on in the next round."""
        player, stage = self.asked(state), stage_of(state, Yielding)
        loser = ship_name(state, stage.fight.ships[1 - stage.winner])
        text = f"{who(state, player)}: fight on, or surrender {loser}"
        return Decision(player, self.name, text, passing=Press(player))

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Return both."""
        player = self.asked(state)
        return (Press(player), Surrender(player))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse nothing."""
        return None

    def play(self, state: State, action: Deed) -> Step[State]:
        """Go on, or give the ship to the winner."""
        stage = stage_of(state, Yielding)
        if isinstance(action, Press):
            return Step(state._replace(stage=Tasking()))
        loser = stage.fight.ships[1 - stage.winner]
        text = f"{capital(ship_name(state, loser))} surrenders"
        told = (Happening(text, "PWR-66"),)
        return captured(state, stage.fight.ships[stage.winner], loser, told)

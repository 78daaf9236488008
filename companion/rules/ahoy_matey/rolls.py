"""Rolling dice: the turn's roll, squalls and hurricanes (AHM-15, AHM-V8, AHM-V10)."""

from __future__ import annotations

from companion.rules.ahoy_matey.actions import GiveUp, SetPair
from companion.rules.ahoy_matey.homeward import ways_home
from companion.rules.ahoy_matey.options import DIE
from companion.rules.ahoy_matey.state import Finished, GivingUp, SettingPair, State
from companion.rules.ahoy_matey.turns import Happenings, go_on, reckon, storm_over
from companion.rules.ahoy_matey.words import at, at_each, faces, fleet_name, places, who
from companion.rules.deeds import Odds, Roll, rolls_of
from companion.rules.game import ChanceRoll, Decision, Happening, Ruling, Step
from companion.rules.layout import Cell
from companion.rules.phases import Chance, Choice, OneDie, no
from companion.rules.words import counted

LOW, HIGH = DIE.faces[0], DIE.faces[-1]
ALIKE = 3
"""Dice of one face that make a hurricane (AHM-V8)."""


def refuse_roll(action: Roll, count: int, rule: str) -> Ruling | None:
    """Refuse other dice than asked for and faces that no die has."""
    if [die.kind for die in action.dice] != [DIE.id] * count:
        return no(rule, f"Roll {counted(count, 'die', 'dice')}.")
    for die in action.dice:
        if die.face not in DIE.faces:
            return no("AHM-1", f"A die shows {LOW} to {HIGH}, not {die.face}.")
    if action.dice != tuple(sorted(action.dice)):
        return no(rule, "The dice of a roll are told in order, lowest first.")
    return None


class RollOneDie(OneDie[State]):
    """A part in which one die decides."""

    kind = DIE

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """Refuse anything but that die."""
        return refuse_roll(action, 1, self.rule)


class RollDice(Chance[State, Roll]):
    """All dice are rolled before anything is chosen (AHM-15)."""

    name, rule, takes = "roll", "AHM-15", (Roll,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask the player on turn for all dice."""
        count = state.options.dice
        text = f"{who(state, state.player)}: roll {counted(count, 'die', 'dice')}"
        return ChanceRoll(state.player, self.name, text, (DIE.id,) * count)

    def odds(self, state: State) -> Odds:
        """Every joint result; the order in the tray means nothing."""
        return rolls_of(DIE, state.options.dice)

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """See `refuse_roll`."""
        return refuse_roll(action, state.options.dice, self.rule)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Let the dice wait to be used, unless a squall or a hurricane comes up."""
        dice = tuple(die.face for die in action.dice)
        if state.options.hurricane and any(dice.count(face) >= ALIKE for face in dice):
            return _strike(state, dice)
        state = state.but(dice=dice)
        if state.options.freak_squall and dice.count(0) >= 2:
            happening = Happening(
                f"Two nulls: a freak squall for {who(state, state.player)}", "AHM-V10"
            )
            return Step(state.but(stage=SettingPair()), (happening,))
        return go_on(state)


class SetThePair(Choice[State, SetPair]):
    """The player turns the two nulls of a squall as they like (AHM-V10)."""

    name, rule, takes = "set_pair", "AHM-V10", (SetPair,)

    def pending(self, state: State) -> Decision:
        """Ask for the faces; playing on leaves the nulls as they are."""
        text = f"{who(state, state.player)}: turn the two nulls to any faces"
        return Decision(state.player, self.name, text, SetPair(state.player, LOW, LOW))

    def actions(self, state: State) -> tuple[SetPair, ...]:
        """Every pair of faces."""
        span = range(LOW, HIGH + 1)
        return tuple(SetPair(state.player, a, b) for a in span for b in span if a <= b)

    def refuse(self, state: State, action: SetPair) -> Ruling | None:
        """Only faces the dice have, the lower first."""
        if LOW <= action.low <= action.high <= HIGH:
            return None
        return no("AHM-V10", f"Turn the two nulls to faces from {LOW} to {HIGH}, the lower first.")

    def play(self, state: State, action: SetPair) -> Step[State]:
        """Play these dice; another roll follows."""
        rest = state.dice[2:]
        dice = tuple(sorted((action.low, action.high, *rest)))
        text = f"The squall turns the nulls to {faces((action.low, action.high))}"
        state = state.but(dice=dice, rolls_again=True)
        return go_on(state, (Happening(text, "AHM-V10"),))


def _strike(state: State, dice: tuple[int, ...]) -> Step[State]:
    happening = Happening(f"A hurricane: {faces(dice)}", "AHM-V8")
    furthest = furthest_ships(state)
    if not furthest:
        return _blown_over(state, (happening,))
    if len(furthest) > 1:
        return Step(state.but(stage=GivingUp()), (happening,))
    return _sunk(state, furthest[0], (happening,))


def furthest_ships(state: State) -> tuple[Cell, ...]:
    """Return where the ships of the player on turn are that are furthest from home, sorted."""
    harbours = {fleet.colour: fleet.harbour for fleet in state.fleets_under(state.player)}
    distances = {
        stack.cell: ways_home(state.options.sea, stack.cell, harbours[stack.fleet]).distance
        for stack in state.position.ships
        if stack.fleet in harbours
    }
    return tuple(cell for cell, far in distances.items() if far == max(distances.values()))


class GiveUpShip(Choice[State, GiveUp]):
    """The owner chooses between ships that are equally far from home (AHM-V8)."""

    name, rule, takes = "give_up", "AHM-V8", (GiveUp,)

    def pending(self, state: State) -> Decision:
        """Ask the player on turn."""
        ships = at_each(state, furthest_ships(state), "or")
        text = f"{who(state, state.player)}: the hurricane sinks the ship {ships}"
        return Decision(state.player, self.name, text)

    def actions(self, state: State) -> tuple[GiveUp, ...]:
        """Name the ships that are furthest away."""
        return tuple(GiveUp(state.player, cell) for cell in furthest_ships(state))

    def refuse(self, state: State, action: GiveUp) -> Ruling | None:
        """Only the furthest."""
        furthest = furthest_ships(state)
        if action.ship in furthest:
            return None
        ships = places(state, furthest, "or")
        return no("AHM-V8", f"The hurricane sinks the ship furthest from home: {ships}.")

    def play(self, state: State, action: GiveUp) -> Step[State]:
        """Sink it."""
        return _sunk(state, action.ship, ())


def _sunk(state: State, cell: Cell, happenings: Happenings) -> Step[State]:
    position = state.position
    stack = position.occupied()[cell]
    text = f"The hurricane sinks a ship of {fleet_name(stack.fleet)} {at(state, cell)}"
    happenings = (*happenings, Happening(text, "AHM-V8"))
    left = (stack._replace(size=stack.size - 1),) if stack.size > 1 else ()
    ships = tuple(sorted((*(s for s in position.ships if s is not stack), *left)))
    barred = position.barred if left else tuple(c for c in position.barred if c != cell)
    state = state.but(position=position._replace(ships=ships, barred=barred))
    if not left and position.has_treasure(cell):
        afloat = tuple(t for t in position.treasures if t.place != cell)
        position = state.position._replace(treasures=afloat)
        return storm_over(state.but(position=position), happenings)
    return _blown_over(state, happenings)


def _blown_over(state: State, happenings: Happenings) -> Step[State]:
    """Go on after a hurricane: the dice are not used, but the treasure may be taken (AHM-30)."""
    state, happenings = reckon(state, happenings)
    if isinstance(state.stage, Finished):
        return Step(state, happenings)
    return go_on(state, happenings)

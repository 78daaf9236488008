"""Damage to ships and the figures it costs; who falls, and what follows (PWR-86 to PWR-90)."""

from __future__ import annotations

from collections import Counter

from companion.rules.game import Decision, Happening, PlayerId, Ruling, Step
from companion.rules.phases import Choice, no, stage_of
from companion.rules.pirate_wars.actions import Lose
from companion.rules.pirate_wars.built.damage import Chart, struck
from companion.rules.pirate_wars.crew import (
    CLIMBING,
    Crew,
    Hand,
    crew_size,
    fall_rank,
    group_of,
    has_role,
    of,
    picked,
    without,
)
from companion.rules.pirate_wars.fighting.native_melee import falls_in_order, felled
from companion.rules.pirate_wars.pieces import Ship, vanished
from companion.rules.pirate_wars.stages import Losing, Stage
from companion.rules.pirate_wars.state import Due, State, design_of, with_ship
from companion.rules.pirate_wars.words import Told, figure_named, ship_name, standing, verb_of
from companion.rules.words import capital, counted, only

ROWS = ("ball", "shot", "sails", "hull")
"""Hits that cross rows off a damage chart."""
TOUGH = "PWR-131"
"""Rule of losses that are counted in hits, of which a chief takes several."""


def chart_of(state: State, number: int) -> Chart:
    """Return a ship's damage chart."""
    ship = state.ships[number]
    return Chart(design_of(state, number).column, ship.hf, ship.sf)


def with_chart(state: State, number: int, chart: Chart) -> State:
    """Return the state with a ship's damage chart changed."""
    ship = state.ships[number]
    if (ship.hf, ship.sf) == (chart.hf, chart.sf):
        return state
    return with_ship(state, number, ship._replace(hf=chart.hf, sf=chart.sf))


def strike(
    state: State, number: int, what: str, count: int, rule: str, *, borne: bool = False
) -> tuple[State, Told]:
    """Cross rows off a ship's chart; the figures they cost become due (PWR-88).

    `borne`: those were taken with the ship (`Hit.borne`).
    """
    before = chart_of(state, number)
    after, rows = struck(before, what, count)
    if not rows:
        return state, ()
    cost = 0 if borne else rows
    falling = min(cost, spare(state, number))
    state = with_chart(state, number, after)
    state = owing(state, Due(number, cost))
    parts = [f"{before.hf - after.hf} HF"] * (before.hf > after.hf)
    parts += [f"{before.sf - after.sf} SF"] * (before.sf > after.sf)
    parts += [counted(falling, "figure", "figures")] * (falling > 0)
    text = f"{capital(ship_name(state, number))} loses {' and '.join(parts)}"
    return state, (Happening(text, rule),)


def spare(state: State, number: int) -> int:
    """Return how many of a crew are not owed to earlier losses; an empty ship has none to lose."""
    owed = sum(due.figures for due in state.due if due.ship == number)
    return max(crew_size(state.ships[number].crew) - owed, 0)


def wounding(state: State, number: int, hits: int) -> State:
    """Return the state with hits on natives: all of a phase are counted together (PWR-131)."""
    return owing(state, Due(number, hits, (), TOUGH))


def blows_up(state: State, number: int) -> bool:
    """Tell whether a Captain who went to the powder is still aboard to fire into it (PWR-76)."""
    return number in state.scuttles and has_role(state.ships[number].crew, "captain")


def owing(state: State, due: Due) -> State:
    """Return the state with figures still to be lost; those of one place are counted together.

    Those hit at a certain place come before those lost anywhere aboard: else the same figures
    could be named for both.
    """
    if not due.figures:
        return state
    for n, other in enumerate(state.due):
        if other._replace(figures=due.figures) == due:
            both = due._replace(figures=due.figures + other.figures)
            return state._replace(due=(*state.due[:n], both, *state.due[n + 1 :]))
    dues = sorted((*state.due, due), key=lambda owed: not owed.stations)
    return state._replace(due=tuple(dues))


def settle(state: State, then: Stage, told: Told = ()) -> Step[State]:
    """Settle losses as far as nobody has to choose; then go on with `then`, or ask."""
    while state.due:
        due = state.due[0]
        falling = fallen(state, due)
        if falling is None:
            return Step(state._replace(stage=Losing(then)), told)
        state = remove(state, due.ship, falling)
        state = state._replace(due=state.due[1:])
        if falling:
            told = (*told, _told(state, due.ship, falling, due.rule))
    return Step(state._replace(stage=then), told)


def fallen(state: State, due: Due) -> Crew | None:
    """Return who falls where nothing is to be chosen; ``None`` where it is."""
    crew = exposed(state.ships[due.ship], due.stations)
    if due.rule == TOUGH:
        return picked(crew, felled(crew, due.figures), fall_rank)
    return who_falls(state, crew, due.figures)


def who_falls(state: State, crew: Crew, count: int) -> Crew | None:
    """Return who of a crew falls where nothing is to be chosen; ``None`` where it is."""
    if count >= crew_size(crew):
        return crew
    groups = {(hand.kind, hand.station) for hand, _ in losable(crew)}
    if len(groups) == 1 or falls_in_order(crew) or state.options.losses == "order":
        return picked(crew, count, fall_rank)
    return None


def exposed(ship: Ship, stations: tuple[str, ...]) -> Crew:
    """Return the figures of a ship that a loss can hit."""
    return of(ship.crew, lambda h: h.station in stations) if stations else ship.crew


def bound(state: State, number: int, station: str) -> int:
    """Return how many figures cannot leave a station in this phase: so many were hit there.

    What was fired takes effect at the end of the phase (PWR-36); nobody runs from it before.
    """
    hits = (h for h in state.hits if (h.ship, h.what, h.station) == (number, "figures", station))
    return min(sum(h.amount for h in hits), crew_size(exposed(state.ships[number], (station,))))


def stations_hit(state: State, number: int) -> set[str]:
    """Return where figures of a ship were hit in this phase (PWR-36)."""
    return {hit.station for hit in state.hits if (hit.ship, hit.what) == (number, "figures")}


def losable(crew: Crew) -> Crew:
    """Return those who may be chosen to fall: the Captain only when nobody else is left."""
    others = of(crew, lambda hand: hand.figure.role != "captain")
    return others or crew


def remove(state: State, number: int, figures: Crew) -> State:
    """Take figures off a ship; of climbers who have all fallen nothing is left (PWR-120)."""
    ship = state.ships[number]
    left = ship._replace(crew=without(ship.crew, figures))
    fell = ship.station == CLIMBING and not left.crew
    return with_ship(state, number, vanished(left) if fell else left)


def _told(state: State, number: int, figures: Crew, rule: str) -> Happening:
    counts: Counter[str] = Counter()
    for hand, count in figures:
        counts[hand.kind] += count
    names = ", ".join(figure_named(name, count) for name, count in sorted(counts.items()))
    has = verb_of(state, number, "has")
    return Happening(f"{capital(ship_name(state, number))} {has} lost {names}", rule)


def groups(crew: Crew) -> list[tuple[str, str, int]]:
    """Return kinds and stations and how many stand there, sorted."""
    counts: Counter[tuple[str, str]] = Counter()
    for hand, count in crew:
        counts[hand.kind, hand.station] += count
    return [(name, station, count) for (name, station), count in sorted(counts.items())]


def offers_to_lose(player: PlayerId, ship: int, crew: Crew, most: int) -> tuple[Lose, ...]:
    """Return every group of a crew that can lose some, by number."""
    return tuple(
        Lose(player, ship, figure, station, count)
        for figure, station, there in groups(losable(crew))
        for count in range(1, min(there, most) + 1)
    )


def refuse_loss(crew: Crew, action: Lose, most: int, where: str, rule: str) -> Ruling | None:
    """Refuse figures that are not there to be lost, and more than fall."""
    there = crew_size(group_of(losable(crew), action.figure, action.station))
    if not 1 <= action.count <= there:
        return no(rule, f"{only(there, 'them')} {where}.")
    if action.count > most:
        return no(rule, f"No more than {counted(most, 'figure falls', 'figures fall')}.")
    return None


def those(crew: Crew, figure: str, station: str, count: int) -> Crew:
    """Return so many of a group: those with least to lose first."""
    return picked(group_of(crew, figure, station), count, _idle_last)


def _idle_last(hand: Hand) -> object:
    return hand.loaded, not hand.busy


class ChooseLosses(Choice[State, Lose]):
    """A captain says which figures fall (PWR-88)."""

    name, rule, takes = "lose_figures", "PWR-88", (Lose,)

    def pending(self, state: State) -> Decision:
        """Ask the captain of the ship that was hit."""
        due = state.due[0]
        where = " or ".join(standing(state, due.ship, station) for station in due.stations)
        figures = counted(due.figures, "figure", "figures")
        text = f"{capital(ship_name(state, due.ship))} loses {figures}{' ' * bool(where)}{where}"
        text = f"{text}: say which"
        return Decision(self.asked(state), self.name, text, told=True, total=due.figures)

    def asked(self, state: State) -> PlayerId:
        """Return whose ship was hit."""
        return state.ships[state.due[0].ship].player

    def actions(self, state: State) -> tuple[Lose, ...]:
        """Return every group that can lose some, by number."""
        due = state.due[0]
        crew = exposed(state.ships[due.ship], due.stations)
        return offers_to_lose(self.asked(state), due.ship, crew, due.figures)

    def refuse(self, state: State, action: Lose) -> Ruling | None:
        """Refuse figures that are not there, too many, or of another ship."""
        due = state.due[0]
        if action.ship != due.ship:
            return no(self.rule, f"{capital(ship_name(state, due.ship))} loses figures now.")
        crew = exposed(state.ships[due.ship], due.stations)
        return refuse_loss(crew, action, due.figures, "there to fall", self.rule)

    def play(self, state: State, action: Lose) -> Step[State]:
        """Take them off; settle what is left."""
        due = state.due[0]
        figures = those(state.ships[due.ship].crew, action.figure, action.station, action.count)
        state = remove(state, due.ship, figures)
        left = due._replace(figures=due.figures - action.count)
        rest = state.due[1:]
        state = state._replace(due=(left, *rest) if left.figures else rest)
        then = stage_of(state, Losing).then
        told = (_told(state, due.ship, figures, due.rule),)
        return settle(state, then, told)

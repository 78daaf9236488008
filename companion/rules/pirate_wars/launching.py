"""Launches, landing parties, and figures and loot crossing over (PWR-113 to PWR-115)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from companion.rules.deeds import Deed
from companion.rules.game import Decision, PlayerId, Ruling, Step
from companion.rules.layout import Pose
from companion.rules.phases import Choice, no, stage_of
from companion.rules.pirate_wars.actions import Cross, Disembark, Lower, PlaceShip
from companion.rules.pirate_wars.crew import (
    DECK,
    Crew,
    Hand,
    by_kind,
    changed,
    crew_size,
    fall_rank,
    make_crew,
    merged,
    of,
    picked,
    without,
)
from companion.rules.pirate_wars.seamanship import dots, mm
from companion.rules.pirate_wars.state import (
    AFLOAT,
    GONE,
    NOWHERE,
    SettingDown,
    Ship,
    State,
    Tasking,
    afloat,
    design_of,
    hull_of,
    tag_of,
    with_ship,
)
from companion.rules.pirate_wars.vessels import A_CHEST_SEATS, LAUNCH, PARTY, Launch
from companion.rules.pirate_wars.words import capital, figures_named, ship_name, who
from companion.rules.plane import depth, gap, on_board, overlap, pose_at, toward

RULE, CAPACITY = "PWR-114", "PWR-115"
BESIDE_DOTS = 4
"""What is set down or crosses over is no farther from where it comes."""
SPOTS = 16
MOST_TAGS = 100

# Who goes


def chosen(ship: Ship, figures: tuple[tuple[str, int], ...]) -> Crew:
    """Return idle figures of these kinds, those with least to lose first; fewer if there are."""
    parts: Counter[Hand] = Counter()
    for name, count in figures:
        idle = of(ship.crew, lambda hand, name=name: hand.kind == name and not hand.busy)  # type: ignore[misc]
        parts.update(dict(picked(idle, count, fall_rank)))
    return make_crew(parts)


def _refuse_figures(state: State, number: int, action: Lower | Disembark | Cross) -> Ruling | None:
    ship, name = state.ships[number], capital(ship_name(state, number))
    asked = sum(count for _, count in action.figures)
    if asked < 1 or any(count < 1 for _, count in action.figures):
        return no(RULE, "Say which figures go, one at least.")
    if list(action.figures) != sorted(dict(action.figures).items()):
        return no(RULE, "Each kind of figure is named once, in order.")
    if crew_size(chosen(ship, action.figures)) < asked:
        return no(RULE, f"{name} does not have those figures without another task.")
    if not 0 <= action.chests <= ship.chests:
        return no(CAPACITY, f"{name} has {ship.chests} chests and barrels.")
    return None


def seats_taken(crew: int, chests: int) -> int:
    """Return the seats of a launch that figures and chests take (PWR-115).

    >>> seats_taken(3, 2)
    7
    """
    return crew + A_CHEST_SEATS * chests


def seats_of(state: State, number: int) -> int | None:
    """Return the seats of a launch; ``None`` for what has room for all."""
    design = design_of(state, number)
    return design.seats if isinstance(design, Launch) else None


def _offered(ship: Ship, most: int) -> list[tuple[tuple[str, int], ...]]:
    """Return figures that are offered to go: one, as many as can, and an officer with them."""
    idle = of(ship.crew, lambda hand: not hand.busy)
    plain = of(idle, lambda hand: not hand.figure.always_boards)
    groups = {
        by_kind(picked(part, count, fall_rank)) for part in (plain, idle) for count in (1, most)
    }
    led = picked(of(idle, lambda hand: hand.figure.always_boards), 1, fall_rank)
    groups.add(by_kind(merged(led, picked(plain, most - 1, fall_rank))))
    return sorted(group for group in groups if group)


def _across(hand: Hand) -> Hand:
    return hand._replace(station=DECK, busy=True)


def _left_with(ship: Ship, going: Crew, chests: int) -> Ship:
    return ship._replace(crew=without(ship.crew, going), chests=ship.chests - chests)


# Lowering and disembarking


def offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    """Yield what figures of one piece can do with launches."""
    if not state.options.launches:
        return
    ship, kind = state.ships[number], design_of(state, number).kind
    seats = LAUNCH.seats
    for group in _offered(ship, seats):
        lower = Lower(player, number, group, 0)
        if kind == "ship" and refuse_lower(state, lower) is None:
            yield lower
        ashore = Disembark(player, number, group, ship.chests)
        if kind == "launch" and refuse_disembark(state, ashore) is None:
            yield ashore
        for target in range(len(state.ships)):
            cross = Cross(player, number, target, group, 0)
            if target != number and refuse_cross(state, cross) is None:
                yield cross


def refuse_lower(state: State, action: Deed) -> Ruling | None:
    """Refuse launches that are not there, too many figures, and no room beside the ship."""
    assert isinstance(action, Lower)
    ship, name = state.ships[action.ship], capital(ship_name(state, action.ship))
    if not state.options.launches:
        return no(RULE, "Launches are not used at this table.")
    if design_of(state, action.ship).kind != "ship" or not ship.boats:
        return no("PWR-113", f"{name} has no launch left aboard.")
    if len(state.ships) >= MOST_TAGS:
        return no(RULE, "There are no more tags for launches.")
    refusal = _refuse_figures(state, action.ship, action)
    if refusal is not None:
        return refusal
    going = sum(count for _, count in action.figures)
    if seats_taken(going, action.chests) > LAUNCH.seats:
        return no(CAPACITY, f"A launch holds {LAUNCH.seats} figures; a chest takes two seats.")
    if not any(True for _ in _places_afloat(lowered(state, action))):
        return no(RULE, f"There is no room for a launch beside {ship_name(state, action.ship)}.")
    return None


def lowered(state: State, action: Deed) -> State:
    """Put figures into a launch; where it lies is seen next (PWR-114)."""
    assert isinstance(action, Lower)
    ship = state.ships[action.ship]
    state = with_ship(state, action.ship, ship._replace(boats=ship.boats - 1))
    return _set_off(state, action.ship, LAUNCH.id, action.figures, action.chests)


def refuse_disembark(state: State, action: Deed) -> Ruling | None:
    """Refuse to leave a launch that has just come, or that lies at no shore (PWR-114)."""
    assert isinstance(action, Disembark)
    ship, name = state.ships[action.ship], capital(ship_name(state, action.ship))
    if design_of(state, action.ship).kind != "launch":
        return no(RULE, f"{name} lands nobody; launches do.")
    if len(state.ships) >= MOST_TAGS:
        return no(RULE, "There are no more tags for landing parties.")
    if ship.moved:
        return no(RULE, f"{name} landed in this turn; figures leave her in the next.")
    refusal = _refuse_figures(state, action.ship, action)
    if refusal is not None:
        return refusal
    if not any(True for _ in _places_ashore(ashore(state, action))):
        return no(RULE, f"{name} does not lie at a shore with room to land.")
    return None


def ashore(state: State, action: Deed) -> State:
    """Set figures ashore; where they stand is seen next."""
    assert isinstance(action, Disembark)
    return _set_off(state, action.ship, PARTY.id, action.figures, action.chests)


def _set_off(
    state: State, number: int, design: str, figures: tuple[tuple[str, int], ...], chests: int
) -> State:
    ship = state.ships[number]
    going = chosen(ship, figures)
    state = with_ship(state, number, _left_with(ship, going, chests))
    built = state.options.built[design]
    new = Ship(
        design,
        ship.player,
        built.hull_factor,
        built.sail_factor,
        changed(going, going, _across),
        (),
        wanted=built.sail_factor,
        chests=chests,
        moved=True,
    )
    ships = (*state.ships, new)
    return state._replace(ships=ships, stage=SettingDown(len(ships) - 1, number))


# Crossing over


def refuse_cross(state: State, action: Deed) -> Ruling | None:
    """Refuse to cross to what is not one's own, not beside, full, or just landed."""
    assert isinstance(action, Cross)
    if not state.options.launches:
        return no(RULE, "Launches are not used at this table.")
    if not 0 <= action.target < len(state.ships) or action.target == action.ship:
        return no(RULE, "Figures cross over to another piece of their side.")
    mine, other = state.ships[action.ship], state.ships[action.target]
    name, there = capital(ship_name(state, action.ship)), ship_name(state, action.target)
    kinds = {design_of(state, n).kind for n in (action.ship, action.target)}
    if other.player != mine.player or other.fate != AFLOAT:
        return no(RULE, "Figures cross over to another piece of their side.")
    if not kinds & {"launch", "party"}:
        return no(RULE, "Figures go from ship to ship in launches.")
    if mine.moved and design_of(state, action.ship).kind == "launch":
        return no(RULE, f"{name} moved in this turn; figures leave her in the next.")
    apart = dots(gap(hull_of(state, action.ship), hull_of(state, action.target)))
    if apart > BESIDE_DOTS + dots(state.options.tolerance_mm):
        return no(RULE, f"{name} is {apart:.0f} dots from {there}; {BESIDE_DOTS} are near enough.")
    refusal = _refuse_figures(state, action.ship, action)
    if refusal is not None:
        return refusal
    seats, going = seats_of(state, action.target), sum(count for _, count in action.figures)
    taken = seats_taken(crew_size(other.crew) + going, other.chests + action.chests)
    if seats is not None and taken > seats:
        return no(CAPACITY, f"{capital(there)} holds {seats} figures; a chest takes two seats.")
    return None


def cross(state: State, action: Deed) -> State:
    """Bring figures and chests over; an empty launch is hoisted, an empty party is no more."""
    assert isinstance(action, Cross)
    ship, other = state.ships[action.ship], state.ships[action.target]
    going = chosen(ship, action.figures)
    other = other._replace(
        crew=merged(other.crew, changed(going, going, _across)),
        chests=other.chests + action.chests,
    )
    ship = _left_with(ship, going, action.chests)
    kind, there = design_of(state, action.ship).kind, design_of(state, action.target).kind
    if not ship.crew and kind == "launch" and there == "ship":
        other = other._replace(boats=other.boats + 1, chests=other.chests + ship.chests)
        ship = vanished(ship)
    elif not ship.crew and kind == "party":
        other = other._replace(chests=other.chests + ship.chests)
        ship = vanished(ship)
    return with_ship(with_ship(state, action.ship, ship), action.target, other)


def vanished(ship: Ship) -> Ship:
    """Return a piece that is taken off the table."""
    return ship._replace(crew=(), fate=GONE, pose=NOWHERE, left=0, chests=0)


# Where it is set down


def _places_afloat(state: State) -> Iterator[Pose]:
    """Yield standard places of a launch beside its ship."""
    stage = stage_of(state, SettingDown)
    parent = design_of(state, stage.beside)
    pose = state.ships[stage.beside].pose
    across = mm((parent.hull + LAUNCH.hull) / 2 + 1)
    for part in (0.0, 0.25, -0.25):
        for side in (1, -1):
            at = on_board(pose, (parent.length_mm * part, side * across))
            place = Pose(at[0], at[1], pose.heading_deg).rounded()
            if _refuse_place(state, place) is None:
                yield place


def _places_ashore(state: State) -> Iterator[Pose]:
    """Yield standard places of a party on the shore its launch lies at."""
    stage = stage_of(state, SettingDown)
    pose = state.ships[stage.beside].pose
    reach = LAUNCH.length_mm / 2 + mm(3)
    for far in (reach, reach * 0.7):
        for spot in range(SPOTS):
            heading = 360.0 * spot / SPOTS
            place = pose_at(toward((pose.x_mm, pose.y_mm), heading, far), heading).rounded()
            if _refuse_place(state, place) is None:
                yield place


def _refuse_place(state: State, pose: Pose) -> Ruling | None:
    stage = stage_of(state, SettingDown)
    name, slack = capital(ship_name(state, stage.number)), state.options.tolerance_mm
    here, kind = hull_of(state, stage.number, pose), design_of(state, stage.number).kind
    apart = dots(gap(here, hull_of(state, stage.beside)))
    if apart > BESIDE_DOTS + dots(slack):
        beside = ship_name(state, stage.beside)
        return no(RULE, f"{name} is set down within {BESIDE_DOTS} dots of {beside}.")
    for other in afloat(state):
        if other != stage.number and overlap(here, hull_of(state, other)) > slack:
            return no(RULE, f"{name} cannot stand in {ship_name(state, other)}.")
    inside = any(depth((pose.x_mm, pose.y_mm), shore) > 0 for shore in state.options.islands)
    if kind == "party" and not inside:
        return no(RULE, f"{name} stands on the island.")
    if kind == "launch" and any(overlap(here, s) > slack for s in state.options.islands):
        return no(RULE, f"{name} is set down in the water.")
    return None


class SetDown(Choice[State, PlaceShip]):
    """A launch or a landing party that was just manned is put on the table."""

    name, rule, takes = "set_down", RULE, (PlaceShip,)

    def asked(self, state: State) -> PlayerId:
        """Return whose it is."""
        return state.ships[stage_of(state, SettingDown).number].player

    def pending(self, state: State) -> Decision:
        """Ask for it."""
        stage, player = stage_of(state, SettingDown), self.asked(state)
        crew = state.ships[stage.number].crew
        text = (
            f"{who(state, player)}: set {ship_name(state, stage.number)} (tag"
            f" {tag_of(stage.number)}) down beside {ship_name(state, stage.beside)}, with"
            f" {figures_named(by_kind(crew))}"
        )
        return Decision(player, self.name, text, measured=True)

    def actions(self, state: State) -> tuple[PlaceShip, ...]:
        """Return some places."""
        stage, player = stage_of(state, SettingDown), self.asked(state)
        afloat_ = design_of(state, stage.number).kind == "launch"
        places = _places_afloat(state) if afloat_ else _places_ashore(state)
        return tuple(sorted({PlaceShip(player, stage.number, pose) for pose in places}))

    def measured(self, state: State, seen: Mapping[int, Pose]) -> tuple[PlaceShip, ...]:
        """Return the place where its tag is seen."""
        stage = stage_of(state, SettingDown)
        pose = seen.get(tag_of(stage.number))
        if pose is None or _refuse_place(state, pose.rounded()) is not None:
            return ()
        return (PlaceShip(self.asked(state), stage.number, pose.rounded()),)

    def refuse(self, state: State, action: PlaceShip) -> Ruling | None:
        """Refuse another piece, and places too far off or taken."""
        number = stage_of(state, SettingDown).number
        if action.ship != number:
            return no(RULE, f"{capital(ship_name(state, number))} is to be set down now.")
        return _refuse_place(state, action.pose)

    def play(self, state: State, action: PlaceShip) -> Step[State]:
        """Put it there; tasks go on."""
        ship = state.ships[action.ship]._replace(pose=action.pose.rounded())
        return Step(with_ship(state, action.ship, ship)._replace(stage=Tasking()))

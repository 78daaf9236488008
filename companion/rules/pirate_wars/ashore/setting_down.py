"""Where launches and landing parties are set down on the table (PWR-114)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.rules.game import Decision, PlayerId, Ruling, Step
from companion.rules.layout import Pose
from companion.rules.outlines import depth, is_within, overlap
from companion.rules.phases import Choice, no, stage_of
from companion.rules.pirate_wars.actions import PlaceShip
from companion.rules.pirate_wars.ashore.rousing import roused
from companion.rules.pirate_wars.ashore.storming import places_around
from companion.rules.pirate_wars.built.vessels import LAUNCH, NativeBoat
from companion.rules.pirate_wars.crew import by_kind
from companion.rules.pirate_wars.pieces import tag_of
from companion.rules.pirate_wars.sailing.seamanship import mm
from companion.rules.pirate_wars.sailing.waters import around, is_off_table
from companion.rules.pirate_wars.stages import Moving, SettingDown, Tasking
from companion.rules.pirate_wars.state import State, design_of, hull_of, with_ship
from companion.rules.pirate_wars.words import figures_named, ship_name, who, with_tag
from companion.rules.plane import on_board, pose_at, toward
from companion.rules.words import capital

RULE = "PWR-114"
BESIDE_DOTS = 4
"""What is set down or crosses over is no farther from where it comes."""
SPOTS = 16
"""Directions in which a place ashore is looked for."""


def places_afloat(state: State) -> Iterator[Pose]:
    """Yield standard places of a launch beside its ship."""
    stage = stage_of(state, SettingDown)
    parent = design_of(state, stage.beside)
    pose = state.ships[stage.beside].pose
    if parent.kind == "tribe":
        yield from _places_at_sea(state)
        return
    across = mm((parent.hull + LAUNCH.hull) / 2 + 1)
    for part in (0.0, 0.25, -0.25):
        for side in (1, -1):
            at = on_board(pose, (parent.length_mm * part, side * across))
            place = Pose(at[0], at[1], pose.heading_deg).rounded()
            if _refuse_place(state, place) is None:
                yield place


def _places_at_sea(state: State) -> Iterator[Pose]:
    """Yield standard places of a natives' boat: the water nearest to them."""
    stage = stage_of(state, SettingDown)
    pose = state.ships[stage.beside].pose
    for far in range(LAUNCH.length // 2, reach_dots(state) + LAUNCH.length, 2):
        for spot in range(SPOTS):
            heading = 360.0 * spot / SPOTS
            place = pose_at(toward((pose.x_mm, pose.y_mm), heading, mm(far)), heading).rounded()
            if _refuse_place(state, place) is None:
                yield place


def reach_dots(state: State) -> int:
    """Return how far from where figures come a boat or a party may be set down."""
    design = design_of(state, stage_of(state, SettingDown).number)
    return design.boat.reach if isinstance(design, NativeBoat) else BESIDE_DOTS


def places_ashore(state: State) -> Iterator[Pose]:
    """Yield standard places of a party on the shore its launch lies at, or around a fortress."""
    stage = stage_of(state, SettingDown)
    if design_of(state, stage.beside).kind == "fort":
        walls = places_around(state, stage.beside)
        yield from (place for place in walls if _refuse_place(state, place) is None)
        return
    pose = state.ships[stage.beside].pose
    reach = LAUNCH.length_mm / 2 + mm(3)
    for far in (reach, reach * 0.7):
        for spot in range(SPOTS):
            heading = 360.0 * spot / SPOTS
            place = pose_at(toward((pose.x_mm, pose.y_mm), heading, far), heading).rounded()
            if _is_on_land(state, place) and _refuse_place(state, place) is None:
                yield place


def _is_on_land(state: State, pose: Pose) -> bool:
    here = pose.x_mm, pose.y_mm
    return any(
        ground.is_near(here, here, 0.0) and depth(here, shore) > 0
        for ground, shore in state.options.land
    )


def _refuse_place(state: State, pose: Pose) -> Ruling | None:
    stage = stage_of(state, SettingDown)
    slack = state.options.tolerance_mm
    here, design = hull_of(state, stage.number, pose), design_of(state, stage.number)
    reach = reach_dots(state)
    if not is_within(here, hull_of(state, stage.beside), mm(reach) + slack):
        beside = ship_name(state, stage.beside)
        return _no_place(state, f"is set down within {reach} dots of {beside}.")
    if is_off_table(state, pose):
        return _no_place(state, "is set down on the table, not beyond its edge.")
    lies_on = [
        key
        for key, shape in around(state, pose, design.reach_mm, stage.number)
        if overlap(here, shape) > slack
    ]
    in_the_way = next((key for key in lies_on if key >= 0), None)
    if in_the_way is not None:
        return _no_place(state, f"cannot stand in {ship_name(state, in_the_way)}.")
    if design.kind == "party" and not _is_on_land(state, pose):
        return _no_place(state, "stands on the island.")
    if design.kind == "launch" and lies_on:
        return _no_place(state, "is set down in the water.")
    return None


def _no_place(state: State, why: str) -> Ruling:
    number = stage_of(state, SettingDown).number
    return no(RULE, f"{capital(ship_name(state, number))} {why}")


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
            f"{who(state, player)}: set {with_tag(state, stage.number)} down beside"
            f" {ship_name(state, stage.beside)}, with {figures_named(by_kind(crew))}"
        )
        return Decision(player, self.name, text, measured=True)

    def actions(self, state: State) -> tuple[PlaceShip, ...]:
        """Return some places."""
        stage, player = stage_of(state, SettingDown), self.asked(state)
        afloat_ = design_of(state, stage.number).kind == "launch"
        places = places_afloat(state) if afloat_ else places_ashore(state)
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
        """Put it there; tasks go on, or the movement of islanders (PWR-133)."""
        ship = state.ships[action.ship]._replace(pose=action.pose.rounded())
        moves = isinstance(design_of(state, action.ship), NativeBoat)
        then = Moving() if moves else Tasking()
        state, told = roused(with_ship(state, action.ship, ship))
        return Step(state._replace(stage=then), told)

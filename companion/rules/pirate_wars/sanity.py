"""What holds in every state that play can reach; states from outside are held against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.rules.game import Step
from companion.rules.pirate_wars.ashore.lurking import ALLIGATORS, FREEING, SNARES, snares_in_reach
from companion.rules.pirate_wars.ashore.sanity_forts import ashore
from companion.rules.pirate_wars.built.figures import KINDS, kind
from companion.rules.pirate_wars.crew import Crew, crew_size
from companion.rules.pirate_wars.dice import batches
from companion.rules.pirate_wars.fighting.gunnery import DECK_GUN
from companion.rules.pirate_wars.fighting.losses import chart_of, fallen
from companion.rules.pirate_wars.fighting.sanity_fights import fights
from companion.rules.pirate_wars.initiative import OUT, roller
from companion.rules.pirate_wars.options import WINDS
from companion.rules.pirate_wars.pieces import AFLOAT, LOADED, NOWHERE, SINKING, WRECKED, Ship
from companion.rules.pirate_wars.sailing.seamanship import wind_from
from companion.rules.pirate_wars.stages import (
    Attack,
    Between,
    ChoosingShips,
    FallingOff,
    FeedingSharks,
    Finished,
    Firing,
    Losing,
    Lurking,
    Moving,
    PlacingShips,
    RollingCritical,
    RollingInitiative,
    RollingWind,
    SettingDown,
    Tasking,
    TestingMorale,
    Volley,
)
from companion.rules.pirate_wars.state import State, design_of
from companion.rules.pirate_wars.turns import STEPS, go_on
from companion.rules.writing import Findings, people

BURSTS = ("burst", "near")
HITS = ("ball", "shot", "hull", "sails", "figures", "officer", "cannon", *BURSTS, "rudder", "doors")
MOST_DOTS = 400
FAR_MM = 100_000.0


def _table(state: State) -> Findings:
    players = len(state.names)
    yield from people(state.names, 2, 4)
    winds = (None, *[wind_from(name) for name in WINDS])
    yield state.wind in winds, "the wind comes from one of eight directions"
    yield state.round >= 0, "the turn is not negative"
    whole = state.options.ships_each * players
    choosing = isinstance(state.stage, ChoosingShips)
    ships = sum(ship.design in state.options.designs for ship in state.ships)
    yield ships < whole if choosing else ships == whole, "ships are missing"
    yield len(state.sides) == min(len(state.ships), players), "a captain's side is not known"
    early = isinstance(state.stage, ChoosingShips | RollingWind)
    yield (state.wind is None) <= early, "the wind is not known yet"


def _ships(state: State) -> Findings:
    placed = not isinstance(state.stage, ChoosingShips | RollingWind | PlacingShips)
    for number, ship in enumerate(state.ships):
        yield ship.design in state.options.built, "there is no such ship"
        yield 0 <= ship.player < len(state.names), "a ship belongs to nobody"
        design, chart = design_of(state, number), chart_of(state, number)
        yield 0 <= ship.hf <= design.hull_factor, "a ship has no such hull"
        yield 0 <= ship.sf <= chart.most_sf, "a ship has more sails than its hull allows"
        yield 0 <= ship.wanted <= design.sail_factor, "no such sail can be wanted"
        yield 0 <= ship.used <= design.sail_factor, "no such sail was carried"
        yield 0 <= ship.resetting <= design.sail_factor, "no such sail is being reset"
        yield 0 <= ship.left <= MOST_DOTS, "no ship moves so far"
        yield min(ship.chests, ship.stowed, ship.boats) >= 0, "less than nothing is aboard"
        yield 0 <= ship.complement <= 1000, "no ship holds so many"
        yield -1 <= ship.home < len(state.ships), "figures come from nowhere"
        yield list(ship.tested) == sorted(set(ship.tested)), "conditions are sorted"
        fine = _crew_is_fine(ship.crew) and _crew_is_fine(ship.snared)
        yield fine, "a crew is not written as it should be"
        yield crew_size(ship.crew) <= 1000, "no ship holds so many"
        yield from _guns(state, number, ship)
        set_down = isinstance(state.stage, SettingDown) and state.stage.number == number
        on_table = ship.fate in (AFLOAT, SINKING) and placed and not set_down
        yield (ship.pose != NOWHERE) or not on_table, "a ship stands nowhere"
        yield max(abs(ship.pose.x_mm), abs(ship.pose.y_mm)) < FAR_MM, "a ship is far away"
        yield ship.hf > 0 or ship.fate != AFLOAT or _may_float(state), "a ship without hull floats"


def _may_float(state: State) -> bool:
    """Tell whether a ship without hull may still be there: it sinks at the end of the phase."""
    return not isinstance(state.stage, ChoosingShips | PlacingShips | RollingWind)


def _crew_is_fine(crew: Crew) -> bool:
    hands = [hand for hand, _ in crew]
    sides = {side for hand in hands for side in kind(hand.kind).sides}
    return (
        hands == sorted(set(hands))
        and all(count > 0 for _, count in crew)
        and (not sides & {"islander", "dead"} or len(sides) == 1)
        and all(hand.loaded or hand.busy or not hand.figure.needs_no_loading for hand in hands)
    )


def _guns(state: State, number: int, ship: Ship) -> Findings:
    design = design_of(state, number)
    yield len(ship.guns) == len(design.cannons) + design.deck_guns, "a ship has other guns"
    for gun, it in enumerate(ship.guns):
        cannon = design.cannons[gun] if gun < len(design.cannons) else None
        yield WRECKED <= it.load <= LOADED, "a gun cannot be loaded so"
        yield it.side in (cannon.sides if cannon else ("bow",)), "a gun does not stand there"


def _shoals(state: State) -> Findings:
    for shoal in state.shoals:
        names = [name for name, _ in shoal.figures]
        yield 0 <= shoal.player < len(state.names), "swimmers belong to nobody"
        yield 0 <= shoal.ship < len(state.ships), "swimmers come from no ship"
        yield shoal.side in ("pirate", "imperial"), "swimmers are of no side"
        yield bool(names) and names == sorted(set(names)), "swimmers are sorted"
        yield all(0 < count <= 1000 for _, count in shoal.figures), "nobody swims there"
        yield max(abs(shoal.x_mm), abs(shoal.y_mm)) < FAR_MM, "swimmers are far away"


def _turn(state: State) -> Findings:
    seats = range(len(state.names))
    order = state.order
    yield len(set(order)) == len(order) and {*order} <= {*seats}, "the order is one of seats"
    early = isinstance(state.stage, SET_UP) or isinstance(state.stage, RollingInitiative)
    if early:
        yield not order and not state.slot, "nobody is on turn yet"
    else:
        # A battle may be given up before the order of its turn is known.
        unknown = not order and isinstance(state.stage, Finished)
        yield 0 <= state.slot < len(order) + unknown, "somebody is on turn"
    ships = range(len(state.ships))
    lashed = [number for pair in state.engaged for number in pair]
    yield {*lashed} <= {*ships} and len(set(lashed)) == len(lashed), "no such ships are lashed"
    crews = [state.ships[number].player for number in lashed]
    yield all(a != b for a, b in zip(crews[::2], crews[1::2], strict=True)), "friends are lashed"
    caught = [number for pair in state.rammed for number in pair]
    yield {*caught} <= {*ships} and len(set(caught)) == len(caught), "no such ships hang together"
    for numbers in (state.fought, state.scuttles):
        yield list(numbers) == sorted(set(numbers)) and {*numbers} <= {*ships}, "no such ships"
    for hit in state.hits:
        yield hit.ship in ships and hit.what in HITS, "a hit is none"
        yield 0 <= hit.amount <= 1000, "a hit counts too much"
        wrecked = hit.what in BURSTS
        yield not wrecked or hit.amount < len(state.ships[hit.ship].guns), "no such gun bursts"


SET_UP = (ChoosingShips, RollingWind, PlacingShips)


def _attack(state: State, attack: Attack) -> bool:
    ships = range(len(state.ships))
    if attack.ship not in ships or attack.target not in ships:
        return False
    if attack.weapon not in state.options.charts.weapons or not 0 < attack.shots <= 1000:
        return False
    weapon = state.options.charts.weapons[attack.weapon]
    if weapon.is_cannon or attack.weapon == DECK_GUN:
        return 0 <= attack.gun < len(state.ships[attack.ship].guns)
    return attack.gun == -1


def _pending(state: State) -> Findings:
    tasking = isinstance(state.stage, Tasking)
    known = all(_attack(state, attack) for attack in state.attacks)
    yield known, "an attack cannot be declared so"
    yield all(_figure(a) for a in state.attacks), "nobody fires there"
    in_tasks = tasking or not isinstance(state.stage, (*SET_UP, Moving, FallingOff, Finished))
    yield not state.attacks or in_tasks, "attacks wait for their phase"
    for due in state.due:
        yield 0 <= due.ship < len(state.ships), "no such ship loses figures"
        yield 0 < due.figures <= 1000, "losses are counted"
    yield bool(state.due) == isinstance(state.stage, Losing), "losses are settled at once"


def _figure(attack: Attack) -> bool:
    small = attack.weapon not in ("cannon-ball", "cannon-shot")
    return attack.figure in KINDS if small else not attack.figure


def _volleys(state: State, volleys: tuple[Volley, ...]) -> Findings:
    for volley in volleys:
        yield _attack(state, volley.attack) and _figure(volley.attack), "no such attack"
        cannon = volley.attack.weapon in ("cannon-ball", "cannon-shot")
        most = 10 if cannon else 1000
        yield 0 < volley.dice <= most and 0 < volley.target <= 20, "dice cannot be thrown so"


def _stage(state: State) -> Findings:
    stage = state.stage
    yield not isinstance(stage, Between), "a state does not stop between phases"
    check = _STAGES.get(type(stage))
    if check:
        yield from check(state)


def _losing(state: State) -> Findings:
    stage = state.stage
    assert isinstance(stage, Losing)
    then = stage.then
    known = isinstance(then, Moving) or (isinstance(then, Between) and then.step in STEPS)
    yield known, "nothing follows these losses"
    yield fallen(state, state.due[0]) is None, "nobody has to choose who falls"


def _initiative(state: State) -> Findings:
    stage = state.stage
    assert isinstance(stage, RollingInitiative)
    yield len(stage.rolls) == len(state.names), "every side rolls"
    for rolls in stage.rolls:
        yield rolls == OUT or all(1 <= r <= 6 for r in rolls), "a die shows 1 to 6"
    yield roller(stage.rolls) is not None, "nobody has to roll any more"


def _setting_down(state: State) -> Findings:
    stage = state.stage
    assert isinstance(stage, SettingDown)
    ships = range(len(state.ships))
    yield stage.number in ships and stage.beside in ships, "nothing is set down there"
    yield stage.number != stage.beside, "nothing is set down there"
    number = stage.number
    yield design_of(state, number).kind in ("launch", "party"), "that is not set down"
    yield state.ships[number].fate == AFLOAT and bool(state.ships[number].crew), "nobody is in it"
    yield state.ships[number].pose == NOWHERE, "it stands already"
    yield state.ships[stage.beside].pose != NOWHERE, "it comes from nowhere"


def _hunting(state: State) -> Findings:
    stage = state.stage
    assert isinstance(stage, Lurking)
    for number, what in stage.parties:
        yield what in (FREEING, ALLIGATORS, SNARES), "nothing of that kind lurks"
        yield 0 <= number < len(state.ships), "no such party is hunted"
        throws = len(batches(crew_size(state.ships[number].crew)))
        yield 0 < stage.parties.count((number, what)) <= throws, "nobody is there to be eaten"
        snared = what != FREEING or bool(snares_in_reach(state, number))
        yield snared, "nobody hangs in a snare"


def _firing(state: State) -> Findings:
    stage = state.stage
    assert isinstance(stage, Firing)
    yield from _volleys(state, stage.volleys)


def _critical(state: State) -> Findings:
    stage = state.stage
    assert isinstance(stage, RollingCritical)
    ships = range(len(state.ships))
    yield stage.ship in ships and (stage.near == -1 or stage.near in ships), "no such ship is hit"
    yield from _volleys(state, stage.volleys)


def _morale(state: State) -> Findings:
    stage = state.stage
    assert isinstance(stage, TestingMorale)
    for number, group, target in stage.tests:
        yield 0 <= number < len(state.ships), "no such ship is tested"
        yield group in ("marines", "crew"), "nobody of that name is tested"
        yield 1 <= target <= 20, "a test that cannot succeed is not rolled"


def _sharks(state: State) -> Findings:
    stage = state.stage
    assert isinstance(stage, FeedingSharks)
    yield 0 <= stage.shoal < len(state.shoals), "nobody swims there"
    yield 0 <= stage.rest <= state.shoals[stage.shoal].size, "more are thrown for than swim"


_STAGES: Mapping[type, Callable[[State], Findings]] = {
    Losing: _losing,
    RollingInitiative: _initiative,
    Firing: _firing,
    RollingCritical: _critical,
    TestingMorale: _morale,
    FeedingSharks: _sharks,
    SettingDown: _setting_down,
    Lurking: _hunting,
}


def _rest(state: State) -> Findings:
    """Demand that somebody is asked: what follows by itself has followed."""
    yield go_on(Step(state)).state == state, "nobody is asked anything"


CHECKS = (_table, _ships, ashore, _shoals, _turn, _pending, fights, _stage, _rest)
"""What must hold of a state; later checks rely on the earlier ones."""

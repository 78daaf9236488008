"""A slow twin of Articles of War, written straight from its rules.

It knows nothing of musters, courses, caches or phases: it tries to finish the turn on paper with
every way of giving the dice to the ships, walks every sail hex by hex and looks at every hex.
"""

from functools import cache

from companion.rules.articles_of_war import actions as do
from companion.rules.articles_of_war.state import ChoosingDice, Drifted, State, Window
from companion.rules.layout import Die

STEPS = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
WAYS = ["E", "NE", "NW", "W", "SW", "SE"]
LONGER = {"sail one farther": [1], "sail one less or farther": [-1, 1]}
REACH = {"fire one farther": [1], "fire one nearer or farther": [-1, 1]}


# The table


def size(cell):
    return max(abs(cell[0]), abs(cell[1]), abs(cell[0] + cell[1]))


def ocean(state: State):
    span = range(-6, 7)
    return [(q, r) for q in span for r in span if size((q, r)) <= state.options.radius]


def go(cell, way, far=1):
    return cell[0] + STEPS[way][0] * far, cell[1] + STEPS[way][1] * far


def around(state, cell):
    return [go(cell, way) for way in range(6) if size(go(cell, way)) <= state.options.radius]


def ships(state):
    """Return every ship afloat as (cell, colour)."""
    found = [(ship.cell, ship.colour) for ship in state.ships]
    stage = state.stage.then if isinstance(state.stage, Window) else state.stage
    mover = getattr(stage, "mover", None)
    return found + ([(mover.cell, mover.colour)] if mover else [])


def owner(state, colour):
    return next((f.player for f in state.fleets if f.colour == colour), None)


def afloat(state, colour):
    return sum(c == colour for _, c in ships(state))


def is_empty(state, cell):
    return cell not in dict(state.ocean.tiles) and cell not in [s for s, _ in ships(state)]


def gambit(state, colour, timing):
    """Return the effect a fleet may play at a moment (AOW-64)."""
    for card in state.options.cards:
        if (card.colour, card.timing) == (colour, timing) and colour not in state.memory.played:
            return card.effect if card.effect != "table" else None
    return None


def edge(state):
    ring = state.options.radius if state.memory.storm is None else state.memory.storm
    blown = isinstance(getattr(state.stage, "then", None), Drifted)
    if blown and state.memory.storm:
        ring -= 1  # the storm closes in before anybody sails (AOW-87)
    return [cell for cell in ocean(state) if size(cell) == ring and is_empty(state, cell)]


# Spending


@cache
def can_finish(fleet: tuple[str, ...], sails: int, cannons: int) -> bool:
    """Say whether every ship can be given exactly two dice, one of them a sail (AOW-27, 28).

    Each ship is the string of the dice it has had, e.g. ``"SC"``.
    """
    if all(len(had) == 2 for had in fleet):
        return all("S" in had for had in fleet)
    index = next(i for i, had in enumerate(fleet) if len(had) < 2)
    for die, left in (("S", sails), ("C", cannons)):
        given = fleet[index] + die
        if left and not (len(given) == 2 and "S" not in given):
            rest = (*fleet[:index], given, *fleet[index + 1 :])
            if can_finish(rest, sails - (die == "S"), cannons - (die == "C")):
                return True
    return False


def dice_had(duty: int) -> str | None:
    """Return the dice a ship has had as far as they matter; ``None`` for a prize of this turn."""
    return {-1: "", 6: "C", 7: "SS", 8: None}.get(duty, "S")


def sail_ends(state: State, cell, colour, length, way):
    """Return where a sail ends and how, hex by hex (AOW-36 to 40)."""
    terrain = dict(state.ocean.tiles)
    for _ in range(length):
        cell = go(cell, way)
        if size(cell) > state.options.radius:
            return cell, "off"
        if terrain.get(cell) in ("volcano", "desert"):
            return cell, "wreck"
        met = [s.colour for s in state.ships if s.cell == cell]
        if met and owner(state, met[0]) != owner(state, colour):
            return cell, "board"
    return cell, "sea"


def spendings(state: State):
    """Yield (ship, kind of die, its value) for what AOW-27 and AOW-28 allow."""
    mine = [ship for ship in state.ships if ship.colour == state.fleet.colour]
    for index, ship in enumerate(mine):
        had = dice_had(ship.duty)
        if had is None or len(had) == 2:
            continue
        for kind, values in (("S", state.sails), ("C", state.cannons)):
            if had + kind == "CC":
                continue
            others = [dice_had(s.duty) for i, s in enumerate(mine) if i != index]
            fleet = (had + kind, *(o for o in others if o is not None))
            left = len(state.sails) - (kind == "S"), len(state.cannons) - (kind == "C")
            if can_finish(fleet, *left):
                for value in values:
                    yield ship, kind, value


def slow_spends(state: State) -> set:
    player, colour = state.fleet.player, state.fleet.colour
    found = set()
    for ship, kind, value in spendings(state):
        if kind == "S":
            found |= {do.Sail(player, ship.cell, value, w) for w in ways(state, ship, value)}
            for by in LONGER.get(gambit(state, colour, "onSpendSail"), []):
                open_ways = ways(state, ship, value + by)
                found |= {do.SailByGambit(player, ship.cell, value, w, by) for w in open_ways}
        else:
            found |= {do.Fire(player, ship.cell, value, w) for w in range(6)}
            for by in REACH.get(gambit(state, colour, "onSpendCannon"), []):
                if value + by >= 1:
                    shots = {do.FireByGambit(player, ship.cell, value, w, by) for w in range(6)}
                    found |= shots
    if state.stage.fresh and gambit(state, colour, "afterRoll"):
        found |= {do.RollAgain(player, Die("sail", face)) for face in state.sails}
        found |= {do.RollAgain(player, Die("cannon", face)) for face in state.cannons}
    return found


def ways(state: State, ship, length: int):
    open_ways, wrecks = [], []
    for way in range(6):
        if 0 <= ship.duty <= 5 and STEPS[way] == tuple(-x for x in STEPS[ship.duty]):
            continue
        cell, end = sail_ends(state, ship.cell, ship.colour, length, way)
        if end == "sea" and any(s.cell == cell for s in state.ships if s != ship):
            continue
        (wrecks if end == "wreck" else open_ways).append(way)
    if state.options.destructive_moves == "allowed" or not open_ways:
        open_ways += wrecks
    return open_ways


# Every other choice


def slow_choices(state: State, phase: str) -> set:
    """Return everything the rules let the captain who is asked do."""
    return CHOICES[phase](state)


def fleets_placed(state):
    taken = {cell for cell, _ in ships(state)}
    return {
        do.PlaceFleet(state.fleet.player, start, second)
        for start in state.options.start_cells
        for second in around(state, start)
        if start not in taken and second not in taken
    }


def home(state, colour):
    return next(c for c, own in ships(state) if own == colour and c in state.options.start_cells)


def thirds(state):
    player = state.fleet.player
    found = {do.Pass(player)}
    if state.gold[player] >= 2:
        free = [c for c in around(state, home(state, state.fleet.colour)) if is_empty(state, c)]
        found |= {do.BuyThird(player, cell) for cell in free}
    return found


def added(state):
    player = state.fleet.player
    return {
        do.AddThird(player, fleet.colour, cell)
        for fleet in state.fleets
        if fleet.player == player
        for cell in around(state, home(state, fleet.colour))
        if is_empty(state, cell)
    }


def tiles(state):
    player = state.fleet.player
    foes = [cell for cell, colour in ships(state) if owner(state, colour) != player]
    return {
        do.PlaceTile(player, cell)
        for cell in ocean(state)
        if is_empty(state, cell) and not any(foe in around(state, cell) for foe in foes)
    }


def dice(state):
    player, colour = state.fleet.player, state.fleet.colour
    count = afloat(state, colour)
    wanted = 2 * count + state.stage.more
    if state.options.desperation and count == 1 and colour not in state.memory.grudges:
        wanted += 1
    found = {
        do.ChooseDice(player, sails, cannons)
        for sails in range(7)
        for cannons in range(6)
        if sails + cannons == wanted and sails >= count
    }
    if gambit(state, colour, "beforeDiceChoice"):
        found.add(do.PlayGambit(player, colour))
    return found


def prizes(state):
    stage = state.stage
    player = owner(state, stage.winner)
    found = {do.Scuttle(player)}
    if afloat(state, stage.winner) < 3 and stage.winner not in state.memory.grudges:
        free = [c for c in around(state, stage.mover.cell) if is_empty(state, c)]
        found |= {do.Press(player, cell) for cell in free}
    return found


def grudges(state):
    player = state.fleet.player
    return {do.Pass(player)} | {do.PlaceGrudge(player, cell) for cell in edge(state)}


def windows(state):
    colour = state.stage.colours[0]
    player = owner(state, colour)
    if gambit(state, colour, "onLoss") == "a new ship at the edge":
        return {do.Pass(player)} | {do.Relaunch(player, cell) for cell in edge(state)}
    return {do.Pass(player), do.PlayGambit(player, colour)}


CHOICES = {
    "place_fleet": fleets_placed,
    "buy_third": thirds,
    "add_third": added,
    "choose_density": lambda s: {do.ChooseDensity(s.fleet.player, n) for n in (2, 3, 4)},
    "place_tile": tiles,
    "choose_dice": dice,
    "spend": slow_spends,
    "prize": prizes,
    "grudge": grudges,
    "gambit": windows,
    "drift": lambda s: {do.Drift(s.fleet.player)},
    "storm": lambda s: {do.YieldToStorm(s.fleet.player)},
    "clear_ocean": lambda s: {do.ClearOcean(s.fleet.player)},
}


# What must come of it


def slow_shot(state: State, action) -> tuple:
    """Return what a shot must leave: the ships that survive and the shooter's doubloons."""
    cell, terrain = action.ship, dict(state.ocean.tiles)
    blocked = False
    for _ in range(action.die + getattr(action, "by", 0)):
        blocked = blocked or terrain.get(cell) == "volcano"
        cell = go(cell, action.direction)
    hit = [
        s
        for s in state.ships
        if s.cell == cell and owner(state, s.colour) != action.player and not blocked
    ]
    pays = sum(s.colour != "white" or state.options.marque for s in hit)
    if state.fleet.colour in state.memory.grudges:
        pays = 0
    if state.options.bank is not None:
        pays = min(pays, state.options.bank - sum(state.gold))
    return {(s.cell, s.colour) for s in state.ships if s not in hit}, state.gold[
        action.player
    ] + pays


def slow_drift(state: State) -> tuple:
    """Return the ships after the drift and the reef rolls that are due (AOW-80, AOW-81)."""
    way = (WAYS.index(state.options.wind) + 3) % 6
    terrain = dict(state.ocean.tiles)
    left, due = set(), []
    order = [fleet.colour for fleet in state.fleets] + ["white"]
    for cell, colour in sorted(ships(state), key=lambda s: (order.index(s[1]), s[0])):
        line = [go(cell, way, far) for far in range(1, state.stage.length + 1)]
        off = any(size(c) > state.options.radius for c in line)
        if not off and not any(terrain.get(c) in ("volcano", "desert") for c in line):
            left.add((line[-1], colour))
            due += [line[-1] for c in line if terrain.get(c) == "reef"]
    return left, tuple(due)


def slow_roll(state: State, phase: str, face: int) -> tuple:
    """Return what one die decides: a name for it, and the value it must leave."""
    stage = state.stage
    if phase == "wind":
        return "drifting", face
    if phase == "roll_again":
        return "dice", sorted([*state.sails, *state.cannons, face])
    if phase == "boarding" and stage.attack is None:
        return "attack", face
    if phase == "boarding":
        attack, defence = stage.attack + stage.attack_more, face + stage.defence_more
        return "winner", None if attack == defence else attack > defence
    if face > 1:
        return "afloat", True
    left = ships(state)
    if phase == "reef":
        left.remove((stage.mover.cell, stage.mover.colour))  # another of its fleet may lie there
        return "ships", sorted(left)
    return "ships", sorted(ship for ship in left if ship[0] != stage.due[0])


def rolled(after: State, what: str):
    """Return the value that `slow_roll` speaks of, as the state has it."""
    stage = after.stage.then if isinstance(after.stage, Window) else after.stage
    if what == "drifting":
        return stage.length
    if what == "dice":
        return sorted([*after.sails, *after.cannons])
    if what == "attack":
        return stage.attack
    if what == "winner":
        return getattr(stage, "boarder_won", None)
    return sorted(ships(after)) if what == "ships" else True


def slow_storm(state: State) -> set:
    return {(cell, colour) for cell, colour in ships(state) if size(cell) <= state.memory.storm}


def slow_turn(state: State) -> tuple:
    """Return the fleet after the one on turn, and the round it plays in (AOW-13, 32, 83)."""
    order = [*range(len(state.fleets))] * 2
    for place in order[state.turn + 1 :]:
        colour = state.fleets[place].colour
        may_return = state.options.grudge and colour not in state.memory.grudges
        if afloat(state, colour) or may_return:
            return place, state.round + (place <= state.turn)
    raise AssertionError("nobody has a turn")


def captains_left(state: State) -> set:
    return {
        owner(state, colour)
        for _, colour in ships(state)
        if colour != "white" and colour not in state.memory.grudges
    }


def due_of(state: State) -> tuple:
    stage = state.stage.then if isinstance(state.stage, Window) else state.stage
    return stage.due if isinstance(stage, Drifted) else ()


def is_a_new_turn(state: State) -> bool:
    return isinstance(state.stage, ChoosingDice) and state.stage.more == 0

"""The legal choices and moves against slow twins written straight from the rules.

The choices are weighed from the plain values of the deck's file and of the written state, the moves
by walking them millimetre by millimetre. ``QUARTERDECK_TWIN`` in the environment sets the number of
positions; 10,000 are compared before a release.
"""

import os
from dataclasses import replace
from itertools import cycle, pairwise, permutations
from math import atan2, cos, degrees, dist, hypot, radians, sin
from random import Random

from companion.rules.game import CHANCE
from companion.rules.layout import Pose
from companion.rules.pirates_csg import actions as a
from companion.rules.pirates_csg import harbour_actions as h
from companion.rules.pirates_csg.sailing import can_leave
from companion.rules.pirates_csg.state import State
from companion.rules.pirates_csg.terrain_data import TERRAIN_OUTLINE_MM
from tests.playing import asked_player
from tests.unit.rules.pirates_csg.shipyard import GAME, HOUSE, NAMES, lively
from tests.unit.rules.pirates_csg.wars import WARS

POSITIONS = int(os.environ.get("QUARTERDECK_TWIN", "300"))
SHIPS = {card["id"]: card for card in HOUSE["ship"]}
CREW = {card["id"]: card for card in HOUSE["crew"]}
FORTS = {card["id"]: card for card in HOUSE["fort"]}
MINOR = {n["id"] for n in HOUSE["nation"] if n.get("minor")}
HULLS = {hull["masts"]: hull["outline_mm"] for hull in HOUSE["hull"]}
MEASURED = (a.Move, a.ComeAbout, a.Place, a.LayOut)
S, L, TOLERANCE = 54, 86, 6
ACTIONS = ("move", "shoot", "explore", "repair")
BOUGHT = 3  # CSG-58: how a ship is written that acts from the next turn on


# What a ship is


def serves(ship, name, hired):
    """CSG-4, CSG-85: under her flag, under any, or under the flag of the nation that hires."""
    nation, flag = CREW[name]["nation"], SHIPS[ship.card]["nation"]
    names = [x if isinstance(x, str) else x["do"] for x in CREW[name]["abilities"]]
    if nation == flag or "any_nation" in names:
        return True
    if nation in MINOR:
        return hired and (flag not in MINOR or ship.hired > 0)
    return ship.hired > 0


def manned(ship):
    """Return the crew one by one, each with whether it serves; the hired of those alike first."""
    hired, found = list(ship.privateers), []
    for name in ship.crew:
        is_hired = name in hired
        if is_hired:
            hired.remove(name)
        found.append((name, serves(ship, name, is_hired)))
    return found


def able(ship):
    """Return what the card and those who serve aboard can do, with amounts summed."""
    card, found = SHIPS[ship.card], {}
    cards = [card]
    for name, works in manned(ship):
        if works:
            cards.append(CREW[name])
    for one in cards:
        for ability in one.get("abilities", []):
            data = {"do": ability} if isinstance(ability, str) else ability
            found[data["do"]] = found.get(data["do"], 0) + data.get("amount", 0)
    return found


def free_space(ship):
    crew = 0
    for name, works in manned(ship):
        crew += not ("oarsman" in CREW[name]["abilities"] and works)
    carried = len(ship.coins) + len(ship.treasures) + len(ship.upgrades) + sum(ship.tokens)
    return SHIPS[ship.card]["cargo"] - crew - carried


def fits(ship, resource):
    return min(free_space(ship), 4 - ship.tokens[resource])


def has_action(state, ship, what):
    """CSG-9: one action, a second by abilities; a captain shoots with a move, before or after."""
    if ship.barred:
        return False
    # CSG-84; whether there is a way off is a matter of moves, which are walked below.
    if ship.leave == 2 and what != "move" and can_leave(state, ship):
        if not has_action(state, replace(ship, done=(*ship.done, what)), "move"):
            return False
    given = actions_given(ship, [what])
    if len(given) == 2 and ship.extra:
        return ship.extra == "any" or all(ship.extra in action for action in given)
    return len(given) == 1


def actions_given(ship, more=()):
    """Return the actions given so far, each with what was done by it."""
    done = [[d] for d in (*ship.done, *more) if d in ACTIONS]
    while "captain" in able(ship) and ["move"] in done and ["shoot"] in done:
        done.remove(["move"])
        done.remove(["shoot"])
        done.append(["move", "shoot"])
    return done


# Where things are


def polygon(state, piece):
    """Return the corners of a ship or island on the board."""
    corners = HULLS[len(SHIPS[piece.card]["cannons"])] if hasattr(piece, "card") else None
    return outlined(piece.pose, corners or HOUSE["island"]["outline_mm"])


def outlined(pose, corners):
    turn = radians(pose.heading_deg)
    return [
        (
            pose.x_mm + x * cos(turn) - y * sin(turn),
            pose.y_mm + x * sin(turn) + y * cos(turn),
        )
        for x, y in corners
    ]


def inside(p, corners):
    odd, last = False, corners[-1]
    for corner in corners:
        (x0, y0), (x1, y1) = last, corner
        if (y0 > p[1]) != (y1 > p[1]) and p[0] < x0 + (x1 - x0) * (p[1] - y0) / (y1 - y0):
            odd = not odd
        last = corner
    return odd


def to_segment(p, q, r):
    length2 = (r[0] - q[0]) ** 2 + (r[1] - q[1]) ** 2
    part = ((p[0] - q[0]) * (r[0] - q[0]) + (p[1] - q[1]) * (r[1] - q[1])) / length2
    part = min(1, max(0, part))
    return dist(p, (q[0] + part * (r[0] - q[0]), q[1] + part * (r[1] - q[1])))


def rim_distance(p, corners):
    return min(to_segment(p, q, r) for q, r in zip(corners, corners[1:] + corners[:1], strict=True))


def apart(first, second):
    """Return the distance between two outlines, 0 where they overlap."""
    if any(inside(p, second) for p in first) or any(inside(p, first) for p in second):
        return 0.0
    sides = [list(zip(c, c[1:] + c[:1], strict=True)) for c in (first, second)]
    if any(cross(*one, *other) for one in sides[0] for other in sides[1]):
        return 0.0
    return min(*(rim_distance(p, second) for p in first), *(rim_distance(p, first) for p in second))


def cross(p, q, r, s):
    def side(u, v, w):
        return (v[0] - u[0]) * (w[1] - u[1]) - (v[1] - u[1]) * (w[0] - u[0])

    return side(p, q, r) * side(p, q, s) < 0 and side(r, s, p) * side(r, s, q) < 0


def touch(state, one, other):
    if getattr(one, "lost_in", 0) or getattr(other, "lost_in", 0):
        return False
    if dist((one.pose.x_mm, one.pose.y_mm), (other.pose.x_mm, other.pose.y_mm)) > 200:
        return False
    return apart(polygon(state, one), polygon(state, other)) <= TOLERANCE


def bow_touches(state, ship, other):
    if ship.lost_in or other.lost_in:
        return False
    corners = HULLS[len(SHIPS[ship.card]["cannons"])]
    tip = polygon(state, ship)[max(range(len(corners)), key=lambda k: corners[k][0])]
    hull = polygon(state, other)
    return inside(tip, hull) or rim_distance(tip, hull) <= TOLERANCE + 0.1


# What a captain may do in a turn


def turn(state, player):
    island = {i.tag: i for i in state.islands}
    own = [s for s in state.ships if s.owner == player]
    found = {a.EndTurn(player)}
    if any(s.leave == 2 for s in own) and not GAME.check(state, a.EndTurn(player)):
        found = set()
    found |= conversions(state, player) | purchases(state, player)
    for ship in own:
        port = island.get(ship.docked)
        for part in (exploring, shooting, fighting, mending, cargo, building, special):
            found |= part(state, player, ship, port)
    for fort in state.islands:
        if fort.owner == player and fort.guns and not fort.has_fired:
            found |= shots(state, player, fort, None)
    return found


def conversions(state, player):
    stock = state.islands[player].stock
    return {h.Convert(player, r, n) for r in range(6) for n in range(1, stock[r] + 1)}


def blockaded(state, port):
    return any(s.blockade == port.tag for s in state.ships)


def used(state):
    cards = set(state.gone)
    for s in state.ships:
        cards |= {s.card, *s.crew, *(u[5:] for u in s.upgrades)}
    for i in state.islands:
        cards |= {i.fort, *(u[5:] for u, _ in i.arriving)}
    return cards


def purchases(state, player):
    """CSG-58, CSG-85: ships at home and in colonies; privateers in trading ports."""
    found, gold, gone = set(), state.seats[player].gold, used(state)
    own = [s for s in state.ships if s.owner == player]
    places = [state.islands[player]]
    places += [
        i for i in state.islands if i.owner == player and i.building in ("trading", "military")
    ]
    for place in places:
        for name, card in SHIPS.items():
            if card["cost"] > gold or name in gone or not nation_fits(state, own, card):
                continue
            if place.building == "trading":
                if card["nation"] not in MINOR or not hirers(own) or blockaded(state, place):
                    continue
            found.add(h.BuyShip(player, name, place.tag))
    return found


def hirers(own):
    """CSG-85: major nations hire privateers, ships and crew."""
    return any(SHIPS[s.card]["nation"] not in MINOR for s in own if not s.hired)


def nation_fits(state, own, card):
    if state.options.nations == "mixed" or card["nation"] in MINOR:
        return True
    bought = [s for s in own if not s.is_prize]
    nations = {SHIPS[s.card]["nation"] for s in bought}
    nations |= {CREW[c]["nation"] for s in bought for c in s.crew}
    return nations - MINOR <= {card["nation"]}


def exploring(state, player, ship, port):
    found = landing(state, player, ship, port)
    if not has_action(state, ship, "explore"):
        return found
    for other in state.ships:
        if other.tag != ship.tag and not other.masts and touch(state, ship, other):
            found.add(a.Explore(player, ship.tag, other.tag))
    found |= ashore(state, player, ship, port)
    if ship.blockade and any(port.stock):
        found.add(h.DiscardStock(player, ship.tag))
    return found


def landing(state, player, ship, port):
    """CSG-5: an explorer explores where she has docked, with the same action, once."""
    just = "docked" in ship.done and "move" in ship.done and not ship.barred
    if just and "explorer" in able(ship) and state.options.explorer_keeps_base:
        return ashore(state, player, ship, port)
    return set()


def ashore(state, player, ship, port):
    if port and port.home < 0 and port.building != "fort":
        closed = blockaded(state, port)
        if (closed and ship.blockade) or (not closed and port.owner in (-1, player)):
            return {a.Explore(player, ship.tag, port.tag)}
    return set()


def shooting(state, player, ship, port):
    if ship.lost_in or not has_action(state, ship, "shoot"):
        return set()
    return shots(state, player, ship, None)


def guns(state, shooter):
    """Return rank and reach of each gun by number, and whether ranges are doubled."""
    if not hasattr(shooter, "card"):
        printed = FORTS[shooter.fort]["cannons"] if shooter.fort else ["3S"] * 4
        return {g: printed[g] for g in shooter.guns}, False
    printed = SHIPS[shooter.card]["cannons"]
    found = {m: printed[m] for m in shooter.masts}
    abilities = able(shooter)
    serving = [name for name, works in manned(shooter) if works]
    muskets = sum("musketeer" in CREW[name]["abilities"] for name in serving)
    found |= {len(printed) + k: "3S" for k in range(muskets)}
    return found, "gunboat" in abilities


def shots(state, player, shooter, left):
    found = set()
    cannons, doubled = guns(state, shooter)
    foes = [s for s in state.ships if s.owner != player and not s.lost_in]
    foes += [
        i
        for i in state.islands
        if i.building in ("fort", "settlement", "military") and i.owner != player
    ]
    hull = polygon(state, shooter)
    for foe in foes:
        if dist((shooter.pose.x_mm, shooter.pose.y_mm), (foe.pose.x_mm, foe.pose.y_mm)) > 400:
            continue
        away = apart(hull, polygon(state, foe))
        for number, gun in cannons.items():
            if left is not None and number not in left:
                continue
            is_mast = not hasattr(shooter, "card") or number < len(SHIPS[shooter.card]["cannons"])
            reach = (S if gun[1] == "S" else L) * (2 if doubled and is_mast else 1)
            if away > reach + TOLERANCE:
                continue
            if gun[1] == "L" and hasattr(foe, "card") and "no_long" in able(foe):
                continue
            if clear(state, shooter, foe, reach):
                found.add(a.Shoot(player, shooter.tag, number, foe.tag))
    return found


def clear(state, shooter, foe, reach):
    """CSG-17: some line between the two within reach runs through nothing by more than 6 mm."""
    over = hasattr(shooter, "card") and "over_ships" in able(shooter)
    others = [i for i in state.islands if i.tag not in (shooter.tag, foe.tag)]
    if not over:
        others += [s for s in state.ships if s.tag not in (shooter.tag, foe.tag) and not s.lost_in]
    first, second = polygon(state, shooter), polygon(state, foe)
    patches = [outlined(t.pose, TERRAIN_OUTLINE_MM) for t in state.terrain]
    # What the shooter or the target lies in hides neither.
    patches = [p for p in patches if apart(p, first) > 0 and apart(p, second) > 0]
    blockers = [*(polygon(state, other) for other in others), *patches]
    lines = [nearest_line(first, second)]
    lines += [(p, q) for p in rim(first) for q in rim(second) if dist(p, q) <= reach]
    return any(not any(runs_through(p, q, b) for b in blockers) for p, q in lines)


def rim(corners):
    found = []
    for p, q in zip(corners, corners[1:] + corners[:1], strict=True):
        found += [(p[0] + (q[0] - p[0]) * k / 3, p[1] + (q[1] - p[1]) * k / 3) for k in range(3)]
    return found


def nearest_line(first, second):
    best = None
    for one, other, flip in ((first, second, False), (second, first, True)):
        for p in one:
            for q, r in zip(other, other[1:] + other[:1], strict=True):
                length2 = dist(q, r) ** 2
                part = ((p[0] - q[0]) * (r[0] - q[0]) + (p[1] - q[1]) * (r[1] - q[1])) / length2
                part = min(1, max(0, part))
                near = (q[0] + part * (r[0] - q[0]), q[1] + part * (r[1] - q[1]))
                if best is None or dist(p, near) < best[0]:
                    best = dist(p, near), (near, p) if flip else (p, near)
    return best[1]


def runs_through(p, q, corners):
    """Say whether a line lies deeper than the tolerance in an outline somewhere."""
    middle = (sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners))
    if (to_segment(middle, p, q) if p != q else dist(p, middle)) > 60:
        return False
    count = max(2, int(dist(p, q) * 2))
    for k in range(count + 1):
        at = (p[0] + (q[0] - p[0]) * k / count, p[1] + (q[1] - p[1]) * k / count)
        if inside(at, corners) and rim_distance(at, corners) > TOLERANCE:
            return True
    return False


def fighting(state, player, ship, port):
    found = set()
    if ship.barred == BOUGHT:
        return found
    for foe in state.ships:
        if foe.owner == player:
            continue
        fresh = "ram" not in ship.done and "board" not in ship.done and "move" in ship.done
        rams = fresh and ship.masts and foe.masts and state.options.ramming != "off"
        if rams and bow_touches(state, ship, foe):
            found.add(a.Ram(player, ship.tag, foe.tag))
        if ship.masts and "board" not in ship.done and touch(state, ship, foe):
            found.add(a.Board(player, ship.tag, foe.tag))
    towns = ("settlement", "trading", "military")
    if port and port.building in towns and port.owner != player:
        if ship.masts and "board" not in ship.done:
            found.add(a.Board(player, ship.tag, port.tag))
    return found


def mending(state, player, ship, port):
    found = set()
    lost = set(range(len(SHIPS[ship.card]["cannons"]))) - set(ship.masts)
    home = port is not None and port.home == player
    yard = port is not None and port.building == "military" and port.owner == player
    wild = port is not None and port.home < 0 and ship.tokens[0] and ship.tokens[1]
    if has_action(state, ship, "repair") and not ship.lost_in:
        if home or yard or wild or "shipwright" in able(ship):
            found |= {a.Repair(player, ship.tag, mast) for mast in lost}
    if not ship.masts and has_action(state, ship, "repair") and not ship.lost_in:
        found.add(a.Scuttle(player, ship.tag))
    towed = {s.towing for s in state.ships}
    if ship.towing:
        found.add(a.CastOff(player, ship.tag))
    elif ship.masts:
        for wreck in state.ships:
            if not wreck.masts and wreck.tag not in towed and touch(state, ship, wreck):
                found.add(a.Tow(player, ship.tag, wreck.tag))
    if ship.lost_in and has_action(state, ship, "move"):
        found.add(a.LeaveFog(player, ship.tag))
    return found


def cargo(state, player, ship, port):
    if port is None:
        return set()
    found, abilities, tag = set(), able(ship), ship.tag
    mine = port.home == player or (port.building and port.owner == player)
    raids = port.home not in (-1, player) and "raider" in abilities
    shut = port.building == "trading" and blockaded(state, port)
    for r in range(6):
        if (mine or (raids and ship.masts)) and not shut:
            most = min(port.stock[r], fits(ship, r))
            found |= {h.Load(player, tag, r, n) for n in range(1, most + 1)}
        if port.home == player or (port.building == "fort" and port.owner == player):
            found |= {h.Unload(player, tag, r, n) for n in range(1, ship.tokens[r] + 1)}
    found |= coins_and_flags(state, player, ship, port, mine and not shut)
    if port.building == "trading" and not shut:
        found |= trades(player, ship, port.owner == player or "parley" in abilities)
    return found


def coins_and_flags(state, player, ship, port, mine):
    """CSG-28, CSG-56, CSG-81, CSG-84: gold in and out, raids, blockades."""
    found, abilities, tag = set(), able(ship), ship.tag
    own_fort = port.building == "fort" and port.owner == player
    if (port.home == player and (ship.coins or ship.treasures)) or (own_fort and ship.coins):
        found.add(h.UnloadGold(player, tag))
    if mine and free_space(ship) > 0:
        found |= {h.LoadGold(player, tag, coin) for coin in port.coins}
    if port.building == "trading" and port.owner != player and ship.masts and not ship.blockade:
        found.add(h.DeclareBlockade(player, tag))
    rich = port.home not in (-1, player) and state.seats[port.home].gold > 0
    if rich and "raider" in abilities and ship.leave == 1 and "raid" not in ship.done:
        if ship.masts and free_space(ship) > 0:
            found.add(h.RaidGold(player, tag))
    return found


def trades(player, ship, is_free):
    found = set()
    for first in range(6):
        for second in range(first, 6):
            for fee in [()] if is_free else [(r,) for r in range(6)]:
                left = list(ship.tokens)
                for r in (first, second, *fee):
                    left[r] -= 1
                if min(left) < 0:
                    continue
                gets = (g for g in range(6) if g not in (first, second) and left[g] < 4)
                found |= {h.Trade(player, ship.tag, (first, second, *fee), g) for g in gets}
    return found


def building(state, player, ship, port):
    """CSG-58 to CSG-64: crew, upgrade tokens and where they are unloaded."""
    if port is None:
        return set()
    found, gold, gone = crewing(state, player, ship, port), state.seats[player].gold, used(state)
    if port.home == player and free_space(ship) > 0:
        if gold >= 10:
            kinds = ("settlement", "trading", "military")
            found |= {h.BuyUpgrade(player, ship.tag, kind) for kind in kinds}
        forts = [n for n, fort in FORTS.items() if fort["cost"] <= gold and n not in gone]
        found |= {h.BuyUpgrade(player, ship.tag, f"fort:{name}") for name in forts}
    waits = any(seat == player for _, seat in port.arriving)
    if port.home < 0 and player in port.camps and not waits:
        for token in set(ship.upgrades):
            needs = "settlement" if token in ("trading", "military") else ""
            if port.building == needs and port.owner in (-1, player):
                found.add(h.Deliver(player, ship.tag, token))
    return found


def crewing(state, player, ship, port):
    found, gold, gone = set(), state.seats[player].gold, used(state)
    sells = port.home == player or (
        port.owner == player and port.building in ("fort", "military", "trading")
    )
    if sells and not (port.building == "trading" and blockaded(state, port)):
        own = [s for s in state.ships if s.owner == player]
        for name, card in CREW.items():
            if port.building == "trading" and (card["nation"] not in MINOR or not hirers(own)):
                continue
            if hires(state, own, ship, name, card, gold, gone, port.building == "trading"):
                found.add(h.Hire(player, ship.tag, name))
    return found


def hires(state, own, ship, name, card, gold, gone, hired=False):
    if card["cost"] > gold or (not card.get("generic") and name in gone):
        return False
    if not nation_fits(state, own, card):
        return False
    total = card["cost"] + sum(CREW[c]["cost"] for c in ship.crew)
    oars = "oarsman" in card["abilities"] and serves(ship, name, hired)
    return total <= SHIPS[ship.card]["cost"] and (oars or free_space(ship) > 0)


def special(state, player, ship, port):
    found, abilities = set(), able(ship)
    if "unexplore" in abilities and "unmark" not in ship.done and not ship.lost_in:
        for isle in state.islands:
            if isle.home >= 0 or isle.building:
                continue
            if apart(polygon(state, ship), polygon(state, isle)) > S + TOLERANCE:
                continue
            if set(isle.camps) - {player}:
                found.add(a.Unmark(player, ship.tag, isle.tag, False))
            if isle.resource >= 0:
                found.add(a.Unmark(player, ship.tag, isle.tag, True))
    again = "same_again" in abilities and len(actions_given(ship)) == 1
    if not ship.barred and "extra" not in ship.done and ("extra_action" in abilities or again):
        found.add(a.TryExtra(player, ship.tag))
    return found


# The other decisions


def ship_at(state, tag):
    return next((s for s in state.ships if s.tag == tag), None)


def fire(state, player):
    stage = state.stage
    shooter = ship_at(state, stage.ship) or next(i for i in state.islands if i.tag == stage.ship)
    return {a.CeaseFire(player)} | shots(state, player, shooter, stage.left)


def lose_mast(state, player):
    ship = ship_at(state, state.stage.ship)
    cannons, kinds = SHIPS[ship.card]["cannons"], {}
    for mast in ship.masts:
        kinds.setdefault(cannons[mast], mast)
    return {a.LoseMast(player, ship.tag, mast) for mast in kinds.values()}


def loot(state, player):
    stage, found = state.stage, {a.TakeNoMore(player)}
    winner, loser = ship_at(state, stage.winner), ship_at(state, stage.loser)
    if stage.prize:
        found |= {a.KillCrew(player, c) for c in loser.crew}
        if free_space(winner) > 0:
            found |= {a.TakeCoin(player, c) for c in loser.coins}
            found |= {a.TakeTreasure(player, t) for t in loser.treasures}
    for r in range(6):
        most = min(stage.tokens, loser.tokens[r], fits(winner, r))
        found |= {a.TakeToken(player, r, n) for n in range(1, most + 1)}
    return found


def load(state, player):
    stage, found = state.stage, {a.TakeNoMore(player)}
    ship, wreck = ship_at(state, stage.ship), ship_at(state, stage.source)
    if wreck:
        coins, treasures, there = wreck.coins, wreck.treasures, dict(enumerate(wreck.tokens))
    else:
        isle = next(i for i in state.islands if i.tag == stage.source)
        # CSG-28, CSG-81: the stock of ruins, and of a port for its blockader.
        open_ = not isle.building or ship.blockade == isle.tag
        there = dict(enumerate(isle.stock)) if open_ else {}
        coins, treasures = isle.coins, ()
        there[isle.resource] = stage.yield_left
    if free_space(ship) > 0:
        found |= {a.TakeCoin(player, c) for c in coins}
        found |= {a.TakeTreasure(player, t) for t in treasures}
    for r, count in there.items():
        most = min(count, fits(ship, r))
        found |= {a.TakeToken(player, r, n) for n in range(1, most + 1)}
    return found


def default(state, player):
    home = state.islands[player].tag
    away = [s for s in state.ships if s.owner == player and s.docked != home]
    if state.options.upkeep_default == "scuttle":
        return {a.Scuttle(player, s.tag) for s in away}
    return {a.Idle(player, s.tag) for s in away if s.barred in (0, BOUGHT)}


def pick_fleet(state, player):
    taken = {s.card for s in state.ships}
    return {a.PickFleet(player, f["id"]) for f in HOUSE["fleet"] if not taken & {*f["ships"]}}


def build(state, player):
    own = [s for s in state.ships if s.owner == player]
    gold, gone = state.seats[player].gold, used(state)
    found = purchases(state, player)
    for ship in own:
        for name, card in CREW.items():
            if hires(state, own, ship, name, card, gold, gone):
                found.add(h.Hire(player, ship.tag, name))
    return found | ({a.DoneBuying(player)} if own else set())


def both(state, player):
    return {a.RollAgain(player), a.Keep(player)}


TWINS = {
    "turn": turn,
    "fire": fire,
    "fire_again": both,
    "keep_resource": both,
    "lose_mast": lose_mast,
    "loot": loot,
    "load": load,
    "default": default,
    "pick_fleet": pick_fleet,
    "build": build,
}


def positions(count, seed):
    """Yield positions in which somebody chooses, of wars and of whole games."""
    random = Random(seed)
    openings = cycle(({"fleets": "choose"}, {"fleets": "build"}, {"upkeep_default": "scuttle"}))
    wars = cycle([*sorted(WARS), "battle"])
    while count:
        if random.random() < 0.7:
            state = WARS[next(wars)]().state
        else:
            state = GAME.setup(NAMES[:2], {"island_gold": 2, **next(openings)})
        for _ in range(25):
            asked = asked_player(GAME, state)
            if asked is None or not count:
                break
            choices = GAME.legal_actions(state, asked)
            if asked != CHANCE and random.random() < 0.5:
                count -= 1
                yield state, choices
            state = GAME.apply(state, lively(random, state, choices)).state


def test_legal_choices_agree_with_the_slow_twin():
    """CSG-4 to CSG-85: every decision that can be listed; berths are told apart below."""
    met = set()
    for state, choices in positions(POSITIONS, seed=10):
        pending = GAME.pending(state)
        if pending.phase not in TWINS:
            continue
        met.add(pending.phase)
        listed = {action for action in choices if not isinstance(action, MEASURED)}
        expected = TWINS[pending.phase](state, pending.player)
        crowded = {b for b in expected - listed if isinstance(b, h.BuyShip) and no_room(state, b)}
        assert listed == expected - crowded, GAME.to_json(state)
    assert met == set(TWINS)


def dips_mm(hull, other):
    """Return how deep corners or middles of sides of one outline lie in the other."""
    found = 0.0
    for one, two in ((hull, other), (other, hull)):
        middles = [((x + u) / 2, (y + v) / 2) for (x, y), (u, v) in pairwise([*one, one[0]])]
        found = max(found, *(rim_distance(p, two) for p in (*one, *middles) if inside(p, two)), 0)
    return found


def test_no_manoeuvre_on_offer_ends_in_another_piece():
    """CSG-11: the tolerance is for what is measured; nobody is told to use it up."""
    seen = 0
    for state, choices in positions(POSITIONS // 3, seed=5):
        for action in choices:
            if isinstance(action, a.Move | a.ComeAbout):
                ship = next(s for s in state.ships if s.tag == action.ship)
                hull = polygon(state, replace(ship, pose=action.pose))
                afloat = [s for s in state.ships if s.tag not in (ship.tag, ship.towing)]
                for other in (*state.islands, *(s for s in afloat if not s.lost_in)):
                    if dist(center(other), (action.pose.x_mm, action.pose.y_mm)) < 200:
                        seen += 1
                        assert dips_mm(hull, polygon(state, other)) < 0.6, (action, other)
    assert seen > POSITIONS


def center(piece):
    return piece.pose.x_mm, piece.pose.y_mm


def no_room(state: State, bought) -> bool:
    """Say whether a ship is refused for want of a berth, which the twin does not look for."""
    ruling = GAME.check(state, bought)
    return not ruling.legal and "no room" in ruling.reason


# Moves


def walked(state, ship, move):
    """Return whether a move is legal: True, False, or None where a hair decides."""
    path = [(ship.pose.x_mm, ship.pose.y_mm), *move.corners, (move.pose.x_mm, move.pose.y_mm)]
    legs = [dist(p, q) for p, q in pairwise(path)]
    dx, dy = path[-1][0] - path[-2][0], path[-1][1] - path[-2][1]
    off = abs((degrees(atan2(dy, dx)) - move.pose.heading_deg + 180) % 360 - 180)
    if abs(legs[-1] - 12) < 0.2 or (legs[-1] > 12 and abs(off - 20) < 0.5):
        return None
    if legs[-1] > 12 and off > 20:
        legs.append(0.0)
    verdicts = [template(state, ship, legs), water(state, ship, move, path)]
    if False in verdicts:
        return False
    return None if None in verdicts else True


def template(state, ship, legs):
    """CSG-11: lay the segments end to end in every order, cut between the legs anywhere."""
    sides = [S if side == "S" else L for side in sides_of(ship)]
    best = None
    for order in set(permutations(sides)):
        for cuts in cut_up(len(order), len(legs)):
            over, at = 0.0, 0
            for leg, count in zip(legs, cuts, strict=True):
                over += max(0.0, leg - sum(order[at : at + count]))
                at += count
            best = over if best is None else min(best, over)
    if best is None:
        return False
    return None if abs(best - TOLERANCE) < 0.05 else best < TOLERANCE


def cut_up(total, parts):
    """Yield the ways to share so many segments among legs, one each at least."""
    if parts == 1:
        yield (total,) if total else ()
        return
    for first in range(1, total - parts + 2):
        for rest in cut_up(total - first, parts - 1):
            yield (first, *rest)


def sides_of(ship):
    card, abilities = SHIPS[ship.card], able(ship)
    if not ship.masts:
        return ["S"] if {"oarsman", "steamship"} & set(abilities) else []
    if ship.is_mired or ship.towing:
        return ["S"]
    sides = card["move"].split("+")
    if "gunboat" in abilities:
        return sides
    laden = ship.coins or ship.treasures or sum(ship.tokens)
    whole = len(ship.masts) == len(card["cannons"])
    extra = ("helmsman" in abilities) + bool("clipper" in abilities and laden)
    return sides + ["S"] * (extra + ("steamship" in abilities and whole))


def water(state, ship, move, path):
    """CSG-11: walk the way and look how near everything comes; then at the hull where it ends."""
    hull = HULLS[len(SHIPS[ship.card]["cannons"])]
    beam = max(y for _, y in hull)
    verdict = True
    others = [polygon(state, i) for i in state.islands]
    others += [polygon(state, s) for s in state.ships if s.tag != ship.tag and not s.lost_in]
    walk = [
        (p[0] + (q[0] - p[0]) * k / 200, p[1] + (q[1] - p[1]) * k / 200)
        for p, q in pairwise(path)
        for k in range(201)
    ]
    for other in others:
        if min(dist(at, other[0]) for at in path) > 350:
            continue
        near = min(
            -rim_distance(at, other) if inside(at, other) else rim_distance(at, other)
            for at in walk
        )
        if abs(near - (beam - TOLERANCE)) < 1.0:
            verdict = None
        elif near < beam - TOLERANCE:
            return False
        deep = sunk_in(hull, move.pose, other)
        if abs(deep - TOLERANCE) < 0.6:
            verdict = None
        elif deep > TOLERANCE:
            return False
    tip = max(hull)
    turned = radians(move.pose.heading_deg)
    bow = (move.pose.x_mm + tip[0] * cos(turned), move.pose.y_mm + tip[0] * sin(turned))
    for x, y in ((move.pose.x_mm, move.pose.y_mm), bow):
        edge = min(x, y, 1300 - x, 900 - y)
        if abs(edge + TOLERANCE) < 0.2:
            return None
        if edge < -TOLERANCE:
            return False
    return verdict


def sunk_in(hull, pose, other):
    """Return how far a hull must be pushed to be free of an outline, tried in all directions."""
    turned = radians(pose.heading_deg)
    here = [
        (
            pose.x_mm + x * cos(turned) - y * sin(turned),
            pose.y_mm + x * sin(turned) + y * cos(turned),
        )
        for x, y in hull
    ]
    if apart(here, other) > 0:
        return 0.0
    best = 1000.0
    for corners in (here, other):
        for p, q in zip(corners, corners[1:] + corners[:1], strict=True):
            length = hypot(q[0] - p[0], q[1] - p[1])
            nx, ny = (q[1] - p[1]) / length, (p[0] - q[0]) / length
            one = [nx * x + ny * y for x, y in here]
            two = [nx * x + ny * y for x, y in other]
            best = min(best, max(one) - min(two), max(two) - min(one))
    return best


def test_moves_agree_with_a_walk_along_them():
    """CSG-11, CSG-12: random moves, straight and with a corner, in the middle of things."""
    random = Random(11)
    counts = {True: 0, False: 0}
    for _ in range(max(POSITIONS // 2, 120)):
        state = WARS[random.choice(["battle", "ports", "siege"])]().state
        # With a tow a move has to say where that lies; that is tested with the towing.
        own = [s for s in state.ships if s.owner == state.turn and s.masts and not s.towing]
        ship = random.choice(own)
        start = (ship.pose.x_mm, ship.pose.y_mm)
        heading = random.uniform(0, 360)
        corners = ()
        if random.random() < 0.5:
            mm, way = random.uniform(20, 100), random.uniform(0, 360)
            corners = (
                (
                    round(start[0] + mm * cos(radians(way)), 1),
                    round(start[1] + mm * sin(radians(way)), 1),
                ),
            )
        last, mm = (corners or (start,))[-1], random.uniform(5, 100)
        turned = radians(heading)
        pose = Pose(
            last[0] + mm * cos(turned),
            last[1] + mm * sin(turned),
            heading + random.choice([0, 0, 5, -15, 40]),
        ).rounded()
        move = a.Move(state.player, ship.tag, corners, pose)
        expected = walked(state, ship, move)
        if expected is None:
            continue
        ruling = GAME.check(state, move)
        assert ruling.legal == expected, (move, ruling)
        counts[expected] += 1
    assert min(counts.values()) > 15


def test_what_is_measured_is_legal_and_found():
    """CSG-11: a ship that was moved legally is recognised by a legal move that ends there."""
    random = Random(3)
    found = tried = 0
    for state, choices in positions(max(POSITIONS // 4, 60), seed=9):
        moves = [c for c in choices if isinstance(c, a.Move | a.ComeAbout)]
        if GAME.pending(state).phase != "turn" or not moves:
            continue
        move = random.choice(moves)
        if move.__class__ is a.Move and move.tow is not None:
            continue
        ship = ship_at(state, move.ship)
        jitter = Pose(
            move.pose.x_mm + random.gauss(0, 0.7),
            move.pose.y_mm + random.gauss(0, 0.7),
            move.pose.heading_deg + random.gauss(0, 1),
        )
        away = dist((ship.pose.x_mm, ship.pose.y_mm), (jitter.x_mm, jitter.y_mm))
        if away < 8:
            continue
        tried += 1
        for measured in GAME.measured(state, {move.ship: jitter}):
            assert GAME.check(state, measured)
            assert measured.pose == jitter.rounded()
            found += 1
    assert found >= 0.97 * tried > 15

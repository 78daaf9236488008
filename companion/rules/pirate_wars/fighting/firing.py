"""Throwing for what was declared, and what takes effect at the end of the phase (PWR-70 to 77)."""

from __future__ import annotations

from companion.rules.deeds import Odds, Roll, rolls_of
from companion.rules.dice import D6
from companion.rules.game import ChanceRoll, Happening, Ruling, Step
from companion.rules.phases import Chance, stage_of
from companion.rules.pirate_wars.built.weapons import ALWAYS_FAILS, successes
from companion.rules.pirate_wars.crew import has_role, of
from companion.rules.pirate_wars.dice import (
    MOST_DICE,
    RollOneDie,
    faces_of,
    good_faces,
    kinds,
    pool,
    refuse_dice,
)
from companion.rules.pirate_wars.fighting.gunnery import (
    BALL,
    CREW_OF_CANNON,
    DOORS,
    SHOT,
    gun_station,
    is_cannon,
)
from companion.rules.pirate_wars.fighting.losses import (
    ROWS,
    exposed,
    owing,
    remove,
    strike,
    wounding,
)
from companion.rules.pirate_wars.fighting.native_melee import are_bones, falls_in_order
from companion.rules.pirate_wars.fighting.soft_targets import (
    CANNON_HITS,
    breaks_cannon,
    land_elsewhere,
)
from companion.rules.pirate_wars.pieces import ON_THE_TABLE, WRECKED, with_gun
from companion.rules.pirate_wars.stages import Firing, RollingCritical, Volley
from companion.rules.pirate_wars.state import Due, Hit, State, design_of, with_ship
from companion.rules.pirate_wars.words import Told, ship_name, standing, verb_of, who
from companion.rules.words import capital, counted

BURSTS = {"burst": "PWR-73", "near": "PWR-74"}
"""Why a cannon is lost by its own fire: three sixes, or a target that is too near."""


class ThrowVolleys(Chance[State, Roll]):
    """The side on turn throws, attack by attack in the declared order."""

    name, rule, takes = "fire", "PWR-3", (Roll,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask for the dice of the first attack."""
        volley = _first(state)
        dice = thrown(volley)
        text = (
            f"{who(state, state.player)}: throw {counted(dice, 'd6', 'd6')} for"
            f" {attack_named(state, volley)}; {volley.target} or less hits{_and_so(volley)}"
        )
        return ChanceRoll(state.player, self.name, text, kinds(dice))

    def odds(self, state: State) -> Odds:
        """Return every throw of a cannon; for small arms one throw for each number of hits."""
        volley = _first(state)
        if volley.attack.weapon in (BALL, SHOT):
            return rolls_of(D6, volley.dice)
        return pool(thrown(volley), good_faces(volley.target))

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """Refuse anything but the dice of the first attack."""
        return refuse_dice(action, thrown(_first(state)), "PWR-1")

    def play(self, state: State, action: Roll) -> Step[State]:
        """Note the hits; they take effect at the end of the phase (PWR-36)."""
        volley, rest = _first(state), stage_of(state, Firing).volleys[1:]
        faces = faces_of(action)
        hits = successes(faces, volley.target)
        if volley.attack.weapon in (BALL, SHOT):
            return _cannon(state, volley, faces, hits, rest)
        attack, left = volley.attack, volley.dice - len(faces)
        if left:
            rest = (volley._replace(dice=left), *rest)
        if hits:
            hit = Hit(attack.target, "figures", hits, attack.station)
            state = state._replace(hits=(*state.hits, hit))
        told = (Happening(f"{counted(hits, 'hit', 'hits')} of {len(faces)}", "PWR-75"),)
        return Step(state._replace(stage=Firing(rest)), told)


def _first(state: State) -> Volley:
    return stage_of(state, Firing).volleys[0]


def _and_so(volley: Volley) -> str:
    """Say what was measured of an attack besides its range, before anybody throws for it."""
    twice = ", and twice: a rake" if volley.rake and volley.attack.weapon == SHOT else ""
    return twice + (", but it is too near: the cannon bursts" if volley.near else "")


def thrown(volley: Volley) -> int:
    """Return how many dice of an attack are thrown at once."""
    return min(volley.dice, MOST_DICE)


def attack_named(state: State, volley: Volley) -> str:
    """Name an attack: who fires what at whom."""
    attack = volley.attack
    weapon = state.options.charts.weapons[attack.weapon]
    target = ship_name(state, attack.target)
    if attack.gun >= 0 and is_cannon(state, attack.ship, attack.gun):
        side = state.ships[attack.ship].guns[attack.gun].side
        ammo = "ball" if attack.weapon == BALL else "shot"
        return f"cannon {attack.gun + 1} ({side}, {ammo}) at {target}"
    where = standing(state, attack.target, attack.station)
    return f"the {weapon.title}s at figures {where} of {target}"


def _cannon(
    state: State, volley: Volley, faces: tuple[int, ...], hits: int, rest: tuple[Volley, ...]
) -> Step[State]:
    """Note what one cannon did: rows, a critical hit, its own end (PWR-70 to PWR-74)."""
    attack = volley.attack
    what = "ball" if attack.weapon == BALL else "shot"
    count = hits * 2 if volley.rake and what == "shot" else hits
    name, target = ship_name(state, attack.ship), ship_name(state, attack.target)
    text = f"{counted(count, 'hit', 'hits')} with {what} on {target}"
    told: Told = (Happening(text, "PWR-71" if count > hits else "PWR-70"),)
    found: list[Hit] = []
    if attack.station == DOORS:
        told = (Happening(f"{counted(hits, 'hit', 'hits')} on the doors", "PWR-121"),)
        found.append(Hit(attack.target, DOORS, hits))
    elif count:
        found.append(Hit(attack.target, what, count))
    if count and volley.near:
        # As much as the target receives, doors too (PWR-74).
        found.append(Hit(attack.ship, what, count))
    burst = all(face == ALWAYS_FAILS for face in faces)
    if burst or volley.near:
        rule = "PWR-73" if burst else "PWR-74"
        found.append(Hit(attack.ship, "burst" if burst else "near", attack.gun))
        told = (*told, Happening(f"Cannon {attack.gun + 1} of {name} bursts", rule))
    if volley.rake and hits:
        raked = state.ships[attack.target]._replace(raked=True)
        state = with_ship(state, attack.target, raked)
    state = state._replace(hits=(*state.hits, *found))
    if what == "ball" and hits == volley.dice and _is_ship(state, attack.target):
        near = attack.ship if volley.near else -1
        return Step(state._replace(stage=RollingCritical(attack.target, near, rest)), told)
    return Step(state._replace(stage=Firing(rest)), told)


def _is_ship(state: State, number: int) -> bool:
    """Tell whether critical hits do anything to a piece: not to stone, which cannot sink (PWR-119).

    So a fortress that fires from too near bears its share of the balls only.
    """
    return number >= 0 and design_of(state, number).kind == "ship"


class RollCritical(RollOneDie[State]):
    """One die more says what the critical hit has done (PWR-72, PWR-77)."""

    name, rule = "critical_hit", "PWR-72"

    def pending(self, state: State) -> ChanceRoll:
        """Ask for the die."""
        target = ship_name(state, stage_of(state, RollingCritical).ship)
        text = f"{who(state, state.player)}: a critical hit on {target}, roll a d6"
        return ChanceRoll(state.player, self.name, text, (D6.id,))

    def play(self, state: State, action: Roll) -> Step[State]:
        """Note the effect."""
        stage = stage_of(state, RollingCritical)
        effect = state.options.charts.critical(faces_of(action)[0])
        struck = [stage.ship] + [stage.near] * _is_ship(state, stage.near)
        hits = tuple(Hit(ship, effect.effect, effect.count) for ship in struck)
        state = state._replace(hits=(*state.hits, *hits), stage=Firing(stage.volleys))
        text = f"Critical hit on {ship_name(state, stage.ship)}: {EFFECTS[effect.effect]}"
        return Step(state, (Happening(text, "PWR-77"),))


EFFECTS = {
    "rudder": "the rudder",
    "cannon": "a cannon and its crew",
    "sails": "a mast",
    "hull": "at the waterline",
    "officer": "an officer",
}


def land_hits(state: State) -> tuple[State, Told]:
    """Let everything take effect that was noted in this phase, in order (PWR-36).

    What has been taken off the table since, burnt or captured ashore, is hit no more.
    """
    told: Told = ()
    for hit in state.hits:
        if state.ships[hit.ship].fate not in ON_THE_TABLE:
            continue
        state, more = _land(state, hit)
        told = (*told, *more)
    return state._replace(hits=()), told


def _land(state: State, hit: Hit) -> tuple[State, Told]:
    name = capital(ship_name(state, hit.ship))
    ship = state.ships[hit.ship]
    if design_of(state, hit.ship).kind != "ship" and hit.what in CANNON_HITS:
        state, told = land_elsewhere(state, hit)
        if not breaks_cannon(state, hit):
            return state, told
        state, more = _wreck_some(state, hit._replace(amount=1), "PWR-119")
        return state, (*told, *more)
    if hit.what in ROWS:
        return strike(state, hit.ship, hit.what, hit.amount, "PWR-86", borne=hit.borne)
    match hit.what:
        case "figures":
            there = exposed(ship, (hit.station,))
            if falls_in_order(there):
                return wounding(state, hit.ship, 0 if are_bones(there) else hit.amount), ()
            return owing(state, Due(hit.ship, hit.amount, (hit.station,), "PWR-75")), ()
        case "doors":
            left = max(ship.boats - hit.amount, 0)
            where = ship_name(state, hit.ship)
            broken = (Happening(f"The doors of {where} are broken", "PWR-121"),)
            told = broken if ship.boats and not left else ()
            return with_ship(state, hit.ship, ship._replace(boats=left)), told
        case "rudder":
            state = with_ship(state, hit.ship, ship._replace(steering=False))
            return state, (Happening(f"{name} cannot turn in her next move", "PWR-77"),)
        case "burst" | "near":
            return _wreck(state, hit, hit.amount, BURSTS[hit.what])
        case "cannon":
            return _wreck_some(state, hit, "PWR-77")
    return _kill_officer(state, hit.ship)


def _wreck_some(state: State, hit: Hit, rule: str) -> tuple[State, Told]:
    """Wreck so many cannons; those that are worth least at the moment."""
    told: Told = ()
    for _ in range(hit.amount):
        guns = state.ships[hit.ship].guns
        whole = [
            n for n, gun in enumerate(guns) if gun.load != WRECKED and is_cannon(state, hit.ship, n)
        ]
        if whole:
            gun = min(whole, key=lambda n: guns[n].load)
            state, more = _wreck(state, hit, gun, rule)
            told = (*told, *more)
    return state, told


def _wreck(state: State, hit: Hit, gun: int, rule: str) -> tuple[State, Told]:
    """Wreck a cannon; two figures of its crew fall with it, unless they have been taken."""
    number, ship = hit.ship, state.ships[hit.ship]
    if ship.guns[gun].load == WRECKED:
        return state, ()
    wrecked = ship.guns[gun]._replace(load=WRECKED)
    state = with_ship(state, number, with_gun(ship, gun, wrecked))
    station = gun_station(state, number, gun)
    state = owing(state, Due(number, CREW_OF_CANNON * (not hit.borne), (station,), rule))
    loses = f"{ship_name(state, number)} {verb_of(state, number, 'loses')}"
    text = f"{capital(loses)} cannon {gun + 1}{' and its crew' * (not hit.borne)}"
    return state, (Happening(text, rule),)


def _kill_officer(state: State, number: int) -> tuple[State, Told]:
    """Kill the First Mate, or the Captain if there is none."""
    crew = state.ships[number].crew
    role = "mate" if has_role(crew, "mate") else "captain"
    hit = of(crew, lambda hand: hand.figure.role == role)
    if not hit:
        return state, ()
    text = f"{hit[0][0].figure.title} of {ship_name(state, number)} falls"
    return remove(state, number, ((hit[0][0], 1),)), (Happening(f"The {text}", "PWR-77"),)

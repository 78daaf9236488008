"""Whether a ship may be built as it was: every limit of the rules, each with what would be right.

Limits of hull, sails, masts, tonnage and cannons (PWR-98 to PWR-106), the optional rules that trade
cargo for sails and sails for cargo (PWR-111, PWR-112), and who may sail aboard (PWR-6, PWR-8).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from companion.rules.pirate_wars.built.figures import KINDS
from companion.rules.pirate_wars.built.rigging import rig_violations
from companion.rules.pirate_wars.built.ships import HULLS, SAIL_LOSS, ShipDesign
from companion.rules.pirate_wars.built.violations import Violation
from companion.rules.words import counted, listed

SLOWEST_DESIGN = 48
"""Full speed every ship is built for, dots (PWR-100)."""
FIGURES_A_TON = 4
CHESTS_A_TON = 4
MOST_DECK_GUNS = 2
MOST_CHASERS = 2


@dataclass(frozen=True, slots=True)
class BuildRules:
    """The optional rules of building that a table plays with."""

    oversailing: bool = False
    """More sails than the hull allows, for cargo space (PWR-111)."""
    overloading: bool = False
    """More cargo than the hull allows, for speed (PWR-112)."""
    stern_chasers: bool = False
    """Cannons that point astern, on wide hulls (PWR-105)."""


BASIC = BuildRules()


def most_sails(hull_factor: int) -> int:
    """Return the most sail factors of a hull: fewer than one and a half times HF (PWR-100).

    >>> most_sails(6), most_sails(5)
    (8, 7)
    """
    return ceil(Fraction(3, 2) * hull_factor) - 1


def sails_for(hull_factor: int, speed: int) -> int:
    """Return the sail factors that a wished speed needs, the fraction dropped (PWR-100).

    >>> sails_for(6, 70)
    8
    """
    return speed // SAIL_LOSS[hull_factor]


def oversail(ship: ShipDesign) -> int:
    """Return the sail factors above what the hull allows (PWR-111)."""
    return max(0, ship.sail_factor - most_sails(ship.hull_factor))


def tonnage(ship: ShipDesign) -> int:
    """Return the tons there is room for, as sails add and take them (PWR-104, 111, 112)."""
    a_sail = 1 if ship.hull == min(HULLS) else 2
    own = ship.hull_factor if ship.hull == min(HULLS) else ceil(Fraction(3, 2) * ship.hull_factor)
    return own + a_sail * (ship.withheld - oversail(ship))


def tons_used(ship: ShipDesign) -> Fraction:
    """Return the tons that cannons with their crews, extras and cargo take (PWR-104)."""
    figures = Fraction(ship.extra_figures, FIGURES_A_TON)
    return len(ship.cannons) + figures + Fraction(ship.cargo, CHESTS_A_TON)


def violations(ship: ShipDesign, rules: BuildRules = BASIC) -> tuple[Violation, ...]:
    """Return everything that is wrong with a ship; empty: it may be built.

    Where the hull itself cannot be, only that is told: the other limits are measured by it.
    """
    hull = tuple(_hull(ship))
    if hull:
        return hull
    return (
        *_sails(ship, rules),
        *rig_violations(ship),
        *_tons(ship),
        *_cannons(ship, rules),
        *_figures(ship),
    )


def _hull(ship: ShipDesign) -> Iterator[Violation]:
    if ship.hull not in HULLS:
        yield Violation("PWR-98", f"A hull is 8 or 12 dots wide, not {ship.hull}.")
    lengths = [8 * factor for factor in SAIL_LOSS]
    if ship.length not in lengths:
        reason = (
            f"Bow and stern are 24 dots together and every middle section 8: a hull is 24 to 80"
            f" dots long in steps of 8, not {ship.length}."
        )
        yield Violation("PWR-98", reason)


def _sails(ship: ShipDesign, rules: BuildRules) -> Iterator[Violation]:
    most, sails = most_sails(ship.hull_factor), ship.sail_factor
    full_speed = ship.sail_loss * sails
    if full_speed < SLOWEST_DESIGN:
        needed = ceil(Fraction(SLOWEST_DESIGN, ship.sail_loss))
        reason = (
            f"A ship is built for {SLOWEST_DESIGN} dots at least: with {ship.sail_loss} dots a sail"
            f" factor it needs {needed}, not {sails}."
        )
        yield Violation("PWR-100", reason)
    if sails > most and not rules.oversailing:
        reason = (
            f"A hull factor of {ship.hull_factor} carries at most {most} sail factors (fewer than"
            f" one and a half times as many), not {sails}."
        )
        yield Violation("PWR-100", reason)
    if sails > most and ship.withheld:
        reason = "Sails beyond what the hull allows and sails held back do not go together."
        yield Violation("PWR-111", reason)
    if ship.withheld and not rules.overloading:
        reason = (
            "Sails are held back for cargo only where the table plays with overloading; here none"
            " may be."
        )
        yield Violation("PWR-112", reason)
    if ship.withheld >= sails and ship.withheld:
        reason = (
            f"At least one sail factor has to move the ship: of {sails} at most {max(0, sails - 1)}"
            f" can be held back, not {ship.withheld}."
        )
        yield Violation("PWR-112", reason)


def _tons(ship: ShipDesign) -> Iterator[Violation]:
    room, used = tonnage(ship), tons_used(ship)
    if used > room:
        parts = [
            counted(len(ship.cannons), "cannon", "cannons"),
            counted(ship.extra_figures, "extra figure", "extra figures"),
            counted(ship.cargo, "chest or barrel", "chests and barrels"),
        ]
        left = counted(room, "ton", "tons") if room > 0 else "nothing beside such sails"
        reason = (
            f"There is room for {left}; {listed(parts)} take"
            f" {tons_words(used)}. A ton is one cannon, four figures or four chests."
        )
        yield Violation("PWR-111" if oversail(ship) else "PWR-104", reason)
    if ship.side == "pirate" and 2 * len(ship.cannons) > room:
        reason = (
            f"Pirates give at most half of their {counted(max(0, room), 'ton', 'tons')} to"
            f" cannons: {max(0, room) // 2}, not {len(ship.cannons)}."
        )
        yield Violation("PWR-105", reason)


def _cannons(ship: ShipDesign, rules: BuildRules) -> Iterator[Violation]:
    mounts = [cannon.mount for cannon in ship.cannons]
    is_narrow = ship.hull == min(HULLS)
    if mounts.count("turntable") > 1:
        reason = f"A ship has one cannon on a turntable at most, not {mounts.count('turntable')}."
        yield Violation("PWR-105", reason)
    if ship.deck_guns > MOST_DECK_GUNS:
        reason = f"The bow has room for {MOST_DECK_GUNS} deck guns, not {ship.deck_guns}."
        yield Violation("PWR-105", reason)
    if "chaser" in mounts and not rules.stern_chasers:
        reason = (
            "Stern chasers are carried only where the table plays with them; here a cannon points"
            " to port or starboard, or stands on a turntable."
        )
        yield Violation("PWR-105", reason)
    if "chaser" in mounts and is_narrow:
        yield Violation("PWR-105", "Only hulls 12 dots wide carry stern chasers.")
    if mounts.count("chaser") > MOST_CHASERS:
        reason = f"A stern has room for {MOST_CHASERS} stern chasers, not {mounts.count('chaser')}."
        yield Violation("PWR-105", reason)
    if "fixed" in mounts and is_narrow:
        reason = (
            "A hull 8 dots wide has no cannons back to back: they move from side to side on wheels"
            " or slides, or one stands on a turntable."
        )
        yield Violation("PWR-106", reason)
    yield from _cannon_places(ship)


def _cannon_places(ship: ShipDesign) -> Iterator[Violation]:
    taken: dict[tuple[str, float], int] = {}
    for number, cannon in enumerate(ship.cannons, 1):
        if abs(cannon.x_dots) > ship.length / 2:
            reason = (
                f"Cannon {number} stands {abs(cannon.x_dots):g} dots from the middle; the hull"
                f" ends {ship.length / 2:g} dots from it."
            )
            yield Violation("PWR-106", reason)
        if cannon.mount == "chaser":
            continue
        for side in cannon.sides:
            other = taken.setdefault((side, cannon.x_dots), number)
            if other != number:
                reason = (
                    f"Cannons {other} and {number} would stand in the same place; move one along"
                    " the keel."
                )
                yield Violation("PWR-106", reason)
                break


def _figures(ship: ShipDesign) -> Iterator[Violation]:
    for name in (ship.captain, ship.mate, *(name for name, _ in ship.extras)):
        if name and ship.side not in KINDS[name].sides:
            side = "pirates" if ship.side == "pirate" else "Imperials"
            yield Violation("PWR-6", f"A {KINDS[name].title} does not sail with the {side}.")
    for name, count in ship.extras:
        if KINDS[name].role in ("captain", "mate"):
            reason = f"A ship has one Captain and one First Mate; {count} more are too many."
            yield Violation("PWR-21", reason)
    pirates = [(KINDS[name], count) for name, count in ship.extras if KINDS[name].role == "pirate"]
    armed = sum(count for figure, count in pirates if figure.is_armed)
    extra = sum(count for _, count in pirates)
    if 2 * armed > extra:
        reason = (
            f"Half of the extra pirates may have a musket or a pistol: {extra // 2} of {extra}, not"
            f" {armed} (females among them)."
        )
        yield Violation("PWR-8", reason)


def tons_words(tons: Fraction) -> str:
    """Say a number of tons, quarters included.

    >>> tons_words(Fraction(9, 4)), tons_words(Fraction(1))
    ('2 1/4 tons', '1 ton')
    """
    whole, rest = divmod(tons, 1)
    said = " ".join(str(part) for part in (whole, rest) if part) or "0"
    return f"{said} {'ton' if tons == 1 else 'tons'}"

"""A ship's reference card in words and numbers: what is printed, shown and told of a design."""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.pirate_wars.built.charts import Charts
from companion.rules.pirate_wars.built.design import tonnage, tons_used, tons_words
from companion.rules.pirate_wars.built.figures import KINDS
from companion.rules.pirate_wars.built.rigging import SAIL_NAMES
from companion.rules.pirate_wars.built.ships import HULLS, ShipDesign
from companion.rules.pirate_wars.built.weapons import Weapon
from companion.rules.words import listed

_MOUNT_WORDS = {
    "fixed": "fixed, to {side}",
    "slide": "on a slide, first to {side}",
    "wheels": "on wheels, first to {side}",
    "turntable": "on a turntable",
    "chaser": "stern chaser",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the damage chart."""

    factor: str
    """``"S"`` or ``"H"``."""
    speed: int | None
    """Speed beside a sail factor, dots."""


@dataclass(frozen=True, slots=True)
class WeaponLine:
    """A weapon aboard, as it is looked up in the heat of battle."""

    title: str
    dice: int
    target: str
    reach: str
    is_default: bool
    """Its range is ours: the chart was never found."""


@dataclass(frozen=True, slots=True)
class ShipCard:
    """All that a captain wants beside the model."""

    title: str
    subtitle: str
    numbers: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]
    """From the top."""
    crew: tuple[tuple[str, int], ...]
    """Officers first."""
    cannons: tuple[str, ...]
    masts: tuple[str, ...]
    weapons: tuple[WeaponLine, ...]


def ship_card(ship: ShipDesign, charts: Charts) -> ShipCard:
    """Return the card of a ship whose hull may be built (`design.violations`)."""
    side = "Pirate" if ship.side == "pirate" else "Imperial"
    width = "narrow" if ship.hull == min(HULLS) else "wide"
    return ShipCard(
        ship.title,
        f"{side} ship, {width} hull, {ship.length} dots long and {ship.hull} wide",
        _numbers(ship),
        _rows(ship),
        _crew(ship),
        tuple(_MOUNT_WORDS[c.mount].format(side=c.side) for c in ship.cannons),
        tuple(
            f"{mast.kind}{' mizzen' if mast.is_mizzen else ''}:"
            f" {listed(SAIL_NAMES.get(sail, sail) for sail in mast.sails) or 'bare'}"
            for mast in ship.masts
        ),
        tuple(_weapon(w, charts) for w in charts.weapons.values() if w.id in _aboard(ship)),
    )


def _numbers(ship: ShipDesign) -> tuple[tuple[str, str], ...]:
    return (
        ("Hull factor", str(ship.hull_factor)),
        ("Sail factor", str(ship.sail_factor)),
        ("Full speed", f"{ship.speed} dots"),
        ("Sail loss", f"{ship.sail_loss} dots"),
        ("Length", f"{ship.length} dots"),
        ("Draft", f"{ship.draft} dots"),
        ("Crew", str(ship.crew_size)),
        ("Launches", str(ship.launches)),
        ("Deck guns", str(ship.deck_guns)),
        ("Loaded", f"{tons_words(tons_used(ship))} of {max(0, tonnage(ship))}"),
    )


def _rows(ship: ShipDesign) -> tuple[Row, ...]:
    speeds = iter(ship.speed_labels)
    return tuple(Row(f, next(speeds) if f == "S" else None) for f in ship.column)


def _crew(ship: ShipDesign) -> tuple[tuple[str, int], ...]:
    order = list(KINDS)
    groups = sorted(ship.crew, key=lambda group: order.index(group[0]))
    return tuple(
        (KINDS[name].title if count == 1 else KINDS[name].plural, count) for name, count in groups
    )


def _aboard(ship: ShipDesign) -> set[str]:
    carried = {weapon for name, _ in ship.crew for weapon in KINDS[name].weapons}
    if ship.cannons:
        carried |= {"cannon-ball", "cannon-shot"}
    if ship.deck_guns:
        carried.add("deck-gun")
    return carried


def _weapon(weapon: Weapon, charts: Charts) -> WeaponLine:
    near = f"{weapon.nearest} to " if weapon.nearest else ""
    close = " B" if weapon.close else ""
    return WeaponLine(
        weapon.title,
        weapon.dice,
        str(weapon.target or "Attack"),
        f"{near}{weapon.range}{close}",
        charts.is_default(f"weapon.{weapon.id}.range"),
    )

"""Ships and charts that a table brings along, as options of the game."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from types import MappingProxyType

from companion.errors import BadOptions, MalformedAction
from companion.rules.pirate_wars.built.charts import BUILT_IN, Charts, charts, read_charts
from companion.rules.pirate_wars.built.design import BuildRules, violations
from companion.rules.pirate_wars.built.ship_reading import read_design, stock_ships
from companion.rules.pirate_wars.built.ships import ShipDesign

MOST_OWN = 12
SHIPS, CHARTS = "own_ships", "own_charts"
"""Names of the options."""
RUNNER, REVISED_RUNNER = "renegade-runner", "renegade-runner-revised"
"""The smallest model comes either as it is in the box or revised (PWR-22, PWR-23)."""


def read_own_ships(value: object, rules: BuildRules) -> tuple[ShipDesign, ...]:
    """Return the ships a table has built. Raises `BadOptions` with what may not be built so."""
    if not isinstance(value, tuple) or len(value) > MOST_OWN:
        raise BadOptions(f"Give a list of up to {MOST_OWN} ships of your own.", SHIPS)
    ships: list[ShipDesign] = []
    for number, item in enumerate(value, 1):
        try:
            ship = read_design(item, f"ship {number}")
        except MalformedAction as error:
            raise BadOptions(str(error), SHIPS) from error
        faults = violations(ship, rules)
        if faults:
            fault = faults[0]
            raise BadOptions(f"{ship.title} may not sail: {fault.reason} ({fault.rule})", SHIPS)
        if ship.id in stock_ships() or any(ship.id == other.id for other in ships):
            raise BadOptions(f"There is a ship {ship.id!r} already; give yours its own id.", SHIPS)
        ships.append(ship)
    return tuple(ships)


def read_own_charts(value: object) -> Charts:
    """Return the charts a table plays with. Raises `BadOptions` naming the entry at fault."""
    if value == BUILT_IN:
        return charts()
    if not isinstance(value, str | Mapping):
        raise BadOptions(f"The charts are {BUILT_IN!r} or the content of a charts file.", CHARTS)
    try:
        data = tomllib.loads(value) if isinstance(value, str) else value
    except tomllib.TOMLDecodeError as error:
        raise BadOptions(f"The charts file is no TOML: {error}.", CHARTS) from error
    try:
        return read_charts(data, value)
    except MalformedAction as error:
        raise BadOptions(f"The charts cannot be played with: {error}.", CHARTS) from error


def all_designs(own: tuple[ShipDesign, ...], *, revised: bool) -> Mapping[str, ShipDesign]:
    """Return the ships that can be commanded, by id: the models, then the table's own.

    `revised`: the Runner comes revised.
    """
    left_out = RUNNER if revised else REVISED_RUNNER
    models = {name: ship for name, ship in stock_ships().items() if name != left_out}
    return MappingProxyType({**models, **{ship.id: ship for ship in own}})

"""Ships as files that people keep and change by hand: TOML, a ship a file."""

from __future__ import annotations

import json
import tomllib

from companion.errors import MalformedAction
from companion.rules.pirate_wars.built.ship_reading import read_design, write_design
from companion.rules.pirate_wars.built.ships import ShipDesign

_NOTE = "# A ship for PirateWars, made with Quarterdeck. Lengths are dots; a dot is 8 mm."


def ship_toml(ship: ShipDesign) -> str:
    """Return a ship as the text of a file that `parse_ship` reads."""
    lines = [_NOTE]
    for name, value in write_design(ship).items():
        if isinstance(value, list):
            items = "".join(f"  {_inline(item)},\n" for item in value)
            lines.append(f"{name} = [\n{items}]" if value else f"{name} = []")
        else:
            lines.append(f"{name} = {_inline(value)}")
    return "\n".join(lines) + "\n"


def parse_ship(text: str) -> ShipDesign:
    """Return the ship a file describes. Raises `MalformedAction` in plain words."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MalformedAction(f"the ship's file is no TOML: {error}") from error
    return read_design(data)


def _inline(value: object) -> str:
    """Return a value as TOML writes it on one line."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{k} = {_inline(v)}' for k, v in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    # JSON and TOML agree on texts, numbers, true and false.
    return json.dumps(value, ensure_ascii=False)

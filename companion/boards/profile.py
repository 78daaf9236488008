"""Board profiles: what a printed board measures, read from TOML in millimetres.

Board frame: origin at the centre of marker 0, x to the right toward marker 1, y down toward
marker 3, z into the table. A new board is a new TOML file, no code.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from math import inf, isfinite
from pathlib import Path
from typing import Any

from companion.boards.grids import XY as XY
from companion.boards.grids import Grid, hex_grid, open_table, square_grid
from companion.errors import BoardError, meant_of
from companion.rules.hexes import hex_name
from companion.rules.layout import Cell, cell_name
from companion.rules.options import frozen
from companion.rules.squares import square_name

MARKS = (
    "circle", "diamond", "wind", "anchor", "harbour",
    "strait", "treasure", "skull", "port", "merchant",
)  # fmt: skip
"""What can be printed on a cell."""
PIECE_SETS = ("ships", "coins", "tagged")
"""What can lie on a board: little ships and tiles, the coins and pawns of a piecepack, or pieces
that each bear a printed tag and stand anywhere."""


@dataclass(frozen=True, slots=True)
class Marker:
    """An ArUco marker printed on the board."""

    id: int
    centre_mm: XY


@dataclass(frozen=True, slots=True)
class Zone:
    """A named rectangle of the board frame, e.g. the treasure or the shipyard."""

    id: str
    origin_mm: XY
    """Top-left corner."""
    size_mm: XY
    """Width (x) and height (y)."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Something printed on a cell; a cell may bear several."""

    kind: str
    """One of `MARKS`."""
    cell: Cell
    text: str = ""
    """Letters printed with it; the name of a port."""
    paint: str = ""
    """Colour of a port."""


@dataclass(frozen=True, slots=True)
class Ornament:
    """A drawing beside the cells: where and how large."""

    at_mm: XY
    """Middle of the compass rose; middle of the title's baseline."""
    size_mm: float
    """Radius of the rose; height of a capital of the title."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """What is played with on a board."""

    set: str = "ships"
    """One of `PIECE_SETS`."""
    fleets: tuple[str, ...] = ()
    """Ship colours that may be on it; empty: all of the set."""
    share: int = 2
    """Most little ships in one port; elsewhere two that board may share a cell."""
    tiles: bool = True
    """Tiles of terrain may be laid on its cells."""


@dataclass(frozen=True, slots=True)
class Tags:
    """The tags that the pieces of an open table bear, each its own number."""

    dictionary: str
    """AprilTag dictionary of OpenCV, e.g. ``"DICT_APRILTAG_36h11"``."""
    side_mm: float
    """Side of the black square; white paper around it, an eighth of this wide at least."""


@dataclass(frozen=True, slots=True)
class Tray:
    """The dice tray: a rectangle of its own, seen by the board camera or by a second one."""

    size_mm: XY
    """Inside width and height of the floor."""
    place_mm: XY | None = None
    """Where the floor's top-left inside corner is in the board frame, its sides along those of the
    board, if the tray is fixed to the board; ``None``: it stands anywhere."""


@dataclass(frozen=True)
class BoardProfile:
    """A board as it is printed. Geometry of the cells by `cell_centre_mm`."""

    id: str
    title: str
    games: tuple[str, ...]
    """Games it is made for (`GameInfo.id`)."""
    width_mm: float
    height_mm: float
    dictionary: str
    """ArUco dictionary, e.g. ``"DICT_4X4_50"``."""
    marker_side_mm: float
    markers: tuple[Marker, ...]
    marker_inset_mm: float
    """From the board's edge to the origin (centre of marker 0), both axes."""
    grid: Grid
    """Its cells; none on an open table."""
    impassable: frozenset[Cell]
    """Cells printed as land; no ship lies there."""
    marks: tuple[Mark, ...]
    """What is printed on cells."""
    first_square: Cell | None
    """The square called A1, counted by letters of the columns and numbers of the rows printed
    around the cells; ``None``: none are printed."""
    pieces: Pieces
    tags: Tags | None
    """``None`` where pieces stand on cells and bear none."""
    title_at: Ornament
    compass: Ornament
    zones: tuple[Zone, ...]
    tray: Tray | None
    options: Mapping[str, object]
    """Options of the game that this print fixes, e.g. its radius."""
    only_for: tuple[str, ...]
    """Options of the game of which one at least must be chosen to play on it; empty: it needs
    none."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell of the board, sorted."""
        return self.grid.cells

    @property
    def is_open(self) -> bool:
        """Whether pieces stand anywhere: there are no cells, and each piece bears a tag."""
        return self.tags is not None

    @property
    def pitch_mm(self) -> float:
        """Distance between the centres of neighbouring cells; 0 on an open table."""
        return self.grid.pitch_mm

    def cell_centre_mm(self, cell: Cell) -> XY:
        """Return the centre of a cell in the board frame."""
        return self.grid.centre_mm(cell)

    def cell_outline_mm(self, cell: Cell) -> tuple[XY, ...]:
        """Return the corners of a cell, clockwise from its top (left)."""
        return self.grid.outline_mm(cell)

    @property
    def is_lettered(self) -> bool:
        """Whether letters and numbers are printed around the cells, as they always are of hexes."""
        return self.grid.is_hex or self.first_square is not None

    def name_of(self, cell: Cell) -> str:
        """Return what people call a cell: what is printed around the board, or the harbour's.

        Of two harbours with the same letter each says on which of the boards it is.
        """
        if self.grid.is_hex:
            return hex_name(cell)
        if self.first_square is None:
            return cell_name(cell)
        harbour = next((m.text for m in self.marks_on(cell) if m.kind == "harbour"), None)
        if harbour is None:
            return square_name(cell, self.first_square)
        alike = [m.cell for m in self.marks if (m.kind, m.text) == ("harbour", harbour)]
        which = f" of board {alike.index(cell) + 1}" if len(alike) > 1 else ""
        return f"harbour {harbour}{which}"

    def marks_on(self, cell: Cell) -> tuple[Mark, ...]:
        """Return what is printed on a cell."""
        return self._marks_by_cell.get(cell, ())

    @cached_property
    def _marks_by_cell(self) -> dict[Cell, tuple[Mark, ...]]:
        found: dict[Cell, tuple[Mark, ...]] = {}
        for mark in self.marks:
            found[mark.cell] = (*found.get(mark.cell, ()), mark)
        return found


def builtin_profiles() -> tuple[str, ...]:
    """Return the names of the profiles that come with Quarterdeck."""
    folder = resources.files("companion.boards") / "profiles"
    return tuple(sorted(f.name[:-5] for f in folder.iterdir() if f.name.endswith(".toml")))


def load_profile(name_or_path: str) -> BoardProfile:
    """Read a profile by built-in name or by path of a TOML file. Raises `BoardError`."""
    if name_or_path in builtin_profiles():
        folder = resources.files("companion.boards") / "profiles"
        text = (folder / f"{name_or_path}.toml").read_text("utf-8")
    else:
        text = _own_profile(name_or_path)
    try:
        return parse_profile(tomllib.loads(text))
    except (tomllib.TOMLDecodeError, BoardError) as error:
        raise BoardError(f"board profile {name_or_path!r}: {error}") from error


def _own_profile(path: str) -> str:
    """Return the text of somebody's own profile. Raises `BoardError`."""
    try:
        return Path(path).read_text("utf-8")
    except (FileNotFoundError, IsADirectoryError) as error:
        known = meant_of(path, builtin_profiles(), "the boards are")
        raise BoardError(f"there is no board {path!r}, nor such a TOML file; {known}") from error
    except (OSError, ValueError) as error:
        reason = (isinstance(error, OSError) and error.strerror) or "it is no text in UTF-8"
        raise BoardError(f"board profile {path!r} cannot be read: {reason}") from error


def parse_profile(data: Mapping[str, Any]) -> BoardProfile:
    """Build a profile from parsed TOML. Raises `BoardError` naming the field."""
    try:
        board, markers, cells = data["board"], data["markers"], data["cells"]
        profile = BoardProfile(
            id=data["id"],
            title=data["title"],
            games=tuple(data["games"]),
            width_mm=_length(board, "width_mm"),
            height_mm=_length(board, "height_mm"),
            dictionary=markers["dictionary"],
            marker_side_mm=_length(markers, "side_mm"),
            marker_inset_mm=_length(markers, "inset_mm"),
            markers=tuple(Marker(m["id"], _xy(m["centre_mm"])) for m in markers["places"]),
            grid=_grid(cells),
            impassable=frozenset(_cell(c) for c in cells.get("impassable", [])),
            marks=tuple(_marks(cells.get("marks", []))),
            first_square=_first_square(cells.get("coordinates", False)),
            pieces=_pieces(data.get("pieces", {})),
            tags=_tags(data["tags"]) if "tags" in data else None,
            title_at=_ornament(board["title"]),
            compass=_ornament(board["compass"]),
            zones=tuple(
                Zone(z["id"], _xy(z["origin_mm"]), _xy(z["size_mm"])) for z in data.get("zones", [])
            ),
            tray=_tray(data["tray"]) if "tray" in data else None,
            options={name: frozen(v) for name, v in data.get("options", {}).items()},
            only_for=tuple(data.get("only_for", ())),
        )
    except KeyError as error:
        raise BoardError(f"the field {error.args[0]!r} is missing") from error
    except (TypeError, ValueError, AttributeError) as error:
        raise BoardError(f"a field cannot be read: {error}") from error
    _check(profile)
    return profile


def _check(profile: BoardProfile) -> None:
    """Refuse what is well written and makes no board. Raises `BoardError`."""
    strange = {*profile.impassable, *(m.cell for m in profile.marks)} - {*profile.cells}
    if strange:
        raise BoardError(f"the board has no cell {list(min(strange))} to be marked or impassable")
    if not profile.is_open == (profile.pieces.set == "tagged") == (not profile.cells):
        raise BoardError(
            "an open table has cells.grid = 'open', pieces.set = 'tagged' and [tags], all three; "
            "a board of cells has none of them"
        )
    if len(profile.markers) < 4:
        raise BoardError(f"at least 4 markers are needed, {len(profile.markers)} are given")


def _grid(cells: Mapping[str, Any]) -> Grid:
    if cells["grid"] == "open":
        return open_table()
    pitch_mm, origin_mm = _length(cells, "pitch_mm"), _xy(cells["origin_mm"])
    if cells["grid"] == "hex":
        return hex_grid(int(cells["radius"]), pitch_mm, origin_mm)
    if cells["grid"] == "square":
        squares = {*_blocks(cells["blocks"])} - {*_blocks(cells.get("missing", []))}
        extra = {_cell(c) for c in cells.get("extra", [])}
        return square_grid(frozenset(squares | extra), pitch_mm, origin_mm)
    raise BoardError(f"cells.grid must be 'hex', 'square' or 'open', not {cells['grid']!r}")


def _first_square(coordinates: Any) -> Cell | None:
    """Return the square called A1: ``coordinates`` is true (column 1, row 1), false or a cell."""
    if isinstance(coordinates, bool):
        return (1, 1) if coordinates else None
    return _cell(coordinates)


def _blocks(blocks: Iterable[Any]) -> Iterator[Cell]:
    """Yield the cells of rectangles given as first column, first row, last column, last row."""
    for left, top, right, bottom in blocks:
        yield from ((c, r) for c in range(left, right + 1) for r in range(top, bottom + 1))


def _marks(groups: Iterable[Mapping[str, Any]]) -> Iterator[Mark]:
    for group in groups:
        if group["kind"] not in MARKS:
            raise BoardError(f"a mark is one of {', '.join(MARKS)}, not {group['kind']!r}")
        for cell in group["cells"]:
            text, paint = group.get("text", ""), group.get("paint", "")
            yield Mark(group["kind"], _cell(cell), text, paint)


def _pieces(data: Mapping[str, Any]) -> Pieces:
    fleets, share = tuple(data.get("fleets", ())), int(data.get("share", 2))
    pieces = Pieces(data.get("set", "ships"), fleets, share, bool(data.get("tiles", True)))
    if pieces.set not in PIECE_SETS:
        known = "', '".join(PIECE_SETS)
        raise BoardError(f"pieces.set must be one of '{known}', not {pieces.set!r}")
    return pieces


def _tray(data: Mapping[str, Any]) -> Tray:
    return Tray(_xy(data["size_mm"]), _xy(data["place_mm"]) if "place_mm" in data else None)


def _tags(data: Mapping[str, Any]) -> Tags:
    return Tags(data["dictionary"], _length(data, "side_mm"))


def _ornament(data: Mapping[str, Any]) -> Ornament:
    return Ornament(_xy(data["at_mm"]), _length(data, "size_mm"))


def _length(data: Mapping[str, Any], name: str) -> float:
    length = float(data[name])
    if not 0 < length < inf:
        raise BoardError(f"{name} is a length in millimetres, not {data[name]!r}")
    return length


def _cell(pair: Any) -> Cell:
    x, y = pair
    return int(x), int(y)


def _xy(pair: Any) -> XY:
    x, y = map(float, pair)
    if not (isfinite(x) and isfinite(y)):
        raise BoardError(f"a place is two numbers of millimetres, not {pair!r}")
    return x, y

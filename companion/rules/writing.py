"""Frozen dataclasses (actions, stages) and whole states as JSON objects, both ways."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar

from companion.errors import BadOptions, CardError, MalformedAction
from companion.rules.deeds import Deed
from companion.rules.layout import Cell, Die, Pose, cell_name
from companion.rules.reading import (
    read_cell,
    read_choice,
    read_flag,
    read_list,
    read_number,
    read_object,
    read_whole,
)

S = TypeVar("S")
FieldCodec = tuple[Callable[[Any], Any], Callable[[Any, str], Any]]
"""How a field is written and how it is read; the reader gets the value and what to call it."""


def same(value: Any) -> Any:
    """Write a value that is JSON already."""
    return value


def read_wholes(value: Any, what: str) -> tuple[int, ...]:
    """Return a list of whole numbers as a tuple."""
    return tuple(read_whole(v, f"{what}[{i}]") for i, v in enumerate(read_list(value, what)))


def read_cells(value: Any, what: str) -> tuple[Cell, ...]:
    """Return a list of cells as a tuple."""
    return tuple(read_cell(c, f"{what}[{i}]") for i, c in enumerate(read_list(value, what)))


def write_dice(dice: tuple[Die, ...]) -> list[dict[str, Any]]:
    """Return dice as JSON objects."""
    return [{"kind": die.kind, "face": die.face} for die in dice]


def dice_reader(kinds: Collection[str]) -> Callable[[Any, str], tuple[Die, ...]]:
    """Return a reader of lists of dice of some kinds."""

    def read_die(value: Any, what: str) -> Die:
        data = read_object(value, what, ("kind", "face"))
        kind = read_choice(data["kind"], f"{what}.kind", kinds)
        return Die(kind, read_whole(data["face"], f"{what}.face"))

    def read_dice(value: Any, what: str) -> tuple[Die, ...]:
        # In a message the order of the dice means nothing, as in the tray.
        return tuple(
            sorted(read_die(v, f"{what}[{i}]") for i, v in enumerate(read_list(value, what)))
        )

    return read_dice


def write_pose(pose: Pose) -> list[float]:
    """Return a pose as a list: x and y in millimetres, heading in degrees."""
    return [pose.x_mm, pose.y_mm, pose.heading_deg]


def read_pose(value: Any, what: str) -> Pose:
    """Return a pose written by `write_pose`, rounded as states keep it."""
    numbers = [read_number(v, f"{what}[{i}]") for i, v in enumerate(read_list(value, what))]
    if len(numbers) != 3:
        raise MalformedAction(f"{what} must be x, y and heading, not {value!r}")
    return Pose(*numbers).rounded()


CELL: FieldCodec = (cell_name, read_cell)
WHOLE: FieldCodec = (same, read_whole)
WHOLES: FieldCodec = (list, read_wholes)
FLAG: FieldCodec = (same, read_flag)
POSE: FieldCodec = (write_pose, read_pose)


@dataclass(frozen=True)
class Writer:
    """Writes and reads values of some dataclasses.

    Parameters
    ----------
    kinds : mapping
        The dataclasses by the name that stands in the field ``"type"``.
    codecs : mapping
        How each field is written; a name means the same in whichever class it stands.
    """

    kinds: Mapping[str, type[Any]]
    codecs: Mapping[str, FieldCodec]

    def write(self, value: Any) -> dict[str, Any]:
        """Return a value as a JSON object with its type."""
        name = next(n for n, kind in self.kinds.items() if kind is type(value))
        return {"type": name} | {
            f.name: self.codecs[f.name][0](getattr(value, f.name)) for f in fields(value)
        }

    def read(self, data: Any, what: str) -> Any:
        """Return the value written so. Raises `MalformedAction` naming the field."""
        if not isinstance(data, Mapping) or "type" not in data:
            raise MalformedAction(
                f"{what} must be a JSON object with the field 'type', not {data!r}"
            )
        name = read_choice(data["type"], f"the type of {what}", self.kinds)
        kind = self.kinds[name]
        names = [f.name for f in fields(kind)]
        read_object(data, f"{what} {name!r}", ("type", *names))
        return kind(**{n: self.codecs[n][1](data[n], f"{n} of {what} {name!r}") for n in names})


@dataclass(frozen=True)
class Codec(Generic[S]):
    """Writes and reads the actions and states of a game.

    Parameters
    ----------
    actions : Writer
        Of the game's actions.
    fields : tuple of str
        The fields of a written state.
    write : callable
        Writes a state.
    build : callable
        Reads a state that has these fields; may raise `BadOptions` and `CardError`.
    complain : callable
        Says why a state cannot be; ``None`` if it can.
    upgrade : callable
        Brings a state that was written by an earlier version to how it is written now.
    """

    actions: Writer
    fields: tuple[str, ...]
    write: Callable[[S], dict[str, Any]]
    build: Callable[[Mapping[str, Any]], S]
    complain: Callable[[S], str | None]
    upgrade: Callable[[Any], Any] = same

    def read_action(self, data: Any) -> Deed:
        """Read an action. Raises `MalformedAction` saying which field is wrong and how."""
        action: Deed = self.actions.read(data, "the action")
        return action

    def read(self, data: Any) -> S:
        """Read a state. Raises `MalformedAction` on anything `write` cannot have written."""
        data = read_object(self.upgrade(data), "the state", self.fields)
        try:
            state = self.build(data)
        except (BadOptions, CardError) as error:
            raise MalformedAction(str(error)) from error
        complaint = self.complain(state)
        if complaint:
            raise MalformedAction(f"the state cannot be: {complaint}")
        if self.write(state) != data:
            raise MalformedAction("the state is not written as this game writes it: sort its lists")
        return state

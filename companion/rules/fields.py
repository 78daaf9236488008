"""Single fields as JSON values, both ways: small codecs, and how larger ones are made of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from companion.errors import MalformedAction
from companion.rules.layout import Die, Pose, cell_name
from companion.rules.reading import (
    read_cell,
    read_choice,
    read_flag,
    read_list,
    read_mapping,
    read_number,
    read_object,
    read_text,
    read_whole,
)

FieldCodec = tuple[Callable[[Any], Any], Callable[[Any, str], Any]]
"""How a field is written and how it is read; the reader gets the value and what to call it."""

FAR = 1e6
"""Millimetres or degrees that no pose has."""


def same(value: Any) -> Any:
    """Write a value that is JSON already."""
    return value


def one_of(words: Collection[str]) -> FieldCodec:
    """Return the codec of one of some words."""
    return same, lambda value, what: read_choice(value, what, words)


def many(codec: FieldCodec) -> FieldCodec:
    """Return the codec of a tuple of values."""
    write, read = codec

    def write_all(values: Iterable[Any]) -> list[Any]:
        return list(values) if write is same else [write(value) for value in values]

    def read_all(value: Any, what: str) -> tuple[Any, ...]:
        return tuple([read(v, f"{what}[{i}]") for i, v in enumerate(read_list(value, what))])

    return write_all, read_all


def maybe(codec: FieldCodec) -> FieldCodec:
    """Return the codec of a value or nothing."""
    write, read = codec
    return (
        lambda value: None if value is None else write(value),
        lambda value, what: None if value is None else read(value, what),
    )


def row(*codecs: FieldCodec) -> FieldCodec:
    """Return the codec of a tuple of just these values, written as a list."""

    def write(values: Iterable[Any]) -> list[Any]:
        return [codec[0](value) for codec, value in zip(codecs, values, strict=True)]

    def read(value: Any, what: str) -> tuple[Any, ...]:
        items = read_list(value, what)
        if len(items) != len(codecs):
            raise MalformedAction(f"{what} must be a list of {len(codecs)}, not {value!r}")
        pairs = enumerate(zip(codecs, items, strict=True))
        return tuple([codec[1](item, f"{what}[{i}]") for i, (codec, item) in pairs])

    return write, read


def named(**codecs: FieldCodec) -> FieldCodec:
    """Return the codec of a tuple of just these values, written as an object."""

    def write(values: Iterable[Any]) -> dict[str, Any]:
        pairs = zip(codecs.items(), values, strict=True)
        return {name: codec[0](value) for (name, codec), value in pairs}

    def read(value: Any, what: str) -> tuple[Any, ...]:
        return tuple(read_fields(read_object(value, what, codecs), codecs, f"{what}.").values())

    return write, read


def record(kind: Callable[..., Any], /, **fields: FieldCodec) -> FieldCodec:
    """Return the codec of a value with named fields: an object with these."""

    def read(value: Any, what: str) -> Any:
        return kind(**read_fields(read_object(value, what, fields), fields, f"{what}."))

    return lambda value: write_fields(value, fields), read


def counts(names: Collection[str]) -> FieldCodec:
    """Return the codec of words and how many there are of each, as pairs."""

    def read(value: Any, what: str) -> tuple[tuple[str, int], ...]:
        data = read_mapping(value, what)
        return tuple(
            (read_choice(name, what, names), read_whole(n, f"{what}.{name}"))
            for name, n in data.items()
        )

    return dict, read


def write_fields(value: Any, fields: Mapping[str, FieldCodec]) -> dict[str, Any]:
    """Return the attributes of a value as a JSON object."""
    return {name: codec[0](getattr(value, name)) for name, codec in fields.items()}


def read_fields(
    data: Mapping[str, Any], fields: Mapping[str, FieldCodec], path: str = ""
) -> dict[str, Any]:
    """Return the fields of a JSON object by name. Raises `MalformedAction` naming the field."""
    return {name: codec[1](data[name], f"{path}{name}") for name, codec in fields.items()}


def dice_of(kinds: Collection[str]) -> FieldCodec:
    """Return the codec of the dice of a roll."""
    read_all = many(record(Die, kind=one_of(kinds), face=WHOLE))[1]
    # In a message the order of the dice means nothing, as in the tray.
    return _write_dice, lambda value, what: tuple(sorted(read_all(value, what)))


def _write_dice(dice: tuple[Die, ...]) -> list[dict[str, Any]]:
    return [{"kind": die.kind, "face": die.face} for die in dice]


def _write_pose(pose: Pose) -> list[float]:
    return [pose.x_mm, pose.y_mm, pose.heading_deg]


def _read_pose(value: Any, what: str) -> Pose:
    numbers = [read_number(v, f"{what}[{i}]") for i, v in enumerate(read_list(value, what))]
    if len(numbers) != 3 or any(abs(number) > FAR for number in numbers):
        raise MalformedAction(f"{what} must be x, y and heading, not {value!r}")
    return Pose(*numbers).rounded()


WHOLE: FieldCodec = (same, read_whole)
NUMBER: FieldCodec = (same, read_number)
FLAG: FieldCodec = (same, read_flag)
TEXT: FieldCodec = (same, read_text)
CELL: FieldCodec = (cell_name, read_cell)
POSE: FieldCodec = (_write_pose, _read_pose)
"""x and y in millimetres and a heading in degrees, rounded as states keep them."""
KNOWN = maybe(WHOLE)
"""A whole number, or nothing."""
WHOLES = many(WHOLE)
TEXTS = many(TEXT)
CELLS = many(CELL)

"""Frozen dataclasses (actions, stages) and whole states as JSON objects, both ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Generic, TypeVar

from companion.errors import BadOptions, CardError, MalformedAction
from companion.rules.deeds import Deed
from companion.rules.fields import TEXTS, FieldCodec, read_fields, same, write_fields
from companion.rules.reading import read_choice, read_object

S = TypeVar("S")

Findings = Iterator[tuple[bool, str]]
"""What must hold of a state: whether it does, and what is said if it does not."""


def people(names: Sequence[str], fewest: int, most: int) -> Findings:
    """Yield what must hold of the players' names by seat; see `check_players`."""
    yield fewest <= len(names) <= most, f"{fewest} to {most} players play"
    yield len(set(names)) == len(names), "players have different names"
    yield all(name.strip() for name in names), "every player has a name"


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
    checks : tuple of callable
        Each yields `Findings` of a state; later ones rely on the earlier ones.
    upgrade : callable
        Brings a state that was written by an earlier version to how it is written now.
    """

    actions: Writer
    fields: tuple[str, ...]
    write: Callable[[S], dict[str, Any]]
    build: Callable[[Mapping[str, Any]], S]
    checks: tuple[Callable[[S], Findings], ...]
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
        complaint = self.complaint(state)
        if complaint:
            raise MalformedAction(f"the state cannot be: {complaint}")
        if self.write(state) != data:
            raise MalformedAction("the state is not written as this game writes it: sort its lists")
        return state

    def complaint(self, state: S) -> str | None:
        """Return why a state cannot be; ``None`` if it can."""
        for check in self.checks:
            for holds, complaint in check(state):
                if not holds:
                    return complaint
        return None


def write_state(
    state: Any, options: Mapping[str, Any], fields: Mapping[str, FieldCodec]
) -> dict[str, Any]:
    """Return players, options and these fields of a state as a JSON object."""
    return {"players": list(state.names), "options": options} | write_fields(state, fields)


def read_state(data: Mapping[str, Any], fields: Mapping[str, FieldCodec]) -> dict[str, Any]:
    """Return names and these fields as a state takes them. Raises `MalformedAction`."""
    return {"names": TEXTS[1](data["players"], "players")} | read_fields(data, fields)

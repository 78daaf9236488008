"""Effects as JSON values (or TOML, which has the same), both ways."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, fields
from typing import Any

from companion.cards.reading import read_number, read_table, read_word, unknown
from companion.errors import CardError
from companion.rules.privateer.effects import (
    ANY,
    CARD_EFFECTS,
    CHOICE,
    GOODS,
    TRACKS,
    WHO,
    WINDS,
    DrawBounty,
    Effect,
    Job,
    Jobs,
    Overboard,
    Wind,
)

BY_NAME: Mapping[str, type[Effect]] = {kind.do: kind for kind in CARD_EFFECTS}
ROLLED = "roll"
"""In place of a port: the colour die decides."""
MOST = 20
"""Largest amount a card may name."""


def read_effects(value: Any, path: str, ports: Collection[str]) -> tuple[Effect, ...]:
    """Return a list of effects. Raises `CardError` with the path of the fault."""
    if not isinstance(value, list):
        raise CardError(path, f"must be a list of effects, not {value!r}")
    return tuple(read_effect(v, f"{path}[{i}]", ports) for i, v in enumerate(value))


def read_effect(value: Any, path: str, ports: Collection[str]) -> Effect:
    """Return one effect, written ``{do = "silver", amount = 3}``."""
    data = read_table(value, path)
    if "do" not in data:
        raise CardError(path, 'an effect says what it does: { do = "...", ... }')
    kind = BY_NAME[read_word(data["do"], f"{path}.do", BY_NAME)]
    names = {f.name: f for f in fields(kind)}
    for name in data:
        if name != "do" and name not in names:
            raise CardError(f"{path}.{name}", unknown(name, ["do", *names]))
    values = {}
    for name, spec in names.items():
        if name in data:
            values[name] = _read_field(kind, name, data[name], f"{path}.{name}", ports)
        elif spec.default is MISSING:
            raise CardError(path, f"the effect {kind.do!r} lacks {name!r}")
    return kind(**values)


def _read_field(
    kind: type[Effect], name: str, value: Any, path: str, ports: Collection[str]
) -> Any:
    if name in ("success", "fail"):
        return read_effects(value, path, ports)
    if name == "amount":
        return _read_amount(kind, value, path)
    if name == "target":
        return read_number(value, path, range(2, MOST + 1))
    words = {
        "good": (*GOODS, ANY),
        "who": WHO,
        "track": TRACKS,
        "to": (*WINDS, CHOICE) if kind is Wind else (*ports, CHOICE, ROLLED),
    }
    return read_word(value, path, words[name])


def _read_amount(kind: type[Effect], value: Any, path: str) -> int:
    least = 1 if kind.do.startswith("steal") else -MOST
    amount = read_number(value, path, range(least, MOST + 1))
    if amount == 0:
        raise CardError(path, "an effect of 0 does nothing: leave it out")
    return amount


def write_effect(effect: Effect) -> dict[str, Any]:
    """Write an effect of a card as `read_effect` reads it."""
    written: dict[str, Any] = {"do": effect.do}
    for f in fields(effect):
        value = getattr(effect, f.name)
        written[f.name] = [write_effect(e) for e in value] if isinstance(value, tuple) else value
    return written


_OF_THE_RULES: Mapping[str, Effect] = {"draw_bounty": DrawBounty(), "overboard": Overboard()}


def write_jobs(jobs: Jobs) -> list[dict[str, Any]]:
    """Write jobs as JSON values."""
    names = {effect: name for name, effect in _OF_THE_RULES.items()}
    return [
        {"player": job.player}
        | {"effect": {"do": names[job.effect]} if job.effect in names else write_effect(job.effect)}
        for job in jobs
    ]


def jobs_reader(ports: Collection[str]) -> Callable[[Any, str], Jobs]:
    """Return a reader of what `write_jobs` writes, for a deck with these ports."""

    def read_jobs(value: Any, what: str) -> Jobs:
        if not isinstance(value, list):
            raise CardError(what, f"must be a list of jobs, not {value!r}")
        jobs = []
        for i, item in enumerate(value):
            data = read_table(item, f"{what}[{i}]")
            if set(data) != {"player", "effect"}:
                raise CardError(f"{what}[{i}]", "a job has a player and an effect")
            player = read_number(data["player"], f"{what}[{i}].player", range(6))
            path = f"{what}[{i}].effect"
            effect = read_table(data["effect"], path)
            known = _OF_THE_RULES.get(str(effect["do"])) if set(effect) == {"do"} else None
            jobs.append(Job(player, known or read_effect(effect, path, ports)))
        return tuple(jobs)

    return read_jobs

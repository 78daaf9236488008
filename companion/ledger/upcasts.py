"""Small named steps which bring events written by older versions up to date while reading."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Data = dict[str, Any]


def upcast_action_applied_v1_v2(data: Data) -> Data:
    """Version 1 knew neither house rulings nor how many readings were equivalent."""
    return {"house_ruling": False, "equivalent": 1, **data}


def upcast_action_applied_v2_v3(data: Data) -> Data:
    """Version 2 kept neither the phase of the game nor what was read of each die."""
    return {"phase": "", "dice": [], **data}


def upcast_action_applied_v3_v4(data: Data) -> Data:
    """Version 3 did not tell the host from nobody, and a correction's time from a roll's."""
    return {"by_host": False, "happened_s": None, **data}


def upcast_question_answered_v1_v2(data: Data) -> Data:
    """Version 1 did not say whether the question was closed by it."""
    return {"settles": None, **data}


UPCASTS: Mapping[tuple[str, int], Callable[[Data], Data]] = {
    ("action_applied", 1): upcast_action_applied_v1_v2,
    ("action_applied", 2): upcast_action_applied_v2_v3,
    ("action_applied", 3): upcast_action_applied_v3_v4,
    ("question_answered", 1): upcast_question_answered_v1_v2,
}
"""By name and the version the step starts from."""

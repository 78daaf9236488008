"""A set-up that is told what to see: a test double of `companion.table.setting_up.SetUp`."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from companion.errors import CameraUnavailable, CompanionError, DoubtfulPicture, PrintingError
from companion.table.setting_up import BoardSight, Kept, Part, Printed, TrayReading, Zone

JPEG = cv2.imencode(".jpg", np.full((90, 160, 3), 60, np.uint8))[1].tobytes()
"""A picture of 160 by 90 pixels."""


class FakeSetUp:
    """Sees no camera, until it is told otherwise."""

    def __init__(self) -> None:
        self.presses: dict[str, int] = {"turn": 0, "undo": 0}
        self.has_camera = True
        self.has_tray = False
        self.has_ring = False
        self.known: tuple[str, ...] = ()
        """Ships that were taught."""
        self.can_cut_tray = False
        self.zone: Zone | None = None
        self.sight: BoardSight | None = None
        self.is_full = False
        """Something lies on board and tray."""
        self.pictures: dict[Part, Kept] = {"board": "", "tray": ""}
        self.reading = TrayReading((), (160, 90), None)
        self.refuse: CompanionError | None = None
        self.asked: list[tuple[str, ...]] = []

    def board(self, profile: str) -> BoardSight:
        self.asked.append(("board", profile))
        if self.sight is None:
            raise CameraUnavailable("no picture has come yet")
        return self.sight

    def picture(self, part: Part) -> bytes | None:
        return JPEG if self.sight is not None and (part == "board" or self.has_tray) else None

    def kept(self, profile: str) -> Mapping[Part, Kept]:
        return self.pictures

    def take(self, part: Part, profile: str, is_sure: bool) -> None:
        if self.refuse is not None:
            raise self.refuse
        if self.is_full and not is_sure:
            raise DoubtfulPicture("something seems to stand on D4")
        self.asked.append(("take", part, profile))
        self.pictures[part] = "taken"

    def kept_picture(self, part: Part, profile: str) -> bytes | None:
        return JPEG if self.pictures[part] else None

    def drop(self, part: Part, profile: str) -> None:
        self.pictures[part] = ""

    def lesson(self, profile: str) -> tuple[tuple[str, str], ...]:
        return () if profile == "open-table" else (("red", "C4"), ("white", "G7"))

    def taught(self, profile: str) -> tuple[str, ...]:
        return self.known

    def teach(self, profile: str, is_sure: bool) -> None:
        if self.is_full and not is_sure:
            raise DoubtfulPicture("what stands on C4 looks blue; red goes there")
        self.known = ("red", "white")

    def forget(self, profile: str) -> None:
        self.known = ()

    def read_dice(self, profile: str) -> TrayReading:
        if self.refuse is not None:
            raise self.refuse
        return self.reading

    def move_zone(self, zone: Zone | None) -> None:
        if self.refuse is not None:
            raise self.refuse
        self.zone = zone

    def printed(self, what: Printed, profile: str, paper: str) -> bytes:
        if paper != "a4":
            raise PrintingError(f"no paper is called {paper!r}")
        return f"{what} of {profile}".encode()

    def point_north(self) -> None:
        self.asked.append(("north",))

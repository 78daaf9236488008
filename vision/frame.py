"""A picture with the circumstances of its exposure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from companion.table.setting_up import Zone

Image = NDArray[np.uint8]
"""ndarray of shape (H, W, 3), uint8, BGR."""

Array = NDArray[Any]

GAMMA = 2.2
"""Of what a camera gives: light is its values to this power."""

LINEAR: Array = ((np.arange(256) / 255) ** GAMMA).astype(np.float32)
"""Linear light, 0 to 1, of each value that a camera gives, shape (256,)."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One exposure: the board's picture and, where the set-up has one, the tray's."""

    id: str
    """Unique within a run; evidence pictures are kept under it."""
    time_s: float
    """Monotonic time of the exposure, seconds."""
    board: Image
    tray: Image | None = None
    """From a second camera or a full-size crop; ``None`` when no tray is watched."""
    source: str = ""
    """What took it, e.g. ``"folder:evening1"``."""
    tray_zone: Zone | None = None
    """Where in the board's picture the tray's was cut out, where one exposure gave both; ``None``:
    it has a camera of its own."""
    tray_trouble: str = ""
    """Why that camera gives no picture, and what to do; the board's is there all the same."""


class Camera(Protocol):
    """A source of frames."""

    def read(self) -> Frame | None:
        """Return the next frame; ``None`` when the source has ended (folders only).

        Raises `CameraUnavailable` when no picture can be had, and `PictureError` when this one
        cannot be read (folders only). Whoever asks again gets the next one, or a camera opened
        anew.
        """
        ...

    def close(self) -> None:
        """Let the device go; may be called twice."""
        ...

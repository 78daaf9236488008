"""A scene: how the cameras stand and how the room looks, in one value."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from companion.boards.profile import XY, BoardProfile
from vision.frame import Array
from vision.printing.styles import STYLES
from vision.virtual.lens import Lens
from vision.virtual.light import LIGHTS
from vision.virtual.prints import DICE_SETS
from vision.virtual.tray import TRAY_FLOORS

BOARD_PX = (1280, 960)
TRAY_PX = (960, 720)
WHOLE_PX = (2560, 1920)
"""Of a camera that sees board and tray."""
TABLES = ("wood", "cloth")


@dataclass(frozen=True)
class Scene:
    """What stays the same about a table for an evening; the defaults are a kind living room."""

    tilt_deg: float = 7.0
    """Of the board camera from the vertical."""
    tilt_toward_deg: float = 80.0
    """Side on which it stands, from +x toward +y."""
    turn_deg: float = 2.5
    """Turn of the board's picture."""
    distortion: float = -0.03
    """First radial coefficient of both lenses."""
    fill: float = 0.86
    """Share of the picture's height (or width, on long boards) that the board takes up."""
    light: str = "ceiling"
    """One of `LIGHTS`."""
    noise: float = 2.2
    """Standard deviation of the sensor's noise, grey levels."""
    board_style: str = "deep"
    """One of the print's `STYLES`."""
    table: str = "wood"
    """One of `TABLES`."""
    tray_floor: str = "green felt"
    """One of `TRAY_FLOORS`."""
    tray_tilt_deg: float = 6.0
    tray_turn_deg: float = -2.0
    dice_set: int = 0
    """Index in `DICE_SETS`."""
    tray_at_mm: XY | None = None
    """Where the far left corner of the tray's floor is in the board's frame, if one camera sees
    both; ``None``: the tray has a camera of its own."""

    def __post_init__(self) -> None:
        for name, known in (
            ("light", LIGHTS),
            ("board_style", STYLES),
            ("table", TABLES),
            ("tray_floor", TRAY_FLOORS),
        ):
            if getattr(self, name) not in known:
                choices = ", ".join(known)
                raise ValueError(f"{name} must be one of {choices}, not {getattr(self, name)!r}")
        if not 0 <= self.dice_set < len(DICE_SETS):
            raise ValueError(f"dice_set must be 0 to {len(DICE_SETS) - 1}, not {self.dice_set}")

    @staticmethod
    def random(rng: np.random.Generator) -> Scene:
        """Return a scene as it might stand in anybody's living room."""

        def pick(choices: tuple[str, ...]) -> str:
            return choices[int(rng.integers(len(choices)))]

        return Scene(
            tilt_deg=float(rng.uniform(0, 16)),
            tilt_toward_deg=float(rng.uniform(0, 360)),
            turn_deg=float(rng.normal(0, 3) + 180 * (rng.random() < 0.15)),
            distortion=float(rng.uniform(-0.08, 0.01)),
            fill=float(rng.uniform(0.76, 0.88)),
            light=pick(tuple(LIGHTS)),
            noise=float(rng.uniform(1.0, 4.0)),
            board_style=pick(tuple(STYLES)),
            table=pick(TABLES),
            tray_floor=pick(TRAY_FLOORS),
            tray_tilt_deg=float(rng.uniform(0, 14)),
            tray_turn_deg=float(rng.normal(0, 4)),
            dice_set=int(rng.integers(len(DICE_SETS))),
        )

    def board_lens(self, profile: BoardProfile) -> Lens:
        """Return the camera over the board."""
        size_px = BOARD_PX if self.tray_at_mm is None else WHOLE_PX
        (x, y), (wide, tall) = self._in_sight(profile)
        lens = Lens(
            size_px=size_px,
            px_per_mm=self.fill * min(size_px[0] / wide, size_px[1] / tall),
            # Over a great cloth the camera hangs higher, else its lens would be a fisheye.
            distance_mm=max(850.0, 1.07 * profile.width_mm) if profile.is_open else 850.0,
            target_mm=(wide / 2 + x, tall / 2 + y),
            tilt_deg=self.tilt_deg,
            tilt_toward_deg=self.tilt_toward_deg,
            turn_deg=self.turn_deg,
            k1=self.distortion,
        )
        markers = _corners(profile)
        while not _in_view(lens, markers):  # whoever hangs a camera looks whether all is in view
            lens = replace(lens, px_per_mm=0.98 * lens.px_per_mm)
        return lens

    def _in_sight(self, profile: BoardProfile) -> tuple[XY, XY]:
        """Return corner and size of what the board's camera is to see, board frame."""
        x = y = -profile.marker_inset_mm
        wide, tall = profile.width_mm, profile.height_mm
        if self.tray_at_mm is None or profile.tray is None:
            return (x, y), (wide, tall)
        (left, top), (w, h) = self.tray_at_mm, profile.tray.size_mm
        x0, y0 = min(x, left), min(y, top)
        return (x0, y0), (max(x + wide, left + w) - x0, max(y + tall, top + h) - y0)

    def tray_lens(self, size_mm: tuple[float, float]) -> Lens:
        """Return the camera over a tray of this inside size."""
        return Lens(
            size_px=TRAY_PX,
            px_per_mm=0.69 * TRAY_PX[1] / size_mm[1],
            distance_mm=380.0,
            target_mm=(size_mm[0] / 2, size_mm[1] / 2),
            tilt_deg=self.tray_tilt_deg,
            turn_deg=self.tray_turn_deg,
            k1=self.distortion / 2,
        )


def _corners(profile: BoardProfile) -> Array:
    """Return the corners of the markers with their white rims, shape (N, 3), board frame."""
    half = 0.62 * profile.marker_side_mm
    return np.array(
        [
            (m.centre_mm[0] + dx, m.centre_mm[1] + dy, 0.0)
            for m in profile.markers
            for dx in (-half, half)
            for dy in (-half, half)
        ]
    )


def _in_view(lens: Lens, points: Array) -> bool:
    pixels = lens.project(points)
    return bool(np.all(pixels >= 0) and np.all(pixels <= np.array(lens.size_px) - 1))

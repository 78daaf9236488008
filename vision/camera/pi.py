"""The Raspberry Pi camera through picamera2, imported only when it is chosen."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import numpy as np

from companion.errors import CameraUnavailable
from vision.frame import Frame

TRAY_SHARE = (0.7, 0.6, 1.0, 1.0)
"""Left, top, right, bottom of the tray as shares of the picture: the near right corner."""

_SPARES_BRIGHT_PLACES = {"AeConstraintMode": 1, "ExposureValue": -0.7}
"""Libcamera's "highlight", in stops: the brightest fiftieth of the picture is brought to half of
what the sensor can show. By itself it looks at the picture as a whole, and on dark felt it makes
pale dice so bright that nothing is to be seen on them. Chosen on trays photographed ray by ray."""
_FOCUSES_ONCE = {"AfMode": 1, "AfTrigger": 0}
"""Libcamera's "auto", "start". By itself a lens that can be moved stays where it is, whatever it
looks at; focused again and again it would follow the hands."""


class PiCamera:
    """A Camera Module at its full sensor size, because a printed digit needs some twenty pixels.

    Parameters
    ----------
    clock : callable
        Monotonic seconds.
    number : int
        Which camera, where several are plugged in.
    package : module, optional
        Stands in for `picamera2` in tests.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        number: int = 0,
        package: ModuleType | Any = None,
    ) -> None:
        self._clock = clock
        self._count = 0
        self._name = f"picamera2:{number}"
        self._device: Any = _start(package or _import_picamera2(), number, self._name)

    def read(self) -> Frame:
        """Take a full-size picture. Raises `CameraUnavailable`."""
        if self._device is None:
            raise CameraUnavailable(f"the camera {self._name} has been closed")
        try:
            whole = np.asarray(self._device.capture_array("main"), np.uint8)
        except (RuntimeError, OSError, TimeoutError) as error:
            raise CameraUnavailable(
                f"the camera {self._name} gives no picture ({error}); check its ribbon cable"
            ) from error
        self._count += 1
        return Frame(
            id=f"p{self._count:06d}",
            time_s=self._clock(),
            board=whole,
            source=self._name,
        )

    def close(self) -> None:
        """Let the camera go; may be called twice."""
        if self._device is not None:
            self._device.stop()
            self._device.close()
            self._device = None


def _import_picamera2() -> ModuleType:
    try:
        return importlib.import_module("picamera2")
    except ImportError as error:
        raise CameraUnavailable(
            "picamera2 is not installed; on Raspberry Pi OS: sudo apt install python3-picamera2"
        ) from error


def _start(package: Any, number: int, name: str) -> Any:
    """Open, configure and start the camera at its sensor's full size."""
    try:
        device = package.Picamera2(number)
        # picamera2's "RGB888" is blue, green, red in memory: what OpenCV calls BGR.
        main = {"size": tuple(device.sensor_resolution), "format": "RGB888"}
        device.configure(device.create_still_configuration(main=main, buffer_count=2))
        _ask(device, _SPARES_BRIGHT_PLACES)
        device.start()
        _ask(device, _FOCUSES_ONCE)
    except (RuntimeError, IndexError, OSError) as error:
        raise CameraUnavailable(
            f"the camera {name} cannot be started ({error}): is the ribbon cable in, and does "
            "`rpicam-hello --list-cameras` list it?"
        ) from error
    return device


def _ask(device: Any, controls: Mapping[str, float]) -> None:
    """Set what this camera has of some controls: picamera2 refuses all if it lacks one."""
    known = device.camera_controls
    device.set_controls({name: value for name, value in controls.items() if name in known})

"""The Raspberry Pi camera through picamera2, imported only when it is chosen."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from companion.errors import CameraUnavailable
from vision.frame import Frame

TRAY_SHARE = (0.7, 0.6, 1.0, 1.0)
"""Left, top, right, bottom of the tray as shares of the picture: the near right corner."""


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
        device.start()
    except (RuntimeError, IndexError, OSError) as error:
        raise CameraUnavailable(
            f"the camera {name} cannot be started ({error}): is the ribbon cable in, and does "
            "`rpicam-hello --list-cameras` list it?"
        ) from error
    return device

"""A stand-in for picamera2 that is no kinder than picamera2 itself."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

WIDTH, HEIGHT = 4608, 2592
"""Those of a Camera Module 3."""
EXPOSURE_US = 20_000
MODULES = [f"/base/axi/pcie@120000/rp1/i2c@{bus}/imx708@1a" for bus in (88000, 80000)]
USB = "/base/axi/pcie@120000/rp1/usb@300000-2:1.0-046d:0825"
"""Names by which libcamera knows cameras."""


class Picamera2:
    """Stands in for the class of the same name; made by `package`."""

    failures: ClassVar[list[str | None]]
    """What fails in each camera that is opened; the last one counts for all that follow.

    ``"open"``: no ribbon cable is plugged in. ``"busy"``, ``"memory"``, ``"start"``, ``"unknown
    control"``, ``"capture"``, ``"close"``, and ``"hang"``: no picture comes.
    """
    asked: ClassVar[list[object]]
    """Controls that were set, and ``"start"``."""
    sensor_resolution = (WIDTH, HEIGHT)
    camera_controls: ClassVar[Mapping[str, tuple[int, int, int]]]
    age_s = EXPOSURE_US / 1e6
    """Since the exposure of a picture began: the last one is kept and given at once."""
    af_state: int | None = None
    """Of its lens: 2 is focused, 3 failed; ``None``: it cannot be moved."""
    closed = 0
    in_use: ClassVar[set[int]]

    @classmethod
    def _next_failure(cls) -> str | None:
        return cls.failures.pop(0) if len(cls.failures) > 1 else cls.failures[0]

    @classmethod
    def global_camera_info(cls) -> list[dict[str, object]]:
        """Name Camera Modules first, and after them what libcamera knows of USB cameras."""
        are_loose = cls.failures[0] == "open" and cls._next_failure()
        cameras = [USB] if are_loose else [*MODULES, USB]
        return [{"Id": name, "Num": number} for number, name in enumerate(cameras)]

    def __init__(self, camera_num: int = 0) -> None:
        assert camera_num < len(MODULES), "it opens a USB camera"
        self.number, self.fail = camera_num, self._next_failure()
        self.main: Mapping[str, Any] | None = None
        self.started = self.is_open = False
        # By itself it never closes both ends of this, if it cannot be opened.
        reader, self.notifyme_w = os.pipe()
        self.notifymeread = os.fdopen(reader, "rb")
        if self.fail == "busy" or camera_num in self.in_use:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.in_use.add(camera_num)
        self.is_open = True

    def create_still_configuration(
        self, main: Mapping[str, Any], buffer_count: int = 1
    ) -> dict[str, Any]:
        """Return a configuration."""
        assert set(main) <= {"format", "size", "stride", "preserve_ar"}
        return {"main": main, "buffer_count": buffer_count}

    def configure(self, config: Mapping[str, Any]) -> None:
        """Take a configuration."""
        size = config["main"]["size"]
        if type(size) is not tuple or any(side % 2 for side in size):
            raise RuntimeError("width and height should be even")
        if self.started:
            raise RuntimeError("Camera must be stopped before configuring")
        if self.fail == "memory":
            raise OSError(12, "Cannot allocate memory")
        self.main = config["main"]

    def set_controls(self, controls: Mapping[str, float]) -> None:
        """Set all controls, or none if one is unknown."""
        unknown = set(controls) - set(self.camera_controls)
        if unknown:
            raise RuntimeError(f"Control {min(unknown)} is not advertised by libcamera")
        self.asked.append(controls)

    def start(self) -> None:
        """Begin to take pictures."""
        assert self.main is not None, "it would take small ones for a preview"
        if self.fail == "start":
            raise RuntimeError("Failed to start camera: Invalid argument")
        if self.fail == "unknown control":
            raise KeyError("AfMode")
        self.asked.append("start")
        self.started = True

    def stop(self) -> None:
        """Wait behind a picture that may never come."""
        raise AssertionError("it waits for ever if the ribbon cable is loose")

    def close(self) -> None:
        """Let the camera go; a second time nothing is done."""
        if not self.is_open:
            return
        type(self).closed += 1
        self.is_open = self.started = False
        self.in_use.discard(self.number)
        self.notifymeread.close()
        os.close(self.notifyme_w)
        if self.fail == "close":
            raise RuntimeError("Failed to release camera: Device or resource busy")

    def __del__(self) -> None:
        self.close()

    def capture_arrays(
        self, names: Sequence[str], wait: float
    ) -> tuple[list[np.ndarray], dict[str, int]]:
        """Return the last picture and what is known of it; its colours are blue, green, red."""
        assert names == ["main"]
        assert 1 < wait < 60, "it waits for ever by itself"
        assert self.main is not None
        if self.fail == "capture":
            raise RuntimeError("failed to lock-sync-write dma buf")
        if self.fail == "hang" or not self.started:
            raise TimeoutError  # what comes after `wait` seconds has no text
        assert self.main["format"] == "RGB888", "red and blue are exchanged"
        width, height = self.main["size"]
        begun_ns = time.monotonic_ns() - round(self.age_s * 1e9)
        about = {
            "SensorTimestamp": begun_ns + 1000 * EXPOSURE_US,
            "ExposureTime": EXPOSURE_US,
        }
        if self.af_state is not None:
            about["AfState"] = self.af_state
        return [np.full((height, width, 3), 10 * self.number, np.uint8)], about


def package(fail: str | None = None, controls: Sequence[str] = ()) -> Any:
    """Return what stands in for the module, each with cameras of its own."""
    marks = {
        "camera_controls": dict.fromkeys(controls, (-8, 8, 0)),
        "asked": [],
        "failures": [fail],
        "in_use": set(),
    }
    return type("Package", (), {"Picamera2": type("Picamera2", (Picamera2,), marks)})

"""The Raspberry Pi camera through picamera2, imported only when it is chosen."""

from __future__ import annotations

import importlib
import logging
import os
import time
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import numpy as np

from companion.errors import CameraUnavailable
from vision.frame import Frame

_LOG = logging.getLogger(__name__)

TRAY_ZONE = (0.7, 0.6, 1.0, 1.0)
"""Left, top, right, bottom of the tray as shares of the picture: the near right corner."""

_SPARES_BRIGHT_PLACES = {"AeConstraintMode": 1, "ExposureValue": -0.7}
"""Libcamera's "highlight", in stops: the brightest fiftieth of the picture is brought to half of
what the sensor can show. By itself it looks at the picture as a whole, and on dark felt it makes
pale dice so bright that nothing is to be seen on them. Chosen on trays photographed ray by ray."""
_KEEPS_ITS_PACE = {"NoiseReductionMode": 1}
"""Libcamera's "fast". For a still picture picamera2 asks for "high quality", at the expense of the
frame rate (so on a Pi 3 or 4, whose ISP is slower then); here each picture is one of many."""
_FOCUSES_ONCE = {"AfMode": 1, "AfTrigger": 0}
"""Libcamera's "auto", "start". By itself a lens that can be moved stays where it is, whatever it
looks at; focused again and again it would follow the hands."""
_OUT_OF_FOCUS = 3
"""Libcamera's "failed": in the dark, say, when the Pi was switched on. The lens stays anywhere."""
_FOCUS_EVERY = 30
"""So many pictures after which such a lens is asked again."""

PATIENCE_S = 10.0
"""So long a picture is waited for: longer than the longest exposure takes, and the start before the
first. By itself picamera2 waits for ever when the ribbon cable has come loose."""

_NOT_OURS = "is another program using it, or its ribbon cable loose?"
_NO_ROOM = (
    "there is no room for its pictures. Start the Pi anew; if that does not help on a Pi 3, write "
    "dtoverlay=vc4-kms-v3d,cma-320 for dtoverlay=vc4-kms-v3d in /boot/firmware/config.txt"
)


class PiCamera:
    """A Camera Module at its full sensor size, because a printed digit needs some twenty pixels.

    One that gives no picture is opened anew at the next reading.

    Parameters
    ----------
    clock : callable
        Monotonic seconds.
    number : int
        Which camera, where several are plugged in.
    package : module, optional
        Stands in for `picamera2` in tests.
    may_be_missing : bool
        Whether it is opened at the first reading only.

    Raises
    ------
    CameraUnavailable
        It is not there or will not start, or picamera2 is missing.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        number: int = 0,
        package: ModuleType | Any = None,
        may_be_missing: bool = False,
    ) -> None:
        self._clock = clock
        self._count = 0
        self._number = number
        self._name = f"picamera2:{number}"
        self._package = package or _import_picamera2()
        self._is_closed = False
        self._device: Any = None if may_be_missing else self._start()
        """``None`` before it was there, and after it has failed."""

    def read(self) -> Frame:
        """Take a full-size picture. Raises `CameraUnavailable`."""
        if self._is_closed:
            raise CameraUnavailable(f"the camera {self._name} has been closed")
        if self._device is None:
            self._device = self._start()
        try:
            (whole,), about = self._device.capture_arrays(["main"], wait=PATIENCE_S)
            age_s = _age_s(about)
            self._count += 1
            if about.get("AfState") == _OUT_OF_FOCUS and self._count % _FOCUS_EVERY == 0:
                _ask(self._device, _FOCUSES_ONCE)
        except Exception as error:
            self._let_go()
            why = f"none within {PATIENCE_S:.0f} s" if isinstance(error, TimeoutError) else error
            raise CameraUnavailable(
                f"the camera {self._name} gives no picture ({why}); check its ribbon cable"
            ) from error
        return Frame(
            id=f"p{self._count:06d}",
            time_s=self._clock() - age_s,
            board=np.asarray(whole, np.uint8),
            source=self._name,
        )

    def close(self) -> None:
        """Let the camera go; may be called twice."""
        self._is_closed = True
        self._let_go()

    def _start(self) -> Any:
        return _start(self._package, self._number, self._name)

    def _let_go(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            _close(device, self._name)


def _age_s(about: Mapping[str, Any]) -> float:
    """Return how long ago the exposure of a picture began.

    picamera2 keeps the last picture for whoever asks next, and others are on their way by then.
    """
    # Of the monotonic clock; the first row is read out when its exposure ends.
    begun_ns: int = about["SensorTimestamp"] - 1000 * about["ExposureTime"]
    return max(0.0, (time.monotonic_ns() - begun_ns) / 1e9)


def _import_picamera2() -> ModuleType:
    try:
        return importlib.import_module("picamera2")
    except ImportError as error:
        raise CameraUnavailable(
            "picamera2 is not to be seen; on Raspberry Pi OS: sudo apt install python3-picamera2, "
            "then make setup"
        ) from error
    except Exception as error:
        raise CameraUnavailable(
            f"picamera2 cannot be loaded ({error}): it was built against another numpy, perhaps. "
            "Where there is a network: rm -r .venv, then make setup, which chooses what suits it"
        ) from error


def _start(package: Any, number: int, name: str) -> Any:
    """Open, configure and start the camera at its sensor's full size."""
    try:
        _check_is_there(package.Picamera2, number, name)
        device = _open(package.Picamera2, number)
        try:
            # picamera2's "RGB888" is blue, green, red in memory: what OpenCV calls BGR.
            main = {"size": tuple(device.sensor_resolution), "format": "RGB888"}
            device.configure(device.create_still_configuration(main=main, buffer_count=2))
            _ask(device, _SPARES_BRIGHT_PLACES | _KEEPS_ITS_PACE)
            device.start()
            _ask(device, _FOCUSES_ONCE)
        except BaseException:
            # Else it stays taken, and no later try can have it.
            _close(device, name)
            raise
    except CameraUnavailable:
        raise
    except Exception as error:  # of every kind, as in `_close`
        hint = _NO_ROOM if "Cannot allocate memory" in str(error) else _NOT_OURS
        raise CameraUnavailable(f"the camera {name} cannot be started ({error}): {hint}") from error
    return device


def _check_is_there(kind: Any, number: int, name: str) -> None:
    """Raise `CameraUnavailable` if there is no such Camera Module.

    picamera2 counts USB cameras behind them: where the ribbon cable is loose it would take one of
    those, and give its pictures in a format that nobody here expects.
    """
    modules = [known for known in kind.global_camera_info() if "/usb" not in known["Id"]]
    if number >= len(modules):
        raise CameraUnavailable(
            f"the camera {name} is not there: switch the Pi off, push the ribbon cable in and "
            "switch it on again, for only then is it looked for; `rpicam-hello --list-cameras` "
            "lists those that were found"
        )


def _open(kind: Any, number: int) -> Any:
    """Make a `Picamera2`; one that cannot be opened leaves nothing open behind it.

    By itself it keeps one end of a pipe at each failure, and a camera that is waited for all
    evening is tried every second: after a thousand no phone could connect any more.
    """
    device = kind.__new__(kind)
    try:
        device.__init__(number)
    except BaseException:
        if getattr(device, "is_open", False):
            _close(device, f"picamera2:{number}")
        reader = getattr(device, "notifymeread", None)
        if reader is not None and not reader.closed:
            reader.close()
            os.close(device.notifyme_w)
        raise
    return device


def _close(device: Any, name: str) -> None:
    """Close a camera, which may be ill.

    Its `stop` is left out: it would wait its turn behind a picture that never comes, and `close`
    stops the camera itself.
    """
    try:
        device.close()
    except Exception as error:  # noqa: BLE001 - libcamera's errors are of every kind
        _LOG.warning("the camera %s did not close: %s", name, error)


def _ask(device: Any, controls: Mapping[str, float]) -> None:
    """Set what this camera has of some controls: picamera2 refuses all if it lacks one."""
    known = device.camera_controls
    device.set_controls({name: value for name, value in controls.items() if name in known})

"""gpiozero's many pin errors, told in one sentence each."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

import gpiozero

from companion.errors import HardwareError


@contextmanager
def named_pin_errors(device: str) -> Iterator[None]:
    """Turn what is raised for an unusable pin into `HardwareError`.

    gpiozero lets through what its backends raise: of lgpio's own kind is "GPIO busy", when another
    program has the pin. A device that could not be made keeps its pin for as long as anything
    refers to it; in Python 3.13 the error itself does, so that is made to forget it.

    Parameters
    ----------
    device : what wanted the pin, for the message, e.g. ``"the turn button"``.
    """
    try:
        with warnings.catch_warnings():
            # Which backends it has tried in vain is of no use to anybody but us.
            warnings.simplefilter("ignore", gpiozero.PinFactoryFallback)
            warnings.simplefilter("ignore", gpiozero.NativePinFactoryFallback)
            yield
    except Exception as error:
        reason = _reason(error)
        traceback.clear_frames(error.__traceback__)
        raise HardwareError(f"{device}: {reason}") from error


def _reason(error: Exception) -> str:
    match error:
        case gpiozero.GPIOPinInUse():
            return f"this pin is taken already ({error})"
        case gpiozero.PinInvalidPin():
            return f"this pin cannot serve ({error})"
        case _ if isinstance(error, gpiozero.BadPinFactory) or _is_makeshift():
            return f"no GPIO pins can be reached here; {_remedy()}"
        case gpiozero.PinFixedPull() | gpiozero.PinPWMError():
            return f"this pin cannot serve ({error})"
        case _:
            return f"the pin will not open ({error})"


def _is_makeshift() -> bool:
    """Whether gpiozero makes do with a backend that opens on a Pi 3 or 4, but gives no pins there.

    Linux 6.6 knows them no longer by the numbers by which these two ask for them.
    """
    backend = type(gpiozero.Device.pin_factory).__module__
    return backend in ("gpiozero.pins.native", "gpiozero.pins.rpigpio")


def _remedy() -> str:
    """Say what lets lgpio reach the pins, which alone reaches those of every Pi."""
    if find_spec("lgpio") is None:
        return "on a Raspberry Pi: sudo apt install python3-lgpio, then make setup"
    # It puts a pipe there, `.lgd-nfy0`, even before it looks for pins.
    return (
        "lgpio is installed, but only users in the group gpio may use the pins (sudo adduser $USER "
        "gpio, then log in anew), and it must be able to write in the folder it is started from"
    )

"""gpiozero's many pin errors, told in one sentence each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import gpiozero

from companion.errors import HardwareError


@contextmanager
def named_pin_errors(device: str) -> Iterator[None]:
    """Turn what gpiozero raises for an unusable pin into `HardwareError`.

    Parameters
    ----------
    device : what wanted the pin, for the message, e.g. ``"the turn button"``.
    """
    try:
        yield
    except gpiozero.GPIOPinInUse as error:
        raise HardwareError(f"{device}: this pin is taken already ({error})") from error
    except gpiozero.BadPinFactory as error:
        raise HardwareError(
            f"{device}: no GPIO pins can be reached here; on a Raspberry Pi install python3-lgpio"
        ) from error
    except (gpiozero.PinInvalidPin, gpiozero.PinFixedPull, gpiozero.PinPWMError) as error:
        raise HardwareError(f"{device}: this pin cannot serve ({error})") from error
    except (gpiozero.GPIOZeroError, ValueError, OSError) as error:
        raise HardwareError(f"{device}: the pin will not open ({error})") from error

"""What the dice of one tray have told so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from vision.dice.facing import LensMemory, UsualFacing
from vision.dice.lettering import Lettering
from vision.dice.vouched import Vouched


@dataclass
class TrayMemory:
    """What is known of one tray and its dice, the better the longer; from one thread only."""

    lenses: LensMemory = field(default_factory=LensMemory)
    usual: UsualFacing = field(default_factory=UsualFacing)
    lettering: Lettering = field(default_factory=Lettering)
    vouched: Vouched = field(default_factory=Vouched)

    def of_the_dice(self) -> TrayMemory:
        """Return what holds of the dice in another tray, too."""
        return TrayMemory(lettering=self.lettering, vouched=self.vouched)

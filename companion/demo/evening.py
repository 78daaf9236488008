"""An evening at the virtual table: table, service, buttons and captains put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType

import numpy as np
from gpiozero.pins.mock import MockFactory

from companion.boards.choice import board_for
from companion.boards.profile import XY, BoardProfile
from companion.demo.captains import Captains
from companion.demo.phone import Phone
from companion.errors import BadOptions
from companion.ledger.store import Store
from companion.rules.catalogue import find_game
from companion.rules.game import GameOver
from companion.rules.layout import Die, Layout, Placed, Spot
from companion.rules.options import new_game, playable
from companion.rules.plane import place
from companion.service import Service
from companion.setup.looks import Looks
from hardware.buttons import TURN_PIN, Buttons
from vision.frame import Camera
from vision.virtual.camera import VirtualCamera
from vision.virtual.scene import Scene
from vision.virtual.table import VirtualTable

NO_OPTIONS: Mapping[str, object] = MappingProxyType({})
NAMES = ("Anne", "Bart", "Calico", "Drake", "Edward", "Ching", "Grace", "Henry")


class Hands:
    """Hands at a virtual table, as `companion.demo.party.Pieces`."""

    def __init__(self, table: VirtualTable, profile: BoardProfile, seats: int) -> None:
        self._table, self._profile, self._seats = table, profile, seats
        self._layout = Layout()
        self._standing: Mapping[int, Placed] = {}
        """Where pieces were really put; they are held to stand where they were measured."""

    def lay(self, layout: Layout) -> None:
        """Put the pieces so."""
        held = self._layout.pieces
        self._standing = {
            tag: self._standing[tag] if held.get(tag) == piece and tag in self._standing else piece
            for tag, piece in layout.pieces.items()
        }
        self._layout = layout
        self._table.lay(replace(layout, pieces=self._standing))

    def accept(self, layout: Layout) -> None:
        """Hold the pieces to stand so; none is touched."""
        self._layout = layout

    def roll(self, dice: tuple[Die, ...]) -> None:
        """Throw dice into the tray."""
        self._table.throw(dice)

    def take(self, dice: tuple[Die, ...]) -> None:
        """Take dice out of the tray."""
        self._table.take(dice)

    def sweep(self) -> None:
        """Take all dice out of the tray."""
        self._table.sweep()

    def reach(self, spots: tuple[Spot, ...], seat: int) -> None:
        """Hold a hand over the board, or over the tray when nothing lies there to be touched."""
        from_deg = 90.0 + 360.0 * seat / self._seats
        if spots:
            self._table.reach(self._place(spots[0]), from_deg)
        elif self._profile.tray is not None:
            width, height = self._profile.tray.size_mm
            self._table.reach((width / 2, height / 2), from_deg, over="tray")

    def withdraw(self) -> None:
        """Take the hand away."""
        self._table.withdraw()

    def _place(self, spot: Spot) -> XY:
        """Return where on the board something lies; a piece that comes is put in the middle."""
        if isinstance(spot, tuple):
            return self._profile.cell_centre_mm(spot)
        piece = self._layout.pieces.get(spot)
        if piece is None:
            return self._profile.width_mm / 2, self._profile.height_mm / 2
        return place(piece.pose)


class Evening:
    """A virtual table with the real service watching it.

    Parameters
    ----------
    game : str
        Id of the game.
    seed : int
        Of everything random: dice, choices, light, camera, noise.
    store : Store
        The ledger.
    clock : callable
        Monotonic time of the pictures, seconds.
    players : int or None
        How many captains; by default drawn from the seed among the numbers that the options allow.
    options : mapping
        Options of the game.
    through : callable
        What the service looks through: given the virtual camera, returns the camera to use.
    """

    def __init__(
        self,
        game: str,
        seed: int,
        store: Store,
        clock: Callable[[], float],
        players: int | None = None,
        options: Mapping[str, object] = NO_OPTIONS,
        through: Callable[[Camera], Camera] = lambda camera: camera,
    ) -> None:
        self._rng = Random(seed)
        noise = np.random.default_rng(seed)
        self.rules = find_game(game)
        self.profile = board_for(self.rules.info, options)
        self._options = {**options, **self.profile.options}
        fewest, most = self.rules.info.players
        if players is not None and not fewest <= players <= most:
            raise BadOptions(
                f"{self.rules.info.title} is for {fewest} to {most} captains, not {players}"
            )
        counts = playable(self.rules, self._options) if players is None else [players]
        self.names = NAMES[: self._rng.choice(counts)]
        new_game(self.rules, self.names, self._options)  # what cannot be played is refused at once
        self.table = VirtualTable(self.profile, Scene.random(noise), noise, clock)
        looks = Looks(self.table.empty_board(), self.table.empty_tray())
        self.service = Service(store, through(VirtualCamera(self.table)), looks)
        self._pins = MockFactory()
        self._buttons = Buttons(
            self.service.press_turn,
            self.service.press_undo,
            pin_factory=self._pins,
            bounce_s=0.0,  # these contacts do not bounce, and presses may follow at once
        )

    def captains(self, take_phone: Callable[[], Phone], wait: Callable[[], None]) -> Captains:
        """Return the captains, who open a game or go on with the one in play.

        A game from the ledger goes on with the pieces lying as they were recorded.
        """
        referee = self.service.table()
        if referee is None or isinstance(self.rules.pending(referee.state), GameOver):
            referee = self.service.open(self.rules.info.id, self.names, self._options)
        layout = self.rules.layout(referee.state)
        self.table.lay(layout)
        self.table.throw(layout.dice)
        return Captains(
            self.rules,
            referee.state,
            Hands(self.table, self.profile, len(referee.snapshot().seats)),
            take_phone(),
            self._press_turn,
            wait,
            self._rng,
        )

    def result(self) -> str:
        """Return who has won, as the phones show it."""
        referee = self.service.table()
        return referee.snapshot().result if referee else ""

    def _press_turn(self) -> None:
        pin = self._pins.pin(TURN_PIN)
        pin.drive_low()
        pin.drive_high()

    def close(self) -> None:
        """Clear the table away."""
        self._buttons.close()
        self._pins.close()
        self.service.close()

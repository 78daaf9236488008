"""The virtual table: the truth of a table and its cameras."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from threading import RLock

import numpy as np

from companion.boards.profile import XY, BoardProfile
from companion.rules.layout import Cell, Die, Layout, Placed
from vision.frame import Array, Frame, Image
from vision.virtual.beside import in_tray, put_beside
from vision.virtual.boards import BoardOnTable
from vision.virtual.canvas import Canvas
from vision.virtual.coins import CoinPose
from vision.virtual.dice import DiePose, render_tray, scatter
from vision.virtual.fleet import put_out
from vision.virtual.hand import Hand, paint_hand
from vision.virtual.lens import Lens
from vision.virtual.light import LIGHTS, Light, Noise
from vision.virtual.pieces import ShipPose, paint_doubloon
from vision.virtual.prints import DICE_SETS
from vision.virtual.scene import TRAY_PX, Scene
from vision.virtual.tray import empty_tray, floor_corners_mm

_FIDGET_MM = 5.0
"""A hand in view moves about this much from one exposure to the next."""


class VirtualTable:
    """A table with a board, pieces, a dice tray, people's hands and a camera over each.

    If the scene says where the tray stands beside the board, one camera sees both: its frames show
    the whole, and have no picture of the tray.

    Hands of several threads may act on it; each call is one undivided change. Pieces and dice that
    are not touched keep their exact pose from picture to picture.
    """

    def __init__(
        self,
        profile: BoardProfile,
        scene: Scene,
        rng: np.random.Generator,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Set up an empty table; everything random about it comes from `rng`.

        Raises `BoardError` if the profile's markers cannot be drawn.
        """
        self._lock = RLock()
        self._profile, self._scene, self._rng, self._clock = profile, scene, rng, clock
        self._board_lens = scene.board_lens(profile)
        self._tray_mm: XY | None = profile.tray.size_mm if profile.tray else None
        self._light: Light = LIGHTS[scene.light]
        self._surfaces = BoardOnTable(profile, scene.board_style, scene.table, rng)
        self._tray_seed = int(rng.integers(2**32))
        sizes = (self._board_lens.size_px, TRAY_PX)
        self._noises = {px: Noise(px, scene.noise, rng) for px in sizes}
        self._layout = Layout()
        self._pieces = put_out(profile, rng)
        self._dice: tuple[DiePose, ...] = ()
        self._doubloons: tuple[XY, ...] = ()
        self._hands: dict[str, Hand] = {}
        self._frames = 0
        self._bare: dict[str, Image] = {}
        """The empty board and tray without noise; made again when lens or light change."""
        self._laid: dict[str, Image] = {}
        """The same with everything on them."""

    @property
    def layout(self) -> Layout:
        """The truth: what lies on the board (its dice are those of the last `lay`)."""
        with self._lock:
            return self._layout

    @property
    def dice(self) -> tuple[DiePose, ...]:
        """The truth: every die in the tray, spent or not."""
        with self._lock:
            return self._dice

    @property
    def ships(self) -> Mapping[tuple[Cell, str], ShipPose | CoinPose]:
        """The truth: where each ship stands, by cell and colour; of a stack the topmost."""
        with self._lock:
            return self._pieces.ships

    @property
    def tagged(self) -> Mapping[int, Placed]:
        """The truth: where each piece of an open table stands, by its tag."""
        with self._lock:
            return self._pieces.tagged

    @property
    def tray_px(self) -> Array:
        """The truth: the corners (4, 2) of the tray's floor in the picture that shows it.

        Top-left, then clockwise. Raises `ValueError` without a tray.
        """
        with self._lock:
            if self._tray_mm is None:
                raise ValueError(f"the board {self._profile.id!r} has no dice tray")
            corners = np.column_stack([floor_corners_mm(self._tray_mm), np.zeros(4)])
            return self._tray_lens(self._tray_mm).project(corners)

    def lay(self, layout: Layout) -> None:
        """Put the pieces on the board as the layout says. The tray is left alone."""
        with self._lock:
            self._pieces.lay(self._layout, layout)
            self._layout = layout
            self._laid.pop("board", None)

    def throw(self, dice: Iterable[Die]) -> None:
        """Roll dice into the tray beside those that lie there; they show these faces.

        Raises `ValueError` if the tray is too full.
        """
        with self._lock:
            if self._tray_mm is None:
                raise ValueError(f"the board {self._profile.id!r} has no dice tray")
            kinds = [(die.kind, die.face) for die in dice]
            self._dice += scatter(kinds, self._tray_mm, self._rng, self._dice)
            self._laid.pop("tray", None)

    def take(self, dice: Iterable[Die]) -> None:
        """Take dice out of the tray. Raises `ValueError` if one does not lie there."""
        with self._lock:
            lying = list(self._dice)
            for die in dice:
                found = [d for d in lying if (d.kind, d.face) == (die.kind, die.face)]
                if not found:
                    raise ValueError(f"no {die.kind} die showing {die.face} lies in the tray")
                lying.remove(found[0])
            self._dice = tuple(lying)
            self._laid.pop("tray", None)

    def sweep(self) -> None:
        """Take all dice out of the tray."""
        with self._lock:
            self._dice = ()
            self._laid.pop("tray", None)

    def set_doubloons(self, count: int) -> None:
        """Let this many doubloons lie in the treasure zone."""
        with self._lock:
            zone = next((z for z in self._profile.zones if z.id == "treasure"), None)
            coins = list(self._doubloons[:count])
            while zone is not None and len(coins) < count:
                (x, y), (w, h) = zone.origin_mm, zone.size_mm
                dx, dy = self._rng.uniform((12, 12), (w - 12, h - 12))
                coins.append((x + float(dx), y + float(dy)))
            self._doubloons = tuple(coins)
            self._laid.pop("board", None)

    def reach(
        self, to_mm: XY, from_deg: float = 90.0, over: str = "board", is_left: bool = False
    ) -> None:
        """Hold a hand over the board or the tray; it moves a little until `withdraw`.

        Parameters
        ----------
        to_mm : (x, y)
            Where the fingertips are, in the frame of the board or of the tray's floor.
        from_deg : float
            Where its owner sits, from +x toward +y (90: at the near edge).
        over : str
            ``"board"`` or ``"tray"``.
        is_left : bool
            A left hand.
        """
        if over not in ("board", "tray"):
            raise ValueError(f"a hand reaches over 'board' or 'tray', not {over!r}")
        with self._lock:
            self._hands[over] = Hand(to_mm, from_deg, is_left=is_left)

    def withdraw(self) -> None:
        """Take all hands away."""
        with self._lock:
            self._hands.clear()

    def bump(self, shift_mm: float = 4.0, turn_deg: float = 0.4) -> None:
        """Knock against the board's camera: it looks elsewhere by about this much from now on."""
        with self._lock:
            way = 2 * np.pi * self._rng.random()
            x, y = self._board_lens.target_mm
            target = (x + shift_mm * float(np.cos(way)), y + shift_mm * float(np.sin(way)))
            turn = self._board_lens.turn_deg + turn_deg * (-1 if self._rng.random() < 0.5 else 1)
            self._board_lens = replace(self._board_lens, target_mm=target, turn_deg=turn)
            self._forget_pictures()

    def dim(self, level: float) -> None:
        """Turn the light down (or up): `level` is relative to the scene's light, 1 as it was."""
        with self._lock:
            scene_light = LIGHTS[self._scene.light]
            self._light = replace(scene_light, level=scene_light.level * level)
            self._forget_pictures()

    def empty_board(self) -> Image:
        """Return a picture of the board without pieces and hands, as it would be taken now."""
        with self._lock:
            return self._exposed(self._beside(self._bare_board(), self._bare_tray()))

    def empty_tray(self) -> Image | None:
        """Return a picture of the tray without dice and hands; ``None`` without a tray."""
        with self._lock:
            bare = self._bare_tray()
            return None if bare is None or self._is_beside else self._exposed(bare)

    def frame(self) -> Frame:
        """Return the next exposure of all cameras."""
        with self._lock:
            tray = self._laid_tray()
            board = self._with_hand("board", self._beside(self._laid_board(), tray))
            if tray is not None:
                if self._is_beside:
                    board, tray = self._with_hand("tray", board), None
                else:
                    tray = self._exposed(self._with_hand("tray", tray))
            self._frames += 1
            return Frame(
                id=f"v{self._frames:06d}",
                time_s=self._clock(),
                board=self._exposed(board),
                tray=tray,
                source="virtual",
            )

    @property
    def _is_beside(self) -> bool:
        """One camera sees board and tray."""
        return self._scene.tray_at_mm is not None

    def _tray_lens(self, size_mm: XY) -> Lens:
        at_mm = self._scene.tray_at_mm
        return self._scene.tray_lens(size_mm) if at_mm is None else in_tray(self._board_lens, at_mm)

    def _exposed(self, clean: Image) -> Image:
        height, width = clean.shape[:2]
        return self._noises[width, height].expose(clean, self._rng)

    def _beside(self, board: Image, tray: Image | None) -> Image:
        """Return the board's picture with the tray in it, if its camera sees both."""
        if tray is None or self._tray_mm is None or not self._is_beside:
            return board
        return put_beside(board, tray, self._tray_lens(self._tray_mm), self._tray_mm)

    def _forget_pictures(self) -> None:
        self._bare.clear()
        self._laid.clear()

    def _bare_board(self) -> Image:
        if "board" not in self._bare:
            self._bare["board"] = self._surfaces.picture(self._board_lens, self._light)
        return self._bare["board"]

    def _bare_tray(self) -> Image | None:
        if self._tray_mm is None:
            return None
        if "tray" not in self._bare:
            scene, lens = self._scene, self._tray_lens(self._tray_mm)
            grain = np.random.default_rng(self._tray_seed)
            self._bare["tray"] = empty_tray(
                lens, self._light, self._tray_mm, scene.tray_floor, scene.table, grain
            )
        return self._bare["tray"]

    def _laid_board(self) -> Image:
        if "board" not in self._laid:
            canvas = Canvas(self._bare_board().copy(), self._board_lens, self._light)
            for x, y in self._doubloons:
                paint_doubloon(canvas, x, y)
            self._pieces.paint(canvas)
            self._laid["board"] = canvas.picture
        return self._laid["board"]

    def _laid_tray(self) -> Image | None:
        bare = self._bare_tray()
        if bare is None or self._tray_mm is None:
            return None
        if "tray" not in self._laid:
            lens = self._tray_lens(self._tray_mm)
            look = DICE_SETS[self._scene.dice_set]
            self._laid["tray"] = render_tray(bare, lens, self._light, self._dice, look)
        return self._laid["tray"]

    def _with_hand(self, over: str, clean: Image) -> Image:
        hand = self._hands.get(over)
        if hand is None:
            return clean
        dx, dy = self._rng.uniform(-_FIDGET_MM, _FIDGET_MM, 2)
        moved = replace(hand, to_mm=(hand.to_mm[0] + float(dx), hand.to_mm[1] + float(dy)))
        if over == "board":
            lens = self._board_lens
        else:
            lens = self._tray_lens(self._tray_mm or (1.0, 1.0))
        canvas = Canvas(clean.copy(), lens, self._light)
        paint_hand(canvas, moved)
        return canvas.picture

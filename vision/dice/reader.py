"""The reader of a dice tray: a picture in, one `DieReading` a die out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

import cv2
import numpy as np

from companion.boards.profile import XY
from companion.errors import NotCalibrated
from companion.rules.layout import Die
from companion.table.observation import DieReading
from companion.table.unsure_dice import NO_DIE, STACKED
from vision.dice.aspect import DOUBTS, Aspect
from vision.dice.crops import Box, is_in, middle_of
from vision.dice.finder import SEEN_PX, Found
from vision.dice.floor import BareFloor, SeenFloor, things_on
from vision.dice.kinds import FACES, SHAPES
from vision.dice.looks import LookBook
from vision.dice.memory import TrayMemory
from vision.dice.outline import FITS, JUDGED, LIES_ON, Flatness, contours_of, outline_of
from vision.dice.reading import SURE, DiceReader, SeenDie, seen_as
from vision.dice.teller import Odds
from vision.dice.tetrahedra import Base
from vision.dice.tray import Sight, TrayView, grown
from vision.dice.tray_search import find_tray
from vision.frame import Array, Image

_MIDDLE_MM = {"cube": 8.0, "icosahedron": 11.0, "tetrahedron": 5.5, "dodecahedron": 9.0}
"""Height of a die's middle, which its box is centred on."""
_TOP_MM = 9.0
"""Usual height of the middle of d8 to d20 over the floor, and of their top side over it."""
_UNKNOWN_MIDDLE_MM = 8.0
_MOST_AROUND = 2.2
"""A thing around a die that is larger by this is no part of it."""
_FOOT = 0.12
"""By this share of its size a die's box is grown before what lies beside it is looked at."""
_SAME_MM = 5.0
"""Two tetrahedra that stand nearer to each other are one: a side of it was taken for another."""
_RIM_MM = 12.0
"""So far outside the floor the middle of a die may seem to be: it leans outward, and the tray may
have been found too small. What lies beside the wall is farther away."""
_FITTING_WORTH = 0.3
"""So much it counts that a die looks like nothing that can be told, if its outline says that all of
it is seen: a black top without a sign is a null. Chosen on virtual piecepack dice."""

_Placed = tuple[SeenDie, XY]
"""A die, and where it lies on the floor, mm."""


class TrayReader:
    """Reads the pictures of one tray under one camera that stands still, or says when it moved.

    Once the tray has been seen empty, dice whose outlines say that they do not lie flat and alone
    are doubted (`vision.dice.outline`).

    Parameters
    ----------
    size_mm : inside width and height of the tray's floor (`BoardProfile.tray`).
    empty : (H, W, 3) uint8 BGR, the tray without dice. With it whatever else lies in the tray is
        reported too, as a thing that cannot be told: a covered die must not be overlooked.

    Raises
    ------
    NotCalibrated
        if `empty` is given and no tray is found in it.
    """

    def __init__(self, size_mm: XY, empty: Image | None = None) -> None:
        self.size_mm = size_mm
        self._empty = empty
        self._sight: Sight | None = None
        self._dice = _reader()
        self._looks, self._memory = LookBook(), TrayMemory()
        self._view: TrayView | None = None
        self._bare: BareFloor | None = None
        self._flatness = Flatness()
        self._start()

    def _start(self) -> None:
        if self._empty is not None:
            self._bare = BareFloor(self.view(self._empty).rectify(self._empty))

    def view(self, picture: Image) -> TrayView:
        """Return where the tray is; looked for in `picture` the first time, or anew."""
        if self._view is None:
            self._view = find_tray(picture, self.size_mm, self._sight)
        return self._view

    def sees_by(self, sight: Sight) -> None:
        """Say how the camera sees: where a tray at the side of its picture is, hangs on that.

        Raises
        ------
        NotCalibrated
            if no tray is found in the picture of the empty one; from then on it is not used.
        """
        self._sight, self._view, self._bare = sight, None, None
        self._memory = self._memory.of_the_dice()
        self._flatness = Flatness()
        self._start()

    def was_bare(self, picture: Image, view: TrayView) -> None:
        """Take a picture in which no dice lay, where the floor is as `view` tells."""
        self._bare = BareFloor(view.rectify(picture))

    def misfit(self, picture: Image) -> str | None:
        """Say why the picture of the empty tray tells nothing of this one: its size is another.

        The tray is elsewhere in it then: the camera was set otherwise, or another zone cut out.
        """
        if self._empty is None or self._empty.shape == picture.shape:
            return None
        return (
            f"the picture of the empty tray is {_size(self._empty)}, the camera gives "
            f"{_size(picture)}: take it anew with the same camera and zone"
        )

    def forget_empty(self) -> None:
        """Go on without the picture of the empty tray: it tells nothing of these."""
        self._empty = self._view = self._bare = None

    def read(
        self,
        picture: Image,
        expect: Sequence[str] | None = None,
        view: TrayView | None = None,
    ) -> tuple[DieReading, ...]:
        """Return the dice in the tray, left to right; what cannot be told has faces below 1.

        Parameters
        ----------
        picture : (H, W, 3) uint8 BGR, of the size of the first one.
        expect : kinds of dice that can lie there, if that is known.
        view : where the tray is in this picture, if that is known; else it is where it was.

        Raises
        ------
        NotCalibrated
            if there was no picture of the empty tray and no tray is found in this one; or if that
            picture is of another size and nobody knows where the tray is in this one.
        """
        if view is None and (misfit := self.misfit(picture)) is not None:
            raise NotCalibrated(misfit)
        view = self.view(picture) if view is None else view
        floor = SeenFloor(picture, view)
        found, odds, bases = self._found(floor, expect)
        boxes = [one.box for one in found]
        mask = None if self._bare is None else self._bare.differs(floor.rectified)
        if mask is not None:
            odds = self._outlined(odds, expect, boxes, contours_of(mask), view)
        seen, others = list[_Placed](), list[DieReading]()
        for one, told, base in zip(found, odds, bases, strict=True):
            die = seen_as(told, one, expect)
            x, y = _place(die, base, view)
            if _is_inside((x, y), view):
                seen.append((die, (x, y)))
        seen = each_once(seen)
        if mask is not None and self._empty is not None:
            seen, others = _with_others(seen, _others(mask, view, boxes))
        if not seen and not others:  # as the light is now
            self._bare = BareFloor(floor.rectified)
        readings = [
            DieReading(die.faces, place, _whole(die.box), self._looks.look(picture, die), die.seems)
            for die, place in seen
        ]
        return tuple(sorted([*readings, *others], key=lambda r: r.centre_mm))

    def learn(self, picture: Image, told: Mapping[Box, Die], view: TrayView | None = None) -> bool:
        """Take somebody's word for what dice show: their like are known better from now on.

        Returns whether there is nothing to wait for: where the tray is, is known. A picture of
        another size than those that are read tells nothing.

        Parameters
        ----------
        picture : (H, W, 3) uint8 BGR, in which they were read.
        told : what the die in each box shows; kinds and faces that cannot be read teach nothing.
        view : as for `read`.
        """
        view = self._view if view is None else view
        if view is None:
            return False
        known = {box: die for box, die in told.items() if die.face in FACES.get(die.kind, ())}
        if known and view.picture_px == (picture.shape[1], picture.shape[0]):
            seen = _aspect(view, list(known))
            self._dice.learn(picture, seen, list(known.values()), self._memory)
        return True

    def _found(
        self, floor: SeenFloor, expect: Sequence[str] | None
    ) -> tuple[list[Found], list[Odds], list[Base | None]]:
        """Return what looks like a die, what each may be, and a tetrahedron's base."""
        picture, view = floor.picture, floor.view
        x0, y0, x1, y1 = view.around_px
        part = picture[y0:y1, x0:x1]
        size = round(SEEN_PX * max(part.shape[:2]) / max(picture.shape[:2]))

        def seen_at(boxes: Sequence[Box]) -> Aspect:
            return _aspect(view, boxes, (x0, y0))

        found, odds, bases = [], [], []
        for one, told in self._dice.look(part, size, expect, seen_at, self._memory):
            x, y, width, height = one.box
            box = (x + x0, y + y0, width, height)
            found.append(Found(box, one.p))
            placed, base = self._placed(floor, box, told, expect)
            odds.append(placed)
            bases.append(base)
        return found, odds, bases

    def _placed(
        self, floor: SeenFloor, box: Box, odds: Odds, expect: Sequence[str] | None
    ) -> tuple[Odds, Base | None]:
        """Return what a die may be, and its base if it may be a tetrahedron, by where it stands."""
        placed, base = self._dice.tetrahedra.told(floor, box, odds, expect)
        if placed is odds:
            return odds, None
        kind, sureness = _likeliest(placed, expect)
        if SHAPES.get(kind) == "tetrahedron" and sureness < SURE:
            # It may be of another size than most, or the tray than it is said to be. What the
            # first look says of its kind is kept: by itself neither tells a d4 from a sail.
            alone = self._dice.tetrahedra.told_alone(floor.picture, box, placed, expect)
            placed = max(placed, alone, key=lambda one: _likeliest(one, expect)[1])
        return placed, base

    def _outlined(
        self,
        odds: Sequence[Odds],
        expect: Sequence[str] | None,
        boxes: Sequence[Box],
        contours: Sequence[Array],
        view: TrayView,
    ) -> list[Odds]:
        """Return what each die may be, doubted more or less for its outline."""
        outlines = dict[int, tuple[Array, str]]()
        fitting = [_if_it_fits(told) for told in odds]
        for k, told in enumerate(fitting):
            kind, sureness = _likeliest(told, expect)
            if SHAPES.get(kind) in JUDGED and sureness >= SURE:
                beside = [box for box in boxes if box != boxes[k]]
                outline = outline_of(contours, view, boxes[k], beside)
                if outline is not None:
                    outlines[k] = outline, kind
        judged = list(odds)
        worths = self._flatness.worths(list(outlines.values()), view)
        for k, worth in zip(outlines, worths, strict=True):
            told = fitting[k] if worth == FITS else odds[k]
            judged[k] = replace(told, doubts=_weighed(told.doubts, worth))
        return judged


def _aspect(view: TrayView, boxes: Sequence[Box], corner_px: tuple[int, int] = (0, 0)) -> Aspect:
    """Tell of dice where their top sides are seen, which lean outward.

    `boxes` are in a part of the picture whose top-left corner is `corner_px`, and so are the tops.
    """
    x0, y0 = corner_px
    middles = [(x + w / 2 + x0, y + h / 2 + y0) for x, y, w, h in boxes]
    places = np.array([[*view.under(at, _TOP_MM), _TOP_MM] for at in middles])
    away = view.project(places + np.array([0.0, 0.0, _TOP_MM])) - middles
    shifts = zip(boxes, away.tolist(), strict=True)
    tops = [(x + left, y + top, w, h) for (x, y, w, h), (left, top) in shifts]
    return Aspect(1.0, boxes, tops, view.leans_deg(places))


@cache
def _reader() -> DiceReader:
    """Return the reader of single dice, loaded once for all trays."""
    return DiceReader()


def _size(picture: Image) -> str:
    """Return how large a picture is, as people write it: 1280x960."""
    height, width = picture.shape[:2]
    return f"{width}x{height}"


def _if_it_fits(odds: Odds) -> Odds:
    """Return what a die may be if its outline is that of one that lies flat and alone."""
    return replace(odds, nothing_worth=min(odds.nothing_worth, _FITTING_WORTH))


def _weighed(doubts: Array, worth: float) -> Array:
    """Return `Odds.doubts` as its outline makes them; some outlines tell what the doubt is."""
    weighed = doubts * worth
    if worth == LIES_ON:
        weighed = np.zeros(len(DOUBTS))
        weighed[DOUBTS.index(STACKED)] = doubts.sum() * worth
    return weighed


def _is_inside(place_mm: XY, view: TrayView) -> bool:
    """Tell whether a place is on the floor, or so near to it that a die there may be."""
    return all(
        -_RIM_MM < at < size + _RIM_MM for at, size in zip(place_mm, view.size_mm, strict=True)
    )


def _likeliest(odds: Odds, expect: Sequence[str] | None) -> tuple[str, float]:
    """Return the kind of what a die most likely is, and how likely that face of it is."""
    faces = odds.faces(expect)
    die = max(faces, key=lambda d: faces[d], default=None)
    return ("", 0.0) if die is None else (die.kind, faces[die])


def _with_others(
    seen: Sequence[_Placed], others: Sequence[DieReading]
) -> tuple[list[_Placed], list[DieReading]]:
    """Return the dice, larger where only the sign on top was found, and what else lies there."""
    dice, rest = list(seen), list[DieReading]()
    for other in others:
        around = [k for k, (die, _) in enumerate(dice) if _is_around(other.box_px, die.box)]
        if around:
            die, place = dice[around[0]]
            dice[around[0]] = (replace(die, box=other.box_px), place)
        else:
            rest.append(other)
    return dice, rest


def _others(mask: Image, view: TrayView, boxes: Sequence[Box]) -> list[DieReading]:
    """Return what lies on the floor and is none of the dice that were found."""
    rest = mask.copy()
    for box in boxes:
        corners = np.round(view.rectified(grown(box, _FOOT)))
        cv2.fillConvexPoly(rest, corners.astype(np.int32), (0,))
    others = []
    for left, top, right, bottom in things_on(rest):
        x, y, width, height = view.box_px(left, top, right, bottom)
        place = view.under(middle_of((x, y, width, height)), _UNKNOWN_MIDDLE_MM)
        others.append(DieReading({}, place, (x, y, width, height), seems=NO_DIE))
    return others


def each_once(seen: Sequence[_Placed]) -> list[_Placed]:
    """Return dice and their places (mm) without tetrahedra that stand where a surer one does."""

    def sureness(die: SeenDie) -> float:
        return die.best[1] if die.best and SHAPES[die.best[0].kind] == "tetrahedron" else 0.0

    kept = list[int]()
    for k in sorted(range(len(seen)), key=lambda k: (-sureness(seen[k][0]), -k)):
        die, place = seen[k]
        surer = (seen[n] for n in kept if sureness(seen[n][0]))
        is_again = any(np.hypot(*np.subtract(at, place)) < _SAME_MM for _, at in surer)
        if not (sureness(die) and is_again):
            kept.append(k)
    return [seen[k] for k in sorted(kept)]


def _is_around(box: Box, inner: Box) -> bool:
    """Tell whether a box holds the middle of another that is not much smaller."""
    return is_in(inner, box) and max(box[2:]) < _MOST_AROUND * max(inner[2:])


def _place(die: SeenDie, base: Base | None, view: TrayView) -> XY:
    """Return where a die stands: the middle of its base if that is known, else by its box."""
    shape = "" if die.best is None else SHAPES[die.best[0].kind]
    if shape == "tetrahedron" and base is not None:
        return float(base.centre_mm[0]), float(base.centre_mm[1])
    return view.under(middle_of(die.box), _MIDDLE_MM.get(shape, _UNKNOWN_MIDDLE_MM))


def _whole(box: Box) -> tuple[int, int, int, int]:
    """Return the box in whole pixels, inside the picture."""
    x, y = max(int(np.floor(box[0])), 0), max(int(np.floor(box[1])), 0)
    return x, y, int(np.ceil(box[0] + box[2])) - x, int(np.ceil(box[1] + box[3])) - y

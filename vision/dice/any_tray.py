"""The dice of a game: in a box with upright walls, or else wherever they lie.

Where such a box is found, its walls tell how the camera stands. Round trays, leather ones, mats and
bare tables have none: there the board's markers tell it, or else the dice themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial

from companion.boards.profile import XY
from companion.errors import TrayNotFound
from companion.rules.layout import Die
from companion.table.observation import DieReading
from vision.dice.crops import Box, is_in
from vision.dice.reader import TrayReader
from vision.dice.reading import SURE
from vision.dice.table_reader import TableReader
from vision.dice.tray import TrayView
from vision.frame import Image
from vision.settling import ChangeWatch

Learn = Callable[[Image, Mapping[Box, Die]], bool]
"""Takes in what the dice of a picture show; tells whether it could (`TrayReader.learn`)."""

_OF_NO_USE = (
    "the picture of the empty tray shows no box with upright walls, so I cannot use it: take it "
    "anew if yours has such; any other will do without"
)
_ANYWHERE = "; until then, or if yours has no upright walls, I read dice wherever they lie in it"


def _unknown() -> None:
    """Tell nothing of where the tray is: no board is looked for."""


class AnyTrayReader:
    """Reads what lies in the tray of a game, of whatever make that is.

    Parameters
    ----------
    size_mm : as for `TrayReader`.
    empty : as well; a picture that shows no box, or is of another size than those that are read,
        is of no use, which is noted.
    """

    def __init__(self, size_mm: XY, empty: Image | None = None) -> None:
        self._of_empty: str | None = None
        """What is amiss with the picture of the empty tray, until dice are told."""
        self._of_box: str | None = None
        """What is amiss with the tray, until dice are told or a box is found."""
        try:
            self.box = TrayReader(size_mm, empty)
        except TrayNotFound:
            self.box, self._of_empty = TrayReader(size_mm), _OF_NO_USE
        self._has_read = False
        self._is_box = True
        self._table: TrayReader | None = None
        self._seen: tuple[DieReading, ...] = ()
        self._picture: Image | None = None
        """The last one that was read, and its dice."""
        self._learn: Learn = lambda *_: False  # nothing, before a picture has been read
        self._bare = ChangeWatch()
        """What was seen last without dice, when no box was found."""

    @property
    def note(self) -> str | None:
        """What is amiss and what to do; until dice are told."""
        return self._of_empty or self._of_box

    def read(
        self,
        picture: Image,
        expect: Sequence[str] | None,
        place: Callable[[], TrayView | None] = _unknown,
        table: Callable[[], TrayView | None] = _unknown,
    ) -> tuple[DieReading, ...]:
        """Return the dice, left to right, as `TrayReader.read` does.

        Where there is no box it is not looked for again with each throw, which takes long; but
        when there are no dice and the picture is a new one.

        Parameters
        ----------
        place : returns where the box is, as far as that is known (`ZoneWatch.view`).
        table : returns how the table is seen, likewise (`ZoneWatch.table`).

        Raises
        ------
        NotCalibrated
            if the tray has left the picture, or its zone.
        """
        self._check_empty(picture)
        readings = self._read(picture, expect, place, table)
        self._seen, self._picture = readings, picture
        if any(die.p >= SURE for die in readings):
            self._of_empty = self._of_box = None
        return readings

    def learn(self, told: Mapping[Box, Die]) -> None:
        """As `TrayReader.learn`, of dice that lie there in the last picture that was read.

        What is told there for sure as something else is another roll by now.
        """
        known = dict[Box, Die]()
        for box, die in told.items():
            for seen in self._seen:
                if is_in(box, seen.box_px) and not _is_surely_another(seen, die):
                    known[seen.box_px] = die
        if known and self._picture is not None:
            self._learn(self._picture, known)

    def learn_in(self, picture: Image, told: Mapping[Box, Die]) -> bool:
        """As `TrayReader.learn`, of dice in any picture of this tray."""
        return self._learn(picture, told)

    def _check_empty(self, picture: Image) -> None:
        """Do without the picture of the empty tray if the first that is read is of another size.

        Later ones may be: of a zone that is carried along with a bumped camera less can be left.
        """
        if self._has_read:
            return
        self._has_read = True
        if (misfit := self.box.misfit(picture)) is not None:
            self._of_empty = f"{misfit}; until then I read without it"
            self.box.forget_empty()

    def _read(
        self,
        picture: Image,
        expect: Sequence[str] | None,
        place: Callable[[], TrayView | None],
        table: Callable[[], TrayView | None],
    ) -> tuple[DieReading, ...]:
        if self._is_box and (boxed := self._boxed(picture, expect, place)) is not None:
            return boxed
        readings = self._on_table(picture, expect, table())
        if not readings and self._bare.differs(picture):
            self._bare.remember(picture)
            return self._boxed(picture, expect, place) or ()
        return readings

    def _boxed(
        self,
        picture: Image,
        expect: Sequence[str] | None,
        place: Callable[[], TrayView | None],
    ) -> tuple[DieReading, ...] | None:
        """Return the dice in the box; ``None`` if there is none, which is noted."""
        try:
            view = place()
            readings = self.box.read(picture, expect, view)
        except TrayNotFound as error:
            if self._is_box:  # it is news
                self._of_box = f"{error}{_ANYWHERE}"
            self._is_box = False
            return None
        self._is_box, self._of_box = True, None
        self._learn = partial(self.box.learn, view=view)
        return readings

    def _on_table(
        self, picture: Image, expect: Sequence[str] | None, view: TrayView | None
    ) -> tuple[DieReading, ...]:
        if view is None:
            self._learn = self._anywhere.learn
            return self._anywhere.read(picture, expect)
        if self._table is None or self._table.size_mm != view.size_mm:
            self._table = TrayReader(view.size_mm)
        self._learn = partial(self._table.learn, view=view)
        return self._table.read(picture, expect, view)

    @cached_property
    def _anywhere(self) -> TableReader:
        return TableReader()


def _is_surely_another(seen: DieReading, die: Die) -> bool:
    return seen.p >= SURE and seen.faces.get(die, 0) < SURE

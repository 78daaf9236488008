"""Rolls of several dice, one after the other: which dice in the tray are newly rolled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, ClassVar

import pytest

from companion.rules.deeds import Deed, Roll
from companion.rules.game import CHANCE, ChanceRoll, PlayerId, Step
from companion.rules.layout import Die
from companion.rules.phases import no
from companion.table.remembered_dice import Lying, Role
from companion.table.snapshot import Notice
from companion.table.tray import TraySight
from companion.table.verdicts import Apply, Ask, Nothing, Verdict
from companion.table.watcher import Watcher
from tests.table.regatta import Cast, Casting, Regatta, Waters, seen
from tests.table.synthetic import sure_die


@dataclass(frozen=True, slots=True)
class Casts(Waters):
    """How often the dice were cast."""

    count: int = 0
    rolled: tuple[Die, ...] = ()


class Again(Casting):
    """Rolls some dice, again and again."""

    def __init__(self, dice: int) -> None:
        self.dice = dice

    def pending(self, state: Waters) -> ChanceRoll:
        return ChanceRoll(state.turn, self.name, "Roll", ("d6",) * self.dice)

    def refuse(self, state: Waters, action: Deed) -> Any:
        assert isinstance(action, Roll)
        return None if len(action.dice) == self.dice else no("REG-1", f"Roll {self.dice} dice.")

    def play(self, state: Waters, action: Deed) -> Step[Waters]:
        assert isinstance(state, Casts)
        assert isinstance(action, Roll)
        return Step(replace(state, count=state.count + 1, rolled=action.dice))


class Casters(Regatta):
    """Nothing but rolls."""

    phases: ClassVar[Mapping[type, Any]] = {}

    def __init__(self, dice: int) -> None:
        self.phases = {**Regatta.phases, Cast: Again(dice)}  # type: ignore[misc]

    def setup(self, players: Sequence[str], options: Mapping[str, object]) -> Waters:
        return Casts(tuple(players), Cast(), (), PlayerId(0))


Throw = Sequence[tuple[int, float, float]]
"""Face and place (mm) of each die."""


class Tray:
    """A watcher of rolls and the tray it looks at."""

    def __init__(self, dice: int) -> None:
        self.game = Casters(dice)
        self.watcher = Watcher(self.game, self.game.setup(["Ann", "Bob"], {}))
        self.clock_s = 0.0
        self.look([])

    def expose(self) -> float:
        """Take a picture that is still to be read; return its moment."""
        self.clock_s += 1.0
        self.watcher.tray.note_exposure(self.clock_s)
        return self.clock_s

    def look(
        self,
        throw: Throw,
        has_tumbled: bool | None = None,
        p: float = 0.99,
        *,
        at_s: float | None = None,
        tumbled_s: tuple[float, float] | None = None,
    ) -> Verdict:
        """Read a picture, of now or taken before; a roll that is clear is counted."""
        at_s = self.expose() if at_s is None else at_s
        dice = tuple(sure_die("d6", face, x, y, p) for face, x, y in throw)
        picture = replace(
            seen({}, (), at_s), dice=dice, has_tumbled=has_tumbled, tumbled_s=tumbled_s
        )
        verdict = self.watcher.observe(picture)
        if isinstance(verdict, Apply):
            self.watcher.accept(verdict.explanation)
        return verdict

    def tell(self, faces: Sequence[int]) -> None:
        """Tell a roll by phone."""
        roll = Roll(CHANCE, tuple(Die("d6", face) for face in sorted(faces)))
        state = self.game.apply(self.watcher.state, roll).state
        self.watcher.settle(state, told=roll.dice)

    @property
    def faces(self) -> tuple[int, ...]:
        """What was rolled last."""
        return tuple(die.face for die in self.watcher.state.rolled)

    @property
    def count(self) -> int:
        return int(self.watcher.state.count)


FIRST: Throw = ((3, 40, 40), (5, 90, 90), (6, 150, 60))


def thrown(first: Throw = FIRST) -> Tray:
    """Return a tray into which some dice were thrown."""
    tray = Tray(len(first))
    assert isinstance(tray.look(first), Apply)
    assert tray.faces == (3, 5, 6)
    return tray


@pytest.mark.parametrize("away", [0.5, 12.0])
def test_a_new_throw_may_share_a_face_and_a_place_with_the_last(away: float) -> None:
    tray = thrown()
    tray.look([])
    tray.look([(3, 40 + away, 40), (2, 100, 30), (1, 150, 120)])
    assert (tray.count, tray.faces) == (2, (1, 2, 3))


def test_two_of_three_may_do_so_when_the_tray_was_seen_empty() -> None:
    tray = thrown()
    tray.look([])
    tray.look([])
    tray.look([(3, 41, 40), (5, 100, 95), (1, 150, 120)])
    assert (tray.count, tray.faces) == (2, (1, 3, 5))


def test_without_an_empty_picture_most_of_the_throw_must_be_new() -> None:
    tray = thrown()
    tray.look([(3, 52, 40), (2, 100, 30), (1, 150, 120)])
    assert (tray.count, tray.faces) == (2, (1, 2, 3))
    tray.look([(3, 40, 40), (2, 90, 40), (4, 60, 140)])
    assert tray.count == 2, "one new die: two may have been nudged, and two are still in a hand"


@pytest.mark.parametrize("moved_mm", [(0.5, 0.5, 0.5), (8, 8, 8), (0.5, 8, 60), (0.5, 60, 60)])
def test_dice_that_are_taken_up_and_put_back_are_not_rolled(moved_mm: Sequence[float]) -> None:
    tray = thrown()
    tray.look([])
    back = [(face, x, y + mm) for (face, x, y), mm in zip(FIRST, moved_mm, strict=True)]
    for _ in range(3):
        assert not isinstance(tray.look(back), Apply)
    assert tray.count == 1


def test_a_die_left_lying_is_no_part_of_the_next_throw() -> None:
    tray = thrown()
    tray.look([(3, 40, 40), (2, 100, 30), (1, 150, 120)])
    assert tray.count == 1, "the three was never touched: the third die is still in a hand"
    tray.look([(3, 40, 40), (2, 100, 30), (1, 150, 120), (4, 60, 140)])
    assert (tray.count, tray.faces) == (2, (1, 2, 4))


@pytest.mark.parametrize("is_cleared", [False, True])
@pytest.mark.parametrize("dice", [3, 6])
def test_roll_after_roll_is_taken_down_without_a_question(dice: int, is_cleared: bool) -> None:
    rng, tray = Random(dice), Tray(dice)
    places = [(x, y) for x in range(20, 220, 30) for y in range(20, 160, 30)]
    asked = 0
    for number in range(60):
        throw = [
            (rng.randint(1, 6), x + rng.uniform(-9, 9), y + rng.uniform(-9, 9))
            for x, y in rng.sample(places, dice)
        ]
        faces = tuple(sorted(face for face, _, _ in throw))
        if is_cleared:
            tray.look([])
        if isinstance(tray.look(throw), Apply):
            assert tray.faces == faces
        else:
            asked += 1
            tray.tell(faces)
        assert tray.count == number + 1
    assert asked <= (0 if is_cleared else 1)


def test_a_roll_told_by_somebody_is_the_one_that_lies_there() -> None:
    tray = thrown()
    there: Throw = ((3, 52, 40), (5, 90, 90), (2, 60, 140))  # one by chance where it was
    tray.look(there)
    assert tray.count == 1
    tray.tell((2, 3, 5))
    tray.look([])
    tray.look([(3, 120, 40), (2, 50, 90), (5, 200, 60)])
    assert tray.count == 3, "a new roll, though it shows what was told of the last one"


def test_a_die_that_shows_what_was_told_of_the_last_roll_is_asked_about() -> None:
    tray = Tray(1)
    tray.tell((4,))
    tray.look([])
    verdicts = [tray.look([(4, 90, 60)]) for _ in range(9)]
    assert tray.count == 1, "it may be the die that was told, or the next roll"
    assert any(isinstance(verdict, Ask) for verdict in verdicts)


def test_dice_that_show_what_was_told_of_the_last_roll_are_not_passed_over_in_silence() -> None:
    tray = Tray(2)
    tray.tell((4, 6))
    tray.look([])
    verdict = tray.look([(4, 90, 60), (6, 40, 100)])
    assert tray.count == 1
    assert verdict == Nothing(
        Notice(
            "hint",
            "I did not see d6 4 and d6 6 rolled: throw again, or press the button if they were.",
        )
    )


def test_dice_that_lay_there_when_the_camera_began_to_look_are_spoken_of() -> None:
    tray = Tray(3)
    tray.watcher = Watcher(tray.game, tray.game.setup(["Ann", "Bob"], {}))
    tray.look(FIRST)
    verdict = tray.look(FIRST)
    assert isinstance(verdict, Nothing)
    assert verdict.notice is not None
    assert "I did not see" in verdict.notice.text
    tray.look([])
    tray.look([(3, 70, 40), (1, 120, 90), (6, 150, 100)])
    assert (tray.count, tray.faces) == (1, (1, 3, 6))


@pytest.mark.parametrize(("face", "has_tumbled"), [(4, True), (6, False), (4, None)])
def test_a_die_that_tumbled_or_shows_another_face_was_rolled(
    face: int, has_tumbled: bool | None
) -> None:
    tray = Tray(1)
    tray.look([(4, 40, 40)], has_tumbled=True)
    tray.look([(face, 100, 40)], has_tumbled=has_tumbled)
    assert (tray.count, tray.faces) == (2, (face,))


def test_a_die_that_is_read_otherwise_where_it_lies_is_no_new_throw() -> None:
    """The light was changed, or people have said that it shows something else."""
    tray = Tray(1)
    tray.look([(4, 90, 60)], has_tumbled=True)
    assert tray.look([(5, 91, 60)], has_tumbled=False) == Nothing()
    assert (tray.count, tray.faces) == (1, (4,))
    tray.look([(2, 40, 40)], has_tumbled=True)
    tray.look([(5, 41, 40)], has_tumbled=True)
    assert (tray.count, tray.faces) == (3, (5,)), "what tumbled may come to lie there as well"


def test_a_die_that_was_only_pushed_is_asked_about_again_and_again() -> None:
    tray = Tray(1)
    tray.look([(4, 40, 40)], has_tumbled=True)
    verdicts = [tray.look([(4, 100, 40)], has_tumbled=False) for _ in range(9)]
    asked = [verdict for verdict in verdicts if isinstance(verdict, Ask)]
    assert asked
    why = "I did not see d6 4 rolled: throw again, or press the button if it was."
    assert {verdict.notice.text for verdict in asked} == {why}
    tray.watcher.decline()
    tray.look([(4, 150, 90)], has_tumbled=False)
    assert tray.count == 1


def test_dice_that_were_only_pushed_are_no_roll_and_that_is_said() -> None:
    tray = thrown()
    pushed: Throw = ((3, 70, 40), (5, 120, 90), (6, 150, 100))
    verdict = tray.look(pushed, has_tumbled=False)
    assert tray.count == 1
    assert isinstance(verdict, Nothing)
    assert verdict.notice is not None
    assert "I did not see d6 3, d6 5 and d6 6 rolled" in verdict.notice.text


@pytest.mark.parametrize(("has_tumbled", "count"), [(True, 2), (False, 1)])
def test_a_die_that_was_taken_up_is_rolled_if_it_tumbles_and_else_put_back(
    has_tumbled: bool, count: int
) -> None:
    tray = Tray(1)
    tray.look([(4, 40, 40)], has_tumbled=True)
    tray.look([], has_tumbled=False)
    verdicts = [tray.look([(4, 100, 40)], has_tumbled=n == 0 and has_tumbled) for n in range(9)]
    assert tray.count == count
    assert any(isinstance(verdict, Ask) for verdict in verdicts) == (not has_tumbled)


def test_what_tumbled_before_a_roll_makes_no_roll_of_what_is_pushed_later() -> None:
    tray = Tray(1)
    tray.look([(4, 40, 40)], has_tumbled=True)
    tray.look([(4, 40, 40)], has_tumbled=True)
    tray.look([(4, 100, 40)], has_tumbled=False)
    assert tray.count == 1


def test_dice_that_tumbled_one_by_one_are_a_roll_though_they_show_the_same() -> None:
    tray = Tray(2)
    tray.look([(4, 40, 40), (6, 90, 90)], has_tumbled=True)
    tray.look([], has_tumbled=False)
    tray.look([(4, 150, 40)], has_tumbled=True)
    tray.look([(4, 150, 40), (6, 200, 90)], has_tumbled=False)
    assert tray.count == 2


@pytest.mark.parametrize("first", [FIRST, FIRST[:1]])
def test_the_button_says_that_dice_were_rolled(first: Throw) -> None:
    tray = Tray(len(first))
    tray.look(first, has_tumbled=True)
    before = tray.count
    for _ in range(9):
        tray.look([(face, 260 - x, 130 - y) for face, x, y in first], has_tumbled=False)
    assert tray.count == before
    verdict = tray.watcher.press()
    assert isinstance(verdict, Apply)
    tray.watcher.accept(verdict.explanation)
    assert (tray.count, tray.faces) == (before + 1, tuple(face for face, _, _ in first))
    tray.look([(face, 260 - x, 130 - y) for face, x, y in first], has_tumbled=False)
    assert tray.count == before + 1, "it is told once"


def test_the_button_makes_no_roll_of_dice_that_lie_as_they_lay() -> None:
    tray = thrown()
    for _ in range(3):
        tray.look(FIRST, has_tumbled=False)
    assert not isinstance(tray.watcher.press(), Apply)
    assert tray.count == 1


@pytest.mark.parametrize("dice", [1, 3])
@pytest.mark.parametrize("is_cleared", [False, True])
def test_the_next_throw_is_no_second_look_at_one_that_was_not_plain(
    dice: int, is_cleared: bool
) -> None:
    tray = Tray(dice)
    tray.look([(4, 40, 40), (2, 90, 90), (1, 40, 140)][:dice], has_tumbled=True, p=0.8)
    if is_cleared:
        tray.look([], has_tumbled=False)
    tray.look([(6, 160, 40), (3, 200, 90), (5, 140, 140)][:dice], has_tumbled=True)
    assert tray.count != 1, "the first roll was another one"


@pytest.mark.parametrize("seemed", [4, 5])
@pytest.mark.parametrize("has_tumbled", [True, False])
@pytest.mark.parametrize("dice", [1, 3])
def test_a_second_look_at_dice_that_lie_still_tells_them(
    dice: int, has_tumbled: bool, seemed: int
) -> None:
    tray = Tray(dice)
    throw: Throw = [(4, 40, 40), (2, 90, 90), (1, 40, 140)][:dice]
    tray.look([(seemed, 40, 40), *throw[1:]], has_tumbled=has_tumbled, p=0.8)
    assert tray.count == 0
    tray.look(throw, has_tumbled=False)
    assert (tray.count, tray.faces) == (1, tuple(sorted(face for face, _, _ in throw)))


@pytest.mark.parametrize(
    ("readings", "is_unchanged"),
    [
        ([(4, 40, 40), (2, 90, 90)], True),
        ([(4, 40, 40)], False),
        ([(4, 40, 40), (2, 100, 90)], False),
        ([(4, 40, 40), (2, 90, 90), (5, 150, 40)], False),
    ],
)
def test_a_tray_is_unchanged_if_every_die_lies_where_it_lay_and_no_other(
    readings: Throw, is_unchanged: bool
) -> None:
    memory = (
        Lying(Die("d6", 4), (40, 40), Role.WAITING),
        Lying(Die("d6", 2), (90, 90), Role.USED),
        Lying(Die("d6", 1), (200, 90), Role.GONE),
    )
    sight = TraySight([sure_die("d6", *die) for die in readings], memory)
    assert sight.is_unchanged == is_unchanged


# -- what people have said of dice ----


def lessons(tray: Tray) -> list[tuple[int, tuple[int, ...]]]:
    return [(read.die.face, read.box_px[:2]) for read in tray.watcher.tray.lessons]


def doubtful(tray: Tray, *dice: tuple[int, float, float, float]) -> Verdict:
    """Take a picture of dice: face, place and how sure the camera is of each."""
    tray.clock_s += 1.0
    seen_dice = tuple(
        replace(sure_die("d6", face, x, y, p), box_px=(int(x), int(y), 10, 10))
        for face, x, y, p in dice
    )
    return tray.watcher.observe(replace(seen({}, (), tray.clock_s), dice=seen_dice))


def test_what_people_confirm_of_a_doubtful_die_can_be_learnt() -> None:
    tray = Tray(2)
    asked = doubtful(tray, (3, 20, 20, 0.99), (5, 80, 20, 0.7))
    assert not isinstance(asked, Apply)
    (chosen,) = [e for e in tray.watcher._open if Die("d6", 5) in e.steps[0].action.dice]
    tray.watcher.accept(chosen)
    assert lessons(tray) == []
    tray.watcher.accept(chosen, is_answered=True)
    assert lessons(tray) == [(5, (80, 20))]


def test_of_two_doubtful_dice_nobody_knows_which_shows_what() -> None:
    tray = Tray(2)
    doubtful(tray, (3, 20, 20, 0.7), (5, 80, 20, 0.7))
    tray.watcher.accept(tray.watcher._open[0], is_answered=True)
    assert lessons(tray) == []


@pytest.mark.parametrize(
    ("told", "learnt"),
    [
        ([3, 5], [(5, (80, 20))]),  # as the camera doubted
        ([3, 1], [(1, (80, 20))]),  # it doubted rightly
        ([4, 5], []),  # the other one was misread, and this one was doubtful
        ([2, 1], []),  # nobody knows which of them shows what
    ],
)
def test_what_is_told_of_a_roll_can_be_learnt_if_one_die_was_open(
    told: list[int], learnt: list[tuple[int, tuple[int, ...]]]
) -> None:
    tray = Tray(2)
    doubtful(tray, (3, 20, 20, 0.99), (5, 80, 20, 0.7))
    tray.tell(told)
    assert lessons(tray) == learnt


def test_a_roll_told_of_other_dice_than_lie_there_teaches_nothing() -> None:
    tray = Tray(2)
    doubtful(tray, (5, 80, 20, 0.7))
    tray.tell([3, 5])
    assert lessons(tray) == []


@pytest.mark.parametrize("p", [0.99, 0.5], ids=["lay there before", "cannot be told"])
def test_dice_of_a_tray_that_was_taken_away_are_no_roll(p: float) -> None:
    tray = Tray(1)
    if p == 0.99:
        tray.watcher.forget_tray()  # nobody knows how they came to lie there
    tray.look([(4, 90, 60)], p=p)
    assert tray.watcher.is_unsure or tray.watcher.tray.untold_roll(tray.watcher.state)
    tray.watcher.forget_tray()
    for seconds in range(10, 40):
        verdict = tray.watcher.observe(replace(seen({}, (), seconds), dice=None))
        assert verdict == tray.watcher.press() == Nothing()
    assert tray.watcher.tray.untold_roll(tray.watcher.state) is None
    tray.tell((4,))
    assert tray.count == 1

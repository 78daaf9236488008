"""``quarterdeck dice`` before a camera: a roll counts once; what was put back counts if vouched."""

from __future__ import annotations

from argparse import Namespace
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import cv2
import gpiozero
import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory

from companion.audit.rolls import TAKEN_BACK, find_kind
from companion.cli import dice as dice_cli
from companion.cli import dice_camera, main
from companion.errors import AuditError, HardwareError, TrayNotFound
from companion.ledger.events import picture_digest
from companion.rules.layout import Die
from companion.table.observation import DieReading
from companion.table.unsure_dice import COCKED
from companion.trial.lessons import Lesson
from companion.trial.throws import ONE_TOO_MANY, ReadFace, Thrown
from companion.trial.tray import Reader, TrayWatch
from hardware.buttons import TURN_PIN, Touch
from tests.unit.audit.heard import trial_of
from tests.unit.grey_tray import read, scene
from vision.dice.crops import Box
from vision.dice.reading import DiceReader, SeenDie
from vision.frame import Frame
from vision.settling import RESTLESS

D6 = find_kind("d6")


def noted(pictures: Iterable[np.ndarray]) -> list[np.ndarray]:
    """Return pictures that differ, as those of a camera do: each has a mark of its own."""
    marked = [picture.copy() for picture in pictures]
    for number, picture in enumerate(marked):
        picture[:8, 16 * number : 16 * number + 8] = 255
    return marked


def reader_of(how: Callable[[np.ndarray], tuple[DieReading, ...]]) -> Reader:
    """Return a reader that learns nothing."""
    return Reader(how, lambda *_: True)


class Film:
    """A camera that shows given pictures and then ends."""

    def __init__(self, pictures: Iterable[np.ndarray], each_s: float = 0.0) -> None:
        self._left, self._each_s, self._time_s = list(pictures), each_s, 0.0
        self.before_last: list[object] = []
        """Called before the last pictures are shown."""
        self.is_closed = False

    def read(self) -> Frame | None:
        if not self._left:
            return None
        if len(self._left) == 3:
            for call in self.before_last:
                call()  # type: ignore[operator]
        self._time_s += self._each_s
        return Frame("f", self._time_s, self._left.pop(0), None, "film")

    def close(self) -> None:
        self.is_closed = True


EMPTY = [scene()] * 4
THROWN = [*EMPTY, *[scene((40, 40, 220))] * 4]
CARRIED = [scene(arm=True), scene((145, 80, 220), arm=True), scene((200, 100, 220), arm=True)]
PUT_BACK = [scene((200, 100, 220))] * 6


def watch_of(film: Film, monkeypatch: pytest.MonkeyPatch) -> dice_camera.TrayCamera:
    monkeypatch.setattr(dice_camera, "_open", lambda *_: (film, reader_of(read)))
    return dice_camera.TrayCamera(D6, Namespace(dice=1, camera="film", buttons=True, check=False))


def told(rolls: Iterable[Thrown]) -> list[tuple[int | None, bool]]:
    return [(roll.dice[0].face, not roll.doubt) for roll in rolls]


def test_a_roll_is_told_once_however_long_it_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    film = Film([*THROWN, *[scene((40, 40, 220))] * 20])
    assert told(watch_of(film, monkeypatch).rolls()) == [(4, True)]
    assert film.is_closed


def test_what_lies_in_the_tray_at_the_beginning_was_not_rolled(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    film = Film([*[scene((40, 40, 220))] * 4, *EMPTY, *[scene((200, 100, 240))] * 4])
    assert told(watch_of(film, monkeypatch).rolls()) == [(6, True)]
    assert capsys.readouterr().out == "not counted: what lay in the tray when I began to look\n"


def test_a_die_that_tumbles_to_the_same_face_is_another_roll(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    flying = [scene((x, y, 220)) for x, y in ((80, 60), (130, 90), (170, 130), (200, 150))]
    film = Film([*THROWN, *flying, *[scene((200, 150, 220))] * 4])
    assert told(watch_of(film, monkeypatch).rolls()) == [(4, True), (4, True)]


def test_a_die_that_is_put_back_is_doubtful_and_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    film = Film([*THROWN, *CARRIED, *PUT_BACK])
    assert told(watch_of(film, monkeypatch).rolls()) == [(4, True), (4, False)]


def test_the_button_makes_it_a_roll(monkeypatch: pytest.MonkeyPatch) -> None:
    film = Film([*THROWN, *CARRIED, *PUT_BACK])
    watch = watch_of(film, monkeypatch)
    film.before_last.append(watch.watch.vouch)
    assert told(watch.rolls()) == [(4, True), (4, False), (4, True)]


def test_a_button_pressed_for_nothing_makes_no_roll(monkeypatch: pytest.MonkeyPatch) -> None:
    film = Film([*THROWN, *THROWN[-4:]])
    watch = watch_of(film, monkeypatch)
    film.before_last.append(watch.watch.vouch)
    assert told(watch.rolls()) == [(4, True)]


def test_a_cocked_die_that_somebody_has_told_is_not_asked_about_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cocked = [scene((40, 40, 250))] * 4
    waved = [scene((40, 40, 250), arm=True)] * 3
    for is_told, asked in ((False, 2), (True, 1)):
        watch = watch_of(Film([*EMPTY, *cocked, *waved, *cocked]), monkeypatch)
        count = 0
        for roll in watch.rolls():
            assert "cocked" in roll.doubt
            count += 1
            if is_told:
                watch.watch.counted()
        assert count == asked


def test_pictures_of_a_folder_are_a_roll_each_though_a_die_may_lie_as_it_lay(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lying = [scene((40, 40, 220))] * 4
    film = Film(noted([*lying, scene((200, 100, 240)), *lying]))
    monkeypatch.setattr(dice_camera, "_open", lambda *_: (film, reader_of(read)))
    watch = dice_camera.TrayCamera(D6, Namespace(dice=1, camera="folder:mine"))
    assert told(watch.rolls()) == [(4, True)] * 4 + [(6, True)] + [(4, True)] * 4


def roll_of(count: int, film: Film, monkeypatch: pytest.MonkeyPatch, camera: str) -> list[Thrown]:
    monkeypatch.setattr(dice_camera, "_open", lambda *_: (film, reader_of(read)))
    return list(dice_camera.TrayCamera(D6, Namespace(dice=count, camera=camera)).rolls())


def test_a_throw_of_too_few_dice_is_told_with_the_die_that_is_not_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (thrown,) = roll_of(2, Film(THROWN), monkeypatch, "film")
    assert [(die.face, die.is_sure) for die in thrown.dice] == [(4, False), (None, False)]
    assert [die.box for die in thrown.dice] == [(40, 40, 30, 30), None]
    assert "I see 1 die, 2 are rolled at once" in thrown.doubt
    assert "a digit is 16 px tall, I need 18" in thrown.doubt


def test_a_die_that_cannot_be_told_is_told_with_what_it_seems(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def read_cocked(picture: np.ndarray) -> tuple[DieReading, ...]:
        return tuple(replace(die, seems=COCKED) for die in read(picture))

    film = Film([*EMPTY, *[scene((40, 40, 250))] * 4])
    monkeypatch.setattr(dice_camera, "_open", lambda *_: (film, reader_of(read_cocked)))
    (thrown,) = dice_camera.TrayCamera(D6, Namespace(dice=1, camera="film")).rolls()
    assert [(die.face, die.seems) for die in thrown.dice] == [(None, COCKED)]


def test_of_too_many_dice_as_many_are_told_as_are_rolled_and_none_is_sure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    two = [scene((40, 40, 220), (200, 100, 240))] * 4
    (thrown,) = roll_of(1, Film([*EMPTY, *two]), monkeypatch, "film")
    assert [(die.face, die.is_sure, die.seems) for die in thrown.dice] == [(4, False, ONE_TOO_MANY)]
    assert "I see 2 dice, 1 is rolled at once" in thrown.doubt


def test_a_picture_of_a_folder_is_a_throw_whatever_is_seen_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = roll_of(1, Film([EMPTY[0], scene((40, 40, 220))]), monkeypatch, "folder:mine")
    assert [[die.face for die in thrown.dice] for thrown in told] == [[None], [4]]
    assert [thrown.doubt for thrown in told] == [
        "I see 0 dice, 1 is rolled at once; no d6 lies there, or it is too small: it should be "
        "about 33 pixels wide in the picture (picture f)",
        "",
    ]


def test_who_forgot_how_many_dice_are_thrown_is_told_before_a_folder_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All were kept as unread, and with --dice 2 they were passed over as counted before."""
    two, one = scene((40, 40, 220), (200, 100, 240)), scene((40, 40, 220))
    with pytest.raises(AuditError, match="picture f shows 2 dice: say --dice 2, or take it away"):
        roll_of(1, Film([two, one]), monkeypatch, "folder:mine")
    assert len(roll_of(2, Film([two, one]), monkeypatch, "folder:mine")) == 2
    # Later on it is one picture among others.
    assert len(roll_of(1, Film([one, two]), monkeypatch, "folder:mine")) == 2


def test_a_plain_picture_of_a_folder_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first one was read twice, to count its dice."""
    read_so_far = list[np.ndarray]()

    def read_noted(picture: np.ndarray) -> tuple[DieReading, ...]:
        read_so_far.append(picture)
        return read(picture)

    film = Film([scene((40, 40, 220)), scene((200, 100, 240))])
    monkeypatch.setattr(dice_camera, "_open", lambda *_: (film, reader_of(read_noted)))
    rolls = dice_camera.TrayCamera(D6, Namespace(dice=1, camera="folder:mine")).rolls()
    assert [len(read_so_far) for _ in rolls] == [1, 2]


def test_pictures_of_a_folder_that_were_counted_before_are_passed_over(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    one, again, other = noted([scene((40, 40, 220))] * 2 + [scene((200, 100, 240))])
    before = [picture_digest(t.jpeg) for t in roll_of(1, Film([one]), monkeypatch, "folder:mine")]
    watch = watch_of(Film([one, again, other, one, other]), monkeypatch)
    watch.is_folder = True
    assert told(watch.rolls(before)) == [(4, True), (6, True)]
    # A copy under another name is no other roll.
    said = capsys.readouterr().out.splitlines()
    assert said == ["not counted: picture f is the same as one before"] * 2


def test_a_tray_that_never_comes_to_rest_is_said_to_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lamp = [scene((100, 60 + 80 * (k % 2), 200)) for k in range(12)]
    film = Film([*EMPTY, *lamp, *[scene((40, 40, 220))] * 4], each_s=10)
    assert told(watch_of(film, monkeypatch).rolls()) == [(4, True)]
    (line,) = capsys.readouterr().out.splitlines()
    assert line == RESTLESS
    assert told(watch_of(Film([*EMPTY, *lamp], each_s=4), monkeypatch).rolls()) == []
    assert capsys.readouterr().out == ""


def test_dice_that_are_too_small_are_said_in_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    doubtful = DieReading({Die("d6", 4): 0.5}, (20.0, 20.0), (0, 0, 20, 20))
    film = Film(THROWN)

    def read_doubtfully(picture: np.ndarray) -> tuple[DieReading, ...]:
        return (doubtful,) if read(picture) else ()

    monkeypatch.setattr(dice_camera, "_open", lambda *_: (film, reader_of(read_doubtfully)))
    watch = dice_camera.TrayCamera(D6, Namespace(dice=1, camera="film"))
    (thrown,) = watch.rolls()
    assert "a die is cocked" in thrown.doubt
    assert "a digit is 11 px tall, I need 18" in thrown.doubt


def test_people_are_told_what_to_do_and_lines_give_way(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = Namespace(dice=1, camera="film", buttons=False, phones=None, check=False)
    trial = trial_of(D6, tmp_path / "mine", 1)
    dice_cli.watch_tray(trial, watch_of(Film(THROWN), monkeypatch), arguments)
    assert capsys.readouterr().out.startswith("Watching: throw the die, wait for the bell,")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    trial.pass_over(Thrown((ReadFace(None, 0.0, None, ""),), "a die is cocked", b""))
    assert capsys.readouterr().out == "\r\033[Knot counted: I read ?; a die is cocked\n"


def test_the_turn_button_of_the_table_counts_what_was_doubtful(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pins = MockFactory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", pins)
    film = Film([*THROWN, *CARRIED, *PUT_BACK])
    film.before_last.append(pins.pin(TURN_PIN).drive_low)
    monkeypatch.setattr(dice_camera, "_open", lambda *_: (film, reader_of(read)))
    trial = trial_of(D6, tmp_path / "mine", 9, "Anne", clock=lambda: 5.0)
    arguments = Namespace(dice=1, camera="film", buttons=True, check=False)
    dice_cli.watch_tray(trial, dice_camera.TrayCamera(D6, arguments), arguments)
    said = capsys.readouterr().out
    assert "not counted: I read 4; the same faces as before" in said
    assert "2/9  shows 4" in said
    assert len((tmp_path / "mine" / "rolls.csv").read_text("utf-8").splitlines()) == 1 + 2


def test_what_a_phone_says_while_the_button_is_pressed_counts_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The phone is heard when the camera's picture has been taken, and before it is counted."""
    pins = MockFactory()
    monkeypatch.setattr(gpiozero.Device, "pin_factory", pins)
    film = Film([*THROWN, *CARRIED, *PUT_BACK])
    film.before_last.append(pins.pin(TURN_PIN).drive_low)
    trial = trial_of(D6, tmp_path / "mine", 9)
    feed = TrayWatch.feed

    def slowly(watch: TrayWatch, picture: np.ndarray, time_s: float) -> Thrown | None:
        thrown = feed(watch, picture, time_s)
        for asked in trial.asked if thrown is not None else ():
            trial.answer(asked.roll, [4], "Anne")
        return thrown

    monkeypatch.setattr(TrayWatch, "feed", slowly)
    arguments = Namespace(dice=1, camera="film", buttons=True, phones=8080, check=False)
    dice_cli.watch_tray(trial, watch_of(film, monkeypatch), arguments)
    assert [roll.face for roll in trial.rolls] == [4, 4]


def test_a_trial_without_pins_for_its_buttons_goes_on_and_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_pins(**_: object) -> None:
        raise HardwareError("the turn button: no GPIO pins can be reached here")

    monkeypatch.setattr("hardware.buttons.Buttons", no_pins)
    trial = trial_of(D6, tmp_path / "mine", 9)
    arguments = Namespace(dice=1, camera="film", buttons=True, phones=None, check=False)
    dice_cli.watch_tray(trial, watch_of(Film(THROWN), monkeypatch), arguments)
    assert "no GPIO pins can be reached here. It goes on without" in capsys.readouterr().out
    assert [roll.face for roll in trial.rolls] == [4]


def test_the_undo_button_takes_back_the_last_throw(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    undo: list[Touch] = []

    def buttons(*, on_turn: object, on_undo: Touch) -> AbstractContextManager[None]:
        undo.append(on_undo)
        return nullcontext()

    monkeypatch.setattr("hardware.buttons.Buttons", buttons)
    film = Film([*THROWN, *EMPTY, *EMPTY])
    film.before_last.append(lambda: undo[0]()())
    trial = trial_of(D6, tmp_path / "mine", 9)
    arguments = Namespace(dice=1, camera="film", buttons=True, phones=None, check=False)
    dice_cli.watch_tray(trial, watch_of(film, monkeypatch), arguments)
    assert [roll.status for roll in trial.rolls] == [TAKEN_BACK]
    assert "taken back: 4" in capsys.readouterr().out


def test_a_camera_that_may_look_too_much_from_the_side_is_said_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    aside = SeenDie((0.0, 0.0, 60.0, 60.0), {Die("d20", 7): 0.2}, is_aslant=True)
    monkeypatch.setattr(DiceReader, "read", lambda *_: (aside,))
    free = dice_camera._free_reader(find_kind("d20")).read
    assert [len(free(scene())) for _ in range(3)] == [1, 1, 1]
    said = capsys.readouterr().out
    assert said.count("too much from the side") == 1
    assert "--empty" in said


@pytest.mark.parametrize(("camera", "stands_still"), [("folder:rolls", False), ("v4l2:0", True)])
def test_a_camera_stands_still_but_pictures_of_a_folder_may_be_anyones(
    monkeypatch: pytest.MonkeyPatch, camera: str, stands_still: bool
) -> None:
    told: list[bool] = []
    monkeypatch.setattr("vision.camera.opening.open_camera", lambda *_, **__: Film(EMPTY))
    stub = reader_of(read)
    monkeypatch.setattr("vision.dice.table_reader.TableReader", lambda: told.append(True) or stub)
    monkeypatch.setattr(
        "vision.dice.anywhere.AnywhereReader", lambda **_: told.append(False) or stub
    )
    arguments = Namespace(dice=1, camera=camera, tray="220x160", empty="")
    dice_camera.TrayCamera(find_kind("d20"), arguments)
    assert told == [stands_still]


def test_what_shows_no_face_is_no_die_but_one_seen_from_the_side_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grain = SeenDie((0.0, 0.0, 60.0, 60.0), {Die("d20", 7): 0.2})
    aside = SeenDie((90.0, 0.0, 60.0, 60.0), {Die("d20", 9): 0.2}, is_aslant=True)
    monkeypatch.setattr(DiceReader, "read", lambda *_: (grain, aside))
    (reading,) = dice_camera._free_reader(find_kind("d20")).read(scene())
    assert reading.best == (Die("d20", 9), 0.2)


def test_a_picture_of_a_tray_without_walls_is_of_no_use_and_none_is_needed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    picture = tmp_path / "mat.png"
    cv2.imwrite(str(picture), np.full((240, 320, 3), 90, np.uint8))
    opened = Mock()
    monkeypatch.setattr("vision.camera.opening.open_camera", opened)
    arguments = Namespace(dice=1, camera="v4l2:0", tray="220x160", empty=str(picture))
    with pytest.raises(TrayNotFound, match=r"mat\.png: no dice tray is seen.*leave out --empty"):
        dice_camera.TrayCamera(find_kind("d20"), arguments)
    assert not opened.called, "it would be left open"


@pytest.mark.parametrize(
    ("camera", "opened"),
    [
        ("picamera2", "picamera2@0,0,1,1"),
        ("picamera2:1", "picamera2:1@0,0,1,1"),
        ("picamera2@0.5,0,1,1", "picamera2@0.5,0,1,1"),
        ("picamera2+v4l2:1", "picamera2+v4l2:1"),
        ("v4l2:0", "v4l2:0"),
        ("picamera2x", "picamera2x"),
    ],
)
def test_a_pi_camera_over_a_tray_is_looked_at_wholly_unless_a_zone_is_told(
    monkeypatch: pytest.MonkeyPatch, camera: str, opened: str
) -> None:
    """Beside a board the tray is in its lower right corner; here there is no board."""
    told: list[str] = []

    def open_camera(spec: str, **_: object) -> Film:
        told.append(spec)
        return Film(EMPTY)

    monkeypatch.setattr("vision.camera.opening.open_camera", open_camera)
    dice_camera.TrayCamera(D6, Namespace(dice=1, camera=camera, tray="220x160", empty=""))
    assert told == [opened]


def test_what_is_too_small_to_be_found_is_said_in_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    film = Film(THROWN)
    monkeypatch.setattr(dice_camera, "_open", lambda *_: (film, reader_of(lambda _: ())))
    (thrown,) = dice_camera.TrayCamera(find_kind("d20"), Namespace(dice=1, camera="film")).rolls()
    assert "I see 0 dice, 1 is rolled at once" in thrown.doubt
    assert "no d20 lies there, or it is too small" in thrown.doubt
    assert "it should be about 90 pixels wide" in thrown.doubt


def test_a_virtual_tray_does_not_roll_the_same_again_when_a_session_goes_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seeds: list[int] = []

    class Tray(Film):
        empty = scene()

        def __init__(self, *how: object) -> None:
            super().__init__([])
            seeds.append(how[-1])  # type: ignore[arg-type]

    monkeypatch.setattr("vision.virtual.roller.RollingTray", Tray)
    monkeypatch.setattr("vision.dice.reader.TrayReader", lambda *_: reader_of(read))
    words = ["dice", "--die", "d6", "--camera", "virtual:7", "--out", str(tmp_path)]
    assert main(words) == 0
    typed = iter(["3", "q"])
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    assert main([*words, "--by-hand"]) == 0
    assert main(words) == 0
    assert seeds[0] == 7
    assert seeds[1] > 7


# -- what people have said is learnt ----


def test_what_people_have_said_is_learnt_before_the_next_roll(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A die that shows another number each time; the second roll is read with the first known."""
    answers = iter(["5", "4"])
    learnt: list[tuple[tuple[int, ...], Die]] = []
    known_at: list[int] = []

    def read_doubtfully(picture: np.ndarray) -> tuple[DieReading, ...]:
        known_at.append(len(learnt))
        return tuple(replace(die, faces={Die("d6", 4): 0.5}) for die in read(picture))

    def learn(picture: np.ndarray, said: Mapping[Box, Die]) -> bool:
        assert picture.shape == scene().shape
        learnt.extend(said.items())
        return True

    film = Film([*THROWN, *EMPTY, *[scene((200, 100, 240))] * 20])
    reader = Reader(read_doubtfully, learn)
    monkeypatch.setattr(dice_camera, "_open", lambda *_: (film, reader))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    trial = trial_of(D6, tmp_path / "mine", 2)
    arguments = Namespace(dice=1, camera="film", buttons=False, phones=None, check=False)
    dice_cli.watch_tray(trial, dice_camera.TrayCamera(D6, arguments), arguments)
    assert learnt == [((40, 40, 30, 30), Die("d6", 5))]
    assert known_at[-1] == 1
    again = trial_of(D6, tmp_path / "mine", 9)
    assert [lesson.die.face for lesson in again.lessons] == [5, 4]


def lesson_in(folder: Path, name: str) -> Lesson:
    cv2.imwrite(str(folder / name), scene((40, 40, 220)))
    return Lesson(folder / name, (40, 40, 30, 30), Die("d6", 4))


def test_lessons_wait_until_the_reader_knows_how_it_sees_the_dice(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    waiting = deque([lesson_in(tmp_path, "a.png"), lesson_in(tmp_path, "b.png")])
    left: list[int] = []

    def read_and_note(picture: np.ndarray) -> tuple[DieReading, ...]:
        left.append(len(waiting))
        return read(picture)

    reader = Reader(read_and_note, lambda *_: len(left) > 1)
    film = Film([*THROWN, *EMPTY, *[scene((200, 100, 240))] * 4])
    monkeypatch.setattr(dice_camera, "_open", lambda *_: (film, reader))
    watch = dice_camera.TrayCamera(D6, Namespace(dice=1, camera="film"))
    watch.watch.lessons = waiting
    assert told(watch.rolls()) == [(4, True), (6, True)]
    assert left[:2] == [2, 2]
    assert left[-1] == 0


def test_a_lesson_whose_picture_is_gone_is_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    gone, kept = lesson_in(tmp_path, "gone.png"), lesson_in(tmp_path, "kept.png")
    gone.picture.unlink()
    seen: list[Die] = []

    def learn(_: np.ndarray, said: Mapping[Box, Die]) -> bool:
        seen.extend(said.values())
        return True

    monkeypatch.setattr(dice_camera, "_open", lambda *_: (Film(THROWN), Reader(read, learn)))
    watch = dice_camera.TrayCamera(D6, Namespace(dice=1, camera="film"))
    waiting = deque([gone, kept])
    watch.watch.lessons = waiting
    assert told(watch.rolls()) == [(4, True)]
    assert (seen, len(waiting)) == ([kept.die], 0)


def test_the_last_die_that_a_phone_tells_ends_the_trial(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    film = Film([*EMPTY, *[scene((40, 40, 250))] * 20])
    arguments = Namespace(dice=1, camera="film", buttons=False, phones=8080, check=False)
    trial = trial_of(D6, tmp_path / "mine", 1)
    film.before_last.append(lambda: trial.answer(1, [5], "Anne"))
    dice_cli.watch_tray(trial, watch_of(film, monkeypatch), arguments)
    assert [roll.face for roll in trial.rolls] == [5]
    assert len(film._left) == 2, "nobody need throw once more"

"""``quarterdeck dice`` as people type it, and what a trial keeps and asks."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from companion.audit.checks_csv import read_checks
from companion.audit.judging import audit
from companion.audit.rolls import CORRECTED, STANDS, TAKEN_BACK, find_kind
from companion.audit.rolls_csv import read_rolls, verify_export
from companion.audit.trial import Plan
from companion.cli import dice as dice_cli
from companion.cli import main
from companion.cli.dice import count_roll
from companion.cli.dice_ending import end
from companion.cli.dice_lines import progress
from companion.cli.dice_typed import fill_in, parse_faces
from companion.errors import AuditError, CameraUnavailable
from companion.ledger.events import picture_digest
from companion.rules.dice import DieKind
from companion.trial.kept import KEYBOARD, KeptTrial
from companion.trial.plans import keep_plan
from companion.trial.throws import ONE_TOO_MANY, ReadFace, Thrown
from companion.trial.voice import ALARM
from tests.unit.audit.heard import trial_of

D6 = find_kind("d6")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# -- quarterdeck dice, by hand ----


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> list[str]:
    """Let somebody type these lines, then the input ends; return what they are asked."""
    left, prompts = iter(lines), list[str]()

    def type_next(prompt: str) -> str:
        prompts.append(prompt)
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", type_next)
    return prompts


def test_rolls_are_told_by_hand(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "3", "seven", "9", "1 2", "", "4", "u", "6", "5", "2")
    assert main(["dice", "--die", "d6", "--rolls", "4", "--by-hand", "--captain", "Anne"]) == 0
    told = capsys.readouterr().out
    assert "a d6 shows 1, 2, 3, 4, 5, 6, not seven" in told
    assert "a d6 shows 1, 2, 3, 4, 5, 6, not 9" in told
    assert "1 die is rolled at once, not 2" in told
    assert "taken back: 4" in told
    assert "4/4" in told
    assert "d6, 4 rolls. Too few rolls to tell: 4." in told
    rolls = [roll for _, roll in verify_export(Path("dice-d6/rolls.csv").read_text("utf-8"))]
    assert [r.face for r in rolls if r.status == STANDS] == [3, 6, 5, 2]
    assert {(r.source, r.read, r.captain) for r in rolls} == {("table", None, "Anne")}
    assert "<svg" in Path("dice-d6/report.html").read_text("utf-8")


class GoneTerminal(io.StringIO):
    """What is written to a terminal that has ended."""

    def write(self, _: str) -> int:
        raise OSError(errno.EIO, "Input/output error")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_polite_kill_ends_a_trial_as_ctrl_c_does(
    number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its rolls had no seal, and there was no report."""
    heeded = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # tests may have been begun with nohup
    lines = iter(("3", "5"))

    def type_next(_: str) -> str:
        for line in lines:
            return line
        if number == signal.SIGHUP:
            monkeypatch.setattr(sys, "stdout", GoneTerminal())
        signal.raise_signal(number)
        raise AssertionError("it went on")

    monkeypatch.setattr("builtins.input", type_next)
    try:
        assert main(["dice", "--die", "d6", "--by-hand"]) == 0
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, heeded)
    assert "#sealed,2," in Path("dice-d6/rolls.csv").read_text("utf-8")
    assert Path("dice-d6/report.html").exists()


def test_capital_letters_do_as_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "21", "20", "U", "19", "Q")
    assert main(["dice", "--die", "d20", "--by-hand"]) == 0
    told = capsys.readouterr().out
    assert "a d20 shows 1 to 20, not 21" in told, "and its values are not listed one by one"
    assert "taken back: 20" in told
    assert "d20, 1 roll." in told


def test_a_trial_goes_on_where_it_ended(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "3 3", "q")
    main(["dice", "--die", "d6", "--rolls", "6", "--dice", "2", "--by-hand", "--out", "mine"])
    type_in(monkeypatch, "5 6", "1 1", "2 2")
    main(["dice", "--die", "d6", "--rolls", "6", "--dice", "2", "--by-hand", "--out", "mine"])
    assert "Going on behind 2 rolls in mine." in capsys.readouterr().out
    rolls = read_rolls(Path("mine/rolls.csv").read_text("utf-8"))
    assert [(r.roll, r.face) for r in rolls] == [(1, 3), (1, 3), (2, 5), (2, 6), (3, 1), (3, 1)]
    assert main(["dice", "--die", "d20", "--by-hand", "--out", "mine"]) == 2
    assert "mine holds rolls of d6: choose another --out" in capsys.readouterr().err
    assert len(verify_export(Path("mine/rolls.csv").read_text("utf-8"))) == 6, "it is still sealed"


def test_a_trial_of_other_faces_says_which_they_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "3", "q")
    halves = ["dice", "--die", "d6", "--by-hand", "--faces", "1 1 2 2 3 3"]
    assert main(halves) == 0
    assert main(halves[:-2]) == 2
    assert (
        "dice-d6 holds rolls of a d6 with the faces 1 1 2 2 3 3, not 1 2 3 4 5 6: "
        'go on with --faces "1 1 2 2 3 3", or choose another --out'
    ) in capsys.readouterr().err


def test_one_roll_is_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    trial = trial_of(D6, Path("dice-d6"), 10)
    trial.pass_over(seen(None))
    end(trial)
    type_in(monkeypatch, "q")
    assert main(["dice", "--die", "d6", "--by-hand"]) == 0
    told = capsys.readouterr().out
    assert "Going on behind 1 roll in dice-d6." in told
    assert "Could not be read: roll 1. Who" in told


def test_a_trial_of_a_table_of_which_nobody_knows_the_die_does_not_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its rolls would count for another die than those before."""
    type_in(monkeypatch, "3", "q")
    Path("mine").mkdir()
    Path("mine/trial.json").write_text("{")
    assert main(["dice", "--die", "d6", "--by-hand", "--out", "mine"]) == 2
    assert "quarterdeck: mine: trial.json, which says what was" in capsys.readouterr().err
    assert not Path("mine/rolls.csv").exists()


def test_a_cannonball_is_called_so(monkeypatch: pytest.MonkeyPatch) -> None:
    type_in(monkeypatch, "3", "q")
    assert main(["dice", "--die", "cannonball", "--by-hand"]) == 0
    (roll,) = read_rolls(Path("dice-cannon/rolls.csv").read_text("utf-8"))
    assert roll.kind.id == "cannon"


def test_nothing_told_is_nothing_judged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "u", "q")
    assert main(["dice", "--die", "whale", "--faces", "1 2 2", "--by-hand"]) == 0
    told = capsys.readouterr().out
    assert "there is nothing to take back" in told
    assert "No rolls were counted." in told
    assert not Path("dice-whale").exists()


def test_a_folder_with_other_things_is_left_where_nothing_was_rolled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("mine").mkdir()
    Path("mine/tray.jpg").write_bytes(b"a tray")
    type_in(monkeypatch, "q")
    assert main(["dice", "--die", "d6", "--by-hand", "--out", "mine"]) == 0
    assert [path.name for path in Path("mine").iterdir()] == ["tray.jpg"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--die", "whale"], 'for another one tell its faces, e.g. --faces "1 2'),
        (["--die", "x", "--faces", "1 2 " * 101], 'tell up to 200 faces, e.g. --faces "1 2'),
        (["--die", "2d6"], "'2d6' is no single die: tell what each die shows by itself, as a d6"),
        (["--die", "d6", "--faces", "one"], "--faces is a list of numbers"),
        (["--die", "d6", "--rolls", "0"], "must be at least 1"),
        (["--die", "d6", "--camera", "virtual:x"], "virtual:x: say virtual"),
        (["--die", "d6", "--camera", "virtual", "--empty", "tray.jpg"], "leave out --empty"),
        (["--die", "d6", "--camera", "virtual", "--tray", "wide"], "--tray is width x height"),
        (["--die", "d6", "--camera", "virtual", "--tray", "infxinf"], "--tray is width x height"),
        (["--die", "d6", "--camera", "virtual", "--tray", "160xnan"], "--tray is width x height"),
        (["--die", "d6", "--camera", "virtual", "--tray", "5000x5000"], "20 to 1000 mm, e.g."),
        (["--die", "d6", "--camera", "virtual", "--tray", "1x1"], "20 to 1000 mm, e.g."),
        (["--die", "d6", "--camera", "virtual", "--tray", "30x30"], "--tray 30x30: no virtual"),
        (["--die", "d6", "--camera", "virtuel"], "folder:PATH, v4l2:NUMBER, picamera2, virtual\n"),
        (["--die", "d3", "--faces", "1 2 3", "--camera", "virtual"], "no camera reads a d3, only"),
        (["--die", "d3", "--faces", "1 2 3", "--camera", "folder:."], "shows (--by-hand), or, if"),
        (["--die", "d6", "--faces", "6 7", "--camera", "virtual"], "this die shows [1, 2, 3, 4,"),
        (["--die", "d6", "--camera", "folder:none"], "there is no folder"),
        (["--die", "d6", "--by-hand", "--out", __file__], "is a file: --out is the folder of a t"),
    ],
)
def test_what_cannot_be_done_is_said(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["dice", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_what_is_said_of_a_camera_is_left_aside_by_hand_and_that_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "3", "q", "q", "q")
    by_hand = ["dice", "--die", "d6", "--by-hand"]
    assert main([*by_hand, "--camera", "v4l2:0", "--check", "--empty", "none.jpg"]) == 0
    told = capsys.readouterr()
    assert told.err == (
        "By hand no camera is looked at: --camera, --empty and --check are left aside.\n"
    )
    assert "1/300" in told.out
    main([*by_hand, "--buttons"])
    assert "at: --buttons is left aside." in capsys.readouterr().err
    main(by_hand)
    assert capsys.readouterr().err == ""


def test_an_interrupt_ends_with_the_verdict(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(trial: KeptTrial, _dice: int) -> None:
        trial.tell([4])
        raise KeyboardInterrupt

    monkeypatch.setattr(dice_cli, "roll_by_hand", stop)
    assert main(["dice", "--die", "d6", "--by-hand"]) == 0
    assert "Too few rolls to tell: 1." in capsys.readouterr().out


def test_an_interrupt_before_the_first_picture_ends_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(dice_cli, "TrayCamera", interrupted)
    assert main(["dice", "--die", "d6", "--camera", "virtual"]) == 130
    assert not Path("dice-d6").exists()


@pytest.mark.parametrize("named", [[], ["--camera", "picamera2"]])
def test_who_has_no_raspberry_pi_is_told_what_else_there_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], named: list[str]
) -> None:
    def missing(*_: object) -> None:
        raise CameraUnavailable("picamera2 is not to be seen")

    monkeypatch.setattr(dice_cli, "TrayCamera", missing)
    assert main(["dice", "--die", "d6", *named]) == 2
    told = capsys.readouterr().err
    assert "picamera2 is not to be seen" in told
    assert ("--camera v4l2:0" in told and "--by-hand" in told) == (not named)


def test_enough_rolls_are_enough(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "3", "4", "5")
    arguments = ["dice", "--die", "d6", "--rolls", "2", "--by-hand"]
    assert [main(arguments), main(arguments)] == [0, 0]
    told = capsys.readouterr().out
    assert "Going on behind 2 rolls in dice-d6." in told
    assert "As many as asked for: --rolls for more of them, --out to begin anew." in told
    assert main(["audit", "--verify", "dice-d6"]) == 0
    assert "dice-d6/rolls.csv: 2 dice, unaltered." in capsys.readouterr().out


def test_the_last_roll_of_a_complete_trial_can_be_taken_back(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["dice", "--die", "d6", "--rolls", "2", "--by-hand"]
    for typed in (["3", "4"], ["6", "u", "5"]):
        type_in(monkeypatch, *typed)
        assert main(arguments) == 0
    told = capsys.readouterr().out
    assert "taken back: 4" in told
    rolls = [(roll.face, roll.status) for roll in read_rolls(Path("dice-d6/rolls.csv").read_text())]
    assert rolls == [(3, "stands"), (4, "taken back"), (5, "stands")]


def test_a_trial_stays_as_it_was_if_there_is_no_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["dice", "--die", "d6", "--camera", "folder:nowhere"]) == 2
    assert not Path("dice-d6").exists()
    type_in(monkeypatch, "3")
    main(["dice", "--die", "d6", "--by-hand"])
    assert main(["dice", "--die", "d6", "--camera", "folder:nowhere"]) == 2
    assert main(["audit", "--verify", "dice-d6"]) == 0


def test_a_trial_whose_camera_breaks_off_is_sealed_and_judged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def break_off(trial: KeptTrial, _dice: int) -> None:
        trial.tell([4])
        raise CameraUnavailable("the camera gives no pictures any more")

    monkeypatch.setattr(dice_cli, "roll_by_hand", break_off)
    assert main(["dice", "--die", "d6", "--by-hand"]) == 2
    told = capsys.readouterr()
    assert "Too few rolls to tell: 1." in told.out
    assert "no pictures any more" in told.err
    assert main(["audit", "--verify", "dice-d6"]) == 0


def test_a_spoilt_table_of_a_trial_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("dice-d6").mkdir()
    Path("dice-d6/rolls.csv").write_text("kind,face\nd6,9\n")
    assert main(["dice", "--die", "d6", "--by-hand"]) == 2
    assert "dice-d6/rolls.csv: line 2: a d6 shows" in capsys.readouterr().err


def test_a_trial_whose_last_line_was_broken_off_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    trial_of(D6, Path("mine"), 10).tell([6, 5])
    table = Path("mine/rolls.csv")
    whole = table.read_text("utf-8")
    for torn, left in ((whole + "2,,,2026-11-21T20", [6, 5]), (whole[:9], []), ("", [])):
        table.write_text(torn, "utf-8")
        capsys.readouterr()
        trial = trial_of(D6, Path("mine"), 10)
        said = capsys.readouterr().out
        assert ("mine/rolls.csv was broken off; it is left out." in said) == bool(torn)
        trial.tell([4])
        assert [face for face, _, _ in kept()] == [*left, 4]


def test_a_last_line_that_ends_within_a_letter_is_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    trial_of(D6, Path("mine"), 10).tell([6, 5])
    table = Path("mine/rolls.csv")
    table.write_bytes(table.read_bytes() + "2,Jö".encode()[:-1])
    capsys.readouterr()
    trial_of(D6, Path("mine"), 10).tell([4])
    assert "was broken off; it is left out." in capsys.readouterr().out
    assert [face for face, _, _ in kept()] == [6, 5, 4]


def test_the_line_tells_the_evidence_and_when_it_is_an_alarm(
    capsys: pytest.CaptureFixture[str],
) -> None:
    trial_of(D6, Path("mine"), 10).tell([6, 6, 6])
    assert capsys.readouterr().out.endswith("evidence 1.4, alarm at 20\n")
    checks = {"d6": {(v, v): 50 for v in D6.values}}
    trial_of(D6, Path("other"), 10, checks=checks).tell([6, 6, 6])
    assert capsys.readouterr().out.endswith("alarm at 20\n")


# -- quarterdeck dice, before a camera ----


def seen(*faces: int | None, doubt: str = "", at: int = 1, guess: int | None = None) -> Thrown:
    """Return dice beside each other, where `at` says; ``None``: it cannot be read."""
    dice = tuple(
        ReadFace(
            guess if face is None else face,
            0.4 if face is None else 0.97,
            (at + 40 * k, 2, 30, 40),
            "green d6",
            b"a die",
            is_sure=face is not None,
            seems="cocked" if face is None else "",
        )
        for k, face in enumerate(faces)
    )
    return Thrown(dice, doubt, b"a picture")


@pytest.fixture
def trial() -> KeptTrial:
    return trial_of(D6, Path("mine"), 10, "Anne", clock=lambda: 5.0)


def kept() -> list[tuple[int | None, int | None, str]]:
    rolls = read_rolls(Path("mine/rolls.csv").read_text("utf-8"))
    return [(r.face, r.read, r.confirmed_by) for r in rolls]


def test_a_sure_roll_is_counted_with_its_picture(trial: KeptTrial) -> None:
    count_roll(trial, seen(3), is_check=False, can_ask=True)
    (roll,) = read_rolls(Path("mine/rolls.csv").read_text("utf-8"))
    assert (roll.face, roll.read, roll.p, roll.look) == (3, 3, 0.97, "")
    assert (roll.box, roll.confirmed_by) == ((1, 2, 30, 40), "")
    assert roll.picture == f"00001-{picture_digest(b'a picture')}.jpg"
    assert Path("mine/pictures", roll.picture).read_bytes() == b"a picture"
    assert Path("mine/pictures/00001-1.jpg").read_bytes() == b"a die"


def test_the_card_is_waited_for_thrice_however_many_dice_are_thrown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The picture of the throw and its name are on the card before the line that names it."""
    trial, forced = trial_of(D6, Path("mine"), 90, at_once=30), list[int]()
    monkeypatch.setattr("os.fsync", lambda file: forced.append(os.fstat(file).st_ino))
    trial.take(seen(*[4] * 30))
    (picture,) = {roll.picture for roll in trial.rolls}
    pictures = Path("mine/pictures")
    in_order = (pictures / picture, pictures, Path("mine/rolls.csv"))
    assert forced == [path.stat().st_ino for path in in_order]
    assert [trial.crop(1, number) for number in (1, 30)] == [b"a die"] * 2


def test_the_pictures_of_a_trial_are_proven_with_it(
    trial: KeptTrial, capsys: pytest.CaptureFixture[str]
) -> None:
    count_roll(trial, seen(3), is_check=False, can_ask=True)
    trial.tell([4])
    end(trial)
    (noted,) = re.findall(r"mine/rolls.csv, sealed as ([0-9a-f]{12})\n", capsys.readouterr().out)
    assert main(["audit", "--verify", "mine"]) == 0
    told = capsys.readouterr().out
    assert "mine/rolls.csv: 2 dice, unaltered, and so are the pictures of the tray." in told
    assert noted in told
    (picture,) = Path("mine/pictures").glob("00001-?*[0-9a-f].jpg")
    for change in (lambda: picture.write_bytes(b"another"), picture.unlink):
        change()
        assert main(["audit", "--verify", "mine"]) == 2
        told = capsys.readouterr().err
        assert f"line 2: its picture {picture} is missing or was changed" in told
    assert main(["audit", "--verify", "mine/rolls.csv"]) == 0


def test_dice_rolled_together_keep_their_looks() -> None:
    trial = trial_of(D6, Path("mine"), 10, at_once=2)
    count_roll(trial, seen(3, 4), is_check=False, can_ask=True)
    rolls = read_rolls(Path("mine/rolls.csv").read_text("utf-8"))
    assert [(r.face, r.roll, r.look) for r in rolls] == [(3, 1, "green d6"), (4, 1, "green d6")]


def test_dice_that_somebody_has_named_are_called_so() -> None:
    """Else those that are told would be another die than those that are read."""
    trial = KeptTrial(Plan(D6, 10, at_once=2, look="teal"), Path("mine"))
    trial.take(seen(3, 4))
    trial.tell([1, 2])
    assert {roll.look for roll in trial.rolls} == {"teal"}


def test_a_trial_of_a_table_is_gone_on_with_as_the_same_die(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = Plan(D6, 10, look="green")
    KeptTrial(plan, Path("mine")).tell([3])
    keep_plan(plan, Path("mine"))
    type_in(monkeypatch, "4", "q")
    assert main(["dice", "--die", "d6", "--by-hand", "--out", "mine"]) == 0
    rolls = read_rolls(Path("mine/rolls.csv").read_text("utf-8"))
    assert [(roll.face, roll.look) for roll in rolls] == [(3, "green"), (4, "green")]


def lessons(trial: KeptTrial) -> list[tuple[str, tuple[int, ...], int]]:
    """Return what people have said, as far as it can be learnt from: throw, box and face."""
    return [(le.picture.name[:5], le.box, le.die.face) for le in trial.lessons]


def test_what_is_said_of_a_die_that_was_asked_about_can_be_learnt(
    trial: KeptTrial, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["5", "6", "5", "", "5", "2"])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    asked = {"is_check": False, "can_ask": True}
    count_roll(trial, seen(None, doubt=COCKED), **asked)
    count_roll(trial, seen(4, None, doubt=COCKED), **asked)
    count_roll(trial, seen(4), is_check=True, can_ask=True)  # read wrongly, and for sure
    count_roll(trial, seen(4), is_check=True, can_ask=True)  # nothing new
    count_roll(trial, seen(3), **asked)  # nobody is asked
    count_roll(trial, seen(None, at=90, doubt=COCKED), is_check=False, can_ask=False)
    told = [
        ("00001", (1, 2, 30, 40), 5),
        ("00002", (41, 2, 30, 40), 6),
        ("00003", (1, 2, 30, 40), 5),
    ]
    assert lessons(trial) == told
    end(trial)
    assert lessons(trial_of(D6, Path("mine"), 10)) == told


def test_of_several_dice_that_were_asked_about_nobody_knows_which_shows_what(
    trial: KeptTrial, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["5 6", "6 4"])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    count_roll(trial, seen(None, None, doubt=COCKED), is_check=False, can_ask=True)
    count_roll(trial, seen(4, None, doubt=COCKED), is_check=False, can_ask=True)
    assert lessons(trial) == []


def test_of_more_dice_than_were_rolled_nobody_knows_which_was_told(trial: KeptTrial) -> None:
    """What was told of one that rolled out of the tray was learnt for one that only lay there."""
    (die,) = seen(4).dice
    other = replace(die, is_sure=False, seems=ONE_TOO_MANY)
    pass_by(trial, Thrown((other,), "I see 2 dice, 1 is rolled at once", b"a picture"))
    trial.answer(1, [6], "Anne")
    assert lessons(trial) == []
    end(trial)
    assert lessons(trial_of(D6, Path("mine"), 10)) == []
    assert "seemed one too many" in Path("mine/report.html").read_text("utf-8")


def test_what_is_told_later_by_hand_is_learnt_at_once_and_the_next_time(trial: KeptTrial) -> None:
    pass_by(trial, seen(None, doubt=COCKED), seen(3, at=90))
    trial.fill_in(1, [6])
    assert lessons(trial) == [("00001", (1, 2, 30, 40), 6)]
    assert lessons(trial_of(D6, Path("mine"), 10)) == [("00001", (1, 2, 30, 40), 6)]


COCKED = "a die is cocked"
PUT_BACK = "the same faces as before"


def pass_by(trial: KeptTrial, *throws: Thrown) -> None:
    """Let a trial see throws while nobody can be asked."""
    for thrown in throws:
        count_roll(trial, thrown, is_check=False, can_ask=False)


def test_a_doubtful_roll_is_kept_as_unread_where_nobody_can_be_asked(
    trial: KeptTrial, capsys: pytest.CaptureFixture[str]
) -> None:
    pass_by(trial, seen(None, doubt=COCKED, guess=5), seen(9, at=300))
    told = capsys.readouterr().out
    assert "not counted: I read 5; a die is cocked" in told
    assert "not counted: I read 9; that is no face of this die" in told
    end(trial)
    assert kept() == [(None, 5, ""), (None, None, "")]
    told = capsys.readouterr().out
    assert "Could not be read: 2 dice. The verdict holds whatever they showed" in told
    assert "No rolls were counted." in told
    assert len(list(Path("mine/pictures").iterdir())) == 4


def test_of_a_throw_that_was_half_read_the_plain_dice_count(trial: KeptTrial) -> None:
    pass_by(trial, seen(3, None, 5, doubt=COCKED), seen(6, 6, 6, at=300))
    end(trial)
    assert [face for face, _, _ in kept()] == [3, None, 5, 6, 6, 6]
    rolls = read_rolls(Path("mine/rolls.csv").read_text("utf-8"))
    assert [roll.roll for roll in rolls] == [1, 1, 1, 2, 2, 2]


def test_a_die_that_shows_no_face_of_its_kind_costs_not_the_others() -> None:
    trial = trial_of(find_kind("d6", (1, 2, 3)), Path("mine"), 10)
    pass_by(trial, seen(3, 5))
    end(trial)
    assert [(face, read) for face, read, _ in kept()] == [(3, 3), (None, None)]


def test_what_may_be_no_roll_is_unread_as_a_whole(trial: KeptTrial) -> None:
    pass_by(trial, seen(3, 4, doubt=PUT_BACK), seen(1, 2, at=300))
    end(trial)
    assert [face for face, _, _ in kept()] == [None, None, 1, 2]


def test_a_throw_that_is_put_right_counts_once(trial: KeptTrial) -> None:
    pass_by(trial, seen(3, None, 5, doubt=COCKED), seen(3, 4, 5, at=3))
    end(trial)
    assert [face for face, _, _ in kept()] == [3, 4, 5]


def test_a_cocked_die_that_is_seen_again_and_again_is_one(trial: KeptTrial) -> None:
    pass_by(trial, *[seen(None, doubt=COCKED, guess=guess) for guess in (2, 5, 2)])
    pass_by(trial, seen(4, at=300))
    end(trial)
    assert [face for face, _, _ in kept()] == [None, 4]


def test_a_trial_goes_on_with_its_unread_dice_and_does_not_count_them(
    trial: KeptTrial, capsys: pytest.CaptureFixture[str]
) -> None:
    pass_by(trial, seen(None, doubt=COCKED, guess=2), seen(4, at=300))
    end(trial)
    again = trial_of(D6, Path("mine"), 2, "Anne", clock=lambda: 5.0)
    assert not again.is_complete
    capsys.readouterr()
    pass_by(again, seen(6, at=600))
    assert "2/2  shows 6" in capsys.readouterr().out
    assert again.is_complete
    end(again)
    told = capsys.readouterr().out
    assert "Too few rolls to tell: 2. 1 of 3 dice could not be read" in told
    assert "<b>?</b> perhaps 2, seemed cocked" in Path("mine/report.html").read_text("utf-8")
    rolls = read_rolls(Path("mine/rolls.csv").read_text("utf-8"))
    assert [roll.seems for roll in rolls] == ["cocked", "", ""]


def test_what_the_camera_could_not_read_can_be_told_afterwards(
    trial: KeptTrial, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pass_by(trial, seen(3, None, None, doubt=COCKED, guess=2), seen(1, 1, 1, at=300))
    end(trial)
    type_in(monkeypatch, "2: 5", "1: 5", "1: 7 7", "1: 6 2", "q")
    arguments = ["dice", "--die", "d6", "--dice", "3", "--rolls", "4", "--out", "mine"]
    assert main([*arguments, "--by-hand", "--captain", "Mary"]) == 0
    told = capsys.readouterr().out
    assert "Could not be read: roll 1." in told
    assert "3 dice are rolled at once, not 1" in told
    assert "2 dice are rolled at once, not 1" in told
    assert "a d6 shows 1, 2, 3, 4, 5, 6, not 7" in told
    by = [(3, 3, ""), (6, 2, KEYBOARD), (2, 2, KEYBOARD), (1, 1, ""), (1, 1, ""), (1, 1, "")]
    assert kept() == by
    assert verify_export(Path("mine/rolls.csv").read_text("utf-8"))


FEW = "I see 2 dice, 3 are rolled at once"


def too_few(*faces: int) -> Thrown:
    """Return a throw of which one die is not seen; of the others none is sure."""
    dice = tuple(replace(die, is_sure=False) for die in seen(*faces).dice)
    return Thrown((*dice, ReadFace(None, 0.0, None, "", is_sure=False)), FEW, b"a picture")


def test_a_throw_of_which_too_few_dice_are_seen_is_kept_and_convicts_no_die(
    trial: KeptTrial, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(20):
        pass_by(trial, too_few(6, 6), seen(1, 2, 3, at=300 + number))
    assert f"not counted: I read 6 6 ?; {FEW}" in capsys.readouterr().out
    end(trial)
    assert kept()[:3] == [(None, 6, ""), (None, 6, ""), (None, None, "")]
    assert "60 of 120 dice could not be read: they may have shown" in capsys.readouterr().out
    boxes = [r.box for r in read_rolls(Path("mine/rolls.csv").read_text("utf-8"))[:3]]
    assert boxes == [(1, 2, 30, 40), (41, 2, 30, 40), None]
    pictures = {path.name for path in Path("mine/pictures").glob("00001*")}
    assert pictures == {f"00001-{picture_digest(b'a picture')}.jpg", "00001-1.jpg", "00001-2.jpg"}


def test_a_die_that_comes_to_be_seen_makes_the_throw_whole(trial: KeptTrial) -> None:
    pass_by(trial, too_few(6, 5), seen(6, 5, 4))
    end(trial)
    assert [face for face, _, _ in kept()] == [6, 5, 4]


def test_a_throw_of_which_nothing_was_seen_is_no_other_throw(trial: KeptTrial) -> None:
    nothing = Thrown((ReadFace(None, 0.0, None, "", is_sure=False),), "I see 0 dice", b"")
    pass_by(trial, nothing, seen(4))
    end(trial)
    assert [face for face, _, _ in kept()] == [None, 4]


@pytest.mark.parametrize("answer", ["5", "4 6 5", "4,6,5"])
def test_who_is_there_is_asked_for_the_die_that_is_not_seen(
    trial: KeptTrial,
    answer: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    prompts = type_in(monkeypatch, "7", answer)
    assert count_roll(trial, too_few(4, 6), is_check=False, can_ask=True)
    how = "What the ? shows (Enter: nobody knows, n: no roll): "
    assert prompts == [f"\n{FEW}.\nI read 4 6 ?. {how}"] * 2
    assert "a d6 shows 1, 2, 3, 4, 5, 6, not 7" in capsys.readouterr().out
    assert kept() == [(4, 4, KEYBOARD), (6, 6, KEYBOARD), (5, None, KEYBOARD)]


@pytest.mark.parametrize("throw", [seen(4), seen(None, doubt="a die is cocked", guess=4)])
def test_who_ends_the_trial_at_a_question_loses_no_throw(
    trial: KeptTrial, monkeypatch: pytest.MonkeyPatch, throw: Thrown
) -> None:
    """Where the input ended instead, it was kept."""

    def interrupt(_: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    with pytest.raises(KeyboardInterrupt):
        count_roll(trial, throw, is_check=True, can_ask=True)
    end(trial)
    assert kept() == [(None if throw.doubt else 4, 4, "")]


@pytest.mark.parametrize("typed", [[""], []])
def test_what_nobody_knows_is_kept_as_unread(
    trial: KeptTrial, typed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    type_in(monkeypatch, *typed)
    assert not count_roll(trial, too_few(4, 6), is_check=False, can_ask=True)
    end(trial)
    assert [face for face, _, _ in kept()] == [None, None, None]


def test_what_was_no_roll_can_be_said_afterwards(
    trial: KeptTrial, monkeypatch: pytest.MonkeyPatch
) -> None:
    pass_by(trial, too_few(4, 6), seen(1, 1, 1, at=300))
    end(trial)
    type_in(monkeypatch, "1: n", "q")
    arguments = ["dice", "--die", "d6", "--dice", "3", "--rolls", "4", "--out", "mine"]
    assert main([*arguments, "--by-hand"]) == 0
    rolls = read_rolls(Path("mine/rolls.csv").read_text("utf-8"))
    assert [roll.status for roll in rolls] == ["taken back"] * 3 + ["stands"] * 3


def test_what_is_told_afterwards_goes_to_the_dice_that_were_read_so(trial: KeptTrial) -> None:
    pass_by(trial, too_few(4, 6), seen(1, 1, 1, at=300))
    end(trial)
    trial_of(D6, Path("mine"), 10, "Anne").fill_in(1, [6, 5, 4])
    assert kept()[:3] == [(4, 4, KEYBOARD), (6, 6, KEYBOARD), (5, None, KEYBOARD)]


def test_only_what_is_read_for_sure_is_checked(
    trial: KeptTrial, monkeypatch: pytest.MonkeyPatch
) -> None:
    type_in(monkeypatch, "4 4")
    count_roll(trial, seen(3, None, doubt=COCKED, guess=5), is_check=True, can_ask=True)
    end(trial)
    assert read_checks(Path("mine/checks.csv").read_text("utf-8")) == {"d6": {(4, 3): 1}}


@pytest.mark.parametrize(
    ("typed", "counted"),
    [
        (["4"], [(4, None, KEYBOARD)]),
        (["9", "4"], [(4, None, KEYBOARD)]),  # "?" is no answer
        (["n"], [(None, None, "")]),  # struck through
        ([], []),
    ],
)
def test_a_doubtful_roll_is_asked_about(
    trial: KeptTrial,
    monkeypatch: pytest.MonkeyPatch,
    typed: list[str],
    counted: list[tuple[int, int | None, str]],
) -> None:
    type_in(monkeypatch, *typed)
    is_settled = count_roll(trial, seen(None, doubt=COCKED), is_check=False, can_ask=True)
    assert kept() == counted
    assert is_settled is bool(typed), "who has answered is not asked again"
    assert [roll.face for roll in trial.rolls if roll.status == STANDS] == [4] * ("4" in typed)


def test_checking_asks_after_every_roll_and_counts_the_errors(
    trial: KeptTrial, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "", "6", "n", "2")
    for thrown in (seen(5), seen(5), seen(5), seen(None)):
        count_roll(trial, thrown, is_check=True, can_ask=True)
    end(trial)
    assert kept() == [(5, 5, KEYBOARD), (6, 5, KEYBOARD), (None, 5, ""), (2, None, KEYBOARD)]
    checks = Path("mine/checks.csv")
    assert read_checks(checks.read_text("utf-8")) == {"d6": {(5, 5): 1, (6, 5): 1}}
    again = trial_of(D6, Path("mine"), 10)
    type_in(monkeypatch, "")
    count_roll(again, seen(5), is_check=True, can_ask=True)
    end(again)
    assert read_checks(checks.read_text("utf-8")) == {"d6": {(5, 5): 2, (6, 5): 1}}
    assert "\n\nChecked readings: mine/checks.csv\n" in capsys.readouterr().out, "below the bar"


def test_who_checks_several_dice_tells_them_in_any_order(
    trial: KeptTrial, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was misread was noted as several that were."""
    type_in(monkeypatch, "5 6 3")
    count_roll(trial, seen(6, 1, 3), is_check=True, can_ask=True)
    end(trial)
    assert kept() == [(6, 6, KEYBOARD), (5, 1, KEYBOARD), (3, 3, KEYBOARD)]
    counts = {(6, 6): 1, (5, 1): 1, (3, 3): 1}
    assert read_checks(Path("mine/checks.csv").read_text("utf-8")) == {"d6": counts}


def test_what_was_no_roll_is_kept_struck_through_with_its_picture(
    trial: KeptTrial, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It left no trace; of a folder it was asked about each time that was gone on with."""
    type_in(monkeypatch, "n")
    assert count_roll(trial, seen(3, doubt="it was put back"), is_check=False, can_ask=True)
    assert capsys.readouterr().out == "roll 1 was none\n", "there was a bell, and evidence of it"
    (roll,) = trial.rolls
    assert (roll.status, roll.read, trial.read) == (TAKEN_BACK, 3, 0)
    assert list(trial.digests) == [picture_digest(b"a picture")]
    trial.take_back()
    assert [asked.roll for asked in trial.asked] == [1]
    trial.take_back()
    assert (trial.asked, trial.rolls[0].status) == ([], TAKEN_BACK)


def check_once(kind: DieKind, face: int) -> KeptTrial:
    """Return a trial in which the camera was found right once."""
    trial = trial_of(kind, Path("mine"), 10)
    thrown = Thrown((replace(seen(face).dice[0], face=face),), "", b"a picture")
    trial.check(thrown, [face])
    trial.take(thrown, [face])
    return trial


@pytest.mark.parametrize("kind", [find_kind("d6", (0, 1, 2, 3, 4, 5)), DieKind("whale", (0, 0, 7))])
def test_checks_of_a_die_with_other_faces_go_on(kind: DieKind) -> None:
    for _ in range(2):
        end(check_once(kind, 0))
    told = Path("mine/checks.csv").read_text("utf-8")
    assert read_checks(told) == {kind.id: {(0, 0): 2}}
    assert f"{kind.id},{' '.join(map(str, kind.faces))},0,0,2" in told


@pytest.mark.parametrize("old", [b"kind,true,read,count\nd6,9,1,2\n", b"\xff\xfe", b"d6"])
def test_checks_that_cannot_be_read_cost_neither_the_verdict_nor_the_new_ones(
    old: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("mine").mkdir()
    Path("mine/checks.csv").write_bytes(old)
    for _ in range(2):
        end(check_once(D6, 4))
        told = capsys.readouterr().out
        assert "mine/checks.csv" in told
        assert "It is left as it is." in told
        assert "Too few rolls to tell" in told
    assert Path("mine/checks.csv").read_bytes() == old
    for name in ("checks-2.csv", "checks-3.csv"):
        assert read_checks(Path("mine", name).read_text("utf-8")) == {"d6": {(4, 4): 1}}


def test_checks_that_cannot_be_written_cost_no_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    trial = check_once(D6, 4)
    Path("mine/checks.csv").mkdir()
    Path("mine/checks-2.csv.new").mkdir()
    with pytest.raises(AuditError, match=r"checks-2\.csv cannot be written"):
        end(trial)
    assert "Too few rolls to tell: 1." in capsys.readouterr().out
    assert verify_export(Path("mine/rolls.csv").read_text("utf-8"))


def test_a_terminal_hears_a_bell_and_sees_one_line(
    trial: KeptTrial, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    trial.tell([6])
    told = capsys.readouterr().out
    assert told.startswith("\r")
    assert told.endswith("\a")
    assert "1/10  shows 6" in told


def test_the_verdict_stands_below_the_bar_of_a_throw_that_is_kept_at_the_end(
    trial: KeptTrial, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    pass_by(trial, seen(None, doubt=COCKED))
    end(trial)
    assert "\a\nCould not be read: 1 die." in capsys.readouterr().out


def test_what_is_typed_by_hand_stands_below_the_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    type_in(monkeypatch, "6", "5", "q")
    assert main(["dice", "--die", "d6", "--by-hand"]) == 0
    assert "shows 6        evidence 1, alarm at 20\a\n\r" in capsys.readouterr().out


def test_the_bar_fills() -> None:
    bars: Callable[[int], str] = lambda done: progress(done, 4)[1:25]  # noqa: E731
    assert [bars(n).count("#") for n in (0, 1, 4, 9)] == [0, 6, 24, 24]


def test_faces_may_be_typed_by_the_names_people_call_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, "Green", "3", "purple", "yellow")
    assert main(["dice", "--die", "colour", "--rolls", "3", "--by-hand"]) == 0
    told = capsys.readouterr().out
    assert "(0 brown, 1 red, 2 orange, 3 green, 4 white, 5 yellow)" in told
    assert "3 green, 4 white, 5 yellow, not purple" in told
    assert "3/3  shows yellow" in told
    rolls = read_rolls(Path("dice-colour/rolls.csv").read_text("utf-8"))
    assert [roll.face for roll in rolls] == [3, 3, 5]


def test_several_dice_may_be_typed_with_commas() -> None:
    assert parse_faces("2, 3,3", DieKind("sail", (2, 3, 3, 4)), 3) == (2, 3, 3)


def test_a_virtual_tray_is_watched_from_the_first_roll_to_the_verdict(
    capsys: pytest.CaptureFixture[str],
) -> None:
    import cv2

    from vision.virtual.roller import RESTING, TUMBLING, RollingTray

    assert main(["dice", "--die", "cannon", "--rolls", "4", "--camera", "virtual:3"]) == 0
    told = capsys.readouterr().out
    assert "cannonball die, 4 rolls. Too few rolls to tell: 4." in told
    rolls = read_rolls(Path("dice-cannon/rolls.csv").read_text("utf-8"))
    tray = RollingTray("cannon", find_kind("cannon").faces, 1, (220.0, 160.0), 3)
    truth = []
    for _ in range(12):
        for _ in range(TUMBLING + RESTING):
            tray.read()
        truth.append(tray.shown[0])
    left = iter(truth)  # a roll that could not be read is missing, none is wrong
    assert all(roll.face in left for roll in rolls)
    assert all(Path("dice-cannon/pictures", roll.picture).is_file() for roll in rolls)
    page = Path("dice-cannon/report.html").read_text("utf-8")
    crops = re.findall(r'src="(pictures/[^"]+)"', page)
    assert len(crops) == 4
    for crop in crops:
        side, other, _ = cv2.imread(f"dice-cannon/{crop}").shape
        assert side == other
    assert {roll.source for roll in rolls} == {"camera"}


def test_serving_takes_the_camera_s_errors_from_a_file(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("checks.csv").write_text("kind,true,read,count\nd6,1,1\n")
    assert main(["serve", "--checks", "checks.csv", "--data", "here"]) == 2
    assert "line 2: it has 3 cells, the first line names 4" in capsys.readouterr().err
    assert not Path("here").exists()


def test_a_folder_is_one_roll_a_picture(capsys: pytest.CaptureFixture[str]) -> None:
    import cv2

    from vision.virtual.roller import RESTING, TUMBLING, RollingTray

    tray = RollingTray("cannon", find_kind("cannon").faces, 1, (220.0, 160.0), 3)
    Path("shots").mkdir()
    cv2.imwrite("empty.png", tray.empty)
    cv2.imwrite("shots/0.png", tray.empty)
    Path("shots/1.png").write_bytes(b"no picture")
    truth = []
    for number in range(2, 6):
        for _ in range(TUMBLING + RESTING):
            frame = tray.read()
        cv2.imwrite(f"shots/{number}.png", frame.board)
        truth.append(tray.shown[0])
    assert len(set(truth)) > 1
    arguments = ["--camera", "folder:shots", "--empty", "empty.png", "--out", "mine"]
    assert main(["dice", "--die", "cannon", "--rolls", "9", *arguments]) == 0
    told = capsys.readouterr().out
    assert "not counted: I read ?; I see 0 dice, 1 is rolled at once; no cannonball die" in told
    assert "it should be about 67 pixels wide in the picture (picture 0)" in told
    assert "not counted: 'shots/1.png' cannot be read" in told
    rolls = read_rolls(Path("mine/rolls.csv").read_text("utf-8"))
    left = iter(truth)
    assert [roll.face is None for roll in rolls][:2] == [True, False]
    assert all(roll.face in left for roll in rolls if roll.face is not None)
    # Gone on with, what was counted is not counted again, nor a copy of it.
    shutil.copy("shots/2.png", "shots/6.png")
    marked = cv2.imread("shots/2.png")
    marked[:8, :8] = 0
    cv2.imwrite("shots/7.png", marked)
    assert main(["dice", "--die", "cannon", "--rolls", "9", *arguments]) == 0
    again = read_rolls(Path("mine/rolls.csv").read_text("utf-8"))
    assert again[:-1] == rolls
    assert again[-1].face == rolls[1].face


@pytest.mark.frames
def test_real_photographs_of_a_die_need_no_tray(capsys: pytest.CaptureFixture[str]) -> None:
    beside = Path(__file__).parents[4] / "shared" / "dice"
    folder = Path(os.environ.get("QUARTERDECK_DICE", beside))
    if not (folder / "manifest.jsonl").is_file():
        pytest.skip("no photographs of dice here: set QUARTERDECK_DICE")
    lines = (folder / "manifest.jsonl").read_text("utf-8").splitlines()
    pictures = [json.loads(line) for line in lines]
    alone = [p for p in pictures if len(p["dice"]) == 1 and p["dice"][0]["kind"] == "d6"][::12][:6]
    Path("shots").mkdir()
    for number, picture in enumerate(alone):
        shutil.copy(folder / picture["image"], f"shots/{number}.jpg")
    assert main(["dice", "--die", "d6", "--camera", "folder:shots", "--out", "mine"]) == 0
    rolls = read_rolls(Path("mine/rolls.csv").read_text("utf-8"))
    left = iter(picture["dice"][0]["value"] for picture in alone)
    assert len(rolls) >= 2
    assert all(roll.face in left for roll in rolls)
    assert f"{len(rolls)} rolls" in capsys.readouterr().out


def test_a_trial_that_somebody_has_altered_does_not_go_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    trial = trial_of(D6, Path("mine"), 10)
    trial.tell([4])
    trial.tell([3])
    end(trial)
    table = Path("mine/rolls.csv")
    whole = table.read_text("utf-8")
    lines = whole.splitlines(keepends=True)
    for altered, number in (
        (lines[0] + lines[1] + lines[2].replace(",d6,,,3,", ",d6,,,6,") + lines[3], 3),
        (lines[0] + lines[2] + lines[3], 2),
        (lines[0] + lines[1] + lines[3], 3),
    ):
        assert altered != whole
        table.write_text(altered, "utf-8")
        assert main(["dice", "--die", "d6", "--by-hand", "--out", "mine"]) == 2
        told = capsys.readouterr().err
        assert f"mine/rolls.csv, line {number}: it was changed since it was written" in told
        assert table.read_text("utf-8") == altered
    table.write_text(whole, "utf-8")
    trial_of(D6, Path("mine"), 10).tell([5])
    assert [face for face, _, _ in kept()] == [4, 3, 5]


def test_columns_of_one_s_own_are_not_lost(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine").mkdir()
    own = "kind,face,note\nd6,4,under the lamp\n"
    Path("mine/rolls.csv").write_text(own)
    assert main(["dice", "--die", "d6", "--by-hand", "--out", "mine"]) == 2
    assert "columns that would be lost, note: take them out" in capsys.readouterr().err
    assert Path("mine/rolls.csv").read_text() == own


def test_what_was_told_of_an_unread_die_can_be_taken_back_and_put_right(
    trial: KeptTrial, capsys: pytest.CaptureFixture[str]
) -> None:
    count_roll(trial, seen(None, doubt="it is cocked"), is_check=False, can_ask=False)
    end(trial)
    trial = trial_of(D6, Path("mine"), 10, "Anne")
    trial.tell([2])
    assert [face for face, _, _ in kept()] == [None, 2]
    fill_in(trial, "1: 5")
    trial.take_back()
    assert [face for face, _, _ in kept()] == [None, 2]
    fill_in(trial, "1: 5")
    fill_in(trial, "1: 4")
    fill_in(trial, "3: 4")
    assert [face for face, _, _ in kept()] == [4, 2]
    told = capsys.readouterr().out
    for line in (
        "roll 1 shows 5",
        "taken back: what was told of roll 1",
        "roll 1 shows 4",
        "there is no roll 3 that stands",
    ):
        assert line in told
    trial.take_back()
    trial.take_back()
    trial.take_back()
    assert [face for face, _, _ in kept()] == [None, 2]
    assert "taken back: 2" in capsys.readouterr().out


def test_what_was_typed_wrongly_is_put_right_and_stays_struck_through(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All rolls since then had to be taken back, and typed once more."""
    type_in(monkeypatch, "3 3", "1 2", "6 6", "1: 5", "1: 5 3", "u", "1: 3 4", "3: n", "q")
    arguments = ["dice", "--die", "d6", "--dice", "2", "--rolls", "20", "--by-hand"]
    assert main([*arguments, "--out", "mine"]) == 0
    told = capsys.readouterr().out
    for line in (
        "2 dice are rolled at once, not 1",
        "roll 1 shows 5 3",
        "taken back: what was told of roll 1",
        "roll 1 shows 3 4",
        "roll 3 was none",
        "d6, 4 rolls.",
    ):
        assert line in told
    rolls = [roll for _, roll in verify_export(Path("mine/rolls.csv").read_text("utf-8"))]
    assert [(roll.roll, roll.shows, roll.status, roll.confirmed_by) for roll in rolls] == [
        (1, "3", CORRECTED, ""),
        (1, "3", CORRECTED, ""),
        (1, "3", STANDS, KEYBOARD),
        (1, "4", STANDS, KEYBOARD),
        (2, "1", STANDS, ""),
        (2, "2", STANDS, ""),
        (3, "6", TAKEN_BACK, ""),
        (3, "6", TAKEN_BACK, ""),
    ]


def test_what_the_camera_misread_is_put_right_afterwards(
    trial: KeptTrial, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All rolls since then had to be taken back."""
    pass_by(trial, seen(3, 2, 4), seen(1, 1, 1, at=300))
    end(trial)
    type_in(monkeypatch, "1: 5 2 3", "u", "1: 3 5 2", "q")
    arguments = ["dice", "--die", "d6", "--dice", "3", "--rolls", "4", "--out", "mine"]
    assert main([*arguments, "--by-hand", "--captain", "Mary"]) == 0
    told = capsys.readouterr().out
    assert "taken back: what was told of roll 1" in told
    assert "roll 1 shows 3 2 5" in told
    by = [(3, 3, KEYBOARD), (2, 2, KEYBOARD), (5, 4, KEYBOARD), *[(1, 1, "")] * 3]
    assert kept() == by
    told = '<b>5</b> read as 4 <span class="sure">97.0 %</span>, put right by the keyboard'
    assert told in Path("mine/report.html").read_text("utf-8")
    again = trial_of(D6, Path("mine"), 10)
    assert [lesson.die.face for lesson in again.lessons] == [5]


def test_an_alarm_is_said_once_and_stays(capsys: pytest.CaptureFixture[str]) -> None:
    trial = trial_of(D6, Path("mine"), 200)
    for face in (*[6] * 14, *[1, 2, 3, 4, 5, 6] * 12):
        trial.tell([face])
    lines = capsys.readouterr().out.splitlines()
    first = next(k for k, line in enumerate(lines) if "ALARM" in line)
    assert lines[first] == "ALARM: of fair dice one in twenty, at most, ever looks as bad as this."
    assert "alarm at 20" in lines[first - 1]
    assert all(line.endswith(": ALARM") for line in lines[first + 1 :])
    assert "was " in lines[-1]
    assert [line for line in lines if line.startswith("ALARM")] == [lines[first]]


def test_an_alarm_that_somebody_s_word_brings_is_said_too(
    trial: KeptTrial, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only a throw that was counted brought it: this one was never said."""
    pass_by(trial, *[seen(6, at=40 * k) for k in range(7)], seen(None, doubt=COCKED, at=300))
    pass_by(trial, seen(6, at=400))
    assert not trial.evidence.is_alarm
    capsys.readouterr()
    fill_in(trial, "8: 6")
    said = ["roll 8 shows 6", ALARM]
    assert (capsys.readouterr().out.splitlines(), trial.notice) == (said, ALARM)


def test_a_card_that_refuses_the_seal_does_not_keep_the_verdict_back(
    trial: KeptTrial, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for _ in range(15):
        trial.tell([6])
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(AuditError, match=r"rolls\.csv cannot be written: No space left"):
        end(trial)
    told = capsys.readouterr().out
    assert "d6, 15 rolls. Not fair: 6 came 15 times" in told
    assert "sealed" not in told
    assert not Path("mine/report.html").exists()


def test_the_evidence_is_that_of_the_verdict_whoever_tells_the_rolls() -> None:
    checks = {"d6": {(v, v): 20 for v in D6.values}}
    trial = trial_of(D6, Path("mine"), 50, checks=checks)
    told_or_seen = (*[lambda: trial.tell([6])] * 12, lambda: trial.take(seen(6)), trial.take_back)
    for k, act in enumerate(told_or_seen):
        act()
        (found,) = audit(trial.rolls, checks)
        assert trial.evidence.p_value == pytest.approx(found.p_value), k
    assert trial.evidence.is_alarm, "those that were told need no excuse of a camera"


def test_what_cannot_be_written_is_not_taken_in_and_may_be_tried_again(
    trial: KeptTrial, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    trial.tell([3])
    pass_by(trial, seen(4, None, doubt=COCKED))
    with monkeypatch.context() as card:
        card.setattr("companion.audit.rolls_file.os.fsync", full)
        for change in (
            lambda: trial.tell([6]),
            lambda: trial.take(seen(6, at=300)),
            lambda: trial.answer(2, [4, 5], "Anne"),
            trial.take_back,
        ):
            with pytest.raises(AuditError, match="No space left"):
                change()
    assert [roll.face for roll in trial.rolls] == [3]
    assert not list(Path("mine").glob("*.new")), "half a file is in the way on a full card"
    trial.answer(2, [4, 5], "Anne")
    trial.take(seen(6, at=300))
    end(trial)
    assert [face for face, _, _ in kept()] == [3, 4, 5, 6]
    assert verify_export(Path("mine/rolls.csv").read_text("utf-8"))

"""The trials of an open table: begun, kept beside the games, gone on with, ended."""

from __future__ import annotations

import json
from collections.abc import Callable
from errno import ENOSPC
from pathlib import Path

import numpy as np
import pytest

from companion.audit.rolls import STANDS, find_kind
from companion.audit.rolls_csv import verify_export
from companion.audit.trial import MORE, Plan
from companion.errors import AuditError, NotCalibrated
from companion.rules.dice import DieKind
from companion.table.observation import DieReading
from companion.trial import tray
from companion.trial.kept import KeptTrial
from companion.trial.throws import Thrown
from companion.trial.tray import Reader, TrayWatch, reader_at_table
from companion.trial.trials import TableTrials
from tests.unit import grey_tray
from vision.frame import Frame

D6, D20 = find_kind("d6"), find_kind("d20")
GREEN = Plan(D6, 3, captain="Anne", look="green")


def scene(grey: int = 0, x: int = 40) -> np.ndarray:
    """Return a tray, with a die of some grey in it."""
    return grey_tray.scene(*[(x, 40, grey)] * (grey > 0))


def hand() -> np.ndarray:
    """Return a tray into which an arm reaches."""
    picture = scene()
    picture[:, :100] = 130
    return picture


class Table:
    """A table with a tray, and whose the tray is."""

    def __init__(self, folder: Path | None) -> None:
        self.given: list[bool] = []
        self.trials = TableTrials(folder, self._reader, self.given.append, {}, lambda: 5.0)

    def _reader(self, _kind: DieKind, _say: Callable[[str], None]) -> Reader:
        return Reader(grey_tray.read, lambda *_: True)

    def see(self, *scenes: np.ndarray) -> None:
        """Show each scene until it rests."""
        for picture in scenes:
            for _ in range(10):
                self.trials.feed(Frame("f", 0.0, picture, picture))

    def throw_hard_one(self) -> KeptTrial:
        """Put a die on trial and throw it; return the trial while it is still looked at."""
        self.trials.begin(GREEN)
        self.see(scene())
        trial = self.trials.now
        assert trial is not None
        for _ in range(3):
            self.trials.feed(Frame("f", 0.0, scene(250), scene(250)))
        assert trial.asked == []
        return trial

    def throw_as_before(self) -> KeptTrial:
        """Put a die on trial and let it show twice the same, unseen between; return the trial."""
        self.trials.begin(GREEN)
        trial = self.trials.now
        assert trial is not None
        self.see(scene(), scene(220), hand(), scene(220, x=150))
        return trial

    def hold(self, plan: Plan) -> None:
        """Put a die on trial, roll it once, and end that."""
        self.trials.begin(plan)
        assert self.trials.now is not None
        self.trials.now.tell([4])
        self.trials.end()

    @property
    def shown(self) -> list[int | None]:
        assert self.trials.now is not None
        return [roll.face for roll in self.trials.now.rolls if roll.status == STANDS]


def full(_: int) -> None:
    """Stand in for `os.fsync` on a card without room."""
    raise OSError(ENOSPC, "No space left on device")


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "trials")


def test_rolls_are_counted_and_the_tray_is_given_back(table: Table, tmp_path: Path) -> None:
    table.see(scene(220))  # nothing is on trial
    table.trials.begin(GREEN)
    table.see(scene(), scene(220), scene(), scene(240, x=150))
    assert table.shown == [4, 6]
    table.trials.end()
    assert table.given == [True, False]
    (folder,) = (tmp_path / "trials").iterdir()
    assert folder.name == "001-green-d6"
    rolls = verify_export((folder / "rolls.csv").read_text("utf-8"))
    assert [(roll.die, roll.face, roll.captain) for _, roll in rolls] == [
        ("green d6", 4, "Anne"),
        ("green d6", 6, "Anne"),
    ]
    assert "The green d6" in (folder / "report.html").read_text("utf-8")
    table.trials.end()  # for who was slower
    assert table.given == [True, False]


def test_an_earlier_one_is_gone_on_with(table: Table) -> None:
    trials = table.trials
    trials.begin(GREEN)
    table.see(scene(), scene(220))
    trials.end()
    trials.begin(Plan(D20, 300))
    assert [(one.plan.die, one.read) for one in trials.kept.earlier] == [("green d6", 1)]
    trials.end()
    table.hold(Plan(D20, 300))
    newest, oldest = trials.kept.earlier
    assert (newest.name, oldest.name) == ("002-d20", "001-green-d6")
    trials.go_on(oldest.name)
    assert trials.now is not None
    assert trials.now.plan == GREEN
    assert trials.now.notice == "", "where it goes on is seen"
    table.see(scene(), scene(240, x=150))
    assert table.shown == [4, 6]


def test_one_in_which_nothing_was_rolled_leaves_nothing(table: Table, tmp_path: Path) -> None:
    """It stood among the earlier ones for ever."""
    table.trials.begin(GREEN)
    table.see(scene())
    table.trials.end()
    assert table.given == [True, False]
    assert list((tmp_path / "trials").iterdir()) == []


def test_of_one_that_was_complete_more_are_wanted(table: Table) -> None:
    table.trials.begin(Plan(D6, 1))
    table.see(scene(), scene(220), scene(), scene(240, x=150))
    assert table.shown == [4], "as many as were wanted"
    table.trials.end()
    (earlier,) = table.trials.kept.earlier
    table.trials.go_on(earlier.name)
    assert table.trials.now is not None
    assert table.trials.now.plan.wanted == 1 + MORE


def test_one_die_is_on_trial_at_a_time(table: Table) -> None:
    table.trials.begin(GREEN)
    with pytest.raises(AuditError, match="the green d6 is on trial: end that first"):
        table.trials.begin(Plan(D20, 300))
    with pytest.raises(AuditError, match="end that first"):
        table.trials.go_on("001-green-d6")


def test_what_cannot_be_begun_leaves_the_tray_where_it_was(tmp_path: Path) -> None:
    nowhere = Table(None)
    with pytest.raises(AuditError, match="no folder"):
        nowhere.trials.begin(GREEN)
    assert nowhere.trials.kept.earlier == ()
    (tmp_path / "trials").write_text("no folder")
    spoilt = Table(tmp_path / "trials")
    with pytest.raises(AuditError, match="cannot be made"):
        spoilt.trials.begin(GREEN)
    with pytest.raises(AuditError, match="no such trial"):
        spoilt.trials.go_on("001-green-d6")
    assert (nowhere.given, spoilt.given) == ([], [])


@pytest.mark.parametrize("fails_at", [1, 2], ids=["plan", "rolls"])
def test_a_card_without_room_for_a_beginning_is_left_as_it_was(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int
) -> None:
    table.trials.begin(Plan(D6, 1))
    assert table.trials.now is not None
    table.trials.now.tell([4])
    table.trials.end()
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    written: list[int] = []

    def full(number: int) -> None:
        written.append(number)
        if len(written) >= fails_at:
            raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(AuditError, match="cannot be written: No space left"):
        table.trials.begin(GREEN)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert [path.name for path in (tmp_path / "trials").iterdir()] == ["001-d6"]
    written.clear()
    with pytest.raises(AuditError, match="cannot be written: No space left"):
        table.trials.go_on("001-d6")
    assert len(verify_export((tmp_path / "trials/001-d6/rolls.csv").read_text("utf-8"))) == 1
    assert (table.trials.now, table.given) == (None, [True, False])


def test_what_is_wanted_is_on_the_card_before_anything_is_rolled(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a power cut leaves a trial that is found no more, with all its rolls."""
    folder = tmp_path / "trials/001-green-d6"
    kept: list[list[str]] = []

    def fsync(_: int) -> None:
        kept.append([path.name for path in folder.iterdir() if path.stat().st_size])

    monkeypatch.setattr("os.fsync", fsync)
    table.trials.begin(GREEN)
    assert kept[0] == ["trial.json.new"]


def test_trials_that_cannot_be_read_are_told(table: Table, tmp_path: Path) -> None:
    for _ in range(4):
        table.hold(GREEN)
    folders = sorted((tmp_path / "trials").iterdir())
    (folders[0] / "trial.json").write_text("{")
    (folders[1] / "rolls.csv").write_text("kind,face\nd6,9\n")
    (folders[2] / "rolls.csv").unlink()
    (folders[3] / "trial.json").unlink()
    third, second = table.trials.kept.earlier
    lost, first = table.trials.kept.spoilt
    assert (lost.name, first.name) == (folders[3].name, folders[0].name)
    assert lost.why == "trial.json, which says what was rolled, is missing"
    assert first.why == "trial.json, which says what was rolled, was spoilt in line 1"
    assert (third.name, third.read, third.trouble) == (folders[2].name, 0, "")
    assert second.trouble.startswith("its rolls cannot be read: line 2: a d6 shows")
    with pytest.raises(AuditError, match=r"rolls\.csv: line 2"):
        table.trials.go_on(second.name)
    assert table.trials.now is None
    table.trials.begin(GREEN)
    assert len(list((tmp_path / "trials").iterdir())) == 5, "no number is given twice"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"{}", "says no kind"),
        (b'{\n"kind" "d6"}', "was spoilt in line 2"),
        (b"\xff\xfe", "is no text any more"),
        (b"[]", "was changed: its parts are others"),
        (None, "cannot be read: Is a directory"),
    ],
)
def test_why_a_plan_cannot_be_read_is_told(
    table: Table, tmp_path: Path, content: bytes | None, why: str
) -> None:
    table.hold(GREEN)
    path = tmp_path / "trials/001-green-d6/trial.json"
    path.unlink()
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    (spoilt,) = table.trials.kept.spoilt
    assert spoilt.why.startswith(f"trial.json, which says what was rolled, {why}")


@pytest.mark.parametrize(
    "words",
    [
        {"wanted": 1e400},
        {"wanted": 0},
        {"wanted": "300"},
        {"at_once": 0},
        {"at_once": 10**9},
        {"at_once": True},
        {"kind": 6},
        {"kind": "whale", "faces": []},
        {"faces": "123456"},
        {"faces": [1.5, 2]},
        {"faces": 6},
        {"captain": ["Anne"]},
        {"look": None},
    ],
    ids=str,
)
def test_a_plan_that_was_made_nonsense_by_hand_is_told(
    table: Table, tmp_path: Path, words: dict[str, object]
) -> None:
    """The page with all others is shown as ever."""
    for plan in (GREEN, Plan(D20, 300)):
        table.hold(plan)
    path = tmp_path / "trials/001-green-d6/trial.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **words}))
    assert [one.name for one in table.trials.kept.earlier] == ["002-d20"]
    assert [one.name for one in table.trials.kept.spoilt] == ["001-green-d6"]
    table.trials.go_on("002-d20")
    assert [one.name for one in table.trials.kept.spoilt] == ["001-green-d6"]


def test_a_roll_for_which_the_card_has_no_room_is_counted_once_it_has(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.trials.begin(GREEN)
    table.see(scene())
    trial = table.trials.now
    assert trial is not None
    with monkeypatch.context() as card:
        card.setattr("companion.audit.rolls_file.os.fsync", full)
        table.see(scene(220), scene())
        assert trial.notice.endswith("The last roll is not lost: it is tried again.")
        told = trial.version
        table.see(scene())
        assert trial.version == told, "it is told once"
        assert table.shown == []
    table.see(scene(), scene(240, x=150))
    assert table.shown == [4, 6]
    assert trial.notice == ""


def test_what_is_told_when_it_has_ended_is_refused(table: Table, tmp_path: Path) -> None:
    """A phone is slower than the one that ends it."""
    table.trials.begin(GREEN)
    late = table.trials.now
    assert late is not None
    late.tell([4])
    table.trials.end()
    with pytest.raises(AuditError, match="this trial has ended"):
        late.tell([6])
    path = tmp_path / "trials/001-green-d6/rolls.csv"
    assert len(verify_export(path.read_text("utf-8"))) == 1


def test_a_trial_that_somebody_else_goes_on_with_gives_the_tray_back(
    table: Table, tmp_path: Path
) -> None:
    table.trials.begin(GREEN)
    table.see(scene())
    other = KeptTrial(GREEN, tmp_path / "trials/001-green-d6")
    other.tell([2])
    table.see(scene(220))
    assert table.trials.now is not None
    assert table.trials.now.notice.endswith("end that, and begin this one again")
    with pytest.raises(AuditError, match="changed by somebody else"):
        table.trials.end()
    assert table.trials.now is None
    assert table.given == [True, False]
    assert [roll.face for roll in other.rolls] == [2]


def test_without_room_for_the_report_the_tray_is_given_back(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise AuditError("report.html cannot be written: No space left on device")

    table.trials.begin(GREEN)
    table.see(scene(), scene(220))
    monkeypatch.setattr("companion.trial.folder.write_file", full)
    with pytest.raises(AuditError, match="the trial has ended and its rolls are kept, but report"):
        table.trials.end()
    assert table.given == [True, False]


def test_a_throw_that_is_still_looked_at_counts_when_it_ends(table: Table) -> None:
    """Only what is hard to read is looked at once more: left out, it would load the die."""
    trial = table.throw_hard_one()
    table.trials.end()
    assert [(roll.roll, roll.face) for roll in trial.rolls] == [(1, None)]


def test_what_is_told_while_no_tray_is_seen_is_not_counted_once_it_is_seen_again(
    table: Table,
) -> None:
    """The camera is out, and people tell by phone what they throw meanwhile."""
    table.trials.begin(GREEN)
    table.see(scene(), scene(220))
    trial = table.trials.now
    assert trial is not None
    table.trials.feed(Frame("f", 0.0, scene()))
    trial.tell([6])
    table.see(scene(240, x=150))
    assert table.shown == [4, 6]
    assert trial.notice == tray.IN_THE_BEGINNING
    table.see(scene(), scene(220, x=90))
    assert table.shown == [4, 6, 4]


def test_why_no_tray_is_seen_is_told_until_it_is_seen_again(table: Table) -> None:
    """A second camera looks at the tray; the page would say it was to be shown where that is."""
    table.trials.begin(GREEN)
    trial = table.trials.now
    assert trial is not None
    table.see(scene())
    out = Frame("f", 0.0, scene(), tray_trouble="the tray's camera is out: push its cable in")
    table.trials.feed(out)
    assert trial.notice == "The tray's camera is out: push its cable in"
    told = trial.version
    table.trials.feed(out)
    assert trial.version == told, "it is told once"
    table.see(scene())
    assert trial.notice == ""
    told = trial.version
    table.see(scene())
    assert trial.version == told, "phones ask for nothing while nothing happens"


def test_a_throw_that_was_still_looked_at_counts_when_the_tray_is_seen_no_more(
    table: Table,
) -> None:
    trial = table.throw_hard_one()
    table.trials.lose_sight()
    assert len(trial.asked) == 1


def test_a_tray_that_is_shown_elsewhere_is_read_anew(table: Table) -> None:
    """Every die lies at another place in its picture, and nobody has thrown it."""
    table.trials.read_anew()  # nothing is on trial
    table.trials.begin(GREEN)
    table.see(scene(), scene(250))
    trial = table.trials.now
    assert trial is not None
    trial.answer(1, [5], "Anne")
    assert len(trial.lessons) == 1
    table.see(scene(220, x=90))
    assert table.shown == [5, 4]
    assert len(trial.lessons) == 0
    table.trials.read_anew()
    assert len(trial.lessons) == 1, "the new reader has learnt nothing yet"
    table.see(scene(240, x=150))
    assert table.shown == [5, 4]


def test_what_is_thrown_when_all_are_counted_is_none_of_them_though_one_is_taken_back(
    table: Table,
) -> None:
    table.trials.begin(Plan(D6, 1))
    table.see(scene(), scene(220), scene(), scene(240, x=150))
    trial = table.trials.now
    assert trial is not None
    trial.take_back()
    table.see(scene(240, x=150))
    assert table.shown == []
    assert not table.trials.is_about_to_read
    table.see(scene(), scene(220, x=90))
    assert table.shown == [4]


def test_a_doubtful_roll_is_vouched_for_or_told(table: Table) -> None:
    table.trials.vouch()  # nothing is on trial
    table.trials.begin(GREEN)
    table.see(scene(), scene(250))
    assert table.trials.now is not None
    (asked,) = table.trials.now.asked
    table.trials.now.answer(asked.roll, [5], "Anne")
    table.see(scene(250), scene(), scene(220))
    assert table.shown == [5, 4]


def test_a_doubtful_roll_that_is_told_is_not_vouched_for_as_well(table: Table) -> None:
    """The same face at another place, and nothing has tumbled: perhaps it was only moved."""
    trial = table.throw_as_before()
    assert [ask.why.startswith("the same faces as before") for ask in trial.asked] == [True]
    trial.tell([4])
    table.see(scene(220, x=150))
    table.trials.vouch()
    table.see(scene(220, x=150))
    assert table.shown == [4, None, 4]


@pytest.mark.parametrize("what", ["answer", "dismiss"])
def test_what_a_phone_says_while_the_button_is_pressed_counts_once(
    table: Table, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """The phone is heard when the camera's picture has been taken, and before it is counted."""
    trial = table.throw_as_before()
    (asked,) = trial.asked
    feed = TrayWatch.feed

    def slowly(watch: TrayWatch, picture: np.ndarray, time_s: float) -> Thrown | None:
        thrown = feed(watch, picture, time_s)
        if thrown is not None and what == "answer":
            trial.answer(asked.roll, [4], "Anne")
        elif thrown is not None:
            trial.dismiss(asked.roll)
        return thrown

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(TrayWatch, "feed", slowly)
        table.trials.vouch()
        table.see(scene(220, x=150))
    assert table.shown == ([4, 4] if what == "answer" else [4])
    table.see(scene(), scene(240, x=90))
    assert table.shown[-1] == 6


def test_a_throw_can_be_vouched_for_though_the_one_before_is_told_while_it_is_read(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = table.throw_as_before()
    feed = TrayWatch.feed

    def slowly(watch: TrayWatch, picture: np.ndarray, time_s: float) -> Thrown | None:
        if (thrown := feed(watch, picture, time_s)) is not None:
            trial.answer(2, [4], "Anne")
        return thrown

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(TrayWatch, "feed", slowly)
        table.see(hand(), scene(220, x=90))
    assert [asked.roll for asked in trial.asked] == [3]
    table.trials.vouch()
    table.see(scene(220, x=90))
    assert (table.shown, trial.asked) == ([4, 4, 4], [])


@pytest.mark.parametrize("is_told", [False, True])
def test_what_the_button_said_while_the_card_had_no_room_counts_once(
    table: Table, monkeypatch: pytest.MonkeyPatch, is_told: bool
) -> None:
    """A phone may tell it before it is tried again."""
    trial = table.throw_as_before()
    with monkeypatch.context() as card:
        card.setattr("os.fsync", full)
        table.trials.vouch()
        table.see(scene(220, x=150))
    if is_told:
        trial.answer(2, [4], "Anne")
    table.see(scene(220, x=150))
    assert table.shown == [4, 4]


def test_the_undo_button_says_that_a_doubtful_throw_was_none_and_takes_back_others(
    table: Table,
) -> None:
    trial = table.throw_as_before()
    assert len(trial.asked) == 1
    trial.undo()
    assert (table.shown, trial.asked, trial.notice) == ([4], [], "roll 2 was none")
    table.trials.vouch()
    table.see(scene(220, x=150), scene(), scene(240, x=90))
    assert table.shown == [4, 6]
    trial.undo()
    assert (table.shown, trial.notice) == ([4], "taken back: 6")


def test_a_card_without_room_is_told_to_who_holds_the_undo_button(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.trials.begin(GREEN)
    trial = table.trials.now
    assert trial is not None
    trial.tell([4])
    with monkeypatch.context() as card:
        card.setattr("os.fsync", full)
        trial.undo()
    assert trial.notice.endswith("cannot be written: No space left on device")
    assert table.shown == [4]


def test_a_roll_that_was_broken_off_is_told(table: Table, tmp_path: Path) -> None:
    table.trials.begin(GREEN)
    path = tmp_path / "trials/001-green-d6/rolls.csv"
    with path.open("a") as file:
        file.write("1,,,2026-11-2")
    again = Table(tmp_path / "trials").trials
    assert [one.trouble for one in again.kept.earlier] == [""], "the page lets it go on"
    again.go_on("001-green-d6")
    assert again.now is not None
    assert "broken off" in again.now.notice


def test_a_tray_that_is_not_seen_whole_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Lost:
        def __init__(self, *_: object) -> None:
            pass

        def read(self, *_: object) -> tuple[DieReading, ...]:
            raise NotCalibrated("the tray has left the picture")

        learn_in = read

    monkeypatch.setattr(tray, "AnyTrayReader", Lost)
    said: list[str] = []
    assert reader_at_table(D6, (220.0, 160.0), None, said.append).read(scene()) == ()
    assert said == ["not counted: the tray has left the picture"]


def test_a_plan_is_kept_as_people_may_read_it(table: Table, tmp_path: Path) -> None:
    table.trials.begin(GREEN)
    kept = json.loads((tmp_path / "trials/001-green-d6/trial.json").read_text("utf-8"))
    assert kept == {
        "kind": "d6",
        "faces": [1, 2, 3, 4, 5, 6],
        "wanted": 3,
        "at_once": 1,
        "captain": "Anne",
        "look": "green",
    }

"""`quarterdeck dice --phones`: a trial is seen on phones, which tell what was not read."""

from __future__ import annotations

from contextlib import ExitStack
from errno import EADDRINUSE
from pathlib import Path
from socket import socket

import pytest

from companion.audit.html import crop_name
from companion.audit.rolls import STANDS, TAKEN_BACK, find_kind
from companion.audit.trial import Asked, AskedDie
from companion.cli import dice as dice_cli
from companion.cli import main
from companion.errors import AuditError, HardwareError
from companion.trial.throws import ReadFace, Thrown
from tests.unit.audit.heard import trial_of
from tests.web.trial_client import TrialClient
from web.trial_page import create_trial_app

D6 = find_kind("d6")


def thrown(*faces: int | None, doubt: str = "", x: int = 0) -> Thrown:
    """Return a throw of dice in a row; one of which the face is ``None`` could not be told."""
    dice = tuple(
        ReadFace(face, 0.99, (x + 60 * k, 10, 40, 40), "", b"die %d" % k, is_sure=face is not None)
        for k, face in enumerate(faces, 1)
    )
    return Thrown(dice, doubt, b"a tray")


class Evening(TrialClient):
    """A trial whose phones are asked."""

    def __init__(self, folder: Path) -> None:
        self.trial = trial_of(D6, folder, 30, "Anne")
        self.answered = 0
        self.trial.on_answered = self._count
        super().__init__(create_trial_app(self.trial))

    def _count(self) -> None:
        self.answered += 1

    @property
    def shown(self) -> list[int | None]:
        return [roll.face for roll in self.trial.rolls if roll.status == STANDS]


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path / "mine")


def test_the_page_shows_how_far_it_is_and_the_verdict(evening: Evening) -> None:
    assert "Nothing has been counted yet" in evening.page()
    before = evening.client.get("/api/trial/moment").json
    evening.trial.take(thrown(3, 5))
    page = evening.page()
    assert "d6: 2 of 30" in page
    assert "Too few rolls to tell" in page
    assert '<img class="die-seen" src="/trial/throw/1-2.jpg"' in page
    assert evening.client.get("/api/trial/moment").json != before
    assert evening.client.get("/trial/throw/1-2.jpg").data == b"die 2"
    assert evening.client.get("/trial/throw/1.jpg").data == b"a tray"
    assert evening.client.get("/trial/throw/7.jpg").status_code == 404
    assert evening.client.get("/trial/throw/1-9.jpg").status_code == 404


def test_a_throw_that_is_passed_over_is_told_before_the_next_one(evening: Evening) -> None:
    """Written down at once, as it was told; the camera need not tell it again."""
    trial = evening.trial
    trial.pass_over(thrown(6, None, doubt="one leans"))
    (asked,) = trial.asked
    assert asked == Asked(1, (AskedDie(1, 6, True), AskedDie(2, None, True)), "one leans")
    assert "One leans." in evening.page()
    assert evening.client.get("/trial/throw/1-2.jpg").data == b"die 2"
    assert evening.client.get("/trial/throw/1-3.jpg").status_code == 404
    assert evening.say("answer", roll=1, faces=[6, 4]) == 200
    assert evening.shown == [6, 4]
    assert {roll.confirmed_by for roll in trial.rolls} == {"a phone"}
    assert (evening.answered, trial.asked) == (1, [])
    assert [lesson.die.face for lesson in trial.lessons] == [4]
    trial.take(thrown(1, 1, x=200))
    assert evening.shown == [6, 4, 1, 1]


def test_a_throw_that_was_misread_is_put_right_and_learnt(evening: Evening) -> None:
    """It could only be taken back and told anew, without its pictures."""
    trial = evening.trial
    trial.take(thrown(3, 5))
    form = evening.page().partition('<form class="put-right" data-roll="1">')[2]
    assert 'src="/trial/throw/1-2.jpg"' in form
    assert form.count(" checked>") == 2
    trial.take(thrown(2, 2, x=200))
    assert 'data-roll="2">' in evening.page()
    assert evening.say("put-right", roll=1, faces=[3, 6]) == 200
    dice = [(die.face, die.read, die.confirmed_by) for die in trial.rolls[:2]]
    assert dice == [(3, 3, "a phone"), (6, 5, "a phone")]
    assert [lesson.die.face for lesson in trial.lessons] == [6]
    assert evening.say("back") == 200
    assert evening.shown == [3, 5, 2, 2]

    assert evening.say("put-right", roll=1, faces=[3]) == 409
    assert evening.say("put-right", roll=1, faces=[3, 7]) == 409
    assert evening.say("put-right", roll=7, faces=[3, 6]) == 409
    trial.tell([4])  # no camera has seen it
    assert evening.say("put-right", roll=3, faces=[5]) == 409
    assert 'class="put-right"' not in evening.page()


def test_why_a_throw_is_asked_about_is_said_once(evening: Evening) -> None:
    evening.trial.pass_over(thrown(None, doubt="one leans"))
    assert evening.page().count("ne leans.") == 1
    evening.trial.say("the camera is out")
    page = evening.page()
    assert "The camera is out." in page
    assert "One leans." in page


def test_a_throw_is_told_after_the_next_one(evening: Evening) -> None:
    trial = evening.trial
    trial.pass_over(thrown(6, None, doubt="one leans"))
    trial.take(thrown(2, 2, x=200))
    (asked,) = trial.asked
    assert asked.roll == 1
    assert trial.rolls[0].roll == 1
    faces = [die.guess or 3 for die in asked.dice]
    assert evening.say("answer", roll=1, faces=faces) == 200
    assert trial.asked == []
    assert sorted(evening.shown) == [2, 2, 3, 6]
    assert evening.answered == 0, "the camera has gone on"


def test_what_phones_tell_is_taken_in_their_order(evening: Evening) -> None:
    """Typed, dice are told in any order; on a phone each is told beside its picture."""
    trial = evening.trial
    trial.pass_over(thrown(4, 6, doubt="was it a roll"))
    trial.take(thrown(1, 1, x=300))
    assert evening.say("answer", roll=1, faces=[6, 4]) == 200
    assert [(r.read, r.face) for r in trial.rolls if r.roll == 1] == [(4, 6), (6, 4)]


def test_what_was_no_roll_is_struck(evening: Evening) -> None:
    trial = evening.trial
    trial.pass_over(thrown(None, doubt="nothing tumbled"))
    assert evening.say("dismiss", roll=1) == 200
    assert (evening.answered, evening.shown, trial.asked) == (1, [], [])
    assert [(roll.roll, roll.status) for roll in trial.rolls] == [(1, TAKEN_BACK)]
    trial.take_back()  # it was one
    assert [asked.roll for asked in trial.asked] == [1]
    trial.dismiss(1)
    trial.pass_over(thrown(6, None, doubt="one leans"))
    trial.take(thrown(2, x=200))
    assert evening.shown == [6, None, 2]
    assert evening.say("dismiss", roll=2) == 200
    assert evening.shown == [2], "the one that was read was not rolled either"
    assert trial.rolls[0].status == TAKEN_BACK


def test_what_is_said_of_a_throw_that_was_none_is_not_taken_for_the_next(evening: Evening) -> None:
    """Another phone still shows the first one when the second is asked about."""
    trial = evening.trial
    trial.pass_over(thrown(None, doubt="it leans"))
    assert evening.say("dismiss", roll=1) == 200
    trial.pass_over(thrown(None, x=200, doubt="it leans"))
    assert evening.say("answer", roll=1, faces=[5]) == 409
    assert evening.say("answer", roll=2, faces=[6]) == 200
    assert evening.shown == [6]


def test_who_is_too_late_is_told_so(evening: Evening) -> None:
    trial = evening.trial
    trial.pass_over(thrown(None, doubt="it leans"))
    assert evening.say("answer", roll=1, faces=[5]) == 200
    for what, words in (("answer", {"faces": [5]}), ("dismiss", {})):
        told = {"moment": evening.moment, "roll": 1, **words}
        answer = evening.client.post(f"/api/trial/{what}", json=told)
        assert answer.status_code == 409
        assert answer.json is not None
        assert "not asked about any more" in answer.json["message"]
    assert evening.shown == [5]


@pytest.mark.parametrize("faces", [[7], [5, 5], [], "5", [True], [5.0]])
def test_what_no_die_shows_is_refused(evening: Evening, faces: object) -> None:
    evening.trial.pass_over(thrown(None, doubt="it leans"))
    assert evening.say("answer", roll=1, faces=faces) in (400, 409)
    assert len(evening.trial.asked) == 1


def test_the_last_entry_is_taken_back_unless_something_was_rolled(evening: Evening) -> None:
    trial = evening.trial
    trial.take(thrown(3))
    seen = evening.moment
    trial.take(thrown(4, x=200))
    assert evening.say("back", moment=seen) == 409
    assert evening.shown == [3, 4]
    assert evening.say("back", moment=evening.moment) == 200
    assert evening.shown == [3]


def test_another_site_changes_nothing(evening: Evening) -> None:
    evening.trial.take(thrown(3))
    words = {"moment": evening.moment}
    answer = evening.client.post(
        "/api/trial/back", json=words, headers={"Origin": "http://evil.example"}
    )
    assert answer.status_code == 403
    assert evening.shown == [3]


def test_rolls_and_verdict_are_taken_away(evening: Evening) -> None:
    evening.trial.take(thrown(3))
    table = evening.client.get("/trial/rolls.csv").get_data(as_text=True)
    assert table.count("\n") > 1
    assert "<svg" in evening.client.get("/trial/report.html").get_data(as_text=True)


def test_a_picture_that_somebody_has_tidied_up_is_not_there(evening: Evening) -> None:
    evening.trial.take(thrown(3))
    (pictures,) = evening.trial.folder.glob("pictures")
    (pictures / crop_name(1, 1)).write_bytes(b"")  # a power cut
    assert evening.client.get("/trial/throw/1-1.jpg").status_code == 404
    (pictures / crop_name(1, 1)).unlink()
    assert evening.client.get("/trial/throw/1-1.jpg").status_code == 404


def test_the_address_is_told_and_phones_see_it_to_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    typed = iter(["3", "4"])
    monkeypatch.setattr("builtins.input", lambda _: next(typed))

    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(dice_cli, "sleep", interrupt)
    assert main(["dice", "--die", "d6", "--rolls", "2", "--by-hand", "--phones", "0"]) == 0
    said = capsys.readouterr().out
    assert "The trial is open at http://" in said
    assert "The phones still show it; Ctrl-C ends" in said
    assert said.index("The phones still show it") < said.index("The report with plots")


@pytest.mark.parametrize("port", ["99999", "eight"])
def test_a_port_that_is_no_number_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["dice", "--die", "d6", "--phones", port])
    assert "a port is a number up to 65535" in capsys.readouterr().err


def test_a_die_that_is_not_seen_has_no_picture(evening: Evening) -> None:
    unseen = ReadFace(None, 0.0, None, "", is_sure=False)
    evening.trial.pass_over(Thrown((unseen,), "I see 0 dice", b"a tray"))
    assert "not seen" in evening.page()
    assert evening.client.get("/trial/throw/1-1.jpg").status_code == 404
    evening.trial.take(thrown(2, x=200))
    (asked,) = evening.trial.asked
    assert asked.dice == (AskedDie(1, None, False),)


def test_a_roll_that_nobody_asks_about_is_no_answer(evening: Evening) -> None:
    with pytest.raises(AuditError, match="not asked about any more"):
        evening.trial.answer(3, [1], "Anne")


def test_a_port_that_is_taken_is_told_with_another_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The trial is perhaps held there: its folder must stay as it is, and none be begun."""
    monkeypatch.chdir(tmp_path)
    with socket() as taken:
        taken.bind(("0.0.0.0", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["dice", "--die", "d6", "--by-hand", "--phones", str(port)]) == 2
    told = capsys.readouterr().err
    assert "cannot be opened (Address already in use): is" in told
    assert f"Choose another with --phones {port + 1}" in told
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(("port", "other"), [(65534, 65535), (65535, 65534)])
def test_the_port_that_is_advised_is_one(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, port: int, other: int
) -> None:
    def taken(*_: object, **__: object) -> None:
        raise OSError(EADDRINUSE, "Address already in use")

    monkeypatch.setattr("web.server.create_server", taken)
    with ExitStack() as stack, pytest.raises(HardwareError, match=f"with --phones {other}$"):
        dice_cli.open_phones(evening.trial, port, stack)


def test_a_trial_by_hand_has_no_tray(evening: Evening) -> None:
    page = create_trial_app(evening.trial, sees_tray=False).test_client().get("/trial").text
    assert "No camera looks on: tell what is thrown." in page
    assert "/setup" not in page


def test_who_says_that_it_is_done_need_not_say_so_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("builtins.input", lambda _: "q")
    assert main(["dice", "--die", "d6", "--by-hand", "--phones", "0"]) == 0
    assert "still show it" not in capsys.readouterr().out


def test_a_throw_that_cannot_be_written_down_is_asked_about_still(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = evening.trial
    trial.pass_over(thrown(None, doubt="it leans"))
    with monkeypatch.context() as full:
        full.setattr(trial._file, "add", _no_room)
        assert evening.say("answer", roll=1, faces=[5]) == 409
    assert [asked.roll for asked in trial.asked] == [1]
    assert evening.say("answer", roll=1, faces=[5]) == 200
    assert evening.shown == [5]


def _no_room(dice: object) -> None:
    raise AuditError("the card is full")

"""Putting a die on trial from a phone, and what is taken away of earlier ones."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from companion.audit.rolls import TAKEN_BACK, name_of
from companion.audit.rolls_csv import verify_export
from companion.audit.trial import MOST_DICE, Trial
from companion.rules.dice import DieKind
from companion.trial.throws import ReadFace, Thrown
from companion.trial.tray import Reader
from companion.trial.trials import TableTrials
from tests.web.doubles import FakeHouse, FakeTable
from tests.web.trial_client import TrialClient
from web.app import create_app
from web.trials_page import MOST_ROLLS

PLAN = {"kind": "d20", "look": "green", "wanted": 300, "at_once": 1, "captain": "Anne"}


class Evening(TrialClient):
    """A table where dice are put on trial."""

    def __init__(self, folder: Path) -> None:
        self.house = FakeHouse(None)
        reader = Reader(lambda _: (), lambda *_: True)
        self.trials = TableTrials(folder, lambda *_: reader, lambda _: None, {}, lambda: 5.0)
        super().__init__(create_app(self.house, trials=self.trials))

    @property
    def faces(self) -> list[int | None]:
        assert self.trials.now is not None
        return [roll.face for roll in self.trials.now.rolls]


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path / "trials")


def test_a_die_is_put_on_trial_told_and_judged(evening: Evening) -> None:
    assert "Put a die on trial" in evening.page()
    assert evening.moment == "none"
    assert evening.say("begin", **PLAN) == 200
    assert "green d20: 0 of 300" in evening.page()
    assert evening.say("tell", moment=evening.moment, faces=[17]) == 200
    assert evening.say("tell", moment=evening.moment, faces=[3]) == 200
    page = evening.page()
    assert "green d20: 2 of 300" in page
    assert "Too few rolls to tell: 2." in page
    assert evening.say("end") == 200
    assert evening.trials.now is None
    assert "2 of 300" in evening.page()


def test_who_says_the_kind_once_more_is_not_told_it_twice(evening: Evening) -> None:
    """Where "green" was meant "Green D20" was typed: it was called the Green D20 d20."""
    evening.say("begin", **{**PLAN, "look": "Green D20"})
    evening.say("tell", moment=evening.moment, faces=[17])
    page = evening.page()
    assert "Green D20: 1 of 300" in page
    assert "d20" not in page.lower().replace("green d20", "")


@pytest.mark.parametrize(
    ("kind", "look", "called"),
    [
        ("cannon", "black Cannonball", "black Cannonball"),
        ("d6_numeral", "d6 with digits", "d6 with digits"),
        ("piecepack", "black", "black piecepack"),
        ("d20", "d2", "d2 d20"),
    ],
)
def test_what_people_call_a_kind_tells_it_too(kind: str, look: str, called: str) -> None:
    assert name_of(DieKind(kind, (1, 2)), look) == called


def test_who_tells_a_roll_twice_is_asked_to_look(evening: Evening) -> None:
    """Two captains tell the same roll, or one taps twice before the page has changed."""
    evening.say("begin", **PLAN)
    seen = evening.moment
    assert evening.say("tell", moment=seen, faces=[17]) == 200
    assert evening.say("tell", moment=seen, faces=[17]) == 409
    assert evening.faces == [17]


@pytest.mark.parametrize("what", ["tell", "back"])
def test_two_who_tap_at_the_same_time_are_heard_once(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """The card is slow: the second one asks while the first one's word is being written down."""
    evening.say("begin", **PLAN)
    for face in (17, 3):
        evening.say("tell", moment=evening.moment, faces=[face])
    seen, answers = evening.moment, list[int]()

    def tap() -> None:
        client = evening.client.application.test_client()
        answer = client.post(f"/api/trial/{what}", json={"moment": seen, "faces": [9]})
        answers.append(answer.status_code)

    def slow(_: int) -> None:
        if second.ident is None:
            second.start()
            second.join(0.3)

    second = threading.Thread(target=tap)
    monkeypatch.setattr("companion.audit.rolls_file.os.fsync", slow)
    tap()
    second.join(5)
    assert sorted(answers) == [200, 409]
    struck = [roll.status for roll in evening.trials.now.rolls].count(TAKEN_BACK)  # type: ignore[union-attr]
    assert (len(evening.faces), struck) == ((3, 0) if what == "tell" else (2, 1))


@pytest.mark.parametrize("faces", [[21], [], [3, 4], "3", [True], None])
def test_what_is_not_thrown_is_not_counted(evening: Evening, faces: object) -> None:
    evening.say("begin", **PLAN)
    assert evening.say("tell", moment=evening.moment, faces=faces) in (400, 409)
    assert evening.faces == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ({"kind": "whale"}, "Choose a kind of die."),
        ({"kind": None}, "Choose a kind of die."),
        ({"wanted": 0}, f"1 to {MOST_ROLLS} rolls are to be counted."),
        ({"wanted": MOST_ROLLS + 1}, f"1 to {MOST_ROLLS} rolls are to be counted."),
        ({"wanted": None}, f"1 to {MOST_ROLLS} rolls are to be counted."),
        ({"at_once": True}, f"1 to {MOST_DICE} dice are thrown at once."),
        ({"at_once": 2.5}, f"1 to {MOST_DICE} dice are thrown at once."),
        ({"look": "green\nblue"}, "A name has up to 24 letters in one line."),
        ({"captain": "A" * 25}, "A name has up to 24 letters in one line."),
        ({"captain": 7}, "A name has up to 24 letters in one line."),
    ],
)
def test_what_cannot_be_put_on_trial_is_told(
    evening: Evening, words: dict[str, object], told: str
) -> None:
    answer = evening.client.post("/api/trial/begin", json={**PLAN, **words})
    assert answer.status_code == 400
    assert answer.json is not None
    assert answer.json["message"] == told
    assert evening.trials.now is None


def test_who_is_slower_is_told_what_is_on_trial(evening: Evening) -> None:
    evening.say("begin", **PLAN)
    answer = evening.client.post("/api/trial/begin", json=PLAN)
    assert answer.status_code == 409
    assert answer.json is not None
    assert "the green d20 is on trial" in answer.json["message"]


def test_an_earlier_one_is_gone_on_with_and_its_rolls_are_taken_away(evening: Evening) -> None:
    evening.say("begin", **PLAN)
    evening.say("tell", moment=evening.moment, faces=[17])
    evening.say("end")
    name = evening.trials.kept.earlier[0].name
    page = evening.client.get(f"/trial/kept/{name}").text
    assert "green d20: 1 of 300" in page
    assert "Too few rolls to tell: 1." in page
    assert evening.client.get("/trial/kept/002-d6").status_code == 404
    table = evening.client.get(f"/trial/kept/{name}/rolls.csv").text
    assert [roll.face for _, roll in verify_export(table)] == [17]
    assert "The green d20" in evening.client.get(f"/trial/kept/{name}/report.html").text
    assert evening.client.get("/trial/kept/..%2Fgames/rolls.csv").status_code == 404
    assert evening.client.get("/trial/kept/002-d6/report.html").status_code == 404
    assert evening.say("go-on", name="002-d6") == 409
    assert evening.say("go-on", name=name) == 200
    assert evening.faces == [17]


def test_a_trial_that_nobody_can_read_is_named_with_the_reason(
    evening: Evening, tmp_path: Path
) -> None:
    evening.say("begin", **PLAN)
    evening.say("tell", moment=evening.moment, faces=[17])
    evening.say("end")
    (tmp_path / "trials/001-green-d20/trial.json").write_text("{}")
    page = evening.page()
    assert "<strong>001-green-d20</strong>" in page
    told = "This trial cannot be read: trial.json, which says what was rolled, says no kind. "
    assert f"{told}Its folder is left as it is." in page


def test_another_trial_is_another_moment(evening: Evening) -> None:
    moments = set()
    for _ in range(2):
        evening.say("begin", **PLAN)
        moments.add(evening.moment)
        evening.say("end")
    assert len(moments) == 2


@pytest.mark.parametrize("what", ["end", "answer", "dismiss", "tell", "back"])
def test_what_is_said_of_a_trial_that_has_ended_is_not_taken_for_the_next(
    evening: Evening, what: str
) -> None:
    """A page shows the trial before for half a second, and one that is left open for longer."""
    evening.say("begin", **PLAN)
    seen = evening.moment
    evening.say("end")
    evening.say("begin", **{**PLAN, "look": "red"})
    trial = evening.trials.now
    assert trial is not None
    trial.tell([17])
    trial.pass_over(Thrown((ReadFace(None, 0.4, None, "", is_sure=False),), "it leans", b""))
    before = trial.version
    for moment in (seen, None):
        words = {"moment": moment, "roll": 2, "faces": [3]}
        answer = evening.client.post(f"/api/trial/{what}", json=words)
        assert answer.status_code == 409
        assert answer.json is not None
        assert answer.json["message"] == "Another die is on trial by now: the red d20."
    assert (evening.trials.now, trial.version) == (trial, before)


def test_a_page_that_was_left_open_means_no_trial_of_another_evening(
    evening: Evening, tmp_path: Path
) -> None:
    evening.say("begin", **PLAN)
    evening.say("tell", moment=evening.moment, faces=[17])
    seen = evening.moment
    evening.trials.end()
    again = Evening(tmp_path / "trials")
    again.say("go-on", name="001-green-d20")
    assert again.say("tell", moment=seen, faces=[3]) == 409
    assert again.faces == [17]


def test_who_ends_a_trial_that_has_ended_meanwhile_ends_no_other(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody has ended it, and begun another one, since the page was looked at."""
    evening.say("begin", **PLAN)
    end = evening.trials.end

    def slowly(meant: Trial) -> None:
        end()
        evening.say("begin", **{**PLAN, "look": "red"})
        end(meant)

    monkeypatch.setattr(evening.trials, "end", slowly)
    assert evening.say("end") == 200
    assert evening.trials.now is not None
    assert evening.trials.now.plan.look == "red"


def test_what_is_over_is_told(evening: Evening) -> None:
    for what in ("answer", "dismiss", "tell", "back"):
        assert evening.say(what, roll=1, faces=[1], moment="1 0 0") == 404
    for path in ("/trial/throw/1.jpg", "/trial/rolls.csv", "/trial/report.html"):
        assert evening.client.get(path).status_code == 404
    assert evening.say("end") == 200, "somebody else has"


def test_that_no_tray_is_seen_is_said(evening: Evening) -> None:
    assert "I see no tray" in evening.page()
    evening.say("begin", **PLAN)
    blind = evening.moment
    assert "I see no tray" in evening.page()
    evening.house.set_up.has_tray = True
    assert "I see no tray" not in evening.page()
    assert evening.moment != blind, "phones show it at once"


def test_an_onlooker_leaves_dice_to_those_who_play(evening: Evening) -> None:
    table = FakeTable()
    table._seat(0)
    evening.house.now = table
    answer = evening.client.post("/api/trial/begin", json=PLAN)
    assert answer.status_code == 403
    assert answer.json is not None
    assert "Only who plays in it can put a die on trial." in answer.json["message"]


def test_an_onlooker_sees_a_trial_and_is_offered_nothing_that_is_refused(evening: Evening) -> None:
    """They pressed, and were told then that it is not theirs."""
    offers = ("<form", 'class="go-on"', 'id="told"', 'id="back"', 'id="end"', 'class="dismiss"')
    evening.say("begin", **PLAN)
    evening.say("tell", moment=evening.moment, faces=[17])
    evening.say("end")
    evening.house.now = table = FakeTable()
    assert [offer in evening.page() for offer in offers[:2]] == [True, True]
    assert evening.say("begin", **PLAN) == 200
    evening.say("tell", moment=evening.moment, faces=[17])
    trial = evening.trials.now
    assert trial is not None
    trial.pass_over(Thrown((ReadFace(None, 0.0, None, ""),), "it leans", b""))
    assert all(offer in evening.page() for offer in offers if offer != 'class="go-on"')

    table._seat(0)
    page = evening.page()
    assert "green d20: 1 of 300" in page
    assert "You only watch this battle" in page
    assert not any(offer in page for offer in offers)
    evening.trials.end(trial)
    page = evening.page()
    assert "You only watch this battle" in page
    assert "the verdict</a>" in page
    assert not any(offer in page for offer in offers)


@pytest.mark.parametrize(("place", "teller"), [(1, "Bob"), ("host", "the host"), (None, "a phone")])
def test_who_told_or_put_right_a_throw_is_kept_and_shown(
    evening: Evening, place: object, teller: str
) -> None:
    """Whoever did, the captain who rolls was noted."""
    evening.house.now = FakeTable()
    evening.page()  # gives the phone its token
    told = {"type": "take_seat", "seat": place}
    assert evening.client.post("/api/command", json=told).status_code == 200
    assert evening.say("begin", **PLAN) == 200
    assert evening.say("tell", faces=[3]) == 200
    assert f"Told by {teller}." in evening.page()
    trial = evening.trials.now
    assert trial is not None
    trial.take(Thrown((ReadFace(4, 0.99, (1, 2, 30, 40), ""),), "", b"a tray"))
    assert f" by {teller}." not in evening.page()
    assert evening.say("put-right", roll=2, faces=[5]) == 200
    page = evening.page()
    assert '<b>5</b> <span class="misread">read as 4</span>' in page
    assert f"Put right by {teller}." in page
    assert evening.client.get("/trial/rolls.csv").text.count(f",{teller},") == 2
    kept = [(roll.source, roll.confirmed_by, roll.captain) for roll in trial.rolls]
    assert kept == [("phone", teller, "Anne"), ("camera", teller, "Anne")]
    trial.pass_over(Thrown((ReadFace(None, 0.0, None, ""),), "it leans", b""))
    assert evening.say("answer", roll=3, faces=[6]) == 200
    assert trial.rolls[-1].confirmed_by == teller


def test_another_site_begins_nothing(evening: Evening) -> None:
    answer = evening.client.post(
        "/api/trial/begin", json=PLAN, headers={"Origin": "http://evil.example"}
    )
    assert answer.status_code == 403
    assert evening.trials.now is None


def test_the_page_of_the_dice_leads_there(evening: Evening) -> None:
    assert 'href="/trial"' in evening.client.get("/dice").text
    evening.say("begin", **PLAN)
    assert "See the green d20 on trial" in evening.client.get("/dice").text
    assert 'href="/dice"' in evening.page()
    assert 'href="/trial"' not in create_app(FakeHouse(None)).test_client().get("/dice").text


def test_of_one_that_is_complete_more_can_be_had(evening: Evening) -> None:
    evening.say("begin", **{**PLAN, "wanted": 1})
    evening.say("tell", moment=evening.moment, faces=[17])
    evening.say("end")
    assert ">100 more</button>" in evening.page()
    evening.say("begin", **PLAN)
    evening.say("tell", moment=evening.moment, faces=[17])
    evening.say("end")
    assert ">Go on</button>" in evening.page()

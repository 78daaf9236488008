"""Open tables: what tags and many dice tell, what a phone shows, what is too far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from companion.errors import IllegalAction, NotYourTurn
from companion.rules.deeds import Deed
from companion.rules.layout import Die, Layout, Placed, Pose, make_layout
from companion.table.measuring import measured_outcomes
from companion.table.outlook import Outlook
from companion.table.referee import Referee
from companion.table.watcher import PATIENCE_S
from tests.table.regatta import DICE, Regatta, Waters, open_regatta, seen

START = {10: Pose(100.0, 200.0, 0.0), 11: Pose(100.0, 500.0, 0.0)}


def poses(table: Referee) -> dict[int, Pose]:
    return {tag: piece.pose for tag, piece in table.snapshot().layout.pieces.items()}


def shown(tag: int, pose: Pose) -> Layout:
    return make_layout({}, pieces={tag: Placed(pose, "", "")})


def test_a_ship_that_was_moved_is_measured_where_it_stands() -> None:
    table = open_regatta({})
    table.observe(seen(START))
    table.observe(seen({**START, 10: Pose(270.04, 262.0, 20.0)}, at_s=1.0))
    assert poses(table)[10] == Pose(270.0, 262.0, 20.0)
    assert [entry.text for entry in table.snapshot().log] == ["Anne: sail to 270, 262"]
    assert table.snapshot().seats[1].asked


def test_a_nudge_is_no_move() -> None:
    table = open_regatta({})
    table.observe(seen({**START, 10: Pose(103.0, 203.0, 5.0)}))
    assert poses(table) == START
    assert not table.snapshot().log


def test_a_ship_whose_tag_is_hidden_stands_where_it_stood() -> None:
    table = open_regatta({})
    table.observe(seen({11: START[11]}))
    assert poses(table) == START
    notice = table.snapshot().notice
    assert notice is not None
    assert notice.text.startswith("I cannot see the tag of Anne's sloop.")
    table.observe(seen(START, at_s=1.0))
    assert table.snapshot().notice is None


def test_too_far_is_asked_about_with_the_measured_excess() -> None:
    table = open_regatta({})
    far = {**START, 10: Pose(340.0, 200.0, 0.0)}
    table.observe(seen(START))
    table.observe(seen(far, at_s=1.0))
    notice = table.snapshot().notice
    assert notice is not None
    assert (notice.rule, notice.text) == ("REG-2", "40 mm too far.")
    table.observe(seen(far, at_s=2.0 + PATIENCE_S))
    question = table.snapshot().question
    assert question is not None
    assert question.rule == "REG-2"
    assert poses(table) == START


def test_a_ship_that_is_pushed_on_has_made_one_move() -> None:
    table = open_regatta({})
    table.observe(seen(START))
    table.observe(seen({**START, 10: Pose(200.0, 200.0, 0.0)}, at_s=1.0))
    assert table.snapshot().seats[1].asked
    table.observe(seen({**START, 10: Pose(290.0, 200.0, 0.0)}, at_s=2.0))
    assert poses(table)[10] == Pose(290.0, 200.0, 0.0)
    log = table.snapshot().log
    assert [entry.text for entry in log if not entry.retracted] == ["Anne: sail to 290, 200"]
    assert table.snapshot().seats[1].asked
    table.observe(seen({**START, 10: Pose(350.0, 200.0, 0.0)}, at_s=3.0))
    assert poses(table)[10] == Pose(290.0, 200.0, 0.0), "50 mm beyond her reach from the start"
    assert table.snapshot().notice is not None


def test_a_question_is_moot_once_the_ship_is_pushed_to_a_legal_place() -> None:
    table = open_regatta({})
    table.observe(seen({**START, 10: Pose(200.0, 200.0, 0.0)}))
    far = {**START, 10: Pose(350.0, 200.0, 0.0)}
    table.observe(seen(far, at_s=1.0))
    table.observe(seen(far, at_s=2.0 + PATIENCE_S))
    assert table.snapshot().question is not None
    table.observe(seen({**START, 10: Pose(290.0, 200.0, 0.0)}, at_s=10.0))
    assert poses(table)[10] == Pose(290.0, 200.0, 0.0)
    assert table.snapshot().question is None


def test_what_people_told_is_not_put_right_by_a_picture() -> None:
    table = open_regatta({})
    table.observe(seen({**START, 10: Pose(200.0, 200.0, 0.0)}))
    told = table.offers(None)[0]
    assert told.text == "Bart: sail to 200, 500"
    table.command_json({"type": "act", "action": told.action})
    table.observe(seen({10: Pose(200.0, 200.0, 0.0), 11: Pose(260.0, 500.0, 0.0)}, at_s=2.0))
    assert poses(table)[11] == Pose(200.0, 500.0, 0.0)


def test_the_wrong_ship_is_refused() -> None:
    table = open_regatta({})
    table.observe(seen({**START, 11: Pose(250.0, 500.0, 0.0)}))
    assert poses(table) == START
    notice = table.snapshot().notice
    assert notice is not None
    assert notice.text == "I cannot follow: Bart's sloop does not stand where it should."


def test_where_a_millimetre_decides_the_table_asks() -> None:
    table = open_regatta({})
    sailed = [(290.0, 100.0), (290.0, 150.0), (450.0, 150.0), (450.0, 200.0)]
    for k, (anne, bart) in enumerate(sailed):
        at = {10: Pose(anne, 200.0, 0.0), 11: Pose(bart, 500.0, 0.0)}
        table.observe(seen(at, at_s=float(k)))
    lines = len(table.snapshot().log)
    close = {10: Pose(599.0, 200.0, 0.0), 11: Pose(200.0, 500.0, 0.0)}
    table.observe(seen(close, at_s=10.0))
    assert len(table.snapshot().log) == lines, "over the line or not: a guess"
    table.observe(seen(close, at_s=12.0 + PATIENCE_S))
    question = table.snapshot().question
    assert question is not None
    texts = [choice.text for choice in question.choices]
    assert texts[0] == "Anne: sail to 599, 200"
    assert "Anne: sail to 601, 200 (Anne is over the line)" in texts
    clear = {10: Pose(640.0, 200.0, 0.0), 11: Pose(200.0, 500.0, 0.0)}
    table.observe(seen(clear, at_s=20.0))
    assert table.snapshot().over


def test_what_is_measured_anew_in_every_picture_is_asked_about_once() -> None:
    table = open_regatta({})
    sailed = [(290.0, 100.0), (290.0, 150.0), (450.0, 150.0), (450.0, 200.0)]
    for k, (anne, bart) in enumerate(sailed):
        at = {10: Pose(anne, 200.0, 0.0), 11: Pose(bart, 500.0, 0.0)}
        table.observe(seen(at, at_s=float(k)))
    for k, off in enumerate((0.0, 0.2, -0.1, 0.1, -0.2, 0.3, 0.0, 0.1)):
        nudged = Pose(204.0, 503.0, 0.0)  # so that no picture agrees in every respect
        at = {10: Pose(599.0 + off, 200.0 + off, off), 11: nudged}
        table.observe(seen(at, at_s=10.0 + k))
    question = table.snapshot().question
    assert question is not None
    assert len(question.choices) == 3, [choice.text for choice in question.choices]


def test_of_what_comes_to_the_same_the_nearest_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Regatta()
    plain = game.measured

    def doubtful(state: Waters, poses: Mapping[int, Pose]) -> tuple[Deed, ...]:
        """Offer a place 5 mm off as well, as rules do where hulls may touch."""
        off = replace(poses[10], x_mm=poses[10].x_mm - 5)
        return (*plain(state, {**poses, 10: off}), *plain(state, poses))

    monkeypatch.setattr(game, "measured", doubtful)
    state = game.setup(["Anne", "Bart"], {})
    (way,) = measured_outcomes(Outlook(game), state, {10: Pose(250.0, 200.0, 0.0)}, [10])
    assert way.layout.pieces[10].pose == Pose(250.0, 200.0, 0.0)


def test_a_ship_read_in_another_that_it_touches_is_looked_for_aslant_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = Regatta()
    plain, asked = game.measured, []

    def beside_another(state: Waters, poses: Mapping[int, Pose]) -> tuple[Deed, ...]:
        pose = poses[10]
        asked.append(pose)
        return plain(state, poses) if pose.x_mm < 249 and pose.y_mm > 201 else ()

    monkeypatch.setattr(game, "measured", beside_another)
    state = game.setup(["Anne", "Bart"], {})
    (way,) = measured_outcomes(Outlook(game), state, {10: Pose(250.0, 200.0, 0.0)}, [10])
    assert way.layout.pieces[10].pose == Pose(248.0, 202.0, 0.0)
    asked.clear()
    assert measured_outcomes(Outlook(game), state, {10: Pose(248.0, 202.0, 0.0)}, [10])
    assert all(pose.x_mm == 248.0 or pose.y_mm == 202.0 for pose in asked), "else there is no need"


def test_what_was_not_moved_stands_where_it_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Regatta()
    plain, given = game.measured, []

    def listening(state: Waters, poses: Mapping[int, Pose]) -> tuple[Deed, ...]:
        given.append(poses[11])
        return plain(state, poses)

    monkeypatch.setattr(game, "measured", listening)
    state = game.setup(["Anne", "Bart"], {})
    nearly = replace(START[11], x_mm=START[11].x_mm + 4)
    ways = measured_outcomes(Outlook(game), state, {10: Pose(250.0, 200.0, 0.0), 11: nearly}, [10])
    assert len(list(ways)) == 1
    assert set(given) == {START[11]}


def test_two_captains_moved_between_two_pictures() -> None:
    table = open_regatta({})
    after = {10: Pose(250.0, 200.0, 0.0), 11: Pose(280.0, 500.0, 0.0)}
    table.observe(seen(after))
    assert poses(table) == after


def test_ships_are_put_on_the_table_one_after_the_other() -> None:
    table = open_regatta({"launch": True})
    table.observe(seen({}))
    assert not table.snapshot().log, "nothing stands there yet"
    table.observe(seen({10: Pose(120.0, 210.0, 0.0)}, at_s=1.0))
    assert poses(table) == {10: Pose(120.0, 210.0, 0.0)}
    table.observe(seen({10: Pose(120.0, 210.0, 0.0), 11: Pose(400.0, 500.0, 0.0)}, at_s=2.0))
    assert list(poses(table)) == [10], "too far to the right: it lies about"
    table.observe(seen({10: Pose(120.0, 210.0, 0.0), 11: Pose(200.0, 500.0, 9.0)}, at_s=3.0))
    assert poses(table)[11] == Pose(200.0, 500.0, 9.0)


def test_two_ships_are_put_on_the_table_at_once() -> None:
    table = open_regatta({"launch": True})
    both = {10: Pose(120.0, 210.0, 0.0), 11: Pose(200.0, 500.0, 9.0)}
    table.observe(seen(both))
    assert poses(table) == both


def test_a_phone_shows_where_a_ship_stands() -> None:
    table = open_regatta({})
    (offer,) = table.shown(None, shown(10, Pose(250.0, 230.0, 10.0)))
    assert offer.text == "Anne: sail to 250, 230"
    table.command_json({"type": "act", "action": offer.action})
    assert poses(table)[10] == Pose(250.0, 230.0, 10.0)


def test_a_phone_that_shows_too_far_a_move_is_told_why() -> None:
    table = open_regatta({})
    with pytest.raises(IllegalAction, match="90 mm too far") as refusal:
        table.shown(None, shown(10, Pose(390.0, 200.0, 0.0)))
    assert refusal.value.rule == "REG-2"
    for seat, phone in enumerate("ab"):
        table.command_json({"type": "take_seat", "phone": phone, "seat": seat})
    with pytest.raises(NotYourTurn):
        table.shown(1, shown(10, Pose(120.0, 200.0, 0.0)))


def test_a_roll_of_many_dice_is_read_and_never_listed() -> None:
    table = open_regatta({"dice": True})
    table.observe(seen(START, []))
    assert table.offers(None) == ()
    faces = [1 + i % 6 for i in range(DICE)]
    table.observe(seen(START, faces, at_s=1.0))
    assert table.snapshot().awaits_roll == ()
    assert len(table.snapshot().log) == 1


def test_a_roll_of_many_dice_is_counted_on_a_phone() -> None:
    table = open_regatta({"dice": True})
    dice = [Die("d6", 1 + i % 6) for i in range(DICE)]
    (offer,) = table.shown(None, make_layout({}, dice))
    table.command_json({"type": "act", "action": offer.action})
    assert table.snapshot().awaits_roll == ()
    with pytest.raises(IllegalAction):
        open_regatta({"dice": True}).shown(None, make_layout({}, dice[:-1]))


def test_a_roll_of_many_dice_is_put_right_from_what_was_read() -> None:
    table = open_regatta({"dice": True})
    dice = [Die("d6", 1)] * (DICE - 1) + [Die("d6", 2)]
    (offer,) = table.shown(None, make_layout({}, dice))
    table.command_json({"type": "act", "action": offer.action})
    seq = table.snapshot().log[-1].seq
    found = table.alternatives(seq, None)
    assert (found.offers, found.dice) == ((), tuple(dice))
    assert table.shown(None, make_layout({}, dice), seq) == ()  # it stands so
    dice[-1] = Die("d6", 3)
    (offer,) = table.shown(None, make_layout({}, dice), seq)
    table.command_json({"type": "correct", "seq": seq, "action": offer.action})
    seq = table.snapshot().log[-1].seq
    assert table.alternatives(seq, None).dice == tuple(dice)


def test_layouts_of_pieces_survive_their_way_through_json() -> None:
    layout = open_regatta({}).snapshot().layout
    assert Layout.from_json(layout.to_json()) == layout

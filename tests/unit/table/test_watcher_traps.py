"""The traps in which a table reader would go wrong in silence, one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.rules.articles_of_war.state import ChoosingDice
from companion.rules.layout import EMPTY, CellContent, Die, make_layout
from companion.table.observation import CellReading, Observation
from companion.table.unsure_dice import COCKED
from companion.table.verdicts import Apply, Ask, Nothing, Verdict, Wait
from companion.table.watcher import Watcher
from tests.table.battle import GAME, after, at_table, battle, dice, find
from tests.table.synthetic import Hands, doubtful_die, sure_die

RED, RED2, BLUE = (3, 0), (3, -3), (-3, 0)
FLEETS = {RED: "red", RED2: "red", BLUE: "blue", (-3, 3): "blue"}


def start(state: Any) -> tuple[Watcher, Hands]:
    """Return a watcher that has seen the table as it should lie."""
    watcher, hands = Watcher(GAME, state), at_table(state)
    assert watcher.observe(hands.look()) == Nothing()
    return watcher, hands


def look(watcher: Watcher, hands: Hands, times: int = 2) -> Verdict:
    """Return what the watcher makes of the table after some looks; stops when it applies."""
    verdict: Verdict = Nothing()
    for _ in range(times):
        verdict = watcher.observe(hands.look())
        if isinstance(verdict, Apply):
            watcher.accept(verdict.explanation)
            break
    return verdict


def moved(hands: Hands, cells: dict[tuple[int, int], CellContent]) -> None:
    """Put pieces elsewhere, whatever the rules say; the dice stay."""
    hands.lay_pieces(make_layout({**hands.layout.cells, **cells}, hands.layout.dice))


def applied(verdict: Verdict) -> Any:
    """Return the state that a verdict leads to, of which it must be sure."""
    assert isinstance(verdict, Apply)
    return verdict.explanation.state


def said(verdict: Verdict) -> str:
    assert isinstance(verdict, Nothing | Wait | Ask)
    return verdict.notice.text if verdict.notice else ""


# -- (a) nothing happened ----


def test_a_a_table_as_it_should_lie_explains_itself() -> None:
    watcher, hands = start(battle(FLEETS, (2, 3, 4), (5,)))
    assert look(watcher, hands, 5) == Nothing()


def test_a_hidden_cells_and_tray_say_nothing() -> None:
    state = battle(FLEETS, (2, 3, 4), (5,))
    watcher, hands = start(state)
    seen = hands.look()
    cells = {c: r for c, r in seen.cells.items() if c not in (RED, BLUE)}
    assert watcher.observe(hands.look(cells=cells, dice=None)) == Nothing()
    moved(hands, {RED: EMPTY})
    assert watcher.observe(hands.look(occluded=frozenset({RED}))) == Nothing()


# -- (b) the die is taken before the ship is moved ----


def test_b_a_sail_die_taken_first_is_waited_for() -> None:
    state = battle(FLEETS, (2, 3, 4), (5,))
    watcher, hands = start(state)
    hands.take(dice("3"))
    verdict = look(watcher, hands, 4)
    assert isinstance(verdict, Wait)
    assert said(verdict) == "Sail 3 is out of the tray: now make its move."
    truth = after(state, "sail 3 W from G10")
    hands.lay_pieces(GAME.layout(truth))
    assert applied(look(watcher, hands)) == truth


def test_b_a_ship_in_the_hand_is_neither_fled_nor_wrecked_yet() -> None:
    state = battle(FLEETS, (2, 3, 4), (5,))
    watcher, hands = start(state)
    hands.take(dice("3"))
    moved(hands, {RED: EMPTY})
    assert isinstance(look(watcher, hands, 4), Wait)
    truth = after(state, "sail 3 SW from G10")
    hands.lay_pieces(GAME.layout(truth))
    assert applied(look(watcher, hands)) == truth


def test_b_the_button_says_that_a_lifted_ship_is_lost() -> None:
    state = battle(FLEETS, (2, 3, 4), (5,))
    watcher, hands = start(state)
    lost = after(state, "sail 3 E from G10, off the map")
    hands.lay(GAME.layout(lost))
    assert isinstance(look(watcher, hands), Wait)
    assert applied(watcher.press()) == lost


# -- (c) shots that hit nothing ----

ONE_GUN = {RED: "red", BLUE: "blue", (-3, 3): "blue"}


def test_c_a_miss_that_nobody_could_mistake_is_applied_at_the_second_look() -> None:
    state = battle(ONE_GUN, (2,), (5,))
    watcher, hands = start(state)
    hands.take(dice("", "5"))
    assert isinstance(watcher.observe(hands.look()), Wait)
    verdict = watcher.observe(hands.look())
    assert isinstance(verdict, Apply)
    assert verdict.explanation.state == after(state, "fire 5 E")
    assert verdict.explanation.steps[-1].equivalent == 6


def test_c_a_die_hidden_in_one_picture_is_not_spent() -> None:
    state = battle(ONE_GUN, (2,), (5,))
    watcher, hands = start(state)
    full = hands.look()
    assert full.dice is not None
    hidden = tuple(d for d in full.dice if Die("cannon", 5) not in d.faces)
    assert isinstance(watcher.observe(hands.look(dice=hidden)), Wait)
    assert watcher.observe(hands.look()) == Nothing()
    assert watcher.state == state


def test_c_a_shot_that_could_hit_waits_for_the_enemy_to_be_lifted() -> None:
    state = battle({RED: "red", (-1, 0): "blue", (-3, 3): "blue"}, (2,), (4,))
    watcher, hands = start(state)
    hands.take(dice("", "4"))
    assert isinstance(look(watcher, hands, 3), Wait)
    hit = after(state, "hits Blue")
    hands.lay_pieces(GAME.layout(hit))
    assert applied(look(watcher, hands)) == hit


def test_c_a_shot_that_could_hit_is_asked_about_after_a_while() -> None:
    state = battle({RED: "red", (-1, 0): "blue", (-3, 3): "blue"}, (2,), (4,))
    watcher, hands = start(state)
    hands.take(dice("", "4"))
    verdict = look(watcher, hands, 14)
    assert isinstance(verdict, Ask)
    assert [e.state for e in verdict.explanations] == [after(state, "fire 4 E")]


def test_c_which_ship_fired_is_asked_or_told_by_the_next_move() -> None:
    state = battle(FLEETS, (2, 3, 4), (5,))
    watcher, hands = start(state)
    hands.take(dice("", "5"))
    verdict = look(watcher, hands, 2)
    assert isinstance(verdict, Wait)
    verdict = look(watcher, hands, 5)
    assert isinstance(verdict, Ask)
    readings = {after(state, "fire 5 E from G10"), after(state, "fire 5 E from D10")}
    assert {e.state for e in verdict.explanations} == readings
    # Two sails on one ship: then it was the other one that fired.
    truth = after(state, "fire 5 E from D10", "sail 2 W from G10")
    hands.lay(GAME.layout(truth))
    assert not isinstance(look(watcher, hands), Apply)
    truth = after(truth, "sail 3 W from G8")
    hands.lay(GAME.layout(truth))
    verdict = look(watcher, hands)
    assert isinstance(verdict, Apply)
    assert verdict.explanation.state == truth
    assert len(verdict.explanation.steps) == 3


def test_c_readings_that_come_to_the_same_at_the_end_of_the_turn_are_not_asked() -> None:
    state = battle(FLEETS, (2, 3), (4, 5))
    watcher, hands = start(state)
    truth = state
    for text in ("fire 5 E from G10", "fire 4 E from D10", "sail 2 W from G10"):
        truth = after(truth, text)
        hands.lay(GAME.layout(truth))
        look(watcher, hands)
    truth = after(truth, "sail 3 W from D10")
    hands.lay(GAME.layout(truth))
    look(watcher, hands)
    assert watcher.state == truth


def test_c_a_check_die_of_the_same_face_does_not_stand_in_for_the_die_that_was_fired() -> None:
    state = battle(FLEETS | {(0, 0): "blue"}, (2, 3, 3), (5,))
    watcher, hands = start(after(state, "sail 3 W from G10, boards"))
    hands.throw(dice("", "5"))
    hands.throw(dice("", "1"))
    look(watcher, hands, 16)
    decided = after(BOARDING, "cannon 5", "cannon 1", "scuttle Blue")
    watcher.settle(decided)
    hands.lay_pieces(GAME.layout(decided))
    assert watcher.observe(hands.look()) == Nothing()
    hands.lay(GAME.layout(after(decided, "fire 5 E from D10")))
    assert Die("cannon", 5) in [d.die for d in hands.tray]
    assert not isinstance(look(watcher, hands, 3), Nothing), "taken for the die that still waits"


# -- (d) dice ----

CHOOSING = battle(FLEETS, stage=ChoosingDice())


def test_d_choice_and_roll_are_explained_together() -> None:
    watcher, hands = start(CHOOSING)
    hands.throw(dice("234", "5"))
    verdict = look(watcher, hands)
    assert isinstance(verdict, Apply)
    assert [type(s.action).__name__ for s in verdict.explanation.steps] == ["ChooseDice", "Roll"]
    assert GAME.layout(verdict.explanation.state).dice == dice("234", "5")


def test_d_too_few_dice_are_waited_for() -> None:
    watcher, hands = start(CHOOSING)
    hands.throw(dice("234"))
    assert said(look(watcher, hands)) == "I see 3 dice, 4 are to be rolled."
    hands.throw(dice("", "1"))
    assert isinstance(look(watcher, hands), Apply)


@pytest.mark.parametrize(
    ("thrown", "rule"), [(dice("23344"), "AOW-23"), (dice("2", "345"), "AOW-24")]
)
def test_d_a_wrong_set_of_dice_is_refused_with_its_rule(thrown: tuple[Die, ...], rule: str) -> None:
    watcher, hands = start(CHOOSING)
    hands.throw(thrown)
    verdict = look(watcher, hands)
    assert isinstance(verdict, Nothing)
    assert verdict.notice is not None
    assert (verdict.notice.kind, verdict.notice.rule, verdict.notice.seat) == ("refusal", rule, 0)


def test_d_dice_left_from_the_turn_before_are_not_rolled_again() -> None:
    watcher, hands = Watcher(GAME, CHOOSING), at_table(CHOOSING)
    hands.throw(dice("3", "2"))  # forfeited, still lying there
    assert watcher.observe(hands.look()) == Nothing()
    hands.throw(dice("33"))
    assert said(look(watcher, hands)) == "I see 2 dice, 4 are to be rolled."
    hands.throw(dice("4", "2"))
    verdict = look(watcher, hands)
    assert isinstance(verdict, Apply)
    assert verdict.explanation.layout.dice == dice("334", "2")


BOARDING = after(battle(FLEETS | {(0, 0): "blue"}, (2, 3, 3), (5,)), "sail 3 W from G10, boards")


def test_d_the_same_die_with_the_same_face_counts_only_where_it_lies_anew() -> None:
    watcher, hands = start(BOARDING)
    hands.throw(dice("", "3"))
    assert isinstance(look(watcher, hands), Apply)
    attacked = watcher.state
    for _ in range(6):
        assert watcher.observe(hands.look()) == Nothing()
    assert watcher.state == attacked
    hands.take(dice("", "3"))
    hands.throw(dice("", "3"))
    verdict = look(watcher, hands)
    assert isinstance(verdict, Apply)
    assert watcher.state == BOARDING, "a tie: both roll again"


def test_d_a_die_nudged_by_a_hand_is_not_taken_for_a_roll() -> None:
    watcher, hands = start(BOARDING)
    hands.throw(dice("", "3"))
    look(watcher, hands)
    attacked = watcher.state
    hands.tray[-1].x_mm += 9
    verdict = look(watcher, hands, 3)
    assert not isinstance(verdict, Apply)
    assert watcher.state == attacked


def test_d_a_die_that_lay_there_before_anything_was_to_be_rolled_is_asked_about() -> None:
    state = battle(FLEETS | {(0, 0): "blue"}, (2, 3, 3), (5,))
    watcher, hands = start(state)
    hands.throw(dice("", "1"))
    look(watcher, hands)
    assert watcher.state == state
    hands.lay(GAME.layout(after(state, "sail 3 W from G10, boards")))
    verdict = look(watcher, hands, 1)
    verdict = look(watcher, hands, 16) if isinstance(verdict, Apply) else verdict
    assert not isinstance(verdict, Apply)
    assert GAME.pending(watcher.state).text == GAME.pending(BOARDING).text or watcher.state == state


# -- (e) boarding dice seen together ----


def test_e_two_boarding_dice_at_once_are_told_apart_by_what_follows() -> None:
    watcher, hands = start(BOARDING)
    hands.throw(dice("", "25"))
    assert isinstance(look(watcher, hands), Wait)
    won = after(BOARDING, "cannon 5", "cannon 2", "scuttle Blue")
    lost = after(BOARDING, "cannon 2", "cannon 5", "scuttle Red")
    assert GAME.layout(won).cells != GAME.layout(lost).cells
    hands.lay_pieces(GAME.layout(lost))
    assert applied(look(watcher, hands)) == lost


def test_e_what_is_done_before_the_dice_of_a_boarding_is_told_to_wait_for_them() -> None:
    watcher, hands = start(BOARDING)
    moved(hands, {RED2: EMPTY, (4, -3): CellContent(("red",))})
    assert said(look(watcher, hands)) == f"This comes first. {GAME.pending(BOARDING).text}."


def test_e_two_boarding_dice_at_once_are_asked_about() -> None:
    watcher, hands = start(BOARDING)
    hands.throw(dice("", "25"))
    verdict = look(watcher, hands, 16)
    assert isinstance(verdict, Ask)
    assert {e.state for e in verdict.explanations} == {
        after(BOARDING, "cannon 5", "cannon 2"),
        after(BOARDING, "cannon 2", "cannon 5"),
    }


def test_e_a_scuttled_loser_waits_for_the_prize_that_may_still_be_placed() -> None:
    decided = after(BOARDING, "cannon 5", "cannon 2")
    watcher, hands = start(decided)
    scuttled = after(decided, "scuttle Blue")
    pressed = after(decided, "press Blue's ship into service on F7")
    hands.lay_pieces(GAME.layout(scuttled))
    assert isinstance(look(watcher, hands, 3), Wait)
    hands.lay_pieces(GAME.layout(pressed))
    assert isinstance(look(watcher, hands), Apply)
    assert watcher.state == pressed


def test_e_a_scuttled_loser_is_told_by_the_next_move() -> None:
    decided = after(BOARDING, "cannon 5", "cannon 2")
    watcher, hands = start(decided)
    scuttled = after(decided, "scuttle Blue")
    hands.lay_pieces(GAME.layout(scuttled))
    look(watcher, hands)
    truth = after(scuttled, "sail 3 W from D10")
    hands.lay(GAME.layout(truth))
    assert isinstance(look(watcher, hands), Apply)
    assert watcher.state == truth


def test_e_a_second_look_does_not_make_an_unlikely_end_of_a_boarding_certain() -> None:
    watcher, hands = start(BOARDING)
    for face in ("4", "4"):  # a tie: both roll again, and the dice stay where they are
        hands.throw(dice("", face))
        assert isinstance(look(watcher, hands), Apply)
    assert watcher.state == BOARDING
    hands.throw(dice("", "3"))
    # The boarder hides behind its enemy: one ship is seen where two lie.
    alone = CellReading({("blue",): 0.995, ("blue", "red"): 0.003}, {None: 1.0})
    for _ in range(8):
        seen = hands.look()
        verdict = watcher.observe(hands.look(cells={**seen.cells, (0, 0): alone}))
        assert not isinstance(verdict, Apply)
    assert isinstance(verdict, Ask)


# -- (f) two ships on one cell ----


def test_f_a_boarder_beside_its_enemy_is_a_boarding() -> None:
    state = battle(FLEETS | {(0, 0): "blue"}, (2, 3, 3), (5,))
    watcher, hands = start(state)
    hands.lay(GAME.layout(BOARDING))
    assert hands.layout.at((0, 0)).ships == ("blue", "red")
    assert isinstance(look(watcher, hands), Apply)
    assert watcher.state == BOARDING


def test_f_a_boarder_that_hides_behind_its_enemy_is_not_taken_for_one_that_fled() -> None:
    fleets = {(3, 2): "red", (5, 0): "blue", BLUE: "blue"}
    watcher, hands = start(battle(fleets, (4, 4)))
    boarding = after(watcher.state, "sail 4 NE from I10, boards Blue at G12")
    hands.lay(GAME.layout(boarding))
    # Sailing 4 to the east would have left the map: just what a single ship here looks like.
    alone = CellReading({("blue",): 0.995, ("blue", "red"): 0.003}, {None: 1.0})
    for _ in range(8):
        seen = hands.look()
        verdict = watcher.observe(hands.look(cells={**seen.cells, (5, 0): alone}))
        assert not isinstance(verdict, Apply)
    assert isinstance(verdict, Ask)
    assert boarding in {e.state for e in verdict.explanations}


def test_f_a_boarder_never_seen_beside_its_enemy_is_not_gone_because_it_is_not_seen() -> None:
    watcher, hands = start(battle(FLEETS | {(0, 0): "blue"}, (2, 3, 3), (5,)))
    won = BOARDING  # the table was told of all this by phone
    for face in (5, 1):
        roll = GAME.roll_of(won, (Die("cannon", face),))
        won = GAME.apply(won, roll).state
    watcher.settle(won)
    hands.lay(GAME.layout(won))
    hands.throw(dice("", "51"))
    alone = CellReading({("red",): 0.995, ("blue", "red"): 0.003}, {None: 1.0})
    for _ in range(8):
        seen = hands.look()
        verdict = watcher.observe(hands.look(cells={**seen.cells, (0, 0): alone}))
        assert not isinstance(verdict, Apply), "the captain has not said what becomes of the loser"


# -- (g) readings that are not sure ----


def rolled(hands: Hands, faces: dict[Die, float]) -> Observation:
    places = [sure_die(d.kind, d.face, 20.0 + 30 * i, 20) for i, d in enumerate(dice("234"))]
    return hands.look(dice=(*places, doubtful_die(faces, 150, 100)))


def test_g_a_die_that_may_show_two_faces_is_asked_about() -> None:
    watcher, hands = start(CHOOSING)
    faces = {Die("cannon", 2): 0.7, Die("cannon", 5): 0.3}
    verdicts = [watcher.observe(rolled(hands, faces)) for _ in range(6)]
    verdict = verdicts[-1]
    assert isinstance(verdict, Ask)
    assert not any(isinstance(v, Apply) for v in verdicts)
    assert [e.layout.dice for e in verdict.explanations] == [dice("234", "2"), dice("234", "5")]


def test_g_a_cocked_die_is_not_guessed() -> None:
    watcher, hands = start(CHOOSING)
    observation = rolled(hands, {Die("cannon", 2): 0.3, Die("cannon", 5): 0.25})
    verdict = watcher.observe(observation)
    assert said(verdict) == "A die is cocked, covered or not plain: lay the dice flat and apart."


def test_g_it_is_said_what_a_die_seems_that_cannot_be_told() -> None:
    watcher, hands = start(CHOOSING)
    observation = rolled(hands, {Die("cannon", 2): 0.3})
    assert observation.dice is not None
    *plain, die = observation.dice
    verdict = watcher.observe(replace(observation, dice=(*plain, replace(die, seems=COCKED))))
    assert said(verdict) == "A die is cocked: lay it flat."


def test_g_rules_tell_what_the_camera_cannot() -> None:
    state = battle(FLEETS, (2, 3, 4), (5,))
    watcher, hands = start(state)
    truth = after(state, "sail 3 W from G10")
    hands.lay(GAME.layout(truth))
    seen = hands.look()
    blurred = dict(seen.cells)
    reading = blurred[0, 0]
    blurred[0, 0] = type(reading)({("red",): 0.5, ("black",): 0.5}, reading.terrain)
    assert applied(watcher.observe(hands.look(cells=blurred))) == truth


def test_g_a_ship_that_may_or_may_not_be_there_is_not_guessed() -> None:
    state = battle(FLEETS, (2, 3, 4), (5,))
    watcher, hands = start(state)
    truth = after(state, "sail 3 W from G10")
    hands.lay_pieces(GAME.layout(truth))  # the die still lies there
    seen = dict(hands.look().cells)
    for cell in ((0, 0), RED):
        seen[cell] = type(seen[cell])({("red",): 0.5, (): 0.5}, seen[cell].terrain)
    verdicts = [watcher.observe(hands.look(cells=seen)) for _ in range(3)]
    assert not any(isinstance(v, Apply) for v in verdicts)


# -- (h) what was taken back still lies there ----


def test_h_what_was_undone_is_not_read_again_from_the_same_picture() -> None:
    state = battle(FLEETS, (2, 3, 4), (5,))
    watcher, hands = start(state)
    done = after(state, "sail 3 W from G10")
    hands.lay(GAME.layout(done))
    assert isinstance(look(watcher, hands), Apply)
    watcher.settle(state, undone=[(find(state, "sail 3 W from G10"), done)])
    verdict = look(watcher, hands, 3)
    assert said(verdict).startswith("Put it back as it was: nothing on 0,0, red on 3,0")
    assert watcher.state == state
    hands.lay(GAME.layout(state))
    hands.throw(dice("3"))
    assert isinstance(look(watcher, hands), Nothing)
    hands.lay(GAME.layout(done))
    assert isinstance(look(watcher, hands), Apply), "after it was put back it may be done anew"
    assert watcher.state == done


def test_h_what_was_undone_is_not_read_again_because_something_more_is_done() -> None:
    """A die had been spent meanwhile, too: then it was counted once more, behind that."""
    state = battle(FLEETS, (2, 3, 4), (5,))
    watcher, hands = start(state)
    done, more = after(state, "sail 3 W from G10"), after(state, "sail 3 W from G10", "fire 5 E")
    hands.lay(GAME.layout(done))
    assert isinstance(look(watcher, hands), Apply)
    watcher.settle(state, undone=[(find(state, "sail 3 W from G10"), done)])
    hands.lay(GAME.layout(more))
    assert said(look(watcher, hands, 3)).startswith("Put it back as it was: nothing on 0,0")
    assert watcher.state == state
    hands.lay_pieces(GAME.layout(state))
    hands.throw(dice("3", "5"))
    assert isinstance(look(watcher, hands), Nothing)


def test_h_another_move_from_the_undone_position_is_followed() -> None:
    state = battle(FLEETS, (2, 3, 4), (5,))
    watcher, hands = start(state)
    done, other = after(state, "sail 3 W from G10"), after(state, "sail 3 SW from G10")
    hands.lay(GAME.layout(done))
    look(watcher, hands)
    watcher.settle(state, undone=[(find(state, "sail 3 W from G10"), done)])
    look(watcher, hands)
    hands.lay_pieces(GAME.layout(other))
    assert isinstance(look(watcher, hands), Apply)
    assert watcher.state == other


def test_h_an_illegal_move_is_refused_and_followed_once_it_is_put_right() -> None:
    state = battle(FLEETS, (3, 3, 4), (5,))
    watcher, hands = start(state)
    hands.take(dice("3"))
    moved(hands, {RED: EMPTY, (1, 0): CellContent(("red",))})
    verdict = look(watcher, hands)
    assert isinstance(verdict, Wait)
    assert verdict.notice is not None
    assert verdict.notice.rule == "AOW-33"
    assert "you moved 2" in verdict.notice.text
    right = after(state, "sail 3 W from G10")
    hands.lay_pieces(GAME.layout(right))
    assert isinstance(look(watcher, hands), Apply)
    assert watcher.state == right


# -- several actions between two pictures ----


def test_six_spends_between_two_pictures_are_followed() -> None:
    fleets = {(3, 0): "red", (3, -3): "red", (0, 3): "red", BLUE: "blue", (-3, 3): "blue"}
    state = battle(fleets, (2, 3, 4), (1, 5, 5))
    watcher, hands = start(state)
    line = (
        "sail 2 NW from G10 to E10", "fire 1 E", "sail 3 W from D10 to D7",
        "fire 5 E", "sail 4 NE from J7 to F11", "fire 5 E",
    )  # fmt: skip
    truth = after(state, *line)
    assert isinstance(truth.stage, ChoosingDice)
    hands.lay(GAME.layout(truth))
    look(watcher, hands, 3)
    assert watcher.state == truth

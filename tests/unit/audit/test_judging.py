"""The audit of some rolls: what is found, in words, and as a page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from math import log, log10
from pathlib import Path
from random import Random

import pytest
from scipy.stats import binom

from companion.audit import html, words
from companion.audit.batch import power
from companion.audit.checks_csv import CHECK_COLUMNS
from companion.audit.comparison import Comparison, holm
from companion.audit.evidence import Evidence
from companion.audit.judging import FAIR, LOADED, TOO_FEW, Group, audit, sorted_dice
from companion.audit.plots import counts_plot, path_plot
from companion.audit.rolls import TAKEN_BACK, Choice, DieRoll, find_kind
from companion.audit.rolls_csv import COLUMNS

D6, D20, SAIL = (find_kind(name) for name in ("d6", "d20", "sail"))
DAY_S = 86400.0


def rolled(faces: Iterable[int | None], **known: object) -> list[DieRoll]:
    return [DieRoll(D6, face, roll=k, **known) for k, face in enumerate(faces)]  # type: ignore[arg-type]


def fair_faces(count: int, seed: int = 1) -> list[int]:
    dice = Random(seed)
    return [dice.randint(1, 6) for _ in range(count)]


def loaded_faces(count: int, seed: int = 1) -> list[int]:
    dice = Random(seed)
    return [dice.choice((1, 2, 3, 4, 5, 6, 6, 6)) for _ in range(count)]


def test_a_fair_die_is_fair_as_far_as_one_can_tell() -> None:
    (found,) = audit(rolled(fair_faces(214)))
    assert (found.die, found.rolls, found.verdict) == ("d6", 214, FAIR)
    assert words.verdict(found) == (
        "Fair as far as 214 rolls can tell; a face favoured by half again would have shown with "
        "5 in 10 chance."
    )
    assert sum(found.counts) == 214
    for count, (least, most) in zip(found.counts, found.band, strict=True):
        assert least <= count <= most


def test_a_loaded_die_is_named_with_its_face() -> None:
    (found,) = audit(rolled(loaded_faces(300)))
    assert found.verdict == LOADED
    said = words.verdict(found)
    assert re.match(r"Not fair: 6 came \d+ times in the first 2\d\d rolls, about \d+ were", said)
    assert "at any time, in at most 1 of" in said


def test_a_face_that_is_shunned_is_named_too() -> None:
    dice = Random(2)
    (found,) = audit(rolled(dice.choice((1, 2, 3, 4, 5)) for _ in range(150)))
    assert "6 came not once in 150 rolls, about 25 were" in words.verdict(found)


def test_a_die_that_behaves_again_is_still_told_by_its_worst() -> None:
    (found,) = audit(rolled([6] * 20 + [1, 2, 3, 4, 5] * 20))
    assert found.verdict == LOADED
    assert "6 came 20 times in the first 20 rolls, about 3 were" in words.verdict(found)


def test_few_rolls_say_nothing_unless_they_shout() -> None:
    (few,) = audit(rolled([1, 2, 2, 3, 3]))
    assert few.verdict == TOO_FEW
    assert words.verdict(few) == "Too few rolls to tell: 5."
    (shout,) = audit(rolled([6] * 15))
    assert shout.verdict == LOADED
    enough = [audit(rolled(fair_faces(count)))[0] for count in (19, 20)]
    assert [found.verdict for found in enough] == [TOO_FEW, FAIR]


def test_a_die_of_which_no_load_would_have_shown_is_not_called_fair() -> None:
    dice = Random(1)
    rolls = [DieRoll(D20, dice.randint(1, 20), roll=k) for k in range(60)]
    (few,) = audit(rolls[:30])
    assert few.power[3.0] < 0.05
    assert words.verdict(few) == "Too few rolls to tell: 30."
    assert 'class="judged few"' in html.cards([few])
    verdicts = [audit(rolls[:count])[0].verdict for count in range(40, 47)]
    assert {TOO_FEW, FAIR} == set(verdicts)
    assert verdicts == sorted(verdicts, reverse=True), "it does not waver"


def test_no_rolls_are_no_audit() -> None:
    assert audit([]) == ()
    assert "There are no rolls to judge." in html.cards(())


def test_rolls_that_do_not_stand_do_not_count() -> None:
    rolls = rolled(fair_faces(30))
    struck = [replace(roll, status=TAKEN_BACK) for roll in rolled([6] * 40)]
    (found,) = audit([*rolls, *struck])
    assert found.rolls == 30


def test_each_kind_and_each_look_has_its_verdict() -> None:
    green = rolled(loaded_faces(200), look="green")
    red = rolled(fair_faces(200, 5), look="red")
    sails = [DieRoll(SAIL, face, roll=k) for k, face in enumerate([2, 3, 3, 4] * 10)]
    found = audit([*green, *red, *sails])
    assert [one.die for one in found] == ["d6", "green d6", "red d6", "sail"]
    assert [one.verdict for one in found[1:]] == [LOADED, FAIR, FAIR]
    assert found[0].rolls == 400


def test_dice_that_are_numbered_stand_as_people_count() -> None:
    rolls = [roll for n in (1, 10, 2) for roll in rolled([3], look=f"die {n}")]
    assert [one.die for one in audit(rolls)[1:]] == ["die 1 d6", "die 2 d6", "die 10 d6"]


def test_dice_that_nobody_has_named_are_the_others() -> None:
    rolls = [DieRoll(D6, face, look) for face, look in ((3, "red"), (4, ""), (5, ""))]
    cards = [(one.die, one.rolls) for one in audit(rolls)]
    assert cards == [("d6", 3), ("d6 (others)", 2), ("red d6", 1)]
    unread = DieRoll(D6, None, "blue")
    assert [one.die for one in audit([unread])] == ["blue d6"]
    assert [one.die for one in audit([unread, *rolls[1:]])] == ["d6"], "blue may be any of them"


def test_a_single_look_needs_no_card_of_its_own() -> None:
    assert [one.die for one in audit(rolled([1, 2, 3], look="green d6"))] == ["green d6"]


def test_the_same_kind_with_other_faces_is_another_die() -> None:
    other = replace(SAIL, faces=(2, 2, 3, 4))
    found = audit([DieRoll(SAIL, 3), DieRoll(other, 3)])
    assert [one.fair.shares for one in found] == [(0.25, 0.5, 0.25), (0.5, 0.25, 0.25)]
    assert [one.die for one in found] == ["sail (2, 3, 3, 4)", "sail (2, 2, 3, 4)"]
    looks = [DieRoll(kind, 3, look=look) for kind in (SAIL, other) for look in ("red", "")]
    red, changed = [one.die for one in audit(looks) if one.die.startswith("red")]
    assert (red, changed) == ("red sail (2, 3, 3, 4)", "red sail (2, 2, 3, 4)")


def test_captains_whose_throws_bear_one_number_are_told_apart() -> None:
    anne, bob = fair_faces(200), loaded_faces(200)
    rounds = enumerate(zip(anne, bob, strict=True))
    (found,) = audit(
        DieRoll(D6, face, roll=k, captain=name)
        for k, faces in rounds
        for name, face in zip(("Anne", "Bob"), faces, strict=True)
    )
    assert [group.stands_out for group in found.captains] == [True, True]


def test_what_was_to_be_expected_once_is_said_so() -> None:
    (found,) = audit([DieRoll(D20, 20, roll=k) for k in range(12)])
    said = words.verdict(found)
    assert said.startswith("Not fair: 20 came 12 times in 12 rolls, less than 1 was to be expected")


def test_a_captain_who_rolls_otherwise_stands_out_and_the_others_do_not() -> None:
    dice = Random(3)
    rolls = []
    for k in range(600):
        captain = ("Ann", "Bob", "Cid")[k % 3]
        face = dice.choice((1, 2, 3, 4, 5, 6, 6, 6)) if captain == "Ann" else dice.randint(1, 6)
        rolls.append(DieRoll(D6, face, roll=k, captain=captain))
    (found,) = audit(rolls)
    by_name = {group.name: group for group in found.captains}
    assert by_name["Ann"].stands_out
    assert by_name["Ann"].dice == 200
    assert [name for name, group in by_name.items() if group.stands_out] == ["Ann"]
    (told,) = words.standing_out(found)
    assert told.startswith("Ann differs from the others; by chance in at most 1 of ")
    assert not audit(rolls[1::3])[0].captains  # nobody to compare Bob with


def loaded_by_captain(**known: dict[str, str]) -> list[DieRoll]:
    """Return rolls of two dice: Ann rolls the loaded one, Bob the fair one."""
    rolls = []
    for k, (loaded, fair) in enumerate(zip(loaded_faces(400), fair_faces(400, 5), strict=True)):
        for captain, face in (("Ann", loaded), ("Bob", fair)):
            own = {name: told[captain] for name, told in known.items()}
            rolls.append(DieRoll(D6, face, roll=2 * k + len(rolls) % 2, captain=captain, **own))  # type: ignore[arg-type]
    return rolls


@pytest.mark.parametrize("name", ["look", "table"])
def test_nobody_is_accused_for_a_die_that_the_others_did_not_roll(name: str) -> None:
    (alike,) = audit(loaded_by_captain())
    assert any(group.stands_out for group in alike.captains)
    for one in audit(loaded_by_captain(**{name: {"Ann": "red", "Bob": "blue"}})):
        assert one.captains == ()


def test_captains_of_one_die_are_compared_on_its_own_card() -> None:
    rolls = loaded_by_captain(look={"Ann": "red", "Bob": "red"})
    both, blue, red = audit([*rolls, *rolled(fair_faces(30), look="blue", captain="Bob")])
    assert (both.captains, blue.captains) == ((), ())
    assert any(group.stands_out for group in red.captains)


def test_faces_are_called_what_people_call_them() -> None:
    kind = find_kind("colour")
    (found,) = audit([DieRoll(kind, 3, roll=k) for k in range(30)])
    assert words.verdict(found).startswith("Not fair: green came 30 times")
    assert ">green</text>" in counts_plot(found)
    assert "brown: 0" in counts_plot(found)


def face_labels(plot: str) -> list[str]:
    """Return what is written below the bars."""
    return re.findall(r'class="face[^>]*>([^<]+)<', plot)


def test_every_bar_of_a_d20_is_labelled_and_those_out_of_their_band_are_counted() -> None:
    d20, dice = find_kind("d20"), Random(5)
    faces = [dice.choice((*range(1, 21), 20, 20)) for _ in range(900)]
    (found,) = audit([DieRoll(d20, face, roll=k) for k, face in enumerate(faces)])
    plot, twenties = counts_plot(found), faces.count(20)
    assert face_labels(plot) == [str(face) for face in range(1, 21)]
    assert re.search(rf'class="number"[^>]*>{twenties}</text>', plot)
    assert re.search(r'class="face out tight"[^>]*>20</text>', plot)
    (cube,) = audit(rolled(fair_faces(900)))
    assert "tight" not in counts_plot(cube), "its faces have room"


def test_where_there_is_no_room_for_all_labels_bars_out_of_their_band_have_theirs() -> None:
    gem = find_kind("gem", range(1, 31))
    faces = [*range(1, 31)] * 10 + [6, 7] * 30
    (found,) = audit([DieRoll(gem, face, roll=k) for k, face in enumerate(faces)])
    labels = face_labels(counts_plot(found))
    assert {"6", "7"} <= set(labels)
    assert not {"5", "8"} & set(labels)
    assert re.findall(r'class="number"[^>]*>(\d+)<', counts_plot(found)) == ["40", "40"]


def test_all_counts_are_listed_and_those_of_captains_and_evenings() -> None:
    rolls = [
        replace(roll, captain="AB"[k % 2], time_s=1.7e9 + k // 60 * DAY_S)
        for k, roll in enumerate(rolled([1, 2, 6] * 40))
    ]
    (found,) = audit(rolls)
    least, most = found.band[0]
    _, _, more = html.cards([found]).partition("<details>")
    assert f'<th scope="row">1</th><td>40</td><td>{least} to {most}: outside</td>' in more
    assert '<th scope="row">5</th><td>0</td>' in more
    assert more.count(">1:\u00a020, 2:\u00a020, 3:\u00a00, 4:\u00a00, 5:\u00a00, 6:\u00a020<") == 4


def test_nobody_reads_the_digits_of_a_tiny_probability() -> None:
    said = [words.group_words(Group("Anne", 90, p), "the others") for p in (1e-49, 0.0123, 4.2e-5)]
    assert said[0].endswith("by chance in at most 1 of 1\u202f000\u202f000 cases")
    assert said[1].endswith("in at most 1 of 81 cases")
    assert said[2].endswith("in at most 1 of 23\u202f000 cases")
    (found,) = audit(rolled([6] * 60))
    assert "p < 0.0001 (" in words.fixed_words(found)


@pytest.mark.parametrize("p", [0.0, 5e-324, 1e-309, 1e-300, 1e-6])
def test_the_smallest_probabilities_can_be_told(p: float) -> None:
    said = words.group_words(Group("Anne", 90, p), "the others")
    assert said.endswith("at most 1 of 1\u202f000\u202f000 cases")


def test_no_number_of_sixes_is_too_many_to_be_told() -> None:
    told = [audit(rolled([6] * count))[0] for count in (470, 480, 490, 500)]
    assert [one.p_value == 0 for one in told] == [False, False, False, True]
    assert told[1].p_value < 1e-308, "one that nobody can divide by"
    for one in told:
        assert "1 of 1\u202f000\u202f000 cases" in html.cards([one])


def test_a_die_with_one_face_is_no_matter() -> None:
    coin = find_kind("coin", (5, 5))
    (found,) = audit([DieRoll(coin, 5, roll=k, captain="AB"[k % 2]) for k in range(60)])
    assert (found.verdict, set(found.power.values())) == (TOO_FEW, {0.0})
    assert "5" in html.report((found,))


def test_great_evidence_is_written_as_a_power_of_ten() -> None:
    (found,) = audit(rolled([6] * 60))
    plot = path_plot(found)
    assert re.search(r">10[⁰¹²³⁴-⁹]{2}<", plot)
    assert "more than 10 to the power of" in plot


def test_the_end_of_the_path_tells_how_many_rolls_there_are() -> None:
    ends = [path_plot(audit(rolled(fair_faces(count)))[0]) for count in (1, 2)]
    assert ">1 roll<" in ends[0]
    assert ">2 rolls<" in ends[1]


def test_great_odds_stay_on_one_line() -> None:
    (found,) = audit(rolled([6] * 60))
    assert "1 of 1\u202f000\u202f000 cases" in words.verdict(found)


def test_two_captains_are_compared_once() -> None:
    rolls = [DieRoll(D6, 6 if k % 2 else 1, roll=k, captain="AB"[k % 2]) for k in range(24)]
    (found,) = audit(rolls)
    first, second = found.captains
    once = Comparison(found.fair, 1)
    for roll in rolls:
        once.update((roll.face or 0,), in_group=roll.captain == "A")
    assert first.p_value == second.p_value == once.p_value < 0.1, "not corrected for two"


def test_each_of_three_captains_is_compared_with_the_other_two() -> None:
    dice = Random(3)
    load = {"A": (6, 6, 6), "B": (), "C": (1,)}
    rolls = [
        DieRoll(D6, dice.choice((*D6.faces, *load["ABC"[k % 3]])), roll=k, captain="ABC"[k % 3])
        for k in range(240)
    ]
    (found,) = audit(rolls)
    alone = {name: Comparison(found.fair, 2) for name in load}
    for roll in rolls:
        for name, side in alone.items():
            side.update((roll.face or 0,), in_group=roll.captain == name)
    corrected = holm({name: side.p_value for name, side in alone.items()})
    assert {group.name: group.p_value for group in found.captains} == corrected
    assert len(set(corrected.values())) > 1


def test_who_stands_out_is_shown_beside_the_verdict() -> None:
    rolls = rolled([6] * 60, captain="Anne") + rolled(fair_faces(300), captain="Bob")
    (found,) = audit(rolls)
    card, _, _ = html.cards([found]).partition("<details>")
    assert "Anne and Bob differ from one another; by chance in at most 1 of" in card
    assert "differs from" not in card, "they were compared once"


def test_who_may_stand_out_only_because_of_another_captain_is_told_so() -> None:
    """Each of several is compared with all others, and among these one may roll otherwise."""
    dice, rolls = Random(3), list[DieRoll]()
    loads = {"Ann": (6,) * 8, "Bob": (), "Cid": (1,)}
    for k in range(900):
        captain = ("Bob", "Ann", "Cid")[k % 3]
        face = dice.choice((1, 2, 3, 4, 5, 6, *loads[captain]))
        rolls.append(DieRoll(D6, face, roll=k, captain=captain))
    (found,) = audit(rolls)
    assert all(group.stands_out for group in found.captains)
    told = words.standing_out(replace(found, evenings=(), tables=()))
    assert re.fullmatch(
        r"Ann differs from the others; by chance in at most 1 of .* cases\.", told[0]
    )
    assert {line.partition(";")[0] for line in told[1:]} == {
        f"{name} differs from the others, perhaps only because of Ann" for name in ("Bob", "Cid")
    }


def test_of_a_loaded_die_evenings_and_tables_are_told_in_one_line_without_a_mark() -> None:
    rolls = [
        replace(roll, time_s=1.7e9 + k // 200 * DAY_S, table="ABC"[k // 200])
        for k, roll in enumerate(rolled([*fair_faces(200, 7), *loaded_faces(400, 8)]))
    ]
    (found,) = audit(rolls)
    assert found.verdict == LOADED
    assert [group.stands_out for group in found.evenings] == [False, True, True]
    assert words.standing_out(found) == []
    assert re.fullmatch(
        r"Each judged by itself: 2 of 3 evenings \([\d-]+, [\d-]+\) differ from a fair die; "
        r"2 of 3 tables \(B, C\) differ from a fair die\.",
        words.loaded_where(found),
    )
    card, _, _ = html.cards([found]).partition("<details>")
    assert card.count("✗") == 1
    assert "Each judged by itself: 2 of 3 evenings" in card
    (everywhere,) = audit(rolls[200:])
    assert "; 2 of 2 tables differ from a fair die." in words.loaded_where(everywhere)
    (alone,) = audit(rolled(loaded_faces(300)))
    assert words.loaded_where(alone) == ""
    (fair,) = audit(rolls[:200])
    assert words.loaded_where(fair) == ""


def test_of_few_dice_nothing_is_said() -> None:
    assert words.group_words(Group("Anne", 19, 0.6), "the others") == "too few rolls to tell"
    assert words.group_words(Group("Anne", 20, 0.6), "the others") == "nothing unusual"
    assert words.group_words(Group("Anne", 19, 0.01), "the others").startswith("differs from")


def test_an_odd_evening_stands_out_among_others() -> None:
    rolls = []
    for evening, faces in enumerate((fair_faces(120, 7), loaded_faces(200, 8), fair_faces(90, 9))):
        rolls += rolled(faces, time_s=1.7e9 + evening * DAY_S, table="AAB"[evening])
    (found,) = audit(rolls)
    assert [group.stands_out for group in found.evenings] == [False, True, False]
    alone = {evening: Evidence(found.fair) for evening in range(3)}
    for roll in rolls:
        alone[round(((roll.time_s or 0.0) - 1.7e9) / DAY_S)].update((roll.face,))
    corrected = holm({evening: one.p_value for evening, one in alone.items()})
    assert [group.p_value for group in found.evenings] == list(corrected.values())
    assert {group.name for group in found.tables} == {"A", "B"}
    assert [group.dice for group in found.evenings] == [120, 200, 90]


def test_a_memory_is_looked_for_where_a_die_can_be_followed() -> None:
    dice, face, faces = Random(6), 1, []
    for _ in range(300):
        face = face if dice.random() < 0.4 else dice.randint(1, 6)
        faces.append(face)
    (found,) = audit(rolled(faces))
    assert found.memory is not None
    assert words.memory_words(found).startswith("The last face predicts the next")
    (plain,) = audit(rolled(fair_faces(300)))
    assert "does not predict" in words.memory_words(plain)
    (round_and_round,) = audit(rolled([1, 2, 3, 4, 5, 6] * 5))
    assert "the same face never came again, about 4 were to be" in words.memory_words(
        round_and_round
    )
    for few in ([3], [3, 4, 3, 1]):
        (short,) = audit(rolled(few))
        assert "too few rolls" in words.memory_words(short)


def test_a_memory_is_shown_beside_the_verdict_and_once() -> None:
    (found,) = audit(rolled([1, 2, 3, 4, 5, 6] * 50))
    assert found.verdict == FAIR
    card, _, more = html.cards([found]).partition("<details>")
    assert "The last face predicts the next" in card
    assert "A die without a memory, fair or not, looks as bad" in card
    assert "predict" not in more
    (plain,) = audit(rolled(fair_faces(300)))
    card, _, more = html.cards([plain]).partition("<details>")
    assert "predict" not in card
    assert "does not predict" in more


def test_dice_that_look_alike_and_were_rolled_together_cannot_be_followed() -> None:
    (found,) = audit([DieRoll(D6, face, roll=k // 2) for k, face in enumerate(fair_faces(40))])
    assert found.memory is None
    assert words.memory_words(found).endswith("told: dice that look alike were rolled together.")


def test_one_throw_of_several_dice_is_enough_that_none_can_be_followed() -> None:
    alone = [DieRoll(D6, face, roll=k) for k, face in enumerate(fair_faces(40))]
    (found,) = audit([*alone, *[DieRoll(D6, face, roll=99) for face in (2, 5)]])
    assert found.memory is None
    assert "rolled together" in words.memory_words(found)


def test_who_is_compared_is_not_held_against_rolls_of_nobody() -> None:
    named = loaded_by_captain()
    nobody = [replace(roll, captain="") for roll in rolled([6] * 400)]
    mixed = [roll for pair in zip(named, nobody, strict=False) for roll in pair]
    (alone,), (among,) = audit([*named[:400]]), audit(mixed)
    assert among.captains == alone.captains


def test_two_loaded_dice_at_two_tables_are_no_memory() -> None:
    dice = Random(5)
    cabin = [dice.choice((1,) * 20 + (2, 3, 4, 5, 6)) for _ in range(300)]
    rolls = rolled(cabin, table="cabin") + rolled((7 - face for face in cabin), table="ship")
    (found,) = audit(rolls)
    assert found.memory is None
    assert "told: they were rolled at several tables" in words.memory_words(found)
    (pooled,) = audit([replace(roll, table="") for roll in rolls])
    assert pooled.memory is not None
    assert pooled.memory.is_found


def test_dice_of_several_looks_are_followed_one_by_one() -> None:
    rolls = [
        replace(roll, look="red" if k % 2 else "blue") for k, roll in enumerate(rolled([1, 2] * 20))
    ]
    both, *each = audit(rolls)
    assert both.memory is None
    assert "told: these are dice of several looks" in words.memory_words(both)
    assert all(one.memory is not None for one in each)


def test_an_unmeasured_camera_is_said_and_a_measured_one_allowed_for() -> None:
    rolls = rolled(fair_faces(100), read=1, p=0.99)
    (taken,) = audit(rolls)
    assert "100 rolls were told by the camera alone" in words.reading_words(taken)
    card, _, more = html.cards([taken]).partition("<details>")
    assert "camera alone" not in card
    assert "camera alone" in more
    card, _, more = html.cards(audit(rolled(loaded_faces(300), read=1))).partition("<details>")
    assert "camera alone" in card, "who accuses a die says what was taken for granted"
    assert "camera alone" not in more
    checks = {"d6": {(v, v): 100 for v in D6.values}}
    (measured,) = audit(rolls, checks)
    assert words.reading_words(measured) == (
        "The camera's errors are allowed for: 0 of 600 checked readings were wrong, so up to 0.7 % "
        "of all dice may be misread."
    )
    assert measured.unchecked == 0
    (told,) = audit(rolled(fair_faces(100)), checks)
    assert told.fair.misreads is None
    assert words.reading_words(told) == ""
    confirmed = [replace(roll, confirmed_by="Anne") for roll in rolls[:40]]
    assert audit([*confirmed, *rolls[40:]])[0].unchecked == 60


def test_where_a_face_was_never_checked_it_is_not_put_down_to_the_number_of_rolls() -> None:
    rolls = rolled(fair_faces(100), read=1)
    checks = {(v, v): 100 for v in D6.values if v != 3}
    (found,) = audit(rolls, {"d6": checks})
    assert found.verdict == TOO_FEW
    assert words.verdict(found) == (
        "No number of rolls can tell, nor can 100: of some face no reading of the camera was "
        "checked, or hardly any."
    )
    (few,) = audit(rolls[:5], {"d6": checks})
    assert words.verdict(few) == "Too few rolls to tell: 5."


def test_a_source_tells_that_the_camera_read_a_die_where_no_column_does() -> None:
    dice = Random(7)
    faces = [5 if face == 6 and dice.random() < 0.3 else face for face in fair_faces(1500, 11)]
    checks = {"d6": {(v, v): 100 for v in D6.values} | {(6, 6): 70, (6, 5): 30}}
    for source in ("camera", "Camera"):
        rolls = rolled(faces, source=source)
        (found,) = audit(rolls, checks)
        assert (found.verdict, found.unchecked) == (FAIR, 0)
        assert "30 of 600 checked readings were wrong" in words.reading_words(found)
        (taken,) = audit(rolls)
        assert taken.unchecked == 1500
        assert "1500 rolls were told by the camera alone" in words.reading_words(taken)
    (told,) = audit(rolled(faces, source="table"), checks)
    assert (told.verdict, told.unchecked) == (LOADED, 0)


def test_a_reader_that_takes_sixes_for_fives_convicts_no_die() -> None:
    dice = Random(4)
    faces = [5 if face == 6 and dice.random() < 0.4 else face for face in fair_faces(600, 11)]
    rolls = [replace(roll, read=roll.face) for roll in rolled(faces)]
    assert audit(rolls)[0].verdict == LOADED
    checks = {"d6": {(v, v): 100 for v in D6.values} | {(6, 6): 60, (6, 5): 40}}
    assert audit(rolls, checks)[0].verdict == FAIR


@pytest.mark.parametrize("more", [0, 3, 9])
def test_the_path_is_short_and_keeps_its_highest_point_and_its_end(more: int) -> None:
    (found,) = audit(rolled([*loaded_faces(400), *fair_faces(2000 + more)]))
    assert len(found.path) < 500
    assert found.path[0][0] < 20
    assert found.path[-1][0] == 2400 + more
    rolls = [place for place, _ in found.path]
    assert rolls == sorted(set(rolls))
    highest = max(level for _, level in found.path)
    assert highest == pytest.approx(-log10(found.p_value))


def test_the_path_of_a_few_rolls_begins_even_and_tells_each() -> None:
    faces, evidence = [6, 2, 6, 6], Evidence(audit(rolled([3]))[0].fair)
    told = [(k, evidence.update([face]) / log(10)) for k, face in enumerate(faces, 1)]
    (found,) = audit(rolled(faces))
    assert found.path == ((0, 0.0), *told)
    assert found.band == ((0, 3),) * 6


def test_a_fair_die_keeps_within_its_bands_as_often_as_is_said() -> None:
    faces = fair_faces(300, 4)
    for unread in (0, 7):
        for kind, shares in ((D6, (1 / 6,) * 6), (SAIL, (0.25, 0.5, 0.25))):
            shown = [kind.faces[face % len(kind.faces)] for face in faces] + [None] * unread
            (found,) = audit([DieRoll(kind, face, roll=k) for k, face in enumerate(shown)])
            beyond = 0.05 / 2 / len(shares)
            for (least, most), share in zip(found.band, shares, strict=True):
                came = binom(300 + unread, share)
                assert least + unread == came.ppf(beyond)
                assert most == came.ppf(1 - beyond)
                assert came.cdf(least + unread - 1) < beyond
                assert came.sf(most) <= beyond
    assert not any(replace(found, band=tuple((n, n) for n in found.counts)).is_out)
    assert all(replace(found, band=tuple((n + 1, n + 2) for n in found.counts)).is_out)
    assert all(replace(found, band=tuple((0, n - 1) for n in found.counts)).is_out)


@pytest.mark.parametrize(("count", "told_for"), [(214, 210), (19, 15), (1234, 1200)])
def test_the_power_that_is_told_is_that_of_about_so_many_rolls(count: int, told_for: int) -> None:
    (found,) = audit([DieRoll(D20, 1 + k % 20, roll=k) for k in range(count)])
    assert found.power == {r: power(found.fair, told_for, r) for r in (1.25, 1.5, 2.0, 3.0)}


def test_the_power_allows_for_each_die_that_could_not_be_read() -> None:
    (found,) = audit(rolled([*fair_faces(60), None, None, None]))
    assert found.power == {r: power(found.fair, 60, r, 3) for r in (1.25, 1.5, 2.0, 3.0)}


def test_a_camera_that_read_some_of_the_rolls_may_have_erred_in_any() -> None:
    """People tell the very faces that are hard to read: what they told is not kept apart."""
    checks = {"d6": {(v, v): 100 for v in D6.values}}
    told = rolled(fair_faces(60))
    (found,) = audit([*told, *rolled([4], read=4)], checks)
    assert found.fair.misreads is not None
    (found,) = audit(told, checks)
    assert found.fair.misreads is None


def test_a_single_evening_and_a_single_table_are_held_against_nothing() -> None:
    (found,) = audit(rolled(fair_faces(60), time_s=1.7e9, table="cabin", captain="Anne"))
    assert (found.captains, found.evenings, found.tables) == ((), (), ())


# -- dice that could not be read ----


def refused_by(faces: Iterable[int], face: int) -> list[int | None]:
    """Return rolls of which the camera refuses half of those that show a face."""
    dice = Random(1)
    return [None if one == face and dice.random() < 0.5 else one for one in faces]


def test_a_camera_that_refuses_a_face_convicts_no_die() -> None:
    faces = refused_by(fair_faces(600), 6)
    unread = faces.count(None)
    left_out = [face for face in faces if face is not None]
    assert audit(rolled(left_out))[0].verdict == LOADED
    (found,) = audit(rolled(faces))
    assert (found.verdict, found.rolls, found.unread) == (FAIR, 600 - unread, unread)
    said = words.verdict(found)
    assert said.startswith(f"Fair as far as {600 - unread} rolls can tell; ")
    assert said.endswith(f". {unread} of 600 dice could not be read: they may have shown anything.")
    assert found.power[1.5] < audit(rolled(left_out))[0].power[1.5], "it does not say too much"
    assert found.fixed.p_value > 0.05 > audit(rolled(left_out))[0].fixed.p_value
    assert not any(found.is_out), "the bar that lacks them is no sign of a load"
    assert any(audit(rolled(left_out))[0].is_out)


def test_a_die_may_be_loaded_whatever_its_unread_rolls_showed() -> None:
    faces = [None if k % 25 == 0 else face for k, face in enumerate(loaded_faces(300))]
    (found,) = audit(rolled(faces))
    assert (found.verdict, found.unread) == (LOADED, 12)
    assert (
        ". 12 of 300 dice could not be read: even if they showed what speaks best for it, a fair "
        "die looks as bad as this, at any time, in at most 1 of "
    ) in words.verdict(found)


def test_without_a_single_face_nothing_is_said() -> None:
    (found,) = audit(rolled([None] * 40, look="green d6"))
    assert words.verdict(found) == (
        "Too few rolls to tell: 0. 40 of 40 dice could not be read: they may have shown anything."
    )
    assert found.fixed.p_value == 1.0
    Balanced().feed(html.report((found,), "", ()))


def test_an_unread_die_may_be_any_of_those_that_were_rolled() -> None:
    green, red = rolled(fair_faces(60), look="green"), rolled(fair_faces(60, 5), look="red")
    shadows = rolled([None] * 7, look="shadow")
    for rolls in ([*green, *red, *shadows], [*shadows, *green, *red]):
        assert [(one.die, one.rolls, one.unread) for one in audit(rolls)] == [
            ("d6", 120, 7),
            ("green d6", 60, 7),
            ("red d6", 60, 7),
        ]
    assert [one.die for one in audit([*shadows, *green])] == ["green d6"]


def test_whoever_chooses_a_die_sees_the_card_that_it_has_among_all() -> None:
    dice, rolls = Random(5), []
    for k in range(600):
        for look in ("red", "blue"):
            face = dice.randint(1, 6)
            unread = face == 6 and dice.random() < 0.5
            rolls.append(DieRoll(D6, None if unread else face, roll=k, look="" if unread else look))
    for name in ("red d6", "blue d6"):
        chosen = [roll for roll in rolls if Choice(die=name).takes(roll)]
        (alone,) = audit(chosen)
        (among,) = (one for one in audit(rolls) if one.die == name)
        assert (alone, alone.verdict) == (among, FAIR)
        assert alone.unread > 40
        left_out = [roll for roll in chosen if roll.face is not None]
        assert audit(left_out)[0].verdict == LOADED


def test_no_memory_is_seen_across_unread_dice() -> None:
    (found,) = audit(rolled([1, None, 1, *fair_faces(60)]))
    assert found.memory is None
    assert words.memory_words(found).endswith("cannot be told: some dice could not be read.")


def test_captains_are_compared_by_what_was_read_and_evenings_by_all() -> None:
    rolls = [
        replace(roll, captain="AB"[k % 2], time_s=1.7e9 + k % 2 * DAY_S)
        for k, roll in enumerate(rolled(refused_by(fair_faces(600), 6)))
    ]
    (found,) = audit(rolls)
    assert sum(group.dice for group in found.captains) == found.rolls
    assert sum(group.dice for group in found.evenings) == 600
    assert not any(group.stands_out for group in (*found.captains, *found.evenings))
    assert words.standing_out(found) == []


def test_a_table_that_was_sorted_by_face_is_noticed() -> None:
    faces = sorted(fair_faces(60))
    assert sorted_dice(rolled(faces)) == ("d6",)
    assert sorted_dice(rolled(reversed(faces))) == ("d6",)
    assert sorted_dice([*rolled(fair_faces(60)), *(DieRoll(D20, face) for face in faces)]) == ()
    assert sorted_dice([*rolled(fair_faces(60)), *(DieRoll(D20, f, roll=f) for f in faces)]) == (
        "d20",
    )
    assert sorted_dice(rolled(fair_faces(60))) == ()
    assert sorted_dice(rolled([None, *faces])) == ("d6",)
    assert sorted_dice(rolled(faces[::3])) == ("d6",), "no fewer"
    assert sorted_dice(rolled(faces[::3][1:])) == (), "so few may fall so"
    assert sorted_dice(rolled([6] * 60)) == (), "a loaded die"
    one = [DieRoll(D6, face, roll=1) for face in faces]
    assert sorted_dice(one) == (), "one throw"
    assert sorted_dice([*one, DieRoll(D6, None, roll=2)]) == (), "one that could be read"
    assert sorted_dice([DieRoll(D6, face, roll=face // 4) for face in faces]) == ("d6",), "two"


# -- words ----


@pytest.mark.parametrize(
    ("p", "said"),
    [
        (0.0, "hardly any chance"),
        (0.06, "1 in 10 chance"),
        (0.94, "9 in 10 chance"),
        (0.97, "near certainty"),
    ],
)
def test_chances_are_said_the_way_people_do(p: float, said: str) -> None:
    assert words.chance(p) == said


def test_a_d20_says_that_half_again_would_hardly_have_shown_and_what_would() -> None:
    dice = Random(1)
    (found,) = audit([DieRoll(D20, dice.randint(1, 20), roll=k) for k in range(100)])
    assert words.verdict(found) == (
        "Fair as far as 100 rolls can tell; a face favoured by half again would hardly have shown "
        "yet, one that comes twice as often as it should come with 1 in 10 chance."
    )
    poor = replace(found, power={1.25: 0.01, 1.5: 0.02, 2.0: 0.04, 3.0: 0.3})
    assert "three times as often as it should come with 3 in 10 chance" in words.verdict(poor)
    assert "by a quarter: hardly any chance" in words.power_words(found)
    assert "simulated" not in words.fixed_words(found)
    assert "rarest face expected 5 times" in words.fixed_words(found)


# -- pages ----


class Balanced(HTMLParser):
    """Checks that every element is closed in its turn."""

    VOID = frozenset({"meta", "link", "br", "img", "input"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)


def test_the_report_is_one_sound_page_that_needs_no_other_file() -> None:
    rolls = rolled(fair_faces(80), captain="<Ann>") + rolled(fair_faces(80), captain="Bob & Co")
    page = html.report(audit(rolls), "Green & red")
    parser = Balanced()
    parser.feed(page)
    assert parser.open == []
    assert parser.seen.count("svg") == 2
    assert "<Ann>" not in page
    assert "&lt;Ann&gt;" in page
    assert "Bob &amp; Co" in page
    assert "<h1>Green &amp; red</h1>" in page
    assert not re.search(r'(src|href)=|url\(|@import|style="', page)


def test_a_report_may_show_the_picture_of_every_die_and_says_when_it_was_rolled() -> None:
    evening = {"time_s": 1.7e9, "picture": "00007.jpg", "roll": 7}
    kept = [
        replace(roll, box=(1, 2, 30, 40), **evening)  # type: ignore[arg-type]
        for roll in rolled([3, 5])
    ]
    unseen = replace(kept[0], face=None, box=None)
    struck = replace(kept[0], status=TAKEN_BACK, roll=8, read=4, picture="")
    kept[1] = replace(kept[1], read=5, p=0.9999, seems="cocked", confirmed_by="<Anne>")
    rolls = [*kept, unseen, struck]
    page = html.report(audit(rolls), rolls=rolls, pictures="pictures")
    Balanced().feed(page)
    assert f"Rolled {kept[0].evening}<" in page
    assert page.count('<a href="pictures/00007.jpg">') == 3
    assert '<a href="pictures/00007.jpg"><span class="unseen">the throw</span></a>' in page
    assert 'src="pictures/00007-1.jpg" alt="Picture of roll 7: 3"' in page
    assert 'src="pictures/00007-2.jpg" alt="Picture of roll 7: 5"' in page
    sure = '<span class="sure">99.9 %</span>'
    told = f"<b>5</b>, seemed cocked {sure}, confirmed by &lt;Anne&gt;"
    assert f"<span>7: {told}</span>" in page
    assert page.count('class="struck"') == 1
    assert '<li class="struck"><span>8: <b>3</b> read as 4</span></li>' in page
    later = [*rolls, replace(struck, time_s=1.7e9 + DAY_S)]
    assert f"Rolled {kept[0].evening} to {later[-1].evening}<" in html.report(
        audit(later), "", later
    )


def test_names_are_text_wherever_they_stand_and_stand_where_they_belong() -> None:
    rolls = [
        DieRoll(D6, face, f"<i> {table}", table=f"<b> {table}", roll=k)
        for table, faces in (("cabin", fair_faces(150)), ("ship", loaded_faces(150)))
        for k, face in enumerate(faces)
    ]
    rolls += [
        DieRoll(SAIL, face, captain=captain, roll=k)
        for k in range(300)
        for captain, face in (("<Ann>", 2), ("<Bob>", k % 3 + 2))
    ]
    cards = html.cards(audit(rolls))
    assert not re.search(r"<(i|b|Ann|Bob)>", cards)
    cubes, *_, sails = cards.split("<article")[1:]
    assert "<h2>d6</h2>" in cubes
    assert "<h2>&lt;i&gt; cabin d6</h2>" in cards
    tables = cubes.partition("<caption>Tables</caption>")[2]
    assert ">&lt;b&gt; ship</th><td>150</td><td>differs from a fair die; " in tables
    assert ">&lt;b&gt; cabin</th><td>150</td><td>nothing unusual" in tables
    assert "✗</span> &lt;Ann&gt; and &lt;Bob&gt; differ from one another" in sails
    captains = sails.partition("<caption>Captains</caption>")[2]
    assert ">&lt;Ann&gt;</th><td>300</td><td>differs from the others; " in captains
    assert '<th scope="col">Captain</th>' in captains
    assert "<caption>Tables" not in sails, "theirs is not told"


def test_the_cards_stand_alone_under_the_page_s_policy() -> None:
    cards = html.cards(audit(rolled(fair_faces(30))))
    assert "<style" not in cards
    assert "style=" not in cards


@pytest.mark.parametrize(
    ("faces", "kind", "mark"),
    [(fair_faces(200), "fair", "✓"), (loaded_faces(300), "loaded", "✗"), ([3, 4], "few", "…")],
)
def test_a_card_bears_the_mark_of_its_verdict(faces: list[int], kind: str, mark: str) -> None:
    cards = html.cards(audit(rolled(faces)))
    assert f'<article class="judged {kind}">' in cards
    assert f'<p class="verdict"><span class="mark" aria-hidden="true">{mark}</span> ' in cards


def test_how_a_camera_was_measured_stands_with_the_rest_of_what_can_be_said() -> None:
    rolls = [replace(roll, read=roll.face) for roll in rolled(loaded_faces(300))]
    checks = {"d6": {(v, v): 100 for v in D6.values}}
    (measured,), (unmeasured,) = audit(rolls, checks), audit(rolls)
    assert measured.verdict == unmeasured.verdict == LOADED
    for found, is_beside in ((measured, False), (unmeasured, True)):
        card, _, more = html.cards([found]).partition("<details>")
        told = escape(words.reading_words(found))
        assert (told in card, told in more) == (is_beside, not is_beside)


def test_a_bar_beyond_its_band_is_marked() -> None:
    (fair,), (loaded,) = audit(rolled(fair_faces(200))), audit(rolled(loaded_faces(300)))
    assert counts_plot(fair).count('class="bar out"') == 0
    assert counts_plot(loaded).count('class="bar out"') >= 1
    assert counts_plot(loaded).count('class="band"') == 6


@pytest.mark.parametrize("faces", [[3], [6] * 400, fair_faces(3000)])
def test_plots_stay_within_their_frames(faces: list[int]) -> None:
    (found,) = audit(rolled(faces))
    for plot in (counts_plot(found), path_plot(found)):
        _, _, width, height = map(float, re.search(r'viewBox="([^"]+)"', plot)[1].split())  # type: ignore[index]
        points = re.findall(r"([\d.-]+),([\d.-]+)", " ".join(re.findall(r'points="([^"]+)"', plot)))
        for x, y in points:
            assert 0 <= float(x) <= width
            assert 0 <= float(y) <= height
        for y in re.findall(r' y[12]?="([\d.-]+)"', plot):
            assert -1 <= float(y) <= height


# -- the page about it ----


def test_the_docs_name_every_column() -> None:
    page = (Path(__file__).parents[3] / "docs" / "audit.md").read_text("utf-8")
    for name in (*COLUMNS, *CHECK_COLUMNS):
        assert f"| `{name}` |" in page, name

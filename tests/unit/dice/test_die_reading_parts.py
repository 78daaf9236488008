"""The parts of reading a die, each by itself."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources

import numpy as np
import pytest

from companion.errors import BadOptions
from companion.rules.layout import Die
from companion.table.findings import SURE_DIE
from companion.table.observation import DieReading
from vision.dice.box_network import evened, evened_apart
from vision.dice.crops import CROP_PX, cut_crop, cut_turned
from vision.dice.finder import Found, distinct, to_input
from vision.dice.kinds import FACES, KINDS, SHAPES, SIGNS, parse_kinds, sign_of
from vision.dice.legible import (
    NEEDED_PX,
    WASHED_OUT,
    advice,
    advice_on,
    advice_on_picture,
)
from vision.dice.reading import SeenDie
from vision.dice.teller import Odds, by_numeral, meant_kinds, surest
from vision.dice.washed_out import is_washed_out

DARK = np.zeros((200, 200, 3), np.uint8)


def odds(kinds: dict[str, float], signs: dict[str, float]) -> Odds:
    return Odds(
        np.array([kinds.get(k, 0.0) for k in KINDS]), np.array([signs.get(s, 0.0) for s in SIGNS])
    )


def test_the_networks_are_small() -> None:
    """They come with the program and are loaded by a Pi: under 2 MB together."""
    weights = [f for f in resources.files("vision.dice").iterdir() if f.name.endswith(".onnx.gz")]
    assert 0 < sum(len(f.read_bytes()) for f in weights) < 2_000_000


def test_every_face_has_a_sign_and_every_sign_a_face() -> None:
    signs = {sign_of(Die(kind, face)) for kind, faces in FACES.items() for face in faces}
    assert signs == set(SIGNS)
    assert set(SHAPES) == set(FACES)


def test_a_face_needs_its_kind_and_its_sign() -> None:
    faces = odds({"d6": 0.9, "nothing": 0.1}, {"4 pips": 0.8, "4": 0.2}).faces()
    assert faces == {Die("d6", 4): pytest.approx(0.9)}
    misfit = odds({"d6": 0.9, "nothing": 0.1}, {"4 pips": 0.2, "4": 0.8}).faces()
    assert misfit == {Die("d6", 4): pytest.approx(0.36)}


def test_a_cube_with_a_digit_is_a_piecepack_die_rather_where_any_kind_may_lie() -> None:
    seen = odds({"piecepack": 0.85, "d6_numeral": 0.15}, {"3": 1.0})
    assert seen.faces()[Die("piecepack", 3)] == pytest.approx(0.85 / 0.925)
    both = seen.faces(("piecepack", "d6_numeral"))
    assert both[Die("piecepack", 3)] == pytest.approx(0.85), "whoever expects both knows why"
    plain = odds({"d6_numeral": 0.8, "nothing": 0.2}, {"3": 1.0})
    assert plain.faces() == {Die("d6_numeral", 3): pytest.approx(0.8)}


def test_that_it_may_be_nothing_counts_less_where_others_judge_how_it_lies() -> None:
    doubted = odds({"d20": 0.75, "nothing": 0.25}, {"17": 1.0})
    judged = replace(doubted, nothing_worth=0.2)
    assert doubted.faces() == {Die("d20", 17): pytest.approx(0.75)}
    assert judged.faces() == {Die("d20", 17): pytest.approx(0.75 / (0.75 + 0.25 * 0.2))}
    assert sum(
        replace(judged, doubts=np.array([0.2, 0.5, 0.3, 0.0])).faces().values()
    ) == pytest.approx(0.5 * 0.75 / 0.8)


def test_a_sign_that_is_told_by_a_nearer_look_is_no_reason_to_look_again() -> None:
    """Numerals of tetrahedra are smears from above; where the tray is known their sides tell."""
    seen = odds({"sail": 0.99, "nothing": 0.01}, {"2": 0.5, "3": 0.5})
    row, groups = np.concatenate([seen.kinds, seen.signs])[None], np.eye(len(KINDS))
    assert surest(row, groups, ()) == pytest.approx(0.495)
    assert surest(row, groups, [KINDS.index("sail")]) == pytest.approx(0.99)


@pytest.mark.parametrize(("sign", "kind"), [("6", "d10"), ("60", "d100"), ("00", "d100")])
def test_its_numeral_tells_a_d10_from_a_d100(sign, kind) -> None:
    """As a whole they look the same; each was taken for the other, and then not answered."""
    seen = odds({"d10": 0.3, "d100": 0.6, "d8": 0.08, "nothing": 0.02}, {sign: 0.97, "8": 0.02})
    kinds = seen.kinds[None].copy()
    by_numeral(kinds, seen.signs[None])
    told = dict(zip(KINDS, kinds[0], strict=True))
    assert told[kind] > 0.85
    assert told["d10"] + told["d100"] == pytest.approx(0.9)
    assert (told["d8"], told["nothing"]) == (0.08, 0.02)
    unseen = seen.kinds[None].copy()
    by_numeral(unseen, np.zeros((1, len(SIGNS))))
    assert unseen[0, KINDS.index("d100")] > unseen[0, KINDS.index("d10")]


def test_what_is_expected_takes_the_place_of_its_like() -> None:
    """Without a game nobody knows whose icosahedron it is; with one it is the game's."""
    seen = odds({"cannon": 0.5, "d20": 0.45, "nothing": 0.05}, {"3": 0.99, "13": 0.01})
    assert max(seen.faces().values()) < 0.6
    told = seen.faces(("cannon", "sail"))
    assert told[Die("cannon", 3)] == pytest.approx(0.95)
    assert {die.kind for die in seen.faces(("d20",))} == {"d20"}


def test_a_cube_is_looked_at_as_the_cube_that_is_expected() -> None:
    """Pips that are hard to see make it look like a blank one; the look at pips is to decide."""
    seen = odds({"d6": 0.3, "piecepack": 0.6, "nothing": 0.1}, {}).kinds[None]
    meant = dict(zip(KINDS, meant_kinds(seen, ("d6", "d20"))[0], strict=True))
    assert {k: p for k, p in meant.items() if p} == pytest.approx({"d6": 0.9, "nothing": 0.1})
    assert meant_kinds(seen, None) is seen
    stranger = odds({"d12": 0.9, "d6": 0.05, "nothing": 0.05}, {}).kinds[None]
    assert meant_kinds(stranger, ("d6",))[0, KINDS.index("d6")] == pytest.approx(0.05)


def test_a_stranger_is_not_taken_for_what_is_expected() -> None:
    seen = odds({"d12": 0.97, "cannon": 0.02, "nothing": 0.01}, {"3": 1.0})
    assert max(seen.faces(("cannon",)).values(), default=0.0) < 0.1


def test_a_blank_side_has_a_colour_where_no_die_has_blank_sides() -> None:
    seen = odds({"piecepack": 0.7, "colour": 0.3}, {"blank": 0.6, "white": 0.38, "yellow": 0.02})
    assert seen.faces(("colour", "d6"))[Die("colour", 4)] > 0.9
    assert seen.faces(("piecepack", "d6"))[Die("piecepack", 0)] > 0.9
    assert max(seen.faces(("colour", "piecepack")).values()) < 0.9


def test_an_impossible_sign_is_never_answered() -> None:
    seen = odds({"d6_numeral": 1.0}, {"9": 0.95, "6": 0.05})
    assert max(seen.faces(("d6_numeral",)).values()) < 0.2


def test_a_die_that_seems_not_to_lie_flat_is_doubted() -> None:
    plain, four = odds({"d6": 1.0}, {"4 pips": 1.0}), Die("d6", 4)
    assert plain.faces()[four] == pytest.approx(1)
    assert replace(plain, doubts=np.array([0.1, 0.05, 0.1, 0.0])).faces()[four] == pytest.approx(
        0.8
    )


def test_kinds_are_parsed_and_an_unknown_one_is_named() -> None:
    assert parse_kinds("d6, d6,sail") == ("d6", "d6", "sail")
    with pytest.raises(BadOptions, match="'d7'"):
        parse_kinds("d6,d7")


def test_a_crop_is_centred_on_the_box_and_repeats_the_edge() -> None:
    picture = np.zeros((100, 120, 3), np.uint8)
    picture[40:60, 50:70] = 255
    crop = cut_crop(picture, (50, 40, 20, 20))
    assert crop.shape == (CROP_PX, CROP_PX, 3)
    bright = np.argwhere(crop[..., 0] > 127)
    assert bright.mean(axis=0) == pytest.approx([35.5, 35.5], abs=1)
    assert np.ptp(bright[:, 0]) + 1 == pytest.approx(CROP_PX / 1.4, abs=2)
    corner = np.zeros((100, 120, 3), np.uint8)
    corner[:20, :20] = 200
    assert cut_crop(corner, (0, 0, 20, 20))[0, 0].tolist() == [200, 200, 200]
    assert cut_crop(picture, (400, 300, 10, 10)).shape == (CROP_PX, CROP_PX, 3)


def test_a_turned_crop_is_the_same_square_an_eighth_on() -> None:
    picture = np.zeros((200, 200, 3), np.uint8)
    picture[117:122, 117:122] = 255  # right below the middle of the box, 27 pixels away
    box, size = (70, 70, 60, 60), 84  # a crop of as many pixels as the picture has there
    straight = np.argwhere(cut_crop(picture, box, size)[..., 0] > 127).mean(axis=0) - 41.5
    turned = np.argwhere(cut_turned(picture, box, size)[..., 0] > 127).mean(axis=0) - 41.5
    assert straight == pytest.approx([19.5, 19.5], abs=1)
    assert sorted(np.abs(turned)) == pytest.approx([0, 27.6], abs=1)
    assert cut_turned(picture, (400, 300, 10, 10)).shape == (CROP_PX, CROP_PX, 3)


def test_the_finder_is_shown_whole_sixteenths() -> None:
    rng = np.random.default_rng(0)
    shown = to_input(rng.integers(0, 255, (50, 70, 3)).astype(np.uint8))
    assert shown.shape == (1, 3, 64, 80)
    assert shown[..., :50, :70].std() == pytest.approx(0.9, abs=0.1)


def test_a_sign_within_a_die_is_no_second_die() -> None:
    die, sign, neighbour = (
        Found((10, 10, 60, 60), 0.9),
        Found((25, 25, 28, 28), 0.6),
        Found((60, 15, 58, 60), 0.8),
    )
    assert distinct([die, neighbour, sign]) == (die, neighbour)


def test_small_digits_are_told_in_numbers() -> None:
    assert advice([("cannon", (0, 0, 33, 30))]) == (
        f"a digit is 8 px tall, I need {NEEDED_PX}: come closer, use the camera's full picture, "
        "or use a second camera over the tray"
    )
    assert advice([("cannon", (0, 0, 80, 80))]) is None
    assert advice([("d20", (0, 0, 80, 80))]) is not None, "its numbers are smaller"
    assert advice([]) is None


def test_dice_seen_from_the_side_are_told_with_those_too_small() -> None:
    small = SeenDie((0, 0, 33, 30), {Die("cannon", 3): 0.99})
    aside = SeenDie((0, 0, 200, 200), {Die("d20", 7): 0.5}, is_aslant=True)
    sure = replace(aside, faces={Die("d20", 7): 0.95})
    assert advice_on_picture([sure, replace(aside, is_aslant=False)], DARK) is None
    assert "a d20 too much from the side" in (advice_on_picture([sure, aside], DARK) or "")
    pale = replace(small, faces={Die("cannon", 3): 0.5})
    both = advice_on_picture([small, pale, aside], DARK) or ""
    assert "a digit is 8 px tall" in both
    assert "a d20 too much from the side" in both


@pytest.mark.parametrize(
    ("p", "size", "is_told"), [(0.5, 33, True), (0.5, 80, False), (1, 33, False)]
)
def test_a_tray_is_too_small_only_if_something_is_not_told(p, size, is_told) -> None:
    sure = DieReading({Die("cannon", 3): 0.99}, (50.0, 50.0), (0, 0, size, size))
    doubtful = DieReading({Die("cannon", 2): p}, (90.0, 50.0), (90, 0, size, size))
    assert (advice_on([sure, doubtful], DARK) is not None) is is_told


def test_a_tray_is_too_small_for_a_game_that_wants_to_be_surer() -> None:
    die = DieReading({Die("cannon", 2): 0.92}, (90.0, 50.0), (90, 0, 33, 33))
    assert advice_on([die], DARK) is None
    assert "a digit is 8 px tall" in (advice_on([die], DARK, SURE_DIE) or "")


@pytest.mark.parametrize(
    ("p", "brightest", "is_told"), [(0.5, 255, True), (0.5, 230, False), (0.99, 255, False)]
)
def test_a_die_whose_top_is_lost_in_the_light_is_told_so(p, brightest, is_told) -> None:
    """Its number is nowhere in the picture: no camera nearer by helps, another lamp does."""
    picture = DARK.copy()
    picture[20:120, 20:120] = brightest
    picture[20:120, 20:40] = 90  # another side, in the shade
    box = (20, 20, 100, 100)
    assert (
        WASHED_OUT in (advice_on([DieReading({Die("d20", 7): p}, (9.0, 9.0), box)], picture) or "")
    ) is is_told
    seen = SeenDie(box, {Die("d20", 7): p})
    assert (WASHED_OUT in (advice_on_picture([seen], picture) or "")) is is_told
    picture[45:95, 60:80] = 60  # ink
    assert not is_washed_out(picture, box)


@pytest.mark.parametrize("table", [20, 128, 250])
def test_the_contrast_on_a_die_is_the_same_on_any_table(table: int) -> None:
    crop = np.full((72, 72, 3), table, np.uint8)
    crop[12:60, 12:60] = 40
    crop[30:42, 30:42] = 60
    even = evened(crop, 0.5)
    assert even[36, 36, 0] - even[20, 20, 0] == pytest.approx(1.76, abs=0.01)
    assert np.abs(even).max() <= 4.0


def test_a_mirrored_lamp_has_no_colour_and_red_pips_have() -> None:
    """Red pips on a dark die are as dark as it: only their colour tells them from a reflection."""
    crop = np.full((48, 48, 3), 45, np.uint8)
    crop[18:22, 18:22] = (30, 30, 90)
    crop[26:30, 26:30] = 240
    seen = evened_apart(crop)
    assert seen.shape == (48, 48, 6)
    assert seen[28, 28, :3].min() > 3 * seen[20, 20, :3].max(), "by light the lamp is plainer"
    bare, lamp, pip = (seen[place][3:] for place in ((24, 15), (28, 28), (20, 20)))
    assert np.ptp(lamp - bare) == pytest.approx(0, abs=1e-5)
    assert np.ptp(pip - bare) > 2

"""`quarterdeck see dice` on rendered trays."""

from __future__ import annotations

import json
import os

import cv2
import pytest

from companion.cli import main, see_dice
from companion.errors import BadOptions
from vision.dice.kinds import parse_kinds
from vision.virtual.dice import DiePose

DICE = (DiePose("piecepack", 2, 60, 60, 15), DiePose("piecepack", 1, 150, 90, 200))


@pytest.fixture
def folder(tmp_path, tray):
    cv2.imwrite(str(tmp_path / "dice.png"), tray.picture(*DICE))
    (tmp_path / "bad.jpg").write_bytes(b"no picture")
    return tmp_path


def test_one_object_a_picture_and_on_after_a_bad_one(run, folder):
    words = ("see", "dice", "--json", "--expect", "piecepack,piecepack")
    bad, good = map(json.loads, run(*words, folder / "bad.jpg", folder / "dice.png", status=1))
    assert good["image"] == str(folder / "dice.png")
    assert good["reason"] is None
    assert [(d["kind"], d["face"], d["answered"]) for d in good["dice"]] == [
        ("piecepack", 2, True),
        ("piecepack", "ace", True),
    ]
    for die in good["dice"]:
        assert set(die) == {"kind", "face", "p", "box", "answered", "seems"}
        assert die["seems"] is None
        assert 0.9 <= die["p"] <= 1
        assert all(40 < v < 90 for v in die["box"][2:])
    assert bad["dice"] == []
    assert "damaged" in bad["reason"]


def test_a_picture_of_an_iphone_is_told_apart_from_a_damaged_one(run, tmp_path):
    (tmp_path / "dice.heic").write_bytes(b"\x00\x00\x00\x18ftypheic" + bytes(40))
    (told,) = map(json.loads, run("see", "dice", "--json", tmp_path / "dice.heic", status=1))
    assert "JPEG" in told["reason"]
    assert "damaged" not in told["reason"]


def test_in_words(run, folder):
    first, *dice = run("see", "dice", "--expect", "Piecepack", folder / "dice.png")
    assert first == f"{folder / 'dice.png'}: 2 dice"
    assert [line.split()[:2] for line in dice] == [["piecepack", "2"], ["piecepack", "ace"]]


def test_an_unknown_kind_is_refused_before_anything_is_read(run, folder):
    with pytest.raises(BadOptions, match="'d7'"):
        run("see", "dice", "--expect", "d7", folder / "dice.png")


@pytest.mark.parametrize("nothing", ["", ","])
def test_to_expect_nothing_is_refused(run, folder, nothing):
    with pytest.raises(BadOptions, match="leave it out for any"):
        run("see", "dice", "--expect", nothing, folder / "dice.png")


def test_what_is_expected_may_be_told_one_by_one(run, folder):
    words = ("see", "dice", "--json", "--expect", "piecepack", "--expect", "d20")
    (good,) = map(json.loads, run(*words, folder / "dice.png"))
    assert [(d["kind"], d["face"]) for d in good["dice"]] == [
        ("piecepack", 2),
        ("piecepack", "ace"),
    ]


@pytest.mark.parametrize("what", ["dice", "board", "tags"])
def test_a_picture_without_a_name_is_refused(capsys, what):
    assert main(["see", what, ""]) == 2
    assert "a picture is named by nothing at all, ''" in capsys.readouterr().err


def test_what_is_expected_is_called_as_people_call_it():
    assert parse_kinds("cannonball, d6 with digits,sail") == ("cannon", "d6_numeral", "sail")


def test_a_device_is_no_picture(run):
    (told,) = run("see", "dice", "/dev/null", status=1)
    assert told == "/dev/null: unreadable: '/dev/null' is no file: give a picture"


def test_a_folder_is_no_picture(run, folder):
    (told,) = run("see", "dice", folder, status=1)
    assert told == f"{folder}: unreadable: '{folder}' is a folder: give the pictures in it"


def test_a_name_that_is_no_text_is_told_and_its_picture_read(capsys, folder):
    name = os.fsdecode(os.fsencode(folder) + b"/bad\xffname.png")
    os.rename(folder / "dice.png", name)
    assert main(["see", "dice", "--expect", "piecepack", name]) == 0
    assert "bad\\udcffname.png: 2 dice" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("answered", "words"),
    [
        ([True, True], "2 dice"),
        ([True, False], "1 die, and 1 thing I am not sure of"),
        ([False, False], "0 dice, and 2 things I am not sure of"),
    ],
)
def test_things_that_may_be_none_are_not_counted_as_dice(answered, words):
    assert see_dice.counted([{"answered": each} for each in answered]) == words


@pytest.mark.parametrize("words", [["see", "dice", "missing.jpg"], ["ship"]])
def test_a_full_disk_is_said_in_plain_words(monkeypatch, capsys, words):
    """Whether each line is written at once, or all at the end."""
    with open("/dev/full", "w") as full:
        monkeypatch.setattr("sys.stdout", full)
        assert main(words) == 1
        assert full.closed, "else Python writes to it once more"
    assert "nothing more can be written: No space left" in capsys.readouterr().err

"""Ships, coins and prints are no dice; dice that lie between them are."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.accuracy_virtual import random_layout
from companion.boards.profile import load_profile
from vision.dice.finder import DieFinder, Found
from vision.dice.reading import DiceReader
from vision.frame import Image
from vision.virtual import Scene, VirtualTable
from vision.virtual.dice import DiePose, render_tray
from vision.virtual.light import LIGHTS


def board(name: str, seed: int, *dice: DiePose) -> Image:
    profile, rng = load_profile(name), np.random.default_rng(seed)
    scene = Scene.random(rng)
    table = VirtualTable(profile, scene, rng, lambda: 0.0)
    table.lay(random_layout(profile, rng))
    picture = table.frame().board
    return render_tray(picture, scene.board_lens(profile), LIGHTS[scene.light], dice)


@pytest.mark.parametrize("name", ["hex-ocean", "piecepack-sea", "piecepack-two-seas"])
@pytest.mark.parametrize("seed", [41, 42])
def test_ships_tiles_and_coins_are_no_dice(name, seed):
    seen = DiceReader().read(board(name, seed))
    assert not [die.best for die in seen if die.is_answered]
    assert len(seen) <= 8  # of some 30 things that lie there, and as many prints


@pytest.mark.parametrize("seed", [43, 44, 45])
def test_dice_beside_the_sea_are_told(seed):
    places = ((3, 130.0), (5, 230.0), (6, 330.0))
    lying = [DiePose("d6", face, x, 470.0, 20.0 * face) for face, x in places]
    seen = DiceReader().read(board("hex-ocean", seed, *lying), ("d6",))
    assert sorted(die.best[0].face for die in seen if die.is_answered) == [3, 5, 6]


def test_what_the_finder_doubts_is_asked_about(tray, monkeypatch):
    picture, reader = tray.picture(DiePose("d6", 4, 100, 80, 30)), DiceReader()
    (die,) = reader.read(picture, ("d6",))
    assert die.is_answered
    find = DieFinder.find

    def doubtful(*args):
        return tuple(Found(one.box, 0.3) for one in find(*args))

    monkeypatch.setattr(DieFinder, "find", doubtful)
    (doubted,) = (one for one in reader.read(picture, ("d6",)) if one.box == die.box)
    assert doubted.best[0] == die.best[0]
    assert not doubted.is_answered

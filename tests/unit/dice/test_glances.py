"""More looks at how a die lies, where the first leaves a doubt."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.dice.glances import MIRRORED_TOO, Glance, glanced

LEANS_DEG = np.array([[0.0, 3.0], [4.0, 0.0], [-6.0, 2.0]])
SAYS = np.array([[5.0, 0.0], [0.2, 0.0], [7.0, 1.0]])
"""Of each die at first; only of the second it is not plain."""


class Network:
    """Says the same of each die in every look, but of mirrored ones three more."""

    def __init__(self) -> None:
        self.looks: list[list[Glance]] = []

    def look(self, glances: Sequence[Glance]) -> np.ndarray:
        self.looks.append(list(glances))
        return np.array([SAYS[g.number] + [3.0 * g.is_mirrored, 0.0] for g in glances])


def is_doubtful(told: np.ndarray) -> np.ndarray:
    return told[:, 0] < 2


def test_what_is_plain_is_looked_at_once() -> None:
    network = Network()
    told = glanced(network.look, LEANS_DEG[[0, 2]], lambda told: told[:, 0] < 0, MIRRORED_TOO)
    assert len(network.looks) == 1
    assert told.tolist() == SAYS[[0, 1]].tolist()


def test_of_what_is_not_plain_the_mean_of_six_looks_counts() -> None:
    network = Network()
    told = glanced(network.look, LEANS_DEG, is_doubtful, MIRRORED_TOO)
    assert [one.number for one in network.looks[1]] == [1] * 5
    mirrored = sum(one.is_mirrored for one in network.looks[1])
    assert mirrored == 3
    more = np.array([[0.0, 0], [3.0 * mirrored / 6, 0], [0, 0]])
    assert np.allclose(told, SAYS + more)


def test_a_die_is_looked_at_again_as_if_seen_from_around_where_it_is_seen_from() -> None:
    network = Network()
    glanced(network.look, LEANS_DEG, is_doubtful, MIRRORED_TOO)
    off_deg = np.array([one.lean_deg - LEANS_DEG[1] for one in network.looks[1]])
    assert np.allclose(off_deg.mean(axis=0), 0)
    assert sorted(np.hypot(*off_deg.T).round(6)) == [0, 5, 5, 5, 5]


def test_a_mirrored_look_shows_left_for_right() -> None:
    crop = np.arange(12).reshape(2, 2, 3)
    assert Glance(0, LEANS_DEG[0], True).shown(crop).tolist() == crop[:, [1, 0]].tolist()
    assert Glance(0, LEANS_DEG[0], False).shown(crop) is crop

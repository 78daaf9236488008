"""The ring is dim when the table has settled and its picture is about to be read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
import pytest

from companion.boards.profile import load_profile
from companion.cli.play import open_ring_for
from companion.ledger.folder import open_store
from companion.service import Service
from companion.table.observation import Observation
from companion.table.referee import Referee
from hardware.shade import Shade
from vision.frame import Frame
from vision.virtual import Scene, VirtualTable


class Ring:
    is_dim = False

    @contextmanager
    def dark_enough(self) -> Iterator[None]:
        assert not self.is_dim
        self.is_dim = True
        yield
        self.is_dim = False


def test_it_is_dim_from_settling_until_a_little_after_the_reading() -> None:
    ring = Ring()
    shade = Shade(ring.dark_enough)
    shade.follow(False)
    assert not ring.is_dim
    shade.follow(True)
    assert ring.is_dim
    for _ in range(Shade.FRAMES - 1):
        shade.follow(False)
        assert ring.is_dim
    shade.follow(False)
    assert not ring.is_dim


def test_motion_that_the_dimming_itself_makes_does_not_end_it() -> None:
    ring = Ring()
    shade = Shade(ring.dark_enough)
    for settling in (True, False, True, True):
        shade.follow(settling)
        assert ring.is_dim
    shade.close()
    assert not ring.is_dim
    shade.follow(True)
    assert ring.is_dim, "as after trouble with the camera"


def test_where_nothing_can_be_read_it_shines_again_until_something_moves() -> None:
    ring = Ring()
    shade = Shade(ring.dark_enough)
    dim = []
    for _ in range(3 * Shade.MOST_FRAMES):
        shade.follow(True)
        dim.append(ring.is_dim)
    assert dim[0]
    assert sum(dim) == Shade.MOST_FRAMES + Shade.FRAMES - 1
    assert not ring.is_dim
    shade.follow(False)
    shade.follow(True)
    assert ring.is_dim
    shade.close()
    assert not ring.is_dim


class KeepingCamera:
    """Gives a picture that was exposed two readings ago, as picamera2 may."""

    def __init__(self, table: VirtualTable, ring: Ring) -> None:
        self._table, self._ring = table, ring
        self.bright: set[str] = set()
        """Pictures in the ring's full light."""
        self._kept = [self._expose(), self._expose()]

    def _expose(self) -> Frame:
        frame = self._table.frame()
        if not self._ring.is_dim:
            self.bright.add(frame.id)
        return frame

    def read(self) -> Frame:
        self._kept.append(self._expose())
        return self._kept.pop(0)

    def close(self) -> None:
        pass


class Sight:
    """A service that looks at a still table, and what it reads there."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read: list[str] = []
        self.ring = Ring()
        table = VirtualTable(load_profile("hex-ocean"), Scene(), np.random.default_rng(3))
        self.camera = KeepingCamera(table, self.ring)
        self.service = Service(open_store(folder), self.camera)
        referee = self.service.open("articles-of-war", ["Anne", "Bart"], {})
        table.lay(referee.game.layout(referee.state))

        def observe(_: Referee, seen: Observation, *__: object) -> None:
            self.read.append(seen.frame_id)

        monkeypatch.setattr(Referee, "observe", observe)


@pytest.fixture
def sight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sight]:
    made = Sight(tmp_path, monkeypatch)
    yield made
    made.service.close()


def test_no_picture_is_read_that_was_exposed_before_the_ring_was_dim(sight: Sight) -> None:
    """The first that was read of each rest had been exposed in the ring's full light."""
    sight.service.dim_with(sight.ring.dark_enough)
    for _ in range(12):
        sight.service.look()
    assert sight.read
    assert sight.camera.bright.isdisjoint(sight.read)


def test_where_there_are_no_lamps_no_picture_is_passed_over(sight: Sight) -> None:
    with ExitStack() as stack:
        open_ring_for(sight.service, "page", stack)
        for _ in range(3):
            sight.service.look()
    assert len(sight.read) == 1

"""The ring is dim when the table has settled and its picture is about to be read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hardware.shade import Shade


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

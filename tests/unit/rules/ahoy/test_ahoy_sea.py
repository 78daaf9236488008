"""Geometry: boards, winds, straits and harbours."""

import pytest

from companion.rules.ahoy_matey.fleets import nearest_anchors
from companion.rules.ahoy_matey.homeward import homeward_runs
from companion.rules.ahoy_matey.sea import (
    ANCHORS,
    EAST,
    HARBOURS,
    NORTH,
    SOUTH,
    WEST,
    WIND_NORTH_EAST,
    WIND_SOUTH_WEST,
    WINDS,
    is_harbour,
    is_strait,
    sea_of,
)

SEA = sea_of(1, False)
TWO = sea_of(2, False)


def rc(*pairs):
    """Turn the digest's (row, column) into squares."""
    return tuple((column, row) for row, column in pairs)


def course(start, way, sea=SEA):
    return sea.courses[rc(start)[0]][way]


def test_squares_of_the_sea():
    """AHM-5, AHM-6: 10 by 10 less two corner tiles and the island; both straits are one square."""
    afloat = [cell for cell in SEA.squares if not is_harbour(cell)]
    assert len(afloat) == 88 - 1
    for gone in rc((1, 9), (2, 10), (9, 1), (10, 2), (5, 5), (6, 6), (10, 10)):
        assert gone not in SEA.squares


def test_anchors():
    """AHM-7: the eight squares beside the island."""
    assert set(SEA.anchors) == set(
        rc((4, 5), (4, 6), (5, 7), (6, 7), (7, 6), (7, 5), (6, 4), (5, 4))
    )


def test_roaring_forties():
    """AHM-8: two diagonals of eight squares, each crossing two anchors and ending at the gaps."""
    a, b = WINDS
    assert {r + c for c, r in a} == {9}
    assert {r + c for c, r in b} == {13}
    assert len(SEA.winds) == 16
    assert set(a) & set(SEA.anchors) == set(rc((4, 5), (5, 4)))
    assert set(b) & set(SEA.anchors) == set(rc((6, 7), (7, 6)))
    assert {a[0], a[-1], b[0], b[-1]} == set(rc((1, 8), (8, 1), (3, 10), (10, 3)))


def test_strait_west():
    """T1, AHM-9: (1,3) west 4."""
    assert course((1, 3), WEST)[:4] == rc((1, 2), (1, 1), (10, 9), (10, 8))


def test_strait_north():
    """T2, AHM-9: (3,1) north 3."""
    assert course((3, 1), NORTH)[:3] == rc((2, 1), (1, 1), (9, 10))


def test_strait_east():
    """T3, AHM-9: (10,9) east 3."""
    assert course((10, 9), EAST)[:3] == rc((1, 1), (1, 2), (1, 3))


def test_strait_south():
    """T4, AHM-9: (8,10) south 4."""
    assert course((8, 10), SOUTH)[:4] == rc((9, 10), (1, 1), (2, 1), (3, 1))


@pytest.mark.parametrize("side", range(4))
def test_harbours_touch_their_wind_ends_only(side):
    """AHM-10, AHM-11, AHM-24: one square inland, entered and left in that line."""
    harbour = HARBOURS[side]
    ways = [way for way in range(6) if SEA.courses[harbour][way]]
    assert ways == [(side + 2) % 4]
    end = SEA.courses[harbour][ways[0]][0]
    assert end in {WINDS[0][0], WINDS[0][-1], WINDS[1][0], WINDS[1][-1]}
    into = [cell for cell, courses in SEA.courses.items() for c in courses if harbour in c[:1]]
    assert into == [end]


def test_nearest_anchors_share_out_the_island():
    """AHM-10: each harbour has two nearest anchors at distance 4, wind steps counted."""

    def steps(start):
        far, edge = {start: 0}, [start]
        for cell in edge:
            for courses in SEA.courses[cell]:
                for beside in courses[:1]:
                    if beside not in far:
                        far[beside] = far[cell] + 1
                        edge.append(beside)
        return far

    pairs = []
    for harbour in HARBOURS:
        far = steps(harbour)
        nearest = {cell for cell in SEA.anchors if far[cell] == min(far[a] for a in SEA.anchors)}
        assert nearest == set(nearest_anchors(harbour))
        assert {far[cell] for cell in nearest} == {4}
        pairs += nearest
    assert sorted(pairs) == sorted(SEA.anchors)
    assert sorted(pairs) == sorted(cell for side in ANCHORS for cell in side)


def test_wind_courses():
    """AHM-25: along the eight squares and no further; none off the wind."""
    assert course((2, 7), WIND_NORTH_EAST) == rc((1, 8))
    assert course((2, 7), WIND_SOUTH_WEST)[:3] == rc((3, 6), (4, 5), (5, 4))
    assert course((4, 6), WIND_NORTH_EAST) == ()


def test_storm_surge_links_the_winds():
    """AHM-V6: one loop of sixteen squares; a link is one step across the gap."""
    surge = sea_of(1, True)
    assert course((2, 7), WIND_NORTH_EAST, surge)[:3] == rc((1, 8), (3, 10), (4, 9))
    assert course((9, 4), WIND_SOUTH_WEST, surge)[:3] == rc((10, 3), (8, 1), (7, 2))
    start = cell = rc((1, 8))[0]
    loop, way = [], WIND_NORTH_EAST
    for _ in range(16):
        before, cell = cell, surge.courses[cell][way][0]
        loop.append(cell)
        # Past a link the way runs on, though it points to the other end of that wind.
        ahead = [w for w in (4, 5) if surge.courses[cell][w][0] != before]
        way = ahead[0]
    assert cell == start
    assert set(loop) == surge.winds


def test_two_boards_meet_in_the_straits():
    """AHM-V15: board 1's last corner and board 2's first are one square, and so back again."""
    assert len(TWO.squares) == 2 * len(SEA.squares)
    assert TWO.courses[(9, 10)][EAST][:2] == ((13, 1), (14, 1))
    assert TWO.courses[(13, 2)][NORTH][:2] == ((13, 1), (10, 9))
    assert TWO.courses[(21, 10)][EAST][:2] == ((1, 1), (2, 1))
    assert TWO.courses[(1, 2)][NORTH][:2] == ((1, 1), (22, 9))
    assert [cell for cell in sorted(TWO.squares) if is_strait(cell)] == [(1, 1), (13, 1)]


def test_names_of_squares():
    assert SEA.name((3, 6)) == "C6"
    assert SEA.name((8, 0)) == "the north harbour"
    assert SEA.name((1, 1)) == "the straits"
    assert TWO.name((15, 6)) == "O6"
    assert TWO.name((12, 8)) == "the west harbour of board 2"
    assert TWO.name((1, 1)) == "the outside straits"
    assert TWO.name((13, 1)) == "the inside straits"
    for sea in (SEA, TWO):
        assert len({sea.name(cell) for cell in sea.squares}) == len(sea.squares)


@pytest.mark.parametrize("boards", [1, 2])
@pytest.mark.parametrize("surge", [False, True])
def test_no_homeward_run_enters_another_harbour(boards, surge):
    """AHM-38: so a treasure in a harbour is one that has been delivered."""
    sea = sea_of(boards, surge)
    for home in [cell for cell in sea.squares if is_harbour(cell)]:
        ends = {
            sea.courses[cell][way][length - 1]
            for cell, ways in homeward_runs(sea, home).items()
            for way, lengths in enumerate(ways)
            for length in lengths
        }
        assert {cell for cell in ends if is_harbour(cell)} == {home}


@pytest.mark.parametrize("boards", [1, 2])
def test_there_is_a_way_home_from_everywhere(boards):
    """AHM-34: on an empty sea no treasure ship is ever stuck for good."""
    sea = sea_of(boards, False)
    for home in [cell for cell in sea.squares if is_harbour(cell)]:
        runs = homeward_runs(sea, home)
        reaching = {home}
        while True:
            more = {
                cell
                for cell, ways in runs.items()
                for way, lengths in enumerate(ways)
                if any(sea.courses[cell][way][n - 1] in reaching for n in lengths)
            }
            if more <= reaching:
                break
            reaching |= more
        stuck = {cell for cell in sea.squares - reaching if not is_harbour(cell)}
        assert not stuck

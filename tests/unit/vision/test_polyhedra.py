"""The solids that dice are, as they lie on a table."""

import numpy as np
import pytest

from vision.polyhedra import laid, normals, regular

COUNTS = (4, 6, 8, 10, 12, 20)


@pytest.mark.parametrize("count", COUNTS)
def test_all_sides_are_flat_and_as_far_from_the_middle(count: int) -> None:
    corners, sides = regular(count)
    assert len(sides) == count
    outward = normals(corners, sides)
    away = [corners[list(side)] @ n for side, n in zip(sides, outward, strict=True)]
    assert np.concatenate(away) == pytest.approx(float(away[0][0]))
    assert away[0][0] > 0


@pytest.mark.parametrize("count", COUNTS)
def test_what_is_laid_stands_on_one_side_and_is_one_high(count: int) -> None:
    corners, (_, sides) = laid(count), regular(count)
    heights = corners[:, 2]
    assert sorted(np.flatnonzero(heights < 1e-9)) == sorted(sides[0])
    assert heights.max() == pytest.approx(1)
    if count != 4:  # its corner is on top
        assert (heights > 1 - 1e-9).sum() == len(sides[0])
    turned, before = normals(corners, sides), normals(*regular(count))
    assert turned @ turned[0] == pytest.approx(before @ before[0]), "no mirror image"

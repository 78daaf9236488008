"""What the plots show is what was counted: everything is measured against their own axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import log10
from xml.etree import ElementTree

import pytest

from companion.audit.judging import DieAudit, audit
from companion.audit.plots import counts_plot, path_plot
from companion.audit.rolls import DieRoll, find_kind

Scale = Callable[[float], float]
HALF_A_UNIT = 0.06
"""Places are written with one digit behind the point."""


@pytest.fixture(scope="module")
def die() -> DieAudit:
    (found,) = audit([DieRoll(find_kind("d6"), 3)])
    return found


class Plot:
    """An SVG element, and what it is made of by class; all of it lies within its frame."""

    def __init__(self, text: str) -> None:
        self.root = ElementTree.fromstring(text)
        _, _, width, height = map(float, self.root.get("viewBox", "").split())
        for one in self.root:
            across = [place(one, name) for name in ("x", "x1", "x2") if one.get(name)]
            down = [place(one, name) for name in ("y", "y1", "y2") if one.get(name)]
            across += [place(one, "x") + place(one, "width")] * (one.tag == "rect")
            down += [place(one, "y") + place(one, "height")] * (one.tag == "rect")
            assert all(0 <= x <= width for x in across), one.attrib
            assert all(0 <= y <= height for y in down), one.attrib

    def all(self, kind: str) -> list[ElementTree.Element]:
        return [one for one in self.root if kind in one.get("class", "").split()]

    def texts(self, kind: str) -> list[str]:
        return [one.text or "" for one in self.all(kind)]

    def scale(self, value: Callable[[str], float]) -> Scale:
        """Return what tells the height of a value from two numbers of the axis and their lines."""
        axis = [value(text) for text in self.texts("axis")]
        lines = [place(line, "y1") for line in self.all("grid")]
        assert [place(line, "y2") for line in self.all("grid")] == lines, "lines are level"
        assert [place(text, "y") for text in self.all("axis")] == pytest.approx(
            [y + 3 for y in lines]
        ), "each number stands beside its line"
        per_value = (lines[-1] - lines[0]) / (axis[-1] - axis[0])
        return lambda number: lines[0] + (number - axis[0]) * per_value


def place(element: ElementTree.Element, name: str) -> float:
    return float(element.get(name, "nan"))


def spans(boxes: Sequence[ElementTree.Element]) -> list[float]:
    """Return top and bottom of each box."""
    return [y for box in boxes for y in (place(box, "y"), place(box, "y") + place(box, "height"))]


def middles(boxes: Sequence[ElementTree.Element]) -> list[float]:
    return [place(box, "x") + place(box, "width") / 2 for box in boxes]


def test_bars_and_bands_are_as_high_as_the_axis_says(die: DieAudit) -> None:
    counts, band = (9, 21, 3, 14, 40, 13), ((8, 27),) * 3 + ((6, 30),) * 3
    plot = Plot(counts_plot(replace(die, counts=counts, band=band)))
    height = plot.scale(float)
    tops = [y for count in counts for y in (height(count), height(0))]
    assert spans(plot.all("bar")) == pytest.approx(tops, abs=2 * HALF_A_UNIT)
    edges = [height(count) for least, most in band for count in (most, least)]
    assert spans(plot.all("band")) == pytest.approx(edges, abs=2 * HALF_A_UNIT)
    assert plot.texts("number") == list(map(str, counts))
    for count, text in zip(counts, plot.all("number"), strict=True):
        assert 0 < height(count) - place(text, "y") < 6, "a count stands upon its bar"


def test_a_bar_stands_in_its_band_above_its_face(die: DieAudit) -> None:
    plot = Plot(counts_plot(replace(die, counts=(9, 21, 3, 14, 40, 13), band=((8, 27),) * 6)))
    bars, bands = middles(plot.all("bar")), middles(plot.all("band"))
    assert bars == pytest.approx(bands, abs=2 * HALF_A_UNIT)
    for kind in ("face", "number"):
        places = [place(text, "x") for text in plot.all(kind)]
        assert places == pytest.approx(bars, abs=2 * HALF_A_UNIT)
    steps = {round(right - left) for left, right in pairwise(bands)}
    assert len(steps) == 1
    assert all(place(plot.all("grid")[0], "x1") <= place(box, "x") for box in plot.all("band"))
    gaps = [
        place(right, "x") - place(left, "x") - place(left, "width")
        for left, right in pairwise(plot.all("band"))
    ]
    assert min(gaps) > 0, "bands do not touch"
    assert {box.get("class") for box in plot.all("out")} == {"bar out", "face out"}
    assert [text.text for text in plot.all("face") if "out" in text.get("class", "")] == ["3", "5"]


def test_a_bar_high_above_all_bands_stays_in_the_picture(die: DieAudit) -> None:
    plot = Plot(counts_plot(replace(die, counts=(0, 90, 0, 0, 0, 0), band=((2, 30),) * 6)))
    assert plot.scale(float)(90) == pytest.approx(place(plot.all("bar")[1], "y"), abs=HALF_A_UNIT)


@pytest.mark.parametrize(
    ("most", "numbers"),
    [
        (0, "0 1"),
        (3, "0 1 2 3"),
        (7, "0 2 4 6"),
        (18, "0 5 10 15"),
        (37, "0 10 20 30"),
        (75, "0 20 40 60 80"),
        (160, "0 50 100 150"),
        (4000, "0 1000 2000 3000 4000"),
    ],
)
def test_the_axis_of_counts_has_a_few_round_numbers(die: DieAudit, most: int, numbers: str) -> None:
    one = replace(die, counts=(most,) * 6, band=((0, 0),) * 6)
    assert " ".join(Plot(counts_plot(one)).texts("axis")) == numbers


def level_of(text: str) -> float:
    """Return the power of ten that a number of the axis of evidence is."""
    if text.startswith("10") and not text.isascii():
        return float("".join(str("⁰¹²³⁴⁵⁶⁷⁸⁹".index(digit)) for digit in text[2:]))
    return -log10(float(text[2:])) if text.startswith("1/") else log10(float(text))


@pytest.mark.parametrize(
    ("levels", "numbers"),
    [
        ((0.0, 0.3, -0.4), "1/10 1 10 100"),
        ((0.0, -0.7, -1.6), "1/10 1 10 100"),
        ((0.0, -1.5, -7.0), "1/100 1/10 1 10 100"),
        ((0.0, 1.2, 2.4), "1/10 1 10 100 1000"),
        ((0.0, 2.0, 4.0), "1/10 1 10 100 1000 10⁴"),
        ((0.0, 5.0, 10.2), "1/10 100 10⁵ 10⁸ 10¹¹"),
    ],
)
def test_the_path_runs_where_the_axis_says(
    die: DieAudit, levels: tuple[float, ...], numbers: str
) -> None:
    path = tuple(zip((0, 30, 120), levels, strict=True))
    plot = Plot(path_plot(replace(die, path=path)))
    assert plot.texts("axis") == numbers.split()
    height = plot.scale(level_of)
    (line,) = plot.all("path")
    corners = [tuple(map(float, corner.split(","))) for corner in line.get("points", "").split()]
    left, right = (place(plot.all("grid")[0], name) for name in ("x1", "x2"))
    across = [left, left + (right - left) / 4, right]
    assert [x for x, _ in corners] == pytest.approx(across, abs=HALF_A_UNIT)
    shown = [height(max(level, -2)) for level in levels]
    assert [y for _, y in corners] == pytest.approx(shown, abs=2 * HALF_A_UNIT)
    (alarm,) = plot.all("alarm")
    assert [place(alarm, end) for end in ("y1", "y2")] == pytest.approx(
        [height(log10(20))] * 2, abs=2 * HALF_A_UNIT
    )
    assert [place(alarm, end) for end in ("x1", "x2")] == [left, right]
    (word,) = plot.all("alarm-word")
    assert word.text == "alarm at 20"
    assert 0 < place(alarm, "y1") - place(word, "y") < 6, "it stands upon its line"
    assert plot.texts("face") == ["0"]
    assert plot.texts("end") == ["120 rolls"]


def test_who_sees_no_plot_is_told_what_it_shows(die: DieAudit) -> None:
    one = replace(die, counts=(9, 21, 3, 14, 40, 13), band=((0, 50),) * 6)
    told = Plot(counts_plot(one)).root.get("aria-label")
    assert told == "How often each face came. 1: 9, 2: 21, 3: 3, 4: 14, 5: 40, 6: 13"
    for level, words in ((-1.0, "0.1 to 1"), (2.0, "100 to 1"), (6.3, "to the power of 6")):
        one = replace(die, path=((0, 0.0), (9, level)))
        assert words in (Plot(path_plot(one)).root.get("aria-label") or "")

"""The damage chart: what hits cross off, and what can be opened again (PWR-84 to PWR-89).

Whatever is crossed off lies above what is left, sails above sails and hulls above hulls, so a chart
is two numbers: hull factors and sail factors left.
"""

from __future__ import annotations

from typing import NamedTuple


class Chart(NamedTuple):
    """What is open on a ship's damage chart."""

    column: str
    """As printed, from the top: S and H (`ShipDesign.column`)."""
    hf: int
    sf: int

    @property
    def full_hf(self) -> int:
        """Hull factors of the whole ship."""
        return self.column.count("H")

    @property
    def most_sf(self) -> int:
        """Return how many sail factors can be open now (PWR-83, PWR-87)."""
        whole = len(self.column) - self.full_hf
        return whole if self.hf == self.full_hf else min(whole, self.hf)

    @property
    def rows(self) -> tuple[bool, ...]:
        """Say of each row from the top whether it is open."""
        left = {"S": self.sf, "H": self.hf}
        open_ = []
        for row in reversed(self.column):
            open_.append(left[row] > 0)
            left[row] -= 1
        return tuple(reversed(open_))


def struck(chart: Chart, what: str, count: int) -> tuple[Chart, int]:
    """Cross rows off for so many hits; return the chart and the rows lost, each a figure (PWR-88).

    ``"ball"`` takes the topmost open rows, ``"shot"`` and ``"sails"`` sail factors, ``"hull"`` hull
    factors (PWR-86). Sails beyond the hull go with it (PWR-87).

    >>> struck(Chart("SSHSHSHSH", 4, 5), "hull", 4)
    (Chart(column='SSHSHSHSH', hf=0, sf=0), 9)
    """
    lost = 0
    for _ in range(count):
        row = _aim(chart, what)
        if row == "S" and chart.sf:
            chart = chart._replace(sf=chart.sf - 1)
        elif row == "H" and chart.hf:
            chart = chart._replace(hf=chart.hf - 1)
        else:
            break
        lost += 1
        if chart.sf > chart.most_sf:
            lost += chart.sf - chart.most_sf
            chart = chart._replace(sf=chart.most_sf)
    return chart, lost


def _aim(chart: Chart, what: str) -> str:
    if what != "ball":
        return "H" if what == "hull" else "S"
    is_open = chart.rows
    return next((row for row, o in zip(chart.column, is_open, strict=True) if o), "H")


def reset(chart: Chart, sails: int) -> Chart:
    """Open so many sail factors again, from the lowest, as far as the hull allows (PWR-83)."""
    return chart._replace(sf=max(chart.sf, min(chart.sf + sails, chart.most_sf)))

"""What the questions of an open table take: our own polygons beside Shapely's.

``python -m benchmarks.plane_speed``. Shapely is asked twice: with its polygons made once (a table
where nothing moves), and made for the question (a ship that has just moved, as in play).
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from random import Random
from statistics import median
from time import perf_counter

from companion.rules.layout import Pose
from companion.rules.outlines import gap, hull, is_near, outline_at
from companion.rules.paths import crossing
from companion.rules.plane import Outline

PIECES = 16
QUESTIONS = 200
ROUNDS = 15
SHIP: Outline = ((-40, -10), (30, -10), (45, 0), (30, 10), (-40, 10))


def table(random: Random) -> tuple[list[Outline], list[tuple[Pose, Pose]]]:
    """Return the islands of a table and ships before and after a move."""
    islands = []
    for _ in range(PIECES):
        x, y = random.uniform(0, 1300), random.uniform(0, 900)
        corners = [(x + random.gauss(0, 40), y + random.gauss(0, 40)) for _ in range(14)]
        islands.append(hull(corners))
    moves = []
    for _ in range(QUESTIONS):
        before = Pose(random.uniform(0, 1300), random.uniform(0, 900), random.uniform(0, 360))
        after = Pose(
            before.x_mm + random.uniform(-90, 90),
            before.y_mm + random.uniform(-90, 90),
            random.uniform(0, 360),
        )
        moves.append((before, after))
    return islands, moves


def microseconds(
    ask: Callable[[tuple[Pose, Pose]], object], moves: list[tuple[Pose, Pose]]
) -> float:
    """Return what one question takes, the median of several rounds."""
    rounds = []
    for _ in range(ROUNDS):
        begun = perf_counter()
        for move in moves:
            ask(move)
        rounds.append((perf_counter() - begun) / len(moves) * 1e6)
    return median(rounds)


def main() -> None:
    """Print what each question takes."""
    islands, moves = table(Random(5))

    def gaps(move: tuple[Pose, Pose]) -> list[float]:
        ship = outline_at(move[1], SHIP)
        return [gap(ship, island) for island in islands]

    def touching(move: tuple[Pose, Pose]) -> list[float]:
        ship = outline_at(move[1], SHIP)
        return [gap(ship, island) for island in islands if is_near(ship, island, 6)]

    def lines(move: tuple[Pose, Pose]) -> list[object]:
        a, b = (move[0].x_mm, move[0].y_mm), (move[1].x_mm, move[1].y_mm)
        return [crossing(a, b, island) for island in islands]

    print(f"hull against {PIECES} islands, gaps: own {microseconds(gaps, moves):.0f} us")
    touched_us = microseconds(touching, moves)
    print(f"hull against {PIECES} islands, those it touches: own {touched_us:.0f} us")
    print(f"line against {PIECES} islands: own {microseconds(lines, moves):.0f} us")
    if find_spec("shapely") is None:
        print("(Shapely is not here: pip install shapely)")
        return
    from shapely import LineString, Polygon, prepare

    shores = [Polygon(island) for island in islands]
    for shore in shores:
        prepare(shore)

    def shapely_gaps(move: tuple[Pose, Pose]) -> list[float]:
        ship = Polygon(outline_at(move[1], SHIP))
        return [ship.distance(shore) for shore in shores]

    def shapely_lines(move: tuple[Pose, Pose]) -> list[object]:
        way = LineString([(move[0].x_mm, move[0].y_mm), (move[1].x_mm, move[1].y_mm)])
        return [shore.crosses(way) for shore in shores]

    def fresh_gaps(move: tuple[Pose, Pose]) -> list[float]:
        ship = Polygon(outline_at(move[1], SHIP))
        return [ship.distance(Polygon(island)) for island in islands]

    print(f"    Shapely, islands kept ready: {microseconds(shapely_gaps, moves):.0f} us")
    print(f"    Shapely, lines, islands kept ready: {microseconds(shapely_lines, moves):.0f} us")
    print(f"    Shapely, all made anew: {microseconds(fresh_gaps, moves):.0f} us")


if __name__ == "__main__":
    main()

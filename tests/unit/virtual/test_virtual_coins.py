"""Coins on the virtual table: stacks, wrecks, the treasure."""

import numpy as np
import pytest

from companion.boards.profile import BoardProfile, load_profile
from companion.rules.layout import Cell, CellContent, Layout, make_layout
from vision.frame import Image
from vision.printing.coins import COIN_MM, SUITS
from vision.virtual import Scene, VirtualTable
from vision.virtual.coins import COIN_HEIGHT_MM, CoinsOnBoard

SEA = load_profile("piecepack-sea")
TWO = load_profile("piecepack-two-seas")
CALM = Scene(noise=0.0)
NOTHING = Layout()


def a_table(profile: BoardProfile = SEA, seed: int = 1) -> VirtualTable:
    return VirtualTable(profile, CALM, np.random.default_rng(seed), lambda: 0.0)


def box(seed: int = 1, profile: BoardProfile = SEA) -> CoinsOnBoard:
    return CoinsOnBoard(profile, np.random.default_rng(seed))


def laid(cells: dict[Cell, CellContent], coins: CoinsOnBoard, was: Layout = NOTHING) -> Layout:
    now = make_layout(cells)
    coins.lay(was, now)
    return now


def cell_crop(picture: Image, cell: Cell, half_px: int = 30, profile: BoardProfile = SEA) -> Image:
    x, y = CALM.board_lens(profile).project(np.array([[*profile.cell_centre_mm(cell), 0]]))[0]
    x, y = round(x), round(y)
    return picture[y - half_px : y + half_px, x - half_px : x + half_px].astype(int)


def test_a_stack_of_three_is_three_coins_on_one_another() -> None:
    coins = box()
    laid({(8, 0): CellContent(("suns", "suns", "suns"))}, coins)
    pile = coins.coins[8, 0]
    assert [c.face for c in pile] == ["suns"] * 3
    assert [c.lift_mm for c in pile] == pytest.approx([0, COIN_HEIGHT_MM, 2 * COIN_HEIGHT_MM])
    assert all(np.hypot(c.x_mm - pile[0].x_mm, c.y_mm - pile[0].y_mm) < COIN_MM / 4 for c in pile)
    assert coins.ships[(8, 0), "suns"] == pile[-1]


def test_a_coin_lies_near_the_middle_at_any_turn() -> None:
    turns = set()
    for seed in range(30):
        coins = box(seed)
        laid({(3, 4): CellContent(("moons",))}, coins)
        (coin,) = coins.coins[3, 4]
        x, y = SEA.cell_centre_mm((3, 4))
        assert np.hypot(coin.x_mm - x, coin.y_mm - y) <= 4
        turns.add(int(coin.turn_deg // 90))
    assert turns == {0, 1, 2, 3}


def test_the_lower_coins_of_a_growing_stack_are_not_touched() -> None:
    coins = box()
    was = laid({(2, 2): CellContent(("arms",)), (4, 4): CellContent(("suns",))}, coins)
    (below,), still = coins.coins[2, 2], coins.coins[4, 4]
    cells = {(2, 2): CellContent(("arms", "arms")), (4, 4): CellContent(("suns",))}
    laid(cells, coins, was)
    assert coins.coins[2, 2][0] == below
    assert coins.coins[4, 4] == still


def test_a_wreck_is_a_turned_coin_under_whoever_stands_there() -> None:
    coins = box()
    was = laid({(7, 7): CellContent(("crowns",), "wreck")}, coins)
    wreck, captor = coins.coins[7, 7]
    assert wreck.face in ("2", "3", "4", "5")
    assert (captor.face, captor.lift_mm) == ("crowns", COIN_HEIGHT_MM)
    laid({(7, 7): CellContent((), "wreck")}, coins, was)
    assert coins.coins[7, 7] == (wreck,)


def test_the_treasure_stands_on_its_carrier_or_on_the_island() -> None:
    coins = box()
    was = laid({(5, 5): CellContent((), cargo="treasure")}, coins)
    assert coins.pawns[5, 5].lift_mm == 0
    laid({(4, 5): CellContent(("arms",), cargo="treasure")}, coins, was)
    (coin,) = coins.coins[4, 5]
    pawn = coins.pawns[4, 5]
    assert pawn.lift_mm == COIN_HEIGHT_MM
    assert np.hypot(pawn.x_mm - coin.x_mm, pawn.y_mm - coin.y_mm) < COIN_MM / 2
    assert (5, 5) not in coins.pawns


def test_two_packs_look_unlike() -> None:
    coins = box(profile=TWO)
    laid({(2, 2): CellContent(("suns",)), (4, 4): CellContent(("suns2",))}, coins)
    assert coins.coins[2, 2][0].look == "painted"
    assert coins.coins[4, 4][0].look == "rimmed"


@pytest.mark.parametrize("fleet", TWO.pieces.fleets)
def test_every_fleet_shows_its_paint(fleet: str) -> None:
    table = a_table(TWO)
    bare = cell_crop(table.frame().board, (2, 4), 20, TWO)
    table.lay(make_layout({(2, 4): CellContent((fleet,))}))
    seen = cell_crop(table.frame().board, (2, 4), 20, TWO)
    changed = seen[np.abs(seen - bare).max(axis=-1) > 12].astype(float)
    assert len(changed) > 300
    paint = np.array(SUITS[fleet.removesuffix("2")][::-1], float)
    dark = changed[changed.max(axis=1) < 90] if paint.max() < 60 else changed
    along = (dark @ paint) / (np.linalg.norm(dark, axis=1) * np.linalg.norm(paint) + 1e-9)
    assert (along > 0.96).sum() > 60


def test_a_pile_that_stays_keeps_its_pixels() -> None:
    table = a_table()
    first = make_layout({(2, 2): CellContent(("arms",)), (7, 8): CellContent(("suns", "suns"))})
    table.lay(first)
    before = table.frame().board
    table.lay(make_layout({(3, 3): CellContent(("arms",)), (7, 8): CellContent(("suns", "suns"))}))
    after = table.frame().board
    assert np.array_equal(cell_crop(before, (7, 8)), cell_crop(after, (7, 8)))
    assert not np.array_equal(cell_crop(before, (2, 2)), cell_crop(after, (2, 2)))


def test_a_long_board_fits_into_the_picture() -> None:
    lens = Scene(fill=0.88, tilt_deg=12, turn_deg=3).board_lens(TWO)
    inset = TWO.marker_inset_mm
    w, h = TWO.width_mm - inset, TWO.height_mm - inset
    corners = np.array([[-inset, -inset, 0], [w, -inset, 0], [w, h, 0], [-inset, h, 0]])
    pixels = lens.project(corners)
    assert (pixels > 0).all()
    assert (pixels < lens.size_px).all()

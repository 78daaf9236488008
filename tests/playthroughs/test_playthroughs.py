"""Golden playthroughs: whole games whose every shown state must stay as it was.

``python -m tests.playthroughs.test_playthroughs`` writes them anew; review the difference like
code. Early states are shown all, later ones every tenth; every action is listed.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from companion.rules.catalogue import GAMES, find_game
from tests.playthroughs.transcripts import (
    Play,
    check_playthrough,
    transcript,
    write_playthrough,
)
from tests.unit.rules.pirate_wars.landfall import ISLES, PEOPLE, SIEGE, landing, storming
from tests.unit.rules.pirate_wars.squadron import lively as fighting
from tests.unit.rules.pirates_csg.shipyard import lively as busy
from tests.unit.rules.privateer.voyage import lively

HERE = Path(__file__).parent


def voyage(players: tuple[str, ...], seed: int, options: Mapping[str, object]) -> Play:
    """Return a game of Privateer whose captains look for ports, merchants and each other.

    Quite at random a captain hardly ever meets a port.
    """
    return Play("privateer", players, seed, options, lively, shown_first=8, shown_every=40)


def trade(players: tuple[str, ...], seed: int, options: Mapping[str, object]) -> Play:
    """Return a game of Pirates CSG whose captains explore, deliver and fight where they can."""
    return Play("pirates-csg", players, seed, options, busy, shown_first=6, shown_every=60)


def war(players: tuple[str, ...], seed: int, options: Mapping[str, object]) -> Play:
    """Return a battle of PirateWars whose captains rather fire and board than post figures."""
    return Play("pirate-wars", players, seed, options, fighting, shown_first=8, shown_every=25)


PLAYS = {
    "articles-of-war-two": Play("articles-of-war", ("Ann", "Ben"), 4),
    "articles-of-war-four-small": Play(
        "articles-of-war", ("Ann", "Ben", "Cat", "Dan"), 5, {"radius": 4, "start_ring": 4}
    ),
    "articles-of-war-campaign": Play(
        "articles-of-war",
        ("Ann", "Ben", "Cat"),
        40,
        {"battles": 2, "desperation": True, "marque": True, "bank": 30},
    ),
    "articles-of-war-duel": Play(
        "articles-of-war", ("Ann", "Ben"), 25, {"duel": True, "gambits": "house"}
    ),
    "articles-of-war-weather": Play(
        "articles-of-war",
        ("Ann", "Ben", "Cat", "Dan"),
        52,
        {"wind": "W", "storm": True, "grudge": True},
    ),
    "articles-of-war-everything": Play(
        "articles-of-war",
        ("Ann", "Ben", "Cat", "Dan"),
        30,
        {
            "battles": 2,
            "desperation": True,
            "marque": True,
            "wind": "NE",
            "storm": True,
            "grudge": True,
            "gambits": "house",
        },
    ),
    "articles-of-war-six-strict": Play(
        "articles-of-war",
        ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay"),
        6,
        {"radius": 6, "destructive_moves": "forbidden-if-alternative", "tie_break": "last-afloat"},
    ),
    "ahoy-matey-two": Play("ahoy-matey", ("Ann", "Ben"), 4),
    "ahoy-matey-steves-choice": Play(
        "ahoy-matey",
        ("Ann", "Ben", "Cat"),
        23,
        {
            "hurricane": True,
            "shipwrecked": True,
            "strength_in_numbers": True,
            "ghost_fleet": True,
            "freak_squall": True,
            "buried_treasure": True,
            "cursed_treasure": True,
        },
    ),
    "ahoy-matey-parlay": Play(
        "ahoy-matey",
        ("Ann", "Ben", "Cat"),
        7,
        {"parlay": True, "second_pack": True, "turn_cap": 30},
    ),
    "ahoy-matey-dominion": Play(
        "ahoy-matey",
        ("Ann", "Ben"),
        13,
        {"dominion": True, "isla_diablo": True, "diablo_take_needs_move": False},
    ),
    "ahoy-matey-armada": Play(
        "ahoy-matey",
        ("Ann", "Ben"),
        28,
        {"armada": True, "storm_surge": True, "packed_to_the_rafters": True},
    ),
    "ahoy-matey-brethren": Play(
        "ahoy-matey",
        ("Ann", "Ben", "Cat", "Dan"),
        6,
        {"brethren": True, "flotilla": True, "delivery_ignores_reserve": True},
    ),
    "ahoy-matey-eight": Play(
        "ahoy-matey",
        ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal"),
        2,
        {"pieces_of_eight": True, "turn_cap": 40},
    ),
    "ahoy-matey-doubloons": Play("ahoy-matey", ("Ann", "Ben"), 4, {"doubloons": True}),
    "ahoy-matey-world": Play(
        "ahoy-matey",
        ("Ann", "Ben", "Cat", "Dan"),
        12,
        {"world_domination": True, "badly_drawn_map": True, "turn_cap": 60},
    ),
    "privateer-two": voyage(("Ann", "Ben"), 3, {}),
    "privateer-four": voyage(
        ("Ann", "Ben", "Cat", "Dan"), 11, {"replace_on_upgrade": True, "round_cap": 12}
    ),
    "privateer-six-rounds": voyage(
        ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay"),
        5,
        {"round_cap": 6, "battle_needs_move": True},
    ),
    "pirates-csg-two": trade(("Ann", "Ben"), 4, {"rounds": 14, "island_gold": 4}),
    "pirates-csg-terrain": trade(
        ("Ann", "Ben", "Cat"),
        12,
        {"rounds": 9, "fleets": "choose", "terrain": True, "treasures": 4, "island_gold": 2},
    ),
    "pirates-csg-built": trade(
        ("Ann", "Ben"),
        22,
        {
            "rounds": 10,
            "fleets": "build",
            "build_points": 80,
            "nations": "single",
            "upkeep_default": "debt",
            "islands": 3,
        },
    ),
    "pirate-wars-two": war(("Ann", "Ben"), 90, {}),
    "pirate-wars-fleets": war(
        ("Ann", "Ben"),
        9,
        {"ships_each": 3, "wind": "NW", "losses": "order", "sea_mm": [1100, 800]},
    ),
    "pirate-wars-isles": war(
        ("Ann", "Ben", "Cat"),
        85,
        {
            "rounds": 8,
            "tolerance_mm": 4,
            "terrain": [
                {"kind": "island", "x_mm": 650, "y_mm": 450, "across_dots": 14, "depth_dots": 0},
                {"kind": "reef", "x_mm": 300, "y_mm": 150, "across_dots": 20, "depth_dots": 4},
            ],
        },
    ),
    "pirate-wars-landing": Play(
        "pirate-wars",
        ("Ann", "Ben"),
        317,
        {
            "rounds": 8,
            "sea_mm": [1400, 1100],
            "losses": "order",
            "terrain": ISLES,
            "grounding": "full",
            "sail_types": True,
            "hauling": True,
            "launches": True,
            "natives": [PEOPLE],
            "alligators": True,
        },
        landing,
        shown_first=8,
        shown_every=25,
    ),
    "pirate-wars-siege": Play(
        "pirate-wars", ("Ann", "Ben"), 83, SIEGE, storming, shown_first=4, shown_every=40
    ),
}


def told(play: Play) -> Iterator[str]:
    return transcript(find_game(play.game), play)


def file_of(name: str) -> Path:
    return HERE / f"{name}.txt"


def lines_of(*games: str) -> list[str]:
    """Return the lines of the playthroughs of games as their files have them."""
    names = [name for name, play in PLAYS.items() if play.game in games]
    return [line for name in names for line in file_of(name).read_text("utf-8").splitlines()]


@pytest.mark.parametrize("name", PLAYS)
def test_playthrough_is_as_it_was(name):
    check_playthrough(file_of(name), told(PLAYS[name]))


def test_every_game_has_a_playthrough():
    assert {play.game for play in PLAYS.values()} == {game.info.id for game in GAMES}


def test_every_file_is_of_a_playthrough():
    assert {path.stem for path in HERE.glob("*.txt")} == set(PLAYS)


def test_the_playthroughs_show_every_part_of_the_game():
    lines = lines_of("articles-of-war")
    actions = " ".join(line for line in lines if line.startswith("> "))
    for words in ("boards", "hits", "off the map", "scuttle", "press", "third ship", "onto the"):
        assert words in actions
    happened = " ".join(line for line in lines if line.startswith("    "))
    basic = ("AOW-30", "AOW-41", "AOW-46", "AOW-52", "AOW-55", "AOW-57", "AOW-59")
    optional = ("AOW-64", "AOW-71", "AOW-77", "AOW-79", "AOW-80", "AOW-81", "AOW-83", "AOW-85")
    for rule in basic + optional:
        assert f"[{rule}]" in happened, rule


def test_the_playthroughs_show_every_variant_of_ahoy_matey():
    plays = [play for play in PLAYS.values() if play.game == "ahoy-matey"]
    options = {option.id for option in find_game("ahoy-matey").info.options}
    assert {name for play in plays for name in play.options} == options
    happened = " ".join(line for line in lines_of("ahoy-matey") if line.startswith("    "))
    basic = ("14", "16", "23", "30", "32", "38", "44", "45")
    variants = ("V2", "V3", "V8", "V9", "V10", "V13", "V15", "V16", "V17", "V19")
    for rule in basic + variants:
        assert f"[AHM-{rule}]" in happened, rule


def test_the_playthroughs_show_a_battle_of_pirate_wars():
    lines = lines_of("pirate-wars")
    happened = " ".join(line for line in lines if line.startswith("    "))
    moves = (34, 38, 49, 51, 55, 140)
    fire = (17, 69, 70, 71, 74, 75, 78, 81, 83, 86, 88)
    fights = (52, 59, 60, 61, 64, 65, 66, 90, 91, 93, 95, 96)
    ashore = (107, 135, 136, 137)
    siege = (119, 120, 122)
    for rule in moves + fire + fights + ashore + siege:
        assert f"[PWR-{rule}]" in happened, rule
    done = " ".join(line for line in lines if line.startswith("> "))
    for words in ("lowers a launch", "go ashore from", "cross from", "hauls"):
        assert words in done
    assert "climbs the wall of the fortress 1" in done
    for place in (
        "in the yard",
        "on the wall",
        "on floor 1 of the tower",
        "on floor 2 of the tower",
    ):
        assert f"goes into the fortress 1, {place}" in done


def test_the_playthroughs_show_every_part_of_privateer():
    lines = lines_of("privateer")
    actions = " ".join(line for line in lines if line.startswith("> "))
    for words in ("buy", "sell", "upgrade", "plunder the merchant", "take", "offer", "go to"):
        assert words in actions, words
    happened = " ".join(line for line in lines if line.startswith("    "))
    for number in (10, 11, 13, 16, 21, 25, 35, 41, 42, 44, 48, 52, 54, 57, 62, 63, 65, 68):
        assert f"[PRV-{number}]" in happened, number


def test_nobody_else_is_shown_a_purse():
    """PRV-7: the onlooker's view has no silver; the first captain's has the own one only."""
    for line in lines_of("privateer"):
        if line.startswith("view None"):
            assert "silver'" not in line
            assert "purse" not in line
        if line.startswith("view 0"):
            assert line.count("'purse'") == 1


if __name__ == "__main__":
    for name, play in PLAYS.items():
        write_playthrough(file_of(name), told(play))

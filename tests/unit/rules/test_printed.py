"""What is printed on the cards and ships that may be taken: who plays with ours holds none."""

from __future__ import annotations

import pytest

from companion.rules.catalogue import find_game
from companion.rules.game import Decision
from companion.rules.pirates_csg.harbour_actions import BuyShip, Hire
from companion.rules.pirates_csg.state import paid
from companion.rules.pirates_csg.upgrades import all_upgrades
from companion.table.offering import offers_of
from tests.unit.rules.pirates_csg.shipyard import TAG, start, under_way


@pytest.mark.parametrize(
    ("game", "options", "words", "printed"),
    [
        (
            "pirates-csg",
            {"fleets": "build"},
            "buy Cormorant",
            "American, 2 masts, 5 cargo spaces, moves S+S, cannons 3L and 3S.",
        ),
        ("pirates-csg", {"fleets": "choose"}, "Home Squadron", "Tern (1 mast, English Explorer)."),
        ("pirate-wars", {}, "Renegade", "Pirates, hull 3, speed 48, 1 cannon, crew 11"),
        ("privateer", {}, "keep Mary Read", "Begins with Cannons 2. Served two armies"),
        ("articles-of-war", {}, "", ""),
    ],
)
def test_an_offer_says_what_is_printed(
    game: str, options: dict[str, object], words: str, printed: str
) -> None:
    rules = find_game(game)
    state = rules.setup(("Ann", "Ben"), options)
    asked = rules.pending(state)
    player = asked.player if isinstance(asked, Decision) else -1
    offers = offers_of(rules, state, rules.legal_actions(state, player))
    assert printed in next(offer for offer in offers if words in offer.text).printed


def test_crew_of_another_nation_is_said_to_be_of_no_use() -> None:
    """CSG-4: the price was all that told them apart."""
    cruise = start(fleets="build").act(BuyShip, "steadfast", 100)
    said = {
        crew: cruise.game.printed(cruise.state, Hire(cruise.player, TAG["steadfast"], crew))
        for crew in ("english-captain", "french-captain")
    }
    assert said["english-captain"] == "English. Moves and shoots with one action."
    assert "Of no use on this ship" in said["french-captain"]


def test_crew_that_serves_comes_first_and_ships_by_their_names() -> None:
    """Of 62 one could hire the ten of use stood among the rest, by what the file calls them."""
    cruise = start(fleets="build").act(BuyShip, "steadfast", 100)
    offers = offers_of(cruise.game, cruise.state, cruise.legal())
    hires = [offer.printed for offer in offers if offer.action["type"] == "hire"]
    useless = ["no use" in printed for printed in hires]
    assert useless == [False] * 10 + [True] * (len(hires) - 10)
    nations = [printed.split(".")[0] for printed in hires[10:]]
    assert nations == sorted(nations)
    names = [o.text.split("buy ")[1] for o in offers if o.action["type"] == "buy_ship"]
    assert names == sorted(names)


def test_what_a_ship_does_comes_before_the_crew_she_may_hire() -> None:
    """To move a ship that lay at home one had to leave a list of 62 first."""
    cruise = under_way()
    offers = offers_of(cruise.game, cruise.state, cruise.legal())
    kinds = list(dict.fromkeys(offer.action["type"] for offer in offers))
    assert kinds[0] == "move"
    assert kinds[-3:] == ["buy_ship", "hire", "end_turn"]


def test_what_an_upgrade_costs_and_is_good_for() -> None:
    """CSG-60: a captain without the cards could not know either."""
    cruise = under_way()
    state = paid(cruise.state, 0, 20)
    offers = offers_of(cruise.game, state, cruise.game.legal_actions(state, cruise.player))
    said = {o.action["upgrade"]: o for o in offers if o.action["type"] == "buy_upgrade"}
    assert set(said) == set(all_upgrades(state))
    assert said["settlement"].text.endswith(", 10 gold")
    assert "nobody else loads there" in said["settlement"].printed
    walls = said["fort:old-walls"]
    assert walls.text.endswith("buy the token of Old Walls for Tern, 5 gold")
    assert walls.printed == "Mercenary fort, cannons 2S, 2S, 2L, 3S and 3S."

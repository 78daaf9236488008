"""The house deck, and decks of one's own: PRV-69 to PRV-76."""

import re
import subprocess
import sys
from dataclasses import fields
from itertools import chain
from pathlib import Path

import pytest

from companion.boards.profile import load_profile
from companion.cards.files import builtin_text, line_of, read_cards
from companion.errors import BadOptions, CardError
from companion.rules.privateer.deck_reading import read_deck
from companion.rules.privateer.effect_reading import read_effect, write_effect
from companion.rules.privateer.effects import (
    CANNONS,
    CARD_EFFECTS,
    HOLD,
    SAILS,
    CrewTest,
    Effect,
    Skip,
    Wind,
)
from companion.rules.privateer.options import house_deck
from companion.rules.squares import distance
from tests.unit.rules.privateer.voyage import GAME, HOUSE, NAMES, P, house

DECK = house_deck()
TEXT = builtin_text("privateer-house")
PORTS = [port.id for port in DECK.ports]


def effects_of(effects):
    """Yield effects and those inside crew tests."""
    for effect in effects:
        yield effect
        if isinstance(effect, CrewTest):
            yield from effects_of((*effect.success, *effect.fail))


def test_tracks_are_long_enough_to_win():
    """PRV-69: five steps each give 28 Infamy, more than the 20 that win."""
    assert DECK.lengths == (5, 5, 5, 5)
    assert sum(length + 2 for length in DECK.lengths) == 28


def test_cannons_reach_six():
    """PRV-70: rank 5 and a relic, so that a combat total of 12 can be rolled."""
    best = max(card.bonus[CANNONS] for card in DECK.bounty)
    assert DECK.tracks[CANNONS].values == (0, 1, 2, 3, 4, 5)
    assert DECK.tracks[CANNONS].values[-1] + best + 6 == 12


def test_sails_and_hold_by_step():
    """PRV-71, PRV-72."""
    assert DECK.tracks[SAILS].values == (2, 3, 4, 5, 6, 7)
    assert DECK.tracks[HOLD].values == (3, 4, 6, 8, 10, 12)


def test_prices_rise():
    """PRV-73: the first step can be paid with the first silver."""
    assert {track.prices for track in DECK.tracks} == {(3, 5, 8, 12, 17)}
    assert DECK.start_silver == 10


def test_the_sea():
    """PRV-74: 16 by 12, six ports, ten merchants well away from any; corners are land."""
    assert (DECK.sea.width, DECK.sea.height) == (16, 12)
    assert len(DECK.sea.merchants) == 10
    for merchant in DECK.sea.merchants:
        assert all(distance(merchant, port.cell) >= 3 for port in DECK.ports)
    assert DECK.sea.land == {(0, 0), (15, 0), (0, 11), (15, 11)}
    cells = {port.title: port.cell for port in DECK.ports}
    assert cells["Havana"][0] < cells["Tortuga"][0] < cells["San Juan"][0]
    assert cells["Catalina"][1] < cells["Cartagena"][1] == cells["Caracas"][1]


def test_the_printed_board_is_this_sea():
    """PRV-74, PRV-13: the profile that comes with Quarterdeck has the same squares and ports."""
    board = load_profile(GAME.info.profile)
    assert {*board.cells} == DECK.sea.cells
    printed = {mark.paint: mark.cell for mark in board.marks if mark.kind == "port"}
    assert printed == {port.colour: port.cell for port in DECK.ports}


def test_port_cards():
    """PRV-75: two goods at 2 to 4, the other four bought at 5 to 9."""
    for card in DECK.port_cards:
        sells = [price for price in card.sells if price is not None]
        buys = [price for price in card.buys if price is not None]
        assert (len(sells), len(buys)) == (2, 4)
        assert {*sells} <= {2, 3, 4}
        assert {*buys} <= {5, 6, 7, 8, 9}
        overlap = [s for s, b in zip(card.sells, card.buys, strict=True) if s and b]
        assert not overlap
    for good in range(6):
        assert sum(card.sells[good] is not None for card in DECK.port_cards) == 6


def test_the_house_deck_is_complete_and_ours():
    """PRV-76: 12 captains of two steps, 18 port cards, 8 relics of 0 to 2 Infamy, 16 fortunes."""
    assert len(DECK.captains) == 12
    assert all(sum(captain.steps) == 2 for captain in DECK.captains)
    assert len(DECK.port_cards) == 18
    relics = [card for card in DECK.bounty if card.is_relic]
    fortunes = [card for card in DECK.bounty if not card.is_relic]
    assert (len(relics), len(fortunes)) == (8, 16)
    assert {card.infamy for card in relics} <= {0, 1, 2}
    winds = [card for card in fortunes if any(isinstance(e, Wind) for e in card.draw)]
    assert len(winds) == 6
    assert "Quarterdeck's own" in DECK.notice
    assert "Nothing here is the" in TEXT


def test_the_house_deck_uses_every_word():
    """PRV-64: the language and the deck show each other."""
    used = chain.from_iterable(effects_of((*card.draw, *card.turn)) for card in DECK.bounty)
    assert {type(effect) for effect in used} == set(CARD_EFFECTS)


def test_cards_that_skip_the_sailing_say_that_the_turn_ends():
    """PRV-24, PRV-39: whoever stays would have to fight otherwise."""
    for card in DECK.bounty:
        skips = any(isinstance(effect, Skip) for effect in effects_of((*card.draw, *card.turn)))
        assert ("your turn ends" in card.text) == skips, card.id


@pytest.mark.parametrize("card", DECK.bounty, ids=lambda card: card.id)
def test_effects_are_written_as_they_are_read(card):
    """PRV-64."""
    for effect in (*card.draw, *card.turn):
        assert read_effect(write_effect(effect), "it", PORTS) == effect
        assert isinstance(effect, Effect)


def test_a_deck_of_ones_own():
    """PRV-76: the content of a card file as an option; the record carries it."""
    mine = house(lambda d: d.update(id="mine", start_silver=25))
    state = GAME.setup(NAMES[:2], {"deck": mine})
    assert state.deck.start_silver == 25
    assert state.deck != DECK
    assert GAME.from_json(GAME.to_json(state)) == state
    with pytest.raises(BadOptions, match="the deck cannot be played: start_silver") as caught:
        GAME.setup(NAMES[:2], {"deck": house(lambda d: d.update(start_silver="ten"))})
    assert caught.value.option == "deck"
    with pytest.raises(BadOptions, match="'house' or the content"):
        GAME.setup(NAMES[:2], {"deck": 7})
    with pytest.raises(BadOptions, match=r"0 \(no limit\) to 1000 rounds, a whole"):
        GAME.setup(NAMES[:2], {"round_cap": -1})


def test_the_house_deck_is_read_once():
    """PRV-76."""
    assert GAME.setup(NAMES[:2], {}).deck is DECK
    assert read_cards(TEXT, read_deck) == DECK


FAULTS = {
    "a price that is no number": (
        "sells = { rum = 3, paprika = 3 }",
        'sells = { rum = "3", paprika = 3 }',
        "port_card[0].sells.rum",
        "whole number from 1 to 99",
    ),
    "a port that buys what it sells": (
        "buys = { cinnamon = 6, tobacco = 6, sugar = 6, fruit = 6 }",
        "buys = { rum = 6 }",
        "port_card[0].buys",
        "never buys what it sells: rum",
    ),
    "a misspelt effect": (
        '{ do = "wind", to = "S" }',
        '{ do = "winds", to = "S" }',
        "bounty[8].draw[0].do",
        "did you mean 'wind'?",
    ),
    "an effect that lacks something": (
        '{ do = "wind", to = "S" }',
        '{ do = "wind" }',
        "bounty[8].draw[0]",
        "lacks 'to'",
    ),
    "an effect with too much": (
        '{ do = "wind", to = "S" }',
        '{ do = "wind", to = "S", tow = 1 }',
        "bounty[8].draw[0].tow",
        "did you mean 'to'?",
    ),
    "a wind there is not": (
        '{ do = "wind", to = "S" }',
        '{ do = "wind", to = "NE" }',
        "bounty[8].draw[0].to",
        "not known here",
    ),
    "an effect without do": ('{ do = "wind", to = "S" }', "{}", "bounty[8].draw[0]", "do ="),
    "an amount of 0": (
        "amount = 1, good",
        "amount = 0, good",
        "bounty[12].draw[1].amount",
        "leave it out",
    ),
    "a fortune with Infamy": (
        'text = "The wind turns to the south, cold and steady."',
        'text = "Cold."\ninfamy = 1',
        "bounty[8].infamy",
        "only a relic",
    ),
    "a missing key": (
        'kind = "fortune"\ntext = "The wind turns to the south',
        'text = "x',
        "bounty[8]",
        "'kind'",
    ),
    "an unknown key": (
        "steps = { crew = 1, cannons = 1 }",
        "steps = { crow = 1 }",
        "captain[0].steps.crow",
        "'crew'",
    ),
    "too many steps": (
        "steps = { cannons = 2 }",
        "steps = { cannons = 9 }",
        "captain[1].steps",
        "not so long",
    ),
    "two cards of one id": ('id = "mary-read"', 'id = "anne-bonny"', "captain[1].id", "two cards"),
    "a port on land": ("cell = [0, 6]", "cell = [0, 0]", "port[0].cell", "is land"),
    "a port off the sea": ("cell = [0, 6]", "cell = [0, 60]", "port[0].cell", "from 0 to 39"),
    "a merchant off the sea": ("[8, 10],", "[8, 12],", "sea.merchants[9]", "square [column, row]"),
    "a merchant twice": ("[8, 10],", "[7, 1],", "sea.merchants", "twice"),
    "a face twice": ("face = 1", "face = 0", "port[1].face", "its own face"),
    "a worse step": (
        "values = [3, 4, 6, 8, 10, 12]",
        "values = [3, 4, 6, 8, 10, 2]",
        "ship.hold.values",
        "worse",
    ),
    "a step too few": (
        "values = [3, 4, 6, 8, 10, 12]",
        "values = [3, 4, 6, 8, 10]",
        "ship.hold",
        "one value more",
    ),
    "an empty title": ('title = "House deck"', 'title = ""', "title", "must be a text"),
    "no list": (
        "land = [[0, 0], [15, 0], [0, 11], [15, 11]]",
        "land = 3",
        "sea.land",
        "list of squares",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_shown_by_key_and_line(name):
    """PRV-64, PRV-76: and what would have been right."""
    old, new, path, reason = FAULTS[name]
    assert old in TEXT
    spoilt = TEXT.replace(old, new, 1)
    with pytest.raises(CardError) as caught:
        read_cards(spoilt, read_deck)
    error = caught.value
    assert error.path == path
    assert reason in error.reason
    at = TEXT[: TEXT.index(old)].count("\n") + 1
    span = old.count("\n") + 6
    assert at - span <= error.line <= at + span, (error.line, at)
    assert str(error).startswith(f"line {error.line}: {path}")


def test_lines_are_exact_where_the_key_is_known():
    """PRV-76."""
    lines = TEXT.splitlines()
    for path, text in {
        "start_silver": "start_silver = 10",
        "ship.crew.prices": "crew = {",
        "port[3].cell": "cell = [12, 0]",
        "port_card[1].sells.rum": "sells = { cinnamon = 4",
        "bounty[11].draw[0].amount": 'draw = [{ do = "wind", to = "E" }',
    }.items():
        assert lines[line_of(TEXT, path) - 1].startswith(text), path
    assert line_of(TEXT, "captain[99].id") == 0 or lines[line_of(TEXT, "captain[99].id") - 1]
    assert line_of(TEXT, "") == 0


def test_what_is_no_toml():
    """PRV-76."""
    with pytest.raises(CardError, match=r"line 2: this is no TOML") as caught:
        read_cards('id = "x"\ntitle = \n', read_deck)
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda d: d.update(port=d["port"][:5]), "port"),
        (lambda d: d.update(captain=d["captain"][:11]), "captain"),
        (lambda d: d.update(port_card=d["port_card"][:5]), "port_card"),
        (lambda d: d.update(bounty=[]), "bounty"),
        (lambda d: d["port"][0].update(id="roll"), "port[0].id"),
        (lambda d: d["bounty"][0].update(title="The Paper Crown of Tortuga"), ""),
        (lambda d: d["sea"].update(land=[[0, 5], [1, 6], [0, 7]]), "port[1].cell"),
        (lambda d: d["bounty"][0].update(turn={}), "bounty[0].turn"),
        (lambda d: d["bounty"][0].update(turn=["fight"]), "bounty[0].turn[0]"),
        (lambda d: d.update(sea=[]), "sea"),
        (lambda d: d["port"][1].update(title="Catalina"), "port[1].title"),
        (lambda d: d.update(bounty=[c for c in d["bounty"] if c["kind"] == "relic"]), "bounty"),
        (lambda d: (short_tracks(d, 2), no_relics(d)), "ship"),
    ],
)
def test_decks_that_cannot_be_played(change, path):
    """PRV-76: too few cards, ports out of reach, words that mean something else.

    PRV-64: a turn always draws a card. PRV-69: somebody can win.
    """
    with pytest.raises(CardError) as caught:
        read_deck(house(change))
    assert caught.value.path == path


def short_tracks(data, steps):
    for track in data["ship"].values():
        track.update(prices=track["prices"][:steps], values=track["values"][: steps + 1])


def no_relics(data):
    data["bounty"] = [card for card in data["bounty"] if card["kind"] == "fortune"]


def test_short_tracks_that_can_still_win():
    """PRV-69: three steps each give 20; with two, 16, it is up to the relics."""
    assert read_deck(house(lambda d: (short_tracks(d, 3), no_relics(d)))).lengths == (3,) * 4
    assert read_deck(house(lambda d: short_tracks(d, 2))).lengths == (2,) * 4
    with pytest.raises(CardError, match="the tracks give 16 Infamy at most, the relics 0"):
        read_deck(house(lambda d: (short_tracks(d, 2), no_relics(d))))


def test_blanks_around_a_text_mean_nothing():
    """PRV-76: what is said of a card is found again by its words."""
    mine = house(lambda d: d["captain"][0].update(title=" Anne Bonny "))
    state = GAME.setup(NAMES[:2], {"deck": mine})
    for action in GAME.legal_actions(state, P[0]):
        assert GAME.parse(state, GAME.describe(state, action)) == action


PAGE = (Path(__file__).parents[4] / "docs" / "cards.md").read_text("utf-8")


def test_the_page_of_card_files_names_everything():
    """PRV-64, PRV-76: every effect with its keys, every key of the file."""
    rows = {row.split("`")[1]: row for row in PAGE.splitlines() if row.startswith("| `")}
    for kind in CARD_EFFECTS:
        assert all(f"`{f.name}`" in rows[kind.do] for f in fields(kind)), kind.do
    for key in HOUSE:
        assert f"`{key}`" in PAGE or f"[{key}]" in PAGE, key
    for part in ("sea", "port", "captain", "port_card", "bounty"):
        first = HOUSE[part] if part == "sea" else HOUSE[part][0]
        assert all(f"`{key}`" in PAGE for key in first), part


def test_the_examples_of_the_page_can_be_played():
    """PRV-64, PRV-76."""
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    deck = read_cards(f"{TEXT}\n{example}", read_deck)
    assert len(deck.bounty) == len(DECK.bounty) + 2
    said = re.search(r"^    (line \d+: .*)$", PAGE, re.MULTILINE)[1]
    with pytest.raises(CardError) as caught:
        read_cards(
            TEXT.replace("{ rum = 3, paprika = 3 }", '{ rum = "3", paprika = 3 }'), read_deck
        )
    assert str(caught.value) == said


def test_the_rules_and_their_deck_bring_no_chance_along():
    """PRV-76: loading the game and its house deck imports neither devices nor `random`."""
    probe = (
        "import sys, companion.rules.privateer.rules, companion.rules.privateer.options as o;"
        "o.house_deck();"
        "assert not {'random', 'numpy', 'cv2', 'flask', 'sqlite3'} & set(sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr

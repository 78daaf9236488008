"""What leaves no trace on the table: passing is implied by playing on, the rest is told."""

from __future__ import annotations

import pytest

from companion.errors import IllegalAction, NotYourTurn
from companion.rules.game import Happening, Outcome, PlayerId
from companion.rules.layout import Die
from companion.table.commands import Act, PressTurn
from companion.table.scoreboard import consequence_text, outcome_text
from tests.table.toy import Move, TrickRace, kinds, open_race

GAME = TrickRace()
ANN, BOB = PlayerId(0), PlayerId(1)


def test_a_throw_says_that_the_trick_was_not_played() -> None:
    referee, hands = open_race(GAME)
    hands.throw([Die("coin", 2)])
    referee.observe(hands.look())
    assert kinds(referee) == ["pass", "throw"]
    assert referee.snapshot().question is None


def test_a_trick_is_told_and_then_counts() -> None:
    referee, hands = open_race(GAME)
    referee.command(Act(Move(ANN, "double", 0), seat=0))
    hands.throw([Die("coin", 2)])
    referee.observe(hands.look())
    assert kinds(referee) == ["double", "throw"]
    referee.command(Act(Move(ANN, "run", 2), seat=0))
    assert referee.state.places[0] == 1


def test_the_button_passes() -> None:
    referee, _ = open_race(GAME)
    referee.command(PressTurn(0))
    assert kinds(referee) == ["pass"]


def test_what_is_told_of_a_later_moment_passes_up_to_it() -> None:
    referee, _ = open_race(GAME)
    referee.command(Act(Move(PlayerId(-1), "throw", 1), seat=0))
    assert kinds(referee) == ["pass", "throw"]
    with pytest.raises(IllegalAction):
        referee.command(Act(Move(ANN, "run", 2), seat=0))
    assert kinds(referee) == ["pass", "throw"]


def test_only_the_host_makes_somebody_walk_the_plank() -> None:
    referee, _ = open_race(GAME)
    referee.command(Act(Move(PlayerId(-1), "throw", 2)))
    referee.command(Act(Move(ANN, "run", 2)))
    offers = referee.snapshot().asides
    assert [offer.action["player"] for offer in offers] == [ANN, BOB]
    plank = Move(ANN, "plank", 0)
    with pytest.raises(NotYourTurn, match="whole table"):
        referee.command(Act(plank, seat=1))
    referee.command(Act(plank))
    entry = referee.snapshot().log[-1]
    assert (entry.source, entry.seat, entry.house_ruling) == ("phone", ANN, True)
    assert referee.state.places == (-3, -3)


def test_the_table_shows_the_weather() -> None:
    referee, _ = open_race(GAME)
    shown = referee.snapshot()
    assert (shown.weather.wind_from_deg, shown.weather.storm_ring) == (270.0, 4)
    assert shown.to_json()["weather"]["text"] == "A west wind."


COIN = ("doubloon", "doubloons")


def test_coins_that_all_get_are_said_once() -> None:
    both = Happening("Each takes their pay", "X-1", ((ANN, 2), (BOB, 2)))
    assert consequence_text(both, COIN) == "+2 doubloons each: Each takes their pay (X-1)"
    other = Happening("Ann pays Bob", "X-2", ((ANN, -1), (BOB, 1)))
    assert consequence_text(other, COIN) == "-1 doubloon, +1 doubloon: Ann pays Bob (X-2)"


def test_all_who_share_a_victory_are_named() -> None:
    shared = Outcome("Nobody is left.", "X-1", ((ANN, BOB, PlayerId(2)),))
    said = outcome_text(shared, {0: "Ann", 1: "Bob", 2: "Cid"})
    assert said == "Ann, Bob and Cid share the victory: Nobody is left (X-1)"

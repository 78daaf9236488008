"""Gambits: AOW-64 and AOW-65."""

from dataclasses import replace

import pytest

from companion.errors import BadOptions
from companion.rules.articles_of_war.actions import (
    ChooseDice,
    Fire,
    FireByGambit,
    Pass,
    PlayGambit,
    Relaunch,
    RollAgain,
    Sail,
    SailByGambit,
    TurnCard,
    YieldToStorm,
)
from companion.rules.articles_of_war.cards import (
    EFFECTS,
    HOUSE_CARDS,
    TABLE,
    TIMINGS,
    card_fields,
)
from companion.rules.articles_of_war.ocean import CENTRE
from companion.rules.articles_of_war.options import COLOURS, read_options
from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.articles_of_war.state import (
    TAKEN,
    Boarding,
    ChoosingDice,
    ClearingOcean,
    Finished,
    Memory,
    OnReef,
    Rerolling,
    RollingWind,
    Ship,
    Spending,
    Window,
)
from companion.rules.deeds import roll
from companion.rules.game import Decision, Happening, PlayerId
from companion.rules.hexes import distance
from companion.rules.layout import Die

GAME = ArticlesOfWar()
P0, P1 = PlayerId(0), PlayerId(1)
SHIPS = {"red": [(0, 0), (0, 3)], "blue": [(3, 0), (-5, 0)]}
DESPERATE = {"desperation": True}
HOUSE = {"gambits": "house"}


def card(effect, colour="red", **more):
    """Return options with one typed-in card."""
    timing = EFFECTS[effect].timing
    text = {"colour": colour, "name": "Own card", "timing": timing, "effect": effect}
    return {"gambits": "cards", "gambit_cards": [text | more]}


def used(fight):
    return fight.state.memory.played


def test_the_house_cards_are_six_with_one_effect_each():
    """AOW-64: one a commodore, each at another moment, and every moment has an effect to type."""
    assert tuple(c.colour for c in HOUSE_CARDS) == COLOURS
    assert len({c.timing for c in HOUSE_CARDS}) == len({c.name for c in HOUSE_CARDS}) == 6
    assert all(EFFECTS[c.effect].timing == c.timing for c in HOUSE_CARDS)
    assert {effect.timing for effect in EFFECTS.values()} == set(TIMINGS)
    assert read_options({}).cards == ()


def test_one_more_die(battle):
    """AOW-64: before the dice are chosen, once."""
    fight = battle(SHIPS, options=HOUSE)
    fight.play_gambit("red")
    assert {a.sails + a.cannons for a in fight.legal()} == {5}
    assert (fight.rules(), used(fight)) == (["AOW-64"], ("red",))
    assert fight.refusal(PlayGambit(P0, "red")) == "AOW-64"
    wrong = GAME.check(fight.state, ChooseDice(P0, 2, 2))
    said = "Take two dice for each ship and 1 die for the gambit: 5 in all."
    assert (wrong.rule, wrong.reason) == ("AOW-64", said)
    fight.take(3, 2).throw([2, 2, 2], [1, 1])
    assert fight.state.stage == Spending()
    other = GAME.check(battle(SHIPS, options=HOUSE).state, PlayGambit(P0, "blue"))
    said = "Blue is not on turn and plays no gambit before these dice."
    assert (other.rule, other.reason) == ("AOW-64", said), "Red, who is on turn, holds one"


def test_the_die_left_over_after_a_gambit(battle):
    """AOW-64: it was one more than the ships need; no ship was lost. Later turns have none."""
    fight = battle({"red": [(0, 0)], "blue": [(-4, 0)]}, options=HOUSE)
    fight.play_gambit("red").take(2, 1).throw([2, 3], [1])
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state
    fight.sail((0, 0), 2, "E").sail((2, 0), 3, "NW")
    assert fight.happenings == [Happening("Forfeited: cannon 1", "AOW-64")]
    assert fight.state.memory.more == 0


def test_a_new_ship_in_the_wind_is_set_down_where_the_storm_will_not_reach(battle):
    """AOW-64, AOW-85, AOW-87: the storm closes in right after the wind."""
    fight = battle(
        {"red": [(0, 0), (0, 1)], "gray": [(4, -1), (0, 2)]},
        options=HOUSE | {"wind": "W", "storm": True},
        memory=Memory(storm=4),
        stage=RollingWind(),
    ).wind(3)
    offered = [a for a in fight.legal() if isinstance(a, Relaunch)]
    assert {distance(a.cell, CENTRE) for a in offered} == {3}
    assert fight.refusal(Relaunch(P1, (4, -4))) == "AOW-64"
    fight.do(offered[0])
    assert fight.state.memory.storm == 3
    fight.do(YieldToStorm(fight.player))  # the storm has other ships
    assert fight.cells("gray") == [offered[0].cell]


def test_a_shot_shortened_to_nothing(battle):
    """AOW-64: the sentence says why, not which change the card allows."""
    ships = {"green": [(0, 0)], "blue": [(3, 0)]}
    fight = battle(ships, turn="green", sails=(2,), cannons=(1,), options=HOUSE)
    refused = GAME.check(fight.state, FireByGambit(P0, (0, 0), 1, 0, -1))
    assert (refused.rule, refused.reason) == ("AOW-64", "A gambit shortens no die below one hex.")


def test_a_gambit_of_an_earlier_turn_is_not_blamed(battle):
    """AOW-30, AOW-64: one die is left of a ship that was lost; the card was used long ago."""
    ships = {"red": [(5, 0), (0, 2)], "blue": [(-4, 0)]}
    fight = battle(ships, options=HOUSE, memory=Memory(played=("red",)))
    fight.take(4, 0).throw([2, 2, 2, 3])
    fight.sail((5, 0), 2, "E").sail((0, 2), 2, "NE").sail((2, 0), 2, "NE")
    assert fight.happenings == [Happening("Forfeited: sail 3", "AOW-30")]


def test_the_last_ship_with_a_gambit(battle):
    """AOW-64, AOW-67: three dice for the last ship, and those of the card."""
    fight = battle({"red": [(0, 0)], "blue": [(-4, 0)]}, options=HOUSE | {"desperation": True})
    assert fight.refusal(ChooseDice(P0, 2, 2)) == "AOW-67"
    fight.play_gambit("red")
    wrong = GAME.check(fight.state, ChooseDice(P0, 2, 1))
    said = "Take three dice for the last ship and 1 die for the gambit: 4 in all."
    assert (wrong.rule, wrong.reason) == ("AOW-64", said)


def test_the_die_of_a_gambit_is_no_third_die_of_a_last_ship(battle):
    """AOW-64, AOW-69: one of two ships is lost with its last die; the card's die is left over."""
    ships = {"red": [(5, 0), (0, 2)], "blue": [(-4, 0)]}
    fight = battle(ships, options=HOUSE | {"desperation": True})
    fight.play_gambit("red").take(5, 0).throw([2, 2, 2, 3, 3])
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state
    fight.sail((5, 0), 2, "NW").sail((5, -2), 2, "E")
    fight.sail((0, 2), 2, "NE").sail((2, 0), 3, "W")
    assert fight.happenings == [Happening("Forfeited: sail 3", "AOW-64")]
    alone = battle({"red": [(4, 0)], "blue": [(-4, 0)], "gray": [(0, 0)]}, options=DESPERATE)
    alone.take(3, 0).throw([2, 2, 3]).sail((4, 0), 3, "NW").sail((4, -3), 2, "NE")
    assert alone.happenings[-1] == Happening("Forfeited: sail 2", "AOW-69")
    assert not alone.state.memory.desperate


def test_dice_of_a_gambit_and_the_third_of_a_last_ship_are_told_apart(battle):
    """AOW-64, AOW-69, AOW-29: each left-over die is told by its own rule."""
    ships = {"red": [(0, 0)], "blue": [(-4, 0)]}
    fight = battle(ships, options=HOUSE | {"desperation": True})
    fight.play_gambit("red").take(2, 2).throw([2, 3], [1, 5])
    fight.sail((0, 0), 2, "E").sail((2, 0), 3, "NW")
    told = [Happening("Forfeited: cannon 1", "AOW-69"), Happening("Forfeited: cannon 5", "AOW-64")]
    assert fight.happenings == told


def test_a_die_rolled_again(battle):
    """AOW-64: after the roll and before the first spend."""
    options = card("roll a die again")
    fight = battle(SHIPS, options=options).take(3, 1).throw([2, 2, 3], [5])
    assert fight.refusal(RollAgain(P0, Die("sail", 4))) == "AOW-64"
    later = battle(SHIPS, options=options).take(3, 1).throw([2, 2, 3], [5])
    fight.choose("roll the cannon 5 again")
    assert (fight.state.stage, fight.state.cannons) == (Rerolling("cannon"), ())
    assert fight.refusal(roll(Die("sail", 2))) == "AOW-64"
    fight.roll(3)
    assert (fight.state.cannons, fight.state.stage) == ((3,), Spending())
    later.sail((0, 0), 2, "NE")
    assert later.refusal(RollAgain(P0, Die("sail", 2))) == "AOW-64"
    assert used(later) == ()


def test_a_sail_one_farther(battle):
    """AOW-64: the die is spent as if it showed one more; everything else holds."""
    fight = battle(SHIPS, sails=(2, 2, 4, 4), options=card("sail one farther"))
    assert fight.refusal(SailByGambit(P0, (0, 0), 2, 0, 2)) == "AOW-64"
    assert fight.refusal(SailByGambit(P0, (0, 0), 3, 0, 1)) == "AOW-33"
    assert any("sail 4+1 by gambit NE" in text for text in fight.texts())
    fight.do(SailByGambit(P0, (0, 0), 2, 0, 1))
    assert isinstance(fight.state.stage, Boarding)
    assert (fight.state.stage.mover.cell, used(fight)) == ((3, 0), ("red",))
    plain = battle(SHIPS, sails=(2, 2, 4, 4))
    assert plain.refusal(SailByGambit(P0, (0, 0), 2, 0, 1)) == "AOW-64"


def test_a_shot_one_nearer_or_farther(battle):
    """AOW-64: never shorter than one hex."""
    options = card("fire one nearer or farther")
    fight = battle(SHIPS, sails=(2, 2), cannons=(1, 4), options=options)
    assert fight.refusal(FireByGambit(P0, (0, 0), 1, 0, -1)) == "AOW-64"
    assert fight.why_not_fire((0, 0), 3, "E") == "AOW-45"
    fight.do(FireByGambit(P0, (0, 0), 4, 0, -1))
    assert (fight.rules(), fight.gold()) == (["AOW-64", "AOW-46"], (3, 2))
    assert fight.state.cannons == (1,)
    assert not any(isinstance(action, FireByGambit) for action in fight.legal())


def test_at_a_reef_the_holder_is_asked(battle):
    """AOW-64: playing it passes the reef without a roll; letting it be changes nothing else."""
    options = card("pass the reef")
    reef = {(2, 0): "reef"}
    ships = {"red": [(0, 0)], "blue": [(5, -5)]}
    fight = battle(ships, reef, sails=(3, 3), options=options).sail((0, 0), 3, "E")
    assert isinstance(fight.state.stage, Window)
    pending = GAME.pending(fight.state)
    assert isinstance(pending, Decision)
    assert (pending.player, pending.passing) == (P0, Pass(P0))
    plain = battle(ships, reef, sails=(3, 3)).sail((0, 0), 3, "E").state.stage
    asked = GAME.apply(fight.state, Pass(P0)).state
    assert (asked.stage, asked.memory) == (plain, Memory())
    assert isinstance(asked.stage, OnReef)
    assert GAME.layout(asked) == GAME.layout(fight.state)
    fight.play_gambit("red")
    assert (fight.cells("red"), used(fight)) == ([(3, 0)], ("red",))
    away = battle({"red": [(0, 0)], "blue": [(3, 0), (5, -5)]}, reef, sails=(3, 3), options=options)
    away.sail((0, 0), 3, "E").play_gambit("red")
    assert isinstance(away.state.stage, Boarding), "an enemy behind the reef is met as usual"


def test_drifting_over_a_reef_the_holder_is_asked(battle):
    """AOW-64, AOW-81."""
    options = card("pass the reef") | {"wind": "W"}
    ships = {"red": [(0, 0)], "blue": [(0, -3)]}
    fight = battle(ships, {(1, 0): "reef"}, stage=RollingWind(), options=options).wind(2)
    assert isinstance(fight.state.stage, Window)
    let = GAME.apply(fight.state, Pass(P0)).state
    assert GAME.pending(let).phase == "drift_reef"
    fight.play_gambit("red")
    assert (fight.state.stage, used(fight)) == (ChoosingDice(), ("red",))


@pytest.mark.parametrize(("colour", "won"), [("red", "red"), ("blue", "blue")])
def test_one_more_in_a_boarding_for_either_side(colour, won, battle):
    """AOW-64: told before the own roll, by the defender too, and it holds through ties."""
    options = card("board with one more", colour)
    fight = battle(SHIPS, sails=(3, 3, 2, 2), options=options).sail((0, 0), 3, "E")
    if colour == "blue":
        fight.roll(4)
    assert (GAME.pending(fight.state).phase, fight.player) == ("gambit", COLOURS.index(colour))
    fight.play_gambit(colour)
    if colour == "red":
        fight.roll(3, 4)
        assert fight.rules() == ["AOW-52"]
        fight.roll(4, 4)
    else:
        fight.roll(3)
        assert fight.rules() == ["AOW-52"]
        fight.roll(4, 4)
    assert fight.state.stage.winner == won
    assert fight.state.memory.played == (colour,)


def test_a_doubloon_for_a_loss(battle):
    """AOW-64: when the ship is sunk on another's turn; who is not on turn is asked."""
    options = card("a doubloon for the loss", "blue")
    fight = battle(SHIPS, sails=(2, 2, 2), cannons=(3,), options=options).fire((0, 0), 3, "E")
    assert (fight.player, fight.gold()) == (P1, (3, 2))
    assert fight.refusal(Sail(P0, (0, 0), 2, 0)) == "AOW-64"
    other = battle(SHIPS, sails=(2, 2, 2), cannons=(3,), options=options).fire((0, 0), 3, "E")
    fight.play_gambit("blue")
    assert (fight.gold(), fight.player) == ((3, 3), P0)
    other.let_be()
    assert (other.gold(), other.state.stage, used(other)) == ((3, 2), Spending(), ())


def test_a_loss_that_an_empty_bank_does_not_pay(battle):
    """AOW-63, AOW-64: nobody is told to be paid who is not."""
    options = card("a doubloon for the loss", "blue") | {"bank": 30}
    fight = battle(SHIPS, sails=(2, 2, 2), cannons=(3,), gold=15, options=options)
    fight.fire((0, 0), 3, "E").play_gambit("blue")
    assert fight.gold() == (15, 15)
    dry = Happening("The bank has nothing left to pay for the loss", "AOW-63")
    assert fight.happenings[-1] == dry


def test_a_new_ship_saves_the_last_fleet(battle):
    """AOW-64: the end is looked at only afterwards; without it the battle is over."""
    options = card("a new ship at the edge", "blue")
    ships = {"red": [(0, 0)], "blue": [(3, 0)]}
    fight = battle(ships, sails=(2,), cannons=(3,), options=options).fire((0, 0), 3, "E")
    assert fight.refusal(Relaunch(P1, (1, 0))) == "AOW-64"
    lost = battle(ships, sails=(2,), cannons=(3,), options=options).fire((0, 0), 3, "E")
    assert isinstance(lost.let_be().state.stage, Finished)
    fight.do(Relaunch(P1, (-5, 0)))
    assert (fight.cells("blue"), fight.state.lost) == ([(-5, 0)], (0, 1))
    assert fight.player == P0


def test_a_new_ship_of_the_fleet_on_turn_gets_no_dice(battle):
    """AOW-64, AOW-31."""
    options = card("a new ship at the edge")
    fight = battle(SHIPS, sails=(3, 3, 4, 4), options=options).sail((0, 3), 3, "SE")
    fight.do(Relaunch(P0, (5, 0)))
    assert Ship((5, 0), "red", TAKEN) in fight.state.ships
    assert fight.why_not_sail((5, 0), 3, "W") == "AOW-31"
    # She was put back, not pressed.
    refused = GAME.check(fight.state, Sail(P0, (5, 0), 3, 3))
    assert refused.reason == "A ship that entered this turn gets no dice before the next."
    assert fight.legal(), "the other ship still has its dice"


def test_several_losses_in_the_weather_ask_each_fleet_once(battle):
    """AOW-64, AOW-81: in turn order."""
    red = card("a doubloon for the loss")["gambit_cards"]
    blue = card("two doubloons for the loss", "blue")["gambit_cards"]
    options = {"gambits": "cards", "gambit_cards": red + blue, "wind": "W"}
    ships = {"red": [(4, 0), (5, 0), (0, 0)], "blue": [(4, -1), (0, 1)]}
    fight = battle(ships, stage=RollingWind(), options=options).wind(2)
    assert fight.state.stage == Window(("red", "blue"), fight.state.stage.then)
    fight.play_gambit("red").play_gambit("blue")
    assert (fight.gold(), fight.state.stage) == ((3, 4), ChoosingDice())


def test_grudge_ships_are_not_replaced(battle):
    """AOW-64, AOW-83."""
    options = card("a new ship at the edge", "blue") | {"grudge": True}
    ships = {"red": [(0, 0)], "blue": [(3, 0)], "green": [(-5, 0)]}
    fight = battle(
        ships, sails=(2,), cannons=(3,), options=options, memory=Memory(grudges=("blue",))
    )
    fight.fire((0, 0), 3, "E")
    assert not isinstance(fight.state.stage, Window)


def test_the_table_carries_out_a_card_of_its_own(battle):
    """AOW-64: the rules only turn it over, when the host says so, at any time in a battle."""
    own = {"colour": "blue", "name": "Letters of credit", "text": "As you like."}
    options = {"gambits": "cards", "gambit_cards": [own]}
    fight = battle(SHIPS, sails=(3, 3, 2, 2), options=options)
    assert GAME.asides(fight.state) == (TurnCard(P1, "blue"),)
    assert "Blue's gambit, Letters of credit: As you like." in GAME.view(fight.state, None).notes
    before = replace(fight.state, memory=Memory())
    fight.do(TurnCard(P1, "blue"))
    assert replace(fight.state, memory=Memory()) == before
    assert GAME.asides(fight.state) == ()
    assert fight.refusal(TurnCard(P1, "blue")) == "AOW-64"
    assert fight.refusal(TurnCard(P0, "red")) == "AOW-64"
    assert "Blue's gambit, Letters of credit: used" in GAME.view(fight.state, None).notes


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({"text": "Sail on."}, "Sail on."),
        ({"text": "Sail on.", "limit": "once"}, "Sail on."),
        ({"text": "Sail on.", "limit": "not off the map"}, "Sail on. Limit: not off the map"),
        ({"limit": "not off the map"}, "Limit: not off the map"),
        ({"limit": ""}, "to be played"),
    ],
)
def test_what_limits_a_card_is_shown(typed, says, battle):
    """AOW-64: the text on the card describes its limits; what the host types in is seen."""
    fight = battle(SHIPS, options=card("sail one farther", **typed))
    assert GAME.view(fight.state, None).notes == (f"Red's gambit, Own card: {says}",)


@pytest.mark.parametrize(("fresh", "played"), [("battle", ()), ("campaign", ("red",))])
def test_gambits_are_fresh_in_every_battle(fresh, played, battle):
    """AOW-65: or once in all, as the table chooses."""
    options = HOUSE | {"battles": 2, "gambits_fresh": fresh}
    fight = battle(
        {"red": [], "blue": [(0, 0)]},
        stage=ClearingOcean(),
        options=options,
        memory=Memory(played=("red",)),
    )
    fight.choose("clear the ocean")
    assert fight.state.memory.played == played


CARD = {"colour": "red", "name": "Own"}


@pytest.mark.parametrize(
    ("options", "says", "at"),
    [
        ({"gambits": "cards"}, "Type in a gambit card", "gambit_cards"),
        ({"gambit_cards": [CARD]}, "choose to play with them", "gambits"),
        ({"gambits": "cards", "gambit_cards": [CARD, CARD]}, "two cards have one", "gambit_cards"),
        (
            {"gambits": "cards", "gambit_cards": [CARD | {"name": " "}]},
            "Red's gambit needs a name",
            "",
        ),
        ({"gambits": "cards", "gambit_cards": [CARD | {"colour": "pink"}]}, "not 'pink'", ""),
        ({"gambits": "cards", "gambit_cards": [CARD | {"cost": "1"}]}, "has no 'cost'", ""),
        ({"gambits": "cards", "gambit_cards": ["red"]}, "is a JSON object", ""),
        ({"gambits": "cards", "gambit_cards": "red"}, "a list of cards", ""),
        (card("pass the reef", timing="onLoss"), "'At a reef', not to 'Losing a ship'", ""),
        ({"gambits": "all"}, "gambits must be one of", ""),
    ],
)
def test_cards_that_cannot_be_are_refused(options, says, at):
    """AOW-64."""
    with pytest.raises(BadOptions, match=says) as caught:
        read_options(options)
    assert not at or caught.value.option == at


def test_a_gambit_changes_nothing_until_it_is_played(battle):
    """AOW-64: the ordinary spends are the same with and without cards."""
    plain = battle(SHIPS, sails=(2, 3), cannons=(1, 4))
    carded = battle(SHIPS, sails=(2, 3), cannons=(1, 4), options=card("sail one farther"))
    ordinary = [a for a in carded.legal() if type(a) in (Sail, Fire)]
    assert tuple(ordinary) == plain.legal()


def test_an_effect_is_chosen_by_what_it_says():
    """AOW-64: the form of a card has no room for help, so each choice says what it is."""
    effect = next(field for field in card_fields(COLOURS) if field.id == "effect")
    said = dict(zip(effect.choices, effect.labels, strict=True))
    assert said[TABLE] == "You do it yourselves"
    assert said["pass the reef"] == "Pass the reef"

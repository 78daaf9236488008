"""Box and set-up: PRV-1 to PRV-20, vectors T8 and T12."""

from collections import Counter
from fractions import Fraction

import pytest

from companion.errors import BadOptions, IllegalAction, NotYourTurn
from companion.rules.deeds import roll
from companion.rules.dice import COLOUR
from companion.rules.game import CHANCE, PlayerId
from companion.rules.layout import Die
from companion.rules.privateer.actions import (
    Buy,
    ChooseColour,
    DrawPortCard,
    KeepCaptain,
    Leave,
    Sell,
    Upgrade,
)
from companion.rules.privateer.deck import COLOURS
from companion.rules.privateer.dice import PIPS
from companion.rules.privateer.effects import GOODS
from companion.rules.privateer.purse import Coins, in_coins, payment
from tests.unit.rules.privateer.voyage import (
    GAME,
    HOUSE,
    NAMES,
    P,
    house,
    make_voyage,
    start,
    to_colours,
    to_outfit,
    to_turn,
)


def test_two_to_six_players():
    """PRV-1."""
    assert GAME.info.players == (2, 6)
    for names in (NAMES[:1], (*NAMES, "Gus")):
        with pytest.raises(BadOptions, match="2 to 6"):
            GAME.setup(names, {})
    assert start().refusal(KeepCaptain(PlayerId(5), "piet-hein")) == "PRV-1"


def test_a_ship_for_each_port_colour():
    """PRV-2, PRV-4: six colours, each a port's, a good's and a face of the colour die."""
    ports = start().state.deck.ports
    for values in (
        [port.colour for port in ports],
        [port.good for port in ports],
        [port.face for port in ports],
    ):
        assert len(set(values)) == 6
    assert {port.colour for port in ports} == {*COLOURS}
    assert {port.good for port in ports} == {*GOODS}


def test_dice_of_the_box():
    """PRV-3: pips for white and red, a colour die with six faces."""
    assert GAME.info.dice == (PIPS, COLOUR)
    assert PIPS.values == (1, 2, 3, 4, 5, 6)
    assert len(COLOUR.faces) == 6


def test_cargo_is_finite():
    """PRV-5, PRV-12: six types, twelve of each, all in the bank; all bounty cards in the pile."""
    voyage = start()
    assert voyage.state.bank == (12,) * 6
    assert len(voyage.state.bounty_pile) == 24


def test_gold_is_five_silver():
    """PRV-6."""
    assert in_coins(13) == Coins(2, 3)
    assert Coins(2, 3).total == 13
    assert str(in_coins(4)) == "0 gold and 4 silver"


def test_paying_seven_from_two_gold():
    """T8, PRV-6."""
    assert in_coins(10) == Coins(2, 0)
    assert payment(Coins(2, 0), 7).left == Coins(0, 3)
    assert payment(Coins(2, 0), 7).change == 3


def test_every_payment_adds_up():
    """PRV-6: whatever is in the purse, the price is paid and nothing comes back as it went."""
    for gold in range(4):
        for silver in range(12):
            purse = Coins(gold, silver)
            for price in range(purse.total + 1):
                given, change, left = payment(purse, price)
                assert given.total - change == price
                assert left.total == purse.total - price
                assert min(given.gold, given.silver, change, left.gold, left.silver) >= 0
                assert given.gold <= gold
                assert given.silver <= silver
                assert not (given.silver and change)
    with pytest.raises(ValueError, match="cannot pay"):
        payment(Coins(0, 4), 5)


def test_purses_are_secret_and_the_rest_is_open():
    """PRV-7: only the owner sees the silver; cargo, relics, tracks and Infamy are seen by all."""
    voyage = make_voyage({"silver": 37, "cargo": {"rum": 2}, "relics": ["fiddle"]}, {"silver": 41})
    for viewer in (None, P[1], P[0]):
        view = GAME.view(voyage.state, viewer)
        assert view.seats == GAME.view(voyage.state, None).seats
        assert ("37" in repr(view)) == (viewer == P[0])
        assert ("41" in repr(view)) == (viewer == P[1])
        assert view.seats[0].scores["goods"] == 2
        assert view.seats[0].scores["relics"] == 1
        assert any("2 rum" in note and "The One-String Fiddle" in note for note in view.notes)
    own = GAME.view(voyage.state, P[0]).own
    assert own["silver"] == 37
    assert own["purse"] == {"gold": 7, "silver": 2}
    assert GAME.view(voyage.state, None).own == {}


def test_ship_board():
    """PRV-8: four tracks, a price below each step, Infamy above."""
    tracks = start().state.deck.tracks
    assert len(tracks) == 4
    assert all(len(track.values) == len(track.prices) + 1 for track in tracks)


def test_infamy_wind_and_piles_are_shown():
    """PRV-9: ladder, compass and decks are on everybody's page."""
    view = GAME.view(make_voyage({"sails": 3}, wind="E").state, None)
    assert view.seats[0].scores["infamy"] == 3
    assert view.weather.wind_from_deg == 270
    assert "To draw: 24 bounty cards, 12 port cards" in view.notes


def test_each_player_keeps_one_captain():
    """PRV-10: what nobody has kept; the card that is not kept never comes into the game."""
    voyage = start()
    assert voyage.player == P[0]
    assert len(voyage.legal()) == 12
    with pytest.raises(NotYourTurn):
        voyage.do(KeepCaptain(P[1], "piet-hein"))
    assert voyage.refusal(KeepCaptain(P[1], "piet-hein")) == "PRV-10"
    voyage.do(KeepCaptain(P[0], "piet-hein"))
    assert voyage.refusal(KeepCaptain(P[1], "piet-hein")) == "PRV-10"
    assert voyage.refusal(KeepCaptain(P[1], "hook")) == "PRV-10"
    assert len(voyage.legal()) == 11
    assert voyage.do(KeepCaptain(P[1], "diego")).asked() == "draw_port_card"


def test_a_port_card_for_every_port():
    """PRV-11: six are drawn, each port in turn."""
    voyage = start().say("Ann: keep Piet Hein").say("Ben: keep Mary Read")
    odds = GAME.chance_outcomes(voyage.state)
    assert len(odds) == 18
    assert {p for _, p in odds} == {Fraction(1, 18)}
    voyage.do(DrawPortCard(CHANCE, "feast-day"))
    assert voyage.state.slots[0] == "feast-day"
    assert voyage.told() == "Catalina: Feast day"
    assert voyage.refusal(DrawPortCard(CHANCE, "feast-day")) == "PRV-11"
    assert voyage.refusal(DrawPortCard(CHANCE, "nothing")) == "PRV-11"
    for _ in range(5):
        assert voyage.asked() == "draw_port_card"
        voyage.do(GAME.legal_actions(voyage.state, CHANCE)[0])
    assert len(set(voyage.state.slots)) == 6
    assert voyage.asked() == "choose_colour"


def test_ships_start_on_the_port_of_their_colour():
    """PRV-13, PRV-20: chosen in seat order; the starting port is the last one visited."""
    voyage = to_colours()
    assert len(voyage.legal()) == 6
    assert voyage.refusal(ChooseColour(P[1], "green")) == "PRV-13"
    voyage.do(ChooseColour(P[0], "green"))
    assert voyage.refusal(ChooseColour(P[0], "red")) == "PRV-13"
    assert voyage.refusal(ChooseColour(P[1], "green")) == "PRV-13"
    voyage.do(ChooseColour(P[1], "red"))
    deck = voyage.state.deck
    for seat, port in ((0, "caracas"), (1, "havana")):
        assert voyage.seats[seat].cell == deck.ports[deck.port_of_id[port]].cell
        assert voyage.seats[seat].last == deck.port_of_id[port]
    assert GAME.layout(voyage.state).at((12, 11)).ships == ("green",)


def test_the_wind_is_neutral_at_first():
    """PRV-14."""
    assert start().state.wind == "none"
    assert GAME.view(start().state, None).weather.wind_from_deg is None


def test_everyone_takes_ten_silver():
    """PRV-15: once all ships are out, and everybody is told."""
    voyage = to_colours(3)
    for colour in ("red", "blue", "gray"):
        assert {seat.silver for seat in voyage.seats} == {0}
        voyage.do(ChooseColour(voyage.player, colour))
    assert {seat.silver for seat in voyage.seats} == {10}
    assert voyage.happenings[-1].coins == ((0, 10), (1, 10), (2, 10))


def test_the_highest_die_goes_first():
    """PRV-16: ties roll again among themselves; then clockwise."""
    voyage = to_colours(3)
    for colour in ("red", "blue", "gray"):
        voyage.do(ChooseColour(voyage.player, colour))
    assert voyage.player == P[0]
    voyage.roll(4, 6, 6)
    assert voyage.told() == "Blue and Gray roll again: 6 each"
    assert voyage.player == P[1]
    voyage.roll(2)
    assert voyage.player == P[2]
    voyage.roll(5)
    assert voyage.state.first == voyage.state.turn == 2
    assert voyage.refusal(Leave(P[1])) == "PRV-16"
    turns = [voyage.leave().player for _ in range(2)]
    assert turns == [P[0], P[1]]
    assert voyage.leave().player == P[2]
    assert voyage.asked() == "bounty"


def test_rolls_are_those_asked_for():
    """PRV-16, PRV-3."""
    voyage = to_colours()
    voyage.do(ChooseColour(P[0], "red")).do(ChooseColour(P[1], "blue"))
    assert voyage.refusal(roll(Die("d6", 7))) == "PRV-16"
    assert voyage.refusal(roll(Die("d6", 1), Die("d6", 1))) == "PRV-16"
    assert voyage.refusal(roll(Die("colour", 1))) == "PRV-16"
    assert sum(p for _, p in GAME.chance_outcomes(voyage.state)) == 1


def test_infamy_set_up():
    """PRV-17, PRV-18: buy and upgrade at the own port; what is not spent is kept."""
    voyage = to_outfit()
    card = voyage.state.deck.port_card[voyage.state.slots[voyage.seats[0].last]]
    good = next(g for g, price in zip(GOODS, card.sells, strict=True) if price)
    price = card.sells[GOODS.index(good)]
    slots = voyage.state.slots
    assert voyage.refusal(Sell(P[0], good, 1)) == "PRV-17"
    text = "Red: outfit your ship in Havana: buy cargo and upgrades, then finish"
    assert GAME.pending(voyage.state).text == text  # nobody sails yet
    assert GAME.describe(voyage.state, Leave(P[0])) == "Red: finish outfitting"
    voyage.do(Buy(P[0], good, 1)).do(Upgrade(P[0], "sails"))
    assert voyage.goods(0) == {good: 1}
    assert voyage.state.slots == slots
    voyage.leave()
    assert voyage.player == P[1]
    voyage.leave()
    assert voyage.seats[0].silver == 10 - price - 3
    assert voyage.seats[1].silver == 10
    assert voyage.state.slots == slots
    assert voyage.state.round == 1


def test_what_was_bought_out_is_gone():
    """T12, PRV-17: the bank has no rum left for the second player."""

    def scarce(data):
        data["stock"]["rum"] = 2
        for card in data["port_card"]:
            card["sells"], card["buys"] = {"rum": 3}, {}

    voyage = to_outfit(deck=house(scarce))
    slots = voyage.state.slots
    voyage.do(Buy(P[0], "rum", 2)).leave()
    assert voyage.bank("rum") == 0
    assert voyage.refusal(Buy(P[1], "rum", 1)) == "PRV-17"
    assert voyage.state.slots == slots


def test_captains_steps_count_for_infamy():
    """PRV-19: like bought ones, the last step's two extra included."""

    def veteran(data):
        data["captain"][0]["steps"] = {"crew": 5}

    assert to_outfit().infamy(0) == 2
    voyage = start(deck=house(veteran)).say(f"Ann: keep {HOUSE['captain'][0]['title']}")
    assert voyage.seats[0].ranks == (0, 5, 0, 0)
    assert voyage.infamy(0) == 7


def test_a_legend_wins_before_the_first_turn():
    """PRV-65, PRV-19: at any point, the set-up included."""

    def legend(data):
        data["captain"][0]["steps"] = {"crew": 5, "sails": 5, "hold": 4, "cannons": 2}

    voyage = start(deck=house(legend)).say(f"Ann: keep {HOUSE['captain'][0]['title']}")
    assert voyage.infamy(0) == 20
    assert voyage.asked() == "over"
    assert GAME.outcome(voyage.state).placing == ((P[0],), (P[1],))
    assert GAME.from_json(GAME.to_json(voyage.state)) == voyage.state


def test_a_first_turn_begins_with_a_bounty_card():
    """PRV-20, PRV-21: round 1, everybody in the own port."""
    voyage = to_turn(4)
    assert voyage.asked() == "bounty"
    assert voyage.state.round == 1
    ports = Counter(seat.last for seat in voyage.seats)
    assert max(ports.values()) == 1


def test_a_purchase_beyond_the_purse_says_nothing_of_it():
    """PRV-7, PRV-17."""
    voyage = to_outfit()
    voyage.do(Upgrade(P[0], "sails")).do(Upgrade(P[0], "sails"))
    ruling = GAME.check(voyage.state, Upgrade(P[0], "sails"))
    assert (ruling.legal, ruling.rule) == (False, "PRV-54")
    assert "2" not in ruling.reason
    with pytest.raises(IllegalAction):
        voyage.do(Upgrade(P[0], "sails"))

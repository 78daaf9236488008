"""Relics, fortunes and the end: PRV-61 to PRV-68, vector T10."""

from fractions import Fraction

from companion.rules.deeds import roll
from companion.rules.game import Happening
from companion.rules.layout import Die
from companion.rules.privateer.actions import (
    Accept,
    Anchor,
    Decline,
    Discard,
    Gain,
    Offer,
    Rob,
    SetWind,
    Take,
    TakeRelic,
)
from companion.rules.privateer.state import Finished, Sailing
from tests.unit.rules.privateer.voyage import GAME, P, house, make_voyage


def drawn(card, *seats, **more):
    """Return a voyage in which seat 0 has just drawn a card; the seats are 0, 1, 2..."""
    given = [*seats, {}, {}][: max(len(seats), 2)]
    home = make_voyage(*given, turn=len(given) - 1, bounty=[card], **more)
    return home.sail(home.state.seat.cell).draw(card)


def own_card(*effects, kind="fortune", **more):
    """Return a deck that has one more bounty card, called ``mine``."""
    card = {
        "id": "mine",
        "title": "Mine",
        "kind": kind,
        "text": "Ours.",
        "draw": [*effects],
        **more,
    }
    return house(lambda d: d["bounty"].append(card))


def test_relics_count_while_they_are_controlled():
    """PRV-61, PRV-67: Infamy and bonuses come with the card and go with it."""
    voyage = drawn("fiddle", {"crew": 2}, {"cell": (7, 3)}, {})
    assert voyage.seats[0].relics == ("fiddle",)
    assert voyage.infamy(0) == 4
    assert GAME.view(voyage.state, None).seats[0].scores["crew"] == 3
    voyage = drawn("light-fingers", {}, {"relics": ["fiddle"], "crew": 2})
    assert (voyage.infamy(0), voyage.infamy(1)) == (2, 2)
    assert GAME.view(voyage.state, None).seats[1].scores["crew"] == 2
    assert "PRV-62" in voyage.rules()


def test_a_stolen_relic_wins():
    """T10, PRV-61, PRV-65: 19 with a relic becomes 17; the thief at 18 has 20 and wins."""
    voyage = drawn(
        "light-fingers",
        {"sails": 5, "crew": 5, "cannons": 4},
        {"sails": 5, "crew": 5, "cannons": 3, "relics": ["drowned-bell"]},
    )
    assert (voyage.infamy(0), voyage.infamy(1)) == (20, 17)
    assert voyage.asked() == "over"
    assert GAME.outcome(voyage.state).placing == ((P[0],), (P[1],))
    assert voyage.rules()[-1] == "PRV-65"
    assert voyage.refusal(Decline(P[0])) == "PRV-65"


def test_choosing_a_relic_to_steal():
    """PRV-62: with a choice the thief is asked; nobody's relic is refused."""
    voyage = drawn("light-fingers", {}, {"relics": ["fiddle"]}, {"relics": ["paper-crown"]})
    assert voyage.legal() == (TakeRelic(P[0], P[1], "fiddle"), TakeRelic(P[0], P[2], "paper-crown"))
    assert voyage.refusal(TakeRelic(P[0], P[2], "fiddle")) == "PRV-62"
    assert GAME.check(voyage.state, TakeRelic(P[0], P[2], "fiddle")).reason.endswith(
        "take The One-String Fiddle from Blue or The Paper Crown of Tortuga from Yellow."
    )
    voyage.do(TakeRelic(P[0], P[2], "paper-crown"))
    assert [seat.relics for seat in voyage.seats] == [("paper-crown",), ("fiddle",), ()]
    assert voyage.asked() == "sail"
    assert drawn("light-fingers").rules() == ["PRV-21", "PRV-62"]


def test_a_stolen_hold_makes_its_owner_discard():
    """PRV-56, PRV-61: on the thief's turn, before he sails."""
    voyage = drawn(
        "light-fingers", {}, {"relics": ["false-bottom"], "cargo": {"rum": 2, "fruit": 3}}
    )
    assert voyage.player == P[1]
    assert voyage.asked() == "discard"
    voyage.do(Discard(P[1], "fruit")).do(Discard(P[1], "fruit"))
    assert voyage.goods(1) == {"rum": 2, "fruit": 1}
    assert (voyage.asked(), voyage.player) == ("sail", P[0])


def test_a_card_that_takes_goods():
    """PRV-64: it is the card that takes them, not a smaller hold; the owner chooses which."""
    deck = own_card({"do": "cargo", "amount": -1, "good": "any"})
    voyage = drawn("mine", {"cargo": {"rum": 1, "fruit": 1}}, deck=deck)
    assert voyage.refusal(Discard(P[0], "sugar")) == "PRV-64"
    assert voyage.refusal(Decline(P[0])) == "PRV-64"
    voyage.do(Discard(P[0], "rum"))
    assert voyage.rules() == ["PRV-64"]
    assert voyage.goods(0) == {"fruit": 1}


def test_a_captain_without_goods_has_none_to_give():
    """PRV-64: a card that takes goods of any type tells it, as one that names a type does."""
    fruit = own_card({"do": "cargo", "amount": -1, "good": "fruit"})
    assert drawn("mine", deck=fruit).told().endswith(" | Red has no fruit to give")
    voyage = drawn("westerly", {}, {}, {"cargo": {"rum": 1}})
    assert voyage.told().endswith("Blue has no goods to give | Yellow gives 1 rum to the bank")
    assert voyage.rules()[-2:] == ["PRV-64", "PRV-64"]
    assert voyage.asked() == "sail"


def test_a_relic_that_makes_the_hold_smaller():
    """PRV-56, PRV-61."""
    deck = own_card(kind="relic", bonus={"hold": -2})
    voyage = drawn("mine", {"cargo": {"rum": 3}}, deck=deck)
    assert voyage.goods(0) == {"rum": 1}
    assert voyage.asked() == "sail"


def test_crew_tests():
    """PRV-63: white die and Crew, relics included, against the card."""
    voyage = drawn("powder-wreck", {"crew": 1, "relics": ["fiddle"], "cargo": {"rum": 1}})
    assert GAME.pending(voyage.state).text == (
        "Red: roll the white die and add 2 for your crew: 3 or more passes"
    )
    assert voyage.refusal(roll(Die("colour", 1))) == "PRV-63"
    voyage.roll(1)
    assert voyage.seats[0].ranks == (0, 1, 1, 0)
    voyage = drawn("powder-wreck", {"cargo": {"rum": 1}}).roll(2)
    assert voyage.seats[0].ranks == (0, 0, 0, 0)
    assert voyage.goods(0) == {}
    assert "fails the test of the crew, 2 against 3" in voyage.told()


def test_a_step_won_can_end_the_game():
    """PRV-55, PRV-65: on a track's last step, free of charge."""
    voyage = drawn("powder-wreck", {"sails": 5, "crew": 5, "cannons": 4}).roll(6)
    assert voyage.asked() == "over"
    assert voyage.infamy(0) == 21
    assert voyage.told().endswith("Red has reached 20 Infamy and wins")
    assert GAME.outcome(voyage.state).reason == "Red is first to reach 20 Infamy"
    full = drawn("powder-wreck", {"cannons": 5}).roll(6)
    assert full.seats[0].ranks[2] == 5
    assert full.infamy(0) == 7


def test_silver_of_cards():
    """PRV-64, PRV-7: what a card gives is told, what a purse can pay is not."""
    voyage = drawn("tavern", {"silver": 1})
    assert voyage.seats[0].silver == 3
    assert voyage.happenings[1].coins == ((P[0], 2),)
    voyage = drawn("weather-seller", {"silver": 0})
    assert voyage.seats[0].silver == 0
    assert voyage.happenings[1].coins == ()
    rich = drawn("weather-seller", {"silver": 9})
    assert rich.seats[0].silver == 8
    assert voyage.told() == rich.told()


def test_robbing_a_purse():
    """PRV-64, PRV-7: up to 3; nobody is told how much it was."""
    voyage = drawn("liars-dice", {}, {"silver": 2}, {"silver": 9})
    assert voyage.legal() == (Rob(P[0], P[1]), Rob(P[0], P[2]))
    assert voyage.refusal(Rob(P[0], P[0])) == "PRV-64"
    poor, rich = voyage.state, drawn("liars-dice", {}, {"silver": 7}, {"silver": 9}).state
    steps = [GAME.apply(state, Rob(P[0], P[1])) for state in (poor, rich)]
    assert [step.state.seats[0].silver for step in steps] == [12, 13]
    assert [step.state.seats[1].silver for step in steps] == [0, 4]
    assert steps[0].happenings == steps[1].happenings
    assert drawn("liars-dice", {}, {"silver": 9}).seats[1].silver == 6


def test_stealing_goods():
    """PRV-64: one at a time, from anybody, as far as the hold goes."""
    voyage = drawn("fog", {"cargo": {"rum": 1}}, {"cargo": {"rum": 1}}, {"cargo": {"fruit": 2}})
    assert voyage.legal() == (Take(P[0], P[1], "rum"), Take(P[0], P[2], "fruit"))
    assert voyage.refusal(Take(P[0], P[1], "fruit")) == "PRV-64"
    voyage.do(Take(P[0], P[2], "fruit")).do(Take(P[0], P[1], "rum"))
    assert voyage.goods(0) == {"rum": 2, "fruit": 1}
    assert voyage.asked() == "sail"
    full = drawn("fog", {"cargo": {"rum": 3}}, {"cargo": {"sugar": 2}})
    assert full.goods(0) == {"rum": 3}
    assert full.told().endswith("Red has a full hold")
    nearly = drawn("fog", {"cargo": {"rum": 2}}, {"cargo": {"rum": 1, "fruit": 2}})
    nearly.do(Take(P[0], P[1], "fruit"))
    assert nearly.told() == "Red takes 1 fruit from Blue | Red has a full hold"
    assert drawn("fog").told().endswith("Red finds no goods to take")
    lone = drawn("fog", {}, {"cargo": {"sugar": 3}})
    assert (lone.goods(0), lone.goods(1)) == ({"sugar": 2}, {"sugar": 1})


def test_offering_a_trade():
    """PRV-64: the other captain decides; both holds keep their number."""
    ships = {"cargo": {"rum": 1}}, {"cargo": {"rum": 1, "fruit": 1}}
    voyage = drawn("tavern", *ships)
    offer = Offer(P[0], P[1], "rum", "fruit")
    assert voyage.legal() == (offer, Decline(P[0]))
    assert voyage.refusal(Offer(P[0], P[1], "rum", "rum")) == "PRV-64"
    voyage.do(offer)
    assert (voyage.player, voyage.asked()) == (P[1], "answer")
    assert voyage.legal() == (Accept(P[1]), Decline(P[1]))
    assert voyage.refusal(Accept(P[0])) == "PRV-64"
    voyage.do(Accept(P[1]))
    assert (voyage.goods(0), voyage.goods(1)) == ({"fruit": 1}, {"rum": 2})
    refused = drawn("tavern", *ships).do(offer).do(Decline(P[1]))
    assert (refused.goods(0), refused.asked()) == ({"rum": 1}, "sail")
    silent = drawn("tavern", *ships).do(Decline(P[0]))
    assert (silent.asked(), silent.player) == ("sail", P[0])


def test_cards_for_several_captains():
    """PRV-64: the others lose a good each, of their choice; all take a fruit."""
    voyage = drawn("westerly", {"cargo": {"rum": 1}}, {"cargo": {"rum": 1, "sugar": 1}}, {})
    assert (voyage.player, voyage.asked()) == (P[1], "discard")
    voyage.do(Discard(P[1], "sugar"))
    assert [voyage.goods(n) for n in range(3)] == [{"rum": 1}, {"rum": 1}, {}]
    voyage = drawn("doldrums", {}, {"cargo": {"rum": 3}})
    assert [voyage.goods(n) for n in range(2)] == [{"fruit": 1}, {"rum": 3}]
    assert voyage.state.wind == "none"


def test_a_good_of_choice():
    """PRV-64, PRV-5: what the bank has, while there is space."""
    voyage = drawn("shipworm", {"crew": 5}).roll(6)
    assert [a.good for a in voyage.legal()] == [
        "cinnamon", "fruit", "paprika", "rum", "sugar", "tobacco",
    ]  # fmt: skip
    voyage.do(Gain(P[0], "sugar"))
    assert voyage.goods(0) == {"sugar": 1}
    scarce = drawn("shipworm", {"crew": 5}, bank={"sugar": 0}).roll(6)
    assert scarce.refusal(Gain(P[0], "sugar")) == "PRV-5"
    full = drawn("shipworm", {"crew": 5, "cargo": {"rum": 3}}).roll(6)
    assert full.asked() == "sail"
    assert full.told().endswith("Red has a full hold")
    nearly = drawn("mine", {"cargo": {"rum": 2}}, deck=own_card({"do": "cargo", "amount": 2}))
    assert nearly.do(Gain(P[0], "rum")).told().endswith("from the bank | Red has a full hold")
    two = drawn("mine", {}, deck=own_card({"do": "cargo", "amount": 2})).do(Gain(P[0], "rum"))
    assert two.do(Gain(P[0], "fruit")).goods(0) == {"rum": 1, "fruit": 1}


def test_goods_of_one_type():
    """PRV-64: given or taken as far as there are any."""
    gain = own_card({"do": "cargo", "amount": 2, "good": "sugar"})
    assert drawn("mine", {}, deck=gain).goods(0) == {"sugar": 2}
    none = drawn("mine", {}, deck=gain, bank={"sugar": 0})
    assert none.told().endswith("Red finds no sugar in the bank")
    loss = own_card({"do": "cargo", "amount": -2, "good": "sugar"})
    voyage = drawn("mine", {"cargo": {"sugar": 1, "rum": 2}}, deck=loss)
    assert voyage.goods(0) == {"rum": 2}
    assert drawn("mine", {}, deck=loss).told().endswith("Red has no sugar to give")


def test_wind_of_choice():
    """PRV-35, PRV-32: five winds; nothing else."""
    voyage = drawn("weather-seller")
    assert voyage.refusal(SetWind(P[0], "NE")) == "PRV-32"
    voyage.do(SetWind(P[0], "W"))
    assert voyage.state.wind == "W"
    assert GAME.view(voyage.state, None).weather.wind_from_deg == 90
    assert voyage.told() == "Wind to the west"


def test_ships_that_cards_move():
    """PRV-64, PRV-48: chosen or rolled; no trade there, and it is the last port."""
    voyage = drawn("hurricane", {"crew": 2}).roll(3)
    assert voyage.refusal(Anchor(P[0], "atlantis")) == "PRV-64"
    assert len(voyage.legal()) == 6
    voyage.do(Anchor(P[0], "caracas"))
    assert voyage.seats[0].cell == (12, 11)
    assert voyage.asked() == "sail"
    voyage.sail((12, 11))
    assert voyage.player == P[1]
    assert voyage.asked() == "bounty"
    voyage = drawn("hurricane").roll(1)
    assert voyage.asked() == "roll_port"
    assert voyage.refusal(roll(Die("d6", 1))) == "PRV-64"
    voyage.colour("san-juan")
    assert voyage.seats[0].cell == (15, 5)
    named = drawn("mine", {}, deck=own_card({"do": "move", "to": "catalina"}))
    assert named.seats[0].cell == (0, 6)


def test_more_and_fewer_moves_and_none():
    """PRV-64, PRV-30: for this turn only; never below 0."""
    voyage = drawn("sailmaker", {"sails": 1}).roll(1)
    assert voyage.state.stage == Sailing(2)
    assert drawn("mine", {}, deck=own_card({"do": "moves", "amount": -9})).state.stage == Sailing(0)
    voyage = drawn("jailbreak").roll(1)
    assert (voyage.player, voyage.asked()) == (P[1], "bounty")
    assert "does not sail this turn" in voyage.told()
    at_a_merchant = drawn("jailbreak", {"cell": (7, 1)}).roll(1)
    assert (at_a_merchant.player, at_a_merchant.asked()) == (P[1], "bounty")
    both = own_card({"do": "skip"}, {"do": "moves", "amount": 2}, {"do": "silver", "amount": 3})
    voyage = drawn("mine", {}, deck=both)
    assert voyage.player == P[1]
    assert voyage.seats[0].silver == 13


def test_steps_lost_cost_infamy():
    """PRV-64, PRV-67: a marker goes back, not below its beginning."""
    voyage = drawn("shipworm", {"hold": 2}).roll(1)
    assert voyage.seats[0].ranks[3] == 1
    assert voyage.infamy(0) == 1
    assert drawn("shipworm").roll(1).seats[0].ranks[3] == 0


def test_the_captain_on_turn_wins_a_tie():
    """PRV-66: two reach it by one effect: who is on turn first, then in turn order."""
    state = make_voyage({}, {}, {}).state._replace(stage=Finished())
    none, all_ = state.seats, tuple(seat._replace(ranks=(5, 5, 5, 5)) for seat in state.seats)
    later = state._replace(seats=(none[0], all_[1], all_[2]), turn=1)
    assert GAME.outcome(later).placing == ((P[1],), (P[2],), (P[0],))
    around = state._replace(seats=(all_[0], none[1], all_[2]), turn=1)
    assert GAME.outcome(around).placing[0] == (P[2],)


def test_no_other_end():
    """PRV-68: rounds go on, unless the table capped them; then most Infamy wins."""
    voyage = make_voyage({"crew": 1}, {"crew": 2}, {"crew": 2}, turn=2)
    assert voyage.sail(voyage.state.seat.cell).state.round == 2
    capped = make_voyage({"crew": 1}, {"crew": 2}, {"crew": 2}, turn=2, round_cap=1)
    capped.sail(capped.state.seat.cell)
    assert capped.asked() == "over"
    assert capped.happenings[-1] == Happening("1 round is over", "PRV-68")
    outcome = GAME.outcome(capped.state)
    assert outcome.placing == ((P[1], P[2]), (P[0],))
    assert (outcome.reason, outcome.rule) == ("1 round is over; most Infamy wins", "PRV-68")
    assert capped.refusal(Decline(P[0])) == "PRV-68"
    assert GAME.objection(capped.state, GAME.layout(capped.state)).rule == "PRV-68"
    assert GAME.legal_actions(capped.state, P[0]) == ()


def test_the_largest_numbers_of_a_deck_can_be_played():
    """PRV-41, PRV-64, PRV-76: a state that play has led to can be read again."""
    bonus = {"cannons": 10, "sails": 10, "hold": 10}
    relic = {"kind": "relic", "text": "Huge.", "bonus": bonus}
    gale = {"id": "gale", "title": "Gale", "kind": "fortune", "text": "Fast."}
    gale["draw"] = [{"do": "moves", "amount": 20}] * 60
    huge = house(
        lambda d: (
            d["ship"]["cannons"].update(values=[99] * 6),
            d["bounty"].extend({**relic, "id": f"x{n}", "title": f"X{n}"} for n in range(40)),
            d["bounty"].append(gale),
        )
    )
    mighty = {"cell": (7, 2), "relics": [f"x{n}" for n in range(40)]}
    voyage = make_voyage(mighty, deck=huge).sail((7, 1)).roll(6).red(1, 1)
    assert GAME.from_json(GAME.to_json(voyage.state)) == voyage.state
    voyage = make_voyage({}, mighty, deck=huge).sail((3, 0)).draw("gale")
    assert voyage.state.stage == Sailing(2 + 40 * 10 + 60 * 20)
    assert GAME.from_json(GAME.to_json(voyage.state)) == voyage.state


def test_effects_are_data():
    """PRV-64: every word of the language is in the house deck or tried here."""
    odds = GAME.chance_outcomes(make_voyage({}, {}, bounty=["fog", "norther"]).sail((3, 0)).state)
    assert [p for _, p in odds] == [Fraction(1, 2)] * 2

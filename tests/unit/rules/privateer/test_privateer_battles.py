"""Battles and plunder: PRV-28, PRV-37 to PRV-50, vectors T3 to T7."""

import pytest

from companion.rules.deeds import roll
from companion.rules.game import ChanceRoll
from companion.rules.layout import Die
from companion.rules.privateer.actions import Decline, Leave, Plunder, Take
from tests.unit.rules.privateer.voyage import GAME, P, make_voyage

MERCHANT_AT, SEA = (7, 1), (7, 4)


def hunt(cannons=0, bank=None, **ship):
    """Return a voyage in which red has just met a merchant."""
    ship = {"cell": (7, 2), "cannons": cannons, **ship}
    return make_voyage(ship, {}, bank=bank).sail(MERCHANT_AT)


def duel(mine=None, theirs=None, third=None):
    """Return a voyage in which red has just met blue at sea."""
    rest = [third] if third else []
    return make_voyage(
        {"cell": (7, 5), **(mine or {})}, {"cell": SEA, **(theirs or {})}, *rest
    ).sail(SEA)


def test_strengths_against_a_merchant():
    """PRV-40, PRV-3: white die and Cannons against two red dice; one after the other."""
    voyage = hunt(cannons=2, relics=["widow-maker"])
    assert GAME.pending(voyage.state) == ChanceRoll(
        P[0], "battle", "Red: roll the white die against the merchant", ("d6",)
    )
    voyage.roll(4)
    assert GAME.pending(voyage.state).text.endswith("against your 7")
    assert GAME.pending(voyage.state).dice == ("d6", "d6")
    assert len(GAME.chance_outcomes(voyage.state)) == 21
    assert voyage.refusal(roll(Die("d6", 3))) == "PRV-40"
    voyage.red(2, 4)
    assert voyage.told() == "Red wins the battle, 7 to 6"


@pytest.mark.parametrize(
    ("ship", "bank", "taken"),
    [
        ({"hold": 1}, None, 4),
        ({"hold": 1, "cargo": {"rum": 3}}, None, 1),
        ({"hold": 1}, {"sugar": 2}, 2),
        ({"hold": 1}, {"sugar": 0}, 0),
    ],
)
def test_plunder_of_a_merchant(ship, bank, taken):
    """T3, PRV-41: 12 to 8, as far as hold and bank go."""
    voyage = hunt(cannons=5, relics=["widow-maker"], bank=bank, **ship)
    before = voyage.bank("sugar")
    voyage.roll(6).red(3, 5)
    assert voyage.told() == "Red wins the battle, 12 to 8"
    assert voyage.legal() == (Plunder(P[0]), Decline(P[0]))
    up_to = "1 good" if "cargo" in ship else "4 goods"
    assert f"up to {up_to}, or" in GAME.pending(voyage.state).text
    voyage.do(Plunder(P[0])).colour("caracas")
    assert voyage.goods(0).get("sugar", 0) == taken
    said = f"plunders {taken} sugar" if taken else "finds no sugar in the bank"
    assert voyage.told() == f"Red {said}"
    assert voyage.bank("sugar") == before - taken
    assert voyage.asked() == "bounty"


def test_plunder_is_a_choice():
    """PRV-41: nothing is rolled then, and the turn ends."""
    voyage = hunt(cannons=5).roll(6).red(1, 1)
    assert voyage.refusal(Take(P[0], P[1], "rum")) == "PRV-41"
    voyage.do(Decline(P[0]))
    assert voyage.player == P[1]
    assert voyage.goods(0) == {}


def test_a_full_hold_is_not_asked():
    """PRV-41."""
    voyage = hunt(cannons=5, cargo={"rum": 3}).roll(6).red(1, 1)
    assert voyage.rules() == ["PRV-40", "PRV-41"]
    assert voyage.player == P[1]


def test_ties_repeat():
    """T5, PRV-40, PRV-44: 9 to 9, again and again, both sides."""
    voyage = hunt(cannons=5)
    for _ in range(3):
        voyage.roll(4).red(4, 5)
        assert voyage.told() == "9 each: both sides roll again"
        assert GAME.pending(voyage.state).dice == ("d6",)
    voyage = duel({"cannons": 3}, {"cannons": 5})
    for _ in range(3):
        voyage.roll(6, 4)
        assert voyage.told() == "9 each: both sides roll again"
        assert voyage.player == P[0]
    voyage.roll(6, 5)
    assert voyage.rules() == ["PRV-44"]


def test_battles_between_captains_are_refused_by_their_own_rule():
    """PRV-44: not by that of merchants, whoever does what else."""
    voyage = duel()
    assert voyage.refusal(roll(Die("d6", 1), Die("d6", 2))) == "PRV-44"
    assert voyage.refusal(Leave(P[0])) == "PRV-44"
    assert GAME.objection(voyage.state, GAME.layout(voyage.state)).rule == "PRV-44"
    voyage = hunt()
    assert voyage.refusal(roll(Die("d6", 1), Die("d6", 2))) == "PRV-40"
    assert voyage.refusal(Leave(P[0])) == "PRV-40"


def test_losing_to_a_merchant():
    """T6, PRV-28, PRV-42, PRV-43: the turn ends, nothing else is lost, the merchant stays."""
    voyage = hunt(cargo={"rum": 2}).roll(1).red(6, 6)
    assert voyage.rules() == ["PRV-40", "PRV-42"]
    assert voyage.told().startswith("The merchant wins the battle, 12 to 1 | ")
    assert voyage.player == P[1]
    assert voyage.asked() == "bounty"
    assert voyage.goods(0) == {"rum": 2}
    assert voyage.seats[0].cell == MERCHANT_AT
    voyage = hunt(cannons=5).roll(6).red(1, 1).do(Decline(P[0]))
    assert MERCHANT_AT in voyage.state.deck.sea.merchants


def test_twelve_against_eight():
    """T4, PRV-45, PRV-46: four lost, two held, two to the bank."""
    voyage = duel(
        {"cannons": 5, "relics": ["widow-maker"], "hold": 0, "cargo": {"rum": 1}},
        {"cannons": 4, "hold": 3, "cargo": {"sugar": 3, "fruit": 2}},
    )
    bank = voyage.bank("sugar") + voyage.bank("fruit")
    voyage.roll(6, 4)
    assert voyage.asked() == "plunder"
    text = "Red: take 4 of Blue's goods, or plunder nothing"
    told = f"{text}; your hold has space for 2, the rest goes to the bank"
    assert GAME.pending(voyage.state).text == told
    voyage.do(Take(P[0], P[1], "fruit"))
    assert voyage.refusal(Decline(P[0])) == "PRV-45"
    assert voyage.refusal(Take(P[0], P[1], "rum")) == "PRV-45"
    voyage.do(Take(P[0], P[1], "sugar"))
    assert voyage.goods(0) == {"rum": 1, "fruit": 1, "sugar": 1}
    text = "Red: take 2 more of Blue's goods; your hold is full, all of it goes to the bank"
    assert GAME.pending(voyage.state).text == text
    voyage.do(Take(P[0], P[1], "sugar"))
    assert voyage.rules() == ["PRV-46"]
    said = "Plunder is all or nothing: 1 good is still lost."
    assert GAME.check(voyage.state, Decline(P[0])).reason == said
    voyage.do(Take(P[0], P[1], "sugar"))
    assert voyage.goods(1) == {"fruit": 1}
    assert voyage.bank("sugar") + voyage.bank("fruit") == bank + 2
    assert voyage.asked() == "flight"


def test_the_loser_has_fewer():
    """T4, PRV-45: 3 is all there is; what leaves no choice follows by itself."""
    voyage = duel({"cannons": 5, "hold": 1}, {"cannons": 1, "cargo": {"sugar": 2, "fruit": 1}})
    voyage.roll(6, 6)
    assert GAME.pending(voyage.state).text == "Red: take 3 of Blue's goods, or plunder nothing"
    voyage.do(Take(P[0], P[1], "sugar"))
    assert voyage.rules() == ["PRV-45"] * 3
    assert voyage.goods(0) == {"sugar": 2, "fruit": 1}
    assert voyage.goods(1) == {}
    assert voyage.asked() == "flight"


def test_the_defender_may_win():
    """PRV-45, PRV-49: he plunders on the attacker's turn; the attacker's turn is over then."""
    voyage = duel({"cargo": {"rum": 1}}, {"cannons": 3}, third={})
    voyage.roll(2, 2)
    assert voyage.player == P[1]
    assert voyage.legal() == (Take(P[1], P[0], "rum"), Decline(P[1]))
    voyage.do(Take(P[1], P[0], "rum"))
    assert voyage.goods(1) == {"rum": 1}
    assert GAME.pending(voyage.state).player == P[0]
    voyage.colour("cartagena")
    assert voyage.seats[0].cell == (3, 11)
    assert voyage.asked() == "bounty"
    assert voyage.player == P[1]


def test_the_loser_flees_plundered_or_not():
    """PRV-47: also when nothing is taken, or nothing is there."""
    voyage = duel({"cannons": 5}, {"cargo": {"rum": 2}}).roll(6, 1).do(Decline(P[0]))
    assert voyage.asked() == "flight"
    assert voyage.player == P[1]
    voyage = duel({"cannons": 5}).roll(6, 1)
    assert voyage.asked() == "flight"
    assert {p for _, p in GAME.chance_outcomes(voyage.state)} == {
        GAME.info.dice[1].distribution()[0][1]
    }
    assert voyage.refusal(roll(Die("d6", 1))) == "PRV-47"
    voyage.colour("caracas")
    assert voyage.seats[1].cell == (12, 11)


def test_sent_to_a_port_and_straight_back():
    """T7, PRV-48, PRV-58: no trade there now, nor when he leaves and comes back."""
    voyage = duel({"cannons": 5}).roll(6, 1).colour("caracas")
    assert voyage.player == P[1]
    assert voyage.asked() == "bounty"
    voyage.draw("norther").sail((12, 10))
    voyage.draw("land-breeze").sail((7, 5))
    voyage.draw("false-bottom").sail((12, 11))
    assert voyage.asked() == "bounty"
    assert voyage.player == P[0]


def test_money_and_relics_are_not_plundered():
    """PRV-50."""
    voyage = duel({"cannons": 5}, {"silver": 30, "relics": ["fiddle"], "cargo": {"rum": 1}})
    voyage.roll(6, 1).do(Take(P[0], P[1], "rum"))
    assert voyage.seats[1].silver == 30
    assert voyage.seats[1].relics == ("fiddle",)
    assert voyage.seats[0].silver == 10


def test_what_dice_and_plunder_are_called():
    """PRV-4, PRV-41, PRV-47: the colour die is a good or a port, as the moment has it."""
    voyage = hunt(cannons=5).roll(6).red(1, 1)
    assert [GAME.describe(voyage.state, a) for a in voyage.legal()] == [
        "Red: plunder the merchant",
        "Red: let the merchant go",
    ]
    voyage.do(Plunder(P[0]))
    texts = [GAME.describe(voyage.state, a) for a, _ in GAME.chance_outcomes(voyage.state)]
    assert "Red rolls sugar (Caracas)" in texts
    voyage = duel({"cannons": 5}, {"cargo": {"rum": 2}}).roll(6, 1)
    assert GAME.describe(voyage.state, Take(P[0], P[1], "rum")) == "Red: take 1 rum from Blue"
    assert GAME.describe(voyage.state, Decline(P[0])) == "Red: plunder nothing"
    voyage.do(Decline(P[0]))
    texts = [GAME.describe(voyage.state, a) for a, _ in GAME.chance_outcomes(voyage.state)]
    assert "Blue rolls Caracas" in texts

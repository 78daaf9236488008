"""In port: PRV-51 to PRV-60, vectors T9, T11 and T14."""

import pytest

from companion.rules.game import CHANCE, GameOver, Happening
from companion.rules.privateer.actions import Buy, Discard, DrawPortCard, Leave, Sell, Upgrade
from tests.unit.rules.privateer.voyage import GAME, P, house, make_voyage

TORTUGA = (12, 0)


def visit(**ship):
    """Return a voyage in which red has just entered Tortuga: rum 2, cinnamon 3; buys the rest."""
    options = ship.pop("options", {})
    ship = {"cell": (11, 0), "silver": 20, **ship}
    voyage = make_voyage(ship, {}, slots={"tortuga": "glut-of-rum"}, **options)
    return voyage.sail(TORTUGA)


def card_of_tortuga(voyage):
    return voyage.state.slots[voyage.state.deck.port_of_id["tortuga"]]


def test_a_port_card_says_what_is_bought_and_sold():
    """PRV-51: nothing else can be traded; everybody sees the prices."""
    voyage = visit(cargo={"fruit": 1})
    assert voyage.refusal(Buy(P[0], "sugar", 1)) == "PRV-51"
    assert voyage.refusal(Sell(P[0], "rum", 1)) == "PRV-51"
    note = "Tortuga sells rum at 2 and cinnamon at 3; buys paprika at 6, tobacco at 7,"
    assert any(n.startswith(note) for n in GAME.view(voyage.state, None).notes)


def test_buying_and_selling():
    """PRV-52: silver, cargo and bank change together, and all is told."""
    voyage = visit(cargo={"fruit": 1})
    voyage.do(Buy(P[0], "rum", 2))
    assert (voyage.seats[0].silver, voyage.goods(0)) == (16, {"fruit": 1, "rum": 2})
    assert voyage.bank("rum") == 10
    assert voyage.happenings[0].coins == ((P[0], -4),)
    assert voyage.told() == "Red buys 2 rum for 4 silver"
    voyage.do(Sell(P[0], "fruit", 1))
    assert (voyage.seats[0].silver, voyage.goods(0)) == (22, {"rum": 2})
    assert voyage.bank("fruit") == 12
    assert voyage.happenings[0].coins == ((P[0], 6),)


def test_limits_of_buying_and_selling():
    """PRV-52: purse, hold, bank and what one has."""
    voyage = visit(silver=5, hold=2)
    assert voyage.refusal(Buy(P[0], "rum", 3)) == "PRV-52"
    assert voyage.refusal(Buy(P[0], "rum", 0)) == "PRV-52"
    assert voyage.refusal(Sell(P[0], "fruit", 1)) == "PRV-52"
    assert voyage.refusal(Sell(P[0], "fruit", -1)) == "PRV-52"
    voyage = visit()
    assert voyage.refusal(Buy(P[0], "rum", 4)) == "PRV-52"
    voyage = make_voyage(
        {"cell": (11, 0), "hold": 5, "silver": 60},
        slots={"tortuga": "glut-of-rum"},
        bank={"rum": 1},
    ).sail(TORTUGA)
    assert voyage.refusal(Buy(P[0], "rum", 2)) == "PRV-52"
    assert Buy(P[0], "rum", 1) in voyage.legal()


def test_any_number_in_any_order():
    """PRV-53, PRV-54: sell, upgrade, buy, sell, upgrade; then leave."""
    voyage = visit(cargo={"fruit": 2}, silver=0)
    for action in (
        Sell(P[0], "fruit", 1),
        Upgrade(P[0], "hold"),
        Buy(P[0], "rum", 1),
        Sell(P[0], "fruit", 1),
        Upgrade(P[0], "crew"),
    ):
        voyage.do(action)
        assert voyage.asked() == "trade"
    assert voyage.seats[0].silver == 6 - 3 - 2 + 6 - 3
    assert GAME.pending(voyage.state).passing == Leave(P[0])


def test_an_upgrade_is_the_next_step():
    """PRV-54, PRV-73: at its price; none beyond the last, none at sea, none on credit."""
    voyage = visit(cannons=2, sails=5)
    assert voyage.refusal(Upgrade(P[0], "sails")) == "PRV-54"
    assert voyage.refusal(Upgrade(P[0], "keel")) == "PRV-8"
    voyage.do(Upgrade(P[0], "cannons"))
    assert voyage.seats[0].ranks == (5, 0, 3, 0)
    assert voyage.seats[0].silver == 12
    assert voyage.told() == "Red upgrades Cannons to step 3 for 8 silver"
    voyage.do(Upgrade(P[0], "cannons"))
    assert voyage.seats[0].silver == 0
    assert voyage.refusal(Upgrade(P[0], "cannons")) == "PRV-54"
    at_sea = make_voyage({"cell": (7, 6), "silver": 20})
    assert at_sea.refusal(Upgrade(P[0], "cannons")) == "PRV-23"


def test_infamy_of_steps():
    """PRV-55, PRV-67: 1 each, 3 for the last of a track."""
    voyage = visit(silver=99)
    steps = []
    for _ in range(5):
        voyage.do(Upgrade(P[0], "sails"))
        steps.append(voyage.infamy(0))
    assert steps == [1, 2, 3, 4, 7]


def test_the_twentieth_infamy_in_port():
    """T9, PRV-65: step 5 of 5 at 17; the game ends before the port card is replaced."""
    voyage = visit(silver=40, sails=5, crew=4, cannons=4, cargo={"fruit": 1}, hold=2)
    assert voyage.infamy(0) == 17
    voyage.do(Sell(P[0], "fruit", 1)).do(Upgrade(P[0], "crew"))
    assert voyage.infamy(0) == 20
    assert voyage.asked() == "over"
    assert card_of_tortuga(voyage) == "glut-of-rum"
    assert isinstance(GAME.pending(voyage.state), GameOver)
    assert GAME.outcome(voyage.state).placing == ((P[0],), (P[1],))


@pytest.mark.parametrize(("ranks", "excess"), [({"hold": 3}, 1), ({"hold": 3, "crew": 1}, 1)])
def test_a_smaller_hold(ranks, excess):
    """T14, PRV-56: 8 becomes 6 with 7 goods aboard; the owner discards one, which is up to him."""
    cargo = {"rum": 4, "sugar": 3}
    voyage = make_voyage({}, {"cargo": cargo, **ranks}, bounty=["shipworm"])
    voyage.sail((3, 0)).draw("shipworm").roll(1)
    assert voyage.asked() == "discard"
    assert voyage.legal() == (Discard(P[1], "rum"), Discard(P[1], "sugar"))
    assert voyage.refusal(Discard(P[1], "fruit")) == "PRV-56"
    assert voyage.refusal(Leave(P[1])) == "PRV-56"
    assert f"give {excess} good back" in GAME.pending(voyage.state).text
    voyage.do(Discard(P[1], "rum"))
    assert voyage.rules() == ["PRV-56"]
    assert voyage.goods(1) == {"rum": 3, "sugar": 3}
    assert voyage.bank("rum") == 9
    assert voyage.asked() == "sail"


def test_a_smaller_hold_without_a_choice():
    """PRV-56: one type only; it is told which."""
    voyage = make_voyage({}, {"cargo": {"rum": 7}, "hold": 3}, bounty=["shipworm"])
    voyage.sail((3, 0)).draw("shipworm").roll(1)
    assert voyage.goods(1) == {"rum": 6}
    assert voyage.happenings[-1] == Happening("Blue gives 1 rum to the bank", "PRV-56")
    assert voyage.asked() == "sail"


def test_the_port_card_is_replaced_after_cargo_was_traded():
    """T11, PRV-57: an upgrade leaves it, a fruit sold does not. The set-up's rule is over."""
    voyage = visit().do(Upgrade(P[0], "crew")).leave()
    assert card_of_tortuga(voyage) == "glut-of-rum"
    assert voyage.asked() == "bounty"
    voyage = visit(cargo={"fruit": 1}).do(Sell(P[0], "fruit", 1))
    assert card_of_tortuga(voyage) == "glut-of-rum"
    voyage.leave()
    assert card_of_tortuga(voyage) == ""
    assert voyage.asked() == "draw_port_card"
    assert len(voyage.state.port_pile) == 12
    assert voyage.refusal(DrawPortCard(CHANCE, "glut-of-rum")) == "PRV-57"
    assert voyage.refusal(Leave(P[0])) == "PRV-57"
    voyage.do(DrawPortCard(CHANCE, "weddings"))
    assert voyage.rules() == ["PRV-57"]
    assert card_of_tortuga(voyage) == "weddings"
    assert voyage.player == P[1]


def test_upgrades_may_replace_it_too():
    """PRV-57: the table may read the turn summary so."""
    voyage = visit(options={"replace_on_upgrade": True}).do(Upgrade(P[0], "crew")).leave()
    assert card_of_tortuga(voyage) == ""
    voyage = visit(options={"replace_on_upgrade": True}).leave()
    assert card_of_tortuga(voyage) == "glut-of-rum"


def test_leaving_and_returning():
    """PRV-58, PRV-59: a port entered but not used is closed until another was visited."""
    voyage = visit().leave()
    voyage.draw("norther").sail((12, 0))
    voyage.draw("land-breeze").sail((10, 0))
    voyage.draw("doldrums").sail((12, 0))
    voyage.draw("false-bottom").sail(TORTUGA)
    closed = "Red visited Tortuga last: no deals before another port"
    assert voyage.happenings == [Happening(closed, "PRV-58")]
    assert voyage.asked() == "bounty"
    assert voyage.seats[0].last == voyage.state.deck.port_of_id["tortuga"]


def test_an_empty_port_pile_is_shuffled_again():
    """PRV-60: the cards that lie at ports stay there."""
    few = house(lambda d: d.update(port_card=d["port_card"][:6]))
    card = "glut-of-rum"
    few["port_card"][0] = next(c for c in house()["port_card"] if c["id"] == card)
    voyage = make_voyage(
        {"cell": (11, 0), "cargo": {"fruit": 1}}, slots={"tortuga": card}, deck=few
    )
    voyage.sail(TORTUGA).do(Sell(P[0], "fruit", 1)).leave()
    assert voyage.state.port_pile == ()
    asked = "Red: shuffle the discarded port cards and draw one for Tortuga"
    assert GAME.pending(voyage.state).text == asked
    assert voyage.legal() == ()
    assert [a.card for a in GAME.legal_actions(voyage.state, CHANCE)] == [card]


def test_an_empty_bounty_pile_is_shuffled_again():
    """PRV-60: relics in play stay with their captains."""
    voyage = make_voyage({}, {"relics": ["fiddle"]}, bounty=[]).sail((3, 0))
    assert len(voyage.draws()) == 23
    assert "fiddle" not in voyage.draws()
    asked = "Blue: shuffle the discarded bounty cards and draw one"
    assert GAME.pending(voyage.state).text == asked
    voyage.draw("norther")
    assert len(voyage.state.bounty_pile) == 22
    voyage.sail((12, 0))
    assert GAME.pending(voyage.state).text == "Red: draw a bounty card"


def test_a_single_fortune_is_drawn_again_and_again():
    """PRV-60: all others are relics and held; the card drawn is the discard at once."""
    few = house(lambda d: d.update(bounty=[c for c in d["bounty"] if c["id"] in ("fiddle", "fog")]))
    voyage = make_voyage({}, {"relics": ["fiddle"]}, bounty=[], deck=few)
    for _ in range(3):
        voyage.sail(voyage.state.seat.cell)
        assert voyage.draws() == ["fog"]
        voyage.draw("fog")


def test_what_deals_are_called():
    """PRV-52, PRV-54: with the printed price."""
    voyage = visit(cargo={"fruit": 1})
    texts = [GAME.describe(voyage.state, action) for action in voyage.legal()]
    for text in (
        "Red: buy 2 rum for 4 silver",
        "Red: sell 1 fruit for 6 silver",
        "Red: upgrade Crew for 3 silver",
        "Red: leave the port",
    ):
        assert text in texts

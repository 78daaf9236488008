"""Players, set-up, options, and who begins."""

import pytest

from companion.errors import BadOptions, IllegalAction
from companion.rules.ahoy_matey.actions import LeaveVariant, PickVariant, WalkThePlank
from companion.rules.ahoy_matey.options import TWO_BOARDS, VARIANTS
from companion.rules.ahoy_matey.rules import AhoyMatey
from companion.rules.game import PlayerId
from companion.rules.options import playable

GAME = AhoyMatey()


@pytest.mark.parametrize(
    ("players", "fleets"),
    [
        (2, ["suns", "moons"]),
        (3, ["suns", "crowns", "moons"]),
        (4, ["suns", "crowns", "moons", "arms"]),
    ],
)
def test_seating(opening, players, fleets):
    """AHM-2, AHM-12: clockwise from the north; two sit opposite, three leave the west empty."""
    game = opening(players)
    assert [fleet.colour for fleet in game.state.fleets] == fleets
    assert [fleet.player for fleet in game.state.fleets] == list(range(players))


def test_everybody_has_three_ships(opening):
    """AHM-3: three coins of a suit; the null marks a wind, the ace the harbour."""
    assert opening(4).state.position.reserve == (3, 3, 3, 3)


@pytest.mark.parametrize("players", [1, 9])
def test_too_few_or_many_players(opening, players):
    """AHM-2: two to four players, up to eight with a second pack."""
    with pytest.raises(BadOptions, match="2 to 8"):
        opening(players)


def test_five_players_need_a_second_board(opening):
    """AHM-2: one board has four harbours."""
    with pytest.raises(BadOptions, match="Pieces of Eight") as refused:
        opening(5)
    assert refused.value.option == "pieces_of_eight"
    assert len(opening(5, pieces_of_eight=True).state.fleets) == 5


def test_the_highest_roller_begins(opening):
    """AHM-14: one die each; then the turns go clockwise."""
    game = opening(3)
    assert game.asked() == "first"
    game.roll(2).roll(5).roll(4)
    assert game.rules() == ["AHM-14"]
    assert game.player == 1
    game.roll(3, 4)
    assert game.player == 2
    game.roll(3, 4)
    assert game.player == 0
    assert game.state.round == 1  # their first go; a round is one go of every captain
    game.roll(3, 4)
    assert (game.player, game.state.round) == (1, 2)


def test_a_round_goes_on_past_who_began_it_and_is_out(voyage):
    """AHM-14, AHM-43: the second began and has lost every ship; their place still counts."""
    ships = {"suns": ["C6"], "crowns": [], "moons": ["C8"]}
    game = voyage(ships, (), players=3, first=PlayerId(1)).roll(1, 1)
    game.run("C6", 1, "north").run("C5", 1, "north")
    assert (game.player, game.state.round) == (2, 2)
    game.roll(1, 1).run("C8", 1, "south").run("C9", 1, "south")
    assert (game.player, game.state.round) == (0, 2)


def test_states_from_before_it_was_known_who_began_stay_readable(opening):
    game = opening(3)
    data = GAME.to_json(game.state)
    del data["first"]
    assert GAME.from_json(data) == game.state


def test_ties_roll_again(opening):
    """AHM-14: only those who tied."""
    game = opening(3).roll(5).roll(2).roll(5)
    assert game.state.stage.contenders == (0, 2)
    assert game.player == 0
    game.roll(1).roll(3)
    assert game.player == 2


def test_nobody_else_rolls_or_moves(voyage):
    """AHM-14: a refusal says whose turn it is."""
    game = voyage({"suns": ["C6"], "moons": ["C9"]}, (1, 2))
    stranger = game.action("C9", 1, "north")
    ruling = GAME.check(game.state, type(stranger)(PlayerId(1), (3, 9), 1, 0))
    assert ruling.rule == "AHM-14"
    assert "Moons" in ruling.reason
    ruling = GAME.check(game.state, type(stranger)(PlayerId(7), (3, 9), 1, 0))
    assert ruling.rule == "AHM-2"


def test_the_table_makes_a_cheat_walk_the_plank(voyage):
    """AHM-46: the next turn is forfeited; the turn under way is not."""
    game = voyage({"suns": ["C6"], "moons": ["F9"]}, (1, 2))
    asides = GAME.asides(game.state)
    assert asides == (WalkThePlank(PlayerId(0)), WalkThePlank(PlayerId(1)))
    texts = [GAME.describe(game.state, action) for action in asides]
    assert texts == [
        "Suns: walk the plank (forfeit a turn)",
        "Moons: walk the plank (forfeit a turn)",
    ]
    assert [GAME.parse(game.state, text) for text in texts] == list(asides)
    game.do(WalkThePlank(PlayerId(0)))
    assert game.rules() == ["AHM-46"]
    assert GAME.view(game.state, None).notes[-1] == "Suns forfeits 1 turn"
    game.run("C6", 1, "north").run("C5", 2, "north")
    assert game.player == 1
    game.roll(1, 1).run("F9", 1, "west").run("E9", 1, "west")
    assert game.rules() == ["AHM-46"]
    assert game.player == 1
    assert game.state.penalties == (0, 0)
    assert game.state.turns == 4


def test_whoever_is_out_forfeits_nothing(voyage):
    """AHM-46: one penalty for every player still in play."""
    game = voyage({"suns": ["C6"], "crowns": [], "moons": ["F9"]}, (1, 2), players=3)
    assert WalkThePlank(PlayerId(1)) not in GAME.asides(game.state)
    with pytest.raises(IllegalAction, match="AHM-46"):
        GAME.apply(game.state, WalkThePlank(PlayerId(1)))


def test_no_turn_is_said_to_be_forfeited_once_there_is_none(voyage):
    """AHM-46: neither by a captain who has lost every ship since, nor after the end."""
    ships = {"suns": ["C6"], "crowns": ["C8"], "moons": ["F9"]}
    game = voyage(ships, (2, 3), players=3).do(WalkThePlank(PlayerId(1)))
    assert GAME.view(game.state, None).notes[-1] == "Crowns forfeits 1 turn"
    game.run("C6", 2, "south").run("C8", 3, "east")
    assert not [note for note in GAME.view(game.state, None).notes if "forfeits" in note]
    game = voyage({"suns": ["C6"], "moons": ["C8"]}, (2, 3)).do(WalkThePlank(PlayerId(0)))
    game.run("C6", 2, "south")
    assert game.asked() == "over"
    assert not [note for note in GAME.view(game.state, None).notes if "forfeits" in note]


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_has_its_option(name):
    """Title, text and group stand on the set-up page."""
    option = next(option for option in GAME.info.options if option.id == name)
    assert option.kind == "flag"
    assert option.title == VARIANTS[name].title
    assert option.text.endswith(".")
    assert option.group


@pytest.mark.parametrize(
    ("one", "other", "players"),
    [
        ("isla_diablo", "flotilla", 2),
        ("dominion", "armada", 2),
        ("dominion", "brethren", 2),
        ("armada", "brethren", 2),
        ("dominion", "pieces_of_eight", 2),
        ("armada", "doubloons", 2),
        ("ghost_fleet", "badly_drawn_map", 3),
        ("pieces_of_eight", "doubloons", 2),
        ("pieces_of_eight", "badly_drawn_map", 2),
        ("doubloons", "badly_drawn_map", 2),
    ],
)
def test_variants_that_contradict_each_other(opening, one, other, players):
    """AHM-V19: a set that cannot be played is refused with the reason, at its option."""
    opening(players, **{one: True})
    opening(players, **{other: True})
    with pytest.raises(BadOptions) as refused:
        opening(players, **{one: True, other: True})
    assert refused.value.option in (one, other)
    reason = str(refused.value)
    assert reason.endswith(".")
    assert len(reason.split()) > 6


@pytest.mark.parametrize(
    ("name", "players"),
    [("dominion", 3), ("armada", 4), ("ghost_fleet", 2), ("world_domination", 3), ("brethren", 5)],
)
def test_variants_for_so_many_players(opening, name, players):
    """AHM-V11 to V14, AHM-V18: the number of players is told."""
    more = {"pieces_of_eight": True} if players > 4 else {}
    with pytest.raises(BadOptions, match=f"not {players}") as refused:
        opening(players, **{name: True}, **more)
    assert refused.value.option == name


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("armada", "pieces_of_eight", "Armada shares out the four harbours of one board"),
        ("armada", "brethren", "Brethren for the one opposite"),
        ("dominion", "ghost_fleet", "Dominion is for 2 players, Ghost Fleet for 3."),
    ],
)
def test_why_nobody_can_play_so_is_said(one, other, said):
    """The start page told a host of two players: "Armada is for 2 players, not 8"."""
    with pytest.raises(BadOptions, match=said):
        playable(GAME, {one: True, other: True})


def test_the_turn_cap_is_a_number(opening):
    """AHM-45: ten turns at least."""
    assert opening(turn_cap=10).state.options.turn_cap == 10
    for wrong in (9, 3.5, "many", True):
        with pytest.raises(BadOptions, match="10 to 2000 turns") as refused:
            opening(turn_cap=wrong)
        assert refused.value.option == "turn_cap"


def test_parlay_offers_one_variant_after_the_other(opening):
    """AHM-V19: the high roller takes or leaves each; what is contradicted is left out."""
    game = opening(parlay=True).roll(2).roll(4)
    assert game.asked() == "parlay"
    assert game.player == 1
    offered = []
    while game.asked() == "parlay":
        name = game.state.stage.offer
        offered.append(name)
        keen = name in ("isla_diablo", "hurricane", "armada")
        game.do((PickVariant if keen else LeaveVariant)(game.player, name))
    assert offered == [
        name
        for name in VARIANTS
        if name not in (*TWO_BOARDS, "flotilla", "ghost_fleet", "brethren")
    ]
    assert game.state.options.chosen == ("isla_diablo", "hurricane", "armada")
    assert game.state.options.dice == 3
    assert game.ships("crowns") == ["G5", "G6", "east"]
    assert game.asked() == "roll"
    assert game.player == 1
    assert GAME.view(game.state, None).notes[-1] == "Played with Isla Diablo, Hurricane and Armada"


def test_parlay_with_a_second_pack(opening):
    """AHM-V19: only then games on two boards are on offer."""
    game = opening(3, parlay=True, second_pack=True).roll(5).roll(4).roll(3)
    while game.asked() == "parlay":
        name = game.state.stage.offer
        keen = name in TWO_BOARDS
        game.do((PickVariant if keen else LeaveVariant)(game.player, name))
    assert game.state.options.chosen == ("pieces_of_eight",)
    assert game.asked() == "toss"


def test_only_the_variant_on_offer_is_decided(opening):
    """AHM-V19: in order."""
    game = opening(parlay=True).roll(4).roll(2)
    assert game.refusal(PickVariant(game.player, "hurricane")) == "AHM-V19"
    passing = GAME.pending(game.state).passing
    assert passing == LeaveVariant(game.player, "isla_diablo")


def test_parlay_leaves_what_was_agreed(opening):
    """AHM-V19: variants chosen at set-up stay."""
    game = opening(parlay=True, hurricane=True).roll(4).roll(2)
    while game.asked() == "parlay":
        assert game.state.stage.offer != "hurricane"
        game.do(LeaveVariant(game.player, game.state.stage.offer))
    assert game.state.options.chosen == ("hurricane",)

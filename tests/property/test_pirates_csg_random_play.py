"""Random games of Pirates CSG with random options; nothing appears or vanishes but by its rule."""

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.pirates_csg import actions as a
from companion.rules.pirates_csg import harbour_actions as h
from companion.rules.pirates_csg.codec import CODEC
from companion.rules.pirates_csg.state import State, price
from tests.playing import asked_player
from tests.property.random_play import JSON_VALUES, Rulebook
from tests.unit.rules.pirates_csg.shipyard import GAME, NAMES, lively
from tests.unit.rules.pirates_csg.wars import WARS

BOOK = Rulebook(GAME, "CSG-")
LONGEST = 4000
MEASURED = (a.Move, a.ComeAbout, a.Place, a.LayOut)
"""What is legal without being listed."""

OPTIONS = st.fixed_dictionaries(
    {"rounds": st.integers(1, 4)},
    optional={
        "fleets": st.sampled_from(["ready", "choose", "build"]),
        "build_points": st.integers(40, 90),
        "nations": st.sampled_from(["mixed", "single"]),
        "islands": st.integers(3, 4),
        "island_gold": st.integers(0, 7),
        "treasures": st.integers(0, 6),
        "terrain": st.booleans(),
        "monopoly": st.booleans(),
        "upkeep_default": st.sampled_from(["idle", "scuttle", "debt"]),
        "turn_limit": st.sampled_from([90, 180]),
        "ramming": st.sampled_from(["masts", "off"]),
        "pinning": st.booleans(),
        "board_tie": st.sampled_from(["nothing", "defender"]),
        "one_misses": st.booleans(),
        "explorer_keeps_base": st.booleans(),
        "own_masts_block": st.booleans(),
        "short_mm": st.integers(40, 60),
        "long_mm": st.integers(70, 110),
        "tolerance_mm": st.integers(1, 12),
    },
)


def wealth(state: State) -> int:
    """Return all gold there is: purses, coins aboard and ashore."""
    purses = sum(seat.gold for seat in state.seats)
    return purses + sum(sum(p.coins) for p in (*state.ships, *state.islands))


def goods(state: State) -> int:
    """Return all tokens there are."""
    return sum(sum(s.tokens) for s in state.ships) + sum(sum(i.stock) for i in state.islands)


def worth_of(state: State, treasures) -> int:
    return sum(state.deck.treasure[t].gold for t in treasures)


def check_economy(state: State, action, step) -> None:
    """CSG-57, CSG-49, CSG-20: every coin and token that comes or goes does so by a rule."""
    after, told = step.state, {happening.rule for happening in step.happenings}
    left = [s for s in state.ships if s.tag not in {t.tag for t in after.ships}]
    dismissed = "CSG-85" in told and isinstance(action, a.Move | a.ComeAbout | a.Place)
    gold, tokens = 0, 0
    if dismissed:
        gold += sum(worth_of(state, s.treasures) for s in left)
    else:
        gold -= sum(sum(s.coins) for s in left)
        tokens -= sum(sum(s.tokens) for s in left)
    gold += paid_by(state, action, step)
    tokens += moved_by(state, action, step)
    assert wealth(after) - wealth(state) == gold, action
    if "CSG-83" in told:  # a razed colony gives one load of what it produces
        assert 0 <= goods(after) - goods(state) - tokens <= 4
    else:
        assert goods(after) - goods(state) == tokens, action


def paid_by(state: State, action, step) -> int:
    """Return the gold that an action brings in or costs."""
    deck, after = state.deck, step.state
    match action:
        case h.Convert(resource=resource, count=count):
            return count * price(state.row, resource)
        case h.BuyShip(card=card):
            return -deck.ship[card].cost
        case h.Hire(card=card):
            return -deck.crewman[card].cost
        case a.PickFleet(fleet=fleet):
            return -deck.fleet_cost(deck.fleet[fleet])
        case h.BuyUpgrade(upgrade=upgrade):
            fort = deck.fort.get(upgrade.removeprefix("fort:"))
            return -(fort.cost if fort else 10)
        case a.EndTurn():
            return -upkeep(state)
        case h.UnloadGold(ship=tag):
            ship = next(s for s in state.ships if s.tag == tag)
            at_home = state.islands[ship.owner].tag == ship.docked
            return (worth_of(state, ship.treasures) if at_home else 0) + bonus(step, "CSG-6")
        case a.DrawTreasure(card=card) if card in after.gone:
            return deck.treasure[card].gold
    return 0


def moved_by(state: State, action, step) -> int:
    """Return the tokens that an action makes or uses up."""
    match action:
        case h.Convert(count=count):
            return -count
        case a.TakeToken(resource=made, count=count) if type(state.stage).__name__ == "Loading":
            return count if is_made(state, made) else 0
        case h.Unload():
            return bonus(step, "CSG-36")
        case h.Trade():
            return -1
        case a.Repair():
            return -2 * ("CSG-55" in {h.rule for h in step.happenings})
        case h.DiscardStock(ship=tag):
            ship = next(s for s in state.ships if s.tag == tag)
            return -sum(next(i.stock for i in state.islands if i.tag == ship.blockade))
    return 0


def is_made(state: State, resource: int) -> bool:
    """Say whether an island produces a resource; what else is loaded there lay there."""
    return any(i.tag == state.stage.source and i.resource == resource for i in state.islands)


def bonus(step, rule: str) -> int:
    """Return what an ability of worth has added, as it is told."""
    texts = [h.text for h in step.happenings if h.rule == rule]
    return sum(int(word) for text in texts for word in text.split() if word.isdigit())


def upkeep(state: State) -> int:
    """CSG-49: one gold for each own ship that is not docked at home, as far as there is gold."""
    home = state.islands[state.turn].tag
    away = sum(s.owner == state.turn and s.docked != home for s in state.ships)
    if state.options.upkeep_default == "debt":
        return away
    return min(away, max(0, state.seats[state.turn].gold))


def check_cards(state: State, action, step) -> None:
    """CSG-32, CSG-33: crew and ships come by purchase; what is gone stays gone."""
    after = step.state
    assert {*state.gone} <= {*after.gone}
    crew = Counter(c for s in state.ships for c in s.crew)
    now = Counter(c for s in after.ships for c in s.crew)
    came = now - crew
    if isinstance(action, h.Hire):
        assert came == Counter([action.card])
    elif not isinstance(action, a.PickFleet):
        assert not came
    tags = {s.tag for s in after.ships} - {s.tag for s in state.ships}
    assert not tags or isinstance(action, h.BuyShip | a.PickFleet)
    named = {c for c in crew - now if not state.deck.crewman[c].is_generic}
    assert named <= {*after.gone} or any(state.deck.crewman[c].has("returns") for c in named)


def check_all(state: State, action, step) -> None:
    BOOK.check_step(step)
    assert CODEC.complaint(step.state) is None, (CODEC.complaint(step.state), action)
    check_economy(state, action, step)
    check_cards(state, action, step)


def play_on(state: State, random: Random, most: int) -> tuple[State, list]:
    """Play to the end or so many steps, and check everything on the way."""
    played: list = []
    while (asked := asked_player(GAME, state)) is not None and len(played) < most:
        choices = GAME.legal_actions(state, asked)
        action = lively(random, state, choices)
        step = GAME.apply(state, action)
        check_all(state, action, step)
        if random.random() < 0.08:
            BOOK.check_offers(state)
            BOOK.check_json(state, action)
            strangers = [p for p in played[-40:] if not isinstance(p, MEASURED)]
            BOOK.check_refusals(state, random.sample(strangers, min(4, len(strangers))))
            check_looks(state)
        state = step.state
        played.append(action)
    return state, played


def check_looks(state: State) -> None:
    """A state is hashable, is drawn by tag, and its own layout is what is awaited."""
    assert hash(state) == hash(GAME.from_json(GAME.to_json(state)))
    layout = GAME.layout(state)
    assert len(layout.pieces) == len(state.islands) + len(state.terrain) + sum(
        not s.lost_in for s in state.ships
    )
    poses = {tag: piece.pose for tag, piece in layout.pieces.items()}
    if type(state.stage).__name__ == "OnTurn":
        assert GAME.measured(state, poses) == ()
    BOOK.check_ruling(GAME.objection(state, layout))
    for seat in range(len(state.names)):
        assert GAME.view(state, seat) == GAME.view(state, None)


@settings(max_examples=7, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 3), options=OPTIONS)
def test_random_games(seed, players, options):
    """CSG-86: every game ends; gold, tokens and cards are accounted for in every step."""
    state, played = play_on(GAME.setup(NAMES[:players], options), Random(seed), LONGEST)
    assert len(played) < LONGEST
    BOOK.check_end(state)


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32), war=st.sampled_from(sorted(WARS)))
def test_random_play_in_the_middle_of_a_war(seed, war):
    """The same where ports stand, ships touch and cargo is aboard."""
    play_on(WARS[war]().state, Random(seed), 40)


def test_lively_captains_do_everything():
    """What the random games are worth: every phase is met, and every kind of action."""
    phases, kinds = set(), set()
    games = [GAME.setup(NAMES[:2], o) for o in ({"fleets": "build"}, {"fleets": "choose"})]
    games.append(GAME.setup(NAMES[:3], {"terrain": True, "rounds": 12}))
    starts = [(state, 260) for state in games]
    starts += [(make().state, 30) for make in WARS.values() for _ in range(7)]
    for number, (state, most) in enumerate(starts):
        random = Random(number)
        for _ in range(most):
            asked = asked_player(GAME, state)
            if asked is None:
                break
            phases.add(GAME.pending(state).phase)
            choices = GAME.legal_actions(state, asked)
            kinds |= {type(action) for action in choices}
            state = GAME.apply(state, lively(random, state, choices)).state
    missing = {phase.name for phase in GAME.phases.values()} - phases
    assert not missing
    assert set(a.KINDS) - kinds == {a.Surrender}


@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_surrender_at_any_moment(seed):
    """CSG-89: whatever is going on, somebody may give up; the others play on."""
    random = Random(seed)
    make = WARS[random.choice(sorted(WARS))]
    state = BOOK.wander(make().state, random.randrange(30), random, lively)
    while (asides := GAME.asides(state)) and asked_player(GAME, state) is not None:
        step = GAME.apply(state, random.choice(asides))
        assert CODEC.complaint(step.state) is None
        state = BOOK.wander(step.state, random.randrange(6), random, lively)
    assert asked_player(GAME, state) is None


def test_the_record_of_a_game_leads_to_its_end():
    """CSG-43 to CSG-91: a whole game, written down and played again."""
    options = {"rounds": 4, "treasures": 2, "terrain": True}
    state, played = play_on(GAME.setup(NAMES[:2], options), Random(8), LONGEST)
    BOOK.check_record(NAMES[:2], options, played, state)
    assert asked_player(GAME, state) is None


@settings(max_examples=60, deadline=None)
@given(data=st.data(), seed=st.integers(0, 1000))
def test_spoilt_json_raises_only_our_errors(data, seed):
    """States from outside: refused in our words, or playable."""
    random = Random(seed)
    make = WARS[random.choice(sorted(WARS))]
    BOOK.check_spoilt(data, BOOK.wander(make().state, random.randrange(12), random, lively))


@settings(max_examples=80, deadline=None)
@given(data=JSON_VALUES, kind=st.sampled_from([kind.name for kind in a.KINDS]))
def test_strange_actions_raise_only_our_errors(data, kind):
    """An action from outside is read, or refused in our words."""
    BOOK.check_strange_action(data, kind)

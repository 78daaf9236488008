"""How a game looks: the pieces on the table, seats, result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.rules.game import (
    Outcome,
    PlayerId,
)
from companion.rules.layout import Layout, Placed, make_layout
from companion.rules.pirates_csg.deck import COLOURS, NOBODY, RESOURCES
from companion.rules.pirates_csg.sea import afloat
from companion.rules.pirates_csg.sheets import sheets
from companion.rules.pirates_csg.stages import Finished
from companion.rules.pirates_csg.state import (
    SETTLEMENT,
    Island,
    State,
    card_of,
    find_ship,
    fleet_of,
    home_of,
    living,
    price,
)
from companion.rules.pirates_csg.terrain_data import TERRAIN_OUTLINE_MM
from companion.rules.pirates_csg.words import (
    UPGRADE_NAMES,
    island_name,
    tokens_listed,
    upgrade_name,
    who,
)
from companion.rules.views import SeatView, View
from companion.rules.words import capital, counted, listed


def layout(state: State) -> Layout:
    """Return every piece by its tag; ships lost in fog are taken off the table."""
    pieces: dict[int, Placed] = {}
    for island in state.islands:
        owner = island.home if island.home != NOBODY else island.owner
        colour = COLOURS[owner] if owner != NOBODY else ""
        name = island_name(state, island)
        shore = state.deck.island_mm
        pieces[island.tag] = Placed(island.pose, "island", name, colour, shore)
    for terrain in state.terrain:
        name = f"{terrain.kind} {terrain.tag}"
        pieces[terrain.tag] = Placed(terrain.pose, terrain.kind, name, "", TERRAIN_OUTLINE_MM)
    for ship in afloat(state):
        card = card_of(state, ship)
        pieces[ship.tag] = Placed(
            ship.pose, "ship", card.title, COLOURS[ship.owner], card.outline_mm, card.height_mm
        )
    return make_layout({}, (), pieces)


def stray(state: State, tag: int) -> str:
    """Say why a ship is not in play, once the rounds have begun (CSG-32, CSG-58)."""
    card = state.deck.ship_of_tag.get(tag)
    if not state.round or card is None or find_ship(state, tag) is not None:
        return ""
    if card.id in state.gone:
        return f"{card.title} (tag {tag}) is out of the game: take her away."
    remedy = "Buy her on a phone, or take her away."
    return f"{card.title} (tag {tag}) stands on the table, but nobody has bought her. {remedy}"


def view(state: State, phase: str, asked: int | None) -> View:
    """Return what everybody may know: all of it, for nothing in this game is hidden."""
    seats = tuple(_seat_view(state, player) for player in range(len(state.seats)))
    return View(phase, state.round, seats, tuple(_notes(state)), sheets=sheets(state, asked))


def _seat_view(state: State, player: int) -> SeatView:
    ships = list(fleet_of(state, player))
    stored = home_of(state, player).stock
    scores = {
        "gold": state.seats[player].gold,
        "tokens": sum(stored),
        "islands": sum(i.owner == player and bool(i.building) for i in state.islands),
    }
    name = state.names[player]
    return SeatView(PlayerId(player), name, (COLOURS[player],), scores, len(ships))


def _lasts(rounds: int) -> str:
    if rounds < 0:
        return "until it is rolled anew"
    return f"for {counted(rounds, 'more round', 'more rounds')}" if rounds else "this round"


def _notes(state: State) -> Iterator[str]:
    if state.row:
        prices = listed(f"{name} {price(state.row, r)}" for r, name in enumerate(RESOURCES))
        yield f"Market: {prices}; {_lasts(state.until - state.round)}"
    alike: dict[str, list[Island]] = {}
    for island in state.islands:
        alike.setdefault(_island_note(state, island), []).append(island)
    for note, islands in alike.items():
        if note:
            yield f"{_islands_named(state, islands)}: {note}"
    if state.gone:
        yield f"Out of the game: {counted(len(state.gone), 'card', 'cards')}"


def _island_note(state: State, island: Island) -> str:
    parts = []
    if island.resource != NOBODY:
        parts.append(f"produces {RESOURCES[island.resource]}")
    if island.building:
        kind = UPGRADE_NAMES[island.building]
        text = f"{who(state, island.owner)}'s {kind}"
        if island.building == SETTLEMENT and island.hits:
            text += f", hit {island.hits} of 3"
        if island.guns:
            text += f" with {counted(len(island.guns), 'gun', 'guns')}"
        parts.append(text)
    if island.camps:
        camps = "encampment" if len(island.camps) == 1 else "encampments"
        parts.append(f"{camps} of {listed(who(state, seat) for seat in island.camps)}")
    for kind, seat in island.arriving:
        parts.append(f"{who(state, seat)} builds: {upgrade_name(state, kind)}")
    if any(island.stock):
        lie = "lies" if sum(island.stock) == 1 else "lie"
        parts.append(f"{tokens_listed(island.stock)} {lie} there")
    if island.coins:
        parts.append(f"{sum(island.coins)} gold lies there")
    if island.hidden:
        parts.append("a treasure lies face down")
    return "; ".join(parts)


def _islands_named(state: State, islands: Sequence[Island]) -> str:
    """Name islands of which the same is said: ``"Islands 103, 104 and 107, each"``."""
    if len(islands) == 1:
        return capital(island_name(state, islands[0]))
    if any(island.home != NOBODY for island in islands):
        return f"{capital(listed(island_name(state, island) for island in islands))}, each"
    return f"Islands {listed(island.tag for island in islands)}, each"


def worth(state: State, player: int) -> tuple[int, int, int]:
    """Return what decides when time is over: gold, ships, resources at today's price (CSG-90)."""
    stock = home_of(state, player).stock
    value = sum(n * price(state.row or 1, r) for r, n in enumerate(stock))
    return state.seats[player].gold, sum(1 for _ in fleet_of(state, player)), value


TIES = (
    "the most gold wins",
    "gold is equal, the most ships win",
    "gold and ships are equal, the resources worth most win",
)
"""What decides when time is over, in turn (CSG-90)."""
REASONS = {
    "CSG-87": "{} has the only ships left",
    "CSG-88": "{} owns every island that produces",
    "CSG-89": "{} is the last who has not surrendered",
    "CSG-91": "Nobody has a ship left; {} was on turn",
}


def outcome(state: State, stage: Finished) -> Outcome:
    """Return the result: who fulfilled a condition, then by gold (CSG-86 to CSG-90)."""
    places: dict[tuple[bool, bool, tuple[int, int, int]], list[PlayerId]] = {}
    for player, seat in enumerate(state.seats):
        merit = (player == stage.winner, not seat.is_out, worth(state, player))
        places.setdefault(merit, []).append(PlayerId(player))
    placing = tuple(tuple(places[merit]) for merit in sorted(places, reverse=True))
    if stage.rule == "CSG-86":
        text = f"{counted(state.round, 'round is', 'rounds are')} over; {_decided(state)}"
        return Outcome(text, stage.rule, placing)
    if stage.winner == NOBODY:
        return Outcome("Nobody has a ship left", stage.rule, placing)
    return Outcome(REASONS[stage.rule].format(who(state, stage.winner)), stage.rule, placing)


def _decided(state: State) -> str:
    """Say what decided between the best two when time was over (CSG-86, CSG-90)."""
    merits = sorted((worth(state, player) for player in living(state)), reverse=True)
    for place, text in enumerate(TIES):
        if len({merit[place] for merit in merits[:2]}) == len(merits[:2]):
            return text
    return "gold, ships and resources are equal: they share it"

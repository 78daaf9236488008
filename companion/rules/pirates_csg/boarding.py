"""Ramming, boarding and what the winner takes (CSG-21 to CSG-23, CSG-67, CSG-80, CSG-82)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from companion.rules.deeds import Deed, Roll
from companion.rules.game import ChanceRoll, Decision, Happening, PlayerId, Ruling, Step
from companion.rules.layout import Pose
from companion.rules.phases import Chance, Choice, no, stage_of
from companion.rules.pirates_csg.actions import (
    Board,
    KillCrew,
    Move,
    Ram,
    TakeCoin,
    TakeNoMore,
    TakeToken,
    TakeTreasure,
)
from companion.rules.pirates_csg.arrivals import arrive
from companion.rules.pirates_csg.deck import SHORT
from companion.rules.pirates_csg.dice import D6_ODDS, ask_die, face_of, refuse_die
from companion.rules.pirates_csg.doing import Doing, own_ships, refuse_ship
from companion.rules.pirates_csg.fates import buried, captured, unexplored
from companion.rules.pirates_csg.hits import hit
from companion.rules.pirates_csg.manoeuvres import standard_moves
from companion.rules.pirates_csg.measuring import found_moves
from companion.rules.pirates_csg.sailing import path_of, put, refuse_way
from companion.rules.pirates_csg.sea import (
    bow_touches,
    hull,
    hull_at,
    ships_touch,
    shore,
    touches,
)
from companion.rules.pirates_csg.state import (
    COLONIES,
    MOST_OF_A_KIND,
    MOVE,
    PLAYERS,
    SETTLEMENT,
    Island,
    Looting,
    OnTurn,
    Retreating,
    RollingBoard,
    RollingRam,
    Ship,
    State,
    amount,
    card_of,
    did,
    find_island,
    find_ship,
    fleet_of,
    island_of,
    room_for,
    shifted,
    ship_of,
    space,
    with_island,
    with_ship,
)
from companion.rules.pirates_csg.words import (
    UPGRADE_NAMES,
    Told,
    island_name,
    name_of,
    ship_name,
    tokens_listed,
    tokens_text,
    who,
)

T = TypeVar("T")
RAM, BOARD = "ram", "board"
TOWN_MASTS, COLONY_MASTS = 2, 4
"""What a settlement and a colony count as in a boarding (CSG-67, CSG-82)."""
MOST_TOKENS = 3
"""Tokens the winner may take (CSG-80)."""


class RamShip(Doing[Ram]):
    """Ram the ship that the bow touches after a move (CSG-21)."""

    takes = Ram

    def candidates(self, state: State) -> Iterator[Ram]:
        """Every enemy, for every ship that has moved."""
        for ship in own_ships(state):
            if MOVE in ship.done:
                yield from (
                    Ram(state.player, ship.tag, s.tag) for s in state.ships if s.owner != ship.owner
                )

    def refuse(self, state: State, action: Ram) -> Ruling | None:
        """Refuse who has not moved, has rammed or boarded already, or does not touch."""
        refusal = refuse_ship(state, action.ship, "CSG-21")
        if refusal is not None:
            return refusal
        ship, target = ship_of(state, action.ship), find_ship(state, action.target)
        name = ship_name(state, ship)
        if state.options.ramming == "off":
            return no("CSG-21", "This table plays without ramming.")
        if MOVE not in ship.done or RAM in ship.done or BOARD in ship.done:
            return no("CSG-21", f"{name} rams once, right after her move and before she boards.")
        if target is None or target.owner == ship.owner or target.is_derelict:
            return no("CSG-21", "Ram an enemy's ship that has masts.")
        if not bow_touches(state, ship, target):
            return no("CSG-21", f"The bow of {name} does not touch {ship_name(state, target)}.")
        return None

    def play(self, state: State, action: Ram) -> Step[State]:
        """Roll for it."""
        state = with_ship(state, did(ship_of(state, action.ship), RAM))
        target = replace(ship_of(state, action.target), pinned_by=action.ship)
        state = with_ship(state, target)._replace(stage=RollingRam(action.ship, action.target))
        text = f"{name_of(state, action.ship)} rams {ship_name(state, target)}"
        return Step(state, (Happening(text, "CSG-21"),))


class RollRam(Chance[State, Roll]):
    """The rammer must roll higher than the masts of the other (CSG-21)."""

    name, rule, takes = "roll_ram", "CSG-21", (Roll,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask the captain on turn."""
        stage = stage_of(state, RollingRam)
        masts = len(ship_of(state, stage.target).masts)
        text = f"{who(state, state.turn)}: roll for the ram, more than {masts} takes a mast"
        return ask_die(state.turn, self.name, text)

    def odds(self, state: State) -> tuple[tuple[Roll, Fraction], ...]:
        """One die."""
        return D6_ODDS

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """Refuse other dice."""
        return refuse_die(action, self.rule)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Take a mast or not."""
        stage = stage_of(state, RollingRam)
        target = ship_of(state, stage.target)
        if face_of(action) > len(target.masts):
            return hit(state, target.tag, OnTurn(), self.rule)
        text = f"The ram does {ship_name(state, target)} no harm"
        return Step(state._replace(stage=OnTurn()), (Happening(text, self.rule),))


def defender_of(state: State, target: int) -> int:
    """Return who defends a ship, settlement or colony."""
    ship = find_ship(state, target)
    return ship.owner if ship else island_of(state, target).owner


class BoardIt(Doing[Board]):
    """Board a ship or a town that the ship touches (CSG-23, CSG-67, CSG-82)."""

    takes = Board

    def candidates(self, state: State) -> Iterator[Board]:
        """Every enemy ship and town."""
        towns = [i.tag for i in state.islands if i.building in (SETTLEMENT, *COLONIES)]
        foes = [s.tag for s in state.ships if s.owner != state.turn]
        for ship in own_ships(state):
            if BOARD not in ship.done:
                yield from (Board(state.player, ship.tag, tag) for tag in (*foes, *towns))

    def refuse(self, state: State, action: Board) -> Ruling | None:
        """Refuse who has boarded already or does not touch."""
        refusal = refuse_ship(state, action.ship, "CSG-23")
        if refusal is not None:
            return refusal
        ship = ship_of(state, action.ship)
        name, other = ship_name(state, ship), name_of(state, action.target)
        if BOARD in ship.done:
            return no("CSG-23", f"{name} has boarded this turn; once a turn is allowed.")
        if ship.is_derelict or ship.lost_in:
            return no("CSG-19", f"{name} cannot board: a derelict only explores or repairs.")
        foe, town = find_ship(state, action.target), find_island(state, action.target)
        if foe is not None and foe.owner != ship.owner:
            if ships_touch(state, ship, foe):
                return None
            return no("CSG-23", f"{name} does not touch {other}: board whom you touch.")
        if (
            town is None
            or town.owner in (ship.owner, -1)
            or town.building
            not in (
                SETTLEMENT,
                *COLONIES,
            )
        ):
            return no("CSG-23", f"{other} cannot be boarded: it is no enemy's ship or town.")
        if ship.docked != town.tag:
            rule = "CSG-67" if town.building == SETTLEMENT else "CSG-82"
            return no(rule, f"{name} must be docked at {other} to board it.")
        return None

    def play(self, state: State, action: Board) -> Step[State]:
        """Roll for both."""
        state = with_ship(state, did(ship_of(state, action.ship), BOARD))
        text = f"{name_of(state, action.ship)} boards {name_of(state, action.target)}"
        state = state._replace(stage=RollingBoard(action.ship, action.target))
        return Step(state, (Happening(text, "CSG-23"),))


class RollBoard(Chance[State, Roll]):
    """Both roll and add their masts; the higher wins (CSG-23)."""

    name, rule, takes = "roll_board", "CSG-23", (Roll,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask the attacker, then the defender."""
        stage = stage_of(state, RollingBoard)
        if not stage.attack:
            text = f"{who(state, state.turn)}: roll for {name_of(state, stage.ship)}, who boards"
            return ask_die(state.turn, self.name, text)
        seat = defender_of(state, stage.target)
        text = f"{who(state, seat)}: roll for {name_of(state, stage.target)}, who is boarded"
        return ask_die(seat, self.name, text)

    def odds(self, state: State) -> tuple[tuple[Roll, Fraction], ...]:
        """One die."""
        return D6_ODDS

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """Refuse other dice."""
        return refuse_die(action, self.rule)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Keep the attacker's roll, or settle it."""
        stage, face = stage_of(state, RollingBoard), face_of(action)
        if not stage.attack:
            return Step(state._replace(stage=replace(stage, attack=face)))
        ship = ship_of(state, stage.ship)
        attack = stage.attack + strength(state, ship)
        foe = find_ship(state, stage.target)
        town = None if foe else island_of(state, stage.target)
        defence = face + (strength(state, foe) if foe else _town_strength(town))
        text = f"{ship_name(state, ship)} has {attack}, {name_of(state, stage.target)} {defence}"
        told: Told = (Happening(text, "CSG-23"),)
        state = state._replace(stage=OnTurn())
        if attack == defence and state.options.board_tie == "nothing":
            return Step(state, (*told, Happening("A tie: nothing happens", "CSG-23")))
        if town is not None:
            return _town_settled(state, ship, town, attack > defence, told)
        assert foe is not None
        return _ships_settled(state, ship, foe, attack > defence, told)


def strength(state: State, ship: Ship) -> int:
    """Return what a ship adds to her roll (CSG-23, CSG-6)."""
    return len(ship.masts) + amount(state, ship, "boarding")


def _town_strength(town: Island | None) -> int:
    assert town is not None
    return TOWN_MASTS if town.building == SETTLEMENT else COLONY_MASTS


def _ships_settled(
    state: State, ship: Ship, foe: Ship, attacker_wins: bool, told: Told
) -> Step[State]:
    """Let the winner of two ships take something (CSG-23, CSG-80)."""
    winner, loser = (ship, foe) if attacker_wins else (foe, ship)
    told = (*told, Happening(f"{ship_name(state, winner)} wins", "CSG-23"))
    if loser.blockade:
        state = with_ship(state, replace(loser, blockade=0))
        text = f"{name_of(state, loser.blockade)} is open again"
        told = (*told, Happening(text, "CSG-81"))
    looting = Looting(winner.tag, loser.tag, True, MOST_TOKENS)
    return Step(state._replace(stage=looting if spoils(state, looting) else OnTurn()), told)


def _town_settled(
    state: State, ship: Ship, town: Island, attacker_wins: bool, told: Told
) -> Step[State]:
    if town.building == SETTLEMENT:
        return _settlement(state, ship, town, attacker_wins, told)
    return _colony(state, ship, town, attacker_wins, told)


def _settlement(
    state: State, ship: Ship, town: Island, attacker_wins: bool, told: Told
) -> Step[State]:
    """Capture a settlement intact, or lose a mast and move away (CSG-67)."""
    name = island_name(state, town)
    if attacker_wins:
        camps = tuple(sorted({*town.camps, ship.owner}))
        text = f"The settlement on {name} is {who(state, ship.owner)}'s now"
        state = with_island(state, replace(town, owner=ship.owner, camps=camps))
        return Step(state, (*told, Happening(text, "CSG-67")))
    text = f"The settlement on {name} drives {ship_name(state, ship)} off"
    told = (*told, Happening(text, "CSG-67"))
    retreats = len(ship.masts) > 1 and bool(ways_off(state, ship))
    then = Retreating(ship.tag) if retreats else OnTurn()
    return hit(state, ship.tag, then, "CSG-67", told)


def _colony(state: State, ship: Ship, town: Island, attacker_wins: bool, told: Told) -> Step[State]:
    """Raze a colony, or lose the ship to it (CSG-82, CSG-83)."""
    name, kind = island_name(state, town), UPGRADE_NAMES[town.building]
    if not attacker_wins:
        text = f"The {kind} on {name} takes {ship_name(state, ship)}; her crew is eliminated"
        told = (*told, Happening(text, "CSG-82"))
        state = captured(state, ship, town.owner)
        taken = ship_of(state, ship.tag)
        state = buried(with_ship(state, replace(taken, crew=())), ship.crew)
        return Step(state, told)
    laden, stock = _all_loaded(state, ship, town)
    text = f"The {kind} on {name} is razed; {ship_name(state, ship)} loads "
    text += tokens_listed(b - a for a, b in zip(ship.tokens, laden.tokens, strict=True))
    told = (*told, Happening(text, "CSG-82"))
    told = (*told, Happening("The island is unexplored again", "CSG-83"))
    for other in state.ships:
        if other.blockade == town.tag:
            state = with_ship(state, replace(other, blockade=0))
    state = with_ship(state, replace(laden, blockade=0))
    return Step(with_island(state, replace(unexplored(town), stock=stock)), told)


def _all_loaded(state: State, ship: Ship, town: Island) -> tuple[Ship, tuple[int, ...]]:
    """Return a ship with all she can load of a port: a load it produces, then its stock."""
    stock = list(town.stock)
    if town.resource >= 0:
        count = min(MOST_OF_A_KIND, room_for(state, ship, town.resource))
        ship = replace(ship, tokens=shifted(ship.tokens, town.resource, count))
    for resource, lying in enumerate(town.stock):
        count = min(lying, room_for(state, ship, resource))
        ship = replace(ship, tokens=shifted(ship.tokens, resource, count))
        stock[resource] -= count
    return ship, tuple(stock)


def spoils(state: State, stage: Looting) -> list[Deed]:
    """Return what the winner of a boarding may take now (CSG-23, CSG-80)."""
    winner, loser = ship_of(state, stage.winner), ship_of(state, stage.loser)
    player = PLAYERS[winner.owner]
    found: list[Deed] = []
    if stage.prize:
        found += [KillCrew(player, card) for card in sorted(set(loser.crew))]
        if space(state, winner) > 0:
            found += [TakeCoin(player, coin) for coin in sorted(set(loser.coins))]
            found += [TakeTreasure(player, card) for card in loser.treasures]
    for resource, aboard in enumerate(loser.tokens):
        most = min(stage.tokens, aboard, room_for(state, winner, resource))
        found += [TakeToken(player, resource, n) for n in range(1, most + 1)]
    return found


class Loot(Choice[State, Deed]):
    """The winner of a boarding takes gold or crew, and up to three tokens (CSG-80)."""

    name, rule = "loot", "CSG-80"
    takes = (KillCrew, TakeCoin, TakeTreasure, TakeToken, TakeNoMore)

    def pending(self, state: State) -> Decision:
        """Ask the winner."""
        stage = stage_of(state, Looting)
        player = self.asked(state)
        name = name_of(state, stage.loser)
        prize = "one treasure or one crew and " if stage.prize else ""
        text = f"{who(state, player)}: take {prize}up to {stage.tokens} tokens from {name}"
        return Decision(player, self.name, text, passing=TakeNoMore(player))

    def asked(self, state: State) -> PlayerId:
        """Return the winner."""
        return PLAYERS[ship_of(state, stage_of(state, Looting).winner).owner]

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Everything that fits."""
        found = spoils(state, stage_of(state, Looting))
        return tuple(sorted([*found, TakeNoMore(self.asked(state))]))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse what is not there, does not fit or is too much."""
        if isinstance(action, TakeNoMore) or action in spoils(state, stage_of(state, Looting)):
            return None
        return no(self.rule, "The winner takes one treasure or crew and three tokens that fit.")

    def play(self, state: State, action: Deed) -> Step[State]:
        """Take it; go on while there is more."""
        stage = stage_of(state, Looting)
        if isinstance(action, TakeNoMore):
            return Step(state._replace(stage=OnTurn()))
        winner, loser = ship_of(state, stage.winner), ship_of(state, stage.loser)
        text, lost = f"{ship_name(state, winner)} takes ", ""
        match action:
            case TakeCoin(coin=coin):
                winner = replace(winner, coins=tuple(sorted((*winner.coins, coin))))
                loser = replace(loser, coins=without(loser.coins, coin))
                text += f"a coin of {coin}"
            case TakeTreasure(card=card):
                winner = replace(winner, treasures=tuple(sorted((*winner.treasures, card))))
                loser = replace(loser, treasures=without(loser.treasures, card))
                text += state.deck.treasure[card].title
            case TakeToken(resource=resource, count=count):
                winner = replace(winner, tokens=shifted(winner.tokens, resource, count))
                loser = replace(loser, tokens=shifted(loser.tokens, resource, -count))
                text += tokens_text(resource, count)
            case KillCrew(card=lost):
                loser = replace(loser, crew=without(loser.crew, lost))
                text = (
                    f"{state.deck.crewman[lost].title} of {ship_name(state, loser)} is eliminated"
                )
        state = with_ship(with_ship(state, winner), loser)
        if lost:
            state = buried(state, [lost])
        taken = action.count if isinstance(action, TakeToken) else 0
        left = replace(stage, prize=stage.prize and bool(taken), tokens=stage.tokens - taken)
        state = state._replace(stage=left if spoils(state, left) else OnTurn())
        return Step(state, (Happening(text, self.rule),))


def without(things: tuple[T, ...], thing: T) -> tuple[T, ...]:
    """Return things with one of a kind less."""
    at = things.index(thing)
    return (*things[:at], *things[at + 1 :])


def ways_off(state: State, ship: Ship) -> list[Move]:
    """Return standard moves of S away from where a ship is docked."""
    moves = standard_moves(state, ship, (SHORT,))
    return [m for m in moves if _refuse_retreat(state, ship, m) is None]


def _refuse_retreat(state: State, ship: Ship, action: Move) -> Ruling | None:
    refusal = refuse_way(state, ship, action, (SHORT,), 180)
    if refusal is not None:
        return refusal
    land = shore(state, island_of(state, ship.docked))
    if touches(state, hull_at(card_of(state, ship), action.pose), land):
        return no("CSG-67", f"{ship_name(state, ship)} must leave the settlement: S away from it.")
    return None


class Retreat(Choice[State, Move]):
    """A ship that a settlement has beaten moves away S, as her captain likes (CSG-67)."""

    name, rule, takes = "retreat", "CSG-67", (Move,)

    def pending(self, state: State) -> Decision:
        """Ask the captain on turn."""
        name = name_of(state, stage_of(state, Retreating).ship)
        text = f"{who(state, state.turn)}: move {name} away from the settlement, up to S"
        return Decision(state.player, self.name, text, measured=True)

    def asked(self, state: State) -> PlayerId:
        """Return the captain on turn."""
        return state.player

    def actions(self, state: State) -> tuple[Move, ...]:
        """Return standard moves."""
        return tuple(sorted(ways_off(state, self._ship(state))))

    def refuse(self, state: State, action: Move) -> Ruling | None:
        """Refuse other ships and what is no way off."""
        ship = self._ship(state)
        if action.ship != ship.tag:
            return no(self.rule, f"{ship_name(state, ship)} must move away first.")
        return _refuse_retreat(state, ship, action)

    def measured(self, state: State, seen: Mapping[int, Pose]) -> tuple[Move, ...]:
        """Return the way off that ends where she is seen."""
        ship = self._ship(state)
        return found_moves(state, ship, seen, (SHORT,), self.refuse)

    def play(self, state: State, action: Move) -> Step[State]:
        """Move her."""
        path = path_of(state, action)
        before = self._ship(state)
        moved = put(state, before, action.pose)._replace(stage=OnTurn())
        return arrive(moved, action.ship, path, hull(state, before))

    def _ship(self, state: State) -> Ship:
        return ship_of(state, stage_of(state, Retreating).ship)


def is_beaten(state: State, seat: int) -> bool:
    """Say whether a captain has no ship in play (CSG-87)."""
    return not any(True for _ in fleet_of(state, seat))

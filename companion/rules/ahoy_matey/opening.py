"""Before the first turn: who starts, which variants, where everything lies (AHM-12 to 14)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from companion.rules.ahoy_matey.actions import LeaveVariant, PickVariant, TossCoin
from companion.rules.ahoy_matey.fleets import fleets_of, nearest_anchors
from companion.rules.ahoy_matey.options import DIE, TWO_BOARDS, VARIANTS, Options, clash
from companion.rules.ahoy_matey.position import Position, Stack, Treasure
from companion.rules.ahoy_matey.rolls import RollOneDie
from companion.rules.ahoy_matey.sea import TREASURE_SPOT, on_board
from companion.rules.ahoy_matey.state import Bargaining, RollingForFirst, State, Tossing
from companion.rules.ahoy_matey.turns import begin_play
from companion.rules.ahoy_matey.words import who
from companion.rules.deeds import Roll
from companion.rules.dice import face_name
from companion.rules.game import CHANCE, ChanceRoll, Decision, Happening, PlayerId, Ruling, Step
from companion.rules.phases import Chance, Choice, no, stage_of
from companion.rules.words import listed


def laid_out(options: Options, players: int) -> Position:
    """Return where everything lies at the start (AHM-13, AHM-V1, V4, V15 to V17)."""
    fleets = fleets_of(options, players, None)
    ships: list[Stack] = []
    barred: list[tuple[int, int]] = []
    reserve = [options.ships] * len(fleets)
    for index, fleet in enumerate(fleets):
        if options.flotilla:
            ships.append(Stack(fleet.harbour, fleet.colour, options.ships))
            reserve[index] = 0
        elif options.isla_diablo:
            anchors = nearest_anchors(fleet.harbour)
            ships += [Stack(cell, fleet.colour) for cell in (fleet.harbour, *anchors)]
            reserve[index] -= 1 + len(anchors)
            barred += anchors if options.diablo_take_needs_move else ()
    boards = range(options.boards) if options.doubloons or options.boards == 1 else ()
    treasures = tuple(Treasure(on_board(TREASURE_SPOT, board)) for board in boards)
    return Position(tuple(sorted(ships)), tuple(reserve), treasures, (), tuple(sorted(barred)))


def new_game(names: tuple[str, ...], options: Options) -> State:
    """Return the state before anybody has rolled."""
    zeros = (0,) * len(names)
    everybody = tuple(PlayerId(seat) for seat in range(len(names)))
    position = laid_out(options, len(names))
    return State(names, options, RollingForFirst(everybody), position, zeros, zeros, everybody[0])


class RollForFirst(RollOneDie):
    """Each rolls one die, the highest begins, ties roll again (AHM-14)."""

    name, rule = "first", "AHM-14"

    def pending(self, state: State) -> ChanceRoll:
        """Ask the next of those who are still in it."""
        stage = stage_of(state, RollingForFirst)
        player = stage.contenders[len(stage.faces)]
        text = f"{who(state, player)}: roll a die, the highest goes first"
        return ChanceRoll(player, self.name, text, (DIE.id,))

    def play(self, state: State, action: Roll) -> Step[State]:
        """Go on to the next, to those who tied, or to the game."""
        stage = stage_of(state, RollingForFirst)
        faces = (*stage.faces, action.dice[0].face)
        if len(faces) < len(stage.contenders):
            return Step(state.but(stage=replace(stage, faces=faces)))
        best = [
            player
            for player, face in zip(stage.contenders, faces, strict=True)
            if face == max(faces)
        ]
        if len(best) > 1:
            names = listed(who(state, player) for player in best)
            text = f"{names} rolled {face_name(DIE.id, max(faces))} each and roll again"
            again = state.but(stage=RollingForFirst(tuple(best)))
            return Step(again, (Happening(text, "AHM-14"),))
        state = state.but(player=best[0])
        text = f"{who(state, best[0])} rolled highest and goes first"
        return _bargain_from(state, 0, (Happening(text, "AHM-14"),))


def _bargain_from(state: State, first: int, happenings: tuple[Happening, ...]) -> Step[State]:
    """Offer the next variant from this one on that fits, if Parlay is on; else begin."""
    if state.options.parlay:
        for name in list(VARIANTS)[first:]:
            if is_offered(state, name):
                return Step(state.but(stage=Bargaining(name)), happenings)
    return _begin(state, happenings)


def is_offered(state: State, name: str) -> bool:
    """Say whether a variant can still be picked beside those in play (AHM-V19)."""
    options = state.options
    if name in options.chosen:
        return False
    if name in TWO_BOARDS and options.boards == 1 and not options.second_pack:
        return False
    return clash(name, options.chosen, len(state.names)) is None


def _begin(state: State, happenings: tuple[Happening, ...]) -> Step[State]:
    state = state.but(position=laid_out(state.options, len(state.names)))
    if not state.position.treasures and not state.options.badly_drawn_map:
        return Step(state.but(stage=Tossing()), happenings)
    return begin_play(state, happenings)


class Bargain(Choice[State, PickVariant | LeaveVariant]):
    """The high roller takes or leaves one variant after the other (AHM-V19)."""

    name, rule, takes = "parlay", "AHM-V19", (PickVariant, LeaveVariant)

    def pending(self, state: State) -> Decision:
        """Ask for the variant on offer; playing on leaves it and all that follow."""
        offer = stage_of(state, Bargaining).offer
        variant = VARIANTS[offer]
        text = f"{who(state, state.player)}: play {variant.title}? {variant.text}"
        return Decision(
            state.player, self.name, text.rstrip("."), LeaveVariant(state.player, offer)
        )

    def actions(self, state: State) -> tuple[PickVariant | LeaveVariant, ...]:
        """Take it or leave it."""
        offer = stage_of(state, Bargaining).offer
        return (PickVariant(state.player, offer), LeaveVariant(state.player, offer))

    def refuse(self, state: State, action: PickVariant | LeaveVariant) -> Ruling | None:
        """Only the variant on offer."""
        offer = stage_of(state, Bargaining).offer
        if action.variant == offer:
            return None
        variant = VARIANTS.get(action.variant)
        title = variant.title if variant else f"{action.variant!r}"
        return no("AHM-V19", f"The variant to decide now is {VARIANTS[offer].title}, not {title}.")

    def play(self, state: State, action: PickVariant | LeaveVariant) -> Step[State]:
        """Note the choice and go on to the next variant that fits."""
        happenings: tuple[Happening, ...] = ()
        if isinstance(action, PickVariant):
            state = state.but(options=replace(state.options, **{action.variant: True}))
            text = f"{state.names[state.player]} picks {VARIANTS[action.variant].title}"
            happenings = (Happening(text, "AHM-V19"),)
            state = state.but(position=laid_out(state.options, len(state.names)))
        return _bargain_from(state, list(VARIANTS).index(action.variant) + 1, happenings)


class TossForIsland(Chance[State, TossCoin]):
    """A coin decides which island has the treasure (AHM-V15)."""

    name, rule, takes = "toss", "AHM-V15", (TossCoin,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask the first player."""
        text = f"{who(state, state.player)}: toss a coin for the island that has the treasure"
        return ChanceRoll(state.player, self.name, text)

    def odds(self, state: State) -> tuple[tuple[TossCoin, Fraction], ...]:
        """Either board."""
        return tuple((TossCoin(CHANCE, board), Fraction(1, 2)) for board in (1, 2))

    def refuse(self, state: State, action: TossCoin) -> Ruling | None:
        """Only boards there are."""
        if action.board in (1, 2):
            return None
        return no("AHM-V15", f"The treasure lies on board 1 or 2, not {action.board}.")

    def play(self, state: State, action: TossCoin) -> Step[State]:
        """Put the treasure there and begin."""
        treasure = Treasure(on_board(TREASURE_SPOT, action.board - 1))
        state = state.but(position=state.position._replace(treasures=(treasure,)))
        text = f"The treasure lies on the island of board {action.board}"
        return begin_play(state, (Happening(text, "AHM-V15"),))

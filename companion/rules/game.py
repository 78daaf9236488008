"""The interface every game exposes, and the values that cross it.

A state is a frozen, hashable value. `Game.apply` maps it to the next one and never rolls: chance is
a player (`CHANCE`) whose actions are rolls and draws that people, phones or the camera report.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Generic, Literal, NewType, Protocol, TypeVar

from companion.rules.dice import DieKind
from companion.rules.layout import Cell, Die, Layout, Pose

if TYPE_CHECKING:
    from companion.rules.views import View

PlayerId = NewType("PlayerId", int)
"""Place at the table, 0-based, clockwise."""

CHANCE = PlayerId(-1)
"""The player who rolls dice and draws tiles."""


class Action(Protocol):
    """A frozen, hashable, orderable value naming its player."""

    @property
    def player(self) -> PlayerId:
        """Who acts; `CHANCE` for rolls and draws."""
        ...


@dataclass(frozen=True, slots=True)
class Decision:
    """One player must choose."""

    player: PlayerId
    phase: str
    """Named part of the set-up or turn, e.g. ``"place_terrain"``, ``"spend"``."""
    text: str
    """What is asked, in plain words for the phones."""
    passing: Action | None = None
    """The choice people make by simply playing on, e.g. not to play a gambit now. The table takes
    it as made when its pictures show that play went on, and the big button makes it. Where it is
    set, other choices that move no piece and no die are told by phone, never guessed; ``None``:
    every choice shows, or its roll does."""
    told: bool = False
    """Choices that move no piece and no die are told by phone, never guessed, and none of them is
    made by playing on (a deal in a port, a card kept)."""
    private: bool = False
    """What can be chosen hangs on something that only this player knows (a purse): nobody else is
    shown the choices (`Game.open_actions` instead) or what is refused."""
    total: int = 0
    """Choices name some of many each, by a field ``count``, until they come to this many in all
    (figures to lose): a phone lets its captain name them at one go. 0: each choice stands alone."""
    measured: bool = False
    """On an open table: pieces may move anywhere within the rules. The choices listed are standard
    examples; what is really done is measured (`Game.measured`) and judged by `Game.check`. But for
    `passing`, choices that move nothing are told by phone."""


@dataclass(frozen=True, slots=True)
class ChanceRoll:
    """Dice must be rolled or something drawn."""

    player: PlayerId
    """Whose hand rolls or draws."""
    phase: str
    text: str
    dice: tuple[str, ...] = ()
    """Kinds of the dice to roll, sorted; empty for a draw (its result is told or seen)."""
    told: bool = False
    """A draw that no piece shows (a card): it is told by phone, never guessed from what follows."""


@dataclass(frozen=True, slots=True)
class GameOver:
    """Nothing more can happen; see `Game.outcome`."""

    text: str


Pending = Decision | ChanceRoll | GameOver


@dataclass(frozen=True, slots=True)
class Ruling:
    """The answer of the rules to an action."""

    legal: bool
    rule: str = ""
    """Number of the rule that decides, e.g. ``"AOW-33"``; empty when legal."""
    reason: str = ""
    """One plain sentence that says what would have been right; empty when legal."""

    def __bool__(self) -> bool:
        return self.legal


LEGAL = Ruling(True)


@dataclass(frozen=True, slots=True)
class Happening:
    """Something a step brought about that people want to be told, with its rule."""

    text: str
    rule: str
    coins: tuple[tuple[PlayerId, int], ...] = ()
    """Doubloons gained (+) or paid (-) by it, per player."""


S = TypeVar("S")
A = TypeVar("A", bound=Action)


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """The next state and what happened on the way to it."""

    state: S
    happenings: tuple[Happening, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the game ended."""

    reason: str
    rule: str
    placing: tuple[tuple[PlayerId, ...], ...]
    """Best first; players in one inner tuple share the place. An empty first place: nobody won."""


OptionKind = Literal["flag", "choice", "number", "numbers", "text", "records", "made", "file"]


@dataclass(frozen=True, slots=True)
class Option:
    """A choice of the set-up, as the start page asks it.

    What the page draws follows from the values (`kind`): a default of true or false makes a
    checkbox, choices a list to pick from; without choices the default says what is typed in.
    A value that the game cannot be played with, and two that contradict each other, are refused by
    `Game.setup` with ``BadOptions(sentence, option_id)``; the sentence is shown at that option.

    >>> Option("wind", False, (False, True), "Ships drift after every round.", "Wind").kind
    'flag'
    >>> Option("card_numbers", (1, 2, 3), (), "Numbers on the cards.").kind
    'numbers'
    """

    id: str
    default: object
    choices: tuple[object, ...]
    """Allowed values; empty where `text` says what is allowed."""
    text: str
    """What it means, in one plain sentence for the set-up page."""
    title: str = ""
    """Its name in one to four plain words, e.g. ``"Isla Diablo"``; empty: made from `id`."""
    group: str = ""
    """Heading it is folded under, e.g. ``"Variants"``, ``"Weather"``, ``"Dice and cards"``; empty:
    the page's last heading, for what is seldom touched. Groups stand in the order of options."""
    labels: tuple[str, ...] = ()
    """The choices in plain words, in their order; empty: the values themselves are shown."""
    fields: tuple[Option, ...] = ()
    """For an option whose value is a list of objects that the host types in (gambit cards): the
    fields of one object. Defaults of the fields fill a new object."""
    workshop: str = ""
    """For an option whose value is a list of objects made on a page of their own: the name of the
    page, e.g. ``"ships"``. What was made and kept there is offered."""

    file: str = ""
    """For an option whose value may be the content of a text file of the host's: the ending of its
    name, e.g. ``".toml"``. The default stands for what comes with Quarterdeck."""

    @property
    def kind(self) -> OptionKind:
        """How it is asked: ``"numbers"`` is a list of whole numbers, ``"records"`` of objects.

        ``"made"`` is a list of objects made elsewhere, ``"file"`` a text that is uploaded.
        """
        if self.file:
            return "file"
        if self.workshop:
            return "made"
        if self.fields:
            return "records"
        if isinstance(self.default, bool):
            return "flag"
        if self.choices:
            return "choice"
        if isinstance(self.default, int):
            return "number"
        return "text" if isinstance(self.default, str) else "numbers"


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What is known of a game before it starts."""

    id: str
    """Stable name in records and commands, e.g. ``"articles-of-war"``."""
    title: str
    players: tuple[int, int]
    """Fewest and most players."""
    options: tuple[Option, ...]
    dice: tuple[DieKind, ...]
    """Kinds with their default faces; an option ``<kind>_faces`` tells those of a game."""
    profile: str
    """Board profile it is played on by default (`companion.boards`)."""
    coin: tuple[str, str] | None = ("doubloon", "doubloons")
    """What `Happening.coins` counts, one and several; ``None``: the sentences say it already."""
    ships_stay: bool = False
    """Each captain has one ship, of a colour of its own, and none leaves the board once it is on
    it: one that the camera misses in a crowd is still there, one that it sees twice is there once.
    """
    sea_of: Callable[[Mapping[str, object]], Mapping[Cell, str]] | None = None
    """Where the table may bring a sea of its own (a card file): the squares that a board must have
    for these options, each with what is printed on it, a kind of mark or nothing. Raises
    `BadOptions`. ``None``: the options that boards fix say it all."""
    has_secrets: bool = False
    """Players know things that nobody else may: a record of a game in play is not for everybody."""
    sides_deg: tuple[float, ...] = ()
    """Where captains sit, clockwise from the top of the board, by seat; empty: evenly around it."""


class Game(Protocol[S, A]):
    """What every game offers. All functions are pure; a game object holds no state of play."""

    info: GameInfo

    def setup(self, players: Sequence[str], options: Mapping[str, object]) -> S:
        """Return the first state. Raises `BadOptions` naming the option or player at fault."""
        ...

    def check_new(self, state: S) -> None:
        """Refuse a new game that cannot be played, by its first state. Raises `BadOptions`.

        Games in the ledger go on, even if they would be refused as new ones by now.
        """
        ...

    def pending(self, state: S) -> Pending:
        """Say who must do what now."""
        ...

    def legal_actions(self, state: S, player: PlayerId) -> tuple[A, ...]:
        """Return the choices of `player`, sorted, no duplicates; empty for all who are not asked.

        For `CHANCE` it returns the possible rolls and draws, those of `chance_outcomes`.
        """
        ...

    def open_actions(self, state: S) -> tuple[A, ...]:
        """Return the choices of whoever is asked as far as everybody may know them, sorted.

        They are the legal ones but where the decision is `Decision.private`: then some of them
        may be refused because of what nobody else knows, and the captain asked must find out.
        """
        ...

    def chance_outcomes(self, state: S) -> tuple[tuple[A, Fraction], ...]:
        """Return every roll or draw that can come now with its exact probability (sum 1)."""
        ...

    def asides(self, state: S) -> tuple[A, ...]:
        """Return what the table may decide besides what is asked, sorted: a penalty, say.

        `check` and `apply` take them like any action. The host's phone tells them; they are
        never looked for in pictures and `legal_actions` does not list them.
        """
        ...

    def measured(self, state: S, seen: Mapping[int, Pose]) -> tuple[A, ...]:
        """Return what may have been done to bring pieces of an open table where they are seen.

        Legal actions of whoever is asked, found from the poses of `state` and those `seen`, by
        tag; pieces that are not seen stand where they stood. Never an action that moves nothing,
        nor one that was only nudged (less than the tolerance). An action may lead only part of
        the way where another decision leads on (a ship sails, then falls off the wind). Empty in
        games on cells, and where no legal action leads there (`objection` then says why).
        """
        ...

    def roll_of(self, state: S, dice: tuple[Die, ...]) -> A | None:
        """Return the roll awaited in `state` that shows these dice (sorted), or ``None``."""
        ...

    def rolled(self, action: A) -> tuple[Die, ...]:
        """Return the dice that a roll shows in the tray, sorted; empty for draws and choices.

        The camera's dice and the actions of `CHANCE` meet here: a roll was made when these dice
        are newly lying in the tray.
        """
        ...

    def check(self, state: S, action: A) -> Ruling:
        """Rule on an action, without raising and without changing anything."""
        ...

    def objection(self, state: S, seen: Layout) -> Ruling:
        """Rule on a table that no legal line of play explains.

        `seen` holds the cells as the camera reads them and the dice in the tray that wait to be
        spent or were newly rolled. Returns the refusal of the nearest illegal action, for the
        captain to put right; `LEGAL` where no rule can be named. Asked with the layout of `state`
        itself, it says why the captain on turn has not finished.
        """
        ...

    def apply(self, state: S, action: A) -> Step[S]:
        """Return what the action leads to. Raises `IllegalAction`; the old state stays."""
        ...

    def view(self, state: S, viewer: PlayerId | None) -> View:
        """Return what a player, or ``None`` for a spectator, may know."""
        ...

    def outcome(self, state: S) -> Outcome | None:
        """Return the result once `pending` is `GameOver`, else ``None``."""
        ...

    def layout(self, state: S) -> Layout:
        """Return where each piece should lie now."""
        ...

    def stray(self, state: S, tag: int) -> str:
        """Say in a sentence why a piece on the table has no business there, else ``""``.

        Asked for every tag that is seen on an open table; most that are not in play mean nothing.
        """
        ...

    def describe(self, state: S, action: A) -> str:
        """Name an action in plain words, unique among those legal in `state`."""
        ...

    def pieces_of(self, action: A) -> Mapping[str, int]:
        """Return the tags of the pieces that fields of an action name, by field.

        The one that acts is the field ``ship``: phones show choices ship by ship, and call targets
        by their names. Empty on boards of cells.
        """
        ...

    def printed(self, state: S, action: A) -> str:
        """Return what is printed on the card that an action takes, or of the ship; else ``""``.

        Who plays with a deck of ours holds no cards; so phones show it with the choice.
        """
        ...

    def order(self, state: S, action: A) -> tuple[Any, ...]:
        """Return a key by which people find an action among others, ``()`` where it has its place.

        `legal_actions` sorts by what cards are called in files; people look for what they need.
        """
        ...

    def loss(self, state: S, action: A) -> str:
        """Return what an action costs its captain for good: a ship, the game; else ``""``.

        A part of a sentence. Phones ask before they tell such an action: it may be a tap too many.
        """
        ...

    def parse(self, state: S, text: str) -> A:
        """Return the legal action that `describe` gives this text. Raises `MalformedAction`."""
        ...

    def action_to_json(self, action: A) -> dict[str, Any]:
        """Write an action as JSON values: ``{"type": ..., "player": ..., ...}``."""
        ...

    def action_from_json(self, data: Mapping[str, Any]) -> A:
        """Read an action. Raises `MalformedAction` saying which field is wrong and how."""
        ...

    def to_json(self, state: S) -> dict[str, Any]:
        """Write a state as JSON values."""
        ...

    def from_json(self, data: Mapping[str, Any]) -> S:
        """Read a state. Raises `MalformedAction` on anything `to_json` cannot have written."""
        ...


AnyGame = Game[Any, Any]

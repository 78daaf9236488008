"""What a player commands: the fleets, and where they may bring the treasure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from companion.rules.ahoy_matey.fleets import Fleet, destination, fleets_of
from companion.rules.ahoy_matey.homeward import Lengths, homeward_runs
from companion.rules.ahoy_matey.options import Options
from companion.rules.game import PlayerId
from companion.rules.layout import Cell


@dataclass(frozen=True, eq=False)
class Crew:
    """What does not change while one player uses dice. Built once; see `crew_of`."""

    options: Options
    fleets: tuple[Fleet, ...]
    player: PlayerId
    ghost_waits: bool
    """The Ghost Fleet has not sailed yet: nobody can be the last one captured."""

    @cached_property
    def own(self) -> Mapping[str, int]:
        """Index of each fleet of the player."""
        return {f.colour: i for i, f in enumerate(self.fleets) if f.player == self.player}

    @cached_property
    def commanded(self) -> Mapping[PlayerId, tuple[Fleet, ...]]:
        """The fleets of every player."""
        players = {fleet.player for fleet in self.fleets}
        return {p: tuple(f for f in self.fleets if f.player == p) for p in players}

    @cached_property
    def owners(self) -> Mapping[str, PlayerId]:
        """Whose each fleet is."""
        return {fleet.colour: fleet.player for fleet in self.fleets}

    @cached_property
    def others(self) -> tuple[int, ...]:
        """Indices of the fleets of the other players."""
        return tuple(i for i, f in enumerate(self.fleets) if f.player != self.player)

    @cached_property
    def keepers(self) -> Mapping[Cell, int]:
        """Index of the fleet that is at home in a harbour."""
        return {fleet.harbour: i for i, fleet in enumerate(self.fleets)}

    @cached_property
    def homeward(self) -> Mapping[str, Mapping[Cell, Lengths]]:
        """How far treasure ships of each fleet may run."""
        return {
            colour: homeward_runs(self.options.sea, destination(self.options, self.fleets[i]))
            for colour, i in self.own.items()
        }


@cache
def crew_of(options: Options, players: int, ghost: PlayerId | None, player: PlayerId) -> Crew:
    """Return what a player commands in a game; built once."""
    fleets = fleets_of(options, players, ghost)
    return Crew(options, fleets, player, options.ghost_fleet and ghost is None)

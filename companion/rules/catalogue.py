"""The games, in one explicit tuple."""

from __future__ import annotations

from companion.errors import BadOptions, meant_of
from companion.rules.ahoy_matey.rules import AhoyMatey
from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.game import AnyGame
from companion.rules.pirate_wars.rules import PirateWars
from companion.rules.pirates_csg.rules import PiratesCsg
from companion.rules.privateer.rules import Privateer

GAMES: tuple[AnyGame, ...] = (
    ArticlesOfWar(),
    AhoyMatey(),
    Privateer(),
    PiratesCsg(),
    PirateWars(),
)


def find_game(game_id: str) -> AnyGame:
    """Return the game with this id. Raises `BadOptions` naming the games there are."""
    for game in GAMES:
        if game.info.id == game_id:
            return game
    known = [game.info.id for game in GAMES]
    raise BadOptions(f"there is no game {game_id!r}; {meant_of(game_id, known, 'the games are')}")

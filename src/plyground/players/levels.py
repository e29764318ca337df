"""Levels of play: what `amateur`, `medium` and `expert` mean on each game; and `perfect`.

After the three classes of people that Hernandez, Daza & Florez played against. A level is a player
text, so anything a player can be a level can be; a game says its own, and users may add some to any
game. `tests/players/test_levels.py` proves each level stronger than the one below by a match.
"""

from __future__ import annotations

from collections.abc import Mapping

from plyground import extensions
from plyground.core.errors import Unsupported, unknown
from plyground.games.catalogue import games
from plyground.games.spec import GameSpec
from plyground.solvers.catalogue import solved_games

NAMES = ("amateur", "medium", "expert")
PERFECT = "perfect"  # a player of its own, on the games that are solved

SUMMARIES = {
    "amateur": "Looks one move ahead and makes mistakes.",
    "medium": "Looks a few moves ahead, with a mistake now and then.",
    "expert": "Looks as far as a good fraction of a second allows.",
    PERFECT: "Proves its moves wherever that can be done.",
}

ANY_GAME = {
    "amateur": "alphabeta:depth=1,noise=50%",
    "medium": "alphabeta:depth=3,ties=random,noise=15%",
    "expert": "abmemory:nodes=300k,order=all",
}


def levels_of(game: GameSpec) -> dict[str, str]:
    """The levels that a game has, the weakest first, with the players they stand for."""
    found = dict(game.levels or ANY_GAME)
    for added in _added():
        found |= added.get(game.name, {})
    return found | ({PERFECT: PERFECT} if game.name in solved_games() else {})


def level_text(level: str, game: GameSpec) -> str:
    """The player that a level stands for on a game. Raises Unsupported."""
    if level == PERFECT:
        return PERFECT
    levels = levels_of(game)
    if level not in levels:
        raise unknown(f"level of {game.name}", level, levels)
    return levels[level]


def strongest(game: GameSpec) -> str:
    """The player of the highest level that does not prove its moves."""
    return [text for text in levels_of(game).values() if text != PERFECT][-1]


def level_names() -> list[str]:
    """The names of levels, on whichever game, but for `perfect`."""
    added = [level for each in _added() for levels in each.values() for level in levels]
    own = [level for game in games().values() for level in game.levels]
    return [name for name in dict.fromkeys((*NAMES, *own, *added)) if name != PERFECT]


def _added() -> list[Mapping[str, Mapping[str, str]]]:
    """Levels that users add, by game; a list of another form is an error of its file."""
    found = []
    for levels, extension in extensions.offers("level"):
        if _is_sound(levels):
            found.append(levels)
        else:
            extension.error = extension.error or Unsupported(
                f"{extension.label}: expected LEVELS = {{GAME: {{LEVEL: PLAYER}}}}, all texts"
            )
    return found


def _is_sound(levels: object) -> bool:
    return isinstance(levels, dict) and all(
        isinstance(game, str)
        and isinstance(of_game, dict)
        and all(isinstance(text, str) for pair in of_game.items() for text in pair)
        for game, of_game in levels.items()
    )

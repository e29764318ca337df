"""Levels of play: what `amateur`, `medium` and `expert` mean on each game, as data; and `perfect`.

After the three classes of people that Hernandez, Daza & Florez played against. A level is a player
text, so anything a player can be a level can be. `tests/players/test_levels.py` proves each level
stronger than the one below by a match.
"""

from __future__ import annotations

from plyground.solvers.catalogue import SOLVED

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
    "medium": "alphabeta:depth=2,ties=random,noise=20%",
    "expert": "abmemory:nodes=300k,order=all",
}
LEVELS = {
    "othello": {
        "amateur": "alphabeta:depth=1,eval=discs,noise=10%",
        "medium": "alphabeta:depth=2,eval=positional,ties=random,noise=5%",
        "expert": "abmemory:nodes=300k,order=all,perfect=14",
    },
    "connect4": {
        "amateur": "alphabeta:depth=2,eval=columns,noise=30%",
        "medium": "alphabeta:depth=4,eval=segments,ties=random,noise=10%",
        "expert": "abmemory:nodes=1M,eval=threats,order=all,symmetric=yes",
    },
    "double-card": {
        "amateur": "alphabeta:depth=1,eval=naive,noise=20%",
        "medium": "alphabeta:depth=1,eval=danger,ties=random,noise=5%",
        "expert": "abmemory:depth=3,eval=patterns,order=all",
    },
    "kalah": {
        "amateur": "alphabeta:depth=1,noise=30%",
        "medium": "alphabeta:depth=3,ties=random,noise=5%",
        "expert": "abmemory:nodes=300k,eval=rich,order=all",
    },
}


def names_for(game: str) -> tuple[str, ...]:
    """The levels that a game has, the weakest first."""
    return (*NAMES, PERFECT) if game in SOLVED else NAMES


def level_text(level: str, game: str) -> str:
    """The player that a level stands for on a game."""
    return PERFECT if level == PERFECT else LEVELS.get(game, ANY_GAME)[level]

"""What can be set, the players, and the positions that every search is given.

The study's figures follow one player through 15 moves of a game with a person. Here the same player
(depth 8, the study's heuristic) plays the level `medium`, once as Black and once as White, and all
algorithms are asked at each of its moves. Knows nothing of what is measured there.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

from pydantic import Field

from plyground.games.catalogue import find_game
from plyground.games.position import BasePosition
from plyground.games.rules import State, is_over
from plyground.lab.published_data import Published, published
from plyground.lab.spec import Parameters
from plyground.players.catalogue import make_machine
from plyground.players.spec import Turn

GAME, JUDGE = "othello", "factors"
ALPHA_BETA, SCOUT = "alphabeta", "scout"
NAMES = {SCOUT: "SCOUT", ALPHA_BETA: "alpha-beta"}
LEVELS = ("amateur", "medium", "expert")
OPPONENT = "medium"


class ScoutParameters(Parameters):
    """How deep, and how many positions and games."""

    depth: int = Field(8, ge=2, le=9, description="plies of each search; the study's is 8")
    moves: int = Field(15, ge=1, le=25, description="of the program in each game it follows")
    game_pairs: int = Field(3, ge=1, le=50, description="pairs of games that are followed")
    proved_pairs: int = Field(1, ge=1, le=50, description="of these, with smallest trees")
    proved_moves: int = Field(15, ge=1, le=25, description="moves of these with smallest trees")
    repetitions: int = Field(3, ge=1, le=99, description="of each search, for its time")
    match_depth: int = Field(8, ge=1, le=9, description="plies, in the games against the levels")
    match_pairs: int = Field(20, ge=1, le=1000, description="pairs of games against each level")
    seed: int = Field(1, ge=0, lt=2**31, description="another seed, other games")


QUICK = {
    "moves": 6,
    "game_pairs": 1,
    "proved_moves": 4,
    "repetitions": 1,
    "match_depth": 4,
    "match_pairs": 1,
}


class Position(NamedTuple):
    """A position in which the program was to move."""

    move: int
    """Of the program's moves, from 1 on."""
    moves: str
    """That lead there."""
    state: State


def player(algorithm: str, depth: int, judge: str = JUDGE) -> str:
    """A player's text; moves are tried in the game's order, since the study tells of no other."""
    return f"{algorithm}:depth={depth},eval={judge}"


@functools.cache
def positions(pair: int, which: int, depth: int, moves: int, seed: int) -> tuple[Position, ...]:
    """The program's first moves in a game of a pair; it is Black in game 0, White in game 1."""
    game = find_game(GAME)
    start = game.initial()
    program, opponent = (
        make_machine(who, game, start) for who in (player(ALPHA_BETA, depth), OPPONENT)
    )
    turn = Turn(BasePosition.begin(game), seed=(seed << 16) + 2 * pair + which)
    texts: list[str] = []
    found: list[Position] = []
    while not is_over(turn.state) and len(found) < moves:
        if turn.side == which and len(turn.legal) > 1:
            found.append(Position(len(found) + 1, " ".join(texts), turn.state))
        move = (program if turn.side == which else opponent).choose(turn).move
        texts.append(game.format_move(turn.state, move))
        turn = turn.after(move)
    return tuple(found)


def study() -> Published:
    """What the study printed."""
    return published("hernandez")


def printed(name: str) -> int:
    """A number of the study's text."""
    return int(study().numbers[name])

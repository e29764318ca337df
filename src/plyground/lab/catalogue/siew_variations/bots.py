"""The study's bots: an algorithm, a depth, and the evaluator of the program that it changed.

That program, K. Galli's Connect4-Python, looks from one side only: it counts its own stones in the
centre, its own open twos and threes, and of the opponent's only open threes. So the two bots of a
game judge by different numbers. It tries columns from left to right, takes the first of equal
moves, and values all wins alike, near or far. Knows no experiment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from plyground.bits import popcount
from plyground.evaluation.connect_four import middle_cells, open_segments
from plyground.games.catalogue import find_game
from plyground.games.connect_four import ConnectFour
from plyground.games.position import BasePosition
from plyground.games.rules import State, is_over, play, side
from plyground.matches.one_game import play_game
from plyground.players.searching import SearchPlayer
from plyground.search.catalogue import find_algorithm
from plyground.search.finish import ByMargin
from plyground.search.run import search
from plyground.search.setup import Limits, Setup

GAME = "connect4"
GUIDE = "alphabeta", 4  # who leads games to the positions that are searched
MEMORY = 2**24  # for the trees of UCT; the other bots need none


class OwnWindows(NamedTuple):
    """The worth of a position to one side, whoever is to move."""

    owner: int
    centre: int = 3
    two: int = 2
    three: int = 5
    their_three: int = 4

    def evaluate(self, state: ConnectFour) -> int:
        is_mine = side(state) == self.owner
        _, two, three = open_segments(state, is_mine)
        _, _, their_three = open_segments(state, not is_mine)
        stones = state.me if is_mine else state.stones ^ state.me
        value = self.centre * popcount(stones & middle_cells(state)) + self.two * two
        value += self.three * three - self.their_three * their_three
        return value if is_mine else -value


def setup(algorithm: str, owner: int, order: str = "natural") -> Setup:
    """What a bot searches with when it plays for one side."""
    return Setup(find_algorithm(algorithm), OwnWindows(owner), ByMargin(), order)


def player(bot: str, owner: int, random_ties: bool) -> SearchPlayer:
    """The bot of a text such as `minimax 4`; of `uct 2801` the number is that of its simulations.

    UCT values positions by random games and needs no evaluator.
    """
    algorithm, _, number = bot.partition(" ")
    made, limits = setup(algorithm, owner), Limits(depth=int(number))
    if algorithm == "uct":
        made = Setup(made.algorithm, made.evaluator, memory_bytes=MEMORY, simulations=int(number))
        limits = Limits()
    return SearchPlayer(made, limits, True, random_ties)


def play_both_ways(
    bots: Sequence[str], opening: str, seed: int, random_ties: bool
) -> dict[str, Any]:
    """Two games from one opening, the first bot moving first and then second.

    Their moves, and the points of the first bot. The games are not kept: the evaluator has no name
    by which anybody else could play them again.
    """
    start = BasePosition.begin(GAME, moves=opening)
    points, games = [], []
    for number, order in enumerate((bots, bots[::-1])):
        first, second = (player(bot, seat, random_ties) for seat, bot in enumerate(order))
        played = play_game(start, (first, second), (order[0], order[1]), 2 * seed + number)
        points.append(played.points_of(number))
        games.append("".join(move.move for move in played.moves))
    return {"points": points, "games": games}


def guided_game(opening: str) -> Iterator[State]:
    """The positions of a game that alpha-beta plays on both sides, the opening behind it."""
    game = find_game(GAME)
    state = game.replay(game.initial(), game.parse_moves(game.initial(), opening.replace(";", " ")))
    algorithm, depth = GUIDE
    while not is_over(state):
        yield state
        found = search(game, state, setup(algorithm, int(side(state))), Limits(depth=depth))
        state = play(state, found.move)

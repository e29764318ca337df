"""What most experiments measure: the search of a position, those of a game, games between two.

Each is a function of plain data, run by a worker. Positions and moves are given in the game's
notation, players by their texts. Times are those of the algorithm itself, after everything is
compiled, and each repetition begins with an empty table. Knows no experiment.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple, TypeVar

from plyground.core.errors import Unsupported
from plyground.games.catalogue import find_game
from plyground.games.position import BasePosition
from plyground.games.rules import State, is_over
from plyground.games.spec import GameSpec, Value
from plyground.lab.spec import Answer, Measured
from plyground.matches.openings import OpeningText, random_openings
from plyground.matches.pair import Pair, PlayedPair, play_pair
from plyground.matches.plan import begin_once
from plyground.players.catalogue import make_machine
from plyground.players.searching import SearchPlayer
from plyground.search.parts import counters_of
from plyground.search.run import Workshop, prepare, search
from plyground.search.setup import MOST_NODES, SearchResult

Settings = Mapping[str, Any]
T = TypeVar("T")


def search_position(
    game: str,
    player: str,
    position: str | None = None,
    moves: str = "",
    settings: Settings | None = None,
    repetitions: int = 1,
) -> Measured:
    """Search one position as a player would: its answer, all counters, and the time."""
    spec, start = _begin(game, settings, position)
    state = spec.replay(start, spec.parse_moves(start, moves))
    machine = searcher(player, spec, start)
    found = [search(spec, state, machine.setup, machine.limits) for _ in range(repetitions)]
    return Measured(
        answer_of(spec, state, found[0]), {"search": [result.inside_s for result in found]}
    )


def play_games(
    game: str,
    players: Sequence[str],
    opening: str = "",
    settings: Settings | None = None,
    position: str | None = None,
    number: int = 0,
    seed: int = 0,
    time_s: float | None = None,
) -> Measured:
    """Two games from one opening, sides exchanged: points of the first player, and the games.

    `number` tells apart pairs that are equal in all else, and gives them other random numbers.
    """
    first, second = players
    known = _settings(find_game(game), settings)
    for text in players:  # an engine that is not there has not lost a game
        begin_once((game, known, position, text))
    pair = Pair(game, (first, second), number, opening, position, known, seed, time_s)
    played = PlayedPair.from_data(play_pair(asdict(pair)))
    answer = {
        "points": list(played.points),
        "games": [
            {
                "moves": [move.move for move in one.moves],
                "nodes": [move.nodes for move in one.moves],
                "outcome": one.outcome,
                "ended": one.ended,
                "reason": one.reason,
            }
            for one in played.games
        ],
    }
    times = {
        name: [move.time_s for move in one.moves]
        for name, one in zip(("first game", "second game"), played.games, strict=True)
    }
    return Measured(answer, times, played.games)


def openings(
    game: str, plies: int, count: int, seed: int = 0, settings: Settings | None = None
) -> list[str]:
    """So many different openings of random moves, as the tasks take them."""
    found = random_openings(BasePosition.begin(game, settings), plies, count, seed)
    return [OpeningText.of(opening).moves for opening in found]


def in_parts(things: Sequence[T], size: int = 5) -> list[Sequence[T]]:
    """A few at a time: what one cell measures."""
    return [things[at : at + size] for at in range(0, len(things), size)]


def answer_of(game: GameSpec, state: State, found: SearchResult) -> Answer:
    """What a search found, without its time."""
    move = "" if found.move is None else game.format_move(state, found.move)
    return {"move": move, "value": found.value, "depth": found.depth, **found.counters}


class Found(NamedTuple):
    """What an algorithm found by itself."""

    value: int
    """For the side to move."""
    counters: dict[str, int]
    time_s: float
    """From call to answer, without the making of its parts."""


def search_alone(workshop: Workshop, state: State, depth: int, guess: int = 0) -> Found:
    """Search one depth and nothing else: to complete a line would visit more."""
    parts = workshop.parts(state, depth, MOST_NODES)
    started = time.perf_counter()
    value = workshop.value(state, depth, guess, parts)
    return Found(value, counters_of(parts.counts), time.perf_counter() - started)


def _begin(game: str, settings: Settings | None, position: str | None) -> tuple[GameSpec, State]:
    spec = find_game(game)
    start = spec.initial(**_settings(spec, settings))
    return spec, spec.parse_position(start, position) if position else start


def _settings(game: GameSpec, given: Settings | None) -> dict[str, Value]:
    return game.settings({name: str(value) for name, value in (given or {}).items()})


def searcher(text: str, game: GameSpec, start: State) -> SearchPlayer:
    """A player that searches, compiled. Raises Unsupported for others."""
    player = make_machine(text, game, start)
    if not isinstance(player, SearchPlayer):
        raise Unsupported(f"{text} does not search; expected an algorithm, as in alphabeta:depth=4")
    if not is_over(start):
        prepare(game, start, player.setup)
    return player

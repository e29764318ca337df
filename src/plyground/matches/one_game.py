"""One game between two players, from an opening to its end.

Whoever breaks the rules, takes too long or gives up loses this game, and only this game. Moves
that leave no choice by the game's own notation (a forced pass in Othello) are played for them.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from plyground.core.errors import InputError
from plyground.core.records import Ending, GameRecord, MoveRecord, points_for
from plyground.games.position import BasePosition
from plyground.games.spec import PLAYERS
from plyground.players.spec import Choice, Forfeit, Player, Turn

GRACE_S = 0.1  # beyond a time limit, for passing the question and the answer on
MOST_PLIES = 5000  # a game that never ends is a draw

Listener = Callable[[int, MoveRecord], None]


def play_game(
    opening: BasePosition,
    players: tuple[Player, Player],
    names: tuple[str, str],
    seed: int = 0,
    time_s: float | None = None,
    on_move: Listener | None = None,
) -> GameRecord:
    """Let two players play; `on_move` is called with every move, those of the opening first."""
    game, turn = opening.game, Turn(opening.path[0], seed, time_s)
    moves: list[MoveRecord] = []

    def push(choice: Choice, time_s: float = 0.0) -> None:
        nonlocal turn
        record = turn.record(choice, time_s)
        moves.append(record)
        turn = turn.after(choice.move)
        if on_move:
            on_move(choice.move, record)

    for move in opening.codes:
        push(Choice(move))

    def end(points: float, ended: Ending = "over", reason: str = "") -> GameRecord:
        outcome = turn.position.score
        return GameRecord(
            game.name, names, moves, points, outcome, ended, reason, opening.ply, seed=seed
        )

    def lose(loser: int, ended: Ending, reason: str) -> GameRecord:
        return end(float(loser), ended, f"{PLAYERS[loser]} player: {reason}")

    for number, player in enumerate(players):
        try:
            player.begin()
        except Forfeit as forfeit:
            return lose(number, "forfeit", str(forfeit))
    while (score := turn.position.score) is None:
        if len(moves) >= MOST_PLIES:
            return end(0.5, "length", f"not over after {MOST_PLIES:,} moves")
        implied = turn.position.implied_code
        if implied is not None:
            push(Choice(implied))
            continue
        mover, waiter = players[turn.side], players[1 - turn.side]
        if waiter is not mover:
            waiter.watch(turn)
        _ = turn.legal  # listed by the referee: costs no player any time
        started = time.perf_counter()
        try:
            choice = mover.choose(turn)
        except (Forfeit, InputError) as forfeit:  # such as a search that needs more memory
            return lose(turn.side, "forfeit", str(forfeit))
        used = time.perf_counter() - started
        if choice.move not in turn.legal:
            return lose(turn.side, "illegal move", turn.refusal(choice))
        if time_s is not None and used > time_s + GRACE_S:
            return lose(turn.side, "time", f"{used:.2f} s for a move, allowed were {time_s:g} s")
        push(choice, used)
    return end(points_for(score))

"""Whether an evaluator keeps the promises that its specification makes.

At positions of random games: its value is a whole number below that of a win, the same in plain
Python and in machine code, the same for positions that mirror each other if it says so, and of the
opposite sign when the other side is to move on the same board, unless it says otherwise. Positions
that the game's key takes for one have one value.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

import numpy as np

from plyground.bits import random_below
from plyground.core.errors import GameCodeError
from plyground.core.scores import WIN
from plyground.evaluation.spec import Evaluator, EvaluatorSpec, evaluate
from plyground.games.check import demand
from plyground.games.rules import State, count_symmetries, is_over, key, play, side, transform
from plyground.games.spec import GameSpec
from plyground.kernel import kernel

MOST_PLIES = 500

Exchange = Callable[[State], State]


@kernel
def judged(evaluator: Evaluator, state: State) -> int:
    """The value as compiled code finds it."""
    return evaluate(evaluator, state)


def check_evaluator(
    spec: EvaluatorSpec, evaluator: Evaluator, game: GameSpec, start: State, games: int, seed: int
) -> int:
    """Check an evaluator at positions of random games; returns how many. Raises BrokenPromise."""
    states = list(positions(game, start, games, seed))
    exchange = find_exchange(game, states) if spec.is_zero_sum else None
    known: dict[int, int] = {}
    for state in states:
        claim = functools.partial(demand, game, state)
        value = evaluate(evaluator, state)
        said = f"is worth {value} by {spec.name}"
        claim(isinstance(value, int | np.integer), f"{said}; expected a whole number")
        claim(abs(int(value)) < WIN, f"{said}; expected less than a win, {WIN:,}")
        same = known.setdefault(int(key(state)), int(value))
        claim(same == value, f"{said}, and {same} in another position with the same key")
        compiled = int(judged(evaluator, state))
        claim(compiled == value, f"{said}, and {compiled} when it is compiled")
        for symmetry in range(1, count_symmetries(state) if spec.is_symmetric else 1):
            mirrored = int(evaluate(evaluator, transform(state, symmetry)))
            claim(
                mirrored == value,
                f"{said}, and {mirrored} under symmetry {symmetry}; "
                "an evaluator that tells them apart says symmetric=False",
            )
        if exchange is not None:
            opposite = int(evaluate(evaluator, exchange(state)))
            claim(
                opposite == -value,
                f"{said}, and {opposite} with the other side to move; expected {-value}, "
                "or zero_sum=False",
            )
    return len(states)


def positions(game: GameSpec, start: State, games: int, seed: int) -> Iterator[State]:
    """The positions of some random games, those at their ends left out."""
    generator = np.array([seed], np.uint64)
    for _ in range(games):
        state, plies = start, 0
        while not is_over(state) and plies < MOST_PLIES:
            yield state
            moves = game.legal(state)
            state, plies = play(state, moves[random_below(generator, len(moves))]), plies + 1


def find_exchange(game: GameSpec, states: Iterable[State]) -> Exchange | None:
    """How to get the same board with the other side to move, if the board shows how.

    States hold the stones of first and second, or those of the side to move and the other one: then
    only the side changes, or two fields change places as well. What leaves every board as it is,
    and changes the side, is the exchange.
    """
    if game.board is None:
        return None
    known = [state for state in states if len({*game.board_of(state).cells} - {""}) > 1]
    if not known or "side" not in known[0]._fields:
        return None
    fields = [name for name in known[0]._fields if name != "side"]
    for swapped in [(), *combinations(fields, 2)]:
        exchange = functools.partial(_exchanged, fields=swapped)
        if all(_is_exchange(game, state, exchange) for state in known):
            return exchange
    return None


def _exchanged(state: State, fields: tuple[str, ...]) -> State:
    changed = {"side": 1 - state.side}
    if fields:
        one, other = fields
        changed |= {one: getattr(state, other), other: getattr(state, one)}
    return state._replace(**changed)


def _is_exchange(game: GameSpec, state: State, exchange: Exchange) -> bool:
    try:
        other = exchange(state)
        return side(other) != side(state) and game.board_of(other) == game.board_of(state)
    except (ValueError, LookupError, ArithmeticError, GameCodeError):  # no such position
        return False

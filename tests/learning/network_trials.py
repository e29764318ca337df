"""Trainings for the tests of the network, each in a process of its own: JAX has threads.

Other tests fork, and a process with threads must not be forked.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from learning.toys import Marks, Toy, empties, exact_scale, lessons_of, random_games, states_of

from plyground.evaluation.check import judged
from plyground.learning.calibrating import calibrate
from plyground.learning.misses import judge
from plyground.learning.network import Trained, Training, train


def factors_and_states(name: str, kind: type, games: list[Any], start: Any) -> Any:
    states = states_of(start, games)
    width = len(kind._fields)  # type: ignore[attr-defined]
    rows = np.eye(width, dtype=int).tolist()
    return np.array([[kind(*row).evaluate(state) for row in rows] for state in states]), states


def told(trained: Trained, states: list[Any]) -> dict[str, Any]:
    """What a test asks of a training; evaluators travel badly."""
    made = trained.make()
    return {
        "numbers": trained.numbers.tolist(),
        "form": trained.form,
        "losses": trained.losses,
        "error": trained.error,
        "explained": trained.explained,
        "kept": trained.kept,
        "counts": (trained.games, trained.positions),
        "values": [made.evaluate(state) for state in states],
        "compiled": [judged(made, state) for state in states],
    }


def othello(seeds: tuple[int, ...], **options: Any) -> list[dict[str, Any]]:
    """A worth that changes with the phase in a curve, and with how far the discs are apart."""
    game, start, games = random_games("othello", 200, 1)
    factors, states = factors_and_states("othello", Toy, games, start)
    left = empties(states) / 60
    apart = np.minimum(abs(factors[:, 0]) / 20, 1)
    weights = np.column_stack([0.5 - 2 * (left - 0.5) ** 2, 0.3 * apart, 0.4 * left - 0.2])
    scale, _ = exact_scale(game, start)
    lessons = lessons_of(games, (weights * factors).sum(axis=1), scale)
    found = []
    for seed in seeds:
        trained = train(game, start, Toy(), lessons, Training(seed=seed, **options))
        found.append(told(trained, states[::97]))
    base = calibrate(game, start, Toy(), lessons, 8)
    found.append({"calibrated": judge(start, base.make(), scale, lessons)})
    return found


def tictactoe() -> dict[str, Any]:
    """Chances, which are tanh of a sum whose weights change with the phase."""
    game, start, games = random_games("tictactoe", 600, 1)
    factors, states = factors_and_states("tictactoe", Marks, games, start)
    left = empties(states) / 9
    weights = np.column_stack([1.5 * left, 0.8 - left])
    scale, _ = exact_scale(game, start)
    lessons = lessons_of(games, np.tanh((weights * factors).sum(axis=1)), scale)
    trained = train(game, start, Marks(), lessons, Training(epochs=40, batch=64, glances=0))
    straight = calibrate(game, start, Marks(), lessons, 1)
    return told(trained, states[::50]) | {"straight": judge(start, straight.make(), scale, lessons)}


def without_jax() -> str:
    """What is said where JAX is not installed, and whether anything imported it before."""
    from plyground.core.errors import Unsupported

    game, start, games = random_games("othello", 4, 1)
    scale, _ = exact_scale(game, start)
    lessons = lessons_of(games, np.zeros(sum(map(len, games))), scale)
    imported = [name for name in sys.modules if name.split(".")[0] in ("jax", "jaxlib", "torch")]
    sys.modules["jax"] = None  # type: ignore[assignment]
    try:
        train(game, start, Toy(), lessons)
    except Unsupported as error:
        return f"{imported} {error}"
    return "nothing"

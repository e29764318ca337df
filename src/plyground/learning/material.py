"""What the weights of an evaluator multiply: found by asking it, at all positions of games.

The value of an evaluator is a sum of factors, each times a field of it. A factor is what the value
changes by when its field alone is something, so nothing is known here of any. Which fields a value
is a sum over, and which are no such weights, is found by trying (`fittable`); so is what tells
the stages of a game apart (`stage_map`). Nothing is fitted here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from plyground.core.errors import Unsupported
from plyground.evaluation.calibrated import (
    Layout,
    StageMap,
    bare_table,
    measure_of,
    number_fields,
)
from plyground.evaluation.cells import find_cells
from plyground.evaluation.general import Zero
from plyground.evaluation.ntuples import BY_CELLS_LEFT, BY_NOTHING, BY_PIECES
from plyground.evaluation.sample import sample
from plyground.evaluation.spec import Evaluator, evaluate
from plyground.games.rules import State, cells_left, play
from plyground.games.spec import GameSpec
from plyground.kernel import Slab, is_stopped, kernel, with_numbers
from plyground.learning.lessons import Lessons
from plyground.learning.scale import WHOLE, Scale

PROBE = 1000  # the weight to ask for a factor with: so that roundings inside hardly matter
ROUNDED = 2  # what roundings may make of a difference of two values
MULTIPLES = (-3, -2, -1, 1, 2, 3)
MIXTURES = 4
TRIED_GAMES, MANY_GAMES = 8, 200
AT_ONCE = 256  # games
CELLS_PER_STAGE = 8
GAMES, NOISE, SEED = 300, 300, 7  # to find where pieces are

# ------------------------------------------------------------------ over all positions


@kernel
def write_values(
    start: State,
    base: Evaluator,
    probes: Slab,
    table: Slab,
    lessons: tuple[np.ndarray, ...],
    games: np.ndarray,
    values: np.ndarray,
    wanted: np.ndarray,
    measures: np.ndarray,
    owners: np.ndarray,
) -> int:
    """Ask an evaluator with each of some sets of weights, at all positions of some games.

    A row of `probes` is a set, a column of `values` its answers. How many rows are written.
    """
    moves, shares, firsts, lengths, openings = lessons
    sets = values.shape[1]
    width, row = len(probes) // sets, 0
    for number in range(len(games)):
        if is_stopped(probes):
            break
        game = games[number]
        state = start
        for ply in range(lengths[game]):
            here = firsts[game] + ply
            if ply >= openings[game]:
                for probe in range(sets):
                    values[row, probe] = evaluate(with_numbers(base, probes, probe * width), state)
                wanted[row] = shares[here]
                measures[row] = measure_of(table, state)
                owners[row] = number
                row += 1
            if ply + 1 < lengths[game]:
                state = play(state, moves[here])
    return row


def arrays_of(lessons: Lessons) -> tuple[np.ndarray, ...]:
    firsts = np.cumsum(lessons.lengths) - lessons.lengths
    return lessons.moves, lessons.values, firsts, lessons.lengths, lessons.openings


def chosen(lessons: Lessons, games: np.ndarray) -> Lessons:
    """Some of the games, in this order."""
    _, _, firsts, lengths, openings = arrays_of(lessons)
    rows = [np.arange(firsts[game], firsts[game] + lengths[game]) for game in games]
    moves = np.concatenate([np.zeros(0, np.int64), *rows])
    return Lessons(lessons.moves[moves], lessons.values[moves], lengths[games], openings[games])


def _asked(
    start: State,
    base: Evaluator,
    lessons: tuple[np.ndarray, ...],
    games: np.ndarray,
    positions: int,
    sets: np.ndarray,
    table: Slab | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Answers to sets of weights at all positions of games: with shares, measures and games."""
    probes = Slab(sets.size)
    probes.array[:] = sets.ravel()
    values = np.zeros((positions, len(sets)), np.int64)
    wanted, measures = np.zeros(positions), np.zeros(positions, np.int64)
    owners = np.zeros(positions, np.int64)
    table = table or bare_table(StageMap(BY_NOTHING, (0,)))
    write_values(start, base, probes, table, lessons, games, values, wanted, measures, owners)
    return values, wanted, measures, owners


@dataclass(frozen=True)
class Material:
    """What is fitted: a row for each position, those of one game after the other."""

    factors: np.ndarray
    """What each weight multiplies."""
    offsets: np.ndarray
    """What fields that are not fitted add, in points (where there is no margin: before tanh)."""
    wanted: np.ndarray
    """In points."""
    stages: np.ndarray
    owners: np.ndarray
    """The number of its game."""


def gather(
    start: State,
    base: Evaluator,
    lessons: Lessons,
    layout: Layout,
    kept: dict[str, int],
    scale: Scale,
) -> Material:
    """Ask the base about all positions, with one weight alone at a time."""
    names = number_fields(base)
    usual = np.array([int(kept.get(name, 0)) for name in names], np.int64)
    sets = np.tile(usual, (1 + len(layout.fitted), 1))
    for row, name in enumerate(layout.fitted):
        sets[1 + row, names.index(name)] = PROBE
    counts = (lessons.lengths - lessons.openings).astype(np.int64)
    factors = np.ones((int(counts.sum()), layout.columns), np.float32)
    offsets, wanted = np.zeros(len(factors)), np.zeros(len(factors))
    stages, owners = np.zeros(len(factors), np.int32), np.zeros(len(factors), np.int64)
    table, all_games, row = bare_table(layout.stages), np.arange(lessons.games), 0
    arrays, stage_of = arrays_of(lessons), np.array(layout.stages.stages)
    for first in range(0, lessons.games, AT_ONCE):
        games = all_games[first : first + AT_ONCE]
        count = int(counts[games].sum())
        rows = slice(row, row + count)
        values, shares, measures, numbers = _asked(start, base, arrays, games, count, sets, table)
        factors[rows, : len(layout.fitted)] = (values[:, 1:] - values[:, :1]) / PROBE
        offsets[rows] = values[:, 0] / scale.unit
        wanted[rows] = shares * (scale.most / WHOLE)
        stages[rows], owners[rows] = stage_of[measures], first + numbers
        row += count
    return Material(factors, offsets, wanted, stages, owners)


# ------------------------------------------------------------------ which weights can be fitted


class _Trial:
    """A few games, to ask an evaluator with many sets of weights."""

    def __init__(self, start: State, base: Evaluator, lessons: Lessons, games: int) -> None:
        self.start, self.base, self.lessons = start, base, arrays_of(lessons)
        self.names = number_fields(base)
        self.games = np.unique(np.linspace(0, lessons.games - 1, games).astype(np.int64))
        self.positions = int((lessons.lengths - lessons.openings)[self.games].sum())
        self.generator = np.random.default_rng(SEED)

    def answers(self, sets: np.ndarray) -> np.ndarray:
        """A row for each position, a column for each set."""
        return _asked(self.start, self.base, self.lessons, self.games, self.positions, sets)[0]

    def bears(self, name: str) -> bool:
        """Whether the evaluator works with any number there: one that is no weight may index."""
        states = [*self._states()]
        with contextlib.suppress(ArithmeticError, LookupError, ValueError, TypeError):
            for number in (0, PROBE, -PROBE, 3 * PROBE):
                for state in states:
                    evaluate(self.base._replace(**{name: number}), state)
            return True
        return False

    def _states(self) -> Iterator[State]:
        moves, _, firsts, lengths, _ = self.lessons
        for number, game in enumerate(self.games):
            state, plies = self.start, int(lengths[game]) * number // len(self.games)
            for move in moves[firsts[game] : firsts[game] + plies]:
                state = play(state, move)
            yield state

    def sums(self, usual: np.ndarray, among: Sequence[int], known: Sequence[int] = ()) -> list[int]:
        """Fields, in their order, that a value is a sum of; the rest is as usual."""
        found = [*known]
        for each in among:
            if self._is_sum(usual, [*found, each]):
                found.append(each)
        return sorted(found)

    def _is_sum(self, usual: np.ndarray, fields: list[int]) -> bool:
        """Whether the last one changes values, and values are sums over all of these."""
        alone = np.tile(usual, (1 + len(fields), 1))
        alone[:, fields] = 0
        alone[np.arange(1, len(alone)), fields] = PROBE
        mixed = np.tile(usual, (MIXTURES, 1))
        times = self.generator.choice(MULTIPLES, (MIXTURES, len(fields)))
        mixed[:, fields] = PROBE * times
        answers = self.answers(np.concatenate([alone, mixed]))
        without, with_each = answers[:, :1], answers[:, 1 : len(alone)]
        expected_sums = without + (with_each - without) @ times.T
        rounding = ROUNDED + ROUNDED * abs(times).sum(axis=1)
        changes = bool((abs(with_each[:, -1:] - without) > ROUNDED).any())
        return changes and bool((abs(answers[:, len(alone) :] - expected_sums) <= rounding).all())


def fittable(
    start: State, base: Evaluator, lessons: Lessons
) -> tuple[tuple[str, ...], dict[str, int]]:
    """The fields whose weights can be fitted together, and what the others are meanwhile.

    A value must be a sum of factors times these fields, but for rounding, while the others stay as
    they are. Of two that are multiplied with each other the first is fitted (of the worth of
    squares and the weight of their sum, the worth of squares). A field that no position depends on
    stays as it is. If one field keeps others from being fitted, as the parity of `Factors` does, it
    is set to 0. Raises Unsupported if nothing is left.
    """
    trial = _Trial(start, base, lessons, TRIED_GAMES)
    usual = np.array([int(getattr(base, name)) for name in trial.names], np.int64)
    among = [i for i, name in enumerate(trial.names) if trial.bears(name)]
    best, silent = trial.sums(usual, among), -1
    if len(best) < len(among):
        for each in among:
            without = usual.copy()
            without[each] = 0
            found = trial.sums(without, [i for i in among if i != each])
            if len(found) > len(best):
                best, silent = found, each
    if len(best) < len(among):  # some factors are rare
        others = [i for i in among if i not in best and i != silent]
        if silent >= 0:
            usual[silent] = 0
        best = _Trial(start, base, lessons, MANY_GAMES).sums(usual, others, best)
    if not best:
        raise Unsupported("no field of this evaluator is a weight: its values are no sum over them")
    kept = {name: int(usual[i]) for i, name in enumerate(trial.names) if i not in best}
    return tuple(trial.names[i] for i in best), kept


# ------------------------------------------------------------------ stages


def stage_map(game: GameSpec, start: State, stages: int | Sequence[int] | None = None) -> StageMap:
    """What tells stages apart: so many of one length, or those that begin at these counts.

    Counted are empty cells where a game is about filling them, otherwise the pieces that its board
    shows. Raises Unsupported if there are neither, and more stages than one are wanted.
    """
    by, most, masks = _measure(game, start)
    if stages is None:
        stages = max(1, round(most / CELLS_PER_STAGE))
    count = stages if isinstance(stages, int) else len(stages)
    if count < 1 or count > most + 1:
        raise Unsupported(
            f"{game.name} cannot be split into {count} stages: "
            + (f"it has at most {most} {StageMap(by, (0,)).name}" if most else "nothing is counted")
        )
    if isinstance(stages, int):
        return StageMap.even(by, most, stages, masks)
    if stages[0] != 0 or sorted({*stages}) != [*stages] or stages[-1] > most:
        raise Unsupported(f"stages begin at {[*stages]}; expected 0 first, then more, up to {most}")
    return StageMap.beginning(by, most, stages, masks)


def _measure(game: GameSpec, start: State) -> tuple[int, int, list[int]]:
    """What is counted, the most of it, and the bits of the pieces in each field."""
    if (left := int(cells_left(start))) > 0:
        return BY_CELLS_LEFT, left, []
    seen = sample(game, start, Zero(), NOISE, GAMES, SEED)
    places = sorted({*find_cells(game, seen).places.values()})
    if not places:
        return BY_NOTHING, 0, []
    masks = [0] * len(start)
    for place in places:
        masks[place // 64] |= 1 << place % 64
    return BY_PIECES, int(seen.bits()[:, places].sum(axis=1).max()), masks

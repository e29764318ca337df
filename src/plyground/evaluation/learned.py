"""Evaluators that were learned, here or by us: every file of weights is one.

Files lie in a folder of the user's data, or come with the package. The list of them is read from
their first lines; the numbers of one are read when it is first needed.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plyground.core.errors import InputError, MalformedText, system_errors_as
from plyground.core.json_text import read_object
from plyground.evaluation import assigned, calibrated
from plyground.evaluation.ntuples import MOST_MOVES, NOTHING, NTuples
from plyground.evaluation.pictures import summed
from plyground.evaluation.spec import Evaluator, EvaluatorSpec, Factor, Factors
from plyground.evaluation.tuple_plan import BIAS, ZERO_WEIGHT, Plan
from plyground.evaluation.weights_file import (
    DIGEST_BYTES,
    SHIPPED,
    SUFFIX,
    Weights,
    checkpoints_folder,
    weights_folder,
)
from plyground.games.catalogue import find_game
from plyground.games.rules import State, count_moves
from plyground.games.spec import GameSpec
from plyground.kernel import Slab

NTUPLES, CALIBRATED, NETWORK = "n-tuples", "calibrated", "network"
Explain = Callable[[Weights, GameSpec, Any, State], list[Factor]]
MOST_HEAD = 2**22  # bytes of a first line
MOST_READ = 8  # files whose numbers stay in memory


def learned_evaluators() -> Iterator[EvaluatorSpec]:
    """An evaluator for each file whose game is known; what cannot be read is left out."""
    for path in weights_files():
        with contextlib.suppress(InputError, OSError):
            yield spec_of(path)


def weights_files() -> list[Path]:
    """The user's files, then ours, then what was learned on the way."""
    found = list[Path]()
    for folder in _folders():
        with contextlib.suppress(OSError):
            found += sorted(folder.glob(f"*{SUFFIX}"))
    return found


def _folders() -> tuple[Path, ...]:
    return weights_folder(), SHIPPED, checkpoints_folder()


def folder_stamps() -> tuple[int, ...]:
    """What changes when a file is added, replaced or removed."""
    stamps = []
    for folder in _folders():
        try:
            stamps.append(folder.stat().st_mtime_ns)
        except OSError:
            stamps.append(0)
    return tuple(stamps)


def spec_of(path: Path) -> EvaluatorSpec:
    """The evaluator in a file. Raises InputError if it is none, or its game is not known."""
    changed = path.stat().st_mtime_ns
    head, _ = _head(path, changed)
    game = find_game(str(head["game"]))
    classes = tuple(each for each in game.classes if each.__name__ == head["states"])
    if not classes:
        raise MalformedText(f"{path} is for another form of {game.name}")
    return _spec_of(path, changed, classes)


@functools.lru_cache(200)
def _spec_of(path: Path, changed: int, classes: tuple[type, ...]) -> EvaluatorSpec:
    """The same evaluator as long as neither its file nor its game changes."""
    head, version = _head(path, changed)
    form = Weights(**{**head, "numbers": np.zeros(0, np.int16)})

    def suits(start: State) -> bool:
        return form.fits(start)

    def fit(evaluator: Evaluator, game: GameSpec, start: State) -> Evaluator:
        form.demand_fit(game, start)
        return evaluator_in(load(path), game, start)

    def factors(evaluator: Evaluator, state: State) -> list[Factor]:
        return FORMS[form.kind].factors(load(path), find_game(form.game), evaluator, state)

    if form.kind not in FORMS:
        raise MalformedText(f"{path} holds {form.kind!r:.40}, which this version does not know")
    return EvaluatorSpec(
        name=form.name,
        games=classes,
        summary=str(form.recipe.get("summary", "Learned from games.")),
        source="ours" if path.parent == SHIPPED else "learned here",
        scale=form.scale,
        make=lambda: NTuples(NOTHING, NOTHING, NOTHING),
        fit=fit,
        factors=factors,
        is_symmetric=bool(form.about.get("is_symmetric", False)),
        is_zero_sum=bool(form.about.get("is_zero_sum", False)),
        is_default=bool(form.recipe.get("is_default", False)),
        unit=float(form.unit),
        version=version,
        is_listed=path.parent != checkpoints_folder(),
        suits=suits,
    )


def weights_behind(spec: EvaluatorSpec) -> Weights:
    """The file that an evaluator is. Raises InputError."""
    for path in weights_files():
        with contextlib.suppress(InputError, OSError):
            if spec.version == _head(path, path.stat().st_mtime_ns)[1]:
                return load(path)
    raise MalformedText(f"the file of {spec.name} is gone")


@functools.lru_cache(200)
def _head(path: Path, changed: int) -> tuple[dict[str, Any], str]:
    """The first line of a file, and a digest of all of it."""
    with open(path, "rb") as file:
        line = file.readline(MOST_HEAD)
        file.seek(-DIGEST_BYTES, os.SEEK_END)
        version = file.read().hex()[:16]
    if not line.startswith(b'{"plyground-weights"'):
        raise MalformedText(f"{path} is no file of weights")
    try:
        head = read_object(line)
        del head["plyground-weights"], head["shape"]
        Weights(**head, numbers=np.zeros(0, np.int16))
    except (ValueError, KeyError, TypeError):
        raise MalformedText(f"{path} is no file of weights") from None
    return head, version


def load(path: Path) -> Weights:
    """What is in a file, read once. Raises InputError."""
    with system_errors_as(f"cannot read {path}"):
        changed = path.stat().st_mtime_ns
    return _read_once(path, changed)


@functools.lru_cache(MOST_READ)
def _read_once(path: Path, changed: int) -> Weights:
    return Weights.read(path)


def evaluator_in(weights: Weights, game: GameSpec, start: State) -> Evaluator:
    """The evaluator that weights are. Raises MalformedText where they do not fit each other."""
    try:
        return FORMS[weights.kind].build(weights, game, start)
    except (ValueError, KeyError, TypeError, IndexError):
        raise MalformedText(f"{weights.name}: its numbers do not fit its plan") from None


# ------------------------------------------------------------------ n-tuples


def plan_in(weights: Weights) -> Plan:
    """The plan of a file of n-tuples. Raises ValueError, KeyError or TypeError."""
    plan = Plan.from_data(weights.about["plan"])
    if weights.numbers.shape != (plan.stage_count * plan.sides, plan.distinct):
        raise ValueError
    return plan


def ntuples_of(plan: Plan, numbers: np.ndarray, width: int) -> NTuples:
    """The evaluator with these weights: those that are distinct, for every stage of a side."""
    whole = numbers[:, plan.canon].astype(np.int16)
    whole[:, ZERO_WEIGHT] = 0
    slab = Slab(-(-whole.size // 4))
    slab.array.view(np.int16)[: whole.size] = whole.ravel()
    return NTuples(plan.numbers, slab, Slab(width))


def cell_names(plan: Plan, game: GameSpec, state: State) -> list[str]:
    """What people call the cells of a plan: as the board does, or by number."""
    board = game.board(state) if game.board else None
    found = [f"cell {cell + 1}" for cell in range(len(plan.view.codes))]
    if board is not None and len(board.column_labels) == board.columns:
        rows = board.row_labels or [str(board.rows - row) for row in range(board.rows)]
        named = [column + row for row in rows for column in board.column_labels]
        found[: plan.cells] = named[: plan.cells]
    if plan.cells:
        found[plan.cells :] = [f"code {number + 1}" for number in range(plan.view.coded)]
    return found


def ntuples_factors(
    plan: Plan, evaluator: NTuples, state: State, names: Sequence[str]
) -> list[Factor]:
    """What each table adds, over all its places; and where. The most first."""
    shorts = evaluator.weights.array.view(np.int16)
    first, codes = plan.first_weight(state), plan.codes_of(state)
    sums: Counter[int] = Counter()
    amounts: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for each in plan.placed:
        at = first + plan.starts[each.table] + plan.index_of(each, codes)
        value = int(shorts[at])
        sums[each.table] += value
        amounts[each.table] += [
            (plan.shown_cell(cell, state), value / len(each.cells)) for cell in each.cells
        ]
    found = [Factor("always", int(shorts[first + BIAS]), 1)]
    if plan.counts_moves:
        moves = min(count_moves(state, evaluator.room, 0), MOST_MOVES)
        found.append(Factor("moves", int(shorts[first + plan.moves_at + moves]), 1))
    for table, value in sorted(sums.items(), key=lambda item: -abs(item[1])):
        name = " ".join(names[cell] for cell in plan.tuples[table])
        found.append(Factor(name, value, 1, summed(amounts[table])))
    return found


# ------------------------------------------------------------------ weights of other evaluators


def base_of(weights: Weights, start: State) -> EvaluatorSpec:
    """The evaluator whose weights these are. Raises Unsupported if there is none of its name."""
    from plyground.evaluation.catalogue import find_evaluator  # which lists what is here

    return find_evaluator(str(weights.about["base"]), start)


def _based(
    make: Callable[[Evaluator, Weights], Evaluator],
) -> Callable[[Weights, GameSpec, State], Evaluator]:
    """How an evaluator is made of another one and numbers for it."""

    def build(weights: Weights, game: GameSpec, start: State) -> Evaluator:
        base = base_of(weights, start).make_for(game, start)
        kept = {str(name): int(value) for name, value in weights.about.get("kept", {}).items()}
        return make(base._replace(**kept), weights)

    return build


def _based_factors(of: Callable[[Factors], Factors]) -> Explain:
    def factors(
        weights: Weights, game: GameSpec, evaluator: Evaluator, state: State
    ) -> list[Factor]:
        own = base_of(weights, state).factors
        return of(own)(evaluator, state) if own else []

    return factors


def _calibrated(base: Evaluator, weights: Weights) -> Evaluator:
    if not weights.numbers.size:  # nothing was learned yet
        return base
    layout = calibrated.Layout.from_data(weights.about["layout"])
    return calibrated.calibrated(base, layout, weights.numbers)


def _assigned(base: Evaluator, weights: Weights) -> Evaluator:
    return assigned.assigned(base, assigned.Form.from_data(weights.about["form"]), weights.numbers)


# ------------------------------------------------------------------ kinds of files


def _explain_ntuples(
    weights: Weights, game: GameSpec, evaluator: NTuples, state: State
) -> list[Factor]:
    plan = plan_in(weights)
    return ntuples_factors(plan, evaluator, state, cell_names(plan, game, state))


@dataclass(frozen=True)
class Form:
    """A kind of numbers that files may hold."""

    build: Callable[[Weights, GameSpec, State], Evaluator]
    """The evaluator for games that begin so."""
    factors: Explain


FORMS = {
    NTUPLES: Form(
        lambda weights, game, start: ntuples_of(plan_in(weights), weights.numbers, game.max_moves),
        _explain_ntuples,
    ),
    CALIBRATED: Form(_based(_calibrated), _based_factors(calibrated.factors_of)),
    NETWORK: Form(_based(_assigned), _based_factors(assigned.factors_of)),
}

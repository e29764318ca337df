"""Training the network that assigns weights (`evaluation/assigned.py`): from lessons to numbers.

It begins as the weights that least squares finds for the whole game, with units that come on one
after the other as the game goes on, and is improved from there (`descent.py`). Then its numbers are
rounded to 16 bits, and what is told of it is told of the evaluator that plays, on games that it was
not trained on.

Training needs JAX, playing does not. JAX rather than PyTorch: `pip install jax` is 90 MB that
compute on a processor, PyTorch from the same place brings gigabytes for graphics cards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plyground.core.errors import Unsupported
from plyground.evaluation.assigned import (
    ALWAYS,
    FIRST_GLANCE,
    MOST_FINE,
    MOST_GLANCES,
    PHASE,
    UNIT_BITS,
    UNIT_COUNT,
    Assigned,
    Form,
    assigned,
    step_of,
)
from plyground.evaluation.calibrated import FINEST, MOST_NUMBER, Layout, StageMap
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.kernel import SHARE_BITS, WHOLE_SHARE
from plyground.learning.calibrating import Fit
from plyground.learning.lessons import Lessons
from plyground.learning.material import Material, chosen, fittable, gather, stage_map
from plyground.learning.misses import judge
from plyground.learning.scale import Scale, scale_of

RIDGE = 100.0  # positions; the weights that training begins with
SMALL = 0.1  # what a number is about at first


@dataclass(frozen=True)
class Training:
    """How a network is trained."""

    glances: int = 1
    """Values of the base that it looks at before; each costs another one."""
    epochs: int = 20
    """Passes over all positions."""
    batch: int = 2048
    """Positions for each step."""
    rate: float = 0.01
    """How far a number moves at first, of its usual size."""
    held_out: float = 0.1
    """The share of games that it is not trained on, but told by."""
    seed: int = 0


@dataclass(frozen=True)
class Trained:
    """A network with all that is known of it."""

    base: Evaluator = field(repr=False)
    scale: Scale
    form: Form
    numbers: np.ndarray = field(repr=False)
    """Of 16 bits, as `Form` tells."""
    kept: dict[str, int]
    """The fields that no weight is assigned to."""
    losses: np.ndarray
    """Of each pass, before rounding."""
    games: int
    positions: int
    error: float
    """On games that were held out: the root of the mean squared error, in points."""
    explained: float
    """On the same games: the fraction of the variance."""

    def make(self) -> Assigned:
        """The evaluator."""
        return assigned(self.base, self.form, self.numbers)


def train(
    game: GameSpec,
    start: State,
    base: Evaluator,
    lessons: Lessons,
    training: Training | None = None,
) -> Trained:
    """Train a network that assigns the weights of an evaluator. Raises Unsupported."""
    training, descent = training or Training(), _descent()
    if not 0 <= training.glances <= MOST_GLANCES:
        raise Unsupported(f"{training.glances} glances: expected 0 to {MOST_GLANCES}")
    own, others = _split(lessons, training)
    scale, phase = scale_of(game, start), _phase(game, start)
    fitted, kept = fittable(start, base, own)
    material = gather(start, base, own, Layout(phase, fitted), kept, scale)
    if material.offsets.any():
        raise Unsupported(f"a network cannot weigh what {', '.join(kept)} add to a value")
    sizes = np.sqrt(np.square(material.factors, dtype=np.float64).mean(axis=0))
    sizes[sizes == 0] = 1.0
    spread = float(np.sqrt(np.square(material.wanted).mean())) if scale.has_margin else 1.0
    examples = descent.Examples(
        (material.factors / sizes).astype(np.float32),
        _share_of_phase(phase, material),
        (material.wanted / spread).astype(np.float32),
    )
    weights = _usual_weights(material, scale) * sizes / spread
    first = descent.Parameters(*_first(weights, training))
    found, losses = descent.descend(
        first,
        examples,
        bool(scale.has_margin),
        training.epochs,
        training.batch,
        training.rate,
        training.seed,
    )
    real = found.glances / sizes, found.units, found.rows * spread / sizes
    form, numbers = _rounded(phase, fitted, scale, *real)
    whole = base._replace(**kept)
    error, explained = judge(start, assigned(whole, form, numbers), scale, others)
    return Trained(
        base=whole,
        scale=scale,
        form=form,
        numbers=numbers,
        kept=kept,
        losses=losses,
        games=own.games,
        positions=own.positions,
        error=error,
        explained=explained,
    )


def _descent() -> Any:
    try:
        from plyground.learning import descent
    except ImportError:
        raise Unsupported(
            "training a network needs JAX, which is not installed: pip install 'plyground[learn]'"
        ) from None
    return descent


def _split(lessons: Lessons, training: Training) -> tuple[Lessons, Lessons]:
    """Games to train on, and games that are held out; whole ones, drawn by the seed."""
    order = np.random.default_rng(training.seed).permutation(lessons.games)
    count = max(1, round(lessons.games * training.held_out))
    if count >= lessons.games:
        raise Unsupported(f"{lessons.games} games are too few: some are held out")
    own = chosen(lessons, np.sort(order[count:]))
    if not own.positions:
        raise Unsupported("there are no positions to learn from")
    return own, chosen(lessons, np.sort(order[:count]))


def _phase(game: GameSpec, start: State) -> StageMap:
    """What is counted, each count by itself."""
    usual = stage_map(game, start)
    return StageMap(usual.by, tuple(range(len(usual.stages))), usual.masks)


def _share_of_phase(phase: StageMap, material: Material) -> np.ndarray:
    """What is left of the game, exactly as the evaluator will have it."""
    shares = material.stages * (step_of(phase) / WHOLE_SHARE)
    return shares.astype(np.float32)


def _usual_weights(material: Material, scale: Scale) -> np.ndarray:
    """The weights that are nearest for the whole game."""
    everywhere = Material(
        material.factors,
        material.offsets,
        material.wanted,
        np.zeros_like(material.stages),
        material.owners,
    )
    fit = Fit(everywhere, 1, scale.has_margin, RIDGE, 0.0)
    fit.run()
    return fit.weights[0]


def _first(weights: np.ndarray, training: Training) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A network that assigns these weights everywhere."""
    generator, count = np.random.default_rng(training.seed), len(weights)
    glances = SMALL * generator.normal(size=(training.glances, count))
    units = SMALL * generator.normal(size=(UNIT_COUNT, FIRST_GLANCE + training.glances))
    units[:, PHASE] += UNIT_COUNT / 2  # the slope: each comes on in a quarter of the game
    units[:, ALWAYS] -= np.linspace(-0.5, UNIT_COUNT / 2 - 0.5, UNIT_COUNT)
    rows = np.zeros((UNIT_COUNT + 1, count))
    rows[-1] = weights
    return glances, units, rows


def _rounded(
    phase: StageMap,
    fitted: tuple[str, ...],
    scale: Scale,
    glances: np.ndarray,
    units: np.ndarray,
    rows: np.ndarray,
) -> tuple[Form, np.ndarray]:
    """The numbers as 16 bits, each part as fine as that allows."""
    too_fine = _bits(glances * WHOLE_SHARE, MOST_FINE)
    shift = _bits(rows * scale.unit, FINEST)
    parts = (
        glances * 2.0 ** (too_fine + SHARE_BITS),
        units * 2.0**UNIT_BITS,
        rows * scale.unit * 2.0**shift,
    )
    flat = np.concatenate([np.rint(part).ravel() for part in parts])
    numbers = np.clip(flat, -MOST_NUMBER, MOST_NUMBER).astype(np.int16)
    return Form(phase, fitted, shift, too_fine, len(glances)), numbers


def _bits(numbers: np.ndarray, most: int) -> int:
    """By how many bits numbers may be finer."""
    bits, largest = most, float(abs(numbers).max(initial=0.0))
    while bits and largest * 2.0**bits > MOST_NUMBER:
        bits -= 1
    return bits

"""Descent: the numbers of a network that assigns weights, found by gradients.

The one file that imports JAX. Adam (Kingma & Ba 2015, "Adam: A Method for Stochastic Optimization")
with a rate that falls to 0 along half a cosine, over positions in an order that the seed decides.
The same seed gives the same numbers on the same machine. Knows nothing of games: there are rows of
factors, a phase, and what is wanted.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

MOMENTUM, SQUARES, TINY = 0.9, 0.999, 1e-8
Numbers = Any  # a Parameters of arrays


class Parameters(NamedTuple):
    """The network, of inputs and factors that are about 1 in size."""

    glances: Any
    """[glance, factor]"""
    units: Any
    """[unit, input]: what it always is, the phase, the glances."""
    rows: Any
    """[unit, factor], and a last row that always counts."""


class Examples(NamedTuple):
    """A row for each position."""

    factors: Any
    phase: Any
    """From 0 to 1."""
    wanted: Any


def said(own: Parameters, factors: Any, phase: Any) -> Any:
    """What the network makes of positions: the sum of the factors by the weights it assigns."""
    glances = jnp.clip(jnp.abs(factors @ own.glances.T), 0.0, 1.0)
    inputs = jnp.concatenate([jnp.ones_like(phase)[:, None], phase[:, None], glances], axis=1)
    shares = jnp.clip(inputs @ own.units.T, 0.0, 1.0)
    weights = shares @ own.rows[:-1] + own.rows[-1]
    return (weights * factors).sum(axis=1)


def loss(own: Parameters, batch: Examples, has_margin: bool) -> Any:
    """The mean squared error; without a margin, what logistic regression makes least."""
    total = said(own, batch.factors, batch.phase)
    if has_margin:
        return jnp.square(batch.wanted - total).mean()
    return (jnp.logaddexp(total, -total) - batch.wanted * total).mean()


def descend(
    first: Parameters,
    examples: Examples,
    has_margin: bool,
    epochs: int,
    batch: int,
    rate: float,
    seed: int,
) -> tuple[Parameters, np.ndarray]:
    """The numbers after so many passes, and the mean loss of each pass."""
    own = jax.tree.map(lambda each: jnp.asarray(each, jnp.float32), first)
    data = jax.tree.map(lambda each: jnp.asarray(each, jnp.float32), examples)
    batch = min(batch, len(examples.wanted))
    batches = len(examples.wanted) // batch
    state = (own, jax.tree.map(jnp.zeros_like, own), jax.tree.map(jnp.zeros_like, own), 0)
    generator, losses = np.random.default_rng(seed), []
    for _ in range(epochs):
        order = generator.permutation(len(examples.wanted))[: batches * batch]
        rows = jnp.asarray(order.reshape(batches, batch))
        state, mean = _pass(state, data, rows, has_margin, rate, epochs * batches)
        losses.append(float(mean))
    return Parameters(*(np.asarray(each) for each in state[0])), np.array(losses)


@functools.partial(jax.jit, static_argnums=(3, 5))
def _pass(
    state: Any, data: Examples, rows: Any, has_margin: bool, rate: float, steps: int
) -> tuple[Any, Any]:
    """Learn from each batch once."""

    def step(state: Any, chosen: Any) -> tuple[Any, Any]:
        own, mean, square, count = state
        some = Examples(*(each[chosen] for each in data))
        value, slope = jax.value_and_grad(loss)(own, some, has_margin)
        mean = jax.tree.map(lambda m, g: MOMENTUM * m + (1 - MOMENTUM) * g, mean, slope)
        square = jax.tree.map(lambda s, g: SQUARES * s + (1 - SQUARES) * g * g, square, slope)
        now = rate * (1 + jnp.cos(jnp.pi * count / steps)) / 2
        count += 1

        def moved(number: Any, m: Any, s: Any) -> Any:
            size = jnp.sqrt(s / (1 - SQUARES**count)) + TINY
            return number - now * (m / (1 - MOMENTUM**count)) / size

        return (jax.tree.map(moved, own, mean, square), mean, square, count), value

    state, values = jax.lax.scan(step, state, rows)
    return state, values.mean()

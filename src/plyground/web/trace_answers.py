"""What pages are answered about trees, as the OpenAPI document describes it. Shapes only."""

from __future__ import annotations

from typing import Literal

from plyground.web.answers import Answer, PositionView


class TreeRow(Answer):
    """A node of a search. Numbers are the mover's, texts those of whoever moves at the root."""

    node: int
    parent: int
    move: str | None
    side: int
    ply: int
    depth: int
    alpha: int
    beta: int
    value: int
    bound: Literal["exact", "lower", "upper"]
    kind: Literal["pv", "cut", "all"]
    reason: Literal["leaf", "over", "table", "cut", "searched", "open"]
    cutting: str | None
    unsearched: int
    children: int
    nodes: int
    hidden: int
    shut: bool
    """Whether its children were counted only."""
    order: int
    done: int
    """The last visit to it or below it."""
    first: int | None
    again: bool
    window: tuple[str, str]
    worth: str


class ChildRows(Answer):
    node: int
    total: int
    start: int
    rows: list[TreeRow]
    cut: list[str]
    """The moves that were never searched."""


class Step(Answer):
    """A child that was searched, and the best value after it."""

    node: int
    move: str
    worth: str
    best: str
    number: int


class NodeDetails(Answer):
    path: list[TreeRow]
    course: list[Step]
    sentence: str
    known: bool
    """Whether its value is known at the visit that was asked for."""
    view: PositionView


class Visit(Answer):
    number: int
    total: int
    node: int
    path: list[TreeRow]


class Overview(Answer):
    """Columns: a bar for each node."""

    first: int
    last: int
    plies: int
    node: list[int]
    end: list[int]
    ply: list[int]
    kind: list[int]
    reason: list[int]


class SimulatedRow(Answer):
    """A node of Monte-Carlo tree search; its mean is for whoever moved to it."""

    node: int
    parent: int
    move: str | None
    side: int
    ply: int
    visits: int
    mean: float | None
    bonus: float | None
    bound: float | None
    children: int


class SimulatedChildren(Answer):
    node: int
    rows: list[SimulatedRow]


class SimulatedNode(Answer):
    path: list[SimulatedRow]
    view: PositionView


class Simulation(Answer):
    number: int
    path: list[SimulatedRow]
    added: int
    reward: float
    player: str
    steps: list[str]

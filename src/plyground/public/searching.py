"""Searching a position: the options of a search as keywords, and its result in words."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from plyground.core.errors import Unsupported, unknown
from plyground.core.scores import Score
from plyground.evaluation.remembered import remembered
from plyground.evaluation.spec import Evaluator
from plyground.games.position import join_moves
from plyground.players.judging import read_evaluator
from plyground.players.searching import read_order
from plyground.public.frames import Row, html_table
from plyground.public.interrupting import Interrupted
from plyground.public.progress import Progress
from plyground.search import setup as searches
from plyground.search.catalogue import find_algorithm
from plyground.search.pruning import PRUNINGS, STOPS
from plyground.search.run import search
from plyground.search.setup import DEFAULT_MEMORY, FINISHES, Limits, Setup, default_finish

if TYPE_CHECKING:
    from plyground.public.position import Position


@dataclass(frozen=True, repr=False)
class SearchResult:
    """The result of a search; see `Position.search`."""

    position: Position
    """The searched position."""
    algorithm: str
    """The name of the algorithm."""
    evaluator: str
    """The name of the evaluator, or `random games`."""
    found: searches.SearchResult = field(compare=False)
    """The same in numbers: codes of moves, and the value as searched."""

    @property
    def move(self) -> str:
        """The best move, as people write it; empty if there is none."""
        return "" if self.found.move is None else self.position.write_move(self.found.move)

    @property
    def after(self) -> Position:
        """The position after the best move."""
        return self.position.play_code(self.found.move or 0)

    @property
    def score(self) -> Score:
        """The score for the side to move."""
        return self.found.score

    @property
    def line(self) -> tuple[str, ...]:
        """The expected moves, the best move first."""
        return self.position.write_line(self.found.line)

    @property
    def depth(self) -> int:
        """The last depth that was searched to its end."""
        return self.found.depth

    @property
    def nodes(self) -> int:
        """Nodes searched, over all depths."""
        return self.found.nodes

    @property
    def counters(self) -> dict[str, int]:
        """Nodes, leaves, cut-offs and the like; the guide on counting defines each."""
        return dict(self.found.counters)

    @property
    def seconds(self) -> float:
        """The time it took."""
        return self.found.time_s

    @property
    def completed(self) -> bool:
        """Whether the depth asked for, or the end of the game, was reached."""
        return self.found.completed

    def as_data(self) -> dict[str, Any]:
        """The result as JSON types."""
        score = self.score
        return {
            "move": self.move or None,
            "score": {"value": score.value, "kind": score.kind, "bound": score.bound},
            "pv": list(self.line),
            "depth": self.depth,
            "nodes": self.nodes,
            "leaves": self.found.counters["leaves"],
            "time_s": round(self.seconds, 6),
            "passes": self.found.counters["passes"],
            "counters": self.counters,
        }

    def one_line(self) -> str:
        """Depth, score, nodes, time and line, in columns."""
        speed = self.nodes / self.seconds / 1e6 if self.seconds else 0.0
        return (
            f"depth {self.depth:2}  {self.score!s:>10}  {self.nodes:>13,} nodes"
            f"  {self.seconds:8.3f} s  {speed:6.1f} M/s  {join_moves(self.line)}"
        )

    def __repr__(self) -> str:
        rest = "" if self.completed else ", stopped"
        line = join_moves(self.line)
        return (
            f"{self.move}  {self.score}  ({self.algorithm}, {self.evaluator}: depth {self.depth}, "
            f"{self.nodes:,} nodes, {self.seconds:.3f} s{rest})  {line}"
        )

    def row(self) -> Row:
        """The result as a row, for frames that compare searches."""
        return {
            "algorithm": self.algorithm,
            "evaluator": self.evaluator,
            "depth": self.depth,
            "move": self.move,
            "score": str(self.score),
            "seconds": self.seconds,
            **self.counters,
        }

    def _repr_html_(self) -> str:
        counters = {name: count for name, count in self.counters.items() if count}
        shown = {"move": self.move, "score": str(self.score), "line": join_moves(self.line)}
        numbers = {"depth": self.depth, "seconds": self.seconds, **counters}
        return html_table([shown | numbers], f"{self.algorithm}, {self.evaluator}")


def search_position(
    position: Position,
    algorithm: str,
    *,
    depth: int | None,
    seconds: float | None,
    nodes: int | None,
    evaluator: str | Evaluator | None,
    order: str,
    memory: int | None,
    symmetric: bool,
    finish: str | None,
    endgame: int,
    iterate: bool,
    seed: int | None,
    threads: int,
    prune: str | None,
    remember: int | None,
    stop: str | None,
    on_depth: Callable[[SearchResult], None] | None,
    shows_progress: bool = True,
) -> SearchResult:
    """See `Position.search`."""
    position.demand_going_on()
    chosen = find_algorithm(algorithm)
    if prune is not None and prune not in PRUNINGS:
        raise unknown("pruning", prune, PRUNINGS)
    if stop is not None and stop not in STOPS:
        raise unknown("stop", stop, STOPS)
    wanted = (finish or default_finish(position.game)).strip().lower()
    if wanted not in FINISHES:
        raise unknown("finish", wanted, FINISHES)
    playouts = chosen.call == "uct" and evaluator is None
    judge, name, is_symmetric = evaluator_of(position, "zero" if playouts else evaluator)
    if symmetric and not is_symmetric:
        raise Unsupported(f"{name} tells mirrored positions apart; search without symmetric")
    setup = Setup(
        algorithm=chosen,
        evaluator=judge if remember is None else remembered(judge, remember),
        finish=FINISHES[wanted],
        order=read_order(order, "order", position.game, position.start),
        memory_bytes=DEFAULT_MEMORY if memory is None else memory,
        symmetric=symmetric,
        seed=seed,
        threads=threads,
        pruning=PRUNINGS[prune] if prune else None,
        first_win=STOPS[stop] if stop else None,
        playouts=playouts,
    )
    limits = Limits(depth, seconds, nodes, endgame, iterate)
    by = "random games" if playouts else name

    def public(found: searches.SearchResult) -> SearchResult:
        return SearchResult(position, chosen.name, by, found)

    doing = f"{chosen.name} on {position.game.title}"
    with Progress(doing) if shows_progress else contextlib.nullcontext() as progress:

        def show(found: searches.SearchResult) -> None:
            if progress:
                progress.report(f"depth {found.depth}: {found.score}, {found.nodes:,} nodes")
            if on_depth and limits.iterates:
                on_depth(public(found))

        try:
            return public(search(position.game, position.state, setup, limits, show))
        except searches.Interrupted as interrupt:
            raise Interrupted(str(interrupt), public(interrupt.result)) from None


def evaluator_of(position: Position, wanted: str | Evaluator | None) -> tuple[Evaluator, str, bool]:
    """An evaluator (from a name, a text with weights, or itself), its name, is it symmetric."""
    if wanted is None or isinstance(wanted, str):
        judge, spec = read_evaluator(wanted, position.game, position.start)
        return judge, spec.name, spec.is_symmetric
    if isinstance(wanted, type):
        wanted = wanted()
    if not (isinstance(wanted, tuple) and callable(getattr(wanted, "evaluate", None))):
        raise Unsupported(
            "an evaluator is a name, or a NamedTuple of weights with a method evaluate(state)"
        )
    return wanted, type(wanted).__name__, False

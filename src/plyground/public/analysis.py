"""Every legal move of a position with its score, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plyground.analysis.every_move import Analysis as Analysing
from plyground.analysis.every_move import Findings
from plyground.analysis.exact import analysis_of
from plyground.core.interrupts import stopped_by_interrupt
from plyground.core.scores import Score
from plyground.drawing.notes import Mark
from plyground.drawing.pictures import picture
from plyground.evaluation.spec import Evaluator
from plyground.games.position import join_moves
from plyground.kernel import Slab
from plyground.public.frames import Row, Rows
from plyground.public.interrupting import Interrupted
from plyground.public.progress import Progress
from plyground.public.searching import evaluator_of
from plyground.search.clock import STOP, timer

if TYPE_CHECKING:
    from plyground.public.position import Position


@dataclass(frozen=True)
class AnalysedMove:
    """One legal move with what the analysis found."""

    move: str
    """The move as people write it."""
    score: Score
    """The score for the side to move."""
    depth: int
    """Plies searched, this move included."""
    line: tuple[str, ...]
    """The expected moves, this one first."""
    nodes: int
    """Nodes searched for this move."""


@dataclass(frozen=True, repr=False)
class Analysis(Rows):
    """Every legal move of a position with its score; see `Position.analyse`.

    Its display is a table, in a notebook below the board with the scores on its cells.
    """

    position: Position
    """The analysed position."""
    moves: tuple[AnalysedMove, ...]
    """The legal moves, the best first; none where the game is over."""
    depth: int
    """The depth to which all moves were searched."""
    nodes: int
    """Nodes searched in all."""
    seconds: float
    """The time it took."""
    is_complete: bool
    """Whether every line was searched to the end of the game, so that nothing can change."""

    @property
    def best(self) -> AnalysedMove | None:
        """The best move; None where the game is over."""
        return self.moves[0] if self.moves else None

    def rows(self) -> Sequence[Row]:
        """A row for each move: `move`, `score`, `value`, `kind`, `depth`, `nodes` and `line`."""
        return [
            {
                "move": each.move,
                "score": str(each.score),
                "value": each.score.value,
                "kind": each.score.kind,
                "depth": each.depth,
                "nodes": each.nodes,
                "line": join_moves(each.line),
            }
            for each in self.moves
        ]

    def _shown(self) -> Sequence[Row]:
        names = ("move", "score", "depth", "line")
        return [{name: row[name] for name in names} for row in self.rows()]

    def _repr_html_(self) -> str:
        return picture(self.position.svg(marks=self._marks())) + super()._repr_html_()

    def _marks(self) -> dict[int, Mark]:
        """The score of the best move of each cell, on the cell."""
        position, found = self.position, dict[int, Mark]()
        board = position.board
        for each in self.moves:
            code = position.game.parse_move(position.state, each.move, position.legal_codes)
            cell = board.target(position.game.cells_of(position.state, code))
            if cell is not None and cell not in found:
                is_proven = each.score.kind != "heuristic"
                is_best = each is self.moves[0]
                short = str(each.score).replace("win in ", "W").replace("loss in ", "L")
                found[cell] = Mark(short, is_best, proven=is_proven)
        return found

    @property
    def _caption(self) -> str:
        how = "proven" if self.is_complete else f"depth {self.depth}"
        return f"{self.position.side} to move: {how}, {self.nodes:,} nodes, {self.seconds:.2f} s"


def analyse_position(
    position: Position,
    *,
    seconds: float | None,
    depth: int | None,
    evaluator: str | Evaluator | None,
) -> Analysis:
    """See `Position.analyse`."""
    judge, _, _ = evaluator_of(position, evaluator)
    stop = Slab(1)
    analysing = Analysing(position, judge, stop=stop)
    if depth is not None:
        analysing.depth = depth
    work = analysis_of(analysing)
    so_far = [Findings(0)]

    with Progress(f"analysing {position.game.title}") as progress:

        def on_depth(found: Findings) -> None:
            so_far[0] = found
            progress.report(f"depth {found.depth}, {found.nodes:,} nodes")

        try:
            with stopped_by_interrupt(lambda: stop.__setitem__(STOP, 1)):
                work.prepare()
                with timer(seconds, stop):
                    found = work.run(on_depth)
        except KeyboardInterrupt:
            message = f"stopped at depth {so_far[0].depth}"
            raise Interrupted(message, _public(position, so_far[0])) from None
    return _public(position, found)


def _public(position: Position, found: Findings) -> Analysis:
    moves = tuple(
        AnalysedMove(
            position.write_move(each.move),
            each.score,
            each.depth,
            position.write_line(each.line),
            each.nodes,
        )
        for each in found.moves
    )
    return Analysis(position, moves, found.depth, found.nodes, found.time_s, found.is_complete)

"""The exact value of a position, where there is a solver for its game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from plyground.core.scores import Score
from plyground.games.position import join_moves
from plyground.kernel import Slab
from plyground.public.frames import Row, Rows
from plyground.public.interrupting import Interrupted
from plyground.public.progress import Progress
from plyground.search.clock import timer
from plyground.solvers.answers import Proved, Question, answer
from plyground.solvers.catalogue import solver_for
from plyground.solvers.spec import Stopped

if TYPE_CHECKING:
    from plyground.public.position import Position


@dataclass(frozen=True, repr=False)
class Solution(Rows):
    """The proven score of a position, for the side to move; see `Position.solve`."""

    position: Position
    """The solved position."""
    score: Score
    """The score in words: a win or loss in so many plies, or a proven margin."""
    value: int
    """The score as the game counts: discs in Othello, the nearness of the end in Connect Four."""
    best: tuple[str, ...]
    """All best moves."""
    line: tuple[str, ...]
    """Best play by both sides, to the end of the game or of an opening book."""
    values: dict[str, int]
    """The value of every move, if `all_moves` was given; else empty."""
    nodes: int
    """Nodes searched."""
    seconds: float
    """The time it took."""

    def rows(self) -> Sequence[Row]:
        """A row for each best move, or for all moves if they were solved, the best first."""
        values = self.values or dict.fromkeys(self.best, self.value)
        ranked = sorted(values.items(), key=lambda each: -each[1])
        return [
            {"move": move, "value": value, "best": value == self.value} for move, value in ranked
        ]

    @property
    def _caption(self) -> str:
        price = f"{self.nodes:,} nodes, {self.seconds:.3f} s"
        return f"{self.score} for {self.position.side}, proven; {join_moves(self.line)} ({price})"


def solve_position(position: Position, *, all_moves: bool, seconds: float | None) -> Solution:
    """See `Position.solve`."""
    position.demand_going_on()
    solver = solver_for(position.game, position.start)
    question = Question(all_moves=all_moves)
    proved, stop = Proved(solver, question), Slab(1)
    with Progress(f"solving {position.game.title}"):
        try:
            solver.prepare()
            with timer(seconds, stop), solver.heeding(stop):
                found = answer(solver, position.state, question, proved)
        except (Stopped, KeyboardInterrupt):
            message = f"not solved; proven so far: {proved.low:+d} to {proved.high:+d}"
            if stop[0]:
                raise TimeoutError(message) from None
            raise Interrupted(message, (proved.low, proved.high)) from None
    return Solution(
        position,
        found.proven,
        found.score,
        tuple(position.write_move(code) for code in found.best),
        position.write_line(found.line),
        {position.write_move(code): value for code, value in found.scores.items()},
        found.nodes,
        found.time_s,
    )

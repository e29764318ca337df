"""The limits, the setup and the result of a search; tables and orders by size and name."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from plyground.bits import U64
from plyground.core.errors import Unsupported, unknown
from plyground.core.scores import WIN, Score
from plyground.evaluation.spec import Evaluator
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.kernel import Slab
from plyground.search.catalogue import Algorithm
from plyground.search.finish import AsScored, ByDistance, ByMargin, Finish
from plyground.search.ordering import (
    HISTORY_SIZE,
    History,
    Killers,
    Listed,
    Order,
    Shallow,
    ShallowBy,
    Shuffled,
    Weights,
)
from plyground.search.pruning import FirstWin, Isolated
from plyground.search.table import BUCKET, BYTES_PER_BUCKET, MOST_AGE, Table

MOST_PLIES = 200
MOST_NODES = 2**62
DEFAULT_MEMORY = 64 * 2**20
ORDERS = ("natural", "table", "weights", "shallow", "worst", "killers", "history", "random", "all")
SHALLOW_SIGNS = {"shallow": 1, "worst": -1}
FINISHES: dict[str, Finish] = {"margin": ByMargin(), "distance": ByDistance(), "scored": AsScored()}


@dataclass(frozen=True)
class Limits:
    """When to stop; None is no limit. With a depth alone, only that depth is searched."""

    depth: int | None = None
    time_s: float | None = None
    nodes: int | None = None
    endgame: int = 0
    """With so many empty cells or fewer, search to the end of the game, whatever the depth."""
    iterate: bool = False
    """Search depth 1, 2, 3 ... up to the limit, even without a limit of time or nodes."""

    @property
    def iterates(self) -> bool:
        return self.iterate or self.time_s is not None or self.nodes is not None


@dataclass(frozen=True)
class Sorting:
    """An order of moves: its name, moves that come before all others, an evaluator to sort by."""

    name: str = "natural"
    listed: tuple[int, ...] = ()
    evaluator: Evaluator | None = None
    """For `shallow` and `worst`; without one they sort by the search's."""


@dataclass(frozen=True)
class Setup:
    """What to search with."""

    algorithm: Algorithm
    evaluator: Evaluator
    finish: Finish = field(default_factory=ByMargin)
    order: str | Sorting = "natural"
    memory_bytes: int = DEFAULT_MEMORY
    """For the table of algorithms that use one, or the open nodes of SSS*; 0 is no table."""
    symmetric: bool = False
    """Whether mirrored and turned positions share an entry of the table."""
    seed: int | None = None
    """Choose among equally good moves at random, from this seed; None takes the first."""
    threads: int = 1
    """Threads that share the table; only for alpha-beta with memory."""
    pruning: Isolated | None = None
    """An unsound part: the value found is no longer that of minimax."""
    first_win: FirstWin | None = None
    """A sound one: leaves out the moves behind one that wins."""
    simulations: int = 20_000
    """The number of simulations of UCT, if neither nodes nor time are limited."""
    playouts: bool = True
    """Whether UCT values positions by random games; otherwise by the evaluator."""


def default_finish(game: GameSpec) -> str:
    """Nearest wins first, except where winning by more is worth more."""
    if game.is_scored:
        return "scored"
    return "margin" if game.has_margin else "distance"


@dataclass(frozen=True)
class SearchResult:
    """The result of a search; counters follow the definitions of `search/parts.py`."""

    move: int | None
    value: int
    """As searched, for the side to move."""
    score: Score
    line: tuple[int, ...]
    depth: int
    counters: dict[str, int]
    time_s: float
    completed: bool = True
    """Whether the depth was searched to its end."""
    inside_s: float = 0.0
    """The time of the algorithm itself, without preparing its parts or completing the line: the one
    to compare algorithms by."""

    @property
    def nodes(self) -> int:
        return self.counters["nodes"]


class Interrupted(KeyboardInterrupt):
    """Raised by Ctrl-C, with what the search had found by then."""

    def __init__(self, result: SearchResult) -> None:
        super().__init__(f"stopped after {result.nodes:,} nodes, depth {result.depth} completed")
        self.result = result


Listener = Callable[[SearchResult], None]


def make_table(memory_bytes: int, symmetric: bool) -> Table:
    """An empty table in at most so many bytes."""
    buckets = buckets_in(memory_bytes)
    return Table(Slab(buckets * BUCKET), buckets - 1, int(symmetric), 1)


def buckets_in(memory_bytes: int) -> int:
    return 1 << max(0, (memory_bytes // BYTES_PER_BUCKET).bit_length() - 1)


class SpareTables:
    """Tables that were given back, for the next search of the same size."""

    MOST = 2  # idle tables: for a player and its opponent

    def __init__(self) -> None:
        self._idle: list[Table] = []
        self._lock = threading.Lock()

    def take(self, memory_bytes: int, symmetric: bool) -> Table:
        """A table in at most so many bytes, empty to its age."""
        with self._lock:
            for table in self._idle:
                if table.mask == buckets_in(memory_bytes) - 1:
                    self._idle.remove(table)
                    return table._replace(symmetric=int(symmetric), age=table.age + 1)
        return make_table(memory_bytes, symmetric)

    def give_back(self, table: Table) -> None:
        if table.age < MOST_AGE:
            with self._lock:
                self._idle = [table, *self._idle][: self.MOST]


SPARE_TABLES = SpareTables()


def make_order(
    wanted: str | Sorting, game: GameSpec, state: State, depth: int, seed: int
) -> Order | None:
    """The order of that name, or as a `Sorting` says."""
    sorting = wanted if isinstance(wanted, Sorting) else Sorting(wanted)
    name, listed, judge = sorting.name, sorting.listed, sorting.evaluator
    if name not in ORDERS:
        raise unknown("order", name, ORDERS)
    if sorting == Sorting():
        return None
    weights = game.place_weights(state) if game.place_weights else None
    if name == "weights" and weights is None:
        raise Unsupported(f"{game.name} has no weights for its places; try shallow or history")
    slab = Slab(len(weights) if weights else 1)
    for move, weight in enumerate(weights or ()):
        slab[move] = weight
    ranks = Slab(1 + max(listed, default=0))
    for place, move in enumerate(listed):
        ranks[move] = len(listed) - place
    sign = SHALLOW_SIGNS.get(name, 0)
    return Order(
        weights=Weights(slab, len(slab)) if name in ("weights", "all") and weights else None,
        killers=Killers(Slab(2 * (depth + 2))) if name in ("killers", "all") else None,
        history=History(Slab(HISTORY_SIZE)) if name in ("history", "all") else None,
        shallow=(Shallow(sign) if judge is None else ShallowBy(sign, judge)) if sign else None,
        shuffled=Shuffled(U64(seed)) if name == "random" else None,
        listed=Listed(ranks, len(ranks)) if listed else None,
    )


def score_of(value: int, depth: int, finish: Finish) -> Score:
    """The meaning of a value at the root of a search of this depth."""
    if abs(value) < WIN or isinstance(finish, AsScored):
        return Score(value, "heuristic")
    sign = 1 if value > 0 else -1
    if isinstance(finish, ByMargin):
        return Score(sign * (abs(value) - WIN), "proven")
    return Score(depth - (abs(value) - WIN), "win" if value > 0 else "loss")

"""Synthetic trees: uniform game trees of branching b and depth d, for studying search itself.

Nothing is stored: every value is a digest of the seed and the node. Four kinds of leaves:

* `independent`: each leaf has its own value, uniform from -spread to spread.
* `incremental`: each edge has such a value, and a node's is the sum along its path, so that good
  parents have good children and inner nodes have a static value worth looking at.
* `ordered`: the minimax value is decided at the root and handed down: one move of each node keeps
  it, all others lose 1 to `spread` points. The best move is the first one with probability
  `quality`, so that 1 gives a perfectly ordered tree. The value of every node is known.
* `pgame`: Pearl's P-game: each leaf is a win for the first player with probability `wins`,
  otherwise a loss.

A node is numbered within its ply: child i of node n is n*b + i, so the path can be read back.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.bits import U64, ZERO, combine, signed
from plyground.core.board import Board
from plyground.core.errors import Unsupported
from plyground.games import squares
from plyground.games.paths import split_path, walk_path, write_path
from plyground.games.rules import Buffer, State
from plyground.games.spec import GameSpec, Parameter, ReadyPosition
from plyground.kernel import compilable

INDEPENDENT, INCREMENTAL, ORDERED, PGAME = range(4)
KINDS = ("independent", "incremental", "ordered", "pgame")
MOST_BRANCHES = 64
MOST_LEAVES = 2**62

# One digest per question asked about a node, so that the answers are independent of each other.
ASK_LEAF, ASK_EDGE, ASK_WHETHER_FIRST, ASK_WHICH, ASK_LOSS, ASK_ROOT = range(6)
CERTAIN = 2**32  # probabilities are fractions of this


@compilable
def draw(seed: U64, question: int, ply: int, node: U64, bound: int) -> int:
    """A number from 0 to bound - 1 that belongs to a node."""
    digest = combine(combine(combine(seed, U64(question)), U64(ply)), node)
    return signed(((digest >> U64(32)) * U64(bound)) >> U64(32))


@compilable
def best_move(tree: Synthetic, node: U64) -> int:
    """Of an ordered tree: which move of a node keeps its value."""
    if draw(tree.seed, ASK_WHETHER_FIRST, tree.ply, node, CERTAIN) < tree.chance:
        return 0
    if tree.branching == 1:
        return 0
    return 1 + draw(tree.seed, ASK_WHICH, tree.ply, node, tree.branching - 1)


class Synthetic(NamedTuple):
    """A node: its number within its ply, its value for the side to move, and the tree's make."""

    node: U64
    ply: int
    value: int
    branching: int
    depth: int
    kind: int
    spread: int
    chance: int
    seed: U64

    def legal_moves(self, moves: Buffer, start: int) -> int:
        for move in range(self.branching):
            moves[start + move] = move
        return start + self.branching

    def count_moves(self, moves: Buffer, start: int) -> int:
        return self.branching

    def play(self, move: int) -> Synthetic:
        child, ply = self.node * U64(self.branching) + U64(move), self.ply + 1
        value = 0
        if self.kind == INCREMENTAL:
            edge = draw(self.seed, ASK_EDGE, ply, child, 2 * self.spread + 1) - self.spread
            value = -(self.value + edge)
        if self.kind == ORDERED:
            value = -self.value
            if move != best_move(self, self.node):
                value += 1 + draw(self.seed, ASK_LOSS, ply, child, self.spread)
        return Synthetic(
            child,
            ply,
            value,
            self.branching,
            self.depth,
            self.kind,
            self.spread,
            self.chance,
            self.seed,
        )

    def is_over(self) -> bool:
        return self.ply == self.depth

    def outcome(self) -> int:
        if self.kind == INCREMENTAL or self.kind == ORDERED:
            return self.value
        if self.kind == PGAME:
            wins = draw(self.seed, ASK_LEAF, self.ply, self.node, CERTAIN) < self.chance
            value = 1 if wins else -1
        else:
            value = draw(self.seed, ASK_LEAF, self.ply, self.node, 2 * self.spread + 1)
            value -= self.spread
        return -value if self.ply & 1 else value

    def side(self) -> int:
        return self.ply & 1

    def turn(self, child: Synthetic) -> int:
        return -1


# ------------------------------------------------------------------ text and board


def start(
    branching: int, depth: int, seed: int, leaves: str, spread: int, quality: float, wins: float
) -> Synthetic:
    """The root."""
    if branching**depth > MOST_LEAVES:
        raise Unsupported(
            f"branching={branching} and depth={depth} make more than 2**62 leaves; "
            "expected a smaller tree"
        )
    kind = KINDS.index(leaves)
    chance = round({ORDERED: quality, PGAME: wins}.get(kind, 0.0) * CERTAIN)
    value = 0
    if kind == ORDERED:
        value = int(draw(U64(seed), ASK_ROOT, 0, ZERO, 2 * spread + 1)) - spread
    return Synthetic(ZERO, 0, value, branching, depth, kind, spread, chance, U64(seed))


def path_of(state: State) -> list[int]:
    """The moves from the root to this node."""
    node, path = int(state.node), []
    for _ in range(state.ply):
        node, move = divmod(node, state.branching)
        path.append(move)
    return path[::-1]


def read_move(state: State, text: str) -> int:
    return squares.parse_number(text, "branch", state.branching)


def read_position(start: State, text: str) -> State:
    return walk_path(GAME, start, text)


def write_position(state: State) -> str:
    return write_path(path_of(state))


def score_limit(start: State) -> int:
    """Values that are handed down grow with every ply, an ordered tree's from one at the root."""
    plies = {INCREMENTAL: start.depth, ORDERED: start.depth + 1}
    return 1 if start.kind == PGAME else int(start.spread * plies.get(start.kind, 1))


def board(state: State) -> Board:
    what = f"{KINDS[state.kind]} tree, {state.branching} branches, depth {state.depth}"
    return Board("text", text=f"{what}\nply {state.ply}: {write_position(state)}")


GAME = GameSpec(
    name="synthetic",
    title="Synthetic tree",
    summary="Walk from the root of a random tree to a leaf; its value decides.",
    aliases=("tree",),
    has_margin=True,
    is_scored=True,
    parameters=(
        Parameter("branching", 3, "moves in every position", low=1, high=MOST_BRANCHES),
        Parameter("depth", 6, "plies from the root to every leaf", low=0, high=62),
        Parameter("seed", 1, "one seed, one tree", low=0, high=2**63 - 1),
        Parameter("leaves", "independent", "where values come from", choices=KINDS),
        Parameter("spread", 100, "values run from -spread to spread", low=1, high=10**6),
        Parameter("quality", 1.0, "ordered: how often the best move is first", low=0.0, high=1.0),
        Parameter("wins", 0.5, "pgame: share of leaves the first player wins", low=0.0, high=1.0),
    ),
    presets={"pgame": {"branching": 2, "depth": 10, "leaves": "pgame"}},
    start=start,
    states=(Synthetic,),
    max_moves=MOST_BRANCHES,
    code_limit=lambda start: int(start.branching),
    score_limit=score_limit,
    sample="1",
    ready_positions=(
        ReadyPosition("The best move first", settings={"leaves": "ordered"}),
        ReadyPosition("Values that add up", settings={"leaves": "incremental"}),
        ReadyPosition(
            "Only wins and losses", settings={"branching": 2, "depth": 10, "leaves": "pgame"}
        ),
    ),
    read_move=read_move,
    write_move=squares.write_number,
    split_moves=split_path,
    read_position=read_position,
    write_position=write_position,
    board=board,
)

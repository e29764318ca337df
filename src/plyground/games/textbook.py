"""Textbook trees: small trees drawn by hand, for learning search on paper.

A tree is written with brackets, its leaves as the first player, who maximises, values them:

    (3 12 8) (2 4 6) (14 5 2)      three moves at the root, three replies to each

Any shape will do, as long as it has at most 64 nodes. The whole tree is part of the state: a node
is a byte, in the order in which they are written; an inner node's tells its number of children.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from plyground.bits import U64, ZERO, signed
from plyground.core.board import Board
from plyground.core.errors import MalformedText, shorten
from plyground.games import squares
from plyground.games.paths import split_path, walk_path, write_path
from plyground.games.rules import Buffer, State
from plyground.games.spec import GameSpec, Parameter, ReadyPosition
from plyground.kernel import compilable

MOST_NODES, MOST_CHILDREN, MOST_VALUE = 64, 9, 99
BYTES_PER_WORD = 8
# A byte is a leaf's value plus 100, or the number of an inner node's children plus 200.
LEAF, INNER = 100, 200

TREES = {
    "three-by-three": "(3 12 8) (2 4 6) (14 5 2)",
    "siew": "((5 3) (2 7)) ((8 9) (4 1))",
    "deep-cut": "(5 (9 (4 7) 6)) ((2 8) (3 (1 9) 6)) (8 4)",
    "best-first": "((8 6) (9 2)) ((7 3) (1 5)) ((6 4) (0 2))",
    "worst-first": "((2 0) (4 6)) ((5 1) (3 7)) ((2 9) (6 8))",
    "equal": "((4 4) (4 4)) ((4 4) (4 4))",
}


class Textbook(NamedTuple):
    """A node: where it is in the tree, how deep, and the bytes of the tree."""

    at: int
    ply: int
    a: U64
    b: U64
    c: U64
    d: U64
    e: U64
    f: U64
    g: U64
    h: U64

    def legal_moves(self, moves: Buffer, start: int) -> int:
        children = byte_at(self, self.at) - INNER
        for move in range(children):
            moves[start + move] = move
        return start + children

    def play(self, move: int) -> Textbook:
        at = self.at + 1
        for _ in range(move):
            at = end_of(self, at)
        return Textbook(
            at, self.ply + 1, self.a, self.b, self.c, self.d, self.e, self.f, self.g, self.h
        )

    def is_over(self) -> bool:
        return byte_at(self, self.at) < INNER

    def outcome(self) -> int:
        value = byte_at(self, self.at) - LEAF
        return -value if self.ply & 1 else value

    def side(self) -> int:
        return self.ply & 1

    def turn(self, child: Textbook) -> int:
        return -1


@compilable
def byte_at(tree: Textbook, at: int) -> int:
    """What is written of a node."""
    word = ZERO
    for number, each in enumerate((tree.a, tree.b, tree.c, tree.d, tree.e, tree.f, tree.g, tree.h)):
        if at // BYTES_PER_WORD == number:
            word = each
    return signed((word >> U64(8 * (at % BYTES_PER_WORD))) & U64(255))


@compilable
def end_of(tree: Textbook, at: int) -> int:
    """Where the node after a whole sub-tree is."""
    open_nodes = 1
    while open_nodes:
        open_nodes -= 1
        if byte_at(tree, at) > INNER:
            open_nodes += byte_at(tree, at) - INNER
        at += 1
    return at


# ------------------------------------------------------------------ text and board


def start(tree: str) -> Textbook:
    """The root of a tree, given by its name or written out."""
    numbers = _numbers(TREES.get(tree.strip(), tree))
    numbers += [0] * (MOST_NODES - len(numbers))
    words = [
        U64(int.from_bytes(bytes(numbers[i : i + BYTES_PER_WORD]), "little"))
        for i in range(0, MOST_NODES, BYTES_PER_WORD)
    ]
    return Textbook(0, 0, *words)


def _numbers(text: str) -> list[int]:
    """A tree's bytes. Raises MalformedText."""
    tokens = re.findall(r"[()]|[^()\s,;]+", text)
    numbers, open_at = [INNER], [0]
    for token in tokens:
        if token == ")":
            if len(open_at) == 1:
                raise _wrong(text, "a bracket closes that was never opened")
            if numbers[open_at.pop()] == INNER:
                raise _wrong(text, "brackets with nothing in them")
            continue
        numbers[open_at[-1]] += 1
        if numbers[open_at[-1]] > INNER + MOST_CHILDREN:
            raise _wrong(text, f"a node with more than {MOST_CHILDREN} children")
        if token == "(":
            open_at.append(len(numbers))
            numbers.append(INNER)
        else:
            if not re.fullmatch(r"[+-]?[0-9]{1,2}", token, re.ASCII):
                most = f"-{MOST_VALUE} to {MOST_VALUE}"
                raise _wrong(text, f"{shorten(token)!r} is no value from {most}")
            numbers.append(LEAF + int(token))
        if len(numbers) > MOST_NODES:
            raise _wrong(text, f"more than {MOST_NODES} nodes")
    if len(open_at) > 1:
        raise _wrong(text, "a bracket is never closed")
    if numbers[0] == INNER:
        raise _wrong(text, "no leaves")
    if numbers[0] == INNER + 1 and numbers[1] > INNER:
        return numbers[1:]  # brackets round the whole
    return numbers


def _wrong(text: str, reason: str) -> MalformedText:
    names = ", ".join(TREES)
    return MalformedText(
        f"tree {shorten(text)!r}: {reason}; expected (3 12 8) (2 4 6) (14 5 2) or one of {names}"
    )


def tree_text(state: State, at: int = 0) -> str:
    """The sub-tree at a place, written out."""
    number = byte_at(state, at)
    if number < INNER:
        return str(number - LEAF)
    children, at = [], at + 1
    for _ in range(number - INNER):
        children.append(tree_text(state, at))
        at = end_of(state, at)
    return f"({' '.join(children)})"


def path_of(state: State) -> list[int]:
    """The moves from the root to this node."""
    node, path = state._replace(at=0, ply=0), []
    for _ in range(state.ply):
        moves = range(byte_at(node, node.at) - INNER)
        move = next(move for move in moves if state.at < end_of(node, node.play(move).at))
        path.append(move)
        node = node.play(move)
    return path


def read_move(state: State, text: str) -> int:
    children = byte_at(state, state.at) - INNER
    word = text.strip()
    if not re.fullmatch(r"[1-9]", word, re.ASCII):
        raise MalformedText(
            f"{shorten(text)!r} is not a branch; expected a number from 1 to {max(1, children)}"
        )
    return int(word) - 1


def read_position(start: State, text: str) -> State:
    return walk_path(GAME, start, text)


def write_position(state: State) -> str:
    return write_path(path_of(state))


def board(state: State) -> Board:
    return Board(
        "text", text=f"{tree_text(state, state.at)}\nply {state.ply}: {write_position(state)}"
    )


GAME = GameSpec(
    name="textbook",
    title="Textbook tree",
    summary="Walk down a small tree drawn by hand; the leaf's value decides.",
    has_margin=True,
    is_scored=True,
    parameters=(
        Parameter(
            "tree", "three-by-three", "a tree's name, or the tree: (3 12 8) (2 4 6) (14 5 2)"
        ),
    ),
    presets={name: {"tree": name} for name in TREES},
    start=start,
    states=(Textbook,),
    max_moves=MOST_CHILDREN,
    code_limit=lambda start: MOST_CHILDREN,
    score_limit=lambda start: MOST_VALUE,
    sample="1",
    ready_positions=(
        ReadyPosition("Three by three leaves", settings={"tree": "three-by-three"}),
        ReadyPosition("A deep cut", settings={"tree": "deep-cut"}),
        ReadyPosition("The worst order", settings={"tree": "worst-first"}),
    ),
    read_move=read_move,
    write_move=squares.write_number,
    split_moves=split_path,
    read_position=read_position,
    write_position=write_position,
    board=board,
)

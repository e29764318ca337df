"""The score of an Othello position by many small sub-problems, each recorded when it is solved.

The tree below a position is cut where `leaf` squares are empty. A sub-problem is such a position
with a question, "is the score above alpha?", and any worker can answer it: a thread, a process, a
machine of a cluster. What is asked is what alpha-beta would need next, if every answer that is not
in yet were the one hoped for; where the hope was wrong, other questions follow. Each answer is
recorded before the next question, so that a proof that was killed resumes where it was; a power cut
costs at most a second of work.

Symmetric positions count as one, and have one proof. Sub-problems are searched by the solver.
"""

from __future__ import annotations

import contextlib
import functools
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from plyground.bits import U64, popcount
from plyground.core.errors import MalformedText, PlygroundError
from plyground.core.files import append, open_growing, synchronise
from plyground.core.places import data_folder
from plyground.games.othello import GAME, Othello, board_size
from plyground.games.rules import cells_left, is_over, outcome, play
from plyground.kernel import Slab
from plyground.solvers.othello.board import board_of
from plyground.solvers.othello.ordering import FAR, look
from plyground.solvers.othello.solve import OthelloSolver
from plyground.solvers.othello.windows import Windows
from plyground.work.workers import Workers

DEFAULT_MEMORY = 256 * 2**20
LEAF = 22  # empty squares: a second or so, so that little is lost and workers rarely rest
LOOK_PLIES = 4
HEADER, VERSION = "plyground-proof", 2
MEMORY_OF_HOPES = 0.95
SAFE_EVERY_S = 1.0  # of work: waiting for the disk takes longer than a small sub-problem

Key = tuple[int, int]
"""My discs and the other side's, of the least of eight symmetric positions."""
Wanted = tuple[Key, int, bool]
"""A position, alpha, and the answer that is hoped for."""


@dataclass(frozen=True)
class Step:
    """What is proved after one more sub-problem."""

    low: int
    high: int
    solved: int
    nodes: int


@dataclass(frozen=True)
class LeafAnswer:
    """A worker's answer: a bound on the score, above alpha if the score is."""

    value: int
    nodes: int
    time_s: float


class Contradiction(PlygroundError):
    """An answer that cannot be true if the others are."""


class Proof:
    """A proof under way; see `open_proof`."""

    def __init__(self, start: Othello, notes: IO[bytes], leaf: int, memory_bytes: int) -> None:
        self.start, self._notes, self._leaf, self._memory = start, notes, leaf, memory_bytes
        self.board = board_of(start)
        self.solved = self.nodes = 0
        self.time_s = 0.0
        """The time of all sub-problems, those of earlier runs included."""
        self._unsafe_s = 0.0
        self._most = popcount(start.cells)
        self._bounds: dict[Key, tuple[int, int]] = {}
        self._child_lists: dict[Key, list[Key]] = {}
        self._under_way: dict[Key, bool] = {}  # with the answers hoped for
        self._hope, self._trust = True, 0.0
        self._read_notes()
        self.windows = Windows(-self._most, self._most)
        self.begun = self.solved
        """How many sub-problems were solved by earlier runs."""

    def run(self, workers: Workers) -> Iterator[Step]:
        """Run until the score is known or the workers are told to finish."""
        root = key_of(self.start)
        while self.windows.is_open:
            alpha = self.windows.alpha
            for task, found in workers.run(solve_leaf, self._tasks(root, alpha)):
                self._note(task, found)
                yield Step(self.windows.low, self.windows.high, self.solved, self.nodes)
            answer = self._visit(root, alpha, self._hope, [])
            if answer is None:
                return
            # Scores are even, since empty squares are the winner's.
            self.windows.learn(alpha + 1 if answer else alpha & ~1)

    @property
    def best(self) -> list[int]:
        """The moves that are known to keep the score, once it is known; none of a sub-problem."""
        return self._keeping(self.start, self.windows.low)

    def line(self, solver: OthelloSolver) -> list[int]:
        """A game of best moves, once the score is known: down to a sub-problem, then the solver's.

        Both bounds of every position on the way are proved: one by a child of it, as is followed
        here, and the other by all children of the position before. Raises Stopped.
        """
        state, score, line = self.start, self.windows.low, list[int]()
        while kept := self._keeping(state, score):
            line.append(kept[0])
            state, score = play(state, kept[0]), -score
        solver.score(state, score - 1, score)  # so that its table knows a move
        return line + solver.line(state, score)

    def _keeping(self, state: Othello, score: int) -> list[int]:
        """The moves that are known to keep a score."""
        if is_over(state) or cells_left(state) <= self._leaf:
            return []
        children = ((move, key_of(play(state, move))) for move in GAME.legal(state))
        return [move for move, child in children if self._known(child)[1] <= -score]

    # -------------------------------------------------------------- what to ask next

    def _tasks(self, root: Key, alpha: int) -> Iterator[dict[str, Any] | None]:
        while True:
            wanted: list[Wanted] = []
            if self._visit(root, alpha, self._hope, wanted) is not None:
                return
            if not wanted:  # rather than idle, ask what will be needed if a hope is wrong
                self._visit(root, alpha, False, wanted, hopes=False)
            if not wanted:
                yield None
                continue
            key, asked, self._under_way[key] = wanted[0]
            yield {
                "size": board_size(self.start),
                "me": key[0],
                "opp": key[1],
                "alpha": asked,
                "memory": self._memory,
            }

    def _visit(
        self, key: Key, alpha: int, hope: bool, wanted: list[Wanted], hopes: bool = True
    ) -> bool | None:
        """Whether a score is above alpha; if that is not known, one question to ask, if any.

        With `hope` that it is, the first child that may show it is enough for now.
        """
        lower, upper = self._known(key)
        if lower > alpha or upper <= alpha:
            return lower > alpha
        if self._most - key[0].bit_count() - key[1].bit_count() <= self._leaf:
            if key not in self._under_way:
                wanted.append((key, alpha, hope))
            return None
        is_open = False
        for child in self._children(key):
            answer = self._visit(child, -alpha - 1, hopes and not hope, wanted, hopes)
            if answer is False:
                self._bounds[key] = alpha + 1, upper
                return True
            if wanted or (answer is None and hope):
                return None
            is_open = is_open or answer is None
        if is_open:
            return None
        self._bounds[key] = lower, alpha
        return False

    def _known(self, key: Key) -> tuple[int, int]:
        if key not in self._bounds:
            state = self._state(key)
            score = int(outcome(state)) if is_over(state) else None
            everything = (-self._most, self._most)
            self._bounds[key] = everything if score is None else (score, score)
        return self._bounds[key]

    def _state(self, key: Key) -> Othello:
        return self.start._replace(me=U64(key[0]), opp=U64(key[1]), side=0)

    def _children(self, key: Key) -> list[Key]:
        """The positions after each move, the most promising first."""
        if key not in self._child_lists:
            state, counts = self._state(key), Slab(2)
            children = [play(state, move) for move in GAME.legal(state)]
            promise = {
                key_of(child): look(self.board, child.me, child.opp, LOOK_PLIES, -FAR, FAR, counts)
                for child in children
            }
            self._child_lists[key] = sorted(promise, key=promise.__getitem__)
        return self._child_lists[key]

    # -------------------------------------------------------------- what was found

    def _note(self, task: dict[str, Any], found: LeafAnswer) -> None:
        key = task["me"], task["opp"]
        self._learn(key, task["alpha"], found)
        self._review((found.value > task["alpha"]) == self._under_way.pop(key))
        line = (
            f"{key[0]:x} {key[1]:x} {task['alpha']} {found.value} {found.nodes} {found.time_s:.3f}"
        )
        append(self._notes, line.encode() + b"\n", durable=False)
        self._unsafe_s += found.time_s
        if self._unsafe_s >= SAFE_EVERY_S:
            self.make_safe()

    def make_safe(self) -> None:
        """Wait until the disk has what was found, so that it survives a power cut."""
        synchronise(self._notes)
        self._unsafe_s = 0.0

    def _review(self, was_right: bool) -> None:
        """Reverse the hope when most of the last answers were against it."""
        self._trust = self._trust * MEMORY_OF_HOPES + (1 if was_right else -1)
        if self._trust < -1:
            self._hope, self._trust = not self._hope, 0.0

    def _learn(self, key: Key, alpha: int, found: LeafAnswer) -> None:
        lower, upper = self._known(key)
        if found.value > alpha:
            lower = max(lower, found.value)
        else:
            upper = min(upper, found.value)
        if not -self._most <= lower <= upper <= self._most:
            raise Contradiction(
                f"a score {'from' if found.value > alpha else 'to'} {found.value:+d} of "
                f"{key[0]:x} {key[1]:x} contradicts what is proved of it"
            )
        self._bounds[key] = lower, upper
        self.solved += 1
        self.nodes += found.nodes
        self.time_s += found.time_s

    def _read_notes(self) -> None:
        """Read what earlier runs recorded; an unfinished last line is cut off."""
        me, opp = key_of(self.start)
        begins = f"{HEADER} {VERSION} "
        header = f"{begins}othello {board_size(self.start)} {me:x} {opp:x}\n".encode()
        self._notes.seek(0)
        data = self._notes.read()
        whole = data[: data.rfind(b"\n") + 1]
        name = self._notes.name
        if not data.startswith(header) and not header.startswith(data):
            is_other = data.startswith(HEADER.encode()) and not data.startswith(begins.encode())
            whose = "of another version of Plyground" if is_other else "no proof of this position"
            raise MalformedText(f"{name} is {whose}; move it away")
        for number, line in enumerate(whole.splitlines()[1:], start=2):
            try:
                self._learn(*self._read_note(line))
            except ValueError:
                raise MalformedText(
                    f"{name}:{number} is not what a proof has left; move it away"
                ) from None
            except Contradiction as error:
                raise MalformedText(f"{name}:{number}: {error}; move it away") from None
        self._notes.truncate(len(whole))
        if not whole:
            self._notes.write(header)
            self._notes.flush()

    def _read_note(self, line: bytes) -> tuple[Key, int, LeafAnswer]:
        """Raises ValueError."""
        me, opp, alpha, value, nodes, time_s = line.split()
        key = int(me, 16), int(opp, 16)
        if key[0] & key[1] or (key[0] | key[1]) & ~int(self.start.cells):
            raise ValueError
        return key, int(alpha), LeafAnswer(int(value), int(nodes), float(time_s))


def key_of(state: Othello) -> Key:
    """The key that a position shares with its symmetric images."""
    images = (state.transform(symmetry) for symmetry in range(8))
    return min((int(image.me), int(image.opp)) for image in images)


def proof_path(start: Othello) -> Path:
    """The file of the proof of a position."""
    me, opp = key_of(start)
    return data_folder() / "proofs" / f"othello-{board_size(start)}-{me:x}-{opp:x}.proof"


@contextlib.contextmanager
def open_proof(
    start: Othello, leaf: int = LEAF, memory_bytes: int = DEFAULT_MEMORY
) -> Iterator[Proof]:
    """A new proof, or the one to resume; only one at a time. Raises Unsupported."""
    path = proof_path(start)
    conflict = f"{path.name} is being worked on by another process"
    with open_growing(path, f"cannot write {path}", conflict) as notes:
        proof = Proof(start, notes, leaf, memory_bytes)
        try:
            yield proof
        finally:
            proof.make_safe()


# ------------------------------------------------------------------ what workers do


def solve_leaf(task: dict[str, Any]) -> LeafAnswer:
    """Answer one question; the table serves the next one too."""
    solver = solver_of(task["size"], task["memory"])
    state = GAME.initial(size=task["size"])
    assert isinstance(state, Othello)
    began = time.perf_counter()
    solver.nodes = 0
    value = solver.ask(state._replace(me=U64(task["me"]), opp=U64(task["opp"])), task["alpha"])
    return LeafAnswer(value, solver.nodes, time.perf_counter() - began)


OWN = threading.local()
"""A solver answers one question at a time, and a worker of a cluster may have several threads."""


def solver_of(size: int, memory_bytes: int) -> OthelloSolver:
    """The solver of this thread; all threads of a process share a table."""
    common = _common_solver(size, memory_bytes)
    if getattr(OWN, "common", None) is not common:
        OWN.common, OWN.solver = common, common.sharing()
    solver: OthelloSolver = OWN.solver
    return solver


@functools.lru_cache(maxsize=1)
def _common_solver(size: int, memory_bytes: int) -> OthelloSolver:
    """The owner of the table, which solves nothing itself."""
    solver = OthelloSolver(GAME.initial(size=size), memory_bytes)
    solver.prepare()  # so that compiling counts against no sub-problem
    return solver

"""Stores for tests: random games, stores emptied and compared, and processes that write and die.

Run as a program, this file forks a writer for every job it is given: a process that opens a store,
does a script of steps there and says after each that it is done. What a script makes of an empty
store is also told without a store: `expected`.
"""

from __future__ import annotations

import functools
import json
import os
import pwd
import random
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

import sqlalchemy
from sqlalchemy import event, func, select

from plyground.core.errors import PlygroundError
from plyground.core.records import GameRecord, MoveRecord
from plyground.core.scores import Score
from plyground.games.catalogue import find_game
from plyground.games.rules import is_over, play, side
from plyground.store import schema
from plyground.store.live_game import LiveGame
from plyground.store.queries import Filter
from plyground.store.rows import Entry
from plyground.store.store import Store

# ------------------------------------------------------------------ games and stores


def random_game(game: str, seed: int, most: int = 200, **settings: Any) -> GameRecord:
    """A game of random moves; one that is not over after `most` counts as a draw."""
    spec, dice, moves = find_game(game), random.Random(seed), list[MoveRecord]()
    state = spec.initial(**settings)
    while not is_over(state) and len(moves) < most:
        move = dice.choice(spec.legal(state))
        moves.append(MoveRecord(spec.format_move(state, move), int(side(state))))
        state = play(state, move)
    outcome = spec.first_player_outcome(state)
    points = 0.5 if not outcome else float(outcome > 0)
    ended = "length" if outcome is None else "over"
    people = (f"Player {seed % 3}", f"Player {seed % 5}")
    return GameRecord(
        spec.name, people, moves, points, outcome, ended, settings=settings, seed=seed
    )


def told(record: GameRecord) -> GameRecord:
    """The game with something told about each of its moves."""
    moves = [
        replace(move, time_s=0.25, score=Score(ply - 9, "heuristic"), depth=ply, nodes=2**ply)
        for ply, move in enumerate(record.moves)
    ]
    return replace(record, moves=moves)


def unfinished(record: GameRecord, plies: int) -> GameRecord:
    """The game as it was after some of its moves."""
    moves = list(record.moves)[:plies]
    return replace(record, moves=moves, points=None, outcome=None, ended="unfinished", reason="")


def records(store: Store) -> list[GameRecord]:
    """All games, in the order they came."""
    return [stored.record for stored in store.whole()]


def named(store: Store) -> dict[str, GameRecord]:
    """All games by their names in every store."""
    return {stored.uid: stored.record for stored in store.whole()}


def count_rows(store: Store, table: str) -> int:
    with store.engine.connect() as connection:
        query = select(func.count()).select_from(schema.metadata.tables[table])
        return int(connection.execute(query).scalar_one())


def wipe(store: Store) -> None:
    """Take everything out."""
    with store.writing() as connection:
        for table in reversed(schema.metadata.sorted_tables):
            connection.execute(table.delete())
    store._ids.clear()


# ------------------------------------------------------------------ what a writer does


class Step(NamedTuple):
    """One call of the store."""

    verb: str
    uid: str
    value: Any


@functools.cache
def script(event: str, seed: int, games: int) -> list[Step]:
    """Games begun, played, taken back, ended or left, and games taken in from elsewhere.

    Writers with different seeds meet the same new players in different orders.
    """
    dice = random.Random(seed)
    return [step for number in range(games) for step in _one_game(event, number, dice)]


def _one_game(event: str, number: int, dice: random.Random) -> Iterator[Step]:
    players = [f"{number} black", f"{number} white"]
    dice.shuffle(players)
    record = replace(
        told(random_game("connect4", dice.randrange(10**9))),
        event=event,
        players=(players[0], players[1]),
    )
    if dice.random() < 0.3:
        taken_in = [replace(record, seed=dice.getrandbits(64)) for _ in range(3)]
        yield Step("add", "", taken_in)
    uid = f"{event}/{number}"
    yield Step("begin", uid, unfinished(record, 0))
    moves, made = list(record.moves), 0
    while made < len(moves):
        count = dice.choice((1, 1, 1, 1, 3))
        yield Step("moves", uid, moves[made : made + count])
        made = min(made + count, len(moves))
        if dice.random() < 0.1:
            made = dice.randrange(made)
            yield Step("take back", uid, made)
    yield Step("finish" if dice.random() < 0.8 else "leave", uid, record)


def perform(store: Store, steps: Iterable[Step]) -> Iterator[None]:
    """Do the steps, and yield after each."""
    live: dict[str, LiveGame] = {}
    for verb, uid, value in steps:
        if verb == "add":
            store.add(value)
        elif verb == "begin":
            live[uid] = store.begin(value, uid)
        elif verb == "moves":
            live[uid].add(*value)
        elif verb == "take back":
            live[uid].take_back(value)
        elif verb == "leave":
            live.pop(uid).close()
        else:
            live.pop(uid).finish(value)
        yield


def expected(steps: Iterable[Step]) -> dict[str, tuple[GameRecord, int]]:
    """The games after the steps, and how many positions each can be found by."""
    games: dict[str, GameRecord] = {}
    for verb, uid, value in steps:
        if verb == "add":
            games |= {f"{Entry.of(record).content_uid}-1": record for record in value}
        elif verb == "moves":
            games[uid] = replace(games[uid], moves=[*games[uid].moves, *value])
        elif verb == "take back":
            games[uid] = replace(games[uid], moves=games[uid].moves[:value])
        elif verb != "leave":
            games[uid] = value
    return {
        uid: (record, 0 if record.points is None else len(record.moves) + 1)
        for uid, record in games.items()
    }


def found(store: Store, event: str) -> dict[str, tuple[GameRecord, int]]:
    """The same of a store, for the games of one event."""
    games = list(store.whole(Filter(event=event)))
    game_id = schema.positions.c.game_id
    query = select(game_id, func.count()).where(game_id.in_([stored.id for stored in games]))
    with store.engine.connect() as connection:
        counts = {row[0]: row[1] for row in connection.execute(query.group_by(game_id))}
    return {stored.uid: (stored.record, counts.get(stored.id, 0)) for stored in games}


# ------------------------------------------------------------------ the side of the tests


@dataclass(frozen=True)
class Job:
    """What a writer is to do; without games it opens the store and leaves."""

    url: str
    event: str = "event"
    seed: int = 0
    games: int = 0
    imports_only: bool = False
    """Whether to bring all games at once, in place of playing them."""
    shuffled: int = 0
    """In which order they are brought."""
    as_nobody: bool = False
    """Whether root gives up its rights first."""
    dies: tuple[int, int] | None = None
    """After how many steps (-1: before its store is open), and at which moment then, to be killed.

    Moments are the statements and commits of the database. A writer that is to be killed says when
    that moment has come, and goes no further than to the next one.
    """

    @property
    def steps(self) -> list[Step]:
        steps = script(self.event, self.seed, self.games)
        if not self.imports_only:
            return steps
        games = [record for step in steps if step.verb == "add" for record in step.value]
        random.Random(self.shuffled).shuffle(games)
        return [Step("add", "", games)]


@dataclass
class Outcome:
    """What was heard of some writers."""

    pids: list[int] = field(default_factory=list)
    done: dict[str, int] = field(default_factory=dict)
    """How many steps of each event are done; an event is listed once its store is open."""
    refusals: list[str] = field(default_factory=list)
    statuses: list[int] | None = None
    moments: int = 0
    """Of all writers together, if they have said."""
    is_ripe: bool = False
    """Whether one has come to the moment at which it is to be killed."""


class Writers:
    """Writers at hand: the program that forks them has imported everything already."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        )

    def close(self) -> None:
        self.process.communicate()

    def run(self, *jobs: Job) -> Outcome:
        """Let writers do their jobs, all at once."""
        outcome = self._start(jobs)
        while outcome.statuses is None:
            self._listen(outcome)
        return outcome

    def kill(self, job: Job, after_steps: int, moment: int) -> Outcome:
        """Kill -9 a writer within such a moment (`Job.dies`), or at its end if that comes first."""
        outcome = self._start([replace(job, dies=(after_steps, moment))])
        while outcome.statuses is None and not outcome.is_ripe:
            self._listen(outcome)
        os.kill(outcome.pids[0], 9)  # if it has ended, it still waits to be mourned
        while outcome.statuses is None:
            self._listen(outcome)
        return outcome

    def _start(self, jobs: Sequence[Job]) -> Outcome:
        assert self.process.stdin
        self.process.stdin.write(json.dumps([asdict(job) for job in jobs]) + "\n")
        self.process.stdin.flush()
        outcome = Outcome()
        while not outcome.pids:
            self._listen(outcome)
        return outcome

    def _listen(self, outcome: Outcome) -> None:
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, "the program that forks the writers has ended"
        kind, value = json.loads(line)
        if kind == "pids":
            outcome.pids = value
        elif kind == "done":
            outcome.done[value[0]] = value[1]
        elif kind == "ripe":
            outcome.is_ripe = True
        elif kind == "moments":
            outcome.moments += value
        elif kind == "refused":
            outcome.refusals.append(value)
        else:
            outcome.statuses = value


# ------------------------------------------------------------------ the side of the writers


def say(kind: str, value: Any) -> None:
    """One line in one piece, whoever else is talking."""
    os.write(1, (json.dumps([kind, value]) + "\n").encode())


def serve() -> None:
    with Store("sqlite://"):  # so that no writer has to import anything
        sqlalchemy.create_engine("postgresql+psycopg://")
    children: list[int] = []
    for line in sys.stdin:
        for child in children:
            os.waitpid(child, 0)
        jobs = [Job(**job) for job in json.loads(line)]
        children = [_forked(job) for job in jobs]
        say("pids", children)
        # Not mourned yet: until the next jobs come, their numbers are nobody else's.
        over = [os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT) for child in children]
        say("gone", [result.si_status for result in over if result])


def _forked(job: Job) -> int:
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = _work(job)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    return child


def _work(job: Job) -> int:
    if job.as_nobody and os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.setgroups([])
        os.setgid(nobody.pw_gid)
        os.setuid(nobody.pw_uid)
    steps, moments = job.steps, Moments(job.dies)
    try:
        with Store(job.url) as store:
            say("done", [job.event, 0])
            moments.note_step(0)
            for number, _ in enumerate(perform(store, steps), start=1):
                say("done", [job.event, number])
                moments.note_step(number)
    except PlygroundError as error:
        say("refused", f"{type(error).__name__}: {error}")
        return 2
    moments.end()
    return 0


class Moments:
    """Counts statements and commits of this process, and lets it be killed within one of them."""

    def __init__(self, dies: tuple[int, int] | None) -> None:
        self.after_steps, self.left = dies or (None, 0)
        self.steps, self.count = -1, 0
        for name in ("before_cursor_execute", "commit"):
            event.listen(sqlalchemy.Engine, name, self._note)

    def note_step(self, number: int) -> None:
        self.steps = number

    def end(self) -> None:
        """There are no more."""
        say("moments", self.count)
        if self.after_steps is not None:
            self._await_death()

    def _note(self, *_: object) -> None:
        self.count += 1
        if self.after_steps is None or self.steps < self.after_steps:
            return
        if self.left < 0:
            self._await_death()
        if self.left == 0:
            say("ripe", None)
        self.left -= 1

    def _await_death(self) -> None:
        say("ripe", None)
        while True:
            signal.pause()


if __name__ == "__main__":
    serve()

"""Every parser and protocol that there is, with valid inputs that our own writers made.

    python tests/fuzz_targets.py NAME SEED COUNT     fuzz one of them, as a process of its own
    python tests/fuzz_targets.py all SEED COUNT      all of them in turn, so many inputs each

Readers of text get what the system makes of bytes that are typed; readers of files get a file. An
input that begins with `3|` is meant for one of some positions. Knows nothing of how inputs are
spoilt.
"""

from __future__ import annotations

import atexit
import contextlib
import faulthandler
import functools
import gzip
import hashlib
import io
import json
import os
import re
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path

import numpy as np
from format_tools import check_items, random_game, random_moves
from fuzzing import Failure, Target, fuzz
from user_games import example_game

import plyground as pg
from plyground.cli import saved_game
from plyground.cli.common import parse_settings
from plyground.cli.elo import parse_sprt
from plyground.cli.position_file import position_in
from plyground.core import quantities
from plyground.core.errors import InputError, MalformedText, PlygroundError, Unsupported
from plyground.core.json_text import presentable, read_json, read_object
from plyground.core.records import GameRecord, MoveRecord, PositionRecord
from plyground.core.scores import Score
from plyground.evaluation.learned import NTUPLES, evaluator_in
from plyground.evaluation.sample import constant_fields
from plyground.evaluation.tuple_layout import lay_out
from plyground.evaluation.weights_file import Weights
from plyground.formats import trace_file, wthor
from plyground.formats.catalogue import find_format, formats, in_words, read_anything, writer_for
from plyground.formats.pasting import recognised
from plyground.formats.replay import record_of
from plyground.formats.spec import Format, Item, Read, Record
from plyground.games.catalogue import find_game, games
from plyground.games.othello import GAME as OTHELLO
from plyground.games.position import BasePosition
from plyground.games.rules import State, play
from plyground.games.spec import GameSpec
from plyground.kernel import plain_python
from plyground.lab.as_data import run_as_data
from plyground.lab.catalogue import find_experiment
from plyground.lab.grid.file import read_experiment, read_name
from plyground.lab.parameters import read_parameters
from plyground.lab.run_results import parse_run
from plyground.lab.runner import info_of
from plyground.learning.lessons import Lessons
from plyground.learning.recipe import read_teacher
from plyground.learning.scale import Scale
from plyground.matches import openings
from plyground.matches.contests import of_job
from plyground.matches.journal import Journal
from plyground.matches.pair import Pair, PlayedPair
from plyground.matches.tournament_file import EXAMPLE, ReadTournament
from plyground.players import engine as engines
from plyground.players.catalogue import canonical, make_machine
from plyground.players.gtp import GtpPlayer
from plyground.players.judging import read_evaluator
from plyground.players.nboard import NboardPlayer
from plyground.players.spec import Forfeit, Turn
from plyground.players.text import parse
from plyground.protocols.conversation import Engine, Line, read_lines
from plyground.protocols.gtp_engine import SGF, GtpEngine, parse_command, read_sgf
from plyground.protocols.nboard_engine import NboardEngine
from plyground.solvers.connect_four.book import make_book, read_book, write_book
from plyground.solvers.connect_four.book_building import BookPlan, Build
from plyground.solvers.othello.proof import HEADER, VERSION, Proof
from plyground.solvers.othello.proof import key_of as proof_key
from plyground.store import runs
from plyground.store.rows import Entry, StoredGame, game_values, move_of
from plyground.store.run_files import read_run, write_run
from plyground.store.runs import DamagedRun, NewRun, Runs, StoredCell, WholeRun
from plyground.store.store import Store
from plyground.web import lab_runs
from plyground.web.job_routes import job_as_data
from plyground.web.tournament_routes import summary
from plyground.work.jobs import RECORD, Job, jobs_folder, prepare_to_resume, read_record
from plyground.work.jobs import jobs as all_jobs

EXAMPLES = Path(__file__).parents[1] / "examples"
HEXAPAWN = EXAMPLES / "hexapawn.py"
MOST_ITEMS = 300  # that are taken from a reader, or lines that it is given
LIKELY = 0.5  # to be in a format
MOST_COMMANDS = 40  # that an engine is told
HANGS_S = 540.0  # after so long, a process that hears no signal shows where it is, and ends

ReadBytes = Callable[[bytes], object]
"""As a target has it."""


@functools.cache
def targets() -> dict[str, Target]:
    """All of them, by name."""
    makers = (
        *(_format_targets, _all_game_targets, _match_targets, _protocol_targets),
        *(_lab_targets, _job_targets, _store_targets, _solver_targets, _learning_targets),
    )
    return {target.name: target for make in makers for target in make()}


def _text(data: bytes) -> str:
    """As the system hands over what was typed."""
    return data.decode("utf-8", "surrogateescape")


def _of_text(read: Callable[[str], object]) -> ReadBytes:
    return lambda data: read(_text(data))


def _taken(read: ReadBytes, inputs: Iterable[bytes]) -> list[bytes]:
    """Those of some inputs that a parser takes."""
    found = []
    for data in inputs:
        with contextlib.suppress(InputError):
            read(data)
            found.append(data)
    return found


@functools.cache
def _folder() -> Path:
    """For files to be read; it goes with this process."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    return Path(folder.name)


def _of_file(name: str, read: Callable[[Path], object]) -> ReadBytes:
    def read_bytes(data: bytes) -> object:
        path = _folder() / name
        path.write_bytes(data)
        return read(path)

    return read_bytes


# ------------------------------------------------------------------ formats

BOARD = "O--------------------------OX------XO--------------------------- X"
SHORTEST = "e6f4e3f6g5d6e7f5c5"  # nine moves, after which there is no white disc
NAMED = {"players": ("Ann [x]", 'B"ob\\'), "date": "2004-09-18", "event": "Café"}


def _records() -> list[Record]:
    """Games and positions of every kind, as short as they can be."""
    start = OTHELLO.initial()
    scores = [Score(3, "heuristic"), Score(-64, "proven"), None]
    moves = [MoveRecord(name, side, 1.5, scores[side]) for side, name in enumerate(("f5", "d6"))]
    whole = record_of(OTHELLO, start, OTHELLO.parse_moves(start, SHORTEST), {})
    found: list[Record] = [
        whole,
        GameRecord("othello", moves=moves, **NAMED, points=1.0, ended="resigned"),
        random_game(OTHELLO, 1, 6, size=4),
        record_of(OTHELLO, OTHELLO.parse_position(start, BOARD), [], {}, BOARD),
        PositionRecord(
            "othello", BOARD, scores={"f5": 2, "d3": -4}, score=2, tags={"comment": "c"}
        ),
        PositionRecord("othello", "-----OX--XO----- O", {"size": 4}, score=-1),
        PositionRecord(
            "connect4", "/".join(["-------"] * 5 + ["---XO--"]), score=1, tags={"moves": "45"}
        ),
    ]
    for game in games().values():
        found += [random_game(game, 2, most) for most in (1, 7)]
    return [*found, random_game(games()["connect4"], 3, 9, width=5, height=4, connect=3)]


def _written(found: Format) -> Iterator[bytes]:
    """What a format makes of the records that it can hold."""
    for record in _records() if found.write else ():
        with contextlib.suppress(InputError):
            yield found.write([record])


def _archive() -> dict[str, bytes]:
    return wthor.write_archive([_records()[0], _records()[0]])


def _trace() -> bytes:
    moves = [trace_file.traced_move(n, (4, -7, 0), maximises=n > 1) for n in (1, 2832)]
    return trace_file.write_trace(moves)


def _read_format(found: Format, data: bytes) -> bool:
    assert 0.0 <= found.recognises(data) <= 1.0
    records = _records_in(found.read(data))
    if found.write and records:
        with contextlib.suppress(InputError):
            assert check_items(islice(found.read(found.write(records)), MOST_ITEMS)) >= 1
    return bool(records) or found.recognises(data) >= LIKELY  # some formats hold no records


def _records_in(items: Iterable[Item]) -> list[Record]:
    listed = list(islice(items, MOST_ITEMS))
    check_items(listed)
    return [item.record for item in listed if isinstance(item, Read)]


def _read_games(data: bytes) -> bool:
    try:
        found = pg.read_games(data)
    except InputError:
        return False
    assert found.frame().height == len(found)
    return bool(found)


def _read_anything(data: bytes) -> bool:
    reading = read_anything(data, ("", "a.txt", "a.wtb", "a.json")[len(data) % 4])
    items = list(islice(reading, MOST_ITEMS))
    assert in_words(reading.format, items)
    records = _records_in(items)
    for found in formats().values():
        if found.write and records:
            with contextlib.suppress(InputError):
                assert isinstance(found.write(records[:3]), bytes)
    return bool(items)


def _read_folder(sound: dict[str, bytes], data: bytes) -> bool:
    """`WTH.JOU|...`: one file of an archive in place of the sound one."""
    name, _, content = data.partition(b"|")
    files = {**sound, _text(name) if _text(name) in sound else "WTH.JOU": content}
    for each, bytes_of_it in files.items():
        (_folder() / each).write_bytes(bytes_of_it)
    archive = wthor.read_archive([_folder() / each for each in files])
    return bool(_records_in(archive))


def _format_targets() -> Iterator[Target]:
    archive = _archive()
    names = [archive["WTH.JOU"], archive["WTH.TRN"]]
    everything = []
    for name, found in formats().items():
        corpus = list(_written(found)) or (names if name == wthor.NAMES else [_trace()])
        everything += corpus
        yield Target(f"format {name}", functools.partial(_read_format, found), corpus)
    yield Target("any format", _read_anything, everything)
    opened = _of_file("p.any", lambda path: position_in(f"{path}#1"))
    yield Target("position in a file", opened, _taken(opened, everything))
    players, tournaments = (
        functools.partial(wthor.parse_names, width=width)
        for width in (wthor.PLAYER_BYTES, wthor.TOURNAMENT_BYTES)
    )
    yield Target("wthor players", players, names[:1])
    yield Target("wthor tournaments", tournaments, names[1:])
    folder = [name.encode() + b"|" + data for name, data in archive.items()]
    yield Target("wthor folder", functools.partial(_read_folder, archive), folder)
    yield Target("trace", trace_file.read_trace, [_trace()])
    yield Target("format name", _of_text(find_format), [name.encode() for name in formats()])
    files = [f"a{suffix}".encode() for each in formats().values() for suffix in each.suffixes]
    yield Target("file name", _of_text(writer_for), _taken(_of_text(writer_for), files))


# ------------------------------------------------------------------ games

SETTINGS: dict[str, list[dict[str, str]]] = {
    "othello": [{}, {"size": "4"}, {"size": "10"}],
    "connect4": [{}, {"width": "12", "height": "4"}, {"width": "2", "height": "31"}],
    "kalah": [{}, {"pits": "1", "seeds": "1"}, {"pits": "7", "seeds": "18", "captures": "no"}],
    "mnk": [{}, {"m": "26", "n": "2"}, {"preset": "gomoku"}],
    "double-card": [{}, {"cards": "3", "on_no_move": "pass"}, {"width": "2", "cards": "9"}],
    "synthetic": [{}, {"branching": "64", "depth": "3"}, {"leaves": "ordered", "wins": "0.5"}],
}


def _walk(game: GameSpec, chosen: dict[str, str], most: int) -> tuple[list[State], list[str]]:
    """The states of a random game, and the moves between them as text."""
    states, names = [game.initial(**game.settings(chosen))], []
    for move in random_moves(game, states[0], seed=4, most=most):
        names.append(game.format_move(states[-1], move))
        states.append(play(states[-1], move))
    return states, names


def _numbered(states: Sequence[State], data: bytes) -> tuple[State, str]:
    """`3|f5`: one of some states, and a text."""
    number, _, rest = data.partition(b"|")
    is_short = number.isdigit() and len(number) < 4
    return states[(int(number) if is_short else zlib.crc32(number)) % len(states)], _text(rest)


def _read_settings(game: GameSpec, text: str) -> State:
    words = (line.partition("=") for line in text.split("\n") if line)
    return game.initial(**game.settings({name: value for name, _, value in words}))


def _game_targets(game: GameSpec) -> Iterator[Target]:
    chosen = SETTINGS.get(game.name, [{}])
    walks = [_walk(game, settings, 7) for settings in chosen]
    starts = [states[0] for states, _ in walks]
    places = [(s, name) for states, names in walks for s, name in zip(states, names, strict=False)]
    states = [state for state, _ in places]

    def read_move(data: bytes) -> object:
        return (game.parse_move(*_numbered(states, data)),)

    def read_moves(data: bytes) -> object:
        return (game.parse_moves(*_numbered(starts, data)),)

    def read_position(data: bytes) -> State:
        start, text = _numbered(starts, data)
        state = game.parse_position(start, text)
        assert game.parse_position(start, game.format_position(state)) == state
        return state

    read_settings = _of_text(functools.partial(_read_settings, game))
    single = [f"{number}|{name}" for number, (_, name) in enumerate(places)]
    lists = [
        f"{number}|{between.join(names)}"
        for number, (_, names) in enumerate(walks)
        for between in (" ", "; ", "\n", "")
    ]
    texts = [
        f"{number}|{game.format_position(state)}"
        for number, (states, _) in enumerate(walks)
        for state in states
    ]
    settings = ["\n".join(f"{k}={v}" for k, v in each.items()) for each in chosen]
    for kind, read, inputs in (
        ("move", read_move, single),
        ("moves", read_moves, lists),
        ("position", read_position, texts),
        ("settings", read_settings, settings),
    ):
        yield Target(f"{game.name} {kind}", read, _taken(read, map(str.encode, inputs)))


def _all_game_targets() -> Iterator[Target]:
    names = ("hexapawn", "breakthrough", "dots_and_boxes", "fox_and_hounds")
    for game in (*games().values(), *(example_game(f"{name}.py") for name in names)):
        yield from _game_targets(game)
    names = [name for game in games().values() for name in (game.name, *game.aliases)]
    names += [str(HEXAPAWN), "plyground.games.kalah"]
    yield Target(
        "game name", _of_text(find_game), [name.encode() for name in names], (PlygroundError,)
    )


# ------------------------------------------------------------------ players and matches

PLAYER_TEXTS = (
    *("alphabeta", "human", "random", "expert", "first", "better-random:eval=discs", "greedy"),
    "abmemory:depth=6,time=2s,nodes=200k,eval=stages,order=natural,memory=64MB,symmetric=no",
    "alphabeta(depth=3,noise=20%,ponder=yes,ties=random,finish=margin,endgame=12)",
    "random-start(moves=8,then=random-start(moves=2,then=alphabeta:depth=4))",
    "alphabeta:eval=stages(early_mobility=12,late_stability=-3)",
    "uct:simulations=100,nodes=1M,time=500ms",
    'gtp:command="engine -gtp \\"a b\\"",time=5s',
    "nboard:command=engine,depth=4",
)
QUANTITIES: tuple[Callable[[str, str], object], ...] = (
    quantities.read_seconds,
    quantities.read_bytes,
    quantities.read_share,
    functools.partial(quantities.read_count, low=0, high=10**15),
)


def _read_player_text(text: str) -> bool:
    player = parse(text)
    assert parse(str(player)) == player
    return bool(str(canonical(player)))


def _make_player(text: str) -> object:
    """`mnk|greedy`: a game and a player of it."""
    name, _, text = text.rpartition("|")
    game = games().get(name, OTHELLO)
    player = make_machine(text, game, game.initial())
    player.close()
    return player


def _read_quantity(text: str) -> tuple[object, ...]:
    read, refused = [], None
    for reader in QUANTITIES:
        try:
            read.append(reader(text, "it"))
        except InputError as error:
            refused = error
    if refused and not read:
        raise refused
    return tuple(read)


def _read_opening_lines(text: str) -> object:
    return openings.read_openings(BasePosition.begin(OTHELLO), text.split("\n")[:MOST_ITEMS])


def _read_opening(text: str) -> object:
    position, _, moves = text.rpartition("|")
    return BasePosition.begin(OTHELLO, None, position or None, moves.split("; "))


def _tournament_files() -> Iterator[bytes]:
    yield EXAMPLE.replace("games = 20", "games = 2").encode()
    yield b'game = "mnk"\nplayers = ["first", "random"]\ngames = 2\nopenings = "random:1"\n'
    yield (
        b'game="othello"\nposition="-----OX--XO----- X"\nsettings={size=4}\nheroes=1\n'
        b'players=[{name="a",player="first"},{name="b",player="random"},"greedy"]\n'
        b'format="gauntlet"\ngames=2\nopenings="random:0"\nseed=3\ntime="1s"\n'
    )


def _journal() -> bytes:
    record = _records()[0]
    assert isinstance(record, GameRecord)
    pair = Pair("othello", ("first", "random"), 1, "f5; d6", settings={"size": 8}, seed=2)
    played = PlayedPair(pair, (record, record))
    path = _folder() / "written.jsonl"
    path.unlink(missing_ok=True)
    with Journal(path) as journal:
        journal.add(played)
    return path.read_bytes()


def _read_journal(path: Path) -> bool:
    with Journal(path) as journal:
        return bool(journal.played)


def _saved_games() -> Iterator[bytes]:
    for game, chosen, moves in (("othello", {"size": 8}, ("f5", "d6")), ("connect4", {}, ("4",))):
        saved = saved_game.SavedGame(game, dict(chosen), None, moves, ("human", "first"), 7, 1.5)
        yield saved.as_text().encode()


def _match_targets() -> Iterator[Target]:
    texts = [text.encode() for text in PLAYER_TEXTS]
    machines = [name.encode() + b"|" + text for name in games() for text in texts]
    yield Target("player text", _of_text(_read_player_text), texts)
    yield Target("player", _of_text(_make_player), _taken(_of_text(_make_player), machines))
    othello = find_game("othello")
    judge = _of_text(lambda text: read_evaluator(text, othello, othello.initial()))
    yield Target("evaluator", judge, [b"stages(early_mobility=12,corner=-3)", b"factors", b"zero"])
    amounts = ("2s", "500ms", "0.5", "1m", "64MB", "1GB", "0", "200k", "2M", "12", "20%", "0.2")
    yield Target("quantity", _of_text(_read_quantity), [amount.encode() for amount in amounts])
    kinds = [b"random:4", b"random:0", b"openings.txt", b"a/b c.txt"]
    yield Target("openings", _of_text(openings.parse_openings), kinds)
    lines = f"# two\nf5 d6\nposition: {BOARD} moves: f5d6\n".encode()
    yield Target("opening lines", _of_text(_read_opening_lines), [lines, b"f5d6\n", b"e6\n"])
    stored = [f"{BOARD}|f5; d6".encode(), b"|f5; d6"]
    yield Target("opening", _of_text(_read_opening), stored)
    tournament = _of_file("t.toml", ReadTournament)
    yield Target("tournament", tournament, list(_tournament_files()))
    yield Target("journal", _of_file("j.jsonl", _read_journal), [_journal(), _journal() * 2])
    saved = _of_file("game.json", saved_game.read_and_restore)
    yield Target("saved game", saved, list(_saved_games()), (PlygroundError,))


# ------------------------------------------------------------------ protocols

GTP_LINES = (
    "1 protocol_version\nname\nversion\nlist_commands\nknown_command play\nquit\n",
    "boardsize 8\nclear_board\nplay black f5\ngenmove white\nundo\nreg_genmove w\nshowboard\n",
    "time_settings 300 30 5\ntime_left black 12 0\n2 genmove b\nfinal_score\nkomi 6.5\n",
    "set_game Connect4\nboardsize 5 4\nplay b 3\ngenmove w\ngogui-rules_board\nplay b C1\n",
    "gogui-rules_game_id\ngogui-rules_board_size\ngogui-rules_legal_moves\nplay b D3\n",
    "set_game Double Card\nplay b 0_1_A_1\nshowboard\ngogui-rules_final_result\n",
    "set_game Kalah\nplay b 3\nplay b 6\nset_game mnk\nplay b b2\nset_game tree\nplay b 1\n",
    "list_games\nloadsgf game.sgf 3\ngogui-interrupt\n# interrupt\ngogui-analyze_commands\n",
    "gogui-rules_side_to_move\nplay white pass\n",
    "set_game mnk\nplyground-setup m=4 n=5 k=3\nplay b d5\nplyground-setup position=X...O.... X\n",
)
NBOARD_GAME = "(;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[05:00/10]TY[8]BO[8 {} *]B[F5//1.5]W[D6/-2.5/3];)"
NBOARD_LINES = (
    "nboard 2\nset depth 2\nping 1\nset contempt 0\nlearn\nquit\n",
    f"set game {NBOARD_GAME.format('-' * 27 + 'O*------*O' + '-' * 27)}\nping 2\ngo\n",
    "move F5/1.5/2\nhint 2\nping 3\nmove d6\nanalyze\n",
    "F5\nset game (;GM[Othello]TY[8]B[e6];)\nhint 1\nmove PA\ngo\n",
)
GTP_ANSWER = re.compile(r"[=?][0-9]*( [^\n]+(\n[^\n]+)*)?\n")
NBOARD_ANSWER = re.compile(
    r"set myname Plyground\d*|status( .+)?|pong( .+)?|learned|nodestats \d+ \d+\.\d\d"
    r"|search \S+ [+-]\d+\.\d\d 0 \S+|=== \S+|analysis \d+ -?\d+\.\d\d"
)


def _lines(data: bytes) -> Iterator[Line]:
    return islice(read_lines(io.BytesIO(data).read), MOST_COMMANDS)


def _converse(engine: Engine, data: bytes) -> list[str]:
    """All answers to some lines, each of which is there before the one ahead is answered."""
    said: list[str] = []
    try:
        for line in _lines(data):
            engine.stopper.ask()
            if not engine.obey(line, said.append):
                break
    finally:
        engine.close()
    return said


def _ask_gtp(data: bytes) -> bool:
    said = _converse(GtpEngine(OTHELLO, {"size": 4}, "first", seed=1), data)
    asked = [parse_command(line.text) for line in _lines(data)]
    names = [command.name for command in asked if command]
    assert len(said) == (names.index("quit") + 1 if "quit" in names else len(names))
    for answer in said:
        assert GTP_ANSWER.fullmatch(answer), answer
        assert ".py:" not in answer, answer  # an error of ours
    return any(answer.startswith("=") for answer in said)


def _ask_nboard(data: bytes) -> bool:
    with plain_python():
        said = _converse(NboardEngine(None, "greedy:eval=discs", seed=1), data)
    assert all(NBOARD_ANSWER.fullmatch(answer) for answer in said), said
    return bool(said)


class _Saying(engines._Process):
    """A process that says the same whatever it is told, and then closes its output."""

    def __init__(self, said: bytes) -> None:
        self._left, self._output = said, bytearray()

    @property
    def is_silent(self) -> bool:
        return not self._left

    def write(self, line: str) -> str:
        return ""

    def listen(self, seconds: float) -> bool:
        self._output += self._left[:1000]
        self._left = self._left[1000:]
        return True

    def last_words(self, seconds: float) -> tuple[int | None, str]:
        return 0, ""

    def end(self, is_polite: bool = True) -> None:
        self._left = b""


class _Recorded(engines.Engine):
    """An engine behind such a process."""

    def __init__(self, said: bytes) -> None:
        super().__init__("engine", "quit")
        self._said = said

    def start(self) -> None:
        self._process = _Saying(self._said)
        self._ending = self._process.end


def _hear(player: engines.EnginePlayer, data: bytes) -> bool:
    """What a client makes of what an engine says: a legal move, or a Forfeit."""
    player.engine = _Recorded(data)
    start = OTHELLO.initial()
    moves = tuple(OTHELLO.parse_moves(start, "f5"))
    turn = Turn(BasePosition.at(OTHELLO, {}, start, moves), time_s=2.0)
    choice = player.choose(turn)
    assert choice.move in turn.legal
    assert list(choice.line[:1]) in ([], [choice.move])
    assert choice.depth >= 0 <= choice.nodes
    return True


GTP_REPLIES = (
    b"? unknown command\n\n=\n\n=\n\n= \n\n=\n\n=\n\n= d6\n\n",
    b"Welcome\n\n=\n\n# thinking\r\n=\r\n\r\n=\n\n=\n\n? no time\n\n=\n\n= F6\n\n",
)
NBOARD_REPLIES = (
    b"set myname Edax10\npong 1\npong 2\nstatus x\nsearch F6D3 -1.5 0 10\nnodestats 99 0.5\n=== F6",
    b"pong 1\npong 2\nbook D6 1,2 0 100%W\nnodestats 5678 0.75\n=== D6/-3.61/0.75",
)


def _protocol_targets() -> Iterator[Target]:
    yield Target("gtp engine", _ask_gtp, [text.encode() for text in GTP_LINES])
    yield Target("nboard engine", _ask_nboard, [text.encode() for text in NBOARD_LINES])
    yield Target("gtp file", read_sgf, list(_written(SGF)))
    forfeits = (Forfeit,)
    yield Target("gtp client", lambda data: _hear(GtpPlayer("engine"), data), GTP_REPLIES, forfeits)
    replies = [reply + b"\n" for reply in NBOARD_REPLIES]
    yield Target(
        "nboard client", lambda data: _hear(NboardPlayer("engine"), data), replies, forfeits
    )


# ------------------------------------------------------------------ the lab

RUN = NewRun("family", "abc", {"seed": 3, "depths": [1]}, True, 7, {"code": "x"}, {"cores": 2}, 2)
CELLS = [StoredCell(key, "t:f", {"n": 1}, {"nodes": 5}, {"wall": [0.5]}, 0.5) for key in "ab"]


@functools.cache
def _runs() -> Runs:
    return Runs(Store(str(_folder() / "runs.db")))


@functools.cache
def _whole_run() -> WholeRun:
    number = _runs().begin(RUN).id
    for cell in CELLS:
        _runs().add(number, cell)
    _runs().finish(number)
    whole = _runs().whole(number)
    _runs().delete(number)
    moment = "2026-01-01T00:00:00Z"  # the same in every process, as all inputs
    fixed = {"uid": "0" * 32, "started": moment, "finished": moment}
    return WholeRun({**whole.run, **fixed}, [{**c, "measured": moment} for c in whole.cells])


def _run_file() -> bytes:
    path = _folder() / "written.jsonl.gz"
    write_run(_whole_run(), path)
    return path.read_bytes()


def _take_run(path: Path) -> bool:
    """What was read goes into a store, and is told by all who list runs."""
    number, _ = _runs().take(read_run(path))
    told = info_of(_runs().run(number))
    assert json.dumps(presentable([run_as_data(told), *map(asdict, _runs().damaged())]))
    assert json.dumps(lab_runs.list_runs(told.experiment, _runs()._store), allow_nan=False)
    assert _runs().cells(number)
    _runs().delete(number)
    return True


def _read_rows(data: bytes) -> bool:
    """A run and a cell as a database holds them, which anybody may have changed."""
    run_row, _, cell_row = data.partition(b"\n")
    run_, cell = read_object(run_row), read_object(cell_row)
    made = runs._run_of({"id": 1, "measured": 1, "seconds": 0.5, **run_, "experiment": "x"})
    if isinstance(made, DamagedRun):
        assert made.problem
        raise MalformedText(made.problem)
    return bool(info_of(made)) and bool(runs._cell_of({"run_id": 1, "key": "k", **cell}))


def _read_parameters(text: str) -> object:
    experiment = find_experiment("family")
    name, _, value = text.partition("=")
    return read_parameters(experiment, True, {name: value})


def _lab_targets() -> Iterator[Target]:
    text = gzip.decompress(_run_file())
    yield Target("run file", _of_file("r.gz", _take_run), [_run_file()])
    packed = _of_file("r.gz", _take_run)
    yield Target("run lines", lambda data: packed(gzip.compress(data, 1)), [text])
    rows = [json.dumps(_whole_run().run) + "\n" + json.dumps(_whole_run().cells[0])]
    yield Target("run rows", _read_rows, [row.encode() for row in rows])
    own = USER_EXPERIMENT.encode()
    yield Target("experiment", _of_file("e.toml", read_experiment), [own])
    yield Target("experiment name", _of_file("e.toml", read_name), [own])
    yield Target("run name", _of_text(parse_run), [b"family@3", b"family@shipped", b"3"])
    yield Target("parameters", _of_text(_read_parameters), [b"seed=3", b"seed=4"])


USER_EXPERIMENT = """title = "T"
games = ["mnk", { game = "connect4", settings = { width = "{w}" } }]
positions = [""]
players = ["alphabeta:depth={depth}", { name = "b", player = "abmemory:depth={depth}" }]
repetitions = 2
[grid]
depth = [1, 2]
w = [4, 5]
[[charts]]
kind = "lines"
x = "depth"
y = "leaves"
"""


# ------------------------------------------------------------------ jobs

TERMS = {
    "game": "mnk",
    "settings": {"m": 3},
    "position": None,
    "players": ["first", "random"],
    "openings": "random:1",
    "pairs": 2,
    "seed": 0,
    "time_s": None,
    "sprt": {"elo0": 0.0, "elo1": 5.0, "alpha": 0.05, "beta": 0.05, "model": "logistic"},
    "journal": "/no/games.jsonl",
    "event": "match",
}


def _jobs() -> Iterator[bytes]:
    match = Job("1", "match", "a - b", ["match", "a"], "/", TERMS, "stopped", done=3, total=4)
    cup = {"spec": "/no/cup.toml", "journal": "/no/cup.jsonl", "event": "tournament x"}
    study = {"experiment": "family", "store": "x", "quick": True, "run": 3}
    for job in (
        match,
        replace(match, kind="tournament", about=cup, state="running"),
        replace(match, kind="lab", about=study, state="failed", reason="no"),
    ):
        yield json.dumps(asdict(job)).encode()


def _read_job_record(data: bytes) -> bool:
    """A record that can be read is told by all who list jobs."""
    with jobs_in(_folder() / "data"):
        place = jobs_folder() / "1"
        place.mkdir(parents=True, exist_ok=True)
        (place / RECORD).write_bytes(data)
        [listed] = all_jobs()
        contest = of_job(listed)
        told = [job_as_data(listed), summary(contest) if contest else None]
        assert json.dumps(told, allow_nan=False, ensure_ascii=False).encode()
        job = read_record(data, "1")
        with contextlib.suppress(Unsupported):
            prepare_to_resume(job)
            raise AssertionError("it is not sealed")
    return True


@contextlib.contextmanager
def jobs_in(folder: Path) -> Iterator[None]:
    """With another data folder."""
    before = os.environ.get("PLYGROUND_DATA")
    os.environ["PLYGROUND_DATA"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ["PLYGROUND_DATA"]
        else:
            os.environ["PLYGROUND_DATA"] = before


def _job_targets() -> Iterator[Target]:
    yield Target("job", _read_job_record, list(_jobs()))


# ------------------------------------------------------------------ stores and pages


def _game_row() -> bytes:
    row = game_values(Entry.of(random_game(games()["mnk"], 2, 5))) | {"stored": ""}
    row |= {"id": 1, "uid": "u", "first": "Ann", "second": "Bob", "event": None}
    return json.dumps(row).encode()


def _read_game_row(data: bytes) -> bool:
    row = {**json.loads(_game_row()), **read_object(data), "id": 1}
    stored = StoredGame.of(row)
    assert json.dumps(stored.record.as_data(), allow_nan=False)
    if stored.problem:
        raise MalformedText(stored.problem)
    return True


def _read_move_row(data: bytes) -> bool:
    usual = {"game_id": 1, "move": "a1", "side": 0, "time_s": 0.5, "score": 3, "kind": "proven"}
    usual |= {"depth": 1, "nodes": 2, "pondered": False}
    return bool(move_of({**usual, **read_object(data)}))


def _store_targets() -> Iterator[Target]:
    yield Target("game row", _read_game_row, [_game_row()])
    yield Target("move row", _read_move_row, [b'{"score": 1, "kind": "win"}', b'{"kind": null}'])
    yield Target("json", lambda data: (read_json(data),), [b'{"a": [1, 2.5, {"b": null}]}'])
    yield Target("pasted", _of_text(recognised), [b"f5d6c3", BOARD.encode(), b"0x1 0x2"])
    yield Target("read by a program", _of_text(pg.read), [b"f5d6c3", BOARD.encode(), b"0x1 0x2"])
    yield Target("games of a program", _read_games, [b"f5d6c3\nf5\n", BOARD.encode()])
    yield Target("test of a match", _of_text(parse_sprt), [b"elo0=0,elo1=5", b"elo0=0,elo1=9.5"])
    words = [b"size=6", b"m = 3"]
    yield Target("settings", _of_text(lambda text: parse_settings([text])), words)


# ------------------------------------------------------------------ books and proofs


@functools.cache
def _book() -> bytes:
    plan = BookPlan(games()["connect4"].initial(width=4, height=4), 2)
    scores = {key: 1 - 2 * (key % 2) for layer in plan.layers for key in layer}
    path = _folder() / "written.book"
    write_book(make_book(plan.start, 2, scores), path)
    return path.read_bytes()


def _read_build(path: Path) -> bool:
    with path.open("a+b") as notes:
        plan = BookPlan(games()["connect4"].initial(width=4, height=4), 1)
        build = Build(plan, notes)
        return bool(build.scores)


def _read_proof(path: Path) -> bool:
    with path.open("a+b") as notes, plain_python():
        return bool(Proof(OTHELLO.initial(size=4), notes, 4, 2**20).solved)


def _proof() -> bytes:
    me, opp = proof_key(OTHELLO.initial(size=4))
    head = f"{HEADER} {VERSION} othello 4 {me:x} {opp:x}\n"
    return f"{head}{me:x} {opp:x} -3 -2 9 0.125\n1 2 0 2 9 0.125\n".encode()


def _solver_targets() -> Iterator[Target]:
    yield Target("book", _of_file("b.book", read_book), [_book()])
    notes = BookPlan(games()["connect4"].initial(width=4, height=4), 1).layers[-1]
    lines = "".join(f"{key} {number}\n" for number, key in enumerate(notes)).encode()
    yield Target("book under way", _of_file("b.part", _read_build), [lines])
    yield Target("proof", _of_file("p.proof", _read_proof), [_proof()])


def _learning_targets() -> Iterator[Target]:
    """What is inside of the digests of files, which notice other damage by themselves."""

    def sealed(read: ReadBytes) -> ReadBytes:
        return lambda data: read(data + hashlib.sha256(data).digest())

    game = find_game("tictactoe")
    start = game.initial()
    plan = lay_out(game, start, stages=1, tuples=[(0, 1), (4,)])
    numbers = np.arange(plan.sides * plan.distinct, dtype=np.int16).reshape(plan.sides, -1)
    about = {"plan": plan.as_data()}
    fields = constant_fields(game, start)
    kind = type(start).__name__
    weights = Weights("w", game.name, {}, kind, fields, "", NTUPLES, about, "1", 0.0, {}, numbers)

    def evaluator(data: bytes) -> object:
        return evaluator_in(Weights.from_bytes(data, "w"), game, start)

    yield Target("weights", sealed(evaluator), [weights.as_bytes()[:-32]])
    arrays = np.array([4, 0, 8]), np.array([0.5, 0, -1]), np.array([3]), np.array([1])
    lessons = Lessons.of_points(*arrays, Scale(1000.0, 1.0, 0))
    othello = games()["othello"]
    board = othello.initial()
    teachers = [b"solver", b"solver=12", b"depth=3", b"Solver=9"]
    yield Target("teacher", _of_text(lambda text: read_teacher(text, othello, board)), teachers)
    yield Target("lessons", sealed(Lessons.from_bytes), [lessons.as_bytes()[:-32]])


def main() -> None:
    """Fuzz one target or all, and say how many inputs were read and how many refused."""
    name, seed, count = sys.argv[1:]
    faulthandler.enable()
    if name != "all":
        faulthandler.dump_traceback_later(HANGS_S, exit=True)
        tally = fuzz(targets()[name], int(seed), int(count))
        print(tally.read, tally.refused)
        return
    read = refused = failed = 0
    for each in targets().values():
        try:
            tally = fuzz(each, int(seed), int(count))
            read, refused = read + tally.read, refused + tally.refused
        except Failure as failure:
            failed += 1
            print(failure)
        print(
            f"{each.name}: {read + refused:,} inputs, {read:,} read, {failed} failures", flush=True
        )
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()

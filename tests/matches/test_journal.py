"""The journal: what is written stays, whatever kills the writer, and no other file is harmed."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import environment
from hypothesis import given, settings
from hypothesis import strategies as some
from match_tools import lines_of
from patience import PATIENCE_S, until

from plyground.core.errors import InputError, MalformedText, Unsupported
from plyground.core.records import GameRecord, MoveRecord
from plyground.core.scores import Score
from plyground.matches.journal import Journal, read_journal
from plyground.matches.pair import Pair, PlayedPair


def pair_number(number: int, moves: int = 3, reason: str = "") -> PlayedPair:
    """A pair that nobody played, as long as a test needs it."""
    players = ("alphabeta:depth=4", "müller")
    record = [
        MoveRecord(f"d{n % 8}", n % 2, 0.25, Score(n, "heuristic"), 4, 1000 + n)
        for n in range(moves)
    ]
    games = (
        GameRecord("othello", players, record, 1.0, 12),
        GameRecord("othello", players[::-1], record, 0.5, None, "length", reason),
    )
    return PlayedPair(Pair("othello", players, number), games)


PAIRS = [pair_number(number) for number in range(3)]


def write(path: Path, pairs: list[PlayedPair] = PAIRS) -> bytes:
    with Journal(path) as journal:
        for pair in pairs:
            journal.add(pair)
    return path.read_bytes()


def pairs_of(path: Path) -> list[PlayedPair]:
    return [pair for pair, _ in read_journal(path)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.jsonl"


# ------------------------------------------------------------------ writing and reading


def test_what_is_added_is_read_back(path):
    write(path)
    assert pairs_of(path) == PAIRS
    with Journal(path) as journal:
        assert journal.played == {pair.pair.key: pair for pair in PAIRS}


def test_a_pair_is_on_disk_as_soon_as_it_is_added(path):
    with Journal(path) as journal:
        for count, pair in enumerate(PAIRS, start=1):
            journal.add(pair)
            assert pairs_of(path) == PAIRS[:count]
            assert journal.played[pair.pair.key] == pair


def test_a_line_is_one_object_of_json_with_its_key(path):
    lines = write(path).splitlines()
    for line, pair in zip(lines, PAIRS, strict=True):
        data = json.loads(line)
        assert list(data) == ["key", "pair", "games"]
        assert data["key"] == pair.pair.key


def test_writing_goes_on_at_the_end(path):
    before = write(path, PAIRS[:1])
    assert write(path, PAIRS[1:]).startswith(before)
    assert pairs_of(path) == PAIRS


def test_folders_are_made(tmp_path):
    write(tmp_path / "some" / "new" / "games.jsonl")
    assert pairs_of(tmp_path / "some" / "new" / "games.jsonl") == PAIRS


def test_opening_alone_changes_nothing(path):
    before = write(path)
    with Journal(path):
        pass
    assert path.read_bytes() == before


@pytest.mark.parametrize("sign", [*"\u2028\x85\r\x0c\n\x00", "é", "☃", "🎲", '"'])
def test_any_sign_in_a_name_is_kept(path, sign):
    pair = pair_number(0)
    odd = PlayedPair(Pair(f"a{sign}b", (f"p{sign}", "q")), pair.games)
    write(path, [odd, pair])
    assert pairs_of(path) == [odd, pair]


def test_a_name_that_is_not_unicode_is_kept(path):
    """Linux has such file names, and a game's file is part of a pair."""
    pair = PlayedPair(Pair(os.fsdecode(b"/games/caf\xe9.py"), ("p", "q")), PAIRS[0].games)
    write(path, [pair, PAIRS[1]])
    assert pairs_of(path) == [pair, PAIRS[1]]


# ------------------------------------------------------------------ an unfinished last line


@settings(max_examples=60)
@given(some.data())
def test_a_file_cut_anywhere_loses_only_its_last_line(data):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "games.jsonl")
        whole = write(path)
        cut = data.draw(some.integers(0, len(whole)))
        path.write_bytes(whole[:cut])
        complete = whole[:cut].count(b"\n")
        with Journal(path) as journal:
            assert list(journal.played.values()) == PAIRS[:complete]
            for pair in PAIRS[complete:]:
                journal.add(pair)
        assert path.read_bytes() == whole


def test_an_unfinished_line_longer_than_what_is_read_at_once(path):
    whole = write(path, [pair_number(0), pair_number(1, moves=3000)])
    first = whole.splitlines(keepends=True)[0]
    assert len(whole) - len(first) > 3 * 65536
    path.write_bytes(whole[:-1])
    with Journal(path) as journal:
        assert list(journal.played.values()) == [pair_number(0)]
    assert path.read_bytes() == first


# ------------------------------------------------------------------ a writer that is killed

LONG = "-" * 2**21  # the longer the line, the likelier that a kill tears it

# Forks a writer for each path it is told, so that Python starts only once.
WRITER = """
import os, sys
from pathlib import Path
from matches.test_journal import LONG, pair_number
from plyground.matches.journal import Journal

for line in sys.stdin:
    child = os.fork()
    if child == 0:
        with Journal(Path(line.rstrip("\\n"))) as journal:
            while True:
                journal.add(pair_number(len(journal.played), reason=LONG))
    print(child, flush=True)
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), flush=True)
"""


@contextlib.contextmanager
def writers() -> Iterator[subprocess.Popen[str]]:
    tests = str(Path(__file__).parent.parent)
    paths = [tests, *[path for path in sys.path if path]]
    with subprocess.Popen(
        [sys.executable, "-c", WRITER],
        env=environment(PYTHONPATH=os.pathsep.join(paths)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        yield process
        assert process.stdin
        process.stdin.close()


def kill_a_writer(server: subprocess.Popen[str], path: Path, after: int) -> None:
    """Have somebody write to a file, and kill -9 as soon as so many bytes are seen there."""
    assert server.stdin and server.stdout
    size = path.stat().st_size if path.exists() else 0
    server.stdin.write(f"{path}\n")
    server.stdin.flush()
    pid = int(server.stdout.readline())
    # Without a pause: a moment's sleep, and the line would be complete.
    until(lambda: path.exists() and path.stat().st_size >= size + after, "writing", pause_s=0)
    os.kill(pid, 9)
    assert int(server.stdout.readline()) == -9


def test_whatever_moment_a_writer_is_killed_every_complete_line_survives(tmp_path):
    moments = random.Random(1)
    with writers() as server:
        for file in range(6):
            path, kept = tmp_path / f"{file}.jsonl", list[bytes]()
            for _ in range(5):
                kill_a_writer(server, path, moments.choice([1, moments.randrange(10 * len(LONG))]))
                complete = lines_of(path)
                assert complete[: len(kept)] == kept, "a line was lost or changed"
                with Journal(path) as journal:
                    assert [pair.pair.number for pair in journal.played.values()] == [
                        *range(len(complete))
                    ]
                assert path.read_bytes() == b"".join(complete), "more was cut than was torn"
                kept = complete
            expected = [pair_number(number, reason=LONG) for number in range(len(kept))]
            assert pairs_of(path) == expected


# ------------------------------------------------------------------ damage, and foreign files

LINE = json.dumps(PAIRS[0].as_data())


@pytest.mark.parametrize(
    "damage",
    [
        "garbage",
        "",
        "{}",
        "[]",
        "null",
        "1",
        '"text"',
        LINE[: len(LINE) // 2],
        LINE[len(LINE) // 2 :],
        LINE + LINE,
        LINE.replace('"games"', '"gamez"'),
        LINE.replace('"seed"', '"sead"'),
        LINE.replace('"points": 1.0', '"points": "x"'),
        LINE.replace('"points": 1.0', '"points": 7'),
        LINE.replace('"players": ["alphabeta:depth=4", ', '"players": ['),
        LINE.replace('"moves": [', '"moves": [1, '),
        LINE.replace('"points": 1.0', '"points": null'),
        LINE.replace('"seed": 0', f'"seed": {"[" * 700}{"]" * 700}', 1),
        "[" * 10**5,
        "\x00" * 50,
    ],
    ids=lambda damage: damage[:20].encode("unicode_escape").decode() + f"-{len(damage)}",
)
@pytest.mark.parametrize("tail", ["", '{"key":"tor'], ids=["whole", "torn"])
def test_a_damaged_line_is_reported_with_its_number_and_left_alone(path, damage, tail):
    first, second, third = write(path).decode().splitlines()
    path.write_text("\n".join([first, damage, second, third, tail]), encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(MalformedText, match=r"games\.jsonl, line 2: .*"):
        Journal(path)
    assert path.read_bytes() == before


def test_bytes_that_are_no_text_are_reported_with_their_line(path):
    first, second, third = write(path).splitlines(keepends=True)
    path.write_bytes(first + b"\xff\xfe\x00" + second + third)
    before = path.read_bytes()
    with pytest.raises(MalformedText, match="line 2"):
        Journal(path)
    assert path.read_bytes() == before


FOREIGN = {
    "text": b"Dear diary,\ntoday I played Othello.\n",
    "text without newline at its end": b"Dear diary,\ntoday I played Othello.",
    "one line without newline": b"Dear diary",
    "binary": bytes(range(256)),
    "binary with newline at its end": b"\x00\x01\x02\n",
    "zeros": bytes(1000),
    "json": b'{"name": "mine", "precious": true}\n',
    "json without newline": b'{"name": "mine", "precious": true}',
    "json on lines, without newline": b'{\n  "name": "mine",\n  "precious": true\n}',
    "lines of json, without newline": b'{"precious": 1}\n{"precious": 2}',
    "text in a brace": b"{precious}",
    "blank lines": b"\n\n",
    "a list": b"[]",
    "windows text": b"one\r\ntwo",
    "utf-16": "Dear diary\n".encode("utf-16"),
}


@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN.keys())
def test_a_file_of_something_else_is_refused_and_not_touched(path, content):
    path.write_bytes(content)
    with pytest.raises(InputError) as refusal:
        Journal(path)
    assert path.read_bytes() == content
    assert str(path) in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_an_empty_file_is_as_good_as_none(path):
    path.touch()
    write(path)
    assert pairs_of(path) == PAIRS


def test_a_refused_file_is_let_go(path):
    """Or the next one could not be opened, and Python would complain about an open file."""
    path.write_bytes(b"garbage\n")
    with pytest.raises(InputError):
        Journal(path)
    gc.collect()
    path.write_bytes(b"")
    write(path)
    assert pairs_of(path) == PAIRS


@settings(max_examples=60)
@given(some.binary(max_size=200) | some.text(max_size=100).map(lambda text: text.encode()))
def test_no_content_whatsoever_is_changed_unless_it_is_ours(content):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "games.jsonl")
        path.write_bytes(content)
        with contextlib.suppress(InputError), Journal(path) as journal:
            assert not journal.played
        is_ours = write(Path(folder, "ours")).startswith(content)  # a line that was just begun
        assert path.read_bytes() == (b"" if is_ours else content)


# ------------------------------------------------------------------ places that cannot be written


def test_a_second_writer_is_refused_as_long_as_the_first_writes(path):
    with Journal(path) as journal:
        journal.add(PAIRS[0])
        with pytest.raises(Unsupported, match="in use by another run"):
            Journal(path)
        journal.add(PAIRS[1])
    assert write(path, PAIRS[2:]).count(b"\n") == 3


def test_a_folder_is_not_a_file(tmp_path):
    with pytest.raises(Unsupported, match=f"cannot write to {tmp_path}: Is a directory"):
        Journal(tmp_path)


def test_a_file_is_not_a_folder(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(Unsupported, match=r"cannot write to .*file/games\.jsonl: "):
        Journal(tmp_path / "file" / "games.jsonl")


@contextlib.contextmanager
def as_nobody() -> Iterator[None]:
    """Without the rights of root, who may write anywhere."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_folder_without_write_permission_says_so():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o555)
        with as_nobody(), pytest.raises(Unsupported) as refusal:
            Journal(Path(folder, "games.jsonl"))
        os.chmod(folder, 0o755)
        assert str(refusal.value) == f"cannot write to {folder}/games.jsonl: Permission denied"
        assert os.listdir(folder) == []


# Some devices have no end, so memory has one.
OPEN = """
import resource, sys
from pathlib import Path
from plyground.core.errors import Unsupported
from plyground.matches.journal import Journal

resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
for name in sys.argv[1:]:
    try:
        Journal(Path(name))
    except Unsupported as error:
        print(error)
"""


def test_a_device_is_not_a_file_of_games():
    devices = ["/dev/null", "/dev/zero", "/dev/full"]
    done = subprocess.run(
        [sys.executable, "-c", OPEN, *devices],
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE_S,
    )
    lines = done.stdout.splitlines()
    assert [line.partition(": ")[0] for line in lines] == [f"cannot write to {d}" for d in devices]


def test_a_pipe_is_not_a_file_of_games(path):
    os.mkfifo(path)
    with pytest.raises(Unsupported, match=r"cannot write to .*: (?!None)"):
        Journal(path)


@pytest.mark.parametrize("value", [10**400, "long", None, [1], True])
def test_a_line_with_a_value_of_the_wrong_kind_is_refused(tmp_path, value):
    path = tmp_path / "games.jsonl"
    with Journal(path) as journal:
        journal.add(PAIRS[0])
    data = json.loads(path.read_text())
    data["games"][0]["moves"][-1]["nodes"] = value
    path.write_text(json.dumps(data) + "\n")
    with pytest.raises(MalformedText, match=r"games\.jsonl, line 1: not a played pair"):
        pairs_of(path)

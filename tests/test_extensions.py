"""What users add in a file of their own is found, refused, edited and sent as the documents say."""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asking import get, post
from command_line import environment, one_line, run, run_process
from dask_cluster import DaskCluster, dask_cluster
from user_games import HEAP_GAME, line_of, write_game
from web_server import web_server

import plyground as pg
from plyground import extensions
from plyground.core import naming
from plyground.core.errors import GameCodeError, PlygroundError, Unsupported
from plyground.core.settings import settings_file
from plyground.evaluation.catalogue import find_evaluator, suitable
from plyground.games.catalogue import code_digest_of, find_game, games, portable_name
from plyground.kernel import plain_python
from plyground.matches.plan import Plan
from plyground.players import declaring
from plyground.players.catalogue import find_kind, make_machine, player_kinds
from plyground.players.levels import levels_of
from plyground.players.spec import Forfeit, Turn
from plyground.search.catalogue import find_algorithm

OWN = '''
import plyground as pg
from plyground.core.scores import INFINITY
from plyground.games.rules import is_over, play, turn
from plyground.search.parts import (
    NO_MOVE, SEARCHED, expand, follow, keep_line, leaf, leave, stopped, visit,
)


@pg.evaluator(Heap, "remainder", default=True)
def remainder(state, weight=10):
    """Whether the heap can be divided by three."""
    return weight if state.left % 3 else -weight


@pg.algorithm("plain-search", call="plain")
def plain_search(state, evaluator, depth, parts):
    visit(parts, depth, -INFINITY, INFINITY)
    if depth == 0 or is_over(state):
        return leaf(state, evaluator, depth, parts)
    best = -INFINITY
    start, end = expand(state, evaluator, depth, NO_MOVE, parts)
    for i in range(start, end):
        move = follow(parts, i)
        child = play(state, move)
        value = turn(state, child) * plain_search(child, evaluator, depth - 1, parts)
        if stopped(parts):
            break
        if value > best:
            best = value
            keep_line(parts, depth, move)
    return leave(parts, depth, best, SEARCHED)


@pg.player("largest")
def largest(turn, less=0):
    """Takes as many as it may."""
    return turn.legal[max(0, len(turn.legal) - 1 - less)]


LEVELS = {"heap": {"beginner": "random", "master": "plain-search:depth=4"}}
'''

LOWEST = """
import plyground as pg
@pg.player("lowest")
def lowest(turn):
    return turn.legal[0]
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with a game, an evaluator, an algorithm, a player and levels."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    path = write_game(tmp_path / "own.py")
    path.write_text(path.read_text() + OWN)
    return path


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def edit(path: Path, old: str, new: str) -> None:
    """Another content, and a time of its own, however fast the clock."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    os.utime(path, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns + 10**9))


# ------------------------------------------------------------------ everywhere


def test_what_a_file_offers_is_found_by_name(own):
    pg.use(own)
    start = games()["heap"].initial()
    assert find_evaluator(None, start).name == "remainder"
    assert find_algorithm("plain_search").call == "plain"
    assert find_kind("largest").summary == "Takes as many as it may."
    assert [*levels_of(games()["heap"])][-2:] == ["beginner", "master"]
    assert {"largest", "plain-search", "beginner"} <= player_kinds().keys()


def test_nothing_of_it_is_there_before_it_is_named(own):
    assert "heap" not in games()
    with pytest.raises(Unsupported, match="unknown player 'largest'"):
        find_kind("largest")


def test_a_file_in_the_place_of_a_game_brings_all_that_is_in_it(own):
    search = ("search", own, "-a", "plain-search", "-d", "3", "--json")
    found = json.loads(run(*search).out)
    assert found["move"] == "1" and found["score"]["value"] == 10
    heavier = json.loads(run(*search, "-e", "remainder(weight=7)").out)
    assert heavier["score"]["value"] == 7


@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
def test_a_file_is_named_before_or_after_the_command(own, before):
    words = ("--with", own), ("algorithms", "--json")
    listed = json.loads(
        run(*(word for part in (words if before else words[::-1]) for word in part)).out
    )
    assert "plain-search" in [each["name"] for each in listed]


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("evaluators", "remainder"),
        ("algorithms", "plain-search"),
        ("players", "largest"),
        ("games", "heap"),
    ],
)
def test_every_list_has_it(own, command, name):
    assert name in run(command, "--with", own).out
    assert name not in run_process(command).out


def test_a_match_is_played_by_a_users_player_and_evaluator_on_two_processes(own, tmp_path):
    done = run(
        "match", "largest:less=1", "alphabeta:depth=2,eval=remainder",
        *("--game", own, "--games", "4", "-j", "2", "--no-store", "--json"),
        *("--out", tmp_path / "match.jsonl"),
    )  # fmt: skip
    found = json.loads(done.out)
    assert found["wins"] + found["draws"] + found["losses"] == 4
    assert not any(record["forfeits"] for record in found["records"])


def test_an_engine_speaks_of_it(own):
    typed = "genmove black\nquit\n"
    done = run_process(
        "engine", "--protocol", "gtp", "--game", own, "--player", "largest", typed=typed
    )
    assert done.out.split() == ["=", "2", "="]


def test_a_page_offers_it_and_takes_up_an_edit(own, tmp_path):
    with web_server(tmp_path, games=(str(own),)) as server:

        def listed(what: str) -> list[dict[str, Any]]:
            return get(f"{server.address}api/{what}").json()

        def legal(game: str) -> int:
            answer = post(f"{server.address}api/position", json={"game": game})
            assert answer.status_code == 200, answer.text
            return len(answer.json()["legal"])

        (heap,) = [game for game in listed("games") if game["name"] == "heap"]
        assert heap["evaluators"][0]["name"] == "remainder"
        assert [each["name"] for each in heap["levels"]][-2:] == ["beginner", "master"]
        assert "plain-search" in json.dumps(listed("algorithms"))
        assert "largest" in [each["name"] for each in listed("players")]
        assert legal("heap") == 2
        edit(own, "MOST = 2", "MOST = 3")
        assert legal("heap") == 3
        edit(own, "MOST = 3", "MOST = = 3")
        answer = post(f"{server.address}api/position", json={"game": "heap"})
        assert answer.status_code == 400
        first, second = answer.json()["error"].splitlines()
        assert first == f"{own}:{line_of(own, 'MOST = =')}: invalid syntax"
        assert second.strip() == "MOST = = 3"
        assert legal("othello") == 4
        assert "heap" in [game["name"] for game in listed("games")]
        edit(own, "MOST = = 3", "MOST = 1")
        assert legal("heap") == 1


# ------------------------------------------------------------------ once and for all


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    settings_file().parent.mkdir(parents=True)
    return settings_file()


def test_a_file_listed_in_the_settings_is_always_there(own, settings):
    settings.write_text(f'with = ["{own}"]\n')
    assert json.loads(run_process("show", "heap", "--json").out)["game"] == "heap"


def test_a_listed_file_that_fails_is_told_and_everything_else_goes_on(own, settings):
    edit(own, "MOST = 2", "MOST = 2 // 0")
    settings.write_text(f'with = ["{own}", "/no/such/file.py"]\n')
    done = run_process("show", "othello", "--json")
    assert done.status == 0 and json.loads(done.out)["game"] == "othello"
    assert f"left out {own}: {own}:{line_of(own, '2 // 0')}: ZeroDivisionError" in done.err
    assert "left out /no/such/file.py: no game file" in done.err


@pytest.mark.parametrize("text", ["with = 3", "without = []", "with = [", "with = [3]"])
def test_settings_that_make_no_sense_are_told_and_everything_else_goes_on(settings, text):
    settings.write_text(text)
    done = run_process("show", "othello", "--json")
    assert done.status == 0 and json.loads(done.out)["game"] == "othello"
    assert done.err.startswith(str(settings)) and "Traceback" not in done.err


def test_an_installed_package_is_always_there(own, monkeypatch):
    own.rename(own.with_name("own_package.py"))
    entry = importlib.metadata.EntryPoint("mine", "own_package", "plyground.extensions")
    found = importlib.metadata.EntryPoints([entry])
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda: found)
    monkeypatch.syspath_prepend(own.parent)
    assert "heap" in games()
    assert find_kind("largest").group == "yours"


# ------------------------------------------------------------------ refused


def refused_file(path: Path, text: str) -> str:
    write(path, text)
    done = run("games", "--with", path)
    assert "Traceback" not in done.err
    assert done.status in (1, 2) and len(done.err.splitlines()) <= 2
    return done.err


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("evaluator", '@pg.evaluator("othello", "stages")\ndef mine(state):\n    return 0\n'),
        ("algorithm", '@pg.algorithm("mtdf", call="plain")\ndef mine(s, e, d, p):\n    return 0\n'),
        ("algorithm", '@pg.algorithm("pvs", call="plain")\ndef mine(s, e, d, p):\n    return 0\n'),
        ("player", '@pg.player("expert")\ndef mine(turn):\n    return 0\n'),
        ("player", '@pg.player("mtdf")\ndef mine(turn):\n    return 0\n'),
    ],
)
def test_a_name_that_is_taken_is_refused_with_both_places(tmp_path, kind, text):
    path = tmp_path / "mine.py"
    message = refused_file(path, f"import plyground as pg\n\n{text}")
    assert f"{path}:3: there is another {kind} named " in message
    assert "in Plyground itself; give yours another name" in message


def test_two_files_with_one_name_are_both_named(own, tmp_path):
    other = write(tmp_path / "other.py", HEAP_GAME.replace("MOST = 2", "MOST = 3"))
    message = one_line(run("games", "--with", own, "--with", other))
    assert (
        f"{other}:{line_of(other, 'name=')}: there is another game named heap, at {own}:" in message
    )


def test_one_file_in_two_places_is_no_clash(tmp_path):
    for name in ("one.py", "two.py"):
        pg.use(write(tmp_path / name, HEAP_GAME))
    assert "heap" in games()


ZERO = "    return 0\n"
JUDGE, PLAYER = "@pg.evaluator('othello')\n", "@pg.player()\n"
CLASS = f"{JUDGE}class A(NamedTuple):\n"
GRID = "@pg.experiment('q', depth=[1, {}])\ndef a({}):\n    return {{}}\n"
UNUSABLE = {
    "x = = 1\n": (1, "mine.py:1: invalid syntax\n    x = = 1"),
    "import no_such_thing\n": (1, "mine.py:1: ModuleNotFoundError"),
    "ALGORITHMS = 3\n": (2, "mine.py defines no algorithm; expected a line ALGORITHMS ="),
    "FORMATS = ['x']\n": (2, "mine.py defines no format; expected a line FORMAT ="),
    "LEVELS = {'othello': 3}\n": (2, "mine.py: expected LEVELS = {GAME: {LEVEL: PLAYER}}"),
    f"@pg.algorithm()\ndef a(state):\n{ZERO}": (
        1,
        "a takes other arguments; "
        "call='window' gives it state, evaluator, depth, alpha, beta, parts",
    ),
    f"@pg.algorithm(call='windw')\ndef a(state):\n{ZERO}": (
        1,
        "unknown call 'windw'; did you mean window?",
    ),
    f"{JUDGE}def a():\n{ZERO}": (1, "a(): an evaluator takes a state, and weights"),
    f"{JUDGE}def a(state, w=1.5):\n{ZERO}": (1, "weights with whole numbers as defaults"),
    f"{JUDGE}class A:\n    pass\n": (1, "A: an evaluator is a NamedTuple with one weight"),
    f"{CLASS}    w: int = 1\n": (1, "A: an evaluator has a method evaluate"),
    f"{CLASS}    w: int\n    def evaluate(self, state):\n    {ZERO}": (
        1,
        "every weight of an evaluator has a default",
    ),
    f"{JUDGE.replace('llo', 'lo')}def a(state):\n{ZERO}": (
        1,
        "mine.py:3: unknown game 'othelo'; did you mean othello?\n    @pg.evaluator",
    ),
    f"{PLAYER}def a():\n{ZERO}": (1, "a(): a player takes a turn"),
    f"{PLAYER}class A:\n    pass\n": (1, "a subclass of pg.Player with a method choose"),
    f"{PLAYER}def a(turn, x=None):\n{ZERO}": (1, "x: an option of a player has a number"),
    GRID.format(2, "deep"): (1, "its parameters are those of the grid; see deep, depth"),
    GRID.format("'x'", "depth"): (1, "depth: expected some numbers, or some texts"),
}


@pytest.mark.parametrize(("text", "expected"), UNUSABLE.items())
def test_a_file_that_cannot_be_used_is_refused_in_two_lines(tmp_path, text, expected):
    status, message = expected
    head = "" if "pg." not in text else "from typing import NamedTuple\nimport plyground as pg\n"
    said = refused_file(tmp_path / "mine.py", head + text)
    assert message in said
    assert run("games", "--with", tmp_path / "mine.py").status == status


def test_an_evaluator_of_another_game_is_refused_with_those_that_fit(own):
    message = one_line(run("search", "othello", "-d", "2", "-e", "remainder", "--with", own))
    assert message.startswith("evaluator remainder judges another game; for this one: ")


def test_a_file_with_several_games_asks_which(own, tmp_path):
    edit(own, "GAME = GameSpec(", "ONE = GameSpec(")
    two = "from dataclasses import replace\nGAMES = [ONE, replace(ONE, name='pile')]\n"
    own.write_text(own.read_text() + two)
    assert "own.py holds several games: heap, pile; name one of them" in one_line(run("show", own))
    assert json.loads(run("show", "pile", "--with", own, "--json").out)["game"] == "pile"


def test_a_file_without_a_game_is_no_game_but_brings_the_rest(tmp_path):
    path = write(
        tmp_path / "mine.py",
        LOWEST,
    )
    assert "mine.py defines no game" in one_line(run("show", path))
    made = make_machine("lowest", find_game("othello"), find_game("othello").initial())
    assert made.choose(Turn(pg.Position("othello"))).move == pg.Position("othello").legal_codes[0]


def test_code_that_only_a_file_names_is_not_run(own):
    naming.forget_all()
    with pytest.raises(extensions.NotNamed, match=f"name it yourself: --with {own}"):
        extensions.load(str(own))


# ------------------------------------------------------------------ players that misbehave


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("return 99", "99 is not a legal move"),
        ("return 'x9'", "is not a legal move"),
        ("return None", "answered None; expected a move, as a number or a text"),
        ("return 1 // 0", "mine.py:4: ZeroDivisionError"),
        ("raise ValueError('lost my way')", "mine.py:4: ValueError: lost my way"),
        ("while True: pass", "gave no answer within 0.2 s"),
    ],
)
def test_a_player_that_misbehaves_loses_that_game_and_the_rest_goes_on(
    tmp_path, monkeypatch, body, reason
):
    monkeypatch.setattr(declaring, "MOVE_S", 0.2)
    pg.use(write(tmp_path / "heap.py", HEAP_GAME))
    head = "import plyground as pg\n@pg.player()\ndef mine(turn):\n"
    pg.use(write(tmp_path / "mine.py", f"{head}    {body}\n"))
    found = pg.match("mine", "first", game="heap", games=2)
    assert (found.wins, found.losses) == (0, 2)
    for game in found.games:
        assert reason in game.record.reason
        assert game.record.ended in ("forfeit", "illegal move")


def test_options_of_a_users_player_are_read_and_refused_like_others(own):
    pg.use(own)
    start = pg.Position("heap")

    def choose(text: str) -> int:
        return make_machine(text, start.game, start.start).choose(Turn(start)).move

    assert [choose(text) for text in ("largest", "largest:less=1", "largest(less=-0)")] == [2, 1, 2]
    with pytest.raises(PlygroundError, match=r"largest: less '1\.5': expected a whole number"):
        choose("largest:less=1.5")
    with pytest.raises(Unsupported, match="unknown option of largest 'lss'; did you mean less"):
        choose("largest:lss=1")


NOT_FOR_A_COMPILER = """
import plyground as pg
from plyground.kernel import kernel

@kernel
def last(moves):
    return max(moves, key=repr)

@pg.player("last")
def last_move(turn):
    return last(turn.legal)
"""


def test_a_users_player_is_asked_in_plain_python_where_its_owner_is(tmp_path):
    path = tmp_path / "last.py"
    path.write_text(NOT_FOR_A_COMPILER)
    pg.use(path)
    with plain_python():
        found = pg.match("last", "first", game="tictactoe", games=2)
    assert [each.record.ended for each in found.games] == ["over", "over"]


def test_a_player_may_be_a_class_with_fields(tmp_path):
    text = (
        "from dataclasses import dataclass\nimport plyground as pg\n"
        "@pg.player('fixed')\n@dataclass\nclass Fixed(pg.Player):\n"
        "    place: int = 0\n    is_text: bool = False\n"
        "    def choose(self, turn):\n"
        "        move = turn.legal[self.place]\n"
        "        return turn.position.write_move(move) if self.is_text else pg.Choice(move)\n"
    )
    pg.use(write(tmp_path / "mine.py", text))
    turn = Turn(pg.Position("connect4"))
    for option in ("place=3", "place=3,is_text=yes"):
        made = make_machine(f"fixed:{option}", turn.game, turn.state)
        assert made.choose(turn).move == turn.legal[3]
    with pytest.raises(Forfeit, match="IndexError"):
        make_machine("fixed:place=30", turn.game, turn.state).choose(turn)


# ------------------------------------------------------------------ edited files


def test_an_edited_file_is_taken_up_at_the_next_use_with_a_line(own, capsys):
    position = pg.Position(str(own))
    assert position.search("plain-search", depth=2).score.value == 10
    edit(own, "weight=10", "weight=12")
    assert position.search("plain-search", depth=2).score.value == 12
    assert "own.py has changed and was read again" in capsys.readouterr().err


def test_rules_that_were_edited_hold_for_a_position_that_was_there_before(own):
    position = pg.Position(str(own), "1 2")
    edit(own, "MOST = 2", "MOST = 3")
    assert position.search("plain-search", depth=3).position.legal == ("1", "2", "3")
    assert pg.Position("heap", "1 2") == position.search("plain-search", depth=3).position


def test_a_file_that_was_broken_by_an_edit_says_so_at_each_use_until_it_is_mended(own):
    position = pg.Position(str(own))
    edit(own, "MOST = 2", "MOST = 2 //")
    for _ in range(2):
        with pytest.raises(GameCodeError, match="MOST = 2 //"):
            position.search("plain-search", depth=2)
    assert "heap" in pg.games and pg.Position("othello").search("alphabeta", depth=1).move
    edit(own, "MOST = 2 //", "MOST = 2")
    assert position.search("plain-search", depth=2).move == "1"


def test_an_edit_of_a_file_beside_it_counts_too(tmp_path):
    naming.name_code(
        str(write_game(tmp_path / "own.py", ("MOST = 2", "from beside_own import MOST")))
    )
    write(tmp_path / "beside_own.py", "MOST = 2\n")
    assert len(pg.Position(str(tmp_path / "own.py")).legal) == 2
    edit(tmp_path / "beside_own.py", "2", "3")
    assert len(pg.Position(str(tmp_path / "own.py")).legal) == 3


@pytest.mark.parametrize("order", [("own.py", "judge.py"), ("judge.py", "own.py")])
def test_an_evaluator_beside_a_game_judges_the_same_game(tmp_path, order):
    write_game(tmp_path / "own.py")
    write(
        tmp_path / "judge.py",
        "import plyground as pg\nfrom own import Heap\n"
        "@pg.evaluator(Heap, 'left')\ndef left(state):\n    return state.left\n",
    )
    for name in order:
        pg.use(tmp_path / name)
    start = find_game("heap").initial()
    assert "left" in [spec.name for spec in suitable(start)]
    edit(tmp_path / "own.py", "MOST = 2", "MOST = 3")
    assert pg.Position("heap").explain("left").value == 10
    assert len(pg.Position("heap").legal) == 3


# ------------------------------------------------------------------ what played it


def played_code(own: Path, player: str) -> tuple[str, str]:
    """The tag of a game that was played, and the digest that makes its pair another pair."""
    found = pg.match(player, "random", game="heap", games=2, seed=1)
    (pair,) = Plan("heap", pairs=1).pairs_of((player, "random"))
    return found.games[0].record.tags.get("code", ""), pair.code


def test_records_and_pairs_carry_the_file_and_its_digest(own, tmp_path):
    extension = pg.use(own)
    tag, code = played_code(own, "largest")
    assert tag == f"own.py {extension.digest}" and code == extension.digest
    edit(own, "less=0", "less=1")
    assert played_code(own, "largest") != (tag, code)


def test_a_players_own_file_counts_beside_the_games(own, tmp_path):
    pg.use(own)
    alone = played_code(own, "largest")
    other = write(
        tmp_path / "more.py",
        LOWEST,
    )
    pg.use(other)
    tag, code = played_code(own, "lowest")
    assert [part.split()[0] for part in tag.split(", ")] == ["more.py", "own.py"]
    assert code != alone[1]
    assert played_code(own, "largest") == alone


def test_games_of_built_in_code_carry_nothing():
    found = pg.match("first", "random", game="tictactoe", games=2)
    assert found.games[0].record.tags == {}


# ------------------------------------------------------------------ other processes


@pytest.fixture(scope="module")
def cluster() -> Iterator[DaskCluster]:
    with dask_cluster(workers=1) as running:
        yield running


def test_a_dask_worker_gets_the_content_of_files_not_their_paths(
    own, cluster, tmp_path, monkeypatch
):
    """The files are gone before the worker is asked: it can have them from us alone."""
    edit(own, "MOST = 2", "from beside_cluster import MOST")
    beside = write(tmp_path / "beside_cluster.py", "MOST = 2\n")
    pg.use(own)
    here = pg.match("largest", "plain-search:depth=3", game="heap", games=4, seed=5)
    own.unlink()
    beside.unlink()
    monkeypatch.setattr(extensions, "_is_edited", lambda each: False)
    there = pg.match(
        "largest", "plain-search:depth=3", game="heap", games=4, seed=5, cluster=cluster.address
    )
    moves = [[move.move for move in game.record.moves] for game in here.games]
    assert [[move.move for move in game.record.moves] for game in there.games] == moves


UNPACKING = """
import pickle, sys
from plyground import extensions
from plyground.players.catalogue import player_kinds
extensions.unpack(pickle.load(open(sys.argv[1], "rb")))
print("largest" in player_kinds(), [each.place for each in extensions.extensions()])
"""


def test_a_worker_has_what_was_sent_and_not_what_its_own_settings_list(own, settings, tmp_path):
    import pickle

    pg.use(own)
    (tmp_path / "parcel").write_bytes(pickle.dumps(extensions.packed()))
    settings.write_text(f'with = ["{write(tmp_path / "theirs.py", "1 / 0")}"]\n')
    done = subprocess.run(
        [sys.executable, "-c", UNPACKING, str(tmp_path / "parcel")],
        env=environment(), capture_output=True, encoding="utf-8", timeout=120,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == (f"True ['{own}']\n", "")


def test_a_parcel_that_was_damaged_on_its_way_is_refused(own):
    pg.use(own)
    content, digest = extensions.packed()
    with pytest.raises(Unsupported, match="arrived damaged"):
        extensions.unpack((content[:-1] + b"x", digest))


def test_what_a_script_declares_reaches_its_workers(tmp_path):
    script = write(
        tmp_path / "script.py",
        "import plyground as pg\n"
        "@pg.compilable\ndef twice(x):\n    return 2 * x\n"
        "@pg.evaluator('tictactoe', 'even')\ndef even(state, unit=3):\n    return twice(unit)\n"
        "@pg.player('last')\ndef last(turn):\n    return turn.legal[-1]\n"
        "m = pg.match('last', 'alphabeta:depth=1,eval=even', game='tictactoe', games=4, jobs=2)\n"
        "print(m.wins + m.draws + m.losses, [g.record.ended for g in m.games])\n",
    )
    done = subprocess.run(
        [sys.executable, script],
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.stdout == "4 ['over', 'over', 'over', 'over']\n", done.stderr


# ------------------------------------------------------------------ declared twice, or elsewhere


def test_a_name_twice_in_one_file_is_refused_with_its_line(tmp_path):
    text = LOWEST + LOWEST.replace("import plyground as pg\n", "")
    message = refused_file(tmp_path / "mine.py", text)
    assert f"{tmp_path / 'mine.py'}:{text.rstrip().count(chr(10)) - 1}: a second player lowest" in (
        message
    )


def test_a_module_that_a_program_imports_by_itself_is_an_extension_too(tmp_path):
    write(tmp_path / "my_players.py", LOWEST)
    script = write(
        tmp_path / "script.py",
        "import importlib, my_players\nimport plyground as pg\n"
        "importlib.reload(my_players)\n"
        "m = pg.match('lowest', 'first', game='tictactoe', games=4, jobs=2)\n"
        "print(m.wins + m.losses + m.draws, m.games[0].record.tags['code'].split()[0])\n",
    )
    done = subprocess.run(
        [sys.executable, script],
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )
    assert done.stdout == "4 my_players\n", done.stderr


def test_what_a_file_beside_it_declares_is_offered_too(tmp_path):
    write(tmp_path / "beside_players.py", LOWEST)
    path = write_game(tmp_path / "own.py", ("MOST = 2", "import beside_players\nMOST = 2"))
    pg.use(path)
    assert find_kind("lowest").group == "yours"
    edit(tmp_path / "beside_players.py", "lowest", "deepest")
    assert "deepest" in pg.players and "lowest" not in pg.players


def test_what_a_file_beside_it_lists_is_offered_too(tmp_path):
    write_game(tmp_path / "own.py")
    judge = write(
        tmp_path / "judge.py",
        "import plyground as pg\nfrom own import Heap\n"
        "@pg.evaluator(Heap, 'left')\ndef left(state, weight=1):\n"
        "    return weight * (1 if state.left % 3 else -1)\n",
    )
    assert run("show", judge, "--json").out == run("show", tmp_path / "own.py", "--json").out
    (left,) = json.loads(run("evaluators", "left", "--with", judge, "--json").out)
    assert left["games"] == ["heap"]
    assert [line.partition(":")[0] for line in pg.check(judge, games=2)] == [
        "heap",
        "evaluator left",
    ]


def test_an_extension_owns_what_is_its_own_whoever_was_named_first(tmp_path):
    write_game(tmp_path / "own.py")
    judge = write(tmp_path / "judge.py", f"import own\n{LOWEST}")
    for name in (judge, tmp_path / "own.py"):
        pg.use(name)
    assert portable_name(find_game("heap")) == str(tmp_path / "own.py")
    assert code_digest_of(find_game("heap")) == extensions.load(str(tmp_path / "own.py")).digest


def test_names_of_ours_in_a_file_beside_it_may_mean_anything(tmp_path):
    write(tmp_path / "constants.py", "LEVELS = 5\nGAMES = ['chess']\nFORMATS = 'one'\n")
    path = write_game(tmp_path / "own.py", ("MOST = 2", "import constants\nMOST = 2"))
    assert pg.Position(str(path)).game.name == "heap"
    assert pg.check(path, games=2)


def test_an_error_in_a_file_beside_it_is_placed_there(tmp_path):
    write(tmp_path / "broken_beside.py", "ONE = 1\nTWO = ONE / 0\n")
    message = refused_file(tmp_path / "mine.py", "import broken_beside\n")
    assert f"{tmp_path / 'broken_beside.py'}:2: ZeroDivisionError" in message


def test_a_file_that_is_named_and_imported_by_another_is_no_clash(tmp_path):
    beside = write(tmp_path / "beside_players.py", LOWEST)
    path = write_game(tmp_path / "own.py", ("MOST = 2", "import beside_players\nMOST = 2"))
    for each in (beside, path):
        pg.use(each)
    assert find_kind("lowest").group == "yours"

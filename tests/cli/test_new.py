"""`plyground new`: files that work as they are, with names with which they can."""

from __future__ import annotations

import subprocess
import sys

import pytest
from command_line import environment, one_line, run

import plyground as pg
from plyground.cli.new import KINDS
from plyground.kernel import plain_python

OFFERED = {
    "game": "my-game: ",
    "evaluator": "evaluator my-evaluator: ",
    "algorithm": "algorithm my-algorithm: the value of minimax in all of 96 searches of mnk, ",
    "player": "player my-player: 6 games against random moves, all legal, and repeatable",
    "experiment": "experiment my-experiment: 24 cells, 9 with --quick",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_file_keeps_its_contract(kind, tmp_path):
    result = run("new", kind, f"my-{kind}", "--to", tmp_path)
    path, test = tmp_path / f"my_{kind}.py", tmp_path / f"test_my_{kind}.py"
    assert result.out == (f"wrote {path} and {test}; check it with:\n  plyground check {path}\n")
    assert (result.status, result.err) == (0, "")
    assert {*tmp_path.glob("*.py")} == {path, test}
    with plain_python():  # its own test, below, compiles
        [line] = pg.check(path, games=2)
    assert line.startswith(OFFERED[kind])


def test_the_tests_beside_new_files_pass_in_a_process_of_their_own(tmp_path):
    for kind in KINDS:
        assert run("new", kind, f"my-{kind}", "--to", tmp_path).status == 0
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "."],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(KINDS)} passed" in done.stdout


@pytest.mark.parametrize("name", ["two-heaps-2", "two_heaps_2", "two-heaps_2"])
def test_hyphens_and_underscores_make_the_same_file(name, tmp_path):
    assert run("new", "game", name, "--to", tmp_path).status == 0
    path = tmp_path / "two_heaps_2.py"
    text = path.read_text(encoding="utf-8")
    assert "class TwoHeaps2(NamedTuple):" in text
    assert text.startswith('"""Two heaps 2: take one to three')
    start = pg.Position(str(path))
    assert (start.game.name, start.game.title) == ("two-heaps-2", "Two heaps 2")
    assert type(start.state).__name__ == "TwoHeaps2"


@pytest.mark.usefixtures("plain")
def test_a_function_has_the_name_with_underscores(tmp_path):
    assert run("new", "player", "very-lazy", "--to", tmp_path).status == 0
    text = (tmp_path / "very_lazy.py").read_text(encoding="utf-8")
    assert '@pg.player("very-lazy")\ndef very_lazy(turn, epsilon=0.1):' in text
    assert "plyground play connect4 --second very-lazy --with very_lazy.py" in text
    given = ("--game", "tictactoe", "--games", "2", "--with", tmp_path / "very_lazy.py")
    assert run("match", "very-lazy", "first", *given).status == 0
    assert not [word for word in ("NAME", "FUNCTION", "CLASS", "TITLE") if word in text]


@pytest.mark.parametrize("there", ["mine.py", "test_mine.py"])
def test_nothing_is_overwritten_and_nothing_half_written(there, tmp_path):
    (tmp_path / there).write_text("precious")
    message = one_line(run("new", "game", "mine", "--to", tmp_path))
    assert message == f"{tmp_path / there} exists already; give another name"
    assert [path.name for path in tmp_path.glob("*.py")] == [there]
    assert (tmp_path / there).read_text() == "precious"


@pytest.mark.parametrize(
    ("kind", "name", "message"),
    [
        ("gaem", "mine", "unknown kind 'gaem'; did you mean game?"),
        ("format", "mine", "unknown kind 'format'; "),
        ("game", "Mine", "name 'Mine': expected small letters, digits and hyphens, as in my-game"),
        ("player", "2nd", "name '2nd': expected small letters, digits and hyphens"),
        ("player", "a--b", "name 'a--b': expected small letters, digits and hyphens"),
        ("player", "../a", "name '../a': expected small letters, digits and hyphens"),
        ("player", "é", "name 'é': expected small letters, digits and hyphens"),
        ("player", "class", "name 'class' has a meaning in Python or in the file; give another"),
        ("player", "random", "name 'random' has a meaning in Python or in the file"),
        ("player", "plyground", "name 'plyground' has a meaning in Python or in the file"),
        ("player", "turn", "name 'turn' has a meaning in Python or in the file"),
        ("algorithm", "play", "name 'play' has a meaning in Python or in the file"),
        ("algorithm", "max", "name 'max' has a meaning in Python or in the file"),
        ("game", "game-spec", "name 'game-spec' has a meaning in Python or in the file"),
        ("game", "othello", "there is another game named othello; give yours another name"),
        ("game", "tictactoe", "there is another game named tictactoe; give yours another name"),
        ("evaluator", "stages", "there is another evaluator named stages; give yours another name"),
        ("algorithm", "pvs", "there is another algorithm named pvs; give yours another name"),
        ("player", "expert", "there is another player named expert; give yours another name"),
        ("experiment", "family", "there is another experiment named family; give yours another"),
    ],
)
def test_a_name_or_kind_that_will_not_do_is_refused(kind, name, message, tmp_path):
    assert message in one_line(run("new", kind, name, "--to", tmp_path))
    assert not [*tmp_path.glob("*.py")]


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    message = one_line(run("new", "game", "mine", "--to", tmp_path / "no"))
    assert message == f"cannot write {tmp_path / 'no' / 'mine.py'}: No such file or directory"

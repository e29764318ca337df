"""A mistake in the code of a user's game: one line that says what is wrong and where."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Result, run, run_process
from user_games import line_of, write_game

from plyground.core.errors import GameCodeError, IllegalMove, Unsupported
from plyground.evaluation.catalogue import find_evaluator
from plyground.games.catalogue import find_game, games
from plyground.kernel import plain_python
from plyground.search.catalogue import find_algorithm
from plyground.search.run import search
from plyground.search.setup import Limits, Setup

PLAY = "return Heap(self.left - move, 1 - self.side)"
OVER = "return self.left == 0"
NOT_TRIED_FIRST = "self.left == 1 and move == 1"  # a full count gets here, a first look does not


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a test writes its game, with an empty cache beside it."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    return tmp_path / "heap.py"


def error_of(done: Result) -> str:
    """What a failed command says, after checking that it says it briefly."""
    assert done.status == 1, done.err
    assert "Traceback" not in done.err
    lines = [line for line in done.err.splitlines() if not line.startswith("compiling ")]
    assert 1 <= len(lines) <= 2, done.err
    return " ".join(lines)


def assert_blamed(done: Result, path: Path, culprit: str) -> str:
    """The error, which must name the file and the line of the culprit."""
    message = error_of(done)
    assert f"{path}:{line_of(path, culprit)}: " in message
    return message


# ------------------------------------------------------------------ a file that cannot be loaded


def test_a_syntax_error_is_reported_with_its_place(path):
    write_game(path, ("def is_over(self):", "def is_over(self)"))
    assert "expected ':'" in assert_blamed(run("show", path), path, "def is_over")


def test_an_exception_at_import_is_reported_with_its_place(path):
    write_game(path, ("MOST = 2", "MOST = 2 // 0"))
    assert "ZeroDivisionError" in assert_blamed(run("show", path), path, "MOST = 2 // 0")


def test_a_missing_module_is_reported_where_it_is_imported(path):
    write_game(path, ("MOST = 2", "from no_such_module import MOST"))
    assert "no_such_module" in assert_blamed(run("show", path), path, "no_such_module")


def test_a_misspelt_field_of_the_spec_is_reported_with_its_place(path):
    write_game(path, ("max_moves=5", "most_moves=5"))
    assert "most_moves" in assert_blamed(run("show", path), path, "GAME = GameSpec(")


@pytest.mark.parametrize("line", ["GAMES = GameSpec(", "GAME = dict("])
def test_a_file_without_a_game_says_what_was_expected(path, line):
    write_game(path, ("GAME = GameSpec(", line))
    done = run("show", path)
    assert done.status == 2
    assert "heap.py defines no game; expected a line GAME = GameSpec(...)" in done.err
    assert "Traceback" not in done.err


# ------------------------------------------------------------------ code that cannot be compiled


def test_an_unknown_attribute_in_a_branch_never_run_is_found_by_the_compiler(path):
    bad = "return Heap(self.lost, 0)"
    write_game(path, (PLAY, f"if self.left > 99:\n            {bad}\n        {PLAY}"))
    message = assert_blamed(run_process("perft", path, "-d", "3"), path, bad)
    assert "cannot be compiled" in message
    assert "lost" in message


def test_a_helper_that_was_not_declared_compilable_is_reported_where_it_is_called(path):
    """The likeliest mistake of all: plain Python runs it, machine code cannot."""
    helper = "def is_empty(heap):\n    return heap == 0\n\n\nclass Heap(NamedTuple):"
    write_game(path, ("class Heap(NamedTuple):", helper), (OVER, "return is_empty(self.left)"))
    message = assert_blamed(run_process("perft", path, "-d", "3"), path, "return is_empty")
    assert "is_empty" in message


def test_an_undefined_name_is_named_with_the_file_that_uses_it(path):
    """In a branch that plain Python never tries; the compiler gives the name but no line."""
    write_game(path, (OVER, "return self.left == 0 or self.left > 99 and nonsense"))
    message = error_of(run_process("perft", path, "-d", "3"))
    assert "nonsense" in message
    assert str(path) in message


def test_an_import_inside_a_rule_is_reported_with_its_place(path):
    """Numba has an error of its own kind for what it cannot even read."""
    bad = "import math"
    write_game(path, (PLAY, f"{bad}\n        {PLAY}"))
    message = assert_blamed(run_process("perft", path, "-d", "3"), path, bad)
    assert "imports stand at the top of the file" in message


# ------------------------------------------------------------------ code that fails when it runs


def test_a_raise_in_compiled_code_is_reported_with_its_place(path):
    bad = f"if {NOT_TRIED_FIRST}:\n            raise ValueError('one is not enough')\n        "
    write_game(path, (PLAY, bad + PLAY))
    done = run_process("perft", path, "-d", "11")
    assert "compiling perft" in done.err  # so it was machine code that raised
    message = assert_blamed(done, path, "raise ValueError")
    assert "ValueError: one is not enough" in message


def test_a_division_by_zero_in_compiled_code_is_reported_with_its_place(path):
    bad = f"nothing = 1 // (0 if {NOT_TRIED_FIRST} else 1)\n        "
    write_game(path, (PLAY, bad + PLAY))
    done = run_process("perft", path, "-d", "11")
    assert "compiling perft" in done.err
    assert "ZeroDivisionError" in assert_blamed(done, path, "nothing = 1 //")


def test_an_exception_in_a_rule_is_found_before_anything_is_compiled(path):
    write_game(path, (PLAY, "return Heap(self.lost - move, 1 - self.side)"))
    done = run_process("perft", path, "-d", "3")
    assert "lost" in assert_blamed(done, path, "self.lost")
    assert "compiling" not in done.err


def test_an_exception_in_a_board_is_reported_with_its_place(path):
    write_game(path, ("max_moves=5,", "max_moves=5,\n    board=lambda state: no_board,"))
    assert "NameError" in assert_blamed(run("show", path), path, "no_board")


def test_an_exception_in_a_move_formatter_is_reported_with_its_place(path):
    write_game(path, ("max_moves=5,", "max_moves=5,\n    write_move=lambda state, move: [][move],"))
    assert "IndexError" in assert_blamed(run("show", path), path, "[][move]")


def test_a_place_is_not_broken_into_lines_however_long_its_path(tmp_path):
    path = tmp_path / "a-folder-with-quite-a-long-name" / ("and-another-one" * 5) / "heap.py"
    write_game(path, ("MOST = 2", "MOST = 2 // 0"))
    assert_blamed(run("show", path), path, "MOST = 2 // 0")


# ------------------------------------------------------------------ broken promises


def test_more_moves_than_announced_never_reach_compiled_code(path):
    write_game(path, ("max_moves=5", "max_moves=1"))
    done = run_process("perft", path, "-d", "3")
    assert "heap: a position has more legal moves than max_moves=1" in error_of(done)
    assert "compiling" not in done.err


def test_more_moves_than_announced_never_reach_compiled_code_of_warm_either(path):
    write_game(path, ("max_moves=5", "max_moves=1"))
    done = run("warm", path)
    assert "heap: a position has more legal moves than max_moves=1" in error_of(done)


def test_a_position_without_moves_that_is_not_over_is_named(path):
    write_game(path, (OVER, "return self.left < 0"))
    assert "heap: the position '0 " in error_of(run_process("perft", path, "-d", "3"))


@pytest.mark.parametrize("rule", ["legal_moves", "play", "is_over"])
def test_a_rule_that_was_forgotten_is_named(path, rule):
    write_game(path, (f"def {rule}(self", f"def forgot_{rule}(self"))
    message = error_of(run("show", path))
    assert "Heap" in message or "heap" in message
    assert rule in message


def test_a_forgotten_outcome_is_named_when_the_game_is_over(path):
    write_game(path, ("def outcome(self", "def forgot_outcome(self"))
    assert "outcome" in error_of(run("play", path, "--first", "random", "--seed", "1"))


def test_a_side_that_is_neither_0_nor_1_is_a_broken_promise(path):
    write_game(path, (PLAY, "return Heap(self.left - move, 2 + self.side)"))
    assert "side" in error_of(run("show", path, "--moves", "1"))


def test_a_start_that_does_not_take_the_parameters_is_blamed_on_the_game(path):
    write_game(path, ("lambda: Heap(10, 0)", "lambda size: Heap(size, 0)"))
    message = error_of(run("show", path))
    assert "heap" in message
    assert "size" in message


def test_check_says_which_promise_a_game_breaks(path):
    descending = "for take in range(min(MOST, self.left), 0, -1):"
    write_game(path, ("for take in range(1, min(MOST, self.left) + 1):", descending))
    message = error_of(run("check", path, "--games", "1"))
    assert "lists its moves as [2, 1]; expected ascending" in message


# ------------------------------------------------------------------ more moves than announced

MANY_LATE = (  # forty more moves at once, but only where a first look does not come
    "        return start\n\n    def play",
    "        if self.left == 7 and self.side == 1:\n"
    "            for extra in range(40):\n"
    "                moves[start] = 1\n"
    "                start += 1\n"
    "        return start\n\n    def play",
)


@pytest.mark.parametrize(
    "command",
    [
        ("perft", "--depth", "9"),
        ("perft", "--depth", "9", "--hash", "1MB"),
        ("search", "--depth", "9", "--algorithm", "alphabeta", "--evaluator", "zero"),
        ("search", "--depth", "9", "--algorithm", "mtdf", "--evaluator", "zero"),
        ("search", "--depth", "9", "--algorithm", "sss", "--evaluator", "zero"),
        ("search", "--algorithm", "uct"),
    ],
    ids=" ".join,
)
def test_more_moves_than_announced_are_noticed_in_compiled_code(path, command):
    write_game(path, MANY_LATE, ("max_moves=5", "max_moves=2"))
    name, *options = command
    message = error_of(run(name, path, *options))
    assert f"{path}:{line_of(path, 'class Heap')}: Heap: a position has more legal" in message


def test_more_moves_than_announced_are_noticed_in_plain_python(path):
    game = find_game(str(write_game(path, MANY_LATE, ("max_moves=5", "max_moves=2"))))
    state = type(game.initial())(7, 1)
    with pytest.raises(GameCodeError, match=r"42 legal moves, more than max_moves=2") as caught:
        game.legal(state)
    assert (caught.value.path, caught.value.line) == (str(path), line_of(path, "def legal_moves"))
    setup = Setup(find_algorithm("alphabeta"), find_evaluator(None, state).make())
    with plain_python(), pytest.raises(GameCodeError, match="more legal moves than max_moves"):
        search(game, game.initial(), setup, Limits(depth=5))


def test_an_illegal_move_is_refused_by_the_public_way_of_playing(path):
    game = find_game(str(write_game(path)))
    start = game.initial()
    assert game.play(start, 2) == (8, 1)
    for move in (0, 3, -1, 10**6):
        with pytest.raises(IllegalMove, match=rf"^{move} is illegal: .* \(legal: 1, 2\)$"):
            game.play(start, move)
    with pytest.raises(IllegalMove, match="the game is over"):
        game.play(type(start)(0, 0), 1)


@pytest.mark.parametrize("name", games())
def test_every_game_refuses_any_number_that_is_no_legal_move(name):
    game = find_game(name)
    state = game.initial()
    legal = game.legal(state)
    for move in (-1, 0, 1, 63, 64, 1000, 2**31, 2**70):
        if move not in legal:
            with pytest.raises(IllegalMove):
                game.play(state, move)
    # Why a move is illegal is said of moves only.
    with pytest.raises(IllegalMove, match=f"^the number {2**70} is illegal: there is no such move"):
        game.play(state, 2**70)
    for text in ("f5", 2.5, None):
        with pytest.raises(IllegalMove, match=f"^{text!r} is not the number of a move; see parse"):
            game.play(state, text)


def test_a_wrong_call_from_python_blames_the_caller():
    with pytest.raises(Unsupported, match=r"^unknown parameter of connect4 'widht'; .* width\?$"):
        find_game("connect4").initial(widht=8)
    with pytest.raises(Unsupported, match=r"^unknown parameter of textbook 'size'; known: tree$"):
        find_game("textbook").initial(size=8)

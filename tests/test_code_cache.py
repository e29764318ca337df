"""Machine code on disk: found again when nothing changed, and never when something did.

Every claim is made of whole processes, since what matters is what the next one finds.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from user_games import HEAP, count_games, write_game

import plyground

COUNT = """
import json, os, sys
import numpy as np
from plyground import kernel
from plyground.games.catalogue import name_game
from plyground.games.perft import perft

compiled = []
kernel.on_compile.append(compiled.append)
name, depth, settings, meanwhile = sys.argv[1:]
game = name_game(name)
exec(meanwhile)
start = game.initial(**json.loads(settings))
leaves = perft(start, int(depth), np.zeros((int(depth) + 1) * game.max_moves, np.int32), 0)
print(json.dumps([int(leaves), compiled]))
"""

COMPILING_HEAP = "compiling perft for Heap, first time only"

COMPILING_AGAIN = "compiling perft for Heap, again: its kept code was damaged"


class Answer(NamedTuple):
    """What a process counted, and what it had to compile for that."""

    leaves: int
    compiled: list[str]


class Counting:
    """A process that counts leaves; its answer waits for its end."""

    def __init__(
        self,
        cache: Path,
        game: Path | str,
        depth: int = HEAP,
        settings: dict[str, int] | None = None,
        meanwhile: str = "",
        flags: tuple[str, ...] = (),
        environment: dict[str, str] | None = None,
    ) -> None:
        arguments = [str(game), str(depth), json.dumps(settings or {}), meanwhile]
        ours = ("NUMBA_", "PYTHONOPTIMIZE")  # what the claims are about
        inherited = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
        self.process = subprocess.Popen(
            [sys.executable, *flags, "-c", COUNT, *arguments],
            env=inherited | {"PLYGROUND_CACHE": str(cache)} | (environment or {}),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    def answer(self) -> Answer:
        out, err = self.process.communicate(timeout=120)
        assert self.process.returncode == 0, err
        return Answer(*json.loads(out))


def count(cache: Path, game: Path | str, *arguments: Any, **options: Any) -> Answer:
    """What one process counts; the same arguments as for `Counting`."""
    return Counting(cache, game, *arguments, **options).answer()


def code_files(cache: Path) -> list[Path]:
    return sorted(cache.glob("*.code"))


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """An empty cache of the test's own."""
    return tmp_path / "cache"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A user's game that the test may edit."""
    return write_game(tmp_path / "games" / "heap.py")


@pytest.fixture(scope="module")
def compiled_game(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A user's game that no test edits, and a cache with its code."""
    folder = tmp_path_factory.mktemp("compiled_game")
    game = write_game(folder / "heap.py")
    assert count(folder / "cache", game) == (count_games(2), [COMPILING_HEAP])
    return game, folder / "cache"


@pytest.fixture
def unedited_game(compiled_game: tuple[Path, Path]) -> Path:
    return compiled_game[0]


@pytest.fixture
def full_cache(compiled_game: tuple[Path, Path], tmp_path: Path) -> Path:
    """A copy of the cache with the code of the unedited game."""
    return Path(shutil.copytree(compiled_game[1], tmp_path / "full_cache"))


@pytest.fixture(scope="module")
def connect_four_code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    cache = tmp_path_factory.mktemp("connect_four_code")
    assert count(cache, "connect4", 4).compiled
    return cache


@pytest.fixture
def connect_four_cache(connect_four_code: Path, tmp_path: Path) -> Path:
    """A copy of a cache with the code of Connect Four, made by the package as it is."""
    return Path(shutil.copytree(connect_four_code, tmp_path / "connect_four_cache"))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package that the test may edit."""
    original, ignored = Path(plyground.__file__).parent, shutil.ignore_patterns("__pycache__")
    return Path(shutil.copytree(original, tmp_path / "copy" / "plyground", ignore=ignored))


def running(package: Path) -> dict[str, str]:
    """The environment in which a copy of the package is the one that is imported."""
    paths = [str(package.parent), os.environ.get("PYTHONPATH", "")]
    return {"PYTHONPATH": os.pathsep.join(path for path in paths if path)}


def append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as source:
        source.write(text)


# ------------------------------------------------------------------ nothing changed


def test_a_second_process_compiles_nothing(full_cache, unedited_game):
    assert count(full_cache, unedited_game) == (count_games(2), [])


def test_one_file_holds_one_compiled_function_and_nothing_else_is_left_behind(full_cache):
    (file,) = full_cache.iterdir()
    assert file.name.startswith("perft-")
    assert file.suffix == ".code"


# ------------------------------------------------------------------ a user's sources


def test_editing_a_game_changes_the_next_answer(cache, game):
    assert count(cache, game).leaves == count_games(2)
    write_game(game, ("MOST = 2", "MOST = 1 + 2"))
    assert count(cache, game) == (count_games(3), [COMPILING_HEAP])


def test_editing_a_module_that_a_game_imports_changes_the_next_answer(cache, game):
    write_game(game, ("MOST = 2", "from limits import MOST"))
    limits = game.with_name("limits.py")
    limits.write_text("MOST = 2\n")
    assert count(cache, game).leaves == count_games(2)
    limits.write_text("MOST = 1 + 2\n")
    assert count(cache, game) == (count_games(3), [COMPILING_HEAP])


@pytest.mark.full
def test_editing_a_module_behind_a_module_changes_the_next_answer(cache, game):
    write_game(game, ("MOST = 2", "import limits\n\nMOST = limits.MOST"))
    game.with_name("limits.py").write_text("from numbers_of_ours import MOST\n")
    far = game.with_name("numbers_of_ours.py")
    far.write_text("MOST = 2\n")
    assert count(cache, game).leaves == count_games(2)
    far.write_text("MOST = 1 + 2\n")
    assert count(cache, game) == (count_games(3), [COMPILING_HEAP])


@pytest.mark.full
def test_going_back_to_an_old_source_finds_its_code_again(cache, game):
    assert count(cache, game).leaves == count_games(2)
    write_game(game, ("MOST = 2", "MOST = 1 + 2"))
    assert count(cache, game).leaves == count_games(3)
    write_game(game)
    assert count(cache, game) == (count_games(2), [])


def test_games_of_one_name_in_two_folders_do_not_share_code(full_cache, unedited_game, tmp_path):
    namesake = write_game(tmp_path / unedited_game.name, ("MOST = 2", "MOST = 1 + 2"))
    assert count(full_cache, namesake) == (count_games(3), [COMPILING_HEAP])
    assert count(full_cache, unedited_game) == (count_games(2), [])


def test_two_classes_made_by_one_function_do_not_share_code(cache, tmp_path):
    """Same source, same names, same fields: only the value they closed over tells them apart."""
    path = write_game(
        tmp_path / "heap.py",
        ("MOST = 2", "from plyground.games.spec import Parameter"),
        ("class Heap(NamedTuple):", "def make(most):\n  class Heap(NamedTuple):"),
        ("min(MOST, self.left)", "min(most, self.left)"),
        ("return -1  # the other side took the last one\n", "return -1\n  return Heap\n"),
        ("GAME = GameSpec(", "KINDS = {most: make(most) for most in (2, 3)}\nGAME = GameSpec("),
        ("lambda: Heap(10, 0)", "lambda most: KINDS[most](10, 0)"),
        ("max_moves=5", 'max_moves=5, parameters=(Parameter("most", 2, "to take"),)'),
    )
    assert count(cache, path, settings={"most": 2}).leaves == count_games(2)
    assert count(cache, path, settings={"most": 3}).leaves == count_games(3)


def test_code_is_kept_for_what_was_imported_whatever_its_source_says_by_now(cache, game):
    """What was imported may be older than what the file says now."""
    edit = f"open({str(game)!r}, 'a').write('MOST = 3')"
    assert count(cache, game, meanwhile=edit) == (count_games(2), [COMPILING_HEAP])
    assert count(cache, game) == (count_games(3), [COMPILING_HEAP])
    write_game(game)
    assert count(cache, game) == (count_games(2), [])


def test_a_source_edited_while_a_process_runs_does_not_get_the_old_code(cache, game):
    edit = f"""
from pathlib import Path
path = Path({str(game)!r})
path.write_text(path.read_text().replace("MOST = 2", "MOST = 1 + 2"))
"""
    assert count(cache, game, meanwhile=edit).leaves == count_games(2)
    assert count(cache, game) == (count_games(3), [COMPILING_HEAP])


@pytest.mark.full
def test_stale_bytecode_does_not_get_into_the_cache(cache, game):
    """Python takes its own stale bytecode for fresh if size and time of the source are the same.

    It happens after two edits in one second, or with a tool that restores file times. That process
    runs the old rules whatever we do; but when Python sees the new source, so must machine code.
    """
    write_game(game, ("MOST = 2", "from limits import MOST"))
    limits, long_ago_s = game.with_name("limits.py"), 1_600_000_000
    prefix = str(cache.with_name("bytecode"))
    writes_bytecode = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": prefix}
    for most in (2, 3):
        limits.write_text(f"MOST = {most}\n")
        os.utime(limits, (long_ago_s, long_ago_s))
        assert count(cache, game, environment=writes_bytecode).leaves == count_games(2)
    os.utime(limits, (long_ago_s + 9, long_ago_s + 9))
    assert count(cache, game, environment=writes_bytecode).leaves == count_games(3)


# ------------------------------------------------------------------ our own sources

EASIER_TO_WIN = """

_is_won = is_won


@compilable
def is_won(stones, height, connect):
    return _is_won(stones, height, connect - 1)
"""


def test_an_unchanged_copy_of_the_package_compiles_nothing(connect_four_cache, package):
    answer = count(connect_four_cache, "connect4", 4, environment=running(package))
    assert answer == (2_401, [])


def test_editing_a_built_in_game_changes_the_next_answer(connect_four_cache, package):
    in_threes = count(connect_four_cache, "connect4", 6, {"connect": 3}).leaves
    append(package / "games" / "connect_four.py", EASIER_TO_WIN)
    edited = count(connect_four_cache, "connect4", 6, environment=running(package))
    assert edited.leaves == in_threes
    assert in_threes != 7**6  # no four are in a row after six moves, but three may be after five
    assert edited.compiled


@pytest.mark.parametrize(
    "module, old, new",
    [
        ("games/connect_four.py", "@compilable\ndef is_won", "\n\n@compilable\ndef is_won"),
        pytest.param("games/perft.py", "leaves = 0", "leaves = 0 + 0", marks=pytest.mark.full),
        pytest.param("games/rules.py", "state after a legal", "next", marks=pytest.mark.full),
        pytest.param("kernel.py", "Compile this", "Do compile this", marks=pytest.mark.full),
    ],
)
def test_editing_what_is_under_a_game_compiles_it_again(
    connect_four_cache, package, module, old, new
):
    source = (package / module).read_text()
    assert old in source
    (package / module).write_text(source.replace(old, new))
    answer = count(connect_four_cache, "connect4", 4, environment=running(package))
    assert answer.leaves == 2_401
    assert answer.compiled


def test_a_comment_below_the_code_compiles_nothing(connect_four_cache, package):
    append(package / "games" / "connect_four.py", "\n# edited\n")
    answer = count(connect_four_cache, "connect4", 4, environment=running(package))
    assert answer == (2_401, [])


def test_editing_one_game_leaves_the_code_of_another_alone(connect_four_cache, package):
    append(package / "games" / "kalah.py", "\n# edited\n")
    answer = count(connect_four_cache, "connect4", 4, environment=running(package))
    assert answer == (2_401, [])


# ------------------------------------------------------------------ the disk


def test_two_processes_that_start_together_are_both_right(cache, game):
    together = [Counting(cache, game), Counting(cache, game)]
    assert [process.answer().leaves for process in together] == [count_games(2)] * 2
    assert count(cache, game) == (count_games(2), [])


@pytest.mark.parametrize(
    "kept_bytes, added",
    [
        pytest.param(100, b"", id="cut off"),
        pytest.param(0, b"", id="empty", marks=pytest.mark.full),
        pytest.param(0, b"no code" * 9, id="something else", marks=pytest.mark.full),
    ],
)
def test_a_damaged_file_is_compiled_again_and_replaced(
    full_cache, unedited_game, kept_bytes, added
):
    (file,) = code_files(full_cache)
    file.write_bytes(file.read_bytes()[:kept_bytes] + added)
    assert count(full_cache, unedited_game) == (count_games(2), [COMPILING_AGAIN])
    assert count(full_cache, unedited_game) == (count_games(2), [])


FLIP_BITS = """
import pathlib, pickle, sys
import numba
from plyground import code_cache
path, loads = pathlib.Path(sys.argv[1]), []
pickle.loads = loads.append  # what gets as far as this is taken for code
content = path.read_bytes()
for place in range(0, 8 * len(content), max(1, len(content) * 8 // 5000)):
    damaged = bytearray(content)
    damaged[place // 8] ^= 1 << place % 8
    path.write_bytes(damaged)
    try:
        code_cache._read(path)
    except code_cache.Damaged:
        continue
    raise SystemExit(f"bit {place} was not noticed")
path.write_bytes(content)
code_cache._read(path)
assert len(loads) == 1
renamed = path.rename(path.with_name("perft-" + "0" * 40 + ".code"))
try:
    code_cache._read(renamed)
except code_cache.Damaged:
    print("all noticed")
"""


def test_no_flipped_bit_gets_as_far_as_being_run(full_cache):
    """Five thousand places, and code under another's name."""
    (file,) = code_files(full_cache)
    done = subprocess.run(
        [sys.executable, "-c", FLIP_BITS, str(file)], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout) == (0, "all noticed\n"), done.stderr


def test_what_a_killed_writer_left_is_removed(full_cache, unedited_game):
    old, young = full_cache / ".perft-1.code.1.tmp", full_cache / ".perft-2.code.2.tmp"
    for path in (old, young):
        path.write_bytes(b"half")
    os.utime(old, (1_600_000_000, 1_600_000_000))
    assert count(full_cache, unedited_game, environment={"NUMBA_OPT": "1"}).compiled
    assert not old.exists()
    assert young.exists()


def test_without_a_place_to_write_everything_still_works(tmp_path, unedited_game):
    """No folder can be made below a file, not even by root."""
    (tmp_path / "file").write_text("in the way")
    nowhere = tmp_path / "file" / "cache"
    assert count(nowhere, unedited_game) == (count_games(2), [COMPILING_HEAP])


def test_code_unused_for_months_is_removed_and_recent_code_kept(full_cache, unedited_game):
    month_s = 30 * 24 * 3600
    (old,) = code_files(full_cache)
    os.utime(old, (old.stat().st_mtime - 6 * month_s,) * 2)
    recent, foreign = full_cache / "perft-recent.code", full_cache / "notes.txt"
    for path, months in ((recent, 1), (foreign, 6)):
        path.write_bytes(b"")
        os.utime(path, (path.stat().st_mtime - months * month_s,) * 2)
    assert count(full_cache, unedited_game, environment={"NUMBA_OPT": "1"}).compiled
    assert not old.exists()
    assert recent.exists()
    assert foreign.exists()


def test_code_that_is_used_stays_young(full_cache, unedited_game):
    (file,) = code_files(full_cache)
    os.utime(file, (1_600_000_000, 1_600_000_000))
    assert count(full_cache, unedited_game).compiled == []
    assert file.stat().st_mtime > 1_600_000_000


# ------------------------------------------------------------------ settings of the compiler


@pytest.mark.parametrize(
    "name, value",
    [
        ("NUMBA_BOUNDSCHECK", "1"),
        pytest.param("NUMBA_SLP_VECTORIZE", "0", marks=pytest.mark.full),
    ],
)
def test_code_made_under_another_setting_is_not_shared(full_cache, unedited_game, name, value):
    answer = count(full_cache, unedited_game, environment={name: value})
    assert answer == (count_games(2), [COMPILING_HEAP])
    assert len(code_files(full_cache)) == 2


def test_code_made_without_assertions_is_not_shared(cache, game):
    """`python -O` leaves assertions out of the bytecode, and so out of the machine code."""
    write_game(game, ("return Heap(self", "assert self.left < 9\n        return Heap(self"))
    assert count(cache, game, flags=("-O",)).leaves == count_games(2)
    checking = Counting(cache, game)
    _, err = checking.process.communicate(timeout=120)
    assert checking.process.returncode != 0
    assert "AssertionError" in err


RECURSIVE_KERNELS = """
from plyground.kernel import kernel

@kernel
def down(n, k):
    if n == 0:
        return k
    total = 0
    for i in range(2):
        total += down(n - 1, k + i)
    return total

@kernel
def begins_with_a_literal(n):
    return down(n, 1)

@kernel
def even(n):
    return 1 if n == 0 else odd(n - 1)

@kernel
def odd(n):
    return 0 if n == 0 else even(n - 1)

print(begins_with_a_literal(3), even(6), odd(6))
"""


def test_recursive_kernels_survive_the_cache(tmp_path):
    """Numba's own cache crashes the second process on a literal, and on mutual recursion."""
    program = tmp_path / "recursive.py"
    program.write_text(RECURSIVE_KERNELS)
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, str(program)],
            env=os.environ | {"PLYGROUND_CACHE": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert (done.returncode, done.stdout) == (0, "20 1 0\n"), done.stderr


# ------------------------------------------------------------------ code that is in no file

EVALUATE = """
import sys
from typing import NamedTuple
from plyground import kernel
from plyground.evaluation.spec import evaluate

compiled = []
kernel.on_compile.append(lambda line: compiled.append(line))

@kernel.kernel
def ask(evaluator, state):
    return evaluate(evaluator, state)

class Constant(NamedTuple):
    unused: int

    def evaluate(self, state):
        return 7

MEANWHILE
print(ask(Constant(0), 1), len(compiled))
"""

SECOND = """
first = Constant
assert ask(first(0), 1) == 7

class Constant(NamedTuple):
    unused: int

    def evaluate(self, state):
        return 99

assert ask(Constant(0), 1) == 99, ask(Constant(0), 1)
assert ask(first(0), 1) == 7
"""
SAME = """
first = Constant
assert ask(first(0), 1) == 7

class Constant(NamedTuple):
    unused: int

    def evaluate(self, state):
        return 7

assert [ask(first(0), 1), ask(Constant(0), 1)] == [7, 7]
"""
REPLACED = "Constant.evaluate = lambda self, state: 99"


def from_standard_input(cache: Path, meanwhile: str, *edits: tuple[str, str]) -> tuple[int, int]:
    """What a program without a file gets for its evaluator, and how often it had to compile."""
    program = EVALUATE.replace("MEANWHILE", meanwhile)
    for old, new in edits:
        program = program.replace(old, new)
    done = subprocess.run(
        [sys.executable, "-"],
        input=program,
        env=os.environ | {"PLYGROUND_CACHE": str(cache)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    value, compiled = map(int, done.stdout.split())
    return value, compiled


def test_a_class_without_a_file_gets_its_own_code_in_every_process(cache):
    assert from_standard_input(cache, "") == (7, 1)
    assert from_standard_input(cache, "", ("return 7", "return 99")) == (99, 1)
    assert from_standard_input(cache, "") == (7, 1)
    assert code_files(cache) == []


def test_a_class_that_is_defined_again_gets_its_own_code(cache):
    assert from_standard_input(cache, SECOND) == (99, 2)


def test_a_cell_may_be_run_twice(cache):
    assert from_standard_input(cache, SAME)[0] == 7


def test_a_rule_that_is_replaced_from_outside_gets_its_own_code(cache):
    assert from_standard_input(cache, "") == (7, 1)
    assert from_standard_input(cache, REPLACED) == (99, 1)


SET_MOST = "\nsys.modules[type(game.initial()).__module__].MOST = 3"
PLAY_FIRST = """
from plyground.games.playout import playout
room = [np.zeros(size, np.int32) for size in (9, 99)]
playout(game.initial(), np.array([1], np.uint64), *room)  # the rules are compiled now
"""


def test_a_constant_that_is_set_from_outside_is_part_of_the_code(cache, game):
    assert count(cache, game).leaves == count_games(2)
    assert count(cache, game, meanwhile=SET_MOST) == (count_games(3), [COMPILING_HEAP])
    assert count(cache, game) == (count_games(2), [])


CONTAINS_ITSELF = (
    "MOST = 2",
    "MOST = 2\nNAMES = {}\nNAMES['names'] = NAMES",
)
NEVER_LOOKED_AT = ("return self.left == 0", "return self.left == 0 if MOST else len(NAMES) > 0")


def test_what_cannot_be_followed_to_its_end_is_compiled_every_time(cache, game):
    write_game(game, CONTAINS_ITSELF, NEVER_LOOKED_AT)
    program = (
        "import sys\nfrom plyground.games.catalogue import name_game\n"
        "from plyground.code_digest import digest_of\n"
        "print(digest_of(type(name_game(sys.argv[1]).initial())))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(game)], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout) == (0, "None\n"), done.stderr


def test_code_made_in_part_before_a_constant_changed_is_not_kept(cache, game):
    """Numba goes on with the old constant in this process; no other may get that."""
    count(cache, game, meanwhile=PLAY_FIRST + SET_MOST)
    assert not list(cache.glob("perft-*"))
    assert count(cache, game, meanwhile=SET_MOST) == (count_games(3), [COMPILING_HEAP])

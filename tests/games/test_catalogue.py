"""Games by name, by file and by module; a file or module that is no game is refused with reason."""

import re
import sys
from pathlib import Path

import pytest

from plyground.core.errors import GameCodeError, Unsupported
from plyground.games.catalogue import games, load_file, name_game

HEXAPAWN = Path(__file__).parents[2] / "examples" / "hexapawn.py"


def test_all_games_of_the_folder_are_listed_by_name():
    assert list(games()) == [
        "connect4",
        "double-card",
        "kalah",
        "mnk",
        "othello",
        "synthetic",
        "textbook",
    ]


def test_no_two_games_share_a_name_or_an_alias():
    names = [name for game in games().values() for name in (game.name, *game.aliases)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", games())
def test_a_game_is_found_by_its_name_and_by_each_alias(name):
    game = games()[name]
    assert all(name_game(alias) is game for alias in (game.name, *game.aliases))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Othello", "othello"),
        (" REVERSI ", "othello"),
        ("Connect Four", "connect4"),
        ("four_in_a_row", "connect4"),
        ("double_card", "double-card"),
        ("Double Card", "double-card"),
        ("tic tac toe", "mnk"),
    ],
)
def test_a_name_is_read_in_any_case_with_blanks_or_underscores(text, name):
    assert name_game(text).name == name


def test_a_game_is_found_by_the_path_of_its_file():
    assert name_game(str(HEXAPAWN)).name == "hexapawn"


def test_a_file_is_loaded_once():
    assert load_file(HEXAPAWN) is load_file(HEXAPAWN)


def test_a_game_is_found_by_the_name_of_its_module():
    assert name_game("plyground.games.kalah") is games()["kalah"]


def test_a_file_may_import_what_lies_beside_it(tmp_path):
    source = HEXAPAWN.read_text(encoding="utf-8")
    (tmp_path / "pawn_size_of_this_test.py").write_text("SIZE = 3\n", encoding="utf-8")
    game = tmp_path / "game.py"
    game.write_text(
        source.replace("SIZE = 3\n", "from pawn_size_of_this_test import SIZE\n"), encoding="utf-8"
    )
    before = list(sys.path)
    assert load_file(game).name == "hexapawn"
    assert sys.path == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("othelo", "unknown game 'othelo'; did you mean othello?"),
        ("chess", "unknown game 'chess'; "),
        ("", "unknown game ''; known: connect4"),
        ("no/such/file.py", "no game file at no/such/file.py; expected a Python file"),
        ("nosuch.py", "no game file at nosuch.py; expected a Python file"),
        ("no_such_module.game", "no module named no_such_module.game; expected a game's name"),
        ("os.path", "os.path defines no game; expected a line GAME = GameSpec(...)"),
        ("os.no_such_module", "os.no_such_module"),
        ("plyground.games.chess", "plyground.games.chess"),
        ("__main__.game", "__main__.game"),
        ("a." * 2000 + "b", "unknown game 'a.a.a."),
    ],
)
def test_what_is_no_game_is_refused_and_named(text, message):
    with pytest.raises(Unsupported, match=re.escape(message)):
        name_game(text)


def test_a_path_that_no_file_can_have_is_refused():
    with pytest.raises(Unsupported, match="no game file at a/a/a/"):
        name_game("a/" * 3000)


def test_a_folder_is_no_game(tmp_path):
    with pytest.raises(Unsupported, match=r"no game file at .*; expected a Python file"):
        name_game(f"{tmp_path}/")


def test_a_file_that_is_not_python_is_refused(tmp_path):
    path = tmp_path / "game.txt"
    path.write_text("GAME = 1", encoding="utf-8")
    with pytest.raises(Unsupported, match=r"game\.txt cannot be read as Python"):
        name_game(str(path))


def test_a_file_without_a_game_is_refused(tmp_path):
    path = tmp_path / "empty.py"
    path.write_text("", encoding="utf-8")
    with pytest.raises(Unsupported, match=r"empty\.py defines no game; expected a line GAME ="):
        name_game(str(path))


def test_a_game_that_is_something_else_is_refused(tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text("GAME = 'othello'", encoding="utf-8")
    with pytest.raises(Unsupported, match=r"wrong\.py defines no game; expected a line GAME ="):
        name_game(str(path))


@pytest.mark.parametrize(
    ("source", "line", "reason"),
    [
        ("x = 1\nx = = 2\n", 2, "invalid syntax"),
        ("x = 1\n\nx.upper()\n", 3, "AttributeError: 'int' object has no attribute 'upper'"),
        ("import no_such_module_anywhere\n", 1, "ModuleNotFoundError"),
    ],
    ids=["syntax", "failure", "import"],
)
def test_code_that_fails_is_blamed_on_its_file_and_line(tmp_path, source, line, reason):
    path = tmp_path / "broken.py"
    path.write_text(source, encoding="utf-8")
    with pytest.raises(GameCodeError, match=re.escape(f"{path}:{line}: {reason}")) as caught:
        load_file(path)
    assert (caught.value.path, caught.value.line) == (str(path), line)


def test_a_package_that_fails_is_blamed_even_if_it_has_no_such_game(tmp_path, monkeypatch):
    package = tmp_path / "broken_package_of_this_test"
    package.mkdir()
    (package / "__init__.py").write_text("1 / 0\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(GameCodeError, match="ZeroDivisionError"):
        name_game("broken_package_of_this_test.game")


def test_what_a_file_itself_refuses_is_passed_on_as_it_is(tmp_path):
    path = tmp_path / "refusing.py"
    path.write_text(
        "from plyground.core.errors import Unsupported\nraise Unsupported('needs a moon')\n",
        encoding="utf-8",
    )
    with pytest.raises(Unsupported, match=r"^needs a moon$"):
        load_file(path)


def test_a_file_that_failed_is_loaded_once_it_is_mended(tmp_path):
    path = tmp_path / "mended.py"
    path.write_text("x = = 2\n", encoding="utf-8")
    with pytest.raises(GameCodeError):
        load_file(path)
    path.write_text(HEXAPAWN.read_text(encoding="utf-8"), encoding="utf-8")
    assert load_file(path).name == "hexapawn"

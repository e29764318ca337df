"""Games as files: nothing is lost, nothing foreign is touched, nothing damaged is believed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from user_games import write_game

from plyground.cli import saved_game
from plyground.cli.common import load
from plyground.cli.saved_game import Finished, SavedGame
from plyground.core.errors import InputError, MalformedText, Unsupported
from plyground.games.catalogue import find_game

OTHELLO = SavedGame("othello", {"size": 8}, None, ("f5", "d6"), ("human", "medium"), 7)
FOUR = {"size": 4}
TO_A_PASS = ("b1", "c1", "d3", "a1", "pass")


def changed(**changes: Any) -> str:
    """The text of a good file with some fields replaced."""
    return json.dumps(json.loads(OTHELLO.as_text()) | changes)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "game.json"


# ------------------------------------------------------------------ text

TEXTS = st.text(max_size=20)
SAVED = st.builds(
    SavedGame,
    game=TEXTS,
    settings=st.dictionaries(TEXTS, st.integers() | st.booleans() | TEXTS, max_size=3),
    position=st.none() | TEXTS,
    moves=st.lists(TEXTS, max_size=5).map(tuple),
    players=st.tuples(TEXTS, TEXTS),
    seed=st.integers(0, 2**64 - 1),
    time_s=st.none() | st.floats(0.001, 1000),
    resigned=st.sampled_from([None, "first", "second"]),
)


@given(SAVED)
def test_a_text_is_read_back_as_what_was_written(saved):
    assert SavedGame.from_text(saved.as_text()) == saved


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(TEXTS, inside, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from(sorted(json.loads(OTHELLO.as_text()))), JSON)
def test_any_value_in_any_field_is_read_or_refused(field, value):
    try:
        saved = SavedGame.from_text(changed(**{field: value}))
    except MalformedText:
        return
    assert json.loads(saved.as_text())[field] == value


@given(st.text() | JSON.map(json.dumps))
def test_any_text_is_refused_in_one_line(text):
    with pytest.raises(MalformedText) as refused:
        SavedGame.from_text(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "{", '{"format": "x"}', "[" * 100_000, "1" * 9999]
)
def test_what_is_no_saved_game_is_called_so(text):
    with pytest.raises(MalformedText, match="not a saved game of Plyground"):
        SavedGame.from_text(text)


def test_another_version_is_called_so():
    with pytest.raises(MalformedText, match="another version"):
        SavedGame.from_text(changed(version=2))


@pytest.mark.parametrize(
    "field, value",
    [
        ("game", 1),
        ("settings", []),
        ("settings", {"size": [8]}),
        ("position", 1),
        ("moves", "f5"),
        ("moves", [1]),
        ("players", ["human"]),
        ("players", ["human", 1]),
        ("seed", -1),
        ("seed", 2**64),
        ("seed", True),
        ("seed", 1.5),
        ("time_s", 0),
        ("time_s", float("nan")),
        ("time_s", float("inf")),
        ("time_s", True),
        ("resigned", "third"),
        ("extra", 1),
    ],
)
def test_a_damaged_field_is_named(field, value):
    with pytest.raises(MalformedText, match=f"damaged.*{field}"):
        SavedGame.from_text(changed(**{field: value}))


def test_a_missing_field_is_named():
    data = json.loads(OTHELLO.as_text())
    del data["moves"]
    with pytest.raises(MalformedText, match=r"damaged.*moves"):
        SavedGame.from_text(json.dumps(data))


@pytest.mark.parametrize("field", ["position", "time_s", "resigned", "uid"])
def test_a_field_that_may_be_null_may_be_missing(field):
    data = json.loads(changed(**{field: None}))
    whole = SavedGame.from_text(json.dumps(data))
    del data[field]
    assert SavedGame.from_text(json.dumps(data)) == whole


# ------------------------------------------------------------------ games


def test_a_restored_game_is_where_it_was_left():
    loaded = saved_game.restore(OTHELLO)
    othello = find_game("othello")
    assert loaded.state == othello.replay(
        othello.initial(), othello.parse_moves(loaded.start, "f5d6")
    )


def test_a_forced_pass_is_among_the_moves():
    """On 4x4, after b1 c1 d3 a1 Black has no move."""
    played = load("othello", ["size=4"], None, "b1 c1 d3 a1 c4")
    texts = played.moves
    assert texts == (*TO_A_PASS, "c4")
    saved = SavedGame("othello", FOUR, None, texts, ("human", "human"), 0)
    assert saved_game.restore(saved).moves == played.moves


@pytest.mark.parametrize("name", ["othello", "connect4", "double-card", "kalah", "mnk"])
def test_a_game_that_began_at_a_position_begins_there_again(name):
    game = find_game(name)
    moves = game.legal(game.initial())[:1]
    position = game.format_position(game.replay(game.initial(), moves))
    loaded = load(name, None, position)
    saved = SavedGame(name, dict(loaded.settings), loaded.start_text, (), ("a", "b"), 0)
    assert saved.position == position
    assert saved_game.restore(saved).start == loaded.start


def test_a_game_that_began_where_it_begins_needs_no_position():
    assert load("othello", ["size=6"]).start_text is None


def test_settings_of_every_kind_are_restored():
    chosen = ["captures=no", "pits=4", "seeds=3"]
    loaded = load("kalah", chosen)
    saved = SavedGame("kalah", dict(loaded.settings), None, (), ("a", "b"), 0)
    again = saved_game.restore(SavedGame.from_text(saved.as_text()))
    assert (again.settings, again.start) == (loaded.settings, loaded.start)


@pytest.mark.parametrize(
    "changes, complaint",
    [
        ({"game": "otello"}, "did you mean othello"),
        ({"game": "/no/such/game.py"}, "no game file at /no/such/game.py"),
        ({"settings": {"size": 7}}, "size=7: expected"),
        ({"settings": {"sise": 8}}, "did you mean size"),
        ({"position": "nonsense"}, "expected"),
        ({"moves": ["f5", "f5"]}, "move 2, 'f5': f5 is illegal"),
        ({"moves": ["f5", "zz"]}, "move 2, 'zz': "),
    ],
)
def test_a_game_that_cannot_be_restored_says_why(file, changes, complaint):
    file.write_text(changed(**changes))
    with pytest.raises(InputError, match=complaint) as refused:
        saved_game.read_and_restore(file)
    assert str(file) in str(refused.value)


@pytest.mark.parametrize(
    "saved",
    [
        SavedGame("mnk", {}, None, ("a1", "b1", "a2", "b2", "a3"), ("human", "human"), 0),
        SavedGame("mnk", {}, None, ("a1",), ("human", "human"), 0, resigned="second"),
    ],
    ids=["won", "resigned"],
)
def test_a_finished_game_is_not_restored(saved):
    with pytest.raises(Finished, match="this game is over"):
        saved_game.restore(saved)


def test_a_built_in_game_is_known_by_its_name_under_any_alias():
    assert saved_game.lasting_name("TicTacToe", find_game("tictactoe")) == "mnk"


def test_a_game_of_ones_own_is_found_from_any_folder(tmp_path, monkeypatch):
    path = write_game(tmp_path / "heap.py")
    monkeypatch.chdir(tmp_path)
    name = saved_game.lasting_name("heap.py", find_game("heap.py"))
    monkeypatch.chdir("/")
    assert name == str(path.resolve())
    assert saved_game.restore(SavedGame(name, {}, None, ("1",), ("a", "b"), 0)).codes == (1,)


def test_a_game_in_a_module_is_known_by_the_module():
    game = find_game("plyground.games.kalah")
    assert saved_game.lasting_name("plyground.games.kalah", game) == "kalah"


# ------------------------------------------------------------------ files


def test_a_file_is_read_back(file):
    saved_game.write(OTHELLO, file)
    assert saved_game.read(file) == OTHELLO
    assert os.listdir(file.parent) == ["game.json"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_write_that_fails_leaves_the_file_as_it_was(file, monkeypatch, step):
    saved_game.write(OTHELLO, file)
    before = file.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(OSError, match="No space left"):
        saved_game.write(SavedGame("mnk", {}, None, (), ("a", "b"), 0), file)
    assert file.read_bytes() == before
    assert os.listdir(file.parent) == ["game.json"]


def test_a_link_to_a_file_stays_a_link(file):
    link = file.with_name("link.json")
    link.symlink_to(file)
    saved_game.write(OTHELLO, link)
    assert link.is_symlink()
    assert saved_game.read(file) == OTHELLO


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\xfe\x00", b"not json", b"{}", b"x" * (saved_game.MOST_BYTES + 1)],
    ids=["empty", "bytes", "text", "json", "large"],
)
def test_a_foreign_file_is_refused_and_not_touched(file, content):
    file.write_bytes(content)
    with pytest.raises(MalformedText, match="not a saved game of Plyground"):
        saved_game.read(file)
    assert file.read_bytes() == content


@pytest.mark.parametrize("name", ["missing.json", ".", "a\0b", "x" * 5000])
def test_a_file_that_cannot_be_read_is_refused(tmp_path, name):
    with pytest.raises(Unsupported, match="cannot read"):
        saved_game.read(tmp_path / name)


def test_a_save_replaces_an_earlier_save(file):
    saved_game.save_as(OTHELLO, str(file))
    later = SavedGame("othello", {"size": 8}, None, ("f5",), ("human", "medium"), 7)
    saved_game.save_as(later, str(file))
    assert saved_game.read(file) == later


def test_a_save_never_replaces_anything_else(file):
    file.write_text("my notes")
    with pytest.raises(Unsupported, match="exists and is no saved game"):
        saved_game.save_as(OTHELLO, str(file))
    assert file.read_text() == "my notes"


@pytest.mark.parametrize(
    "name", ["no/such/folder/game.json", "a\0b", "x" * 5000, "~nobody-at-all/g"]
)
def test_a_save_to_nowhere_is_refused(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Unsupported):
        saved_game.save_as(OTHELLO, name)
    assert os.listdir(tmp_path) == []


# ------------------------------------------------------------------ games under way


def keep(saved: SavedGame, age_s: int) -> Path:
    path = saved_game.new_file()
    saved_game.write(saved, path)
    when = 2_000_000_000 - age_s
    os.utime(path, (when, when))
    return path


def test_there_may_be_no_game_to_go_on_with():
    assert saved_game.last_unfinished() is None


def test_the_last_game_is_the_one_played_last():
    keep(OTHELLO, age_s=3)
    newest = keep(OTHELLO, age_s=1)
    keep(OTHELLO, age_s=2)
    assert saved_game.last_unfinished() == newest


def test_a_finished_game_is_passed_over():
    unfinished = keep(OTHELLO, age_s=2)
    keep(SavedGame("othello", {}, None, (), ("a", "b"), 0, resigned="first"), age_s=1)
    assert saved_game.last_unfinished() == unfinished


def test_a_damaged_game_is_not_passed_over_in_silence():
    keep(OTHELLO, age_s=2)
    damaged = keep(OTHELLO, age_s=1)
    damaged.write_text("{")
    os.utime(damaged, (2_000_000_000, 2_000_000_000))
    with pytest.raises(MalformedText, match="not a saved game"):
        saved_game.last_unfinished()
    assert damaged.read_text() == "{"


def test_only_so_many_unfinished_games_are_kept(data_folder):
    kept = [keep(OTHELLO, age_s=1000 - number) for number in range(saved_game.MOST_UNFINISHED + 3)]
    assert set(saved_game.unfinished_games()) == set(kept[3:])

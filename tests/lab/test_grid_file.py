"""The file of a user's own experiment: what may stand in it, and what is said of all else."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from match_tools import toml
from user_games import write_game

from plyground.core.errors import InputError, MalformedText, Unsupported
from plyground.core.naming import name_engine
from plyground.games.catalogue import games
from plyground.lab.catalogue import find_experiment
from plyground.lab.grid.file import EXAMPLE, read_experiment
from plyground.lab.grid.schema import ENTRIES, Wanted
from plyground.lab.parameters import read_parameters
from plyground.lab.runner import Plan
from plyground.lab.spec import Cell, Experiment
from plyground.lab.tasks import play_games

PLAIN: dict[str, Any] = {
    "title": "Leaves by depth",
    "games": ["tictactoe"],
    "players": ["alphabeta:depth={depth}"],
    "grid": {"depth": [1, 2, 3]},
}
DIGESTS = ["ad5107ceac52e0a039a8bb4d", "bcee317cf308147fe80a50da"]
WRONG = Path(__file__).parents[1] / "data" / "wrong_grids.txt"
DUEL = {"measure": "match", "players": ["alphabeta:depth={depth}", "random"]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "mine.toml"


def read(path: Path, **fields: object) -> Experiment[Any]:
    given = {name: value for name, value in (PLAIN | fields).items() if value is not None}
    path.write_text(toml(**given), encoding="utf-8")
    return read_experiment(path)


def cells(experiment: Experiment[Any], is_quick: bool = False, **chosen: str) -> list[Cell]:
    return list(experiment.cells(read_parameters(experiment, is_quick, chosen)))


def arguments(experiment: Experiment[Any], name: str, **chosen: str) -> set[Any]:
    """What an argument of all cells is."""
    return {cell.arguments[name] for cell in cells(experiment, **chosen)}


def complaint(path: Path, **fields: object) -> str:
    """What is said of such a file: one line, which names it."""
    with pytest.raises(InputError) as refusal:
        read(path, **fields)
    message = str(refusal.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


# ------------------------------------------------------------------ what may stand in it


def test_a_title_a_game_and_a_player_are_enough(path):
    experiment = read(path, players=["greedy"], grid=None)
    assert (experiment.name, experiment.title) == ("mine", "Leaves by depth")
    assert experiment.question == experiment.title
    [cell] = cells(experiment)
    assert cell.task == "plyground.lab.tasks:search_position"
    assert cell.arguments == {
        "game": "tictactoe",
        "player": "greedy",
        "position": None,
        "moves": "",
        "settings": {"m": 3, "n": 3, "k": 3},
        "repetitions": 1,
    }


def test_every_value_of_the_grid_is_measured_with_every_other(path):
    experiment = read(
        path,
        players=["mtdf:depth={depth},memory={memory}"],
        grid={"depth": [1, 2], "memory": ["64KB", "1MB"]},
    )
    assert arguments(experiment, "player") == {
        f"mtdf:depth={depth},memory={memory}" for depth in (1, 2) for memory in ("64KB", "1MB")
    }


def test_the_last_values_are_measured_first(path):
    players = [cell.arguments["player"] for cell in cells(read(path))]
    assert players == [f"alphabeta:depth={depth}" for depth in (3, 2, 1)]


def test_what_a_point_does_not_change_is_measured_once(path):
    experiment = read(path, players=["alphabeta:depth={depth}", "greedy"])
    assert len(cells(experiment)) == 3 + 1


@pytest.mark.parametrize("values", [[True, False], ["yes", "no"]], ids=str)
def test_truths_become_words_in_a_players_text(path, values):
    experiment = read(
        path, players=["abmemory:depth=1,symmetric={mirror}"], grid={"mirror": values}
    )
    assert arguments(experiment, "player") == {
        f"abmemory:depth=1,symmetric={word}" for word in ("yes", "no")
    }


def test_numbers_of_both_kinds_are_numbers(path):
    experiment = read(
        path,
        **DUEL | {"players": ["random", "alphabeta:depth=1,noise={noise}"]},
        grid={"noise": [0.25, 1]},
    )
    players = {cell.arguments["players"][1] for cell in cells(experiment)}
    assert players == {"alphabeta:depth=1,noise=0.25", "alphabeta:depth=1,noise=1.0"}


def test_settings_may_have_blanks(path):
    experiment = read(
        path,
        games=[{"game": "mnk", "settings": {"m": "{width}", "n": 4}}],
        players=["greedy"],
        grid={"width": [3, 4]},
    )
    sizes = [cell.arguments["settings"] for cell in cells(experiment)]
    assert sizes == [{"m": 4, "n": 4, "k": 3}, {"m": 3, "n": 4, "k": 3}]


def test_a_name_that_changes_nothing_in_a_game_does_not_multiply_it(path):
    experiment = read(
        path,
        games=["tictactoe", {"game": "kalah", "settings": {"seeds": "{seeds}"}}],
        players=["greedy"],
        grid={"seeds": [3, 4]},
    )
    names = [cell.arguments["game"] for cell in cells(experiment)]
    assert sorted(names) == ["kalah", "kalah", "tictactoe"]


def test_positions_are_lists_of_moves_or_boards_or_the_beginning(path):
    experiment = read(path, positions=["", "b2 a1", "position: XO- --- ---"], grid={"depth": [1]})
    found = [(cell.arguments["position"], cell.arguments["moves"]) for cell in cells(experiment)]
    [(board, after)] = [each for each in found if each[0]]
    assert (None, "") in found
    assert (None, "b2; a1") in found
    assert board.startswith("XO-/---/---")
    assert after == ""


def test_random_openings_are_as_many_as_wanted_and_of_their_seed(path):
    experiment = read(path, openings="random:2", count=4, grid={"depth": [1]})
    first = arguments(experiment, "moves")
    assert len(first) == 4
    assert all(len(moves.split("; ")) == 2 for moves in first)
    assert arguments(experiment, "moves", seed="0") == first
    assert arguments(experiment, "moves", seed="7") != first
    assert len(arguments(experiment, "moves", count="6")) == 6


def test_without_a_count_there_are_ten_random_openings(path):
    assert len(cells(read(path, openings="random:3", grid={"depth": [1]}))) == 10


def test_openings_that_lead_to_the_same_place_are_measured_once(path):
    """Tic-tac-toe begins in a corner, at an edge or in the middle."""
    assert len(cells(read(path, openings="random:1", grid={"depth": [1]}))) == 3


def test_a_file_of_openings_is_taken_whole_from_where_the_experiment_is(tmp_path, monkeypatch):
    folder = tmp_path / "mine"
    folder.mkdir()
    lines = [f"{column}{row}" for column in "abc" for row in "123"] + ["b2 a1", "b2 b1", "a1 b2"]
    (folder / "lines.txt").write_text("# twelve\n" + "\n".join(lines), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    experiment = read(Path("mine/mine.toml"), openings="lines.txt", grid={"depth": [1]})
    assert len(cells(experiment)) == 12
    assert arguments(experiment, "moves", count="2") == {"a1", "a2"}


def test_games_may_have_beginnings_of_their_own(path):
    own = [{"game": "kalah", "positions": ["1", "2"]}, {"game": "connect4", "openings": "random:3"}]
    experiment = read(
        path, games=["tictactoe", *own], positions=["b2"], players=["greedy"], grid=None
    )
    found = [(cell.arguments["game"], cell.arguments["moves"]) for cell in cells(experiment)]
    assert ("tictactoe", "b2") in found
    assert [moves for game, moves in found if game == "kalah"] == ["2", "1"]
    assert sum(game == "connect4" for game, _ in found) == 10


def test_a_game_of_the_users_own_is_named_by_its_whole_path(tmp_path, monkeypatch):
    write_game(tmp_path / "mine" / "heap.py")
    monkeypatch.chdir(tmp_path)
    experiment = read(Path("mine/mine.toml"), games=["heap.py"], positions=["1 1"])
    assert arguments(experiment, "game") == {str(tmp_path / "mine" / "heap.py")}


@pytest.mark.parametrize("game", sorted({*games()} - {"textbook"}))  # which is over by then
def test_openings_of_every_game_are_read_back_by_the_tasks(path, game):
    """What is written into a cell is what a search will start from."""
    experiment = read(
        path, games=[game], players=["greedy"], grid=None, openings="random:3", count=5
    )
    spec = games()[game]
    start = spec.initial()
    for moves in arguments(experiment, "moves"):
        assert len(spec.parse_moves(start, moves)) == 3


# ------------------------------------------------------------------ matches


def test_every_two_players_meet_from_every_opening(path):
    players = ["alphabeta:depth={depth}", "random", "first"]
    experiment = read(
        path, **DUEL | {"players": players}, positions=["a1", "b2"], grid={"depth": [1]}, seed=3
    )
    found = cells(experiment)
    assert {cell.task for cell in found} == {"plyground.lab.tasks:play_games"}
    assert {cell.arguments["seed"] for cell in found} == {3}
    met = sorted((*cell.arguments["players"], cell.arguments["opening"]) for cell in found)
    pairs = [("alphabeta:depth=1", "first"), ("alphabeta:depth=1", "random"), ("random", "first")]
    assert met == sorted((*pair, opening) for pair in pairs for opening in ("a1", "b2"))


def test_only_players_who_may_differ_meet_again(path):
    """Others would replay the same games, which is no evidence."""
    fixed = read(path, **DUEL | {"players": ["alphabeta:depth={depth}", "first"]}, repetitions=5)
    assert len(cells(fixed)) == 3
    chancy = read(path, **DUEL, repetitions=5)
    assert len(cells(chancy)) == 3 * 5
    assert {cell.arguments["number"] for cell in cells(chancy)} == set(range(5))


@pytest.mark.parametrize(
    "player, can_differ",
    [
        ("alphabeta:depth=1", False),
        ("alphabeta:nodes=100", False),
        ("alphabeta:depth=1,ponder=yes", False),
        ("greedy", False),
        ("alphabeta:depth=1,ties=random", True),
        ("alphabeta:depth=1,noise=10%", True),
        ("alphabeta:time=1s", True),
        ("abmemory:depth=1,threads=2", True),
        ("uct:simulations=10", True),
        ("better-random", True),
        ("random-start(moves=1,then=greedy())", True),
    ],
)
def test_who_may_differ(path, player, can_differ):
    experiment = read(path, measure="match", players=["first", player], grid=None, repetitions=2)
    assert len(cells(experiment)) == 1 + can_differ


# ------------------------------------------------------------------ parameters


def test_the_grid_and_the_size_are_parameters(path):
    experiment = read(path, openings="random:2", count=4, repetitions=3, seed=5)
    usual = read_parameters(experiment, False, {})
    assert usual.model_dump() == {"depth": (1, 2, 3), "repetitions": 3, "count": 4, "seed": 5}
    chosen = read_parameters(experiment, False, {"depth": "2,4", "repetitions": "1"})
    assert (chosen.depth, chosen.repetitions) == ((2, 4), 1)


def test_there_is_a_count_only_of_openings(path):
    assert "count" not in read(path).parameters.model_fields


def test_texts_are_set_with_semicolons(path):
    experiment = read(
        path,
        games=["connect4"],
        players=["alphabeta:depth=1,eval={eval}"],
        grid={"eval": ["segments"]},
    )
    found = arguments(experiment, "player", eval="columns; segments(one=2,two=3)")
    assert found == {
        "alphabeta:depth=1,eval=columns",
        "alphabeta(depth=1,eval=segments:one=2,two=3)",
    }


@pytest.mark.parametrize(
    "chosen, message",
    [
        ({"depth": "1,1"}, "depth=1,1: 1 is there twice"),
        ({"depth": ""}, "depth=: expected whole numbers, separated by commas"),
        ({"depth": "x"}, "depth=x: expected whole numbers, separated by commas"),
        ({"dpeth": "1"}, "unknown parameter 'dpeth'; did you mean depth?"),
        ({"repetitions": "0"}, "repetitions=0: expected a whole number from 1 to 10000"),
        (
            {"depth": "2,300"},
            "players, number 1, with depth=300: alphabeta: depth '300': "
            "expected a whole number from 1 to 200",
        ),
    ],
    ids=str,
)
def test_a_wrong_choice_is_told(path, chosen, message):
    experiment = read(path)
    with pytest.raises(InputError) as refusal:
        cells(experiment, **chosen)
    assert str(refusal.value) == message


def test_quick_is_what_the_file_says(path):
    experiment = read(path, quick={"depth": [3], "repetitions": 2}, repetitions=4)
    quick = read_parameters(experiment, True, {})
    assert (quick.depth, quick.repetitions) == ((3,), 2)


def test_quick_is_less_of_everything_if_the_file_does_not_say(path):
    experiment = read(path, openings="random:2", count=8, repetitions=4, seed=5)
    quick = read_parameters(experiment, True, {})
    assert quick.model_dump() == {"depth": (1, 2), "repetitions": 1, "count": 5, "seed": 5}


def test_too_many_cells_are_refused_before_they_are_made(path):
    many = list(range(1, 101))
    message = complaint(
        path,
        players=["alphabeta:depth={a},nodes={b},endgame={c}"],
        grid={"a": many, "b": many, "c": many},
    )
    assert message == (
        "1,000,000 searches or pairs of games are too many, 100,000 the most; "
        "expected fewer values in the grid, players, openings or repetitions"
    )
    message = complaint(path, **DUEL, repetitions=10_000, positions=["a1", "b1", "b2", "c2"])
    assert message.startswith("120,000 searches or pairs of games are too many")


# ------------------------------------------------------------------ names


@pytest.mark.parametrize(
    "stem, name",
    [("mine", "mine"), ("My Own", "my-own"), ("3", "experiment-3"), ("ß€", "experiment-unnamed")],
)
def test_an_experiment_is_called_as_its_file_is(tmp_path, stem, name):
    found = read(tmp_path / f"{stem}.toml").name
    assert found == name or stem == "ß€"
    assert re.fullmatch("[a-z][a-z0-9-]*", found)


def test_a_name_in_the_file_comes_first(path):
    assert read(path, name="memory-2").name == "memory-2"


def test_the_catalogue_finds_the_file(path):
    read(path)
    assert find_experiment(str(path)).title == "Leaves by depth"


def test_stored_runs_stay_those_of_their_files(tmp_path):
    """Digests of the first version that had such files."""
    path = tmp_path / "example.toml"
    path.write_text(EXAMPLE, encoding="utf-8")
    example = read_experiment(path)
    digests = [
        Plan(example, read_parameters(example, is_quick, {})).digest for is_quick in (False, True)
    ]
    assert digests == DIGESTS


# ------------------------------------------------------------------ the example


def test_the_example_can_be_read_and_shows_every_field(path):
    path.write_text(EXAMPLE, encoding="utf-8")
    experiment = read_experiment(path)
    assert len(cells(experiment)) == 3 * 3 * 10
    assert len(cells(experiment, is_quick=True)) == 3 * 2 * 4
    shown = set(re.findall(r"(?m)^(?:# )?(\w+) = |^(?:# )?\[+(\w+)\]+", EXAMPLE))
    names = {name for pair in shown for name in pair}
    wanted = set(Wanted.model_fields)
    for model, _ in (ENTRIES["charts"], ENTRIES["tables"]):
        wanted |= set(model.model_fields) - {"log_x"}
    assert wanted - names == set()
    assert "log_x = true" in EXAMPLE


def test_what_the_example_has_in_comments_is_right_too(path):
    lines = []
    for line in EXAMPLE.splitlines():
        hidden = re.fullmatch(r"# (\w+ = .*|\[\[tables\]\].*)", line)
        text = hidden[1] if hidden else line
        shadowed = hidden and text.startswith(("games", "positions"))
        lines += [] if shadowed else [text]
    path.write_text("\n".join(lines), encoding="utf-8")
    assert read_experiment(path).name == "memory"
    text = re.sub(r"(?m)^(games|openings|count) = .*$", "", EXAMPLE)
    text = re.sub(r"(?m)^count = 4$", "", text)
    text = text.replace("# games = ", "games = ").replace("# positions = ", "positions = ")
    path.write_text(text.replace('"44", "4 4 5"', '""'), encoding="utf-8")
    assert arguments(read_experiment(path), "game") == {"connect4", "othello"}


# ------------------------------------------------------------------ what is wrong


def wrong() -> Iterator[Any]:
    """Fields of TOML beside those of a file that is right, and the complaint."""
    for case in WRONG.read_text(encoding="utf-8").strip().split("\n\n"):
        *lines, message = case.splitlines()
        left_out = {line.removeprefix("without "): None for line in lines if "=" not in line}
        fields = tomllib.loads("\n".join(line for line in lines if "=" in line))
        yield pytest.param(fields | left_out, message.strip(), id=message.strip()[:60])


@pytest.mark.parametrize(("fields", "message"), list(wrong()))
def test_a_wrong_field_is_named_with_what_it_may_be(path, fields, message):
    assert complaint(path, **fields) == message


def test_what_is_too_long_is_told_with_what_it_may_be(path):
    assert complaint(path, title="x" * 301) == "title is too long; expected 300 at most"
    players = ["greedy"] * 101
    assert complaint(path, players=players) == "players is too long; expected 100 at most"


def test_a_line_of_the_openings_file_is_named(path):
    (path.parent / "lines.txt").write_text("a1 b2\na1 a1\n", encoding="utf-8")
    assert "lines.txt, line 2: move 2, 'a1'" in complaint(path, openings="lines.txt")


def test_a_game_that_is_over_at_once_cannot_be_searched(path):
    write_game(path.parent / "heap.py", ("Heap(10, 0)", "Heap(0, 0)"))
    message = complaint(path, games=["heap.py"])
    assert message == "heap: the game is over where it begins"


@pytest.mark.parametrize(
    "text, where",
    [
        ("title = \n", "line 1"),
        ('title = "x"\ngames = ["a"', "end of document"),
        ("title = " + "9" * 5000, ""),
        ("title = " + "[" * 5000, ""),
    ],
    ids=["no value", "no end", "a long number", "many lists"],
)
def test_what_is_not_toml_is_told_with_its_place(path, text, where):
    path.write_text(text, encoding="utf-8")
    with pytest.raises(MalformedText, match=f"mine.toml: not TOML: .*{where}"):
        read_experiment(path)


def test_a_number_too_long_to_print_is_refused(path):
    path.write_text("seed = 0x" + "f" * 5000, encoding="utf-8")
    with pytest.raises(MalformedText, match=r"mine.toml: (seed = that|title is missing)"):
        read_experiment(path)


def test_what_is_not_text_says_so(path):
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(MalformedText, match="is not text in UTF-8"):
        read_experiment(path)


def test_a_missing_file_says_how_to_make_one(path):
    with pytest.raises(Unsupported, match="No such file or directory; `plyground lab new"):
        read_experiment(path)


# ------------------------------------------------------------------ anything

words = some.sampled_from(
    [
        *("depth", "{depth}", "leaves", "time", "points", "player", "game", "random:2", "b2", ""),
        *("alphabeta:depth={depth}", "greedy", "tictactoe", "x", "search", "match", "bars", "mean"),
    ]
)
keys = some.sampled_from(
    ["depth", "x", "y", "kind", "of", "game", "name", "player", "settings", "m", "series", "log"]
)
nested = some.recursive(
    some.booleans()
    | some.integers(-3, 12)
    | some.integers()
    | some.floats(allow_nan=False, allow_infinity=False)
    | some.text(max_size=12)
    | words,
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(keys, inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150)
@given(
    some.dictionaries(
        some.sampled_from(sorted(Wanted.model_fields)), nested, min_size=1, max_size=3
    )
)
def test_any_values_of_any_fields_are_read_or_refused(tmp_path_factory, fields):
    """An experiment can then tell all its cells; whatever is refused is refused in one line."""
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_text(toml(**(PLAIN | fields)), encoding="utf-8", errors="replace")
    try:
        experiment = read_experiment(path)
    except InputError as error:
        assert "\n" not in str(error)
        assert str(error).startswith(str(path))
    else:
        found = cells(experiment)
        assert found
        assert len({cell.key for cell in found}) == len(found)


@settings(max_examples=50)
@given(some.sampled_from(EXAMPLE.splitlines()), some.text(max_size=8) | words, some.integers(0, 80))
def test_a_spoilt_example_is_read_or_refused(tmp_path_factory, line, text, place):
    path = tmp_path_factory.getbasetemp() / "spoilt.toml"
    spoilt = EXAMPLE.replace(line, line[:place] + text + line[place + len(text) :], 1)
    path.write_text(spoilt, encoding="utf-8", errors="replace")
    try:
        assert cells(read_experiment(path), is_quick=True)
    except InputError as error:
        assert "\n" not in str(error)
        assert str(error).startswith(str(path))


def test_an_engine_that_is_not_there_ends_the_run_before_a_game_is_counted():
    engine = 'gtp:command="catt -u"'
    name_engine("catt -u")
    with pytest.raises(Unsupported, match="'catt' was not found; did you mean cat"):
        play_games("othello", ("random", engine))

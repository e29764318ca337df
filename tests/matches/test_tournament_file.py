"""The file of a tournament: what may stand in it, and what is said of everything else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from match_tools import toml
from user_games import write_game

from plyground.core.errors import InputError, MalformedText, Unsupported
from plyground.matches.openings import OpeningFile, RandomOpenings
from plyground.matches.tournament_file import EXAMPLE, ReadTournament, TournamentFile

PLAIN = {"game": "tictactoe", "players": ["random", "first"]}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cup.toml"


def read(path: Path, **fields: object) -> ReadTournament:
    given = {name: value for name, value in (PLAIN | fields).items() if value is not None}
    path.write_text(toml(**given), encoding="utf-8")
    return ReadTournament(path)


def complaint(path: Path, **fields: object) -> str:
    """What is said of such a file: one line, which names it."""
    with pytest.raises(InputError) as refusal:
        read(path, **fields)
    message = str(refusal.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


# ------------------------------------------------------------------ what may stand in it


def test_a_game_and_two_players_are_enough(path):
    cup = read(path)
    assert cup.title == "cup"
    assert cup.tournament.players == ["random", "first"]
    assert cup.tournament.format == "round-robin"
    assert cup.plan.spec.name == "mnk"
    assert cup.plan.pairs == 10
    assert cup.plan.openings == RandomOpenings(4)
    assert (cup.plan.seed, cup.plan.time_s, cup.plan.position) == (0, None, None)


def test_every_field_arrives(path):
    cup = read(
        path,
        name="A cup",
        game="connect4",
        settings={"width": 5, "height": 4, "connect": 3},
        players=["random", {"name": "The first", "player": "brute-force"}, "greedy"],
        format="gauntlet",
        heroes=2,
        games=6,
        openings="random:2",
        seed=5,
        time="500ms",
    )
    assert cup.title == "A cup"
    assert cup.plan.settings == {"width": 5, "height": 4, "connect": 3}
    assert cup.names == {"random": "random", "first": "The first", "greedy": "greedy"}
    assert (cup.tournament.format, cup.tournament.heroes) == ("gauntlet", 2)
    assert (cup.plan.pairs, cup.plan.seed, cup.plan.time_s) == (3, 5, 0.5)
    assert cup.plan.openings == RandomOpenings(2)
    assert cup.tournament.total == 3 * 2


def test_rounds_of_a_swiss_tournament(path):
    assert read(path, format="swiss", rounds=4).tournament.total == 4 * 10
    assert read(path, format="swiss").tournament.total == 10


@pytest.mark.parametrize("games, pairs", [(2, 1), (3, 2), (20, 10), (21, 11)])
def test_an_odd_number_of_games_is_rounded_up(path, games, pairs):
    assert read(path, games=games).plan.pairs == pairs


@pytest.mark.parametrize("time, seconds", [("2s", 2.0), (2, 2.0), (0.5, 0.5), ("1m", 60.0)])
def test_time_with_and_without_a_unit(path, time, seconds):
    assert read(path, time=time).plan.time_s == seconds


def test_settings_may_be_words_numbers_and_truths(path):
    cup = read(path, game="kalah", settings={"pits": 4, "captures": False})
    assert (cup.plan.settings["pits"], cup.plan.settings["captures"]) == (4, False)
    assert read(path, game="kalah", settings={"captures": "no"}).plan.settings["captures"] is False


def test_a_position_to_begin_from(path):
    cup = read(path, position="XO- --- ---", openings="random:1")
    assert cup.plan.start != cup.plan.spec.initial()


def test_files_are_meant_from_where_the_file_is(tmp_path, monkeypatch):
    folder = tmp_path / "cups"
    write_game(folder / "heap.py")
    (folder / "lines.txt").write_text("1 1\n2 1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    cup = read(Path("cups/cup.toml"), game="heap.py", openings="lines.txt", games=4)
    assert cup.plan.spec.name == "heap"
    assert cup.plan.openings == OpeningFile(Path("cups/lines.txt"))
    pairs = cup.plan.pairs_of(("random", "first"))
    assert [pair.opening for pair in pairs] == ["1; 1", "2; 1"]
    assert Path(pairs[0].game) == folder / "heap.py"


def test_an_absolute_path_stays_as_it_is(path, tmp_path):
    lines = tmp_path / "elsewhere" / "lines.txt"
    lines.parent.mkdir()
    lines.write_text("a1 b2\n", encoding="utf-8")
    assert read(path, openings=str(lines)).plan.openings == OpeningFile(lines)


def test_the_example_can_be_read_and_names_every_field(path):
    path.write_text(EXAMPLE, encoding="utf-8")
    cup = ReadTournament(path)
    assert cup.tournament.total == 6 * 10
    for field in set(TournamentFile.model_fields) - {"position"}:
        assert f"\n{field} = " in EXAMPLE or f"\n# {field} = " in EXAMPLE, field


def test_the_commented_fields_of_the_example_are_right_too(path):
    fields = [line[2:] for line in EXAMPLE.splitlines() if line.startswith("# ") and " = " in line]
    assert len(fields) >= 4
    path.write_text(EXAMPLE + "\n".join(fields) + "\n", encoding="utf-8")
    cup = ReadTournament(path)
    assert cup.plan.time_s == 1.0
    assert cup.plan.settings["width"] == 8
    assert (cup.tournament.heroes, cup.tournament.rounds) == (1, 5)


# ------------------------------------------------------------------ players


def test_a_wrong_player_is_named_by_its_number(path):
    players = ["random", "first", "alphabeta:dpeth=3"]
    expected = "players, number 3: unknown option of alphabeta 'dpeth'; did you mean depth?"
    assert complaint(path, players=players) == expected
    assert complaint(path, players=["frist", "random"]).startswith("players, number 1: ")


@pytest.mark.parametrize(
    "players, twice",
    [
        (["random", "first", "random"], "3: random"),
        (["first", "brute-force"], "2: first"),
        (["alphabeta:depth=2,order=all", "alphabeta:order=all,depth=2"], "2: alphabeta"),
        (["random", {"name": "random", "player": "first"}], "2: random"),
        ([{"name": "x", "player": "first"}, {"name": "x", "player": "random"}], "2: x"),
        ([{"name": "x", "player": "first"}, {"name": "y", "player": "first"}], "2: y"),
    ],
    ids=str,
)
def test_a_player_or_a_name_twice_is_refused(path, players, twice):
    message = complaint(path, players=players)
    assert message.startswith(f"players, number {twice}")
    assert message.endswith("is there twice")


@pytest.mark.parametrize(
    "entry",
    [3, True, ["random"], {"name": "x"}, {"player": "first"}, {"nmae": "x", "player": "first"}],
    ids=str,
)
def test_an_entry_that_is_no_player_shows_the_form(path, entry):
    message = complaint(path, players=["random", entry])
    assert message.startswith("players, number 2: ")
    assert "name" in message
    assert "player" in message


@pytest.mark.parametrize("player", ["human", "random-start(moves=2,then=human())"])
def test_people_do_not_play_in_tournaments(path, player):
    assert "human" in complaint(path, players=["random", player])


def test_an_evaluator_of_another_game_is_refused(path):
    message = complaint(path, game="connect4", players=["random", "alphabeta:eval=stages"])
    assert message.startswith("players, number 2: evaluator stages judges another game")


# ------------------------------------------------------------------ everything else that is wrong


@pytest.mark.parametrize(
    "fields, words",
    [
        ({"gmaes": 3}, ["unknown field 'gmaes'", "did you mean games?"]),
        ({"Format": "swiss"}, ["unknown field 'Format'", "did you mean format?"]),
        ({"game": None}, ["game is missing"]),
        ({"players": None}, ["players is missing"]),
        ({"game": "tictac"}, ["unknown game 'tictac'", "did you mean tictactoe?"]),
        ({"game": "no.py"}, ["no game file"]),
        ({"game": 3}, ["game 3", "string"]),
        ({"players": ["random"]}, ["players", "at least 2"]),
        ({"players": "random"}, ["players 'random'", "list"]),
        ({"format": "swis"}, ["format 'swis'", "round-robin", "gauntlet", "swiss"]),
        ({"heroes": 0}, ["heroes 0", "1"]),
        ({"format": "gauntlet", "heroes": 2}, ["heroes", "1"]),
        ({"rounds": 0}, ["rounds 0", "1"]),
        ({"rounds": "many"}, ["rounds 'many'", "integer"]),
        ({"games": 1}, ["games 1", "2"]),
        ({"games": 2.5}, ["games 2.5", "integer"]),
        ({"games": 10**9}, ["games 1000000000", "1000000"]),
        ({"seed": -1}, ["seed -1", "0"]),
        ({"seed": 2**64}, ["seed"]),
        ({"time": 0}, ["time '0'", "above 0"]),
        ({"time": "soon"}, ["time 'soon'", "2s"]),
        ({"time": True}, ["time True"]),
        ({"time": [1]}, ["time [1]"]),
        ({"openings": "random"}, ["openings 'random'", "random:4"]),
        ({"openings": "random:9"}, ["8 at most"]),
        ({"openings": "lines.txt"}, ["cannot read openings", "lines.txt"]),
        ({"openings": 4}, ["openings 4", "string"]),
        ({"settings": {"q": 1}}, ["unknown parameter of mnk 'q'"]),
        ({"settings": {"m": 99}}, ["m=99", "from 1 to"]),
        ({"settings": {"m": [1]}}, ["settings"]),
        ({"settings": 3}, ["settings 3"]),
        ({"name": 3}, ["name 3", "string"]),
        ({"position": 3}, ["position 3", "string"]),
    ],
    ids=str,
)
def test_a_wrong_field_is_named_with_what_it_may_be(path, fields, words):
    message = complaint(path, **fields)
    assert [word for word in words if word not in message] == []


def test_a_wrong_position_is_not_blamed_on_a_player(path):
    message = complaint(path, position="zz")
    assert "players" not in message
    assert "'z'" in message


@pytest.mark.parametrize("setting", [{"m": [1]}, {"m": {"n": 1}}], ids=str)
def test_a_wrong_setting_is_named(path, setting):
    assert "m" in complaint(path, settings=setting).partition(":")[0].removeprefix("settings")


def test_a_line_of_the_openings_file_is_named(path):
    (path.parent / "lines.txt").write_text("a1 b2\na1 a1\n", encoding="utf-8")
    message = complaint(path, openings="lines.txt")
    assert "lines.txt, line 2: move 2, 'a1'" in message


@pytest.mark.parametrize(
    "text, where",
    [
        ("game = \n", "line 1"),
        ('game = "x"\nplayers = ["random"\n', "end of document"),
        ('game = "x"\nplayers = [] []\n', "line 2"),
    ],
)
def test_what_is_not_toml_is_told_with_its_place(path, text, where):
    path.write_text(text, encoding="utf-8")
    with pytest.raises(MalformedText, match=f"cup.toml: not TOML: .*{where}"):
        ReadTournament(path)


LONG_NUMBER = f"0x{'f' * 5000}"


@pytest.mark.parametrize(
    "line, words",
    [
        ("seed = " + "9" * 5000, "a number too long"),
        ("seed = " + "[" * 5000, "brackets too deep"),
        (f"seed = {LONG_NUMBER}", "seed without end: input should be less than"),
        (f"time = {LONG_NUMBER}", "time without end"),
        (f"heroes = {LONG_NUMBER}", "heroes without end: input should be less than"),
        (f"settings = {{ m = {LONG_NUMBER} }}", "settings m without end"),
        ("settings." + "a." * 900 + "b = 1", "settings a "),
        ("a." * 100_000 + "b = 1", "a line with more than 1,000 dots"),
        ("#" * 2**20, "too long; expected at most 1,048,576 characters"),
    ],
    ids=lambda text: text[:20],
)
def test_what_has_no_end_is_refused(path, line, words):
    path.write_text(f"{toml(**PLAIN)}\n{line}\n", encoding="utf-8")
    with pytest.raises(MalformedText, match=f"cup.toml: .*{words}") as refusal:
        ReadTournament(path)
    assert len(str(refusal.value)) < len(str(path)) + 200


def test_a_name_that_no_file_can_have_is_refused():
    with pytest.raises(Unsupported, match=r"cannot read a.b: embedded null"):
        ReadTournament(Path("a\0b"))


def test_a_million_games_are_counted_at_once(path):
    """Their openings are looked for when they are played."""
    cup = read(path, game="othello", games=10**6, openings="random:8")
    assert cup.tournament.total == 500_000


def test_what_is_not_text_says_so(path):
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(MalformedText, match="is not text in UTF-8"):
        ReadTournament(path)


def test_a_missing_file_says_how_to_make_one(path):
    with pytest.raises(Unsupported, match="No such file or directory; `plyground tournament new"):
        ReadTournament(path)


def test_a_folder_is_no_tournament(tmp_path):
    with pytest.raises(Unsupported, match="Is a directory"):
        ReadTournament(tmp_path)


nested = some.recursive(
    some.booleans() | some.integers() | some.floats(allow_nan=False) | some.text(),
    lambda inner: (
        some.lists(inner, max_size=3)
        | some.dictionaries(some.sampled_from(["name", "player", "x"]), inner, max_size=2)
    ),
    max_leaves=5,
)


@settings(max_examples=100)
@given(some.sampled_from(sorted(TournamentFile.model_fields)), nested)
def test_any_value_of_any_field_is_read_or_refused(tmp_path_factory, field, value):
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_text(toml(**(PLAIN | {field: value})), encoding="utf-8", errors="replace")
    try:
        ReadTournament(path)
    except InputError as error:
        assert "\n" not in str(error)

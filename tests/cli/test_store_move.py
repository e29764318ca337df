"""`plyground store import|export|merge`: nothing is lost or comes twice, whoever interrupts.

With PLYGROUND_ARCHIVES set to a folder that has `wthor` in it, the whole archive goes in and out.
"""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars
import pytest
from command_line import one_line, refusal, run
from store_tools import named, random_game, records, told

from plyground.cli import store_move
from plyground.core.errors import Unsupported
from plyground.core.records import GameRecord
from plyground.formats import catalogue, sources, tables, targets
from plyground.formats.catalogue import find_format
from plyground.store.runs import NewRun, Runs
from plyground.store.store import Store

DATA = Path(__file__).parent.parent / "data" / "formats"
ARCHIVES = os.environ.get("PLYGROUND_ARCHIVES", "")
GAMES = "4453\n4444444\n121212\n"  # of Connect Four; the second is illegal


@pytest.fixture
def source(tmp_path) -> Path:
    path = tmp_path / "games.c4"
    path.write_text(GAMES)
    return path


def stored(name: str | Path | None = None) -> list[GameRecord]:
    with Store(None if name is None else str(name)) as store:
        return records(store)


def fill(*games: GameRecord) -> list[GameRecord]:
    with Store() as store:
        store.add(games)
    return list(games)


def othello(seed: int, **changes) -> GameRecord:
    return replace(random_game("othello", seed), **changes)


# ------------------------------------------------------------------ import


def test_import_tells_what_was_read_added_there_already_and_rejected(source):
    result = run("store", "import", source)
    assert (result.status, result.out) == (
        0,
        "3 games read: 2 added, 0 there already, 1 rejected\n",
    )
    assert result.err.splitlines()[-1].startswith("games.c4, line 2: move 7, '4': 4 is illegal")
    again = run("store", "import", source)
    assert again.out == "3 games read: 0 added, 2 there already, 1 rejected\n"
    assert len(stored()) == 2


def test_import_as_data(source):
    data = json.loads(run("store", "import", source, "--json").out)
    assert (data["added"], data["duplicates"], data["positions"]) == (2, 0, 0)
    assert data["rejected"][0]["place"] == "games.c4, line 2"
    assert data["interrupted"] is False


def test_a_folder_is_all_its_files_and_a_file_in_no_format_does_not_stop_the_others(tmp_path):
    folder = tmp_path / "folder"
    shutil.copytree(DATA, folder)
    (folder / "README").write_text("hello, world")
    (folder / ".hidden.c4").write_text("4453")
    (folder / "deeper").mkdir()
    result = run("store", "import", folder)
    assert result.status == 0
    assert "README: it is in no format that is known\n" in result.err
    assert ".hidden" not in result.err
    assert result.out.splitlines()[1] == "22 positions passed over: a store holds games"
    first = stored()[0]  # archives come first
    assert (first.players, first.event, first.date) == (("Ann", "Bøb"), "a cup", "1999")
    assert "0 added" in run("store", "import", folder).out


def test_names_beside_a_file_of_wthor_are_read_with_it():
    assert "5 added" in run("store", "import", DATA / "WTH_1999.wtb").out
    assert {record.players for record in stored()} == {("Ann", "Bøb")}


@pytest.mark.parametrize(
    "given",
    [[DATA, DATA], [DATA / "WTH_1999.wtb", DATA], [DATA, "--from", "wthor"]],
    ids=["a folder twice", "a file and its folder", "the format named"],
)
def test_no_file_is_read_twice(given, tmp_path):
    folder = tmp_path / "archive"
    folder.mkdir()
    for path in DATA.glob("WTH*"):
        shutil.copy(path, folder)
    moved = [folder / each.relative_to(DATA) if isinstance(each, Path) else each for each in given]
    assert run("store", "import", *moved).out.startswith("5 games read: 5 added, 0 there already")


def test_a_file_of_wthor_that_was_cut_gives_what_it_has_and_says_so(tmp_path):
    cut = tmp_path / "WTH_1999.wtb"
    cut.write_bytes((DATA / "WTH_1999.wtb").read_bytes()[:-10])
    result = run("store", "import", cut)
    assert result.out == "5 games read: 4 added, 0 there already, 1 rejected\n"
    assert result.err.startswith("WTH_1999.wtb: 346 bytes, but 5 games take 356")


def test_a_game_of_wthor_that_is_not_one_is_rejected_with_its_place(tmp_path):
    data = bytearray((DATA / "WTH_1999.wtb").read_bytes())
    data[16 + 8 + 1] = 99
    (tmp_path / "a.wtb").write_bytes(data)
    result = run("store", "import", tmp_path / "a.wtb")
    assert result.out.startswith("5 games read: 4 added")
    assert result.err == "a.wtb, game 1: move 2: 99 is not a square; expected 11 to 88\n"


def test_standard_input_is_read():
    result = run("store", "import", "-", typed="f5d6c3")
    assert result.out == "1 game read: 1 added, 0 there already, 0 rejected\n"


HARMLESS = {"game": "connect4", "players": ["a", "b"], "moves": [{"move": "4", "side": 0}]}
BIG = 2**64 - 1


@pytest.mark.parametrize(
    "changes, complaint",
    [
        ({"players": ["a\0", "b"]}, "has characters that cannot be stored"),
        ({"outcome": BIG}, "18,446,744,073,709,551,615 is more than a store can hold"),
        ({"date": "x" * 30}, f"date '{'x' * 30}': expected YYYY-MM-DD"),
        ({"moves": [{"move": "4", "side": 0, "nodes": BIG}]}, "nodes are more than a store can"),
        ({"moves": [{"move": "4", "side": 0, "depth": BIG}]}, "is more than a store can hold"),
    ],
)
def test_what_no_database_can_hold_is_rejected_alone(tmp_path, changes, complaint):
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in (HARMLESS, HARMLESS | changes)))
    result = run("store", "import", path)
    assert "2 games read: 1 added, 0 there already, 1 rejected" in result.out
    assert result.err.splitlines()[-1].startswith("a.jsonl, line 2: ")
    assert complaint in result.err


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        (["missing.c4"], "cannot read missing.c4: No such file or directory"),
        (["games.c4", "missing.wtb"], "cannot read missing.wtb: No such file or directory"),
        (["a\0b"], "cannot read"),
        (["games.c4", "--from", "gfg"], "unknown format 'gfg'; did you mean ggf?"),
        (["hello"], "no game could be read"),
        (["games.c4", "--from", "ggf"], "no game could be read"),
        (["boards.c4grid"], "3 positions and no games: a store holds games"),
        (["WTH.JOU"], "no game could be read"),
    ],
)
def test_what_cannot_be_taken_in_is_told(source, tmp_path, monkeypatch, arguments, complaint):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hello").write_text("hello, world")
    shutil.copy(DATA / "boards.c4grid", tmp_path)
    shutil.copy(DATA / "WTH.JOU", tmp_path)
    assert complaint in refusal(run("store", "import", *arguments)).splitlines()[-1]
    assert stored() == []


def test_a_file_that_is_too_large_is_told_with_its_name(source, monkeypatch):
    monkeypatch.setattr(sources, "MOST_BYTES", 5)
    assert "games.c4: games.c4 is larger than" in refusal(run("store", "import", source))


def test_ctrl_c_keeps_what_was_read_and_the_same_command_adds_the_rest(tmp_path, monkeypatch):
    path = tmp_path / "games.c4"
    path.write_text("".join(f"{column}{other}\n" for column in "1234567" for other in "1234567"))
    reading = store_move._read

    def interrupted(*arguments) -> Iterator[object]:
        for number, entry in enumerate(reading(*arguments), start=1):
            if number == 20:
                os.kill(os.getpid(), signal.SIGINT)
            yield entry

    monkeypatch.setattr(store_move, "_read", interrupted)
    result = run("store", "import", path)
    assert result.status == 130
    assert result.out == "19 games read: 19 added, 0 there already, 0 rejected\n"
    assert result.err.splitlines() == [
        "storing what has been read; Ctrl-C again to leave at once",
        "interrupted; the same command adds the rest",
    ]
    assert len(stored()) == 19
    monkeypatch.setattr(store_move, "_read", reading)
    assert run("store", "import", path).out.startswith("49 games read: 30 added, 19 there already")


def test_ctrl_c_twice_leaves_at_once(source, monkeypatch):
    def twice(*_: object) -> Iterator[object]:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        yield

    monkeypatch.setattr(store_move, "_read", twice)
    result = run("store", "import", source)
    assert (result.status, result.out) == (130, "")
    assert "what was stored stays, and the same command adds the rest" in result.err


def test_how_many_games_there_are_is_judged_by_how_files_begin(tmp_path, monkeypatch):
    for module in (sources, catalogue):
        monkeypatch.setattr(module, "HEAD_BYTES", 100)
    for name in ("a.c4", "b.c4"):
        (tmp_path / name).write_text("12121212\n" * 1000)
    shutil.copy(DATA / "WTH_1999.wtb", tmp_path)
    (tmp_path / "c.txt").write_text("f5")
    (tmp_path / "README").write_text("hello " * 100)
    assert sources.forecast(sources.survey([str(tmp_path)])) == 2000 + 5


# ------------------------------------------------------------------ export


def test_json_lines_lose_nothing(tmp_path):
    games = fill(told(random_game("connect4", 1)), othello(2, event="e", tags={"a": "b"}))
    target = tmp_path / "all.jsonl"
    assert run("store", "export", target).out == f"2 games written to {target} as jsonl\n"
    other = tmp_path / "other.db"
    assert "2 added" in run("store", "import", target, "--store", other).out
    assert stored(other) == games == stored()


def test_export_obeys_filters(tmp_path):
    fill(random_game("connect4", 1), othello(2, date="1999"), othello(3, date="2001"))
    target = tmp_path / "a.ggf"
    result = run("store", "export", target, "-g", "othello", "--since", "2000")
    assert result.out.startswith("1 game written")
    assert "DT[2001]" in target.read_text()


def test_what_a_format_cannot_hold_is_left_out_and_told_by_reason(tmp_path):
    fill(othello(1), *(random_game("connect4", seed) for seed in (2, 3, 4)), othello(5))
    target = tmp_path / "a.pgn"
    result = run("store", "export", target)
    assert result.out == f"2 games written to {target} as othello-pgn, 3 left out\n"
    assert result.err == "game 2 and 2 more: PGN holds Othello only, not connect4\n"
    assert target.read_text().count("[Event ") == 2


def test_an_ending_of_several_formats_is_settled_by_the_games_if_they_are_alike(tmp_path):
    fill(random_game("connect4", 1))
    assert "as connect4" in run("store", "export", tmp_path / "a.txt").out
    fill(othello(2))
    assert "say which format to write" in one_line(run("store", "export", tmp_path / "b.txt"))
    assert "as connect4" in run("store", "export", tmp_path / "b.txt", "-g", "connect4").out


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        (["a.nothing"], "the name 'a.nothing' says no format; known: "),
        (["a", "--to", "ggg"], "unknown format 'ggg'; did you mean ggf?"),
        (["a", "--to", "cvs"], "unknown format 'cvs'; did you mean csv?"),
        (["a", "--to", "double-card-trace"], "can only be read; to write there are"),
        (["a.ggf"], "GGF holds Othello only, not connect4"),
        (["-"], "say with --to what to write; known: "),
        (["no/such/folder.csv"], "cannot write no/such/folder.csv: No such file"),
        (["no/such/"], "cannot write no/such/: No such file or directory"),
        (["here.csv"], "here.csv exists already; give another name, or --force"),
        (["a.csv", "--player", "Player", "-g", "othello"], "no game in the store is like that"),
    ],
)
def test_what_cannot_be_given_out_is_told(tmp_path, monkeypatch, arguments, complaint):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here.csv").write_text("dear to me")
    fill(random_game("connect4", 1))
    message = one_line(run("store", "export", *arguments))
    assert complaint in message
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "here.csv"]
    assert (tmp_path / "here.csv").read_text() == "dear to me"


def test_an_empty_store_gives_out_nothing(tmp_path):
    message = one_line(run("store", "export", tmp_path / "a.csv"))
    assert message.startswith("nothing was written: the store is empty")
    assert not (tmp_path / "a.csv").exists()


def test_ctrl_c_leaves_no_file_and_the_one_that_was_there(tmp_path, monkeypatch):
    fill(random_game("connect4", 1))
    target = tmp_path / "a.jsonl"
    target.write_text("dear to me")

    def press(*_: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(targets, "write_lines", press)
    result = run("store", "export", target, "--force")
    assert (result.status, result.out, result.err) == (
        130,
        "",
        "interrupted; nothing was written\n",
    )
    assert target.read_text() == "dear to me"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.jsonl", "data"]
    monkeypatch.undo()


def test_standard_output_gets_the_games_alone():
    fill(random_game("connect4", 1))
    result = run("store", "export", "-", "--to", "jsonl")
    assert json.loads(result.out)["game"] == "connect4"
    assert result.err == "1 game written as jsonl\n"


# ------------------------------------------------------------------ tables


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_bytes().decode(), newline="")))


def test_csv_has_a_row_for_each_game(tmp_path):
    game = random_game("othello", 1, size=4)
    fill(replace(game, players=('Ann, "x"', "Bøb"), date="1999", event="a\ncup"))
    run("store", "export", tmp_path / "a.csv")
    (row,) = rows_of(tmp_path / "a.csv")
    assert (row["number"], row["game"], row["settings"]) == ("1", "othello", '{"size": 4}')
    assert (row["first"], row["second"], row["event"]) == ('Ann, "x"', "Bøb", "a\ncup")
    assert (float(row["points"]), int(row["outcome"])) == (game.points, game.outcome)
    assert row["moves"] == "; ".join(move.move for move in game.moves)
    assert int(row["plies"]) == len(game.moves)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_a_name_is_never_a_formula_in_a_spreadsheet(tmp_path, start):
    fill(othello(1, players=(f"{start}cmd|' /C calc'!A0", "a=b"), outcome=-12))
    run("store", "export", tmp_path / "a.csv")
    (row,) = rows_of(tmp_path / "a.csv")
    assert row["first"] == f"'{start}cmd|' /C calc'!A0"
    assert (row["second"], row["outcome"]) == ("a=b", "-12")


def test_parquet_has_the_same_columns_with_types_and_names_unchanged(tmp_path):
    games = [replace(random_game("connect4", seed), players=("=1+1", "Bøb")) for seed in range(5)]
    fill(*games, replace(games[0], points=None, outcome=None, ended="unfinished", seed=9))
    assert run("store", "export", tmp_path / "a.parquet").status == 0
    table = polars.read_parquet(tmp_path / "a.parquet")
    types = {name: str(kind).lower() for name, kind in table.schema.items()}
    assert list(types.items()) == list(tables.COLUMNS.items())
    rows = table.to_dicts()
    assert [row["number"] for row in rows] == [1, 2, 3, 4, 5, 6]
    assert rows[0]["first"] == "=1+1"
    assert rows[0]["points"] == games[0].points
    assert (rows[5]["points"], rows[5]["outcome"]) == (None, None)


# ------------------------------------------------------------------ archives of WTHOR


def test_a_folder_becomes_an_archive_with_names_that_can_be_taken_in_again(tmp_path):
    games = [
        othello(1, players=("Ann", "Bøb"), event="a cup", date="1999"),
        othello(2, players=("Bøb", ""), event="", date="2001-05-01"),
    ]
    fill(*games)
    folder = tmp_path / "archive"
    assert run("store", "export", f"{folder}/").out.startswith("2 games written")
    assert sorted(path.name for path in folder.iterdir()) == [
        *("WTH.JOU", "WTH.TRN", "WTH_1999.wtb", "WTH_2001.wtb"),
    ]
    other = tmp_path / "other.db"
    assert "2 added" in run("store", "import", folder, "--store", other).out
    back = stored(other)
    assert [record.players for record in back] == [("Ann", "Bøb"), ("Bøb", "???")]
    assert [record.event for record in back] == ["a cup", "Diverses parties"]
    for record, game in zip(back, games, strict=True):
        assert [move.move for move in record.moves] == [move.move for move in game.moves]
        assert record.outcome == game.outcome


def test_an_archive_goes_through_the_store_without_loss(tmp_path):
    run("store", "import", DATA / "WTH_1999.wtb")
    folder = tmp_path / "archive"
    folder.mkdir()
    run("store", "export", folder)
    assert "0 added, 5 there already" in run("store", "import", folder).out


def test_games_that_are_there_do_not_get_the_names_of_others(tmp_path):
    fill(othello(1))
    (tmp_path / "WTH_1977.WTB").write_bytes(b"dear to me")
    for options in ([], ["--force"]):
        message = one_line(run("store", "export", tmp_path, *options))
        assert "has an archive already (WTH_1977.WTB); give another folder" in message
    assert not (tmp_path / "WTH.JOU").exists()


def test_a_folder_is_for_nothing_else(tmp_path):
    fill(othello(1))
    message = one_line(run("store", "export", f"{tmp_path}/new/", "--to", "csv"))
    assert message == "a folder holds an archive of wthor; csv goes into a file"


def test_one_file_of_wthor_has_no_room_for_names_or_years(tmp_path):
    fill(othello(1, players=("", ""), date="1999"), othello(2, players=("", ""), date="2000"))
    message = one_line(run("store", "export", tmp_path / "a.wtb"))
    assert message.endswith("these are of 1999 to 2000: write an archive, in a folder")
    fill(othello(3, date="2010", players=("Ann", "")))
    message = one_line(run("store", "export", tmp_path / "a.wtb", "--since", "2010"))
    assert "'Ann' has no number; write an archive, in a folder" in message
    assert run("store", "export", tmp_path / "a.wtb", "--until", "1999").status == 0


def test_a_name_that_is_too_long_for_an_archive_leaves_its_game_out(tmp_path):
    fill(othello(1, players=("a name of twenty-six letters", "b")), othello(2, players=("a", "b")))
    result = run("store", "export", f"{tmp_path}/new/")
    assert "1 game written" in result.out
    assert "game 1: 'a name of twenty-six letters': wthor holds names up to 19" in result.err


# ------------------------------------------------------------------ merge


def two_stores(tmp_path: Path) -> tuple[Path, Path]:
    """Stores that share one game of three."""
    games = [told(random_game("connect4", seed)) for seed in range(3)]
    paths = tmp_path / "a.db", tmp_path / "b.db"
    for path, some in zip(paths, (games[:2], games[1:]), strict=True):
        with Store(str(path)) as store:
            store.add(some)
    return paths


def content(path: Path) -> dict[str, GameRecord]:
    with Store(str(path)) as store:
        return named(store)


def test_merging_in_either_direction_gives_the_same(tmp_path):
    first, second = two_stores(tmp_path)
    result = run("store", "merge", first, "--store", second)
    assert result.out == "1 game taken over, 1 were here already\n"
    run("store", "merge", second, "--store", first)
    assert content(first) == content(second)
    assert len(content(first)) == 3
    assert "0 games taken over, 3 were" in run("store", "merge", second, "--store", first).out


def test_a_new_store_may_be_made_by_merging(tmp_path):
    first, _ = two_stores(tmp_path)
    assert "2 games taken over" in run("store", "merge", first, "--store", tmp_path / "new.db").out


def test_runs_of_the_lab_are_merged_as_well(tmp_path):
    there, here = tmp_path / "there.db", tmp_path / "here.db"
    with Store(str(there)) as store:
        begun = Runs(store).begin(NewRun("toy", "digest", {}, False, None, {}, {}, 3))
    assert "and 1 run of the lab" in run("store", "merge", there, "--store", here).out
    with Store(str(here)) as store:
        assert [each.uid for each in Runs(store).runs()] == [begun.uid]
    assert "run of the lab" not in run("store", "merge", there, "--store", here).out


def test_what_cannot_be_merged_is_told(tmp_path):
    first, _ = two_stores(tmp_path)
    message = one_line(run("store", "merge", tmp_path / "none.db", "--store", first))
    assert "there is no store at" in message
    assert not (tmp_path / "none.db").exists()
    link = tmp_path / "link.db"
    link.symlink_to(first)
    for same in (first, link, f"sqlite:///{first}"):
        message = one_line(run("store", "merge", same, "--store", first))
        assert message == "a store cannot be merged with itself"


def test_ctrl_c_in_a_merge_keeps_what_was_taken_over(tmp_path, monkeypatch):
    first, second = two_stores(tmp_path)
    whole = Store.whole

    def interrupted(self: Store) -> Iterator[object]:
        for number, game in enumerate(whole(self), start=1):
            if number == 2:
                os.kill(os.getpid(), signal.SIGINT)
            yield game

    monkeypatch.setattr(Store, "whole", interrupted)
    result = run("store", "merge", first, "--store", second)
    assert (result.status, result.out) == (130, "1 game taken over, 0 were here already\n")
    assert result.err.endswith("interrupted; the same command takes over the rest\n")
    monkeypatch.undo()
    assert run("store", "merge", first, "--store", second).status == 0
    assert len(content(second)) == 3


def test_the_formats_of_tables_are_no_formats_to_read():
    for name in targets.TABLES:
        with pytest.raises(Unsupported, match="unknown format"):
            find_format(name)


if ARCHIVES:

    @pytest.mark.full
    def test_the_whole_of_wthor_goes_in_and_out_without_loss(tmp_path):
        whole = Path(ARCHIVES) / "wthor"
        assert run("store", "import", whole).out == (
            "137,548 games read: 137,548 added, 0 there already, 0 rejected\n"
        )
        again = "137,548 games read: 0 added, 137,548 there already, 0 rejected\n"
        assert run("store", "import", whole).out == again
        assert "137,548 games written" in run("store", "export", f"{tmp_path}/out/").out
        assert run("store", "import", tmp_path / "out").out == again

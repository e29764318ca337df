"""`plyground convert`: from one format to another, and nothing lost without a word."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import environment, one_line, refusal, run
from format_tools import records_in

from plyground.cli import convert as command
from plyground.formats import sources
from plyground.formats.catalogue import find_format, formats

DATA = Path(__file__).parent.parent / "data" / "formats"
GAMES = "4453\n4444444\n121212\n"  # the second is illegal


@pytest.fixture
def source(tmp_path) -> Path:
    path = tmp_path / "games.c4"
    path.write_text(GAMES)
    return path


def test_a_file_becomes_another(source, tmp_path):
    target = tmp_path / "games.jsonl"
    result = run("convert", source, target)
    assert (result.status, result.out) == (
        0,
        "2 games read as connect4, 2 written as jsonl, 1 rejected\n",
    )
    assert result.err.startswith("line 2: move 7, '4': 4 is illegal: the column is full")
    lines = [json.loads(line) for line in target.read_text().splitlines()]
    assert [[move["move"] for move in line["moves"]] for line in lines] == [
        list("4453"),
        list("121212"),
    ]
    back = tmp_path / "back.c4"
    assert run("convert", target, back).out.endswith(" 0 rejected\n")
    assert back.read_text() == "4453\n121212\n"


def test_content_decides_what_a_file_is(source, tmp_path):
    named_wrongly = tmp_path / "games.pgn"
    source.rename(named_wrongly)
    assert "2 games read as connect4" in run("convert", named_wrongly, tmp_path / "a.json").out


def test_formats_may_be_named(source, tmp_path):
    target = tmp_path / "games.data"
    result = run("convert", source, target, "--from", "connect4", "--to", "json")
    assert "written as json, 1 rejected" in result.out
    assert len(json.loads(target.read_text())) == 2


def test_a_format_that_does_not_fit_reads_nothing(source, tmp_path):
    message = refusal(run("convert", source, tmp_path / "a.json", "--from", "double-card"))
    assert "line 1: move 1, '4453'" in message
    assert message.endswith("error: nothing could be read as double-card\n")
    assert not (tmp_path / "a.json").exists()


def test_standard_input_and_output():
    result = run("convert", "-", "-", "--to", "jsonl", typed=GAMES)
    assert result.status == 0
    assert [json.loads(line)["game"] for line in result.out.splitlines()] == ["connect4"] * 2
    assert "2 games read as connect4, 2 written as jsonl, 1 rejected" in result.err


def test_bytes_pass_through_pipes_unchanged(tmp_path):
    data = (DATA / "WTH_1999.wtb").read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "plyground", "convert", "-", "-", "--to", "wthor"],
        env=environment(),
        input=data,
        capture_output=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == data


def test_the_output_needs_a_format():
    assert "say with --to what to write; known: " in one_line(run("convert", "-", "-"))


def test_positions_are_counted_as_such(tmp_path):
    result = run("convert", DATA / "boards.c4grid", tmp_path / "a.jsonl")
    assert result.out.startswith("3 positions read as connect4-grid, 3 written as jsonl")
    result = run("convert", DATA / "records.jsonl", tmp_path / "a.json")
    assert result.out.startswith("2 games and 1 position read as jsonl, 3 written as json")


# ------------------------------------------------------------------ what is it


def test_without_a_target_it_only_tells_what_it_was_given(source):
    result = run("convert", source)
    assert result.out == "Connect Four, 2 games, 1 not readable (format connect4)\n"
    assert result.err.startswith("line 2: move 7")
    assert run("convert", "-", typed="F5 d6 C3").out == (
        "Othello transcript, 3 moves (format othello-transcript)\n"
    )


def test_what_it_is_as_data(source):
    data = json.loads(run("convert", source, "--json").out)
    assert (data["format"], data["games"], data["positions"]) == ("connect4", 2, 0)
    assert data["rejected"][0]["place"] == "line 2"


def test_what_cannot_be_read_at_all_is_status_2(tmp_path):
    result = run("convert", DATA / "game.trace")
    assert result.status == 2
    assert "(format double-card-trace)" in result.out


def test_every_format_is_listed():
    shown = run("convert", "--formats").out
    assert all(name in shown for name in [*formats(), "csv", "parquet"])
    data = json.loads(run("convert", "--formats", "--json").out)
    assert [each["name"] for each in data] == list(formats())
    assert {each["name"] for each in data if not each["writes"]} == {
        "double-card-trace",
        "wthor-names",
    }


def test_without_anything_it_says_what_it_needs():
    assert one_line(run("convert")).startswith("say what to convert: plyground convert IN OUT")


# ------------------------------------------------------------------ tables and reports


def test_a_format_without_a_file_goes_to_the_output(source):
    result = run("convert", source, "--to", "csv")
    assert [line.rpartition(",")[2] for line in result.out.splitlines()] == [
        "moves",
        "4; 4; 5; 3",
        "1; 2; 1; 2; 1; 2",
    ]


def test_a_table_holds_games_only(tmp_path):
    result = run("convert", DATA / "records.jsonl", tmp_path / "a.csv")
    assert result.out.endswith("2 written as csv, 1 rejected\n")
    assert result.err == "line 3: a table holds games, not single positions\n"


def test_what_was_done_as_data(source, tmp_path):
    data = json.loads(run("convert", source, tmp_path / "a.jsonl", "--json").out)
    assert (data["format"], data["to"], data["written"]) == ("connect4", "jsonl", 2)
    assert len(data["rejected"]) == 1
    message = one_line(run("convert", source, "-", "--to", "csv", "--json"))
    assert message.startswith("--json tells what was done, and the output is taken")


def test_ctrl_c_writes_nothing(source, tmp_path, monkeypatch):
    def press(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", press)
    result = run("convert", source, tmp_path / "a.jsonl")
    assert (result.status, result.err) == (130, "interrupted; nothing was written\n")
    assert [path.name for path in tmp_path.iterdir()] == ["games.c4"]


# ------------------------------------------------------------------ WTHOR and its names


def test_a_folder_becomes_an_archive_with_names(tmp_path):
    result = run("convert", DATA / "games.ggf", f"{tmp_path}/new/")
    assert result.out == "4 games read as ggf, 1 written as wthor, 3 rejected\n"
    back = tmp_path / "back.jsonl"
    run("convert", tmp_path / "new", back)
    first = json.loads(back.read_text().splitlines()[0])
    assert (first["players"], first["event"]) == (["anna+", "Bo the 2nd"], "GGS/os")


def test_a_folder_with_an_archive_in_it_is_left_alone():
    message = one_line(run("convert", DATA / "games.ggf", DATA))
    assert "has an archive already (WTH.JOU); give another folder" in message


def test_a_folder_is_an_archive_of_wthor(tmp_path):
    target = tmp_path / "all.jsonl"
    assert "5 games read as wthor" in run("convert", DATA, target).out
    first = json.loads(target.read_text().splitlines()[0])
    assert (first["players"], first["event"], first["date"]) == (["Ann", "Bøb"], "a cup", "1999")


def test_names_beside_a_file_of_games_are_used(tmp_path):
    target = tmp_path / "a.jsonl"
    run("convert", DATA / "WTH_1999.wtb", target)
    assert '"players":["Ann","Bøb"]' in target.read_text()
    shutil.copy(DATA / "WTH_1999.wtb", tmp_path / "alone.wtb")
    run("convert", tmp_path / "alone.wtb", target, "--force")
    assert '"players":["",""]' in target.read_text()


def test_an_archive_goes_through_json_to_the_byte(tmp_path):
    between, target = tmp_path / "a.jsonl", tmp_path / "a.wtb"
    run("convert", DATA / "WTH_1999.wtb", between)
    assert run("convert", between, target).status == 0
    assert target.read_bytes() == (DATA / "WTH_1999.wtb").read_bytes()


def test_a_folder_of_something_else_is_refused(tmp_path):
    message = one_line(run("convert", tmp_path, tmp_path / "a.json"))
    assert "no games of WTHOR there" in message


# ------------------------------------------------------------------ what goes wrong


def test_nothing_is_written_over_unless_forced(source, tmp_path):
    target = tmp_path / "games.jsonl"
    target.write_text("dear to me")
    assert "exists already; give another name, or --force" in one_line(
        run("convert", source, target)
    )
    assert target.read_text() == "dear to me"
    assert run("convert", source, target, "--force").status == 0
    assert len(records_in(find_format("jsonl").read(target.read_bytes()))) == 2


def test_the_source_may_be_written_over_by_force(source):
    assert run("convert", source, source, "--force").status == 0
    assert source.read_text() == "4453\n121212\n"


def test_a_link_stays_a_link(source, tmp_path):
    real, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    real.write_text("")
    link.symlink_to(real)
    run("convert", source, link, "--force")
    assert link.is_symlink()
    assert real.read_text().count("\n") == 2


def test_a_failure_to_write_leaves_what_was_there(source, tmp_path, monkeypatch):
    target = tmp_path / "games.jsonl"
    target.write_text("dear to me")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    message = one_line(run("convert", source, target, "--force"))
    assert message.endswith("games.jsonl: No space left on device")
    assert target.read_text() == "dear to me"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.c4", "games.jsonl"]


def test_many_rejections_are_counted(tmp_path):
    source = tmp_path / "games.c4"
    source.write_text("4453\n" + "4444444\n" * 25 + "4453\n")
    result = run("convert", source, tmp_path / "a.jsonl")
    assert result.out == "2 games read as connect4, 2 written as jsonl, 25 rejected\n"
    assert result.err.count("the column is full") == command.SHOWN_REJECTED == 10
    assert result.err.splitlines()[-1] == "and 15 more that could not be read"


def test_what_the_target_cannot_hold_is_rejected_with_its_place(tmp_path):
    target = tmp_path / "a.txt"
    result = run("convert", DATA / "records.jsonl", target, "--to", "othello-transcript")
    assert result.status == 0
    assert result.out == (
        "2 games and 1 position read as jsonl, 1 written as othello-transcript, 2 rejected\n"
    )
    assert [line.split(":")[0] for line in result.err.splitlines()] == ["line 2", "line 3"]


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        (["missing.c4", "a.json"], "cannot read missing.c4: No such file or directory"),
        (["{games}", "a.json", "--from", "pgm"], "unknown format 'pgm'"),
        (["{games}", "a.json", "--to", "jsonn"], "unknown format 'jsonn'; did you mean json?"),
        (["{games}", "a.nothing"], "the name 'a.nothing' says no format; known: "),
        (["{games}", "a.pgn"], "Othello only, not connect4"),
        (["{games}", "a.x", "--to", "double-card-trace"], "double-card-trace can only be read"),
        (["{games}", "no/such/folder.json"], "cannot write no/such/folder.json: No such file"),
        (["{hello}", "a.json"], "it is in no format that is known; known: "),
        (["{empty}", "a.json"], "there is nothing in it; known: "),
    ],
)
def test_what_cannot_be_done_is_told(source, tmp_path, monkeypatch, arguments, complaint):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "hello").write_text("hello, world")
    (tmp_path / "empty").write_text("\n")
    names = {"games": source.name, "hello": "hello", "empty": "empty"}
    message = one_line(run("convert", *[text.format(**names) for text in arguments]))
    assert complaint in message
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith("a.")) == []


def test_a_file_that_is_too_large_is_refused(source, tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "MOST_BYTES", 5)
    assert "is larger than" in one_line(run("convert", source, tmp_path / "a.json"))
    result = run("convert", "-", "-", "--to", "json", typed=GAMES)
    assert "the input is larger than" in one_line(result)


def test_a_name_that_no_file_can_have_is_refused(source):
    assert "cannot read" in one_line(run("convert", "a\0b", "a.json"))
    assert "cannot write" in one_line(run("convert", source, "a\0b.json"))


# ------------------------------------------------------------------ the document


def test_the_document_has_every_format_with_its_endings():
    document = Path(__file__).parents[2] / "docs" / "formats.md"
    told: dict[str, str] = {}
    for line in document.read_text().splitlines():
        if line.startswith("| `"):
            names, suffixes, *_ = (cell.strip() for cell in line.strip("|").split("|"))
            told |= {name.strip("` "): suffixes for name in names.split(",")}
    assert set(told) == {*formats(), "csv", "parquet"}
    for each in formats().values():
        assert all(f"`{suffix}`" in told[each.name] for suffix in each.suffixes), each.name

"""One bad row or file breaks nothing else: it is shown as damaged, beside the others."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from command_line import refusal, run
from store_tools import random_game

from plyground.core.errors import MalformedText
from plyground.games.connect_four import GAME as CONNECT_FOUR
from plyground.matches.contests import contests
from plyground.solvers.connect_four.book import SHIPPED, books_folder, find_book, name_of, read_book
from plyground.store.run_files import write_run
from plyground.store.runs import NewRun, Runs, StoredCell
from plyground.store.store import Store
from plyground.web import lab_experiments, lab_runs
from plyground.web.job_routes import list_jobs
from plyground.web.store_routes import _row
from plyground.web.tournament_routes import summary
from plyground.work import jobs

RUN = NewRun("family", "abc", {"seed": 3}, True, 7, {"python": "3"}, {"cores": 2}, 2)
CELL = StoredCell("a", "task", {"n": 1}, {"nodes": 5}, {"wall": [0.5]}, 0.5)
WRONG_RUNS: list[dict[str, Any]] = [
    {"parameters": "{"},
    {"parameters": "[]"},
    {"parameters": "[" * 100_000},
    {"parameters": '{"a": 1e999}'},
    {"parameters": '{"a": "\\ud800"}'},
    {"versions": '{"python": 3}'},
    {"machine": ""},
    {"started": "yesterday"},
    {"started": "2026-01-01"},
    {"seed": "x"},
    {"total": -1},
    {"experiment": ""},
]
WRONG_CELLS: list[dict[str, Any]] = [
    {"answer": "nothing"},
    {"times": '{"wall": "long"}'},
    {"arguments": "7"},
    {"key": "k" * 1000},
    {"seconds": -1.0},
]
WRONG_GAMES: list[dict[str, Any]] = [
    {"settings": "{"},
    {"settings": '{"size": 1e999}'},
    {"tags": "[]"},
    {"tags": '{"a": 1}'},
    {"seed": "many"},
    {"result": 7},
    {"ended": "badly"},
    {"sides": "01"},
    {"sides": "xyz"},
    {"outcome": "won"},
]


def spoil(store: Store, table: str, number: int, wrong: dict[str, Any]) -> None:
    """Write into a row what no version of the program would."""
    name = next(iter(wrong))
    key = "run_id" if table == "cells" else "id"
    text = sqlalchemy.text(f"UPDATE {table} SET {name} = :value WHERE {key} = {number}")
    with store.engine.begin() as connection:
        connection.execute(text, {"value": wrong[name]})


def first_name(wrong: dict[str, Any]) -> str:
    return f"{next(iter(wrong))}-{str(next(iter(wrong.values())))[:12]}"


@pytest.fixture
def store() -> Any:
    """The usual store of a test, with two runs and two games."""
    with Store() as opened:
        runs = Runs(opened)
        for _ in range(2):
            number = runs.begin(RUN).id
            runs.add(number, CELL)
            runs.finish(number)
        opened.add([random_game("mnk", 1), random_game("mnk", 2)])
        yield opened


# ------------------------------------------------------------------ runs


@pytest.mark.parametrize("wrong", WRONG_RUNS, ids=first_name)
def test_a_damaged_run_is_shown_beside_the_others(store, wrong):
    spoil(store, "runs", 2, wrong)
    listed = run("lab", "runs")
    assert listed.status == 0
    assert "family@1" in listed.out
    assert f"@2: {next(iter(wrong))}: " in listed.out
    assert run("lab", "list").status == 0
    [first, second] = json.loads(run("lab", "runs", "--json").out)
    assert (first["number"], second["id"]) == (1, 2)
    assert second["problem"].startswith(next(iter(wrong)))
    assert "is damaged" in refusal(run("lab", "report", "2"))
    if "experiment" not in wrong:
        rows = lab_runs.list_runs("family", store)
        states = [(row["number"], row["state"]) for row in rows]
        assert states == [(1, "done"), (0, "shipped"), (2, "damaged")]
    assert {each["name"] for each in lab_experiments.list_experiments(store)} >= {"family"}


@pytest.mark.parametrize("wrong", WRONG_CELLS, ids=first_name)
def test_a_damaged_cell_harms_its_run_only(store, wrong, tmp_path):
    spoil(store, "cells", 2, wrong)
    rows = lab_runs.list_runs("family", store)
    assert "damaged" in rows[0]["answers"]
    assert rows[1]["answers"] == ""
    assert "is damaged" in refusal(run("lab", "compare", "1", "2"))
    assert run("lab", "export", "1", tmp_path / "one.jsonl.gz").status == 0
    with Store(str(tmp_path / "other.db")) as other:
        assert Runs(other).merge(Runs(store)) == 1


@pytest.mark.parametrize("wrong", WRONG_RUNS, ids=first_name)
def test_a_damaged_file_of_a_run_is_not_committed(store, wrong, tmp_path):
    path = tmp_path / "run.jsonl.gz"
    write_run(Runs(store).whole(1), path)
    first, *cells = gzip.decompress(path.read_bytes()).splitlines()
    changed = json.dumps({**json.loads(first), "uid": "f" * 32, **wrong}).encode()
    path.write_bytes(gzip.compress(b"\n".join([changed, *cells])))
    told = refusal(run("lab", "import", path))
    assert "line 1" in told.replace("\n", " ")
    assert next(iter(wrong)) in told
    assert [each.id for each in Runs(store).runs()] == [2, 1]
    assert Runs(store).damaged() == []


@pytest.mark.parametrize("wrong", WRONG_CELLS, ids=first_name)
def test_a_file_with_a_damaged_cell_is_not_committed(store, wrong, tmp_path):
    path = tmp_path / "run.jsonl.gz"
    write_run(Runs(store).whole(1), path)
    first, cell = gzip.decompress(path.read_bytes()).splitlines()
    changed = json.dumps({**json.loads(cell), **wrong}).encode()
    other = json.dumps({**json.loads(first), "uid": "f" * 32}).encode()
    path.write_bytes(gzip.compress(b"\n".join([other, changed])))
    assert "line 2" in refusal(run("lab", "import", path)).replace("\n", " ")
    assert [each.id for each in Runs(store).runs()] == [2, 1]


def test_bytes_that_do_not_unpack_are_the_documented_error(store, tmp_path):
    path = tmp_path / "run.jsonl.gz"
    write_run(Runs(store).whole(1), path)
    content = bytearray(path.read_bytes())
    seen = set()
    for place in range(10, len(content)):
        content[place] ^= 0xFF
        path.write_bytes(content)
        seen.add(refusal(run("lab", "import", path)).partition(":")[0])
        content[place] ^= 0xFF
        if place > 40:
            break
    assert seen == {"error"}


# ------------------------------------------------------------------ games


@pytest.mark.parametrize("wrong", WRONG_GAMES, ids=first_name)
def test_a_damaged_game_is_shown_beside_the_others(store, wrong, tmp_path):
    spoil(store, "games", 1, wrong)
    listed = run("store", "games")
    assert listed.status == 0
    assert "damaged" in listed.out
    by_number = {stored.id: stored for stored in store.games()}
    assert (bool(by_number[1].problem), by_number[2].problem) == (True, "")
    assert (_row(by_number[1])["ended"], _row(by_number[2])["ended"]) == ("damaged", "over")
    shown = run("store", "show", "1")
    assert (shown.status, "is damaged" in shown.out) == (0, True)
    with Store(str(tmp_path / "other.db")) as other:
        assert other.merge(store).added == 1
    assert run("store", "export", tmp_path / "out.json").status == 0
    assert run("store", "stats").status == 0


# ------------------------------------------------------------------ jobs and matches


@pytest.mark.parametrize("wrong", [{"pairs": "all"}, {"players": ["a"]}, {"sprt": {"elo0": 1}}])
def test_damaged_terms_of_a_match_are_told_on_its_line(tmp_path, wrong):
    terms = {
        "game": "mnk",
        "settings": {},
        "position": None,
        "players": ["first", "random"],
        "openings": "random:1",
        "pairs": 2,
        "seed": 0,
        "time_s": None,
        "sprt": None,
        "event": "match",
    }
    for number, changes in enumerate((wrong, {})):
        about = {**terms, **changes, "journal": str(tmp_path / f"{number}.jsonl")}
        jobs.create("match", f"match {number}", ["match"], about)
    told = [summary(contest) for contest in contests()]
    problems = {each["title"]: each["problem"] for each in told}
    assert problems["match 1"] is None
    assert next(iter(wrong)) in problems["match 0"]


@pytest.mark.parametrize("journal", [7, None, "a\0b", ["x"]], ids=str)
def test_a_journal_that_is_no_file_harms_no_list(journal):
    jobs.create("match", "a - b", ["match"], {"journal": journal})
    assert contests() == []
    assert [each["address"] for each in list_jobs()] == [None]


# ------------------------------------------------------------------ books


@pytest.fixture
def damaged_book() -> Path:
    shipped = next(path for path in SHIPPED.iterdir() if path.suffix == ".book")
    path = books_folder() / name_of(7, 6, 9)
    path.parent.mkdir(parents=True)
    path.write_bytes(shipped.read_bytes())  # whole, but of fewer plies than its name says
    return path


def test_a_damaged_book_is_shown_and_passed_over(damaged_book):
    listed = run("book", "list")
    assert listed.status == 0
    assert f"damaged: {damaged_book}" in listed.out.replace("\n", "")
    assert "positions" in listed.out
    problems = [each for each in json.loads(run("book", "list", "--json").out) if "problem" in each]
    assert [each["path"] for each in problems] == [str(damaged_book)]
    found = find_book(CONNECT_FOUR.initial())
    assert found is not None
    assert found.plies < 9


@pytest.mark.parametrize(
    "header",
    [
        b"[" * 900,
        b'{"plyground-book": "connect4", "width": 1e999}',
        b'{"plyground-book": "connect4", "width": 7, "height": 6, "plies": 4, "positions": 1e9}',
        b'{"plyground-book": "connect4", "width": 7, "height": 6, "plies": 4, "positions": true}',
    ],
    ids=range(4),
)
def test_the_header_of_a_book_is_checked_whole(damaged_book, header):
    damaged_book.write_bytes(header + b"\n" + damaged_book.read_bytes().partition(b"\n")[2])
    with pytest.raises(MalformedText, match="is not a book"):
        read_book(damaged_book)

"""A user's own study is a folder like those of the catalogue, named by its `study.py`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run

from plyground import extensions

STUDY = '''
"""Leaves of tic-tac-toe, as somebody printed them."""

from pydantic import Field

from plyground.lab.spec import Cell, Measured, Parameters
from plyground.lab.study import printed, study
from plyground.lab.tasks import search_position

PRINTED = printed(__file__)


class MyParameters(Parameters):
    depths: tuple[int, ...] = Field((1, 2, 3), description="Plies of each search.")


def cells(parameters):
    searches = [
        Cell.of(search_position, game="tictactoe", player=f"minimax:depth={depth}")
        for depth in parameters.depths
    ]
    return [*searches, Cell.of(squared, number=len(parameters.depths))]


def squared(number):
    """A task of the user's own."""
    return Measured({"number": number, "square": number**2})


def findings(parameters, run):
    found = run.frame(search_position)
    return {
        "by_depth": found.select("depth", "leaves"),
        "leaves": {str(depth): leaves for depth, leaves in found.select("depth", "leaves").rows()},
        "square": run.frame(squared)["square"][0],
    }


EXPERIMENT = study(
    __file__,
    name="my-study",
    title="Leaves of tic-tac-toe",
    question="How many leaves has the game?",
    parameters=MyParameters,
    quick={"depths": (1, 2)},
    cells=cells,
    findings=findings,
)
'''
PUBLISHED = {
    "citation": {"authors": "Ada", "title": "Noughts", "place": "Notes", "year": 1842},
    "tables": {
        "leaves": {
            "title": "Leaves",
            "columns": [{"name": "depth"}, {"name": "leaves"}],
            "rows": [[1, 9], [2, 72], [3, 500]],
        }
    },
    "claims": {
        "leaves": {
            "claim": "To these depths the game has so many leaves",
            "place": "table 1",
            "ours": "leaves",
            "published": "{'1': 9, '2': 72, '3': 500}",
            "rule": {"equal": {}},
        }
    },
}
REPORT = """\
Three squared is {{ square }}.

## Leaves

{{ beside("leaves", by_depth, "Ours") }}
{{ claim("leaves") }}
"""


pytestmark = pytest.mark.usefixtures("plain")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    folder = tmp_path / "my_study"
    folder.mkdir()
    (folder / "published.json").write_text(json.dumps(PUBLISHED))
    (folder / "report.md.j2").write_text(REPORT)
    (folder / "study.py").write_text(STUDY)
    return folder / "study.py"


def test_a_folder_is_run_judged_and_reported_like_a_study_of_the_catalogue(
    file: Path, tmp_path: Path
) -> None:
    shown = run("lab", "show", file)
    assert "after Ada (1842). Noughts. Notes." in shown.out
    result = run("lab", "run", file, "--out", tmp_path / "report")
    assert result.status == 0, result
    assert "Three squared is 9." in result.out
    page = (tmp_path / "report" / "my-study.html").read_text()
    assert "2 of 3 are equal; 3 is 504 and not 500." in page
    assert f"plyground lab run {file}" in page
    assert run("lab", "report", f"{file}@1").status == 0
    again = run("lab", "run", file, "--no-report")
    assert again.err.startswith("my-study@1 measured all this on ")
    assert run("lab", "run", file, "--quick", "--jobs", "2", "--no-report").status == 0


def test_another_task_is_another_run_and_another_document_is_not(file: Path) -> None:
    assert run("lab", "run", file, "--quick", "--no-report").status == 0
    file.with_name("report.md.j2").write_text("It is {{ square }}.\n")
    assert run("lab", "run", file, "--quick", "--no-report").err.startswith("my-study@1 measured")
    extensions.forget_all()  # as another process does
    file.write_text(STUDY.replace("number**2", "number**3"))
    assert "(code)" in run("lab", "run", file, "--quick", "--no-report").err


@pytest.mark.parametrize(("name", "line"), [("published.json", 10), ("report.md.j2", 39)])
def test_what_is_missing_in_the_folder_is_named(file: Path, name: str, line: int) -> None:
    file.with_name(name).unlink()
    result = run("lab", "run", file)
    assert (result.status, result.out) == (1, "")
    assert f"study.py:{line}: FileNotFoundError" in result.err
    assert name in result.err

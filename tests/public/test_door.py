"""`import plyground`: light, complete, and the same whatever else was imported."""

from __future__ import annotations

import doctest
import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest

import plyground as pg
from plyground.games.catalogue import games
from plyground.search.catalogue import ALGORITHMS

HEAVY = ("numba", "sqlalchemy", "fastapi", "polars", "rich", "pydantic", "numpy")


def python(code: str, *arguments: str, folder: Path | None = None) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_it_imports_nothing_heavy():
    code = "import sys, json, plyground as pg; dir(pg); print(json.dumps(sorted(sys.modules)))"
    loaded = set(json.loads(python(code)))
    assert not loaded & set(HEAVY)


def test_a_position_needs_no_compiler_and_no_database():
    code = (
        "import sys, json, plyground as pg\n"
        "p = pg.Position('othello', 'f5 d6'); repr(p); p.legal; pg.games['othello']\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    loaded = set(json.loads(python(code)))
    assert not loaded & {"numba", "sqlalchemy", "fastapi", "polars"}


def test_everything_public_is_there_and_documented():
    assert pg.__version__ and set(pg.__all__) <= set(dir(pg))
    assert pg.__all__ == sorted(pg.__all__)
    for name in pg.__all__:
        value = getattr(pg, name)
        assert value is not None
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), name
        if inspect.isclass(value) and value.__module__.startswith("plyground.public"):
            methods = [each for each in vars(value).values() if inspect.isfunction(each)]
            public = [each for each in methods if not each.__name__.startswith("_")]
            named = {"rows", "row", "as_data", "close"}
            assert all(each.__doc__ or each.__name__ in named for each in public), name


def test_the_examples_in_the_docstrings_are_right():
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner()
    public = [getattr(pg, name) for name in pg.__all__]
    made_here = [each for each in public if getattr(each, "__module__", "").startswith("plyground")]
    examples = [test for each in made_here for test in finder.find(each, "", globs={})]
    assert sum(runner.run(test).attempted for test in examples) > 10
    assert runner.failures == 0


def test_the_names_that_programs_are_written_with_are_there():
    names = "Position Game Parameter Board compilable read read_games match tournament open_store"
    names += " games algorithms evaluators players formats experiments InputError IllegalMove"
    assert set(names.split()) <= set(pg.__all__)


def test_what_is_not_public_is_an_error():
    with pytest.raises(AttributeError):
        _ = pg.nonsense
    with pytest.raises(ImportError):
        exec("from plyground import nonsense")


@pytest.mark.parametrize("name", ["games", "players", "formats"])
def test_catalogues_stay_catalogues_when_their_folder_is_imported(name):
    code = (
        "import sys, importlib, plyground as pg\n"
        "name = sys.argv[1]\n"
        "module = importlib.import_module(f'plyground.{name}.catalogue')\n"
        "exec(f'import plyground.{name}.catalogue as c; assert c is module')\n"
        "exec(f'import plyground.{name}.catalogue')\n"
        "assert getattr(pg, name).catalogue is module\n"
        "print(type(getattr(pg, name)).__name__, len(getattr(pg, name)) > 2)"
    )
    assert python(code, name) == "Catalogue True\n"


def test_the_lab_stays_the_lab_when_its_folder_is_imported():
    code = (
        "import plyground as pg, plyground.lab.statistics as s\n"
        "from plyground.lab import study\n"
        "import plyground.lab.frames\n"
        "assert pg.lab.statistics is s and plyground.lab.frames.by\n"
        "print(type(pg.lab).__name__, callable(pg.lab.grid), hasattr(pg.lab, 'nonsense'))"
    )
    assert python(code) == "Lab True False\n"


def test_catalogues_are_mappings_with_suggestions():
    assert list(pg.games) == list(games()) and len(pg.games) == len(games())
    assert pg.games["reversi"].name == "othello" and "reversi" in pg.games
    assert [each.name for each in pg.algorithms.values()] == [each.name for each in ALGORITHMS]
    assert pg.algorithms.get("nonsense") is None and "nonsense" not in pg.algorithms
    assert pg.algorithms.get("nonsense", 3) == 3 and 3 not in pg.algorithms
    for catalogue in (pg.games, pg.algorithms, pg.evaluators, pg.players, pg.formats):
        name = next(iter(catalogue))
        with pytest.raises(pg.Unsupported, match=f"did you mean {name}"):
            catalogue[name[:-1] + "q" if len(name) < 5 else name[:-1]]
        assert catalogue.frame().height == len(catalogue)
        assert "<table>" in catalogue._repr_html_() and name in repr(catalogue)
        assert name in catalogue._ipython_key_completions_()
    assert "connect4-mtdf" in pg.experiments


def test_the_package_is_typed():
    package = Path(inspect.getfile(pg)).parent
    assert (package / "py.typed").exists()
    stub = (package / "__init__.pyi").read_text(encoding="utf-8")
    assert all(f" as {name}\n" in stub for name in pg.__all__ if name != "__version__")

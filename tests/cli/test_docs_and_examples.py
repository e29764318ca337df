"""`plyground docs` and `plyground examples`, in a checkout and as the wheel installs them."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from command_line import environment, one_line, run
from hatchling.builders.wheel import WheelBuilder
from terminal import Terminal

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.stem.lower() for path in (ROOT / "docs").glob("*.md"))
EXAMPLES = sorted(path for path in (ROOT / "examples").iterdir() if path.is_file())


# ------------------------------------------------------------------ pages


def test_every_page_is_listed_with_what_it_is_about():
    listed = json.loads(run("docs", "--json").out)
    assert sorted(each["name"] for each in listed) == PAGES
    assert all(len(each["summary"]) > 20 and "\n" not in each["summary"] for each in listed)
    shown = run("docs").out
    assert all(f"\n{name} " in shown for name in PAGES)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_shown_without_its_markup(name):
    (path,) = (each for each in (ROOT / "docs").glob("*.md") if each.stem.lower() == name)
    title = path.read_text().partition("\n")[0].removeprefix("# ")
    shown = run("docs", name).out
    assert shown.splitlines()[0].strip() == title
    assert "**" not in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_a_page_is_found_by_the_name_of_its_file():
    assert run("docs", "Glossary.md").out == run("docs", "glossary").out


def test_at_a_terminal_a_page_is_shown_by_a_pager(tmp_path):
    pager = tmp_path / "pager"
    pager.write_text("#!/bin/sh\necho paged\ncat > " + str(tmp_path / "seen"))
    pager.chmod(0o755)
    with Terminal("docs", "glossary", PAGER=str(pager)) as terminal:
        terminal.wait_for("paged")
        terminal.wait_for_end()
    assert "Glossary" in (tmp_path / "seen").read_text()


@pytest.mark.parametrize(
    ("command", "near"),
    [(("docs", "evaluatrs"), "evaluators"), (("examples", "hexpawn"), "hexapawn")],
)
def test_a_name_that_is_not_there_gets_the_nearest(command, near):
    assert f"did you mean {near}" in one_line(run(*command))


# ------------------------------------------------------------------ examples


def test_every_example_is_listed_and_those_with_words_say_what_they_are():
    listed = {each["name"]: each["summary"] for each in json.loads(run("examples", "--json").out)}
    assert list(listed) == [path.name for path in EXAMPLES]
    assert listed["hexapawn.py"].startswith("Hexapawn (Martin Gardner 1962)")
    assert all(about for name, about in listed.items() if name.endswith((".py", ".ipynb")))
    shown = [line.split() for line in run("examples").out.splitlines()]
    assert ["first-steps.ipynb", "First", "steps"] in shown


def test_an_example_is_printed_as_it_is_and_a_notebook_as_what_was_typed():
    assert run("examples", "hexapawn").out == (ROOT / "examples/hexapawn.py").read_text()
    notebook = json.loads((ROOT / "examples/first-steps.ipynb").read_text())
    shown = run("examples", "first-steps.ipynb").out
    for cell in notebook["cells"]:
        assert "".join(cell["source"]) in shown
    assert "outputs" not in shown


def test_examples_are_copied_and_nothing_is_written_over(tmp_path):
    assert run("examples", "hexapawn", "--to", tmp_path / "new").status == 0
    copy = tmp_path / "new/hexapawn.py"
    assert copy.read_bytes() == (ROOT / "examples/hexapawn.py").read_bytes()
    copy.write_text("mine")
    for asked in (("hexapawn",), ()):
        told = one_line(run("examples", *asked, "--to", tmp_path / "new"))
        assert "hexapawn.py exists already" in told
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["hexapawn.py"]
    assert copy.read_text() == "mine"
    assert run("examples", "--to", tmp_path / "all").status == 0
    copies = {path.name: path.read_bytes() for path in (tmp_path / "all").iterdir()}
    assert copies == {path.name: path.read_bytes() for path in EXAMPLES}


def test_a_folder_that_cannot_be_is_refused(tmp_path):
    (tmp_path / "file").touch()
    assert "cannot write" in one_line(run("examples", "hexapawn", "--to", tmp_path / "file"))


# ------------------------------------------------------------------ in the wheel


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an installed package, from a wheel that is built as for users."""
    folder = tmp_path_factory.mktemp("wheel")
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    zipfile.ZipFile(wheel).extractall(folder / "site")
    return folder / "site"


def files_below(folder: Path) -> set[str]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)) for path in found if "__pycache__" not in path.parts}


def test_the_wheel_has_the_package_the_pages_and_the_examples_and_nothing_else(installed):
    package, own = installed / "plyground", ROOT / "src/plyground"
    expected = files_below(own) | {f"_examples/{name}" for name in files_below(ROOT / "examples")}
    expected |= {f"_docs/{path.name}" for path in (ROOT / "docs").glob("*.md")}
    assert files_below(package) == expected


def test_an_installed_package_shows_its_own_pages_and_examples(installed, tmp_path):
    def asked(*words: str) -> str:
        command = [sys.executable, "-m", "plyground", *words]
        place = environment(PYTHONPATH=str(installed))
        return subprocess.run(
            command, cwd=tmp_path, env=place, capture_output=True, text=True, check=True
        ).stdout

    assert asked("docs", "glossary") == run("docs", "glossary").out
    assert "written: here" in asked("examples", "hexapawn", "--to", "here")
    assert (tmp_path / "here/hexapawn.py").exists()

"""The documents are true: every command and every line of Python in them is run.

So are the examples in docstrings, which the reference shows.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LONG = ("lab.md", "matches.md", "engine.md", "store.md")  # a quarter of a minute each
SHOWN = [
    pytest.param(path, marks=pytest.mark.full) if path.name in LONG else path for path in DOCUMENTS
]

PROGRESS = re.compile(r"compiling |\d+/\d+ (games|cells), ")  # what a slow machine adds
TYPED = {"__name__": "__main__"}  # examples are what somebody types into a program of their own
FENCE = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^ *>>> ", re.MULTILINE)
MODULES = sorted(ROOT.glob("src/plyground/**/*.py"))
WITH_EXAMPLES = [path for path in MODULES if EXAMPLE.search(path.read_text(encoding="utf-8"))]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("document", SHOWN, ids=name_of)
def test_what_a_document_shows_is_what_happens(document: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for language, file_name, body in FENCE.findall(document.read_text()):
        if file_name:
            (tmp_path / file_name).write_text(body)
        elif language == "console":
            run_session(body, tmp_path)
        elif language == "python":
            run_doctest(document, body)


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", document.read_text()):
        if not target.startswith("http"):
            assert (document.parent / target).exists(), target


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=name_of)
def test_examples_in_docstrings_are_true(path: Path) -> None:
    module = import_module(".".join(path.relative_to(ROOT / "src").with_suffix("").parts))
    flags = doctest.NORMALIZE_WHITESPACE
    results = doctest.testmod(module, optionflags=flags, extraglobs=TYPED)
    assert results.failed == 0
    assert results.attempted == len(EXAMPLE.findall(path.read_text(encoding="utf-8")))


def run_session(session: str, folder: Path) -> None:
    """Lines after `$ ` are commands, the lines below what they print; `...` stands for anything."""
    for block in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        command, _, expected = block.partition("\n")
        assert command.startswith("plyground "), command
        shell = f"{sys.executable} -m {command}"
        environment = os.environ | {"COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}
        environment["PLYGROUND_DATA"] = str(folder / "data")
        run = subprocess.run(
            shell, shell=True, cwd=folder, env=environment, capture_output=True, text=True
        )
        said = [line for line in run.stderr.splitlines() if not PROGRESS.match(line)]
        printed = "\n".join(line.rstrip() for line in [*run.stdout.splitlines(), *said])
        pattern = ".*".join(re.escape(part) for part in expected.rstrip().split("..."))
        assert re.fullmatch(pattern, printed.rstrip(), re.DOTALL), f"{command}\n{printed}"


def run_doctest(document: Path, source: str) -> None:
    test = doctest.DocTestParser().get_doctest(source, TYPED, document.name, str(document), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test)
    assert test.examples, "a python block without >>> is not checked"
    assert runner.summarize(verbose=False).failed == 0

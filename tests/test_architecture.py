"""The shape of the package: who may import whom, and that every file says what it is for."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import plyground

PACKAGE = Path(plyground.__file__).parent
ROOT = Path(__file__).parents[1]
MODULES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_every_module_says_what_it_is_for(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert docstring, f"{path.relative_to(PACKAGE)} has no docstring"
    assert docstring.splitlines()[0].endswith((".", ":"))


def test_imports_go_downward_only() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [linter, "--no-cache"], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout

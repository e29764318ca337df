"""Starting up: a command waits for its own imports only, and the lists of commands are true."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest
from command_line import environment, refusal, run

from plyground.cli import app, store
from plyground.cli.lazy import load_command

LISTED = {
    **{name: (help_, app.MODULES.get(name, name)) for name, help_ in app.COMMANDS.items()},
    **{f"store {name}": (help_, store.MODULES[name]) for name, help_ in store.COMMANDS.items()},
}
HEAVY = ("sqlalchemy", "alembic", "numba", "polars", "plyground.store", "plyground.search")


def imported_by(code: str) -> set[str]:
    """The modules that a new process has after some code."""
    script = f"import sys\n{code}\nprint('\\n'.join(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


def test_the_command_line_starts_without_what_is_heavy():
    assert not imported_by("import plyground.cli.app").intersection(HEAVY)


@pytest.mark.parametrize("arguments", [["--help"], ["store", "--help"], ["games"]])
def test_help_and_lists_need_no_database(arguments):
    code = f"sys.argv[1:] = {arguments}\nfrom plyground.cli.app import main\n"
    modules = imported_by(f"{code}try: main()\nexcept SystemExit: pass")
    assert "plyground.cli.app" in modules
    assert not modules.intersection(("sqlalchemy", "plyground.store", "numba"))


@pytest.mark.parametrize("name", LISTED)
def test_a_listed_command_is_there_and_says_of_itself_what_the_list_says(name):
    help_, module = LISTED[name]
    loaded = load_command(name.removeprefix("store "), module)
    told = inspect.getdoc(loaded.callback) if loaded.callback else loaded.help
    assert help_ == (told or "").partition("\n\n")[0].replace("\n", " ")


def test_every_command_is_in_the_help_with_its_own_help_behind_it():
    shown = run("--help").out
    assert all(f" {name} " in shown for name in app.COMMANDS)
    assert "Of this game only." in run("store", "games", "-h").out


def test_a_command_that_does_not_exist_is_not_looked_for():
    assert "Did you mean 'store'?" in refusal(run("stor"))
    assert "No such command" in refusal(run("store", "imprt"))


def test_a_command_elsewhere_may_be_a_group():
    group = load_command("store", "store")
    assert list(group.commands) == list(store.COMMANDS)

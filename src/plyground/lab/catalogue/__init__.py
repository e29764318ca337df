"""The experiments there are: the modules of this package, each of which ends in EXPERIMENT.

An experiment is called as its module is, with hyphens: `connect4_mtdf.py` is `connect4-mtdf`. A
module is imported when its experiment is asked for. A user's own is in a Python file that they
named (`extensions.py`), or in a file that ends in `.toml`, which holds data and runs nothing.
"""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path
from typing import Any, NamedTuple

from plyground import extensions
from plyground.core.errors import Unsupported
from plyground.core.naming import is_path
from plyground.extensions import Extension
from plyground.lab.spec import Experiment
from plyground.registers import Register

CATALOGUE = Path(__file__).parent
USER_FILE = ".toml"


class _Own(NamedTuple):
    """The name of an experiment that nobody has asked for yet."""

    name: str


def _own() -> list[_Own]:
    modules = [name for _, name, _ in pkgutil.iter_modules(__path__)]
    return [_Own(name.replace("_", "-")) for name in modules if not name.startswith("_")]


register: Register[Any] = Register("experiment", Experiment, _own, "EXPERIMENT = Experiment(...)")


def experiment_names() -> list[str]:
    """All names, ours and those of users' Python files, sorted."""
    return sorted(each.name for each in register.all())


def experiments() -> list[Experiment[Any]]:
    """All of them, in the order of their names."""
    return [find_experiment(name) for name in experiment_names()]


def by_name() -> dict[str, Experiment[Any]]:
    """The same by name."""
    return {each.name: each for each in experiments()}


def find_experiment(name: str) -> Experiment[Any]:
    """The experiment of this name, or in this file. Raises InputError if there is none."""
    if name.lower().endswith(USER_FILE):
        return _user_experiment(Path(name))
    if is_path(name):
        return _experiment_in(extensions.load(name))
    found = register.find(name)
    if isinstance(found, Experiment):
        return found
    name = found.name
    module = importlib.import_module(f"{__name__}.{name.replace('-', '_')}")
    experiment: Experiment[Any] = module.EXPERIMENT
    assert experiment.name == name, f"{module.__name__} calls itself {experiment.name}"
    return experiment


def _experiment_in(extension: Extension) -> Experiment[Any]:
    """The one experiment of a user's Python file."""
    register.all()
    if extension.error:
        raise extension.error
    found = extension.offers("experiment")
    if len(found) != 1:
        names = ", ".join(each.name for each in found) or "none"
        raise Unsupported(f"{extension.label} holds these experiments: {names}; name one of them")
    return register.demand_sound(found[0])


def name_in(file: str) -> str:
    """What the experiment in a user's file is called; nothing that the file names is run."""
    from plyground.lab.grid.file import read_name

    return read_name(Path(file))


def _user_experiment(path: Path) -> Experiment[Any]:
    from plyground.lab.grid.file import read_experiment

    experiment = read_experiment(path)
    if experiment.name in experiment_names():
        raise Unsupported(
            f"{path}: there is an experiment {experiment.name} already; give yours another name"
        )
    return experiment

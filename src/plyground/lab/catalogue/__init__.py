"""The experiments there are: the modules of this package, each of which ends in EXPERIMENT.

An experiment is called as its module is, with hyphens: `connect4_mtdf.py` is `connect4-mtdf`. A
module is imported when its experiment is asked for; a path that ends in `.toml` is an experiment of
the user's own.
"""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path
from typing import Any

from plyground.core.errors import Unsupported, unknown
from plyground.lab.spec import Experiment

USER_FILE = ".toml"


def experiment_names() -> list[str]:
    """All names, sorted."""
    modules = pkgutil.iter_modules(__path__)
    return sorted(name.replace("_", "-") for _, name, _ in modules if not name.startswith("_"))


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
    known = experiment_names()
    if name not in known:
        raise unknown("experiment", name, known)
    module = importlib.import_module(f"{__name__}.{name.replace('-', '_')}")
    experiment: Experiment[Any] = module.EXPERIMENT
    assert experiment.name == name, f"{module.__name__} calls itself {experiment.name}"
    return experiment


def name_in(file: str) -> str:
    """What the experiment in a user's file is called; nothing that the file names is run."""
    from plyground.lab.user.file import read_name

    return read_name(Path(file))


def _user_experiment(path: Path) -> Experiment[Any]:
    from plyground.lab.user.file import read_experiment

    experiment = read_experiment(path)
    if experiment.name in experiment_names():
        raise Unsupported(
            f"{path}: there is an experiment {experiment.name} already; give yours another name"
        )
    return experiment

"""What a run is measured with: versions of programs, the sources that measure, and the machine.

Knows no experiment and no store.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import os
import platform
import re
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import plyground
from plyground.core.errors import PlygroundError
from plyground.extensions import extensions, load
from plyground.lab.spec import Cell
from plyground.sources import closure, read_source

PACKAGE = Path(plyground.__file__).parent
CATALOGUE = PACKAGE / "lab" / "catalogue"
MEASURE_NOTHING = (
    "analysis",
    "cli",
    "drawing",
    "lab",
    "protocols",
    "public",
    "store",
    "web",
    "work",
)
"""Folders of the package that no result rests on; of `lab`, the files of the tasks count."""


def versions(cells: Iterable[Cell]) -> dict[str, str]:
    """Of the programs that measure these cells; `code` is a digest of the sources they rest on."""
    return {
        "plyground": plyground.__version__,
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "code": _digest({*_package_sources(), *_sources_of(cells)}),
    }


def _package_sources() -> Iterator[Path]:
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).parts[0] not in MEASURE_NOTHING:
            yield path


def _sources_of(cells: Iterable[Cell]) -> Iterator[Path]:
    """The files of the tasks and of all that users added, with all that these import."""
    modules, texts = set[str](), set[str]()
    for cell in cells:
        modules.add(cell.task.partition(":")[0])
        texts |= {value for value in cell.arguments.values() if isinstance(value, str)}
    for name in modules:
        yield from _with_neighbours(Path(importlib.import_module(name).__file__ or ""))
    for text in texts:
        if text.endswith(".py") and Path(text).is_file():
            yield Path(text)
            with contextlib.suppress(PlygroundError):  # it is told where the game is needed
                modules.add(load(text).module.__name__)
    words = {word for text in texts for word in re.findall(r"[\w-]+", text)}
    modules |= {each.module.__name__ for each in extensions() if each.names & words}
    yield from (Path(module.__file__ or "") for module in closure(modules).values())


def _with_neighbours(path: Path) -> Iterator[Path]:
    """An experiment may be a folder, whose files rest on each other."""
    yield path
    if CATALOGUE in path.parent.parents:
        yield from path.parent.glob("*.py")


def _digest(paths: Iterable[Path]) -> str:
    digests = sorted(hashlib.sha256(read_source(str(path))).digest() for path in paths)
    return hashlib.sha256(b"".join(digests)).hexdigest()[:12]


def machine() -> dict[str, Any]:
    """The computer, and how busy it is just now; what it does not tell is left out."""
    told: dict[str, Any] = {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_bytes": _memory_bytes(),
        "system": f"{platform.system()} {platform.release()}",
    }
    with contextlib.suppress(AttributeError, OSError):  # not on Windows
        told["load"] = round(os.getloadavg()[0], 2)
    return {name: value for name, value in told.items() if value not in (None, "")}


def _processor() -> str:
    with contextlib.suppress(OSError):  # Linux alone has this file
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _memory_bytes() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None

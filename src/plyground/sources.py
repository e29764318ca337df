"""The sources that a module rests on: its own file, and those of all modules that it imports.

Two runs are of the same code if these files are the same, whatever of it they use. Import
statements are followed wherever they stand; libraries, and this package, count by their versions.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

LIBRARIES = frozenset(sys.stdlib_module_names) | {"numpy", "numba", "llvmlite"}
as_imported: dict[str, bytes] = {}
"""Files by path as they were when they were imported: they may have been edited since, or be files
of another machine."""


def read_source(path: str) -> bytes:
    """What the code in memory was made from."""
    held = as_imported.get(path)
    return Path(path).read_bytes() if held is None else held


def sources_digest(modules: Iterable[str]) -> str:
    """A digest of the files of these modules and of all that they import, without libraries.

    The same in another folder: only what the files say counts. One file alone has its own digest.
    """
    return contents_digest({m.__file__ or "" for m in closure(modules).values()})


def contents_digest(paths: Iterable[str]) -> str:
    """A digest of what some files say; of one file alone, its own."""
    digests = sorted(hashlib.sha256(read_source(path)).digest() for path in paths)
    return (digests[0] if len(digests) == 1 else hashlib.sha256(b"".join(digests)).digest()).hex()


def closure(names: Iterable[str]) -> dict[str, ModuleType]:
    """The modules named, and every module that one of them imports, as far as they have files."""
    pending = list(names)
    packages = {_top(name) for name in pending} - {"plyground"}
    found: dict[str, ModuleType] = {}
    while pending:
        name = pending.pop()
        module = sys.modules.get(name)
        path = getattr(module, "__file__", None)
        if module is None or not path or name in found:
            continue
        if _top(name) not in packages and _is_library(name, path):
            continue
        found[name] = module
        if path.endswith(".py"):
            pending += _imports(read_source(path), module.__package__ or "")
    return found


def _top(name: str) -> str:
    return name.partition(".")[0]


def _is_library(name: str, path: str) -> bool:
    installed = {"site-packages", "dist-packages"} & set(Path(path).parts)
    return _top(name) in LIBRARIES or _top(name) == "plyground" or bool(installed)


@functools.lru_cache(maxsize=256)
def _imports(source: bytes, package: str) -> tuple[str, ...]:
    """The modules a source names in import statements, wherever they stand."""
    names: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            base = importlib.util.resolve_name(base, package) if node.level else base
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return tuple(names)

"""Machine code kept on disk, found again only if every source it was made from is unchanged.

Numba's own cache looks at the file of the outermost function alone: edit a game, and the old code
runs on. Its index is also rewritten without a lock, so that two processes can give one name to two
functions. Here one file holds one compiled function, and its name is a digest of everything that
went into it: the sources of the kernel and of every class in its signature, with all the modules
these import; the types; the processor; Numba's version and settings.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import importlib.util
import os
import pickle
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numba
from numba import types
from numba.core import config
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from plyground import kernel

KEEP_DAYS = 90  # a file not used for so long is removed when the next one is written
CLOCK_TICK_S = 0.01  # file times lag behind the clock by up to a timer tick
SETTINGS = ("OPT", "SLP_VECTORIZE", "LOOP_VECTORIZE", "BOUNDSCHECK", "DEBUGINFO_DEFAULT")
NOT_GAME_CODE = frozenset(sys.stdlib_module_names) | {"numpy", "numba", "llvmlite"}


def folder() -> Path:
    """Where compiled code is kept: `PLYGROUND_CACHE`, or the user's cache folder."""
    if chosen := os.environ.get("PLYGROUND_CACHE"):
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "plyground"


class CodeCache(_Cache):
    """The cache of one kernel."""

    def __init__(self, function: FunctionType) -> None:
        self._function = function

    @property
    def cache_path(self) -> str:
        return str(folder())

    def load_overload(self, signature: Any, target_context: Any) -> CompileResult | None:
        target_context.refresh()
        path = self._path(signature, target_context.codegen())
        # A file that cannot be read back, for whatever reason, is a file that is not there.
        with contextlib.suppress(Exception):
            if path is not None and path.exists():
                payload = pickle.loads(path.read_bytes())
                os.utime(path)
                return CompileResult._rebuild(target_context, *payload)
        names = [cls.__name__ for cls in _classes(signature)][:2]  # the game, perhaps the evaluator
        subjects = " and ".join(names) or "its arguments"
        for listener in kernel.on_compile:
            listener(f"compiling {self._function.__name__} for {subjects}, first time only")
        return None

    def save_overload(self, signature: Any, result: CompileResult) -> None:
        path = self._path(signature, result.codegen)
        if path is None or result.library.has_dynamic_globals or _has_loose_ends(result):
            return
        with contextlib.suppress(OSError):  # no disk, no cache: slower, not wrong
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as temporary:
                temporary.write(dumps(result._reduce()))
            os.replace(temporary.name, path)
            _remove_unused(path.parent)

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...

    def _path(self, signature: Any, codegen: Any) -> Path | None:
        """The file for this signature, or None where the sources do not tell what the code is.

        Nothing made then may be found under their digest later, and nothing found under it now is
        what was imported.
        """
        modules = {self._function.__module__, *(cls.__module__ for cls in _classes(signature))}
        sources = _closure(modules)
        if any(_may_differ(module) for module in sources.values()):
            return None
        if any("<locals>" in cls.__qualname__ for cls in _classes(signature)):
            return None  # made by a function: what it closes over is in no source
        digest = hashlib.sha256()
        for name in sorted(sources):
            digest.update(f"{name}:{_source_digest(sources[name].__file__ or '')}\n".encode())
        key = (
            self._function.__qualname__,
            str(signature),
            tuple(f"{cls.__module__}.{cls.__qualname__}" for cls in _classes(signature)),
            codegen.magic_tuple(),
            numba.__version__,
            platform.python_version(),
            sys.flags.optimize,
            tuple(str(getattr(config, name, None)) for name in SETTINGS),
        )
        digest.update(repr(key).encode())
        return folder() / f"{self._function.__name__}-{digest.hexdigest()[:40]}.code"


def _has_loose_ends(result: CompileResult) -> bool:
    """Whether the code calls what only this process knows, as mutual recursion does.

    Numba would write it all the same, and the next process would crash on it (numba issue 6061).
    """
    variables = result.library._final_module.global_variables
    return any(variable.name.startswith(".numba.unresolved") for variable in variables)


def _classes(signature: Any) -> Iterator[type]:
    """The state, evaluator and part classes that a signature names, also inside tuples."""
    pending = list(signature)
    while pending:
        numba_type = pending.pop(0)
        if isinstance(numba_type, types.BaseTuple):
            pending[:0] = numba_type.types
        if cls := getattr(numba_type, "instance_class", None):
            yield cls


# ------------------------------------------------------------------ which sources


def _closure(names: set[str]) -> dict[str, ModuleType]:
    """The modules named, and every module that one of them imports, without libraries."""
    found: dict[str, ModuleType] = {}
    pending = list(names)
    while pending:
        name = pending.pop()
        module = sys.modules.get(name)
        if name in found or not (getattr(module, "__file__", None) or "").endswith(".py"):
            continue
        if name.partition(".")[0] in NOT_GAME_CODE:
            continue
        assert module is not None
        found[name] = module
        pending.extend(_imports(name, module.__file__ or "", module.__package__ or ""))
    return found


@functools.cache
def _imports(name: str, path: str, package: str) -> tuple[str, ...]:
    """The modules a source names in import statements, wherever they stand."""
    names: list[str] = []
    pending: list[ast.AST] = [ast.parse(Path(path).read_bytes())]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            base = importlib.util.resolve_name(base, package) if node.level else base
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            pending += (
                getattr(node, block, None) or []
            )  # statements only: expressions import nothing
    return tuple(names)


@functools.cache
def _source_digest(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _may_differ(module: ModuleType) -> bool:
    """Whether a module's source may differ from the code that was imported.

    It may if it changed after this process began, or if it changed after its bytecode was written
    and Python took that all the same, as it does when size and second agree.
    """
    path, specification = module.__file__ or "", module.__spec__
    changed_s = max(os.stat(path).st_mtime, os.stat(path).st_ctime)
    if changed_s > kernel.PROCESS_START_S - CLOCK_TICK_S:
        return True
    try:
        written_s = os.stat(getattr(module, "__cached__", None) or "").st_mtime
    except OSError:
        return False  # no bytecode, so the source was read
    if written_s > changed_s or specification is None:
        return False
    taken = getattr(specification.loader, "get_code", lambda name: None)(specification.name)
    return taken != compile(Path(path).read_bytes(), path, "exec", dont_inherit=True)


def _remove_unused(directory: Path) -> None:
    oldest = time.time() - KEEP_DAYS * 24 * 3600
    for path in directory.glob("*.code"):
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()

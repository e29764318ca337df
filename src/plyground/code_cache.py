"""Machine code kept on disk, found again only for the very code it was made from.

Numba's own cache looks at the file of the outermost function alone: edit a game, and the old code
runs on. Its index is also rewritten without a lock, so that two processes can give one name to two
functions. Here one file holds one compiled function, and its name is a digest of everything that
went into it: the functions and classes themselves (`code_digest.py`), the compiler's own sources,
the types, the processor, the versions and settings. A second digest, of the content, stands at the
head of the file: a bit that flipped on the disk is noticed before the code runs.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import itertools
import os
import pickle
import platform
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import config
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from plyground import kernel
from plyground.code_digest import digest_of
from plyground.core.files import remove_leftovers, write_whole
from plyground.core.places import cache_folder

KEEP_DAYS = 90  # a file not used for so long is removed when the next one is written
SETTINGS = ("OPT", "SLP_VECTORIZE", "LOOP_VECTORIZE", "BOUNDSCHECK", "DEBUGINFO_DEFAULT")
COMPILER = (
    "kernel.py",
    "compiler.py",
    "parts_of_kernels.py",
    "compiled_lanes.py",
    "code_cache.py",
    "code_digest.py",
)
CHECK = functools.partial(hashlib.blake2b, digest_size=16)
CHECK_BYTES = CHECK().digest_size
SIGNATURE = 3  # its place in what Numba writes of a compiled function

# Symbols in machine code are numbered. Numba begins with 1 in every process, so code from the disk
# and code made now could have symbols in common, and one be called for the other.
FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))


class Damaged(Exception):
    """A file is not what was written."""


class CodeCache(_Cache):
    """The cache of one kernel."""

    def __init__(self, function: FunctionType) -> None:
        self._function = function

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def load_overload(self, signature: Any, target_context: Any) -> CompileResult | None:
        target_context.refresh()
        path = self._path(signature, target_context.codegen())
        damage = ""
        try:
            payload = _read(path) if path else None
            # Classes are found by name, and a name may have been given to another since.
            if payload and tuple(payload[SIGNATURE].args) == tuple(signature):
                return CompileResult._rebuild(target_context, *payload)
        except Exception:  # whatever a file that cannot be read back may raise
            damage = "again: its kept code was damaged"
        names = [cls.__name__ for cls in _classes(signature)][:2]  # the game, perhaps the evaluator
        subjects = " and ".join(names) or "its arguments"
        why = damage or "first time only"
        kernel.announce(f"compiling {self._function.__name__} for {subjects}, {why}")
        return None

    def save_overload(self, signature: Any, result: CompileResult) -> None:
        path = self._path(signature, result.codegen)
        if path is None or result.library.has_dynamic_globals or _has_loose_ends(result):
            return
        with contextlib.suppress(OSError):  # no disk, no cache: slower, not wrong
            path.parent.mkdir(parents=True, exist_ok=True)
            content = dumps(result._reduce())
            # A power cut may damage it, which will be noticed: not worth waiting for the disk.
            write_whole(path, _check(path, content) + content, durable=False)
            _remove_unused(path.parent)

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...

    def _path(self, signature: Any, codegen: Any) -> Path | None:
        """The file for this signature, or None where no digest tells what the code is."""
        classes = list(_classes(signature))
        code, compiler = digest_of(self._function, *classes), _compiler_digest()
        if code is None or compiler is None or not all(map(_is_found_by_name, classes)):
            return None
        key = (
            code,
            compiler,
            str(signature),
            codegen.magic_tuple(),
            numba.__version__,
            np.__version__,
            platform.python_version(),
            sys.flags.optimize,
            tuple(str(getattr(config, name, None)) for name in SETTINGS),
        )
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:40]
        return cache_folder() / f"{self._function.__name__}-{digest}.code"


def _read(path: Path) -> Any:
    """What is in a file, or None if none can be read. Raises Damaged, or what pickles raise."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    check, content = content[:CHECK_BYTES], content[CHECK_BYTES:]
    if check != _check(path, content):
        raise Damaged
    os.utime(path)
    return pickle.loads(content)


def _check(path: Path, content: bytes) -> bytes:
    """A digest of the content under this name: code that was renamed is damaged as well."""
    return CHECK(content, key=path.stem.encode()[-40:]).digest()


@functools.cache
def _compiler_digest() -> str | None:
    """Of the sources that turn functions into machine code; None where they are not at hand."""
    try:
        sources = [Path(__file__).with_name(name).read_bytes() for name in COMPILER]
    except OSError:
        return None
    return hashlib.sha256(b"\0".join(sources)).hexdigest()


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


def _is_found_by_name(cls: type) -> bool:
    """Whether the next process can find this class: not if a function made it, or it was replaced.

    Whoever loads the code gets the class that has the name; what is in `__main__`, as the cells of
    a notebook are, gets a copy of its own.
    """
    if cls.__module__ == "__main__":
        return False
    found: Any = sys.modules.get(cls.__module__)
    for name in cls.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is cls


def _remove_unused(directory: Path) -> None:
    oldest = time.time() - KEEP_DAYS * 24 * 3600
    remove_leftovers(directory)
    for path in directory.glob("*.code"):
        with contextlib.suppress(OSError):
            if path.stat().st_mtime < oldest:
                path.unlink()

"""How Numba compiles what only kernels call: not by itself, but as a part of each kernel.

Numba optimises every callee, makes machine code of it, and does both again in each kernel that it
is linked into. Without the first, eight searches compile in 16 s instead of 29 and run as fast.
What must be vectors says so (`lanes.py`): LLVM finds them by itself in a small function, and
often no more once that is a part of a large one. Leaving out the quick passes over single
functions as well would save another 10 %, but the searches are then 8 % slower.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class Part(JITCodeLibrary):
    """A library before LLVM's module passes, to be linked; nothing in it has an address."""

    def _optimize_final_module(self) -> None: ...

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Part:
        return self  # for `set_env`, all that Numba asks of it here

    def set_env(self, name: str, env: Any) -> None:
        """What code needs of Python would be written to an address; parts need nothing of it."""


class PartCompiler(Compiler):
    def __init__(self, typing_context, target_context, library, *rest):
        part = library or Part(target_context.codegen(), "helper")
        super().__init__(typing_context, target_context, part, *rest)


# Options for `overload` and `register_jitable`.
CALLED: dict[str, Any] = {"pipeline_class": PartCompiler, "forceinline": False}
INLINED = {**CALLED, "forceinline": True}  # rules are small and hot, and LLVM's own choice varies

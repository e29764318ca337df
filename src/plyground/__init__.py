"""Plyground: a laboratory for game-tree search.

    import plyground as pg

    pos = pg.Position("connect4", "4 4 3")
    pos.search("mtdf", depth=8)

Everything public is listed in `__all__`; what is not there is private and may change. A name is
imported when it is first used, so that `import plyground` takes no time.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

__version__ = "0.1.0"

_STUB = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
_IMPORTS = re.findall(r"^from (\S+) import (\w+) as (\w+)$", _STUB, re.MULTILINE)
_HOMES = {public: (module, name) for module, name, public in _IMPORTS}

__all__ = sorted([*_HOMES, "__version__"])


class _Door(ModuleType):
    """The package as a module whose names come when they are asked for.

    `games`, `players` and `formats` are catalogues, and folders of the package as well: importing
    from a folder binds it here, and the catalogue stays what people get.
    """

    def __getattribute__(self, name: str) -> Any:
        if name in _HOMES:
            module, original = _HOMES[name]
            return getattr(import_module(module), original)
        return super().__getattribute__(name)

    def __reduce__(self) -> tuple[Any, ...]:
        """By its name: functions of a notebook that refer to it are sent to other processes."""
        return import_module, (__name__,)

    def __dir__(self) -> list[str]:
        return __all__


sys.modules[__name__].__class__ = _Door

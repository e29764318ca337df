"""The web app's JavaScript and styles as one text, which is what a notebook takes.

A notebook wants a widget as one ES module. `script` follows the `import` statements from a file of
this folder through those of the web app, and puts all files, with only their import paths changed,
into one text; `link.js` makes modules of them again. Each is named by a digest of itself and of all
it imports, so that a page with many boards, or one that is run again, has each module once. Only
static, relative imports are understood, and no circles.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from plyground.drawing.look import LOOK

STYLES = ("web/static/app.css", "web/static/tree.css", "notebook/board.css")
LINKER = "notebook/link.js"

IMPORT = re.compile(r"""^(import\s+|(?:import|export)\b[^;"'=()]*\bfrom\s+)"([^"]+)";""", re.M)
ROOT = re.compile(r":root((?:\[[^\]]*\]|:not\([^)]*\))*)")


@cache
def script(entry: str) -> str:
    """One ES module for a widget, whose file exports `render({ model, el, style })`."""
    found = Bundle()
    name = found.add(f"notebook/{entry}")
    constants = {"modules": found.modules, "entry": name, "style": style()}
    lines = [f"const {each} = {json.dumps(value)};" for each, value in constants.items()]
    return "\n".join([*lines, text_of(LINKER)])


@cache
def style() -> str:
    """All style rules, for a shadow root: rules for the page become rules for the host."""
    texts = [LOOK.css(), *map(text_of, STYLES)]
    return ROOT.sub(lambda match: f":host({match[1]})" if match[1] else ":host", "\n".join(texts))


def text_of(path: str) -> str:
    """A file of the package."""
    return resources.files("plyground").joinpath(path).read_text(encoding="utf-8")


@dataclass
class Bundle:
    """Modules by their names, each after those that it imports."""

    modules: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    """By their paths; '' while a module's own imports are being followed."""

    def add(self, path: str) -> str:
        """Collect a module and all that it imports, and return its name."""
        if path not in self.names:
            self.names[path] = ""
            text = IMPORT.sub(lambda match: self._import(match, path), text_of(path))
            digest = hashlib.sha256(text.encode()).hexdigest()[:12]
            self.names[path] = name = f"plyground:{digest}/{posixpath.basename(path)}"
            self.modules[name] = text
        if not self.names[path]:
            raise ValueError(f"{path} imports itself, by way of what it imports")
        return self.names[path]

    def _import(self, match: re.Match[str], path: str) -> str:
        statement, given = match.groups()
        if not given.startswith("."):
            raise ValueError(f"{path} imports {given!r}, which is not a file of the package")
        target = posixpath.normpath(posixpath.join(posixpath.dirname(path), given))
        return f'{statement}"{self.add(target)}";'

"""A grid in a file of TOML: `plyground lab run mine.toml`. Every complaint names the file."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from plyground.core.errors import MalformedText, Unsupported, shorten
from plyground.core.files import read_bounded
from plyground.lab.grid.design import blamed_on
from plyground.lab.grid.making import make
from plyground.lab.grid.schema import check_fields
from plyground.lab.rendering.names import short_name
from plyground.lab.spec import Experiment, Parameters

MOST_BYTES = 2**20
EXAMPLE = Path(__file__).with_name("example.toml").read_text(encoding="utf-8")


def read_experiment(path: Path) -> Experiment[Parameters]:
    """The experiment in a file; nothing is run. Raises InputError."""
    data = _read(path)
    with blamed_on(shorten(str(path), 200)):
        return make(check_fields(data), _name_of(path), path.parent)[0]


def read_name(path: Path) -> str:
    """What it is called. Raises InputError."""
    data = _read(path)
    with blamed_on(shorten(str(path), 200)):
        return check_fields(data).name or _name_of(path)


def _read(path: Path) -> dict[str, Any]:
    name = shorten(str(path), 200)
    try:
        return tomllib.loads(read_bounded(path, MOST_BYTES).decode())
    except OSError as error:
        raise Unsupported(
            f"cannot read {name}: {error.strerror}; `plyground lab new FILE.toml` writes an example"
        ) from None
    except UnicodeDecodeError:
        raise MalformedText(f"{name} is not text in UTF-8") from None
    except (ValueError, RecursionError) as error:  # the latter for lists in lists in lists
        raise MalformedText(f"{name}: not TOML: {shorten(str(error), 200)}") from None


def _name_of(path: Path) -> str:
    """The file's own, beginning with a letter: a number alone would name a run."""
    name = short_name(path.stem)
    return name if name[0].isalpha() else f"experiment-{name}"

"""The user's settings: one file, `settings.toml`, in a folder that only they write to.

with = ["~/games/mine.py", "~/games/beam.py"]      # files to have in every command
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from plyground.core.errors import MalformedText
from plyground.core.places import config_folder

FILE = "settings.toml"
WITH = "with"


def settings_file() -> Path:
    return config_folder() / FILE


def listed_files() -> list[str]:
    """The Python files that the user listed once and for all. Raises MalformedText."""
    path = settings_file()
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise MalformedText(f"{path}: {error}") from None
    listed = data.pop(WITH, [])
    if data or not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        wrong = next(iter(data), WITH)
        raise MalformedText(f'{path}, {wrong}: expected only {WITH} = ["FILE.py", ...]')
    return [str(Path(each).expanduser()) for each in listed]

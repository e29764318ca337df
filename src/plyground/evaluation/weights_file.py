"""Files of learned weights: an evaluator with the game it judges, and the recipe it came from.

A file begins with a line of JSON: the name, the game and its settings, what the numbers mean, how
they were learned. Then the numbers follow, 16 bits each, all lowest bytes first, compressed. A
digest covers both. Whoever reads a file checks all of it: a damaged one is refused with a line, and
so is one whose tables would not fit its plan.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from plyground.code_digest import digest_of
from plyground.core.errors import MalformedText, Unsupported, shorten, system_errors_as
from plyground.core.files import read_bounded, write_whole
from plyground.core.json_text import read_object
from plyground.core.places import data_folder
from plyground.games.rules import State
from plyground.games.spec import GameSpec, Value

SUFFIX = ".weights"
SHIPPED = Path(__file__).parent / "weights"
FORMAT = 1
MOST_BYTES = 2**28
MOST_MEMORY = 2**29  # to unpack: a file may ask for gigabytes
DIGEST_BYTES = 32


@dataclass(frozen=True)
class Weights:
    """What a file holds."""

    name: str
    game: str
    settings: Mapping[str, Value]
    states: str
    """The class of the states that they judge."""
    constant: Mapping[str, int]
    """The fields of a state that no move changes: another board has others."""
    rules: str
    """A digest of the game's code where that is a user's; empty for ours."""
    kind: str
    """What the numbers are: n-tuples, or the weights of another evaluator."""
    about: Mapping[str, Any]
    """What else that kind needs: the plan, the name of the evaluator."""
    scale: str
    """What one unit of a value means."""
    unit: float
    """What a point of the game is as a value; 0 where values are chances."""
    recipe: Mapping[str, Any]
    """How they were learned, and what matches said."""
    numbers: np.ndarray = field(repr=False)
    """Of 16 bits, in the shape that the kind needs."""

    def as_bytes(self) -> bytes:
        """The content of a file."""
        head = {
            "plyground-weights": FORMAT,
            "name": self.name,
            "game": self.game,
            "settings": dict(self.settings),
            "states": self.states,
            "constant": dict(self.constant),
            "rules": self.rules,
            "kind": self.kind,
            "about": dict(self.about),
            "scale": self.scale,
            "unit": self.unit,
            "recipe": dict(self.recipe),
            "shape": list(self.numbers.shape),
        }
        shorts = np.ascontiguousarray(self.numbers, "<i2")
        planes = shorts.reshape(-1).view(np.uint8).reshape(-1, 2).T
        content = json.dumps(head).encode() + b"\n" + lzma.compress(planes.tobytes(), preset=6)
        return content + hashlib.sha256(content).digest()

    @staticmethod
    def from_bytes(content: bytes, name: str) -> Weights:
        """Raises MalformedText for a file that is damaged, or none of weights."""
        try:
            body, digest = content[:-DIGEST_BYTES], content[-DIGEST_BYTES:]
            line, _, packed = body.partition(b"\n")
            if not line.startswith(b'{"plyground-weights"'):
                raise MalformedText(f"{shorten(name, 200)} is no file of weights")
            if hashlib.sha256(body).digest() != digest:
                raise MalformedText(f"{shorten(name, 200)} is damaged, or not all there")
            head = read_object(line)
            if head["plyground-weights"] != FORMAT:
                raise MalformedText(
                    f"{shorten(name, 200)} is of format {head['plyground-weights']!r:.20}; this "
                    f"version reads {FORMAT}"
                )
            shape = tuple(int(size) for size in head.pop("shape"))
            count = int(np.prod(shape))
            data = _unpacked(packed, 2 * count)
            shorts = np.ascontiguousarray(np.frombuffer(data, np.uint8).reshape(2, count).T)
            del head["plyground-weights"]
            return Weights(**head, numbers=shorts.view("<i2").astype(np.int16).reshape(shape))
        except (ValueError, KeyError, TypeError, lzma.LZMAError, EOFError) as error:
            if isinstance(error, MalformedText):
                raise
            raise MalformedText(f"{shorten(name, 200)} is no file of weights") from None

    def write(self, path: Path) -> None:
        """Write the file; at any moment it is complete or absent. Raises OSError."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, self.as_bytes())

    @staticmethod
    def read(path: Path) -> Weights:
        """Raises InputError."""
        with system_errors_as(f"cannot read {path}"):
            content = read_bounded(path, MOST_BYTES)
        return Weights.from_bytes(content, str(path))

    # ------------------------------------------------------------------ what they fit

    def fits(self, start: State) -> bool:
        """Whether they are for games that begin so, as far as the state says."""
        return type(start).__name__ == self.states and all(
            name in start._fields and int(getattr(start, name)) == number
            for name, number in self.constant.items()
        )

    def demand_fit(self, game: GameSpec, start: State) -> None:
        """Raises Unsupported for another game, another board, or rules that have changed."""
        own = described(self.game, self.settings)
        if self.game != game.name or type(start).__name__ != self.states:
            raise Unsupported(f"{self.name} was learned on {own}, not on {game.name}")
        if not self.fits(start):
            raise Unsupported(
                f"{self.name} was learned on {own}, not on this board; `plyground learn "
                f"{game.name}` with its --set learns another"
            )
        if self.rules and self.rules != rules_digest(start):
            raise Unsupported(
                f"{self.name} was learned before the rules of {game.name} were changed; learn again"
            )


def _unpacked(packed: bytes, size: int) -> bytes:
    unpacker = lzma.LZMADecompressor(memlimit=MOST_MEMORY)
    data = unpacker.decompress(packed, max_length=size + 1)
    if len(data) != size or not unpacker.eof or unpacker.unused_data:
        raise ValueError
    return data


def described(game: str, settings: Mapping[str, Value]) -> str:
    """A game with its settings in words."""
    chosen = ", ".join(f"{name}={value}" for name, value in settings.items())
    return f"{game} with {chosen}" if chosen else game


def rules_digest(start: State) -> str:
    """A digest of the rules if they are a user's: ours change their code, not their meaning."""
    if type(start).__module__.startswith("plyground."):
        return ""
    return (digest_of(type(start)) or "")[:32]


# ------------------------------------------------------------------ where they are


def weights_folder() -> Path:
    """The folder of evaluators that were learned on this machine."""
    return data_folder() / "evaluators"


def file_of(name: str) -> Path:
    """The file of a learned evaluator, by the name of its game, settings and own."""
    return weights_folder() / f"{name}{SUFFIX}"


def checkpoints_folder() -> Path:
    """The folder of what evaluators were while they were learned: played on demand, not listed."""
    return weights_folder() / "checkpoints"


def checkpoint_of(name: str, rounds: int) -> Path:
    """The file of an evaluator as it was after so many rounds."""
    return checkpoints_folder() / f"{name}-r{rounds}{SUFFIX}"

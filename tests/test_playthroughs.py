"""One recorded game of each kind, with every public value of every position.

A change in one of these files is a change that players, or stored keys, will notice. Each file is
named after its settings, `GAME-NAME=VALUE,NAME=VALUE.txt`, and made by the command that a failing
test prints; `make snapshots` makes all of them anew.
"""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path

import pytest
from command_line import run

from plyground.games.catalogue import games

FOLDER = Path(__file__).parent / "data" / "playthroughs"
FILES = sorted(FOLDER.glob("*.txt"))
SEED = "7"


def arguments_of(path: Path) -> list[str]:
    """The command that makes a file, from the file's name."""
    name, settings = path.stem, ""
    if "=" in name:
        name, _, settings = name.rpartition("-")
    chosen = [word for setting in settings.split(",") if setting for word in ("--set", setting)]
    return ["playthrough", name, "--seed", SEED, *chosen]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_recorded_game_is_still_played_and_described_the_same(path: Path) -> None:
    arguments = arguments_of(path)
    result = run(*arguments)
    assert result.status == 0, result.err
    recorded, played = path.read_text(encoding="utf-8").splitlines(), result.out.splitlines()
    for number, (old, new) in enumerate(zip_longest(recorded, played), start=1):
        assert old == new, (
            f"line {number} of {path.name} has changed; if it should have, "
            f"plyground {' '.join(arguments)} > {path.relative_to(FOLDER.parents[2])}"
        )


def test_every_game_has_a_recorded_game() -> None:
    assert {arguments_of(path)[1] for path in FILES} == set(games())


def test_cards_are_moved_in_a_recorded_game_of_double_card() -> None:
    assert "\nplays: E 1 E 2 6 A 2\n" in (FOLDER / "double-card-cards=6.txt").read_text()


if __name__ == "__main__":
    for file in FILES:
        file.write_text(run(*arguments_of(file)).out, encoding="utf-8")

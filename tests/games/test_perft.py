"""Known numbers of leaves: compiled code and the naive references both arrive at them."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from plyground.games.catalogue import find_game
from plyground.games.perft import perft, perft_remembered, perft_table
from plyground.kernel import plain_python
from references.perft import perft as naive_perft
from references.registry import REFERENCES

FOLDER = Path(__file__).parents[1] / "data" / "perft"
FEW, MANY = 1500, 60_000  # leaves that a naive reference counts in no time, in some seconds


class Known(NamedTuple):
    """One line of a file: the leaves of a game at a depth, from its start or after some moves."""

    game: str
    settings: dict[str, str]
    name: str
    moves: str
    depth: int
    leaves: int
    full: bool

    def __str__(self) -> str:
        chosen = ",".join(f"{name}={value}" for name, value in self.settings.items())
        return " ".join(part for part in (self.game, chosen, self.name, str(self.depth)) if part)


def read(path: Path) -> list[Known]:
    moves, known = {"start": ""}, []
    for line in path.read_text(encoding="utf-8").splitlines():
        if "|" in line and not line.startswith("#"):
            settings, name, depth, leaves, *full = (part.strip() for part in line.split("|"))
            chosen = {} if settings == "-" else dict(word.split("=") for word in settings.split())
            numbers = int(depth), int(leaves), full == ["full"]
            known.append(Known(path.stem, chosen, name, moves[name], *numbers))
        elif " = " in line:
            name, _, moves[name.strip()] = line.partition(" = ")
    return known


KNOWN = [known for path in sorted(FOLDER.glob("*.perft")) for known in read(path)]


def each(lines):
    """The lines as parameters of a test; those for the full suite are marked."""
    marks = {True: [pytest.mark.full], False: []}
    return pytest.mark.parametrize(
        "known", [pytest.param(line, id=str(line), marks=marks[line.full]) for line in lines]
    )


def position(known):
    game = find_game(known.game)
    start = game.initial(**game.settings(known.settings))
    return game, game.replay(start, game.parse_moves(start, known.moves))


def naive_position(known):
    """The reference after the same moves; the engine only tells where a pass was left out."""
    game = find_game(known.game)
    naive = REFERENCES[known.game](**game.settings(known.settings))
    for text in game.split_moves(known.moves):
        if naive.legal() == ["pass"]:
            naive.play("pass")
        assert text in naive.legal()
        naive.play(text)
    return naive


def test_every_game_with_a_reference_has_known_numbers():
    assert {known.game for known in KNOWN} == set(REFERENCES)


@each(KNOWN)
def test_compiled_code_finds_the_known_number_of_leaves(known):
    game, state = position(known)
    buffer = np.zeros(known.depth * game.max_moves, np.int32)
    assert perft(state, known.depth, buffer, 0) == known.leaves


@each(
    [known for known in KNOWN if known.leaves <= FEW]
    + [known._replace(full=True) for known in KNOWN if FEW < known.leaves <= MANY]
)
def test_the_naive_reference_finds_the_known_number_of_leaves(known):
    assert naive_perft(naive_position(known), known.depth) == known.leaves


@each([known for known in KNOWN if known.leaves <= FEW // 10])
def test_plain_python_finds_the_known_number_of_leaves(known):
    game, state = position(known)
    buffer = np.zeros(known.depth * game.max_moves, np.int32)
    with plain_python():
        assert perft(state, known.depth, buffer, 0) == known.leaves


@pytest.mark.parametrize("name", REFERENCES)
def test_depth_zero_is_one_leaf(name):
    game = find_game(name)
    assert perft(game.initial(), 0, np.zeros(1, np.int32), 0) == 1


# ------------------------------------------------------------------ with a table


TABLED = ("othello", "connect4", "kalah")  # each is compiled for


@each([known for known in KNOWN if known.depth >= 3 and known.game in TABLED])
def test_equal_positions_counted_once_are_as_many_leaves(known):
    game, state = position(known)
    buffer = np.zeros(known.depth * game.max_moves, np.int32)
    for memory in (1, 2**20):  # hardly any entries, and many
        table, bits = perft_table(state, memory)
        assert perft_remembered(state, known.depth, buffer, 0, table, bits) == known.leaves
        again = perft_remembered(state, known.depth, buffer, 0, table, bits)
        assert again == known.leaves, "from the table"


def test_a_table_reaches_great_depths():
    """A. Bik's numbers: 1.9 billion leaves in the time of some millions."""
    state, buffer = find_game("othello").initial(), np.zeros(1200, np.int32)
    table, bits = perft_table(state, 2**26)
    assert perft_remembered(state, 12, buffer, 0, table, bits) == 1_939_886_636


@each([known for known in KNOWN if known.depth >= 3 and known.leaves <= FEW // 10])
def test_plain_python_counts_with_a_table_too(known):
    game, state = position(known)
    buffer = np.zeros(known.depth * game.max_moves, np.int32)
    table, bits = perft_table(state, 2**12)
    with plain_python():
        assert perft_remembered(state, known.depth, buffer, 0, table, bits) == known.leaves

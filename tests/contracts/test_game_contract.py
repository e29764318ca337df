"""Every registered game keeps the contract of games, and `check_game` refuses one that does not."""

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from plyground.core.board import Board
from plyground.core.errors import MalformedText
from plyground.games.catalogue import find_game, games, load_file
from plyground.games.check import BrokenPromise, check_game, check_state, quick_check
from plyground.games.position import BasePosition
from plyground.games.rules import (
    canonical_symmetry,
    count_moves,
    is_over,
    key,
    legal_moves,
    noisy_moves,
    outcome,
    play,
    side,
)
from plyground.games.spec import GameSpec
from plyground.kernel import kernel

HEXAPAWN = Path(__file__).parents[2] / "examples" / "hexapawn.py"

SETTINGS = [
    ("othello", {"size": 4}, 10),
    ("othello", {"size": 6}, 3),
    ("connect4", {"width": 4, "height": 4}, 20),
    ("connect4", {"width": 2, "height": 31, "connect": 5}, 5),
    ("connect4", {"width": 32, "height": 1, "connect": 3}, 5),
    ("connect4", {"width": 9, "height": 6, "connect": 5}, 5),
    ("kalah", {"captures": False}, 5),
    ("kalah", {"pits": 1, "seeds": 127}, 5),
    ("kalah", {"pits": 7, "seeds": 18}, 3),
    ("mnk", {"m": 3, "n": 3, "k": 3}, 10),
    ("mnk", {"m": 4, "n": 3, "k": 3}, 10),
    ("mnk", {"m": 1, "n": 6, "k": 2}, 10),
    ("mnk", {"m": 26, "n": 2, "k": 4}, 1),
    ("double-card", {"width": 3, "height": 4, "cards": 4, "max_moves": 12}, 1),
    (
        "double-card",
        {"width": 2, "height": 3, "cards": 3, "line": 3, "on_no_move": "pass", "max_moves": 9},
        2,
    ),
    ("double-card", {"width": 4, "height": 2, "cards": 4, "on_no_move": "loss", "max_moves": 9}, 1),
    ("double-card", {"width": 5, "height": 2, "cards": 3, "overlap": False, "max_moves": 8}, 1),
    ("synthetic", {"branching": 1, "depth": 0}, 2),
    ("synthetic", {"branching": 64, "depth": 3, "leaves": "incremental"}, 5),
    ("synthetic", {"branching": 2, "depth": 62, "leaves": "ordered", "quality": 0.5}, 2),
    ("synthetic", {"branching": 2, "depth": 20, "leaves": "pgame", "wins": 0.618}, 5),
]
DEEPER = [
    ("othello", {"size": 8}, 20),
    ("othello", {"size": 10}, 3),
    ("connect4", {}, 100),
    ("kalah", {}, 100),
    ("mnk", {"m": 8, "n": 8, "k": 5}, 10),
    ("double-card", {}, 2),
    ("double-card", {"width": 4, "height": 4, "cards": 5, "max_moves": 16, "buried": True}, 5),
    ("double-card", {"width": 3, "height": 4, "cards": 6, "max_moves": 20, "flip": False}, 5),
]


def name_of(row):
    return " ".join([row[0], *(f"{name}={value}" for name, value in row[1].items())])


# ------------------------------------------------------------------ games that keep it


@pytest.mark.parametrize("name", games())
def test_a_registered_game_keeps_the_contract(name):
    game = games()[name]
    assert check_game(game, game.initial(), games=1) > 0


@pytest.mark.parametrize("row", SETTINGS, ids=name_of)
def test_a_registered_game_keeps_the_contract_under_other_settings(row):
    name, chosen, count = row
    game = games()[name]
    assert check_game(game, game.initial(**chosen), games=count, seed=2) >= count


@pytest.mark.full
@pytest.mark.parametrize("row", DEEPER, ids=name_of)
def test_a_registered_game_keeps_the_contract_for_long(row):
    name, chosen, count = row
    game = games()[name]
    assert check_game(game, game.initial(**chosen), games=count, seed=3) >= count


def test_a_game_from_a_file_keeps_the_contract():
    game = load_file(HEXAPAWN)
    assert check_game(game, game.initial(), games=30) > 30


def test_the_wide_board_of_othello_keeps_the_contract_at_its_edges():
    game = games()["othello"]
    start = game.initial(size=10)
    state = game.parse_position(start, "-OOOOOOOX-" + "O" * 40 + "-XO" * 16 + "-- X")
    check_state(game, start, start)
    check_state(game, start, state)
    assert len(game.legal(state)) > 10


@pytest.mark.parametrize("name", games())
def test_noisy_moves_are_legal_moves_in_order(name):
    game = games()[name]
    for state in random_states(game):
        buffer = np.zeros(game.max_moves, np.int32)
        noisy = buffer[: noisy_moves(state, buffer, 0)].tolist()
        assert noisy == [move for move in game.legal(state) if move in noisy]


def random_states(game):
    """The states of one game that are not over."""
    state, ply = game.initial(), 0
    while not is_over(state):
        yield state
        legal = game.legal(state)
        state, ply = play(state, legal[7 * ply % len(legal)]), ply + 1


@pytest.mark.parametrize("name", games())
def test_a_registered_game_passes_the_quick_check(name):
    game = games()[name]
    quick_check(game, game.initial())


@pytest.mark.parametrize("name", games())
def test_every_preset_of_a_registered_game_can_be_played(name):
    game = games()[name]
    for preset in game.presets:
        quick_check(game, game.initial(**game.settings({"preset": preset})))


@pytest.mark.parametrize("name", games())
def test_the_sample_move_of_a_registered_game_can_be_played(name):
    game = games()[name]
    start = game.initial()
    assert game.parse_move(start, game.sample) in game.legal(start)


@pytest.mark.parametrize("name", games())
def test_a_registered_game_has_three_ready_positions_from_which_play_goes_on(name):
    ready = games()[name].ready_positions
    assert len({each.title for each in ready}) == 3
    for each in ready:
        line = BasePosition.begin(name, each.settings, each.position, each.moves)
        assert not is_over(line.state)
        assert len(each.title) <= 30  # what fits a card of the first page


@pytest.mark.parametrize("name", games())
def test_every_state_class_of_a_registered_game_is_listed(name):
    game = games()[name]
    assert type(game.initial()) in game.states


# ------------------------------------------------------------------ keys, and machine code


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("othello", "f5 d6 c3 d3 c4", "f5 d6 c4 d3 c3"),
        ("connect4", "1 2 3 4", "3 4 1 2"),
        ("mnk", "a1 b2 c3", "c3 b2 a1"),
        ("kalah", "1 4 1 2 3", "1 4 3 2 1"),
        ("double-card", "0 1 A 1; 0 2 C 1; 0 6 E 1", "0 6 E 1; 0 2 C 1; 0 1 A 1"),
    ],
)
def test_a_position_reached_in_another_order_is_equal_and_has_the_same_key(name, one, other):
    game = find_game(name)
    start = game.initial()
    states = [game.replay(start, game.parse_moves(start, moves)) for moves in (one, other)]
    assert states[0] == states[1]
    assert key(states[0]) == key(states[1])
    assert one != other


@kernel
def answers(state, moves):
    """What compiled code answers to every question that has a number for an answer."""
    over = is_over(state)
    score = outcome(state) if over else 0
    count = 0 if over else count_moves(state, moves, 0)
    return key(state), side(state), over, score, count, canonical_symmetry(state)


def plain_answers(state, moves):
    return answers.function(state, moves)


@pytest.mark.parametrize("name", games())
def test_compiled_verbs_answer_as_plain_python_does(name):
    game = games()[name]
    state, moves, ply = game.initial(), np.zeros(game.max_moves, np.int32), 0
    while True:
        assert answers(state, moves) == plain_answers(state, moves)
        legal = game.legal(state)
        if not legal:
            break
        state, ply = play(state, legal[7 * ply % len(legal)]), ply + 1
    assert ply > 1


@pytest.mark.parametrize("name", games())
def test_different_positions_have_different_keys(name):
    game = games()[name]
    states = [game.initial()]
    for state in states:
        if len(states) > 3000:
            break
        states += [play(state, move) for move in game.legal(state)]
    different = set(states)
    assert len({key(state) for state in different}) == len(different)


# ------------------------------------------------------------------ games that break it
#
# A heap of counters; a move takes one or two; whoever takes the last one wins. Each row below
# breaks one promise of it.


def heap_class(**methods):
    """The class of the game's states, with some methods replaced."""

    class Heap(NamedTuple):
        heap: int
        side: int

        def legal_moves(self, moves, start):
            for take in range(1, min(2, self.heap) + 1):
                moves[start] = take
                start += 1
            return start

        def play(self, move):
            return Heap(self.heap - move, 1 - self.side)

        def is_over(self):
            return self.heap == 0

        def outcome(self):
            return -1

    for name, method in methods.items():
        setattr(Heap, name, method)
    return Heap


def heap_game(methods=None, *, heap=5, side=0, max_moves=2, state_class=None, **fields):
    state_class = state_class or heap_class(**(methods or {}))
    return GameSpec(
        name="heap",
        title="Heap",
        summary="Take one or two; take the last to win.",
        start=lambda: state_class(heap, side),
        states=(state_class,),
        max_moves=max_moves,
        **fields,
    )


def writes(*takes):
    """A method `legal_moves` that always writes these moves."""

    def legal_moves(self, moves, start):
        for take in takes:
            moves[start] = take
            start += 1
        return start

    return legal_moves


class WideHeap(NamedTuple):
    """In Python a heap shifted by 62 bits is never zero; in 64 bits it often is."""

    heap: int
    side: int

    def legal_moves(self, moves, start):
        moves[start] = 1
        if self.heap > 1 and self.heap << 62 > 0:
            moves[start + 1] = 2
            return start + 2
        return start + 1

    def play(self, move):
        return WideHeap(self.heap - move, 1 - self.side)

    def is_over(self):
        return self.heap == 0

    def outcome(self):
        return -1


SWAPS_SIDES = {
    "count_symmetries": lambda self: 2,
    "transform": lambda self, symmetry: self._replace(side=self.side ^ symmetry),
}
TWO_SYMMETRIES = {"count_symmetries": lambda self: 2}

BROKEN = {
    "moves out of order": (
        heap_game({"legal_moves": writes(2, 1)}),
        "the position '5 0' lists its moves as [2, 1]; expected ascending",
    ),
    "a move twice": (
        heap_game({"legal_moves": writes(1, 1)}),
        "lists its moves as [1, 1]; expected ascending",
    ),
    "no move": (
        heap_game({"legal_moves": writes()}),
        "the position '5 0' has no legal move but is not over",
    ),
    "a negative move": (
        heap_game({"legal_moves": writes(-1, 1)}),
        "has a move outside 0 to 2**31 - 1",
    ),
    "a wrong count": (
        heap_game({"count_moves": lambda self, moves, start: 3}),
        "counts other moves than it lists",
    ),
    "a third player": (heap_game(side=2), "has side 2; expected 0 or 1"),
    "a move beyond its limit": (
        heap_game(code_limit=lambda start: 2),
        "the position '5 0' has the move 2; code_limit=2",
    ),
    "a score beyond its limit": (
        heap_game({"outcome": lambda self: -7}, score_limit=lambda start: start.heap),
        "is won by more than score_limit=5",
    ),
    "an endless game": (
        heap_game({"play": lambda self, move: self}),
        "is not over after 2000 moves",
    ),
    "a turn that does not come": (
        heap_game({"turn": lambda self, child: 1}),
        "is wrong about whose turn comes next",
    ),
    "one text for two moves": (
        heap_game(write_move=lambda state, move: "take"),
        "reads its own move 'take' as another",
    ),
    "a cell off the board": (
        heap_game(
            board=lambda state: Board("grid", 1, 2, ("", "")),
            move_cells=lambda state, move: (move,),
        ),
        "draws 2 off the board",
    ),
    "one text for all positions": (
        heap_game(
            write_position=lambda state: "somewhere",
            read_position=lambda start, text: start._replace(heap=1),
        ),
        "reads its own position 'somewhere' as another",
    ),
    "no identity": (
        heap_game({"transform": lambda self, symmetry: self._replace(heap=self.heap + 1)}),
        "has a symmetry 0 that is no identity",
    ),
    "other moves in a symmetry": (
        heap_game(
            TWO_SYMMETRIES | {"transform_move": lambda self, move, symmetry: move + symmetry}
        ),
        "has other moves under symmetry 1",
    ),
    "another winner in a symmetry": (
        heap_game(SWAPS_SIDES, heap=0),
        "is won by another under symmetry 1",
    ),
    "another side in a symmetry": (
        heap_game(SWAPS_SIDES),
        "has another side to move under symmetry 1",
    ),
    "no common canonical form": (
        heap_game(
            {
                "count_symmetries": lambda self: 2,
                "transform": lambda self, symmetry: self._replace(heap=self.heap ^ symmetry),
                "canonical_symmetry": lambda self: 0,
            },
            heap=4,
        ),
        "has another canonical form under symmetry 1",
    ),
    "a symmetry that does not commute": (
        heap_game(
            TWO_SYMMETRIES
            | {"transform_move": lambda self, move, symmetry: 3 - move if symmetry else move}
        ),
        "and a move do not commute under symmetry 1",
    ),
    "another game when compiled": (
        heap_game(state_class=WideHeap, heap=64),
        "plays another game when it is compiled",
    ),
}


def refuse(state, text):
    raise MalformedText(f"{text!r} says nothing to me")


FAILING = {
    "a move too large": (
        heap_game({"legal_moves": writes(1, 2**31)}),
        "has a move outside 0 to 2**31 - 1",
    ),
    "no outcome": (heap_game({"outcome": lambda self: None}, heap=0), "has no outcome"),
    "a move it cannot read": (heap_game(read_move=refuse), "its own move '1'"),
    "a position it cannot read": (
        heap_game(write_position=lambda state: "here", read_position=refuse),
        "its own position 'here'",
    ),
}


@pytest.mark.parametrize(("game", "message"), FAILING.values(), ids=FAILING)
def test_a_promise_that_fails_with_an_error_is_named_all_the_same(game, message):
    with pytest.raises(BrokenPromise, match=re.escape(message)):
        check_game(game, game.initial(), games=1)


def test_the_game_that_is_broken_above_is_sound_as_it_is():
    game = heap_game()
    assert check_game(game, game.initial(), games=5) >= 15


@pytest.mark.parametrize(("game", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_promise_is_found_and_named(game, message):
    with pytest.raises(BrokenPromise, match=re.escape(message)):
        check_game(game, game.initial(), games=3)


def test_the_quick_check_finds_more_moves_than_announced():
    game = heap_game(max_moves=1)
    with pytest.raises(
        BrokenPromise, match="heap: a position has more legal moves than max_moves=1"
    ):
        quick_check(game, game.initial())


def test_the_quick_check_finds_a_position_without_moves():
    game = heap_game({"legal_moves": writes()})
    with pytest.raises(BrokenPromise, match="'5 0' has no legal move but is not over"):
        quick_check(game, game.initial())


def test_the_full_check_finds_more_moves_than_announced():
    game = heap_game(max_moves=1)
    with pytest.raises(BrokenPromise, match="more legal moves than max_moves=1"):
        check_game(game, game.initial(), games=1)


class Nothing(NamedTuple):
    """A state that implements no verb."""

    side: int


@pytest.mark.parametrize(
    "ask",
    [
        lambda state: legal_moves(state, np.zeros(1, np.int32), 0),
        lambda state: play(state, 0),
        is_over,
        outcome,
    ],
    ids=["legal_moves", "play", "is_over", "outcome"],
)
def test_the_four_verbs_that_make_a_game_have_no_default(ask):
    with pytest.raises(NotImplementedError):
        ask(Nothing(0))


def test_a_single_state_can_be_checked():
    game = heap_game(max_moves=2, heap=1)
    start = game.initial()
    check_state(game, start, start)
    with pytest.raises(BrokenPromise, match="has side 7"):
        check_state(game, start, start._replace(side=7))


def test_two_state_classes_made_by_one_function_do_not_share_their_machine_code():
    ones, twos = heap_class(legal_moves=writes(1)), heap_class(legal_moves=writes(2))
    assert [heap_after(cls(8, 0)) for cls in (ones, twos)] == [7, 6]


@kernel
def heap_after_first_move(state, moves):
    legal_moves(state, moves, 0)
    return play(state, moves[0]).heap


def heap_after(state):
    return heap_after_first_move(state, np.zeros(2, np.int32))

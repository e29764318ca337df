"""Players that leave something to chance: from which moves, how often, and from which seed."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.spec import evaluate
from plyground.games.catalogue import find_game, games
from plyground.games.position import BasePosition
from plyground.games.rules import is_over, outcome, play, side
from plyground.kernel import plain_python
from plyground.players.catalogue import make_player
from plyground.players.chance import Noisy, Wrapper
from plyground.players.spec import Choice, Player, Turn

SEEDS = range(400)
NEVER_LOST = 10**12  # beyond any evaluation


# ------------------------------------------------------------------ tools


def turn_after(game: str, moves: Iterable[int] = (), seed: int = 0, **settings: Any) -> Turn:
    spec = find_game(game)
    start = spec.initial(**settings)
    turn = Turn(BasePosition.at(spec, {}, start), seed)
    for move in moves:
        turn = turn.after(move)
    return turn


def random_turns(game: str, count: int, most_plies: int, **settings: Any) -> list[Turn]:
    """Turns with something to choose, from random games."""
    chooser, found = random.Random(7), []
    while len(found) < count:
        turn = turn_after(game, seed=len(found), **settings)
        for _ in range(chooser.randrange(most_plies)):
            after = turn.after(chooser.choice(turn.game.legal(turn.state)))
            if is_over(after.state):
                break
            turn = after
        if len(turn.game.legal(turn.state)) > 1:
            found.append(turn)
    return found


def choices(text: str, turn: Turn, seeds: Iterable[int] = SEEDS) -> list[Choice]:
    """What a player answers to the same question with other seeds."""
    player = make_player(text, turn.game, turn.position.start)
    turns = [Turn(turn.position, seed) for seed in seeds]
    with plain_python():
        return [player.choose(each) for each in turns]


def moves_of(text: str, turn: Turn, seeds: Iterable[int] = SEEDS) -> list[int]:
    return [choice.move for choice in choices(text, turn, seeds)]


def assert_equally_often(moves: list[int], expected: Iterable[int]) -> None:
    """Each about as often as the others: within five deviations."""
    counts, wanted = Counter(moves), set(expected)
    assert set(counts) == wanted
    mean = len(moves) / len(wanted)
    for count in counts.values():
        assert abs(count - mean) < 5 * mean**0.5, counts


# ------------------------------------------------------------------ random


@pytest.mark.parametrize("game", games())
def test_random_plays_any_legal_move(game: str) -> None:
    turn = turn_after(game)
    seen = set(moves_of("random", turn, range(60)))
    assert seen <= set(turn.game.legal(turn.state))
    assert len(seen) > 1


def test_random_plays_each_move_as_often() -> None:
    turn = turn_after("mnk", (4, 0))
    assert_equally_often(moves_of("random", turn), turn.game.legal(turn.state))


def test_random_moves_of_one_game_are_not_all_alike() -> None:
    """The ply is part of the seed: the same place in the list would come up all the time."""
    player = make_player("random", find_game("mnk"), turn_after("mnk").position.start)
    places = []
    for seed in range(100):
        turn = turn_after("mnk", seed=seed)
        for _ in range(4):
            move = player.choose(turn).move
            places.append(turn.game.legal(turn.state).index(move))
            turn = turn.after(move)
    pairs = Counter(itertools.pairwise(places))
    assert len(pairs) > 50


@pytest.mark.parametrize(
    "text",
    [
        *("random", "better-random", "random-start(moves=9,then=first)", "first"),
        *("greedy:noise=50%", "random-start(moves=0,then=better-random)"),
    ],
)
def test_asked_the_same_again_they_answer_the_same(text: str) -> None:
    turn = turn_after("othello")
    assert choices(text, turn, range(20)) == choices(text, turn, range(20))


def test_first_plays_the_first_legal_move() -> None:
    for turn in random_turns("othello", 10, 30):
        assert moves_of("first", turn, range(2)) == [turn.game.legal(turn.state)[0]] * 2
        assert moves_of("brute-force", turn, [0]) == [turn.game.legal(turn.state)[0]]


# ------------------------------------------------------------------ better-random


def worth(turn: Turn, evaluator: Any, move: int) -> int:
    """How a position looks after a move, to whoever moves; what is won looks best."""
    child = play(turn.state, move)
    sign = 1 if side(child) == turn.side else -1
    if is_over(child):
        return sign * NEVER_LOST * int(outcome(child))
    return sign * int(evaluate(evaluator, child))


def two_best(turn: Turn, evaluator: Any) -> list[int]:
    legal = turn.game.legal(turn.state)
    ranked = sorted(legal, key=lambda move: (-worth(turn, evaluator, move), legal.index(move)))
    return ranked[:2]


@pytest.mark.parametrize(
    ("game", "evaluator", "settings"),
    [
        ("othello", "stages", {}),
        ("othello", "discs", {"size": 4}),
        ("connect4", "segments", {"width": 5, "height": 4}),
        ("kalah", "rich", {}),
        ("mnk", "lines", {}),
        ("synthetic", "path", {"branching": 5, "depth": 6}),
    ],
)
def test_better_random_picks_among_the_two_best(
    game: str, evaluator: str, settings: dict[str, Any]
) -> None:
    for turn in random_turns(game, 8, 12, **settings):
        judge = find_evaluator(evaluator, turn.position.start).make()
        seen = set(moves_of(f"better-random:eval={evaluator}", turn, range(20)))
        assert seen == set(two_best(turn, judge)), turn.game.format_position(turn.state)


def test_better_random_picks_each_about_half_the_time() -> None:
    turn = random_turns("othello", 3, 20)[2]
    judge = find_evaluator("stages", turn.position.start).make()
    moves = moves_of("better-random:eval=stages", turn)
    assert_equally_often(moves, two_best(turn, judge))


def test_better_random_takes_its_evaluator_with_weights() -> None:
    turn = random_turns("othello", 3, 20)[2]
    judge = find_evaluator("stages", turn.position.start).make()
    upside_down = judge._replace(early_mobility=-500)
    assert set(two_best(turn, upside_down)) != set(two_best(turn, judge))
    seen = moves_of("better-random:eval=stages(early_mobility=-500)", turn, range(20))
    assert set(seen) == set(two_best(turn, upside_down))


def test_better_random_without_an_evaluator_takes_the_default_one() -> None:
    for turn in random_turns("kalah", 4, 8):
        default = find_evaluator(None, turn.position.start).name
        assert choices("better-random", turn, range(9)) == choices(
            f"better-random:eval={default}", turn, range(9)
        )


def test_a_win_at_once_is_one_of_the_two_best() -> None:
    turn = turn_after("connect4", (3, 3, 4, 4, 5, 5))
    assert set(moves_of("better-random", turn, range(20))) == {2, 6}


def test_a_loss_at_once_is_none_of_the_two_best() -> None:
    """In a tree of one ply every move ends the game."""
    turn = turn_after("synthetic", branching=6, depth=1, leaves="incremental", spread=9)
    finals = {move: worth(turn, None, move) for move in turn.game.legal(turn.state)}
    assert len(set(finals.values())) > 2
    lowest = sorted(finals.values())[-2]
    assert all(finals[move] >= lowest for move in moves_of("better-random", turn, range(20)))


def test_a_single_move_is_its_choice() -> None:
    turn = turn_after("connect4", (0, 0, 0, 0), width=2, height=4, connect=4)
    assert set(moves_of("better-random", turn, range(5))) == {1}
    assert set(moves_of("random", turn, range(5))) == {1}


# ------------------------------------------------------------------ random-start


class Counting(Player):
    """Always the last legal move, and how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, turn: Turn) -> Choice:
        self.asked += 1
        return Choice(turn.game.legal(turn.state)[-1])


def asked_inside(text: str, turn: Turn, plies: int) -> list[list[bool]]:
    """For the moves of either side of a game with itself: whether the player inside was asked."""
    player = make_player(text, turn.game, turn.position.start)
    assert isinstance(player, Wrapper)
    inside = player.then = Counting()
    asked: list[list[bool]] = [[], []]
    for _ in range(plies):
        before = inside.asked
        move = player.choose(turn).move
        assert move in turn.game.legal(turn.state)
        asked[turn.side].append(inside.asked > before)
        turn = turn.after(move)
        if is_over(turn.state):
            break
    return asked


@pytest.mark.parametrize("moves", [0, 1, 3])
def test_its_first_moves_are_random_and_then_somebody_else_plays(moves: int) -> None:
    for seed in range(5):
        turn = turn_after("othello", seed=seed)
        expected = [False] * moves + [True] * (6 - moves)
        assert asked_inside(f"random-start:moves={moves}", turn, 12) == [expected, expected]


def test_without_a_number_its_first_eight_moves_are_random() -> None:
    asked = asked_inside("random-start", turn_after("othello"), 20)
    assert asked == [[False] * 8 + [True] * 2] * 2


@pytest.mark.parametrize("seed", range(8))
def test_its_own_moves_are_counted_where_a_side_may_move_again(seed: int) -> None:
    """In Kalah the turn does not alternate: half of all moves are not its own."""
    turn = turn_after("kalah", seed=seed)
    for own in asked_inside("random-start:moves=3", turn, 20):
        assert own[:5] == [False, False, False, True, True][: len(own)]


def test_its_random_moves_are_any_legal_ones_each_as_often() -> None:
    turn = turn_after("mnk", (4, 0))
    assert_equally_often(
        moves_of("random-start(moves=4,then=first)", turn), turn.game.legal(turn.state)
    )


@pytest.mark.parametrize("inner", ["alphabeta:depth=2", "better-random", "first", "amateur"])
def test_after_its_random_moves_it_equals_the_player_inside(inner: str) -> None:
    for turn in random_turns("connect4", 6, 12, width=5, height=4):
        if len(turn.position.codes) < 4:
            continue
        seeds = range(6)
        assert choices(f"random-start(moves=2,then={inner})", turn, seeds) == choices(
            inner, turn, seeds
        )


def test_without_a_name_alphabeta_takes_over() -> None:
    player = make_player("random-start", find_game("mnk"), turn_after("mnk").position.start)
    assert isinstance(player, Wrapper)
    assert player.then == make_player(
        "alphabeta", find_game("mnk"), turn_after("mnk").position.start
    )


# ------------------------------------------------------------------ noise


def test_noise_of_nothing_is_the_player_itself() -> None:
    turn = turn_after("mnk", (4, 0))
    quiet = make_player("alphabeta:depth=2,noise=0%", turn.game, turn.position.start)
    assert quiet == make_player("alphabeta:depth=2", turn.game, turn.position.start)
    assert choices("greedy:noise=0%", turn, range(5)) == choices("greedy", turn, range(5))


def test_noise_of_all_is_any_legal_move() -> None:
    turn = turn_after("mnk", (4, 0))
    assert_equally_often(moves_of("greedy:noise=100%", turn), turn.game.legal(turn.state))


@pytest.mark.parametrize("share", [0.05, 0.2, 0.5, 0.9])
def test_noise_has_its_share(share: float) -> None:
    turn = turn_after("mnk", (4, 0))
    player = Noisy(Counting(), share)
    seeds = range(2000)
    for seed in seeds:
        player.choose(Turn(turn.position, seed))
    assert isinstance(player.then, Counting)
    noisy = len(seeds) - player.then.asked
    deviation = (len(seeds) * share * (1 - share)) ** 0.5
    assert abs(noisy - len(seeds) * share) < 5 * deviation


def test_a_noisy_move_is_any_legal_one_each_as_often() -> None:
    """What decides whether a move is noise must not decide which."""
    turn = turn_after("mnk", (4, 0))
    noise = [
        choice.move for choice in choices("greedy:noise=30%", turn, range(800)) if not choice.score
    ]
    assert 170 < len(noise) < 310
    assert_equally_often(noise, turn.game.legal(turn.state))


def test_a_move_that_is_not_noise_is_the_one_of_the_player_inside() -> None:
    turn = turn_after("mnk", (4, 0))
    quiet = choices("greedy", turn, [0])[0]
    kept = [choice for choice in choices("greedy:noise=30%", turn) if choice.score]
    assert kept
    assert set(kept) == {quiet}


def test_noise_leaves_the_choice_among_equals_to_chance() -> None:
    """Whether a move is noise and which of equals is played are decided independently."""
    turn = turn_after("mnk")
    text = "alphabeta:depth=1,eval=zero,ties=random,noise=50%"
    kept = [choice.move for choice in choices(text, turn) if choice.score]
    assert_equally_often(kept, turn.game.legal(turn.state))


def test_noise_leaves_chance_to_the_player_inside() -> None:
    turn = turn_after("mnk")
    player = Noisy(make_player("random", turn.game, turn.position.start), 0.5)
    turns = [Turn(turn.position, seed) for seed in range(2000)]
    assert_equally_often([player.choose(each).move for each in turns], turn.game.legal(turn.state))


# ------------------------------------------------------------------ players around players


class Witness(Player):
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def prepare(self, turn: Turn) -> None:
        self.told.append("prepare")

    def begin(self) -> None:
        self.told.append("begin")

    def watch(self, turn: Turn) -> None:
        self.told.append("watch")

    def close(self) -> None:
        self.told.append("close")


@pytest.mark.parametrize("text", ["random-start", "alphabeta:noise=1%"])
def test_the_player_inside_hears_of_everything(text: str) -> None:
    turn = turn_after("mnk")
    player = make_player(text, turn.game, turn.position.start)
    assert isinstance(player, Wrapper)
    inside = player.then = Witness()
    player.prepare(turn)
    player.begin()
    player.watch(turn)
    player.close()
    assert inside.told == ["prepare", "begin", "watch", "close"]

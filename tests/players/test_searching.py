"""Players that search: they play what the search finds, and what is set for them reaches it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

import plyground as pg
from plyground.core.errors import InputError, MalformedText, Unsupported
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.othello_stages import Stages
from plyground.evaluation.spec import evaluate
from plyground.games.catalogue import find_game
from plyground.games.position import BasePosition
from plyground.games.rules import is_over, play, side
from plyground.kernel import Kernel, plain_python
from plyground.lab.catalogue.connect4_mtdf.program import Program, Reading
from plyground.players import searching
from plyground.players.catalogue import make_player
from plyground.players.searching import DEFAULT_NODES, HURRY, SearchPlayer
from plyground.players.spec import Choice, Player, Turn
from plyground.search.catalogue import ALGORITHMS, Algorithm, find_algorithm
from plyground.search.finish import AsScored, ByDistance, ByMargin
from plyground.search.run import search
from plyground.search.setup import DEFAULT_MEMORY, Limits, SearchResult, Setup

SEARCHES = [algorithm for algorithm in ALGORITHMS if algorithm.call != "move"]
each_search = pytest.mark.parametrize("algorithm", SEARCHES, ids=lambda each: each.name)

OTHELLO = find_game("othello").initial()
DEFAULT_EVALUATOR = find_evaluator(None, OTHELLO).make()

# The kernel that the level `expert` uses as well, so that it is compiled only once.
COMPILED = "abmemory:order=all,eval=threats,symmetric=yes"


# ------------------------------------------------------------------ tools


@pytest.fixture
def plain() -> Iterator[None]:
    """Nothing is compiled: for searches of a few nodes."""
    with plain_python():
        yield


def turn_at(
    game: str, plies: int = 0, seed: int = 0, time_s: float | None = None, **settings: Any
) -> Turn:
    """A turn after some random moves, before the game is over."""
    spec = find_game(game)
    start = spec.initial(**settings)
    turn, chooser = Turn(BasePosition.at(spec, {}, start), seed, time_s), random.Random(plies)
    for _ in range(plies):
        after = turn.after(chooser.choice(spec.legal(turn.state)))
        if is_over(after.state):
            break
        turn = after
    return turn


def player(text: str, turn: Turn) -> Player:
    return make_player(text, turn.game, turn.position.start)


def choose(text: str, turn: Turn) -> Choice:
    return player(text, turn).choose(turn)


class Heard:
    """What a search was asked for; the answer is the first legal move."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.setup: Setup
        self.limits: Limits
        self.times = 0
        monkeypatch.setattr(searching, "search", self)

    def __call__(
        self, game: Any, state: Any, setup: Setup, limits: Limits, stop: Any = None
    ) -> SearchResult:
        self.setup, self.limits = setup, limits
        self.times += 1
        return search(game, state, Setup(find_algorithm("first"), setup.evaluator), limits)


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Heard:
    return Heard(monkeypatch)


# ------------------------------------------------------------------ the same as the search


def limits_for(algorithm: Algorithm) -> tuple[str, Limits, int]:
    """A text of limits, the limits, and the number of simulations."""
    if algorithm.call == "uct":
        return ":simulations=40", Limits(), 40
    if algorithm.name == "greedy":
        return "", Limits(depth=1), 0
    return ":depth=3", Limits(depth=3), 0


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize(
    ("turn", "finish"),
    [
        (turn_at("connect4", 3, width=4, height=4, connect=3), ByDistance()),
        (turn_at("othello", 2, size=4), ByMargin()),
        (turn_at("kalah", 1, pits=3, seeds=2), ByMargin()),
        (turn_at("synthetic", 1, branching=3, depth=6), AsScored()),
    ],
    ids=["connect4", "othello", "kalah", "synthetic"],
)
@each_search
def test_a_player_plays_what_the_search_finds(
    algorithm: Algorithm, turn: Turn, finish: Any
) -> None:
    if algorithm.name == "quiescence" and turn.game.name == "synthetic":
        with pytest.raises(Unsupported, match="synthetic has no noisy moves"):
            player("quiescence", turn)
        return
    text, limits, simulations = limits_for(algorithm)
    evaluator = find_evaluator(None, turn.position.start).make()
    seed = turn.chance if algorithm.call == "uct" else None
    setup = Setup(algorithm, evaluator, finish, seed=seed, simulations=simulations)
    found = search(turn.game, turn.state, setup, limits)
    counted = {name: found.counters[name] for name in ("nodes", "leaves", "passes")}
    assert choose(algorithm.name + text, turn) == Choice(
        found.move or 0, found.score, found.depth, line=found.line, **counted
    )


@pytest.mark.usefixtures("plain")
@each_search
def test_asked_the_same_again_it_answers_the_same(algorithm: Algorithm) -> None:
    turn = turn_at("kalah", 2, seed=5)
    text = algorithm.name + limits_for(algorithm)[0]
    asked = player(text, turn)
    first = asked.choose(turn)
    asked.choose(turn_at("kalah", 3))
    assert asked.choose(turn) == first == choose(text, turn)


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("text", ["alphabeta:depth=2,eval=zero,ties=random", "uct:simulations=30"])
def test_with_another_seed_what_is_left_to_chance_is_another(text: str) -> None:
    asked = player(text, turn_at("mnk"))
    moves = [asked.choose(turn_at("mnk", seed=seed)).move for seed in range(30)]
    assert len(set(moves)) > 4
    assert moves == [asked.choose(turn_at("mnk", seed=seed)).move for seed in range(30)]


@pytest.mark.usefixtures("plain")
def test_equally_good_moves_are_equally_likely() -> None:
    asked = player("alphabeta:depth=1,eval=zero,ties=random", turn_at("mnk"))
    moves = [asked.choose(turn_at("mnk", seed=seed)).move for seed in range(450)]
    counts = [moves.count(move) for move in range(9)]
    assert min(counts) > 25, counts  # 50 each, with a deviation below 7
    assert max(counts) < 80, counts


@pytest.mark.usefixtures("plain")
def test_without_random_ties_the_seed_does_not_matter() -> None:
    turns = [turn_at("mnk", 2, seed=seed) for seed in range(5)]
    assert len({choose("alphabeta:depth=2,eval=zero", turn).move for turn in turns}) == 1
    assert len({choose("alphabeta:depth=2,order=random", turn).move for turn in turns}) == 1


def test_a_single_legal_move_is_answered_at_once(heard: Heard) -> None:
    connect_four = find_game("connect4")
    start = connect_four.initial(width=2, height=4, connect=4)
    turn = Turn(BasePosition.at(connect_four, {}, start))
    for move in (0, 0, 0, 0):
        turn = turn.after(move)
    assert connect_four.legal(turn.state) == [1]
    for algorithm in SEARCHES:
        assert choose(algorithm.name, turn) == Choice(1)
    assert heard.times == 0


# ------------------------------------------------------------------ limits


@pytest.mark.parametrize(
    ("text", "time_s", "expected"),
    [
        ("alphabeta", None, Limits(nodes=DEFAULT_NODES)),
        ("sss", None, Limits(nodes=DEFAULT_NODES)),
        ("uct", None, Limits()),
        ("alphabeta:depth=5", None, Limits(depth=5)),
        ("alphabeta:time=2s", None, Limits(time_s=2.0)),
        ("alphabeta:nodes=3k", None, Limits(nodes=3000)),
        ("uct:nodes=3k", None, Limits(nodes=3000)),
        ("uct:simulations=3k", None, Limits()),
        ("alphabeta:depth=5,time=2s,nodes=3k", None, Limits(5, 2.0, 3000)),
        ("alphabeta:depth=5,endgame=9", None, Limits(depth=5, endgame=9)),
        ("alphabeta:endgame=9", None, Limits(nodes=DEFAULT_NODES, endgame=9)),
        # A time from outside takes the place of the default limit and adds to own ones.
        ("alphabeta", 1.0, Limits(time_s=HURRY)),
        ("uct", 1.0, Limits(time_s=HURRY)),
        ("alphabeta:depth=5", 1.0, Limits(depth=5, time_s=HURRY)),
        ("alphabeta:nodes=3k", 1.0, Limits(nodes=3000, time_s=HURRY)),
        ("alphabeta:time=2s", 1.0, Limits(time_s=HURRY)),
        ("alphabeta:time=2s", 4.0, Limits(time_s=2 * HURRY)),
        ("alphabeta:endgame=9", 1.0, Limits(time_s=HURRY, endgame=9)),
    ],
)
def test_limits_reach_the_search(
    heard: Heard, text: str, time_s: float | None, expected: Limits
) -> None:
    choose(text, turn_at("othello", time_s=time_s))
    assert heard.limits == expected


@pytest.mark.usefixtures("plain")
def test_a_time_from_outside_ends_an_endless_search() -> None:
    turn = turn_at("othello", time_s=0.1)
    for text in ("minimax", "minimax:depth=60", "alphabeta:depth=200,ties=random"):
        chosen = choose(text, turn)
        assert chosen.move in turn.game.legal(turn.state)
        assert chosen.depth < 60


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("time_s", [None, 3600.0])
def test_own_limits_hold_whatever_the_time(time_s: float | None) -> None:
    turn = turn_at("mnk", 2, time_s=time_s)
    assert choose("alphabeta:depth=2,eval=zero", turn).depth == 2
    assert 300 <= choose("negamax:nodes=300", turn).nodes <= 310


@pytest.mark.usefixtures("plain")
def test_the_last_moves_are_solved() -> None:
    turn = turn_at("othello", 5, size=4)
    assert len(turn.game.legal(turn.state)) > 1
    assert choose("alphabeta:depth=1", turn).depth == 1
    solved = choose("alphabeta:depth=1,endgame=9", turn)
    assert solved.depth > 5
    assert solved.score is not None
    assert solved.score.kind == "proven" or solved.score.value == 0


def test_compiled_and_without_limits_it_thinks_for_so_many_nodes() -> None:
    turn = turn_at("connect4")
    chosen = choose(COMPILED, turn)
    assert DEFAULT_NODES <= chosen.nodes <= DEFAULT_NODES + 200
    assert chosen == choose(COMPILED, turn)
    assert turn.game.format_move(turn.state, chosen.move) == "4"


def test_compiled_and_with_a_time_from_outside_it_thinks_for_longer() -> None:
    chosen = choose(COMPILED, turn_at("connect4", time_s=2.0))
    assert chosen.nodes > DEFAULT_NODES + 1000
    assert chosen.depth < 42


# ------------------------------------------------------------------ options


@pytest.mark.parametrize(
    ("text", "field", "expected"),
    [
        ("abmemory", "memory_bytes", DEFAULT_MEMORY),
        ("abmemory:memory=1MB", "memory_bytes", 2**20),
        ("sss:memory=1MB", "memory_bytes", 2**20),
        ("uct:memory=1MB", "memory_bytes", 2**20),
        ("alphabeta", "order", "natural"),
        ("alphabeta:order=history", "order", "history"),
        ("abmemory", "symmetric", False),
        ("abmemory:symmetric=yes", "symmetric", True),
        ("abmemory:threads=3", "threads", 3),
        ("alphabeta", "seed", None),
        ("alphabeta:ties=first", "seed", None),
        ("alphabeta:ties=random", "seed", turn_at("othello", seed=8).chance),
        ("uct", "seed", turn_at("othello", seed=8).chance),
        ("alphabeta", "finish", ByMargin()),
        ("alphabeta:finish=distance", "finish", ByDistance()),
        ("uct:simulations=77", "simulations", 77),
        ("uct", "playouts", True),
        ("uct:eval=discs", "playouts", False),
        ("alphabeta", "evaluator", DEFAULT_EVALUATOR),
        ("alphabeta:eval=STAGES", "evaluator", Stages()),
        ("alphabeta:eval=stages(early_mobility=12)", "evaluator", Stages(early_mobility=12)),
        ("uct:eval=stages(corner=-3)", "evaluator", Stages(corner=-3)),
        ("greedy:eval=stages(corner=+3)", "evaluator", Stages(corner=3)),
        ("alphabeta:eval=stages(corner=0,centre=9)", "evaluator", Stages(corner=0, centre=9)),
    ],
)
def test_options_reach_the_search(heard: Heard, text: str, field: str, expected: object) -> None:
    choose(text, turn_at("othello", seed=8))
    assert getattr(heard.setup, field) == expected


def best_by(evaluator: Any, turn: Turn) -> int:
    """The value of the move after which the position looks best, by nothing of ours but rules."""
    values = []
    for move in turn.game.legal(turn.state):
        child = play(turn.state, move)
        value = int(evaluate(evaluator, child))
        values.append(value if side(child) == turn.side else -value)
    return max(values)


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("text", ["alphabeta:depth=1", "greedy:", "sss:depth=1", "mtdf:depth=1"])
def test_weights_change_what_is_found(text: str) -> None:
    turn = turn_at("othello", 9)
    values = {}
    for weights in ({}, {"early_mobility": 12}, {"early_mobility": -12, "corner": 7}):
        written = ",".join(f"{name}={value}" for name, value in weights.items())
        chosen = choose(f"{text},eval=stages({written})".replace(":,", ":"), turn)
        assert chosen.score is not None
        values[written] = chosen.score.value
        assert chosen.score.value == best_by(Stages(**weights), turn)
    assert len(set(values.values())) == 3


@pytest.mark.usefixtures("plain")
def test_a_finish_tells_wins_apart() -> None:
    turn = turn_at("connect4")
    for move in (3, 3, 4, 4, 5, 5):
        turn = turn.after(move)
    assert str(choose("alphabeta:depth=3", turn).score) == "win in 1"
    assert str(choose("alphabeta:depth=3,finish=margin", turn).score) == "+1"


# ------------------------------------------------------------------ the order of moves


def first_moves(text: str, game: str, moves: str = "") -> list[str]:
    """The order in which minimax tries the moves of a position."""
    with plain_python():
        tree = pg.Position(game, moves).tree("minimax", depth=1, order=text)
    return [str(node.move) for node in tree.root.children]


@pytest.mark.parametrize(
    ("game", "moves", "order", "expected"),
    [
        ("connect4", "", "4,5,3", "4 5 3 1 2 6 7"),
        ("connect4", "4 4 4 4 4 4", "4 5 3", "5 3 1 2 6 7"),
        ("connect4", "", "7654321", "7 6 5 4 3 2 1"),
        ("othello", "", "f5,a1,c4", "f5 c4 d3 e6"),
        ("othello", "f5", "f4,d6", "f4 d6 f6"),
        ("tictactoe", "b2", "b2,c3", "c3 a1 b1 c1 a2 c2 a3 b3"),
        ("kalah", "", "6,3", "6 3 1 2 4 5"),
    ],
)
def test_listed_moves_come_first_and_the_rest_as_the_game_has_them(
    game: str, moves: str, order: str, expected: str
) -> None:
    assert first_moves(order, game, moves) == expected.split()


@pytest.mark.parametrize("sort, sign", [("shallow", 1), ("worst", -1)])
def test_moves_may_be_sorted_by_an_evaluator_of_their_own(sort: str, sign: int) -> None:
    turn = turn_at("othello", 9)
    game, state = turn.game, turn.state
    judge = find_evaluator("positional", state).make()
    values = {
        game.format_move(state, move): -sign * evaluate(judge, play(state, move))
        for move in turn.legal
    }
    moves = " ".join(turn.position.moves)
    ordered = first_moves(f"{sort}(eval=positional)", "othello", moves)
    assert ordered == sorted(values, key=lambda move: -values[move])
    assert ordered != first_moves(sort, "othello", moves)


@pytest.mark.parametrize("depth", [4, 6])
def test_the_study_of_mtdf_and_a_player_with_its_order_visit_the_same_leaves(depth: int) -> None:
    study = Program(depth, Reading(wins="equal"))
    text = f"alphabeta:depth={depth},eval=segments,finish=margin,order=4,5,3,6,2,7,1"
    turn = turn_at("connect4", 5)
    asked = player(text, turn)
    assert isinstance(asked, SearchPlayer)
    found = search(turn.game, turn.state, asked.setup, asked.limits)
    known = study.search("alphabeta", turn.state)
    assert (found.value, found.move) == (known.value, known.move)
    assert found.counters["leaves"] == known.counters["leaves"]


@pytest.mark.parametrize(
    ("game", "order", "problem"),
    [
        ("connect4", "4,8", "order '4,8': '8' is not a column; expected a number from 1 to 7"),
        ("connect4", "4,5,4", "order '4,5,4': '4' is listed twice"),
        ("connect4", '""', "order '': expected a name, or moves to try first"),
        ("othello", "d3,pass", "order 'd3,pass': 'pass' cannot be listed"),
        ("othello", "d3,z9", "order 'd3,z9': "),
        ("connect4", "killers,depth", "order 'killers,depth': "),
        ("connect4", "killers()", "order 'killers': expected shallow(eval=NAME)"),
        ("connect4", "shallow(depth=1)", "order 'shallow:depth=1': expected shallow(eval=NAME)"),
    ],
)
def test_an_order_of_moves_that_do_not_exist_is_refused(
    game: str, order: str, problem: str
) -> None:
    with pytest.raises(MalformedText, match=re.escape(f"alphabeta: {problem}")):
        player(f"alphabeta:depth=1,order={order}", turn_at(game))


def test_moves_with_very_high_numbers_are_not_listed() -> None:
    game = replace(find_game("mnk"), read_move=lambda state, text: 2**30)
    with pytest.raises(MalformedText, match="'b2' cannot be listed"):
        make_player("alphabeta:order=b2", game, game.initial())


# ------------------------------------------------------------------ what may be left out, and kept


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize(
    ("name", "value"), [("prune", "isolated"), ("remember", "1MB"), ("stop", "win")]
)
def test_a_player_visits_the_nodes_of_the_search_with_the_same_options(
    name: str, value: str
) -> None:
    position = pg.Position("double-card", "0 1 A 1; 0 2 A 2", width=4, height=4, cards=6)
    given: dict[str, Any] = {name: value}
    found = position.search("alphabeta", depth=2, **given)
    chosen = choose(f"alphabeta:depth=2,{name}={value}", Turn(position))
    assert (chosen.nodes, chosen.line) == (found.nodes, found.found.line)
    whole = position.search("alphabeta", depth=2).nodes
    assert found.nodes < whole if name == "prune" else found.nodes == whole


# ------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "alphabeta:eval=stages(erly_mobility=1)",
            "weight of stages 'erly_mobility'; did you mean",
        ),
        ("alphabeta:eval=stages(early_mobilty=1)", "did you mean early_mobility?"),
        ("alphabeta:eval=stage", "unknown evaluator 'stage'; did you mean stages?"),
        (
            "alphabeta:eval=segments",
            "evaluator segments judges another game; for this one: discs",
        ),
        ("uct:eval=segments", "evaluator segments judges another game"),
        ("greedy:depth=1", "unknown option of greedy 'depth'; known: eval, noise, ponder"),
        ("uct:depth=1", "unknown option of uct 'depth'"),
        ("alphabeta:memory=1MB", "unknown option of alphabeta 'memory'"),
        ("alphabeta:threads=2", "unknown option of alphabeta 'threads'"),
        ("mtdf:threads=2", "unknown option of mtdf 'threads'"),
        ("quiescence:ties=random", "unknown option of quiescence 'ties'"),
        ("alphabeta:order=killer", "'killer'; did you mean killers?"),
        ("alphabeta:order=shallow(eval=segments)", "evaluator segments judges another game"),
        ("alphabeta:prune=isolted", "'isolted'; did you mean isolated?"),
        ("alphabeta:stop=wins", "'wins'; did you mean win?"),
        ("althofer:stop=win", "unknown option of althofer 'stop'"),
        ("uct:remember=1MB", "unknown option of uct 'remember'"),
    ],
)
def test_names_that_do_not_exist_get_the_nearest_that_do(text: str, problem: str) -> None:
    with pytest.raises(Unsupported, match=re.escape(problem)):
        player(text, turn_at("othello"))


@pytest.mark.parametrize(
    "weight",
    ["", "x", "1.5", "1001", "-1001", "+-5", "--5", "-", "5-", "²", "1_0", "9" * 500],
)
def test_a_weight_is_a_whole_number_of_some_size(weight: str) -> None:
    with pytest.raises(MalformedText, match=r"corner .*: expected a whole number, at most 1,000"):
        player(f'alphabeta:eval=stages(corner="{weight}")', turn_at("othello"))


def test_a_weight_is_no_player() -> None:
    with pytest.raises(MalformedText, match="corner 'x:y=1': expected a plain value"):
        player("alphabeta:eval=stages(corner=x(y=1))", turn_at("othello"))


@pytest.mark.parametrize(
    "text",
    [
        *("alphabeta:depth=0", "alphabeta:depth=201", "alphabeta:nodes=0", "alphabeta:time=0"),
        *("alphabeta:endgame=61", "abmemory:threads=0", "uct:simulations=0", "alphabeta:depth=x"),
        *("abmemory:memory=65GB", "abmemory:symmetric=maybe", "alphabeta:noise=101%"),
    ],
)
def test_values_out_of_their_range_are_refused(text: str) -> None:
    with pytest.raises(MalformedText, match="expected"):
        player(text, turn_at("othello"))


def test_an_evaluator_that_tells_mirrored_positions_apart_refuses_to_share_them() -> None:
    turn = turn_at("double-card")
    with pytest.raises(Unsupported, match="tells mirrored positions apart"):
        player("abmemory:eval=naive,symmetric=yes", turn)
    assert isinstance(player("abmemory:eval=naive,symmetric=no", turn), SearchPlayer)
    assert isinstance(player("abmemory:eval=patterns,symmetric=yes", turn), SearchPlayer)


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("algorithm", SEARCHES, ids=lambda each: each.name)
def test_memory_can_be_taken_only_from_those_that_can_do_without(algorithm: Algorithm) -> None:
    turn = turn_at("mnk", 4)
    text = f"{algorithm.name}:depth=2,memory=0"
    if algorithm.call == "uct":
        text = "uct:simulations=5,memory=0"
    if algorithm.needs_table:
        with pytest.raises(Unsupported, match=f"{algorithm.name} cannot work without memory"):
            choose(text, turn)
    elif algorithm.uses_table or algorithm.call in ("best-first", "uct"):
        assert choose(text, turn).move in turn.game.legal(turn.state)
    else:
        with pytest.raises(Unsupported, match="unknown option"):
            player(text, turn)


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize(
    ("game", "text", "problem"),
    [
        ("kalah", "alphabeta:depth=1,order=weights", "kalah has no weights for its places"),
        ("mnk", "abmemory:depth=1,threads=2,memory=0", "abmemory with a table on more"),
        ("connect4", "sss:depth=9,memory=1KB", "sss needs more memory"),
        ("kalah", "alphabeta:stop=win", "in kalah a later move may be worth more; stop at a win"),
        ("connect4", "alphabeta:prune=isolated", "connect4 has no isolated moves to leave out"),
        ("mnk", "quiescence:depth=1", "mnk has no noisy moves to play out; try falphabeta"),
    ],
)
def test_combinations_that_make_no_sense_are_refused(game: str, text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        choose(text, turn_at(game))


# ------------------------------------------------------------------ making ready


def shape(value: object) -> object:
    """What the compiler tells arguments apart by: their types, fields included."""
    if isinstance(value, tuple):
        return (type(value), *map(shape, value))
    return int if isinstance(value, int) else type(value)


@pytest.fixture
def entered(monkeypatch: pytest.MonkeyPatch) -> set[object]:
    """The entries into kernels, one for each combination of types: what has to be compiled."""
    found: set[object] = set()
    inside = False
    original = Kernel.__call__

    def call(kernel: Kernel, *args: object) -> object:
        nonlocal inside
        if inside:
            return original(kernel, *args)
        found.add((kernel.function.__name__, *map(shape, args)))
        inside = True
        try:
            return original(kernel, *args)
        finally:
            inside = False

    monkeypatch.setattr(Kernel, "__call__", call)
    return found


TIES = ["minimax", "alphabeta", "abmemory", "mtdf", "dual"]
READY = [
    *[f"{each.name}{limits_for(each)[0]}" for each in SEARCHES],
    *[f"{name}:depth=3,ties=random" for name in TIES],
    *("alphabeta:nodes=100", "abmemory:depth=3,memory=0", "mtdf:depth=3,order=all"),
    *("uct:nodes=20", "uct:simulations=20,eval=lines", "alphabeta:depth=2,ponder=yes"),
    *("random-start(moves=0,then=alphabeta:depth=2)", "alphabeta:depth=2,noise=1%"),
    *("alphabeta:depth=3,order=b2,a1,stop=win", "mtdf:depth=3,order=shallow(eval=zero)"),
    "alphabeta:depth=3,remember=1MB",
]


@pytest.mark.usefixtures("plain")
@pytest.mark.parametrize("time_s", [None, 0.1])
@pytest.mark.parametrize("text", READY)
def test_nothing_is_left_to_compile_after_making_ready(
    text: str, time_s: float | None, entered: set[object]
) -> None:
    """Or it would be done in thinking time, and a first move would be too late."""
    game = "connect4" if text.startswith("quiescence") else "mnk"
    asked = player(text, turn_at(game, time_s=time_s))
    asked.prepare(turn_at(game, time_s=time_s))
    ready = set(entered)
    assert ready
    asked.choose(turn_at(game, 3, time_s=time_s))
    assert {str(entry).split(",")[0] for entry in entered - ready} == set()

"""Each contract notices what it claims to notice: here is a broken thing for every claim.

`test_game_contract.py` does the same for games, `test_catalogues.py` holds sound things to it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest
from user_games import HEAP_GAME

import plyground as pg
from plyground.core.errors import GameCodeError, PlygroundError, Unsupported
from plyground.evaluation.general import Zero
from plyground.games.catalogue import find_game
from plyground.games.check import BrokenPromise
from plyground.kernel import plain_python
from plyground.public.contracts import Contracts
from plyground.search import check as search_check
from plyground.search.catalogue import find_algorithm
from plyground.search.check import check_algorithm
from plyground.search.run import search

TICTACTOE = "---/---/---"


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "broken.py"
    path.write_text(text, encoding="utf-8")
    return path


def failure(
    tmp_path: Path, text: str, kind: type[PlygroundError] = BrokenPromise
) -> PlygroundError:
    """What is said of a file with this text."""
    with pytest.raises(PlygroundError) as caught:
        pg.check(write(tmp_path, text), games=2)
    assert type(caught.value) is kind, caught.value
    return caught.value


def place(broken: BrokenPromise) -> tuple[str, str]:
    """Where a promise is broken: the game, and the position that is drawn."""
    assert broken.game is not None
    return broken.game.name, broken.game.format_position(broken.state)


# ------------------------------------------------------------------ evaluators

OTHELLO = "---------------------------OX------XO--------------------------- X"
EVALUATOR = """
import plyground as pg
from plyground.bits import bit, popcount

@pg.evaluator({arguments})
def broken(state, weight=3):
    return {value}
"""
CORNER = "weight * (popcount(state.me & bit(0)) - popcount(state.opp & bit(0)))"
TEMPO = "popcount(state.me) - popcount(state.opp) + weight"
EVALUATORS = {
    "a fraction": (
        '"othello"', "weight / 2", "othello", OTHELLO,
        "is worth 1.5 by broken; expected a whole number",
    ),
    "nothing": ('"mnk"', "None", "mnk", TICTACTOE, "is worth None by broken; expected a whole"),
    "as much as a win": (
        '"mnk"', "weight * -10**9", "mnk", TICTACTOE,
        "is worth -3000000000 by broken; expected less than a win, ",
    ),
    "another value when it is compiled": (
        '"mnk"', "1 if weight << 63 > 0 else 0", "mnk", TICTACTOE,
        "is worth 1 by broken, and 0 when it is compiled",
    ),
    "another value in the mirror": (
        '"mnk"', CORNER, "mnk", None,
        r"is worth 0 by broken, and -3 under symmetry \d; an evaluator that tells them apart "
        "says symmetric=False",
    ),
    "more for whoever is to move": (
        '"othello"', TEMPO, "othello", OTHELLO,
        "is worth 3 by broken, and 3 with the other side to move; expected -3, or zero_sum=False",
    ),
    "the same for both sides": (
        '"kalah"', "weight", "kalah", "4,4,4,4,4,4,0/4,4,4,4,4,4,0 first",
        "expected -3, or zero_sum=False",
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "value", "game", "position", "message"), EVALUATORS.values(), ids=EVALUATORS
)
def test_an_evaluator_must_not_say(tmp_path, arguments, value, game, position, message):
    broken = failure(tmp_path, EVALUATOR.format(arguments=arguments, value=value))
    assert re.search(message, str(broken)), broken
    assert str(broken).startswith(f"{game}: the position '")
    found = place(broken)
    assert found == (game, position or found[1])


def test_the_position_that_is_drawn_is_the_one_that_differs_in_the_mirror(tmp_path):
    broken = failure(tmp_path, EVALUATOR.format(arguments='"mnk"', value=CORNER))
    cells = broken.game.board_of(broken.state).cells
    assert len({cells[corner] for corner in (0, 2, 6, 8)}) > 1


@pytest.mark.parametrize(
    ("arguments", "value"),
    [('"mnk", symmetric=False', CORNER), ('"othello", zero_sum=False', TEMPO)],
    ids=["in the mirror", "for whoever is to move"],
)
def test_an_evaluator_that_says_so_may_tell_positions_apart(tmp_path, arguments, value):
    with plain_python():
        [line] = pg.check(write(tmp_path, EVALUATOR.format(arguments=arguments, value=value)), 1)
    assert re.fullmatch(r"evaluator broken: \d+ positions of (mnk|othello) keep the contract", line)


def test_an_evaluator_for_any_game_is_tried_on_three(tmp_path):
    with plain_python():
        [line] = pg.check(write(tmp_path, EVALUATOR.format(arguments="None", value="0")), games=1)
    assert line.endswith(" positions of mnk, connect4, kalah keep the contract")
    with pytest.raises(Unsupported, match="--set: the file has no game to set; mnk, connect4, kal"):
        list(Contracts(1, 1, {"size": "6"}).of(pg.use(tmp_path / "broken.py")))


def test_an_evaluator_of_states_of_no_game_is_refused(tmp_path):
    text = EVALUATOR.format(arguments="Alone", value="0")
    text = f"from typing import NamedTuple\nclass Alone(NamedTuple):\n    side: int\n{text}"
    error = failure(tmp_path, text, Unsupported)
    assert str(error) == "evaluator broken judges Alone: no game that is known has such states"


def test_an_evaluator_of_states_in_which_no_game_begins_is_refused(tmp_path):
    text = EVALUATOR.format(arguments="WideOthello", value="0")
    text = "from plyground.games.othello_wide import WideOthello\n" + text
    error = failure(tmp_path, text, Unsupported)
    assert str(error) == "evaluator broken judges WideOthello: no game begins there; try --set"
    with plain_python():
        contracts = Contracts(1, 1, {"size": "10"})
        assert [*contracts.of(pg.use(tmp_path / "broken.py"))]


def test_an_evaluator_that_fails_is_blamed_with_its_line(tmp_path):
    with pytest.raises(ZeroDivisionError):
        failure(tmp_path, EVALUATOR.format(arguments='"mnk"', value="weight // (weight - 3)"))


# ------------------------------------------------------------------ algorithms


def algorithm(*edits: tuple[str, str]) -> str:
    """The template of an algorithm, which is sound, with some of its lines replaced."""
    text = resources.files("plyground").joinpath("templates/algorithm.txt").read_text("utf-8")
    text = text.replace("NAME", "broken").replace("FUNCTION", "broken")
    for old, new in (*edits, ("    visit,\n)", "    LEAVES, NODES, count, judge, visit,\n)")):
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
        text = text.replace(old, new)
    return text


KEEP = "keep_line(parts, depth, move)"
VISIT = "visit(parts, depth, alpha, beta)"
LEAVE = "return leave(parts, depth, best, SEARCHED)"
LEAF = "return leaf(state, evaluator, depth, parts)"
BREAK = "        if stopped(parts):\n            break\n"
PROMISE = "equals_minimax=True)"
NO_PROMISE = (PROMISE, "equals_minimax=False)")
GUESS = [
    ('call="window"', 'call="guess"'),
    (
        "def broken(state, evaluator, depth, alpha, beta, parts):",
        "def broken(state, evaluator, depth, guess, parts):\n    return 99 + inner("
        "state, evaluator, depth, -INFINITY, INFINITY, parts)\n\n\n@kernel\n"
        "def inner(state, evaluator, depth, alpha, beta, parts):",
    ),
    ("sign * broken(", "sign * inner("),
    ("import plyground as pg", "import plyground as pg\nfrom plyground.kernel import kernel"),
]
ALGORITHMS = {
    "a wrong value": (
        [(LEAVE, "return 1 + leave(parts, depth, best, SEARCHED)")],
        r"searched by broken to depth 1 is worth (\d+); minimax says \d+",
    ),
    "a guess that is too high": (GUESS, r"to depth 1 is worth 1\d\d; minimax says 4$"),
    "a wrong move": (
        [(KEEP, "keep_line(parts, depth, parts.moves[start])")],
        r"searched by broken to depth 1 gives a1, which is worth -?\d+ of \d+",
    ),
    "a wrong reply": (
        [(KEEP, f"{KEEP}\n            if depth == 2:\n"
          "                parts.line[depth * parts.stride + 2] = 1 + (move == 1)")],
        r"searched by broken to depth 2 gives b2 \w\w, which is worth -?\d+ of -?\d+",
    ),
    "an illegal move": (
        [(KEEP, "keep_line(parts, depth, 99)")],
        "searched by broken to depth 1 gives 99, which is illegal",
    ),
    "an illegal move although it promises nothing": (
        [(KEEP, "keep_line(parts, depth, 99)"), NO_PROMISE],
        "searched by broken to depth 1 gives 99, which is illegal",
    ),
    "no nodes": (
        [(VISIT, "parts.line[depth * parts.stride] = 0")],
        r"searched by broken to depth 1 visits no node; call visit\(\) at each",
    ),
    "more leaves than nodes": (
        [(LEAF, f"count(parts, LEAVES)\n        {LEAF}")],
        "counts nodes 10, leaves 18, inner 1, deepest 1, which do not fit together",
    ),
    "a trace without nodes": (
        [(VISIT, "count(parts, NODES)\n    parts.line[depth * parts.stride] = 0")],
        r"searched by broken to depth 1 counts 10 nodes and traces 0; call visit\(\) at each",
    ),
    "a trace without nodes although it promises nothing": (
        [(VISIT, "count(parts, NODES)\n    parts.line[depth * parts.stride] = 0"), NO_PROMISE],
        r"searched by broken to depth 1 counts 10 nodes and traces 0; call visit\(\) at each",
    ),
    "nodes that it does not leave": (
        [(LEAVE, "return best")],
        r"to depth 1 does not leave each node once; end with leaf\(\), cut\(\) or leave\(\)",
    ),
    "leaves that it does not leave": (
        [(LEAF, "return judge(state, evaluator, depth, parts)[0]")],
        "to depth 1 does not leave each node once",
    ),
    "moves that it does not follow": (
        [("move = follow(parts, i)", "move = parts.moves[i]")],
        r"to depth 2 traces the move 0 where it is illegal; call follow\(\) for each move",
    ),
    "values that cannot be": (
        [(LEAVE, "leave(parts, depth, 2 * INFINITY, SEARCHED)\n    return best")],
        "searched by broken to depth 1 traces values beyond INFINITY",
    ),
    "no end when it is told to stop": (
        [(BREAK, "")],
        r"is searched on by broken after it was told to stop; ask stopped\(parts\) after each move",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("edits", "message"), ALGORITHMS.values(), ids=ALGORITHMS)
def test_an_algorithm_must_not_have(tmp_path, edits, message):
    with plain_python():
        broken = failure(tmp_path, algorithm(*edits))
    assert re.search(message, str(broken)), broken
    assert place(broken) == ("mnk", TICTACTOE)


ONE_NODE = """
import plyground as pg
from plyground.search.parts import leaf, visit

@pg.algorithm("broken", call="plain", equals_minimax=False)
def broken(state, evaluator, depth, parts):
    visit(parts, depth, -1, 1)
    return leaf(state, evaluator, depth, parts) + (1 if depth << 63 > 0 else 0)
"""


def test_an_algorithm_must_not_have_another_value_when_it_is_compiled(tmp_path):
    broken = failure(tmp_path, ONE_NODE)
    assert str(broken).endswith(
        "searched by broken to depth 1 is worth 0 after nodes 1, leaves 1 when it is compiled, "
        "and 1 after nodes 1, leaves 1 in plain Python"
    )
    assert place(broken) == ("mnk", TICTACTOE)


def test_an_algorithm_must_not_go_on_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(search_check, "PATIENCE_S", 0.2)
    endless = LEAF, f"while depth == 0:\n            is_over(state)\n        {LEAF}"
    broken = failure(tmp_path, algorithm(endless))
    assert "searched by broken to depth 1 takes more than 0.2 s in plain Python" in str(broken)
    assert place(broken) == ("mnk", TICTACTOE)


def test_an_algorithm_that_never_looks_whether_it_must_stop_is_not_waited_for(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(search_check, "STOPPED_DEPTH", 9)  # all of tic-tac-toe
    monkeypatch.setattr(search_check, "STOP_PATIENCE_S", 0.2)
    with plain_python():
        broken = failure(tmp_path, algorithm((BREAK, "")))
    assert "after it was told to stop" in str(broken)


@pytest.mark.parametrize("name", ["uct", "random"])
@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ([99, 99], "gives 99, which is illegal"),
        ([0, 1], "gives another move when it is compiled"),
    ],
)
def test_a_search_without_a_depth_must_not_choose_illegally_or_otherwise_when_compiled(
    monkeypatch, name, answers, message
):
    given = iter(answers)

    def answer(*arguments):
        return replace(search(*arguments), move=next(given))

    monkeypatch.setattr(search_check, "search", answer)
    game = find_game("mnk")
    with plain_python(), pytest.raises(BrokenPromise, match=message) as caught:
        check_algorithm(find_algorithm(name), game, game.initial(), Zero(), seed=1)
    assert place(caught.value) == ("mnk", TICTACTOE)


def test_an_algorithm_without_these_faults_is_sound(tmp_path):
    with plain_python():
        assert pg.check(write(tmp_path, algorithm())) == [
            "algorithm broken: the value of minimax in all of 96 searches of mnk, connect4, kalah"
        ]


def test_an_algorithm_that_promises_nothing_may_have_any_value(tmp_path):
    edit = LEAVE, "return 1 + leave(parts, depth, best, SEARCHED)"
    with plain_python():
        [line] = pg.check(write(tmp_path, algorithm(edit, NO_PROMISE)))
    assert line.startswith("algorithm broken: legal moves in all of 96 searches")


# ------------------------------------------------------------------ players

PLAYER = """
import itertools
import plyground as pg

called = itertools.count()

@pg.player("broken")
def broken(turn):
    {answer}
"""
PLAYERS = {
    "a move that does not exist": (
        "return 99", TICTACTOE, "is lost at once by player broken: a34 is not a legal move",
    ),
    "a text that is no move": (
        'return "z9"', TICTACTOE, "is lost at once by player broken: ",
    ),
    "an illegal move, later on": (
        "return turn.legal[0] if turn.position.ply < 2 else turn.position.codes[0]",
        None, r"is lost at once by player broken: a1 is not a legal move",
    ),
    "an error": (
        "return 1 // 0", TICTACTOE,
        r"is lost at once by player broken: .*broken.py:9: ZeroDivisionError",
    ),
    "no answer": (
        "return None", TICTACTOE,
        "is lost at once by player broken: answered None; expected a move",
    ),
    "other moves when it is asked again": (
        "return turn.legal[next(called) % len(turn.legal)]", TICTACTOE,
        r"is answered by player broken with a1 and, asked again with the same seed, with \w\w; "
        "take chance from turn.random",
    ),
    "other moves later on": (
        "return turn.legal[next(called) % 2 if turn.position.ply == 2 else 0]", None,
        "and, asked again with the same seed, with",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("answer", "position", "message"), PLAYERS.values(), ids=PLAYERS)
def test_a_player_must_not_answer_with(tmp_path, answer, position, message):
    broken = failure(tmp_path, PLAYER.format(answer=answer))
    assert re.search(message, str(broken)), broken
    game, where = place(broken)
    assert game == "mnk"
    if position is None:  # after a move of each
        assert sorted(where.replace("/", "").replace("-", "")) == ["O", "X"]
    else:
        assert where == position


# ------------------------------------------------------------------ formats

FORMAT = """
from plyground.core.records import GameRecord, MoveRecord, PositionRecord
from plyground.core.errors import Unsupported
from plyground.formats.spec import Format, Read

def write(records):
    lines = []
    for record in records:
        if isinstance(record, PositionRecord):
            {positions}
        else:
            {games}
    return chr(10).join(lines).encode()

def read(data):
    for number, line in enumerate(data.decode().splitlines()):
        game, _, rest = line.partition(" ")
        moves = [MoveRecord(move, i % 2) for i, move in enumerate(rest.split())]
        yield {read}

FORMAT = Format("broken", "Lines.", (), (), lambda data: {sure}, read, write)
"""
SOUND = {
    "games": 'lines.append(record.game + " " + " ".join(m.move for m in record.moves))',
    "positions": 'raise Unsupported("games only")',
    "read": 'Read(GameRecord(game, ("", ""), moves), f"line {number}")',
    "sure": "0.5",
}
POSITIONS = {
    "games": 'raise Unsupported("positions only")',
    "positions": 'lines.append(record.game + " " + record.position)',
    "read": 'Read(PositionRecord(game, rest), f"line {number}")',
}
FORMATS = {
    "it does not recognise": (
        {"sure": "0.0"}, "format broken: it does not recognise what it writes",
    ),
    "it does not read back": (
        {"read": 'Read(GameRecord(game, ("", ""), moves[:-1]), "")'},
        r"number 1 of what it wrote is '(\w\w ?){5,9}', and '(\w\w ?){4,8}' when it is read back",
    ),
    "it reads nothing of": (
        {"read": "None"}, r"number 1 of what it wrote is '.*', and nothing when it is read back",
    ),
    "it reads as positions": (
        {"read": 'Read(PositionRecord(game, "here"), "")'}, "and 'here' when it is read back",
    ),
    "it does not read back of positions": (
        {**POSITIONS, "read": 'Read(PositionRecord(game, rest.lower()), "")'},
        "number 2 of what it wrote is '.*X.*', and '.*x.*' when it is read back",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("edits", "message"), FORMATS.values(), ids=FORMATS)
def test_a_format_must_not_write_what(tmp_path, edits, message):
    assert re.search(message, str(failure(tmp_path, FORMAT.format(**SOUND | edits))))


def test_a_sound_format_is_told_with_what_it_holds(tmp_path):
    assert pg.check(write(tmp_path, FORMAT.format(**SOUND))) == [
        "format broken: 3 games written and read back"
    ]


def test_a_format_may_hold_positions_instead_of_games(tmp_path):
    [line] = pg.check(write(tmp_path, FORMAT.format(**SOUND | POSITIONS)))
    assert re.fullmatch(r"format broken: \d\d+ positions written and read back", line)


def test_a_format_that_writes_neither_says_why(tmp_path):
    edits = {"games": POSITIONS["games"]}
    assert str(failure(tmp_path, FORMAT.format(**SOUND | edits), Unsupported)) == "games only"


# ------------------------------------------------------------------ levels, solvers, experiments

EXPERIMENT = """
import plyground as pg

@pg.experiment("Why?", depth=[1, 2], quick={{"depth": {quick}}})
def broken(depth):
    return {answer}
"""


def test_an_experiment_must_not_have_nothing_to_measure(tmp_path):
    broken = failure(tmp_path, EXPERIMENT.format(quick="[]", answer="{}"))
    assert str(broken) == "experiment broken: it has nothing to measure"


def test_an_experiment_must_not_measure_the_same_twice(tmp_path):
    text = EXPERIMENT.format(quick="[1]", answer="{}").replace("depth=[1, 2]", "depth=[2, 2]")
    assert str(failure(tmp_path, text)) == "experiment broken: some of its cells are equal"


def test_an_experiment_must_not_fail_where_it_measures(tmp_path):
    with pytest.raises(ZeroDivisionError):
        failure(tmp_path, EXPERIMENT.format(quick="[1]", answer="{'nodes': 1 // 0}"))


def test_a_sound_experiment_is_told_with_its_cells(tmp_path):
    path = write(tmp_path, EXPERIMENT.format(quick="[1]", answer="{'nodes': depth}"))
    assert pg.check(path) == ["experiment broken: 2 cells, 1 with --quick"]


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ("{'mnk': {'easy': 'rondom'}}", "unknown player 'rondom'; did you mean random?"),
        ("{'mnk': {'easy': 'alphabeta:dept=3'}}", "unknown option of alphabeta 'dept'; did you "),
        ("{'mkn': {'easy': 'random'}}", "unknown game 'mkn'; did you mean mnk?"),
    ],
)
def test_a_level_must_be_a_player_of_a_game(tmp_path, levels, message):
    assert message in str(failure(tmp_path, f"LEVELS = {levels}\n", Unsupported))


def test_levels_of_two_games_are_told(tmp_path):
    text = "LEVELS = {'mnk': {'easy': 'random', 'hard': 'first'}, 'othello': {'easy': 'random'}}\n"
    assert pg.check(write(tmp_path, text)) == ["levels: 3 of mnk, othello can be played"]


def test_a_level_of_a_game_of_ones_own_must_be_a_player(tmp_path):
    path = Path(__file__).parents[2] / "examples" / "hexapawn.py"
    text = path.read_text(encoding="utf-8").replace('"alphabeta:depth=8"', '"alphabeta:width=8"')
    error = failure(tmp_path, text, Unsupported)
    assert "unknown option of alphabeta 'width'" in str(error)


SOLVER = """
from plyground.core.scores import Score
from plyground.solvers.spec import Solver, SolverSpec


class HeapSolver(Solver):
    game, least, most, works = GAME, -1, 1, ()

    def __init__(self, start):
        pass

    def prepare(self):
        pass

    def score(self, state, low=None, high=None, on_bounds=None):
        return {score}

    def is_quick(self, state, time_s=None):
        return True

    def as_score(self, state, score):
        return Score(score, "proven")

    def candidates(self, state):
        return self.game.legal(state)

    def forget(self):
        pass


SOLVER = SolverSpec("heap", (Heap,), HeapSolver)
"""
WON = "1 if state.left % 3 else -1"
WON_IF_THE_LAST_LOSES = "-1 if state.left % 3 == 1 else 1"


def test_a_sound_solver_is_told_with_its_positions(tmp_path):
    with plain_python():
        lines = pg.check(write(tmp_path, HEAP_GAME + SOLVER.format(score=WON)), games=2)
    assert re.fullmatch(
        r"solver of heap: \d+ positions have the score of their best move", lines[1]
    )


@pytest.mark.parametrize(
    ("score", "message"),
    [
        ("1", "'10 0' has the score 1 by the solver, and its moves have {1: -1, 2: -1}"),
        (WON_IF_THE_LAST_LOSES, "by the solver, not 1"),
    ],
    ids=["other than of the best move", "other than of the rules"],
)
def test_a_solver_must_not_have_scores(tmp_path, score, message):
    with plain_python():
        broken = failure(tmp_path, HEAP_GAME + SOLVER.format(score=score))
    assert message in str(broken)
    game, position = place(broken)
    assert game == "heap"
    assert position == "10 0" if score == "1" else int(position.split()[0]) <= 2


def test_a_file_must_not_offer_nothing(tmp_path):
    error = failure(tmp_path, "x = 1\n", Unsupported)
    assert str(error) == (
        "broken.py offers nothing; expected GAME = GameSpec(...), or one of "
        "@pg.evaluator, @pg.algorithm, @pg.player, @pg.experiment"
    )


@pytest.mark.parametrize("sides", ['("White", "Black")', "2", "[]"])
def test_players_in_a_file_of_a_game_may_be_its_sides(tmp_path, sides):
    with pytest.raises(Unsupported, match="offers nothing"):
        pg.check(write(tmp_path, f"PLAYERS = {sides}\n"))


def test_what_is_no_player_among_players_is_refused(tmp_path):
    text = "from plyground.players.catalogue import find_kind\nPLAYERS = [3, find_kind('first')]\n"
    assert "broken.py defines no player; expected" in str(failure(tmp_path, text, Unsupported))


def test_settings_reach_the_games_of_a_file_and_those_that_its_evaluators_judge(tmp_path):
    contracts = Contracts(2, 1, {"width": "4", "height": "4"})
    assert contracts.game(find_game("connect4")).startswith("connect4: ")
    text = EVALUATOR.format(arguments='"connect4"', value="state.height - state.height")
    with plain_python(), pytest.raises(Unsupported, match="unknown parameter of connect4 'size'"):
        list(Contracts(1, 1, {"size": "6"}).of(pg.use(write(tmp_path, text))))


def test_an_error_in_a_file_names_its_line(tmp_path):
    error = failure(tmp_path, "import plyground as pg\nboom\n", GameCodeError)
    assert f"{tmp_path / 'broken.py'}:2: NameError" in str(error)

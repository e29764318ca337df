"""GTP players on every game: programs of somebody else's, and our own engine, behind real pipes."""

from __future__ import annotations

import itertools
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from patience import PATIENCE_S
from user_games import write_game

from plyground.core.errors import Unsupported
from plyground.games.catalogue import find_game, load_file
from plyground.games.position import BasePosition
from plyground.games.spec import GameSpec
from plyground.players.gtp import GtpPlayer
from plyground.players.spec import Forfeit, Turn

HEAP_ENGINE = Path(__file__).with_name("heap_engine.py")
EXAMPLES = Path(__file__).parents[2] / "examples"
HEAP_SETTING = ("start=lambda: Heap(10, 0),", "start=lambda heap: Heap(heap, 0),")
HEAP_PARAMETER = (
    "    max_moves=5,\n",
    '    max_moves=5, parameters=(Parameter("heap", 10, "it"),),\n',
)
IMPORT_PARAMETER = ("import GameSpec", "import GameSpec, Parameter")
SETTABLE = HEAP_SETTING, HEAP_PARAMETER, IMPORT_PARAMETER

Make = Callable[..., GtpPlayer]


@pytest.fixture
def make() -> Iterator[Make]:
    """Makes players behind a program, which has much time to start, and closes them."""
    made: list[GtpPlayer] = []

    def new(*program: str | Path, **options: object) -> GtpPlayer:
        words = [f"{name}={value}" for name, value in options.items()]
        command = shlex.join(map(str, [sys.executable, *program, *words]))
        made.append(GtpPlayer(command, start_s=PATIENCE_S))
        return made[-1]

    yield new
    for player in made:
        player.close()


@pytest.fixture
def heap(tmp_path: Path) -> GameSpec:
    return load_file(write_game(tmp_path / "heap.py"))


@pytest.fixture
def settable_heap(tmp_path: Path) -> GameSpec:
    """The same, of any size."""
    return load_file(write_game(tmp_path / "settable_heap.py", *SETTABLE))


def sent(log: Path) -> list[str]:
    return log.read_text(encoding="utf-8").splitlines()


def reason(player: GtpPlayer, position: BasePosition) -> str:
    """Why a player loses at its move; its process is gone then."""
    with pytest.raises(Forfeit) as forfeit:
        player.choose(Turn(position))
    assert not player.engine.is_started
    assert "\n" not in str(forfeit.value)
    return str(forfeit.value)


def answers_to(player: GtpPlayer, position: BasePosition, side: int) -> Iterator[BasePosition]:
    """How all games end in which a player has one side, and the other plays anything."""
    if position.is_over:
        yield position
    elif position.mover == side:
        yield from answers_to(player, position.play_code(player.choose(Turn(position)).move), side)
    else:
        for code in position.legal_codes:
            yield from answers_to(player, position.play_code(code), side)


# ------------------------------------------------------------------ programs of somebody else's


def test_a_program_that_knows_nothing_of_us_plays_a_game_of_the_users(
    make: Make, heap: GameSpec
) -> None:
    """Of ten, whoever begins wins: by leaving nine, six and three."""
    ends = list(answers_to(make(HEAP_ENGINE), BasePosition.begin(heap), side=0))
    assert len(ends) == 2**3
    assert {end.winner for end in ends} == {"First"}


def test_the_example_wins_hexapawn_as_whoever_moves_second_can(make: Make) -> None:
    """Gardner 1962; so the program knows the rules, reads all moves and takes back none."""
    game = load_file(EXAMPLES / "hexapawn.py")
    ends = list(answers_to(make(EXAMPLES / "gtp_engine.py"), BasePosition.begin(game), side=1))
    assert len(ends) > 10
    assert {end.winner for end in ends} == {"Black"}


def test_a_program_is_told_the_game_and_then_only_what_is_new(
    make: Make, heap: GameSpec, tmp_path: Path
) -> None:
    player, log = make(HEAP_ENGINE, log=tmp_path / "log"), tmp_path / "log"
    for moves in ("", "1 2", "1 2 1 1", "2"):
        player.choose(Turn(BasePosition.begin(heap, moves=moves)))
    assert sent(log) == [
        *("set_game heap", "known_command plyground-setup"),
        *("clear_board", "genmove black"),
        *("play white 2", "genmove black"),
        *("play white 1", "genmove black"),
        *("clear_board", "play black 2", "genmove white"),
    ]


def test_settings_and_a_start_elsewhere_are_told_to_a_program_that_knows_how(
    make: Make, settable_heap: GameSpec, tmp_path: Path
) -> None:
    player, log = make(HEAP_ENGINE, setup="yes", log=tmp_path / "log"), tmp_path / "log"
    for settings, position, best in (({"heap": 14}, None, 2), ({}, "7 1", 1), ({}, None, 1)):
        begun = BasePosition.begin(settable_heap, settings, position)
        assert player.choose(Turn(begun)).move == best
    told = [line for line in sent(log) if line.startswith(("plyground-setup", "genmove"))]
    assert told == [
        *("plyground-setup heap=14", "genmove black"),
        *("plyground-setup heap=10 position=7 1", "genmove white"),
        *("plyground-setup heap=10", "genmove black"),
    ]


@pytest.mark.parametrize(("settings", "position"), [({"heap": "14"}, None), ({}, "7 1")])
def test_a_program_that_can_only_begin_as_usual_is_refused_before_a_game(
    make: Make, settable_heap: GameSpec, settings: dict[str, str], position: str | None
) -> None:
    player = make(HEAP_ENGINE)
    player.expect(settable_heap, BasePosition.begin(settable_heap, settings, position).start)
    with pytest.raises(Unsupported) as error:
        player.begin()
    assert str(error.value) == (
        "the engine plays heap only with its usual settings and from the usual start: "
        "it does not know the command plyground-setup"
    )
    player.expect(settable_heap, settable_heap.initial())
    player.begin()


# ------------------------------------------------------------------ our own engine


def first_moves(player: GtpPlayer, position: BasePosition) -> BasePosition:
    """The end of a game in which a player makes all moves, and must make the first legal one."""
    player.expect(position.game, position.start)
    player.begin()
    while not position.is_over:
        move = player.choose(Turn(position)).move
        assert move == position.legal_codes[0]
        position = position.play_code(move)
    return position


def our_engine(make: Make, *options: str | Path) -> GtpPlayer:
    return make("-m", "plyground", "engine", "--protocol", "gtp", "--player", "first", *options)


def test_our_engine_plays_one_game_after_the_other_as_it_is_told(make: Make) -> None:
    """It is started for a game that it is not asked for, with settings that do not hold."""
    player = our_engine(make, "--game", "kalah", "--set", "seeds=6")
    kalah = first_moves(player, BasePosition.begin("kalah"))
    movers = [each.mover for each in kalah.path]
    assert any(one == other for one, other in itertools.pairwise(movers))
    cards = first_moves(player, BasePosition.begin("double-card", {"max_moves": 6}))
    assert all(" " in move for move in cards.moves)


@pytest.mark.parametrize(
    ("game", "settings", "moves"),
    [
        ("connect4", {}, ""),
        ("mnk", {"m": 5, "n": 4, "k": 4}, "b2 c3"),
        ("othello", {"size": 6}, ""),
        ("othello", {"size": 6}, "e4 c5"),
        ("textbook", {"tree": "(3 12 8) (2 4 6)"}, ""),
    ],
)
def test_our_engine_is_told_settings_and_where_a_game_begins(
    make: Make, game: str, settings: dict[str, object], moves: str
) -> None:
    """The moves were made before the game, which begins where they lead."""
    before = BasePosition.begin(game, settings, moves=moves)
    begun = BasePosition.begin(game, settings, before.text)
    assert first_moves(our_engine(make), begun).ply > 1


def test_our_engine_plays_a_game_of_the_users_and_no_other_one_of_that_kind(
    make: Make, tmp_path: Path
) -> None:
    """Moves have spaces and underscores of their own."""
    named = ('sample="1",', 'sample="1", write_move=lambda state, move: f"take_it {move}",')
    path = write_game(tmp_path / "named_heap.py", named)
    begun = BasePosition.begin(load_file(path))
    assert first_moves(our_engine(make, "--game", path), begun).ply == 10
    assert reason(our_engine(make), begun).startswith(
        "does not play heap: it answered \"? unknown game 'heap'"
    )


# ------------------------------------------------------------------ programs that go wrong


def test_a_program_that_refuses_a_game_does_not_play_it(make: Make, heap: GameSpec) -> None:
    player = make(HEAP_ENGINE, plays="nim")
    player.expect(heap, heap.initial())
    with pytest.raises(Forfeit, match=r"^does not play heap: it answered '\? unknown command'$"):
        player.begin()
    assert reason(player, BasePosition.begin("connect4")) == (
        "does not play connect4: it answered '? unknown command'"
    )


@pytest.mark.parametrize(
    ("game", "moves", "answer", "expected"),
    [
        ("connect4", "1 1 1 1 1 1", "1", "illegal move 1: the column is full"),
        ("connect4", "", "9", "answered nonsense: '9'"),
        ("connect4", "", "pass", "answered nonsense: 'pass'"),
        ("connect4", "", "resign", "resigned"),
        ("kalah", "3", "3", "illegal move 3: the pit is empty"),
        ("mnk", "b2", "b2", "illegal move b2: the cell is taken"),
        ("double-card", "", "0_1_A", "answered nonsense: '0 1 A'"),
        ("double-card", "", "0_1_A_9", "illegal move 0 1 A 9: "),
    ],
)
def test_a_wrong_answer_loses_the_game(
    make: Make, game: str, moves: str, answer: str, expected: str
) -> None:
    player = make(HEAP_ENGINE, plays=game, answer=answer)
    assert reason(player, BasePosition.begin(game, moves=moves)).startswith(expected)


def test_a_wrong_answer_in_a_game_of_the_users_loses_it(make: Make, heap: GameSpec) -> None:
    player = make(HEAP_ENGINE, answer="3")
    assert reason(player, BasePosition.begin(heap)) == ("'3' is not a legal move (legal: 1, 2)")


@pytest.mark.parametrize("read", ["int(text)", "['1', '2'].index(text)", "{'1': 1}[text]"])
def test_an_answer_that_a_game_of_the_users_cannot_read_is_nonsense(
    make: Make, tmp_path: Path, read: str
) -> None:
    reader = f'sample="1", read_move=lambda state, text: {read},'
    game = load_file(write_game(tmp_path / "reading_heap.py", ('sample="1",', reader)))
    player = make(HEAP_ENGINE, answer="one")
    assert reason(player, BasePosition.begin(game)) == "answered nonsense: 'one'"


def test_a_program_that_takes_a_legal_move_for_illegal(make: Make, heap: GameSpec) -> None:
    player = make(HEAP_ENGINE, refuse="2")
    assert reason(player, BasePosition.begin(heap, moves="2")) == (
        "error reply '? illegal move 2' to 'play black 2'"
    )


def test_an_answer_may_be_written_as_people_write_it(make: Make) -> None:
    begun = BasePosition.begin(find_game("mnk"))
    player = make(HEAP_ENGINE, plays="mnk", answer=" B2 ")
    assert begun.write_move(player.choose(Turn(begun)).move) == "b2"


def test_a_move_that_leaves_no_choice_is_played_for_a_program_and_may_be_refused_by_it(
    make: Make, tmp_path: Path
) -> None:
    """As a forced pass in Othello: here of four one is taken, and nobody writes it down."""
    implied = "implied_move=lambda state: 1 if state.left == 4 else None,"
    path = write_game(tmp_path / "implied_heap.py", ('sample="1",', f'sample="1", {implied}'))
    four = BasePosition.begin(load_file(path), moves="2 2 2")
    player = make(HEAP_ENGINE, answer="2", refuse="1")
    assert player.choose(Turn(four)).move == 1
    assert player.choose(Turn(four.play_code(1))).move == 2

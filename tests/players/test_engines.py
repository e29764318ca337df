"""Engines behind GTP and NBoard: right answers, and every way for a program to go wrong."""

from __future__ import annotations

import gc
import os
import shlex
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from patience import PATIENCE_S, until

from plyground.core.errors import MalformedText, Unsupported
from plyground.core.scores import Score
from plyground.games.catalogue import find_game
from plyground.games.othello import GAME as OTHELLO
from plyground.games.othello import PASS
from plyground.games.position import BasePosition
from plyground.games.rules import is_over
from plyground.players import engine
from plyground.players.engine import MOST_BYTES, Deadline, Engine, EnginePlayer
from plyground.players.gtp import GtpPlayer
from plyground.players.nboard import NboardPlayer
from plyground.players.spec import Choice, Forfeit, Turn

FOLDER = Path(__file__).parent
PLAYERS: dict[str, Callable[..., EnginePlayer]] = {"gtp": GtpPlayer, "nboard": NboardPlayer}
NO_TIME_S = 0.05  # where it is meant to run out
SHORT_S = 0.3  # where it is meant to run out after something has been said

# Aubrey de Grey - Ben Pridmore, Cambridge Christmas 2005, 31-33: black passes twice, white thrice.
FIVE_PASSES = (
    "f5d6c3d3c4f4e6f6e3c5g4g3g5f3g6e2b6b5c2d2c1d1h3b4f7h4h5f8d7h7"
    "e7c8e1f1f2b1h6h2e8g1g8a7a3a4a6c7b3c6b7b8g2a2b2a5a1g7h1h8d8a8"
)

both = pytest.mark.parametrize("protocol", PLAYERS)


# ------------------------------------------------------------------ tools


def command(protocol: str, fault: str = "", **options: object) -> str:
    words = [f"{name}={value}" for name, value in ({"fault": fault} | options).items() if value]
    # As a module it is compiled only once, unlike as a program.
    start = f"import sys; sys.path.append({str(FOLDER)!r}); import scripted_engine as it; it.main()"
    return shlex.join([sys.executable, "-c", start, protocol, *words])


def turn_after(moves: str = "", time_s: float | None = None, **settings: int) -> Turn:
    start = OTHELLO.initial(**settings)
    played = tuple(OTHELLO.parse_moves(start, moves))
    return Turn(BasePosition.at(OTHELLO, {}, start, played), time_s=time_s)


def name_of(turn: Turn, choice: Choice) -> str:
    return OTHELLO.format_move(turn.state, choice.move)


def first_legal(turn: Turn) -> int:
    return OTHELLO.legal(turn.state)[0]


def is_alive(pid: int) -> bool:
    """A zombie is dead: somebody else's, for ours are counted after every test."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def is_gone(pid: int) -> bool:
    return bool(until(lambda: not is_alive(pid), "the end of a program"))


def pid_of(player: EnginePlayer) -> int:
    assert player.engine.pid is not None
    return player.engine.pid


def read_pid(path: Path) -> int:
    assert until(lambda: path.exists() and path.read_text() != "")
    return int(path.read_text())


def our_children() -> set[int]:
    return {
        int(pid)
        for task in Path("/proc/self/task").iterdir()
        for pid in (task / "children").read_text().split()
    }


def our_pipes() -> int:
    names = [Path("/proc/self/fd", fd) for fd in os.listdir("/proc/self/fd")]
    return sum(os.readlink(name).startswith("pipe:") for name in names if name.is_symlink())


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    """No process, dead or alive, no pipe and no thread is left by any test."""
    before = our_children(), our_pipes(), set(threading.enumerate())
    yield
    assert (our_children(), our_pipes(), set(threading.enumerate())) == before


@pytest.fixture
def make() -> Iterator[Callable[..., EnginePlayer]]:
    """Makes players and closes them."""
    made: list[EnginePlayer] = []

    def new(protocol: str, fault: str = "", time_s: float | None = None, **options: object):
        made.append(PLAYERS[protocol](command(protocol, fault, **options), time_s=time_s))
        return made[-1]

    yield new
    for player in made:
        player.close()


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Much time to leave, for programs that will."""
    for name in ("LAST_S", "QUIT_S"):
        monkeypatch.setattr(engine, name, PATIENCE_S)


@pytest.fixture
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little time to leave, for programs that will not."""
    monkeypatch.setattr(engine, "LAST_S", 0.1)
    monkeypatch.setattr(engine, "QUIT_S", 0.1)
    monkeypatch.setattr(engine, "TERMINATE_S", 0.1)


Make = Callable[..., EnginePlayer]


def reason(player: EnginePlayer, turn: Turn | None = None) -> str:
    """Why a player loses at its move; its process is gone then."""
    player.begin()
    pid = pid_of(player)
    with pytest.raises(Forfeit) as forfeit:
        player.choose(turn or turn_after("f5"))
    assert is_gone(pid)
    assert not player.engine.is_started
    assert "\n" not in str(forfeit.value)
    return str(forfeit.value)


def let_time_run_out(monkeypatch: pytest.MonkeyPatch, when: Callable[[], bool]) -> None:
    """As soon as something has happened, and no sooner."""
    end = time.monotonic() + PATIENCE_S
    is_over = lambda: when() or time.monotonic() > end  # noqa: E731
    monkeypatch.setattr(Deadline, "left", lambda _: 0.0 if is_over() else 0.01)


def reason_at_start(player: EnginePlayer) -> str:
    with pytest.raises(Forfeit) as forfeit:
        player.begin()
    assert not player.engine.is_started
    return str(forfeit.value)


# ------------------------------------------------------------------ right answers


@both
def test_an_engine_answers_with_a_move(make: Make, protocol: str) -> None:
    player, turn = make(protocol), turn_after("f5")
    player.begin()
    assert player.choose(turn) == Choice(first_legal(turn))


@both
def test_a_player_need_not_be_told_that_a_game_begins(make: Make, protocol: str) -> None:
    turn = turn_after()
    assert make(protocol).choose(turn).move == first_legal(turn)


@pytest.mark.parametrize(
    ("protocol", "passes"), [("gtp", "self"), ("gtp", "told"), ("nboard", "told")]
)
def test_a_whole_game_with_five_passes(make: Make, protocol: str, passes: str) -> None:
    first = make(protocol, line=FIVE_PASSES, passes=passes)
    second = make(protocol, line=FIVE_PASSES, passes=passes)
    first.begin()
    second.begin()
    turn = turn_after()
    while not is_over(turn.state):
        turn = turn.after((first, second)[turn.side].choose(turn).move)
    assert turn.position.codes == turn_after(FIVE_PASSES).position.codes
    assert turn.position.codes.count(PASS) == 5
    assert OTHELLO.first_player_outcome(turn.state) == -2


@pytest.mark.parametrize("has_poll", [True, False], ids=["poll", "threads"])
@both
def test_one_engine_plays_both_sides_of_many_games(
    make: Make, protocol: str, has_poll: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where pipes cannot be waited for, and threads read them."""
    monkeypatch.setattr(engine, "HAS_POLL", has_poll)
    player = make(protocol)
    pids = set()
    for opening in (FIVE_PASSES[:60], FIVE_PASSES[:100]):
        player.begin()
        turn = turn_after(opening)
        while not is_over(turn.state):
            assert player.choose(turn).move == first_legal(turn)
            turn = turn.after(first_legal(turn))
        pids.add(pid_of(player))
    assert len(pids) == 1


@both
def test_histories_that_do_not_go_on_from_the_last_one(make: Make, protocol: str) -> None:
    player = make(protocol)
    for moves in ("f5d6c3", "f5d6", "f5d6c3d3c4", "d3", "", "f5"):
        turn = turn_after(moves)
        assert player.choose(turn).move == first_legal(turn)


@both
def test_the_same_question_has_the_same_answer(make: Make, protocol: str) -> None:
    player, turn = make(protocol), turn_after("f5d6")
    assert player.choose(turn) == player.choose(turn)


@both
def test_an_engine_is_not_asked_when_it_must_pass(make: Make, protocol: str) -> None:
    plies = turn_after(FIVE_PASSES).position.codes
    start = OTHELLO.initial()
    before = plies[: plies.index(PASS)]
    turn = Turn(BasePosition.at(OTHELLO, {}, start, before))
    assert make(protocol, fault="illegal").choose(turn) == Choice(PASS)


@both
def test_a_slow_answer_in_time(make: Make, protocol: str) -> None:
    turn = turn_after("f5", time_s=PATIENCE_S)
    assert make(protocol, "slow").choose(turn).move == first_legal(turn)


@both
def test_what_is_said_before_the_first_question_is_skipped(make: Make, protocol: str) -> None:
    turn = turn_after("f5")
    assert make(protocol, "banner").choose(turn).move == first_legal(turn)


@pytest.mark.parametrize("fault", ["noise", "tight"])
def test_gtp_answers_may_have_noise_around_them(make: Make, fault: str) -> None:
    turn = turn_after("f5")
    assert make("gtp", fault).choose(turn).move == first_legal(turn)


@both
def test_megabytes_of_errors_do_not_matter(make: Make, protocol: str) -> None:
    turn = turn_after("f5")
    assert make(protocol, "errors").choose(turn).move == first_legal(turn)


def test_gtp_plays_on_other_sizes_if_the_engine_does(make: Make) -> None:
    player = make("gtp")
    for size in (4, 6, 8):
        turn = turn_after(size=size)
        while not is_over(turn.state):
            assert player.choose(turn).move == first_legal(turn)
            turn = turn.after(first_legal(turn))
    assert reason(player, turn_after(size=10)) == (
        "error reply '? unacceptable size' to 'boardsize 10'"
    )


def test_nboard_begins_anywhere(make: Make) -> None:
    diagram = "XXXXXXX-" + "XXXXXXO-" * 3 + "XXXXXOX-" + "XXXXOOX-" + "XXXOOOO-" + "O-------"
    start = OTHELLO.parse_position(OTHELLO.initial(), f"{diagram} O")
    turn = Turn(BasePosition.at(OTHELLO, {}, start))
    player = make("nboard")
    while not is_over(turn.state):
        assert player.choose(turn).move == first_legal(turn)
        turn = turn.after(first_legal(turn))
    assert len(turn.position.codes) == 18
    assert PASS in turn.position.codes


# ------------------------------------------------------------------ what is sent


def sent(log: Path) -> list[str]:
    return log.read_text(encoding="utf-8").splitlines()


def test_gtp_sends_only_what_is_new(make: Make, tmp_path: Path) -> None:
    player = make("gtp", line=FIVE_PASSES, log=tmp_path / "log")
    player.begin()
    for moves in ("", "f5d6", "f5d6c3d3c4f4", "f5"):
        player.choose(turn_after(moves))
    assert sent(tmp_path / "log") == [
        *("set_game Othello", "boardsize 8", "clear_board", "genmove black"),
        *("play white d6", "genmove black"),
        *("play white d3", "play black c4", "play white f4", "genmove black"),
        *("boardsize 8", "clear_board", "play black f5", "genmove white"),
    ]


def test_gtp_tells_passes(make: Make, tmp_path: Path) -> None:
    start, moves = OTHELLO.initial(), turn_after(FIVE_PASSES).position.codes[:-1]
    player = make("gtp", log=tmp_path / "log")
    player.choose(Turn(BasePosition.at(OTHELLO, {}, start, moves)))
    passes = [line for line in sent(tmp_path / "log") if "pass" in line]
    assert passes == ["play black pass"] * 2 + ["play white pass"] * 3


def test_gtp_tells_whole_seconds_for_each_move(make: Make, tmp_path: Path) -> None:
    player = make("gtp", log=tmp_path / "log", time_s=30)
    for time_s in (None, 30.0, 100.0, 1.0, 0.99):
        player.choose(turn_after(time_s=time_s))
    assert [line for line in sent(tmp_path / "log") if "time" in line] == [
        *("time_settings 28 28 1", "time_left black 28 1", "time_left black 28 1"),
        *("time_settings 95 95 1", "time_left black 95 1"),
        *("time_settings 1 1 1", "time_left black 1 1"),
    ]


def test_gtp_without_a_limit_tells_no_time(make: Make, tmp_path: Path) -> None:
    make("gtp", log=tmp_path / "log").choose(turn_after())
    assert not [line for line in sent(tmp_path / "log") if "time" in line]


def test_gtp_commands_of_the_engine_itself(tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = GtpPlayer(command("gtp", log=log), setup=["time_left black 1 1", "level 5"])
    assert reason_at_start(player) == "error reply '? unknown command' to 'level 5'"
    assert sent(log) == ["set_game Othello", "time_left black 1 1", "level 5"]


def test_nboard_sends_the_whole_game_and_waits_before_it_asks(tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = NboardPlayer(command("nboard", log=log), depth=7, time_s=2.5)
    player.choose(turn_after("f5d6"))
    player.close()
    board = f"{'-' * 27}O*{'-' * 6}*O{'-' * 27}"
    assert sent(log) == [
        *("nboard 2", "set depth 7", "ping 1"),
        "set game (;GM[Othello]PC[Plyground]PB[Black]PW[White]RE[?]TI[01:14]TY[8]"
        f"BO[8 {board} *]B[F5]W[D6];)",
        *("ping 2", "go", "quit"),
    ]


# ------------------------------------------------------------------ what an engine tells


@pytest.mark.parametrize(
    ("fault", "score", "depth", "nodes"),
    [
        ("full", Score(-4, "heuristic"), 4, 5678),
        ("blanks", Score(-3, "heuristic"), 0, 0),
        ("search-only", Score(-2, "heuristic"), 0, 0),
        ("no-score", None, 0, 0),
        ("huge-score", None, 0, 0),
    ],
)
def test_nboard_engines_may_tell_more(
    make: Make, fault: str, score: Score | None, depth: int, nodes: int
) -> None:
    turn = turn_after("f5")
    move = first_legal(turn)
    line = (move,) if fault in ("full", "search-only") else ()
    assert make("nboard", fault).choose(turn) == Choice(move, score, depth, nodes, line)


# ------------------------------------------------------------------ programs that go wrong

REASONS = {
    "exit": "ended with status 3",
    "complain": "ended with status 1: 'no weights'",
    "die": "ended by signal 9 (SIGKILL)",
    "illegal": "illegal move a1: it turns no disc over",
    "occupied": "illegal move d4: the square is taken",
    "pass": "illegal move pass: a side that has a move may not pass",
    "pa": "illegal move pass: a side that has a move may not pass",
    "off-board": "answered nonsense: 'j9'",
    "empty": "answered nonsense: ''",
    "no-newline": f"wrote a line of more than {MOST_BYTES} bytes",
    "resign": "resigned",
    "garbage": "answered nonsense: 'hello'",
    "lines": "answered nonsense: 'status going on'",
    "wrong-number": "answered nonsense: '=99 f4'",
    "long-answer": "gave an answer of more than 1000 lines",
    "error": "error reply '? out of memory' to 'genmove white'",
}
REASONS_OF_NBOARD = {
    "exit": "ended with status 3",
    "illegal": "illegal move a1: it turns no disc over",
    "pa": "illegal move pass: a side that has a move may not pass",
    "word": "answered nonsense: 'HELLO'",
    "empty": "answered nonsense: ''",
    "no-newline": f"wrote a line of more than {MOST_BYTES} bytes",
}


def faults() -> list[tuple[str, str, str]]:
    of_nboard = [("nboard", *case) for case in REASONS_OF_NBOARD.items()]
    return [("gtp", *case) for case in REASONS.items()] + of_nboard


@pytest.mark.parametrize(("protocol", "fault", "expected"), faults())
def test_a_failure_loses_the_game_and_the_next_one_begins_anew(
    make: Make, tmp_path: Path, protocol: str, fault: str, expected: str
) -> None:
    player, turn = make(protocol, fault, once=tmp_path / "once"), turn_after("f5")
    assert reason(player, turn) == expected
    player.begin()
    assert player.choose(turn).move == first_legal(turn)


@pytest.mark.parametrize(
    ("protocol", "time_s", "expected"),
    [("gtp", None, "answered nonsense: '"), ("nboard", NO_TIME_S, "gave no answer within 0.05 s")],
)
def test_binary_garbage_is_shown_as_plain_text(
    make: Make, protocol: str, time_s: float | None, expected: str
) -> None:
    found = reason(make(protocol, "binary", time_s=time_s))
    assert found.startswith(expected)
    assert found.isprintable()


@both
def test_a_program_that_hangs(make: Make, protocol: str) -> None:
    player = make(protocol, "hang", time_s=NO_TIME_S)
    assert reason(player).startswith("gave no answer within 0.05 s")
    player.begin()
    assert is_alive(pid_of(player))


@both
def test_the_time_of_the_game_goes_before_that_of_the_player(make: Make, protocol: str) -> None:
    player = make(protocol, "hang", time_s=0.1)
    assert "within 0.1 s" in reason(player, turn_after("f5"))
    assert "within 0.05 s" in reason(player, turn_after("f5", time_s=NO_TIME_S))


@pytest.mark.parametrize(
    ("protocol", "fault"),
    [("gtp", "blank-lines"), ("nboard", "blank-lines"), ("nboard", "lines")],
)
def test_an_endless_report_is_no_answer(make: Make, protocol: str, fault: str) -> None:
    assert reason(make(protocol, fault, time_s=NO_TIME_S)).startswith(
        "gave no answer within 0.05 s"
    )


def test_a_late_answer_says_what_was_heard_instead(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = make("nboard", "garbage", time_s=SHORT_S)
    player.begin()
    let_time_run_out(monkeypatch, lambda: player.engine._last_line == "status waiting")
    found = reason(player)
    assert found == "gave no answer within 0.3 s; the last it said was 'status waiting'"


@both
def test_a_failure_in_the_middle_of_a_game(make: Make, protocol: str) -> None:
    player = make(protocol, "exit", at=3)
    turn = turn_after()
    player.begin()
    with pytest.raises(Forfeit, match="ended with status 3"):
        while True:
            turn = turn.after(player.choose(turn).move)
    assert len(turn.position.codes) == 2


@both
def test_a_program_that_no_longer_speaks(make: Make, protocol: str, impatience: None) -> None:
    assert reason(make(protocol, "close-output")) == "closed its output"


@both
def test_a_program_that_no_longer_listens(make: Make, protocol: str, impatience: None) -> None:
    player, turn = make(protocol, "close-input"), turn_after()
    turn = turn.after(player.choose(turn).move)
    pid = pid_of(player)
    with pytest.raises(Forfeit, match="closed its input"):
        player.choose(turn)
    assert is_gone(pid)


@both
def test_a_program_that_ends_between_moves(make: Make, protocol: str) -> None:
    player, turn = make(protocol), turn_after()
    turn = turn.after(player.choose(turn).move)
    os.killpg(pid_of(player), signal.SIGKILL)
    with pytest.raises(Forfeit, match=r"ended by signal 9 \(SIGKILL\)"):
        player.choose(turn)


@both
def test_a_program_that_ends_while_its_child_keeps_the_output(
    make: Make, protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = make(protocol, "leave-child", time_s=SHORT_S)
    player.begin()
    let_time_run_out(monkeypatch, lambda: player.engine.is_dead)
    assert reason(player).startswith("ended with status 3")


@both
def test_a_program_that_ends_between_games(make: Make, protocol: str) -> None:
    player, turn = make(protocol), turn_after()
    player.choose(turn)
    pid = pid_of(player)
    os.killpg(pid, signal.SIGKILL)
    assert is_gone(pid)
    player.begin()
    assert pid_of(player) != pid
    assert player.choose(turn).move == first_legal(turn)


@both
def test_a_limit_without_an_end(make: Make, protocol: str) -> None:
    turn = turn_after(time_s=float("inf"))
    assert make(protocol).choose(turn).move == first_legal(turn)


def test_no_signal_is_too_strange_to_be_named(make: Make) -> None:
    player, turn = make("gtp"), turn_after()
    player.choose(turn)
    os.killpg(pid_of(player), signal.SIGRTMIN + 5)
    with pytest.raises(Forfeit, match=f"ended by signal {signal.SIGRTMIN + 5}$"):
        player.choose(turn)


def test_an_engine_that_takes_a_legal_move_for_illegal(make: Make) -> None:
    found = reason(make("gtp", refuse="d6"), turn_after("f5d6"))
    assert found == "error reply '? illegal move d6' to 'play white d6'"


# ------------------------------------------------------------------ programs that do not start


@both
def test_a_program_that_is_not_there(protocol: str) -> None:
    player = PLAYERS[protocol]("./no-such-engine -gtp")
    assert reason_at_start(player) == "cannot be started: './no-such-engine' was not found"
    with pytest.raises(Forfeit, match="was not found"):
        player.choose(turn_after())


def test_a_file_that_is_not_a_program(tmp_path: Path) -> None:
    path = tmp_path / "my engine"
    path.write_text("print(1)\n", encoding="utf-8")
    player = GtpPlayer(shlex.quote(str(path)))
    assert reason_at_start(player) == f"cannot be started: {str(path)!r} is not executable"
    path.chmod(0o755)
    assert "exec format error" in reason_at_start(player)


def test_a_program_that_appears_later_can_be_started_then(tmp_path: Path) -> None:
    path = tmp_path / "engine"
    player = GtpPlayer(str(path))
    assert reason_at_start(player).endswith("was not found")
    path.write_text(f"#!/bin/sh\nexec {command('gtp')}\n", encoding="utf-8")
    path.chmod(0o755)
    player.begin()
    assert player.choose(turn_after()).move == first_legal(turn_after())
    player.close()


def test_the_home_folder_may_be_written_as_a_tilde(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    expected = f"cannot be started: '{tmp_path}/engine' was not found"
    assert reason_at_start(GtpPlayer("~/engine -gtp")) == expected


@pytest.mark.parametrize("text", ["", "  ", "edax 'oops", "edax \\"])
def test_commands_that_are_none(text: str) -> None:
    with pytest.raises(MalformedText, match="engine"):
        GtpPlayer(text)


def test_a_command_with_a_zero_byte() -> None:
    assert "null byte" in reason_at_start(GtpPlayer("edax\0"))


@both
@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("exit-at-start", "ended with status 3"),
        ("complain-at-start", "ended with status 1: 'no weights'"),
    ],
)
def test_a_program_that_ends_at_once(protocol: str, fault: str, expected: str) -> None:
    assert reason_at_start(PLAYERS[protocol](command(protocol, fault))) == expected


@both
@pytest.mark.parametrize("fault", ["hang-at-start", "chatty"])
def test_a_program_that_does_not_get_ready(
    protocol: str, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = PLAYERS[protocol](command(protocol, fault), start_s=SHORT_S)
    if fault == "chatty":
        let_time_run_out(monkeypatch, lambda: player.engine._last_line == "Welcome")
    found = reason_at_start(player)
    assert found.startswith("gave no answer within 0.3 s")
    assert found.endswith("'Welcome'") == (fault == "chatty")


def test_a_program_that_speaks_the_other_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    player = NboardPlayer(command("gtp"), start_s=SHORT_S)
    let_time_run_out(monkeypatch, lambda: player.engine._last_line == "? unknown command")
    assert reason_at_start(player) == (
        "gave no answer within 0.3 s; the last it said was '? unknown command'"
    )


# ------------------------------------------------------------------ how a program ends


@both
def test_closing_is_polite_and_can_be_repeated(make: Make, tmp_path: Path, protocol: str) -> None:
    player = make(protocol, log=tmp_path / "log")
    player.close()
    player.begin()
    pid = pid_of(player)
    player.close()
    player.close()
    assert is_gone(pid)
    assert sent(tmp_path / "log")[-1] == "quit"


@both
def test_closing_ends_a_program_that_ignores_it(
    make: Make, protocol: str, impatience: None
) -> None:
    player, turn = make(protocol, "stubborn"), turn_after()
    assert player.choose(turn).move == first_legal(turn)
    pid = pid_of(player)
    player.close()
    assert is_gone(pid)


def test_closing_a_program_that_is_dead_already(make: Make) -> None:
    player = make("gtp")
    player.begin()
    os.killpg(pid_of(player), signal.SIGKILL)
    player.close()
    assert not player.engine.is_started


@both
def test_closing_ends_the_children_of_a_program(make: Make, tmp_path: Path, protocol: str) -> None:
    player = make(protocol, "child", pid=tmp_path / "pid")
    player.choose(turn_after())
    child = read_pid(tmp_path / "pid")
    assert is_alive(child)
    player.close()
    assert is_gone(child)


def test_a_closed_player_can_begin_again(make: Make) -> None:
    player = make("gtp")
    player.begin()
    player.close()
    player.begin()
    assert player.choose(turn_after()).move == first_legal(turn_after())


def test_a_forgotten_player_ends_its_program() -> None:
    player = GtpPlayer(command("gtp"))
    player.begin()
    pid = pid_of(player)
    del player
    gc.collect()
    assert is_gone(pid)


def test_an_interrupted_question_ends_the_program(make: Make) -> None:
    player = make("gtp", "interrupt")
    player.begin()
    pid = pid_of(player)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            player.choose(turn_after())
    finally:
        signal.signal(signal.SIGINT, before)
    assert is_gone(pid)
    assert not player.engine.is_started


def test_a_fork_of_us_does_not_end_the_program(make: Make) -> None:
    player = make("gtp")
    player.begin()
    if (child := os.fork()) == 0:
        player.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert player.choose(turn_after()).move == first_legal(turn_after())


def run_program(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


def test_leaving_the_interpreter_ends_a_program() -> None:
    done = run_program(f"""
        from plyground.players.gtp import GtpPlayer
        player = GtpPlayer({command("gtp")!r})
        player.begin()
        print(player.engine.pid)
    """)
    assert (done.returncode, done.stderr) == (0, "")
    assert is_gone(int(done.stdout))


def test_a_program_does_not_outlive_us_even_when_we_are_killed() -> None:
    done = run_program(f"""
        import os, signal
        from plyground.players.gtp import GtpPlayer
        player = GtpPlayer({command("gtp", "stubborn")!r})
        player.begin()
        print(player.engine.pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
    """)
    assert done.returncode == -signal.SIGKILL
    assert is_gone(int(done.stdout))


# ------------------------------------------------------------------ the process alone


@pytest.fixture
def cat() -> Iterator[Engine]:
    program = Engine("cat", farewell="")
    program.start()
    yield program
    program.close()


def test_lines_come_back_in_order(cat: Engine) -> None:
    lines = [str(number) for number in range(1000)]
    for line in lines:
        cat.send(line)
    assert [cat.read(Deadline(PATIENCE_S)) for _ in lines] == lines


def test_starting_twice_is_starting_once(cat: Engine) -> None:
    pid = cat.pid
    cat.start()
    assert cat.pid == pid


@pytest.mark.parametrize("length", [MOST_BYTES, MOST_BYTES + 1])
def test_how_long_a_line_may_be(length: int) -> None:
    program = Engine(f"sh -c 'head -c {length} /dev/zero | tr \"\\0\" x; echo; sleep 9'", "")
    program.start()
    try:
        if length <= MOST_BYTES:
            assert program.read(Deadline(PATIENCE_S)) == "x" * length
        else:
            with pytest.raises(Forfeit, match="wrote a line of more than"):
                program.read(Deadline(PATIENCE_S))
    finally:
        program.kill()


def test_a_program_that_does_not_read_cannot_make_us_wait(impatience: None) -> None:
    program = Engine("sleep 1000", farewell="quit")
    program.start()
    try:
        with pytest.raises(Forfeit, match="does not read its input"):
            while True:
                program.send("x" * 1000)
    finally:
        program.close()


def test_a_closed_engine_says_so(cat: Engine) -> None:
    cat.close()
    with pytest.raises(Forfeit, match="was closed"):
        cat.send("hello")
    with pytest.raises(Forfeit, match="was closed"):
        cat.read(Deadline(PATIENCE_S))


# ------------------------------------------------------------------ games that cannot be played


def test_nboard_refuses_other_games(make: Make) -> None:
    game = find_game("connect4")
    start = game.initial()
    with pytest.raises(Unsupported, match=f"nboard engines play othello, not {game.name}"):
        make("nboard").choose(Turn(BasePosition.at(game, {}, start)))


def test_gtp_refuses_an_unusual_start(make: Make) -> None:
    start = turn_after("f5").state
    with pytest.raises(Unsupported, match="usual start"):
        make("gtp").choose(Turn(BasePosition.at(OTHELLO, {}, start)))


def test_nboard_refuses_other_sizes(make: Make) -> None:
    with pytest.raises(Unsupported, match="8x8, not on 6x6"):
        make("nboard").choose(turn_after(size=6))

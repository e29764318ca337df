"""Plyground behind the NBoard protocol, and the conversation that both protocols share."""

from __future__ import annotations

import io
import queue
import re
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from patience import PATIENCE_S, until

from plyground.core.scores import Score
from plyground.evaluation.catalogue import find_evaluator
from plyground.evaluation.spec import evaluate
from plyground.games.othello import GAME as OTHELLO
from plyground.games.position import BasePosition
from plyground.games.rules import State, is_over, outcome, play, side
from plyground.kernel import plain_python
from plyground.players.catalogue import make_player
from plyground.players.spec import Choice, Forfeit, Player, Turn
from plyground.protocols import conversation
from plyground.protocols.conversation import (
    MOST_BYTES,
    Conversation,
    Engine,
    Line,
    Say,
    Stopper,
    read_lines,
)
from plyground.protocols.nboard_engine import (
    NboardEngine,
    depth_name,
    discs,
    read_ggf,
)
from plyground.search.catalogue import ALGORITHMS
from plyground.search.clock import STOP

START = "BO[8 ---------------------------O*------*O--------------------------- *]"

# Aubrey de Grey - Ben Pridmore, Cambridge Christmas 2005, 31-33: black passes twice, white thrice.
FIVE_PASSES = (
    "f5d6c3d3c4f4e6f6e3c5g4g3g5f3g6e2b6b5c2d2c1d1h3b4f7h4h5f8d7h7"
    "e7c8e1f1f2b1h6h2e8g1g8a7a3a4a6c7b3c6b7b8g2a2b2a5a1g7h1h8d8a8"
)


# ------------------------------------------------------------------ tools


def engine(player: str | None = "first") -> NboardEngine:
    return NboardEngine(player=player, seed=1)


def talk(partner: Engine, *lines: str) -> list[str]:
    """What a partner says to lines that all come at once."""
    said: list[str] = []
    data = "".join(f"{line}\n" for line in lines).encode()
    Conversation(partner, io.BytesIO(data).read, said.append).run()
    return said


def ask(partner: Engine, *lines: str) -> list[str]:
    """What a partner says to lines that come one by one; it stays as it is."""
    said: list[str] = []
    for line in lines:
        partner.stopper.forget()
        assert partner.obey(Line(line), said.append)
    return said


def moves_of(text: str) -> tuple[int, ...]:
    return tuple(OTHELLO.parse_moves(OTHELLO.initial(), text))


def ggf(text: str, count: int | None = None, with_passes: bool = True, tags: str = "") -> str:
    """The first moves of a game, passes written or not."""
    state, written = OTHELLO.initial(), ""
    for move in moves_of(text)[:count]:
        name = OTHELLO.format_move(state, move).upper()
        if name != "PASS" or with_passes:
            written += f"{'BW'[side(state)]}[{'PA' if name == 'PASS' else name}]"
        state = play(state, move)
    return f"(;GM[Othello]PC[NBoard]RE[?]{tags}TY[8]{START}{written};)"


def places_of_passes(text: str) -> list[int]:
    state, found = OTHELLO.initial(), []
    for place, move in enumerate(moves_of(text)):
        if OTHELLO.format_move(state, move) == "pass":
            found.append(place)
        state = play(state, move)
    return found


def state_of(partner: NboardEngine) -> State:
    return partner._game.state


class Client:
    """Somebody who listens, and says more while the engine thinks."""

    def __init__(self, partner: Engine) -> None:
        self._input: queue.Queue[bytes] = queue.Queue()
        self._said: queue.Queue[str] = queue.Queue()
        talking = Conversation(partner, lambda _: self._input.get(), self._said.put)
        self._thread = threading.Thread(target=talking.run)
        self._thread.start()

    def send(self, *lines: str) -> None:
        self._input.put("".join(f"{line}\n" for line in lines).encode())

    def hear_until(self, start: str) -> list[str]:
        heard = [self._said.get(timeout=PATIENCE_S)]
        while not heard[-1].startswith(start):
            heard.append(self._said.get(timeout=PATIENCE_S))
        return heard

    def leave(self) -> list[str]:
        """End the input; what is said after that."""
        self._input.put(b"")
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()
        return list(self._said.queue)


# ------------------------------------------------------------------ the conversation


def test_lines_are_split_however_the_bytes_come() -> None:
    data = "a\r\n\nné\n\nlast".encode()
    for size in range(1, 7):
        stream = io.BytesIO(data)
        texts = [line.text for line in read_lines(lambda _, n=size, s=stream: s.read(n))]
        assert texts == ["a\r", "", "né", "", "last"]


def test_a_line_of_any_length_takes_bounded_room() -> None:
    data = b"x" * (3 * MOST_BYTES) + b"\n" + b"y" * MOST_BYTES + b"\nz" + b"\xff\xfe"
    lines = list(read_lines(io.BytesIO(data).read))
    assert [(len(line.text), line.is_cut) for line in lines] == [
        (MOST_BYTES, True),
        (MOST_BYTES, False),
        (3, False),
    ]


def test_a_stopper_stops_what_is_under_way_and_what_follows_in_the_same_command() -> None:
    stopper = Stopper()
    before, another = stopper.flag(), stopper.flag()
    stopper.ask()
    assert [before[STOP], another[STOP], stopper.flag()[STOP]] == [1, 1, 1]
    stopper.forget()
    assert stopper.flag()[STOP] == 0


class Scripted(Engine):
    """Says every line back; fails at `fail`, leaves at `leave`."""

    is_closed = False

    def obey(self, line: Line, say: Say) -> bool:
        if line.text == "fail":
            raise ZeroDivisionError
        say(line.text)
        return line.text != "leave"

    def stops(self, line: Line, later: Line | None) -> bool:
        return False

    def close(self) -> None:
        super().close()
        self.is_closed = True


def test_many_more_lines_than_may_wait_are_answered_in_order() -> None:
    lines = [str(number) for number in range(5000)]
    assert talk(Scripted(), *lines) == lines


def test_nothing_is_read_after_leaving_and_all_is_closed() -> None:
    partner = Scripted()
    assert talk(partner, "a", "leave", "b") == ["a", "leave"]
    assert partner.is_closed


def test_an_error_of_the_engine_reaches_the_caller() -> None:
    partner = Scripted()
    with pytest.raises(ZeroDivisionError):
        talk(partner, "a", "fail", "b")
    assert partner.is_closed


def test_input_that_fails_has_ended() -> None:
    def read(_: int) -> bytes:
        raise OSError("gone")

    said: list[str] = []
    Conversation(Scripted(), read, said.append).run()
    assert said == []


def test_output_that_fails_ends_the_conversation() -> None:
    def say(_: str) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        Conversation(Scripted(), io.BytesIO(b"a\nb\n").read, say).run()


class Patient(Scripted):
    """Thinks about `think` until it is told to stop; no line tells it."""

    def __init__(self) -> None:
        super().__init__()
        self.thinking, self.was_stopped = threading.Event(), False

    def obey(self, line: Line, say: Say) -> bool:
        if line.text == "think":
            self.thinking.set()
            flag = self.stopper.flag()
            self.was_stopped = until(lambda: bool(flag[STOP]), "being stopped")
        return super().obey(line, say)


def test_a_program_that_is_gone_stops_the_search_and_gets_no_more_answers() -> None:
    """After the end of input a search goes on only as long as somebody listens."""
    partner, said = Patient(), list[str]()

    def until_unheard() -> None:
        partner.thinking.wait(PATIENCE_S)

    Conversation(partner, io.BytesIO(b"a\nthink\nb\n").read, said.append, until_unheard).run()
    assert partner.was_stopped
    assert said == ["a", "think"]


# ------------------------------------------------------------------ commands


def test_the_engine_tells_its_name_and_depth() -> None:
    assert talk(engine(), "nboard 2", "set depth 12") == [
        "set myname Plyground",
        "set myname Plyground12",
    ]


@pytest.mark.parametrize(
    "line",
    [
        *("", "   ", "hello", "set", "set depth", "set depth x", "set depth 0", "set depth -3"),
        *(
            "set contempt -20",
            "set colour blue",
            "move",
            "A9",
            "F5 D6",
            "\x00",
            "Ping 1",
            "learned",
        ),
    ],
)
def test_what_is_not_understood_or_not_needed_gets_no_answer(line: str) -> None:
    partner = engine()
    assert talk(partner, line) == []
    assert partner._game.position.codes == ()


def test_a_line_that_is_too_long_is_ignored() -> None:
    assert talk(engine(), "ping " + "1" * 100_000, "ping 2") == ["pong 2"]


def test_ping_learn_and_quit() -> None:
    assert talk(engine(), "ping 7", "ping", "learn", "quit", "ping 8") == [
        *("pong 7", "pong"),
        "learned",
    ]


@pytest.mark.parametrize(
    "lines", [("move F5", "move d6/1.25/0.5"), ("F5", "d6"), ("move F5//3", "D6")]
)
def test_a_move_is_told_in_either_version(lines: tuple[str, ...]) -> None:
    partner = engine()
    assert ask(partner, *lines) == []
    assert partner._game.position.codes == moves_of("f5d6")
    partner.close()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("move A1", "a1 is illegal: it turns no disc over"),
        ("move Z9", "column 'z' is off the board"),
        ("PA", "pass is illegal"),
        ("set game hello", "nothing to read; expected games"),
        ("set game (;GM[Othello]B[A1];)", "move 1, 'A1'"),
        ("set game (;GM[Othello]W[F5];)", "move 1, 'F5'"),
        ("set game (;GM[Chess]B[E4];)", "GM[Chess] is another game"),
        ("set game (;GM[Othello]TY[10];)", "a board of size 10; expected 8"),
        ("hint x", "hint x: expected a number of moves"),
    ],
)
def test_what_makes_no_sense_is_told_and_changes_nothing(line: str, complaint: str) -> None:
    partner = engine()
    said = ask(partner, "F5", line)
    assert len(said) == 1 and said[0].startswith(f"status {complaint}")
    assert partner._game.position.codes == moves_of("f5")
    partner.close()


@pytest.mark.parametrize("with_passes", [True, False])
def test_a_game_is_set_whether_its_passes_are_written_or_not(with_passes: bool) -> None:
    partner = engine()
    assert ask(partner, f"set game {ggf(FIVE_PASSES, with_passes=with_passes)}") == []
    assert partner._game.position.codes == moves_of(FIVE_PASSES)
    assert OTHELLO.first_player_outcome(state_of(partner)) == -2
    partner.close()


@pytest.mark.parametrize("with_passes", [True, False])
def test_moves_are_told_with_passes_or_without(with_passes: bool) -> None:
    partner, state = engine(), OTHELLO.initial()
    for move in moves_of(FIVE_PASSES):
        name = OTHELLO.format_move(state, move)
        if name != "pass" or with_passes:
            assert ask(partner, f"move {'PA' if name == 'pass' else name.upper()}//0.1") == []
        state = play(state, move)
    assert partner._game.position.codes == moves_of(FIVE_PASSES)
    assert ask(partner, "move PA", "PA") == []  # after the end
    assert is_over(state_of(partner))
    partner.close()


def test_a_game_may_begin_anywhere() -> None:
    partner = engine()
    board = "O" * 20 + "*" * 43 + "-"
    ask(
        partner,
        f"set game (;GM[Othello]{START.replace(START[5:69], board).replace(' *]', ' O]')};)",
    )
    assert OTHELLO.format_position(state_of(partner)) == board.replace("*", "X") + " O"
    partner.close()


# ------------------------------------------------------------------ go


def test_go_names_a_move_and_does_not_play_it() -> None:
    partner = engine()
    said = ask(partner, "F5", "go", "go")
    assert said[0] == "status Plyground is thinking"
    assert re.fullmatch(r"=== F4//\d+\.\d\d", said[1])
    assert said[2] == "status"
    assert partner._game.position.codes == moves_of("f5")
    partner.close()


def test_go_tells_what_the_search_expects() -> None:
    with plain_python():
        said = talk(engine("alphabeta:depth=2"), "F5", "go")
    line = next(each for each in said if each.startswith("search"))
    assert re.fullmatch(r"search ([A-H][1-8]){2} [+-]\d+\.\d\d 0 2", line)
    assert re.fullmatch(r"nodestats \d+ \d+\.\d\d", said[said.index(line) + 1])
    move, value = line.split()[1][:2], float(line.split()[2])
    assert re.fullmatch(rf"=== {move}/{value:.2f}/\d+\.\d\d", said[-2])


def test_go_passes_where_it_must_and_says_so_at_the_end() -> None:
    partner = engine()
    for place in places_of_passes(FIVE_PASSES):
        said = ask(partner, f"set game {ggf(FIVE_PASSES, place)}", "go")
        assert said[1].startswith("=== PA/")
    assert ask(partner, f"set game {ggf(FIVE_PASSES)}", "go") == ["status the game is over"]
    assert ask(partner, "hint 1") == ["status the game is over"]
    partner.close()


def test_go_plays_what_the_player_plays() -> None:
    text, start = "alphabeta:depth=2", OTHELLO.initial()
    with plain_python():
        inside, partner = make_player(text, OTHELLO, start), engine(text)
        moves = moves_of(FIVE_PASSES)
        for count in range(0, len(moves), 5):
            state = OTHELLO.replay(start, moves[:count])
            move = inside.choose(Turn(BasePosition.at(OTHELLO, {}, start, moves[:count]))).move
            name = OTHELLO.format_move(state, move).upper().replace("PASS", "PA")
            said = ask(partner, "set depth 10", f"set game {ggf(FIVE_PASSES, count)}", "go")
            assert said[-2].startswith(f"=== {name}/")
        partner.close()


class Recorder(Player):
    """Plays the first legal move and remembers what it was asked."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.begun = 0

    def begin(self) -> None:
        self.begun += 1

    def choose(self, turn: Turn) -> Choice:
        self.turns.append(turn)
        return Choice(turn.legal[0])


def test_the_player_is_told_the_game_and_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    monkeypatch.setattr(conversation, "make_machine", lambda *_: recorder)
    partner = engine()
    ask(partner, "go", f"set game {ggf('f5d6', tags='TI[05:00]')}", "go", "move C3//100", "go")
    ask(partner, "move D3/2/44", "go", f"set game {ggf('d3')}", "go")
    assert [turn.position.codes for turn in recorder.turns] == [
        moves_of(text) for text in ("", "f5d6", "f5d6c3", "f5d6c3d3", "d3")
    ]
    times = [turn.time_s for turn in recorder.turns]
    assert times[0] is times[4] is None
    assert times[1:4] == [300 / 30, 300 / 29.5, 200 / 29]
    assert recorder.begun == 1
    partner.close()


def test_a_clock_with_an_increment() -> None:
    game = read_ggf("(;GM[Othello]TI[01:00/10/02:00]B[F5//30.5]W[D6//5]B[C3//10];)")
    assert (game.main_s, game.increment_s, game.used_s) == (60, 10, (40.5, 5))
    assert game.time_for_move() == pytest.approx((60 + 10 - 5) / 29.5 + 10)
    late = read_ggf("(;GM[Othello]TI[00:01]B[F5//30.5]W[D6//5];)").time_for_move()
    assert late and 0 < late < 0.1
    assert read_ggf("(;GM[Othello]TI[soon];)").time_for_move() is None


def test_a_player_that_fails_is_a_status_and_not_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    class Quitter(Player):
        def choose(self, turn: Turn) -> Choice:
            raise Forfeit("has had enough")

    monkeypatch.setattr(conversation, "make_machine", lambda *_: Quitter())
    assert talk(engine(), "go", "ping 1")[1:] == ["status has had enough", "pong 1"]


# ------------------------------------------------------------------ hints


def parse_hints(said: list[str]) -> list[tuple[str, float, str]]:
    """Line, value and depth of each hint."""
    found = []
    for line in said:
        if words := re.fullmatch(r"search (\S+) ([+-]\d+\.\d\d) 0 (\S+)", line):
            found.append((words[1], float(words[2]), words[3]))
    return found


def negamax(state: State, depth: int) -> int:
    """The value by the default evaluator; wins beyond all others."""
    if is_over(state):
        return 10**6 * int(outcome(state))
    if depth == 0:
        return int(evaluate(find_evaluator("factors", state).make(), state))
    return max(-negamax(play(state, move), depth - 1) for move in OTHELLO.legal(state))


def test_a_hint_goes_deeper_and_deeper_to_the_depth_that_was_set() -> None:
    with plain_python():
        partner = engine("alphabeta")
        hints = parse_hints(ask(partner, "set depth 3", "F5", "hint 1"))
        partner.close()
    assert [depth for _, _, depth in hints] == ["1", "2", "3"]
    for line, _, depth in hints:
        assert len(line) == 2 * int(depth)
        assert OTHELLO.parse_moves(OTHELLO.initial(), f"f5{line}")


def test_hints_for_all_moves_are_their_minimax_values() -> None:
    with plain_python():
        partner = engine("abmemory:order=all")
        hints = parse_hints(ask(partner, "set depth 2", "F5", "D6", "hint 20"))
        state = state_of(partner)
        partner.close()
        told = {line[:2].lower(): value for line, value, depth in hints if depth == "2"}
        legal = OTHELLO.legal(state)
        values = {
            OTHELLO.format_move(state, move): -negamax(play(state, move), 1) for move in legal
        }
    assert len(told) == len([depth for _, _, depth in hints if depth == "2"]) == len(values)
    assert told == {
        name: round(discs(Score(value, "heuristic")), 2) for name, value in values.items()
    }
    assert told[hints[len(values)][0][:2].lower()] == max(told.values())


def test_a_hint_is_about_as_many_moves_as_asked_for() -> None:
    with plain_python():
        partner = engine("alphabeta")
        hints = parse_hints(ask(partner, "set depth 3", "F5", "D6", "hint 2"))
        partner.close()
    assert [depth for _, _, depth in hints] == ["1", "1", "2", "2", "3", "3"]
    for first, second in zip(hints[::2], hints[1::2], strict=True):
        assert first[0][:2] != second[0][:2]
        assert first[1] >= second[1]


def test_near_the_end_a_hint_is_exact() -> None:
    """Four squares left, and passes among the moves."""
    count = len(moves_of(FIVE_PASSES)) - 5
    with plain_python():
        partner = engine("alphabeta:endgame=8")
        hints = parse_hints(
            ask(partner, "set depth 1", f"set game {ggf(FIVE_PASSES, count)}", "hint 9")
        )
        state = state_of(partner)
        partner.close()
        solved = {line[:2].lower(): value for line, value, depth in hints if depth == "100%"}
        values = {
            OTHELLO.format_move(state, move): -negamax(play(state, move), 20) / 10**6
            for move in OTHELLO.legal(state)
        }
    assert solved == values
    assert len(values) > 1


def test_a_hint_where_only_a_pass_is_left() -> None:
    place = places_of_passes(FIVE_PASSES)[-1]
    with plain_python():
        partner = engine("alphabeta")
        said = ask(partner, "set depth 20", f"set game {ggf(FIVE_PASSES, place)}", "hint 3")
        partner.close()
    hints = parse_hints(said)
    assert hints[-1][2] == "100%"
    assert all(line.startswith("PA") for line, _, _ in hints)


@pytest.mark.parametrize("name", [a.name for a in ALGORITHMS if a.call not in ("move", "uct")])
def test_every_search_gives_hints(name: str) -> None:
    with plain_python():
        partner = engine(f"{name}:memory=1MB" if name in ("sss", "dual") else name)
        hints = parse_hints(ask(partner, "set depth 2", "F5", "hint 2"))
        partner.close()
    depths = ["1", "1"] if name == "greedy" else ["1", "1", "2", "2"]
    assert [depth for _, _, depth in hints] == depths
    for first, second in zip(hints[::2], hints[1::2], strict=True):
        assert {first[0][:2], second[0][:2]} < {"D6", "F4", "F6"}
        assert first[1] >= second[1] or name == "scout-printed"  # whose choice is not the best


def test_simulations_give_one_hint() -> None:
    with plain_python():
        partner = engine("uct:simulations=20")
        hints = parse_hints(ask(partner, "set depth 2", "F5", "hint 2"))
        partner.close()
    assert [line[:2] in ("D6", "F4", "F6") for line, _, _ in hints] == [True]


@pytest.mark.parametrize(
    "player", ["random", "first", "random-start(moves=2,then=alphabeta:depth=1)", "better-random"]
)
def test_players_without_values_of_their_own_give_hints_too(player: str) -> None:
    with plain_python():
        partner = engine(player)
        assert parse_hints(ask(partner, "set depth 1", "hint 1"))
        partner.close()


def test_nodes_and_time_of_the_player_limit_its_hints() -> None:
    with plain_python():
        partner = engine("alphabeta:nodes=50")
        assert [h[2] for h in parse_hints(ask(partner, "set depth 30", "hint 1"))] == ["1", "2"]
        partner.close()
        partner = engine("alphabeta:time=10ms")
        assert parse_hints(ask(partner, "set depth 30", "hint 1"))
        partner.close()


def test_a_set_depth_replaces_the_default_limit_but_no_own_one() -> None:
    with plain_python():
        for player, limits in {
            "alphabeta": (7, None, True),
            "alphabeta:depth=3": (3, None, False),
            "alphabeta:depth=9": (7, None, False),
            "alphabeta:nodes=10": (7, 10, False),
        }.items():
            partner = engine(player)
            ask(partner, "set depth 2", "set depth 7")
            found = partner._thinker.searcher.limits
            assert (found.depth, found.nodes, found.iterate) == limits
            partner.close()


# ------------------------------------------------------------------ analysis


def test_a_finished_game_is_analysed_from_its_end() -> None:
    moves = moves_of(FIVE_PASSES)
    with plain_python():
        partner = engine("alphabeta:depth=1")
        said = ask(partner, f"set game {ggf(FIVE_PASSES)}", "analyze")
        partner.close()
    lines = [line.split() for line in said if line.startswith("analysis")]
    assert [int(words[1]) for words in lines] == list(range(len(moves), -1, -1))
    values = {int(words[1]): float(words[2]) for words in lines}
    assert values[len(moves)] == -2  # black has lost by two
    for place in places_of_passes(FIVE_PASSES):
        assert values[place] == values[place + 1]


def test_values_of_an_analysis_are_blacks() -> None:
    """White is about to win everything, whoever is to move."""
    board = "O" * 61 + "*" + "--"
    game = f"set game (;GM[Othello]BO[8 {board} O];)"
    with plain_python():
        partner = engine("alphabeta:depth=4")
        assert ask(partner, game, "analyze")[1] == "analysis 0 -64.00"
        partner.close()


# ------------------------------------------------------------------ stopping


def test_a_ping_ends_a_hint_and_its_pong_is_the_last_of_it() -> None:
    with plain_python():
        client = Client(engine("alphabeta"))
        client.send("set depth 60", "hint 2")
        client.hear_until("search")
        client.send("ping 5")
        heard = client.hear_until("pong")
        assert heard[-2:] == ["status", "pong 5"]
        assert client.leave() == []


@pytest.mark.parametrize("line", ["move F5", "set depth 3", "hint 1", "go", "learn", "quit"])
def test_any_command_ends_a_hint(line: str) -> None:
    with plain_python():
        client = Client(engine("alphabeta:depth=2"))
        client.send("hint 1")
        client.hear_until("status Plyground is analysing")
        client.send(line)
        client.hear_until("status")
        client.leave()


@pytest.mark.parametrize("command", ["go", "analyze", "hint 1"])
def test_a_ping_ends_all_that_was_asked_before(command: str) -> None:
    """NBoard waits for nothing: two questions, both stopped by one ping, before any is begun."""
    with plain_python():
        said = talk(engine("alphabeta:depth=50"), command, command, "ping 3")
    assert said[-1] == "pong 3"
    assert said.count("status") == 2
    if command == "go":
        moves = [line for line in said if line.startswith("===")]
        assert len(moves) == 2
        assert all(re.match(r"=== (D3|C4|F5|E6)/-?\d+\.\d\d/", line) for line in moves)


def test_a_ping_ends_a_go_in_the_middle() -> None:
    with plain_python():
        client = Client(engine("alphabeta:depth=50"))
        client.send("go")
        client.hear_until("status Plyground is thinking")
        client.send("set game (;GM[Othello]B[F5];)", "ping 1", "hint 1")
        heard = client.hear_until("pong 1")
        assert heard[-3].startswith("=== ")
        assert client.hear_until("search")[-1].split()[1] in ("D6", "F4", "F6")
        client.leave()


def test_a_hint_that_is_stopped_before_it_began_has_looked_one_ply_ahead() -> None:
    with plain_python():
        hints = parse_hints(talk(engine("alphabeta"), "F5", "hint 2", "ping 1"))
    assert [depth for _, _, depth in hints] == ["1", "1"]


def test_only_ping_and_quit_end_a_go() -> None:
    partner = engine()
    assert not partner.stops(Line("go"), Line("move F5"))
    assert not partner.stops(Line("go"), None)
    assert not partner.stops(Line("ping 1"), Line("ping 2"))
    assert partner.stops(Line("go"), Line("ping 2"))
    assert partner.stops(Line("analyze"), Line("quit"))
    assert partner.stops(Line("hint 1"), None)
    assert not partner.stops(Line("hint 1"), Line("  "))
    assert not partner.stops(Line(""), Line("ping 1"))
    partner.close()


# ------------------------------------------------------------------ numbers


def test_scores_are_told_in_discs() -> None:
    assert discs(Score(12, "proven")) == 12
    assert (discs(Score(3, "win")), discs(Score(3, "loss"))) == (64, -64)
    assert discs(Score(0, "heuristic")) == 0
    assert discs(Score(700, "heuristic")) == 32 == -discs(Score(-700, "heuristic"))
    assert abs(discs(Score(-(10**6), "heuristic"))) < 64


def test_depths_say_when_the_rest_is_known() -> None:
    state = OTHELLO.parse_position(OTHELLO.initial(), "XO" * 31 + "X- X")
    assert depth_name(state, Score(2, "proven"), 4) == "100%"
    assert depth_name(state, Score(0, "heuristic"), 4) == "100%"
    assert depth_name(state, Score(2, "proven"), 3) == "100%W"
    assert depth_name(state, Score(2, "heuristic"), 3) == "3"


# ------------------------------------------------------------------ any bytes

WORDS = st.sampled_from(
    [
        "nboard",
        "set",
        "game",
        "depth",
        "contempt",
        "move",
        "hint",
        "go",
        "ping",
        "pong",
        "learn",
        "analyze",
        "0",
        "1",
        "2",
        "99",
        "-1",
        "F5",
        "D6",
        "C3",
        "PA",
        "//",
        "F5/1/2",
        "(;GM[Othello]B[F5];)",
        "(;GM[Othello]B[PA];)",
        "(;",
        "BO[8",
        "TI[1:00/2]",
        "\x00",
        "é",
    ]
)
LINES = st.lists(st.lists(WORDS, max_size=4).map(" ".join), max_size=12).map("\n".join)
BYTES = st.binary(max_size=200) | LINES.map(str.encode) | LINES.map(lambda t: t.encode("utf-16"))
SAYABLE = re.compile(
    r"set myname Plyground\d*|status( .+)?|pong( .+)?|learned|nodestats \d+ \d+\.\d\d"
    r"|search \S+ [+-]\d+\.\d\d 0 \S+|=== \S+|analysis \d+ -?\d+\.\d\d"
)


def check_any_bytes(data: bytes) -> None:
    said: list[str] = []
    with plain_python():
        Conversation(engine("alphabeta:depth=1"), io.BytesIO(data).read, said.append).run()
    assert all(SAYABLE.fullmatch(line) for line in said), said
    lines = [line.text.split() for line in read_lines(io.BytesIO(data).read)]
    pings = [words for words in lines if words[:1] == ["ping"]]
    assert sum(line.startswith("pong") for line in said) == len(pings)


@settings(max_examples=60)
@given(BYTES)
def test_any_bytes_do_no_harm(data: bytes) -> None:
    check_any_bytes(data)


@pytest.mark.full
@settings(max_examples=10_000)
@given(BYTES)
def test_very_many_bytes_do_no_harm(data: bytes) -> None:
    check_any_bytes(data)

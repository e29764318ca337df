"""Plyground as an engine behind the NBoard protocol, version 2: Othello on 8x8.

    set game (;GM[Othello]...B[F5];)    no answer
    hint 2                              search F5D6C3 +1.50 0 8      ... deeper and deeper
    ping 7                              pong 7                       the hint has ended
    go                                  === D6/-1.50/0.31            and it is not played

NBoard sends what is new, then `ping`, then a question, and waits for nothing: so a ping stops all
that was asked before, and its pong comes when that has ended. A hint ends with the next command of
any kind, at the earliest after one ply. What cannot be understood is ignored; what can, but makes
no sense, is reported as a status.

Discs are the protocol's only unit. A proven score is a number of discs; what an evaluator guesses
is squeezed between losing and winning them all.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from plyground.core.errors import MalformedText, PlygroundError, Unsupported, shorten
from plyground.core.records import GameRecord
from plyground.core.scores import Score
from plyground.formats.ggf import FORMAT as GGF
from plyground.formats.spec import Rejected
from plyground.games.othello import GAME as OTHELLO
from plyground.games.othello import board_size, implied_move
from plyground.games.position import BasePosition
from plyground.games.rules import FIRST, State, cells_left, is_over, play, side
from plyground.games.squares import is_pass
from plyground.kernel import Slab
from plyground.players.spec import Forfeit, Turn
from plyground.protocols.conversation import Engine, Line, Say, Thinker, bounded_time, share_of_time
from plyground.search.clock import timer
from plyground.search.finish import final_score
from plyground.search.run import Workshop, search
from plyground.search.setup import MOST_NODES, MOST_PLIES, Limits, score_of

NAME = "Plyground"
SIZE = 8
MOST_DISCS = 64
HALF_WON = 700  # what an evaluator gives for half the discs: fits `factors` in its own games
MOST_HINTS = 60
SOLVED, DECIDED = "100%", "100%W"
THINKING = ("hint", "go", "analyze")

_NUMBER = re.compile(r"[0-9]{1,6}")
_MOVE_ALONE = re.compile(r"[a-h][1-8]|pa|pass|ps|--", re.IGNORECASE)


# ------------------------------------------------------------------ games


@dataclass(frozen=True)
class Game:
    """A game so far, and what each side has left on its clock."""

    position: BasePosition
    used_s: tuple[float, float] = (0.0, 0.0)
    main_s: float | None = None
    """For all moves of a side; None is no limit."""
    increment_s: float = 0.0

    @property
    def state(self) -> State:
        return self.position.state

    def after(self, name: str, time_s: float = 0.0) -> Game:
        """The game with one more move, and with the pass before it if that was left out."""
        if is_over(self.state) and is_pass(name):
            return self  # some send passes after the end
        before = self.position
        if not is_pass(name) and (forced := implied_move(before.state)) is not None:
            before = before.play_code(forced)
        black_s, white_s = self.used_s
        used_s = (black_s, white_s + time_s) if before.mover else (black_s + time_s, white_s)
        after = before.play_code(OTHELLO.parse_move(before.state, name))
        return replace(self, position=after, used_s=used_s)

    def time_for_move(self) -> float | None:
        """How long the next move may take."""
        if self.main_s is None:
            return None
        made = self.position.ply // 2
        left_s = self.main_s + made * self.increment_s - self.used_s[side(self.state)]
        return bounded_time(share_of_time(left_s, self.state) + self.increment_s)


def read_ggf(text: str) -> Game:
    """The game in one line of Generic Game Format; passes may be written or left out."""
    item = next(GGF.read(text.encode()))
    if isinstance(item, Rejected):
        raise MalformedText(item.reason)
    record = item.record
    assert isinstance(record, GameRecord)
    size = board_size(OTHELLO.initial(**record.settings))
    if size != SIZE:
        raise Unsupported(f"a board of size {size}; expected {SIZE}")
    begun = BasePosition.begin(OTHELLO, record.settings, record.position)
    main, _, rest = record.tags.get("TI", "").partition("/")
    increment_s = _read_seconds(rest.partition("/")[0]) or 0.0
    game = Game(begun, main_s=_read_seconds(main), increment_s=increment_s)
    for move in record.moves:
        game = game.after(move.move, move.time_s)
    return game


def _read_seconds(text: str) -> float | None:
    """`15:00`, `1:30:00` or `2.45`; None for anything else."""
    seconds = 0.0
    for part in text.strip().split(":"):
        if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{0,9})?", part):
            return None
        seconds = 60 * seconds + float(part)
    return seconds


# ------------------------------------------------------------------ values of moves


@dataclass(frozen=True)
class MoveValue:
    """What a search thinks of a move."""

    line: tuple[int, ...]
    """What is expected to be played, the move first."""
    score: Score
    depth: str
    nodes: int


class Analyst:
    """Values moves depth by depth, with one table for all positions."""

    def __init__(self, thinker: Thinker) -> None:
        thinker.wait_until_ready()
        self._searcher, self._stopper = thinker.searcher, thinker.stopper
        self._workshop = Workshop(OTHELLO, self._searcher.setup, Slab(1), None)
        self._nodes = 0

    def values(self, state: State, most: int) -> Iterator[MoveValue]:
        """The best move and about as many others as asked for, again at each depth.

        The first depth is never stopped. Others than the best are those that were best before.
        """
        setup, limits = self._searcher.setup, self._searcher.limits
        flag, self._nodes = self._stopper.flag(), 0
        if setup.algorithm.call == "uct":
            found = search(OTHELLO, state, setup, limits, stop=flag)
            yield MoveValue(found.line, found.score, str(found.depth), found.nodes)
            return
        worth = dict.fromkeys(OTHELLO.legal(state), 0)
        with timer(limits.time_s, flag):
            first, *deeper = self._depths(state, limits)
            yield from self._first_look(state, first, most, worth)
            self._workshop.stop = flag
            for depth in deeper:
                if not (best := self._best(state, depth, worth)):
                    return
                yield best
                for move in _others(worth, best)[: most - 1]:
                    if not (other := self._other(state, depth, move, worth)):
                        return
                    yield other

    def _first_look(
        self, state: State, depth: int, most: int, worth: dict[int, int]
    ) -> Iterator[MoveValue]:
        """The best of all moves."""
        self._workshop.stop = Slab(1)
        best = self._best(state, depth, worth)
        assert best
        rest = {move: self._other(state, depth, move, worth) for move in _others(worth, best)}
        yield best
        for move in _others(worth, best)[: most - 1]:
            if other := rest[move]:
                yield other

    def _depths(self, state: State, limits: Limits) -> Iterator[int]:
        """One, two, three ... and when the end is near, all the rest at once."""
        left = int(cells_left(state))
        deepest = MOST_PLIES if limits.depth is None else limits.depth
        if left <= limits.endgame:
            deepest = max(deepest, left)
        if self._searcher.setup.algorithm.name == "greedy":
            deepest = 1
        yield from range(1, min(deepest, left - 1) + 1)
        if left <= deepest:
            yield most_plies(state)

    def _best(self, state: State, depth: int, worth: dict[int, int]) -> MoveValue | None:
        found = self._workshop.run(state, depth, max(worth.values()), self._room())
        self._nodes += found.nodes
        if not found.completed or found.move is None:
            return None
        worth[found.move] = found.value
        line = found.line or (found.move,)
        return MoveValue(line, found.score, depth_name(state, found.score, depth), self._nodes)

    def _other(
        self, state: State, depth: int, move: int, worth: dict[int, int]
    ) -> MoveValue | None:
        child, line = play(state, move), tuple[int, ...]((move,))
        finish = self._searcher.setup.finish
        if is_over(child):
            worth[move] = -int(final_score(finish, child, depth - 1))
        else:
            found = self._workshop.run(child, depth - 1, -worth[move], self._room())
            self._nodes += found.nodes
            if not found.completed:
                return None
            worth[move], line = -found.value, (move, *found.line)
        score = score_of(worth[move], depth, finish)
        return MoveValue(line, score, depth_name(state, score, depth), self._nodes)

    def _room(self) -> int:
        limit = self._searcher.limits.nodes
        return MOST_NODES if limit is None or not self._nodes else max(0, limit - self._nodes)


def _others(worth: dict[int, int], best: MoveValue) -> list[int]:
    """All moves but one, the best first."""
    return sorted((move for move in worth if move != best.line[0]), key=lambda m: -worth[m])


def most_plies(state: State) -> int:
    """To the end of the game, with a pass before each move and after the last."""
    return 2 * int(cells_left(state)) + 2


def depth_name(state: State, score: Score, depth: int) -> str:
    """A depth, or that the rest of the game is known: exactly, or who wins it."""
    if depth >= most_plies(state):
        return SOLVED
    return str(depth) if score.kind == "heuristic" else DECIDED


def discs(score: Score) -> float:
    """A score as a difference of discs."""
    if score.kind == "proven":
        return float(score.value)
    if score.kind in ("win", "loss"):
        return float(MOST_DISCS if score.kind == "win" else -MOST_DISCS)
    return MOST_DISCS * score.value / (abs(score.value) + HALF_WON)


# ------------------------------------------------------------------ the engine


class NboardEngine(Engine):
    """A game of Othello, and a player who is asked about it."""

    def __init__(
        self, start: State | None = None, player: str | None = None, seed: int | None = None
    ) -> None:
        """Without a player, the best level to the depth that is set; no seed is any."""
        super().__init__()
        start = OTHELLO.initial(size=SIZE) if start is None else start
        if board_size(start) != SIZE:
            raise Unsupported(f"NBoard plays on {SIZE}x{SIZE}; leave out the size")
        begun = BasePosition.at(OTHELLO, {}, start)
        self._game = Game(begun)
        self._seed = secrets.randbelow(2**64) if seed is None else seed
        self._thinker = Thinker(player, begun, self)

    def obey(self, line: Line, say: Say) -> bool:
        words = [] if line.is_cut else line.text.split()
        command, rest = (words[0], words[1:]) if words else ("", [])
        try:
            self._obey(command, rest, say)
        except (PlygroundError, Forfeit) as error:
            say("status " + " ".join(str(error).split()))
        return command != "quit"

    def thinks(self, line: Line) -> bool:
        return _first_word(line) in THINKING

    def stops(self, line: Line, later: Line | None) -> bool:
        if not self.thinks(line):
            return False
        word = "end of input" if later is None else _first_word(later)
        return word in ("ping", "quit") or (_first_word(line) == "hint" and bool(word))

    def close(self) -> None:
        super().close()
        self._thinker.close()

    def _obey(self, command: str, rest: list[str], say: Say) -> None:
        if command == "nboard":
            say(f"set myname {NAME}")
        elif command == "set":
            self._set(rest[0] if rest else "", " ".join(rest[1:]), say)
        elif command == "move" and rest:
            name, _, details = rest[0].partition("/")
            time_s = _read_seconds(details.partition("/")[2]) or 0.0
            self._change(self._game.after(name, time_s))
        elif _MOVE_ALONE.fullmatch(command) and not rest:  # as version 1 said it
            self._change(self._game.after(command))
        elif command == "hint":
            self._hint(rest[0] if rest else "1", say)
        elif command == "go":
            self._go(say)
        elif command == "ping":
            say(" ".join(["pong", *rest]))
        elif command == "learn":
            say("learned")  # there is no book to learn into
        elif command == "analyze":
            self._analyze(say)

    def _set(self, name: str, value: str, say: Say) -> None:
        if name == "depth" and _NUMBER.fullmatch(value) and int(value) > 0:
            self._thinker.limit_depth(min(int(value), MOST_PLIES))
            say(f"set myname {NAME}{int(value)}")
        elif name == "game":
            self._change(read_ggf(value))

    def _change(self, game: Game) -> None:
        known, self._game = self._game.position, game
        now = game.position
        if now.start != known.start or now.codes[: known.ply] != known.codes:
            self._thinker.player.begin()

    # -------------------------------------------------------------- thinking

    def _going_on(self) -> State:
        """The state to think about. Raises Unsupported where the game is over."""
        if self._game.position.is_over:
            raise Unsupported("the game is over")
        return self._game.state

    def _hint(self, most: str, say: Say) -> None:
        state = self._going_on()
        if not _NUMBER.fullmatch(most):
            raise MalformedText(f"hint {shorten(most)}: expected a number of moves")
        say(f"status {NAME} is analysing")
        started = time.monotonic()
        analyst = Analyst(self._thinker)
        for valued in analyst.values(state, min(max(1, int(most)), MOST_HINTS)):
            say(_search_line(state, valued))
            say(f"nodestats {valued.nodes} {time.monotonic() - started:.2f}")
        say("status")

    def _go(self, say: Say) -> None:
        state = self._going_on()
        say(f"status {NAME} is thinking")
        started = time.monotonic()
        turn = Turn(self._game.position, self._seed, self._game.time_for_move())
        choice = self._thinker.choose(turn)
        seconds = time.monotonic() - started
        if choice.score and choice.line:
            depth = depth_name(state, choice.score, choice.depth)
            say(_search_line(state, MoveValue(tuple(choice.line), choice.score, depth, 0)))
            say(f"nodestats {choice.nodes} {seconds:.2f}")
        value = f"{discs(choice.score):.2f}" if choice.score else ""
        say(f"=== {_name(state, choice.move)}/{value}/{seconds:.2f}")
        say("status")

    def _analyze(self, say: Say) -> None:
        """From the last position to the first: a good move is worth what came of it."""
        game = self._game
        say(f"status {NAME} is analysing")
        analyst, following = Analyst(self._thinker), 0.0
        played: int | None = None
        for position in reversed(game.position.path):
            value = self._value_for_black(analyst, position.state, played, following)
            if value is None:
                break
            say(f"analysis {position.ply} {value:.2f}")
            following, played = value, position.code
        say("status")

    def _value_for_black(
        self, analyst: Analyst, state: State, played: int | None, following: float
    ) -> float | None:
        if (result := OTHELLO.first_player_outcome(state)) is not None:
            return float(result)
        if [played] == OTHELLO.legal(state):
            return following
        *_, last = analyst.values(state, 1)
        if self.stopper.is_asked:
            return None
        if last.line[0] == played:
            return following
        return discs(last.score) * (1 if side(state) == FIRST else -1)


def _first_word(line: Line) -> str:
    return next(iter(line.text.split(maxsplit=1)), "")


def _search_line(state: State, valued: MoveValue) -> str:
    names = ""
    for move in valued.line:
        names += _name(state, move)
        state = play(state, move)
    return f"search {names} {discs(valued.score):+.2f} 0 {valued.depth}"


def _name(state: State, move: int) -> str:
    name = OTHELLO.format_move(state, move)
    return "PA" if is_pass(name) else name.upper()

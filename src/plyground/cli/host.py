"""Leads a game: asks people, waits for machines, obeys what is typed, saves the game.

What is seen is the screen's business (`screen.py`), the game itself the session's (`session.py`),
and how it is stored that of `storing.py`.
"""

from __future__ import annotations

import difflib
import os
import shlex
import sys
import threading
from collections.abc import Callable, Sequence

from rich.markup import escape
from rich.text import Text

from plyground.cli import saved_game
from plyground.cli.common import INTERRUPTED, now_s, out
from plyground.cli.course_trace import GameTrace
from plyground.cli.screen import Lines, Wait
from plyground.cli.session import Session
from plyground.cli.show import wrapped
from plyground.cli.storing import Storing
from plyground.core.errors import InputError, Unsupported, shorten
from plyground.drawing.terminal import draw, pieces, status_line, symbols_for
from plyground.games.position import join_moves
from plyground.games.spec import PLAYERS
from plyground.players.catalogue import Person
from plyground.players.spec import Choice, Forfeit, Turn

COMMANDS_IN_SHORT = "A move, or u undo, h hint, m moves, s FILE save, r resign, q quit, ? help."
HELP = """\
a move     in the game's own notation; between people also a list of moves
u, undo    go back to your last choice
h, hint    what a search of about a second would play
m, moves   the legal moves
s FILE     save the game to a file; also: save FILE
r, resign  give the game up
q, quit    leave; the game is kept, and plyground play --resume goes on with it"""
COMMANDS = {
    word: words.split()[1]
    for words in ("u undo", "h hint", "m moves", "s save", "r resign", "? help", "q quit exit")
    for word in words.split()
}
NEAR = 0.7  # how like a command a word must be to be taken for a slip
PATIENCE_S = 1.0  # with players that should end after an interrupt
MOST_EXPECTED = 8  # moves of a line that a hint shows
AT_ONCE_S = 0.1
RESUME = "plyground play --resume"


class Host:
    """One sitting: from the first position shown to the end, or until somebody leaves."""

    def __init__(
        self,
        session: Session,
        screen: Lines,
        delay_s: float,
        storing: Storing | None = None,
        trace: GameTrace | None = None,
    ) -> None:
        self.session, self.screen, self.delay_s = session, screen, delay_s
        self.storing, self.trace = storing, trace
        self.asked: Turn | None = None
        self.asked_s = 0.0
        self.is_saved = session.file is not None
        self.has_warned = False

    def run(self) -> None:
        """Play. Leaves the program with status 130 if interrupted."""
        session = self.session
        try:
            self._open()
            with self.screen.waiting("the players get ready"):
                session.begin()
            while not session.is_finished and self._step():
                pass
            self._close()
        except KeyboardInterrupt:
            self.screen.close()
            self._record()
            self._say_goodbye()
            _leave(INTERRUPTED, self._release)
        except InputError:
            self.screen.close()
            raise
        finally:
            self._release()

    # ------------------------------------------------------------------ one step

    def _step(self) -> bool:
        """One move or one answer at the prompt; False to leave."""
        session, position = self.session, self.session.position
        if (forced := position.implied_code) is not None:
            move = escape(position.write_move(forced))
            self._push(f"{position.side} has no move: {move}", forced)
            return True
        with self.screen.waiting(f"{position.side} is next"):
            session.watch()
        if isinstance(session.mover, Person):
            return self._ask_person()
        self._let_machine_move()
        return True

    def _push(self, line: str, *moves: int, time_s: float = 0.0) -> None:
        """Play moves of the side to move, and show them."""
        side = self.session.turn.side
        self.session.push(*moves, time_s=time_s)
        self._record()
        self.screen.did(side, line)
        self._show()

    def _let_machine_move(self) -> None:
        session, position = self.session, self.session.position
        try:
            with self.screen.waiting(f"{position.side} is thinking") as wait:
                choice = session.mover.choose(session.turn)
        except Forfeit as forfeit:
            session.forfeit(position.mover, str(forfeit))
            return
        self.screen.pause(max(0.0, self.delay_s - wait.time_s))
        if session.accept(choice, wait.time_s):
            self._record()
            move = escape(position.write_move(choice.move))
            line = f"{position.side} plays [bold]{move}[/]{_about(choice, wait)}"
            self.screen.did(position.mover, line)
            self._show()

    # ------------------------------------------------------------------ what is typed

    def _ask_person(self) -> bool:
        """One answer at the prompt; False to leave."""
        if self.asked is not self.session.turn:
            self.asked, self.asked_s = self.session.turn, now_s()
        position = self.session.position
        legal, sample = position.legal, position.game.sample
        sample = sample if sample in legal else legal[0]
        answer = self.screen.ask(f"{position.side}, your move (for example {sample}), ? for help: ")
        if answer is None:
            return False
        word, rest = [*answer.split(maxsplit=1), "", ""][:2]
        # A game may call a move h or q; its word goes first, and hint and quit still work.
        is_move = answer.strip().lower() in [text.lower() for text in legal]
        command = None if is_move else COMMANDS.get(word.lower())
        if command == "quit":
            return False
        if command == "save":
            self._save(rest.strip())
        elif command and not rest:
            actions: dict[str, Callable[[], None]] = {
                "undo": self._undo,
                "hint": self._hint,
                "moves": self._list_moves,
                "resign": self.session.resign,
                "help": lambda: self.screen.say(HELP),
            }
            actions[command]()
        elif answer.strip():
            self._try(answer)
        return True

    def _try(self, answer: str) -> None:
        session = self.session
        try:
            moves = session.game.parse_moves(session.position.state, answer)
            if len(moves) > 1 and session.people < len(session.players):
                raise Unsupported("one move at a time against a machine")
        except InputError as error:
            text = str(error).removeprefix(f"move 1, {answer.strip()!r}: ")
            word = answer.split()[0]
            near = difflib.get_close_matches(word.lower(), COMMANDS, 1, NEAR)
            if near:
                text = f"unknown command {shorten(word)!r}; did you mean {near[0]}?"
            self._complain(text)
            return
        self._push("", *moves, time_s=now_s() - self.asked_s)

    def _undo(self) -> None:
        if not self.session.undo():
            self._complain("there is nothing to take back")
            return
        self._record()
        for side in range(len(PLAYERS)):
            self.screen.did(side, "")
        self._show()

    def _hint(self) -> None:
        session = self.session
        with self.screen.waiting("looking for a hint"):
            choice = session.hint()
        expected = session.position.write_line(choice.line[:MOST_EXPECTED])
        known = ", ".join(_findings(choice)) or "the only move"
        line = f"hint: [bold]{escape(session.position.write_move(choice.move))}[/]  [dim]{known}[/]"
        if len(expected) > 1:
            line += f"\nexpected: {escape(join_moves(expected))}"
        self.screen.mark(self._board([choice.move]))
        self.screen.say(line)

    def _list_moves(self) -> None:
        self.screen.say(escape(wrapped("", self.session.position.legal, "; ")))

    def _save(self, name: str) -> None:
        if not name:
            self._complain("save to which file? Type s FILE")
            return
        try:
            path = saved_game.save_as(self.session.saved(), name)
        except InputError as error:
            self._complain(str(error))
        else:
            again = escape(shlex.join(["plyground", "play", "--from", str(path)]))
            self.screen.say(f"saved; go on with: {again}")

    def _complain(self, text: str) -> None:
        self.screen.say(f"[red]{escape(text)}[/]")

    # ------------------------------------------------------------------ recording

    def _record(self) -> None:
        """After every move; a game that cannot be recorded can still be played."""
        if self.storing and self.session.has_changed:
            self.storing.store(self.session.record())
            self._report_store(self.storing)
        self._save_file()
        if self.trace:
            self.trace.write(self.session.position)

    def _report_store(self, storing: Storing) -> None:
        self.session.uid = storing.uid
        while storing.news:
            self.screen.say(escape(storing.news.pop(0)))
        while storing.complaints:
            self._complain(f"this game cannot be stored: {storing.complaints.pop()}")

    def _wait_for_store(self, storing: Storing) -> None:
        """Nobody leaves with a move that is still on its way."""
        with self.screen.waiting("the game is being stored"):
            storing.wait()
        self._report_store(storing)
        self._save_file()  # if it has got another name meanwhile

    def _save_file(self) -> None:
        try:
            self.session.save()
            self.is_saved = self.session.file is not None
        except OSError as error:
            self.is_saved = False
            if not self.has_warned:
                where = f" ({error.filename})" if error.filename else ""
                self._complain(f"this game cannot be kept: {error.strerror}{where}")
            self.has_warned = True

    def _release(self) -> None:
        self.session.close()
        if self.storing:
            self.storing.close()

    def _say_goodbye(self) -> None:
        out.print(f"kept; go on with: {RESUME}" if self.is_saved else "Bye.")

    # ------------------------------------------------------------------ showing

    def _open(self) -> None:
        game, people = self.session.game, self.session.people
        shown = pieces(symbols_for(out), game.players)
        has_pieces = self.session.position.board.kind in ("grid", "columns")
        seats = []
        for side, name in enumerate(game.players):
            piece = f" {shown[side]}" if has_pieces and shown[side] != name else ""
            is_person = isinstance(self.session.players[side], Person)
            who = "you" if is_person and people == 1 else self.session.texts[side]
            seats.append(f"{name}{piece}: {escape(who)}")
        title = f"[bold]{escape(game.title)}[/]  {', '.join(seats)}"
        if Text.from_markup(title).cell_len > out.width:
            title = "\n".join([f"[bold]{escape(game.title)}[/]", *seats])
        commands = f"[dim]{COMMANDS_IN_SHORT}[/]" if people else ""
        self.screen.open(title, f"[dim]{escape(game.summary)}[/]", commands)
        self._show()

    def _show(self) -> None:
        session = self.session
        guides = () if session.is_finished else session.position.legal_codes
        self.screen.position(self._board(guides), self._status())

    def _board(self, guides: Sequence[int]) -> Text:
        """The board with some moves and the last one marked."""
        position, game = self.session.position, self.session.game
        cells = {cell for move in guides for cell in game.cells_of(position.state, move)}
        return draw(position.board, symbols_for(out), cells, position.last_cells, game.players)

    def _status(self) -> str:
        loss, names = self.session.loss, self.session.game.players
        if loss is None:
            return status_line(self.session.position)
        return f"[bold]{names[1 - loss.side]} wins[/]: {names[loss.side]} {escape(loss.reason)}"

    def _close(self) -> None:
        """The end of the game, or of the sitting."""
        session = self.session
        if session.loss:
            self._record()
            self._show()
        if self.storing:
            self._wait_for_store(self.storing)
        self.screen.close(join_moves(session.position.moves) if session.is_finished else "")
        for side, name in enumerate(session.game.players):
            hits, misses = session.pondered(side)
            if hits + misses:
                out.print(f"[dim]{name} pondered: hits {hits}, misses {misses}[/]")
        if not session.is_finished:
            self._say_goodbye()


def _findings(choice: Choice) -> list[str]:
    known = []
    if choice.score is not None:
        known.append(f"{choice.score}{' proven' if choice.score.kind == 'proven' else ''}")
    if choice.depth:
        known.append(f"depth {choice.depth}")
    if choice.nodes:
        known.append(f"{choice.nodes:,} nodes")
    return known


def _about(choice: Choice, wait: Wait) -> str:
    """What a machine reported about its move."""
    known, is_quick = _findings(choice), wait.time_s < AT_ONCE_S
    if choice.leaves:
        known.append(f"{choice.leaves:,} leaves")
    if choice.passes:
        known.append(f"{choice.passes:,} {'pass' if choice.passes == 1 else 'passes'}")
    if choice.pondered:
        known.append("answered at once (pondered)" if is_quick else "pondered")
    if known and not (choice.pondered and is_quick) and not wait.compiling:
        known.append(f"{wait.time_s:.2f} s")
    return f"  [dim]{', '.join(known)}[/]" if known else ""


def _leave(status: int, close: Callable[[], None]) -> None:
    """End the program after an interrupt, without waiting long for anything."""
    closing = threading.Thread(target=close, daemon=True)
    closing.start()
    closing.join(PATIENCE_S)
    if closing.is_alive():
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    raise SystemExit(status)

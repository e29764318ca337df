"""Pondering: while the opponent thinks, answer the replies it is expected to make.

For each expected reply, the likeliest first, the player inside answers in a thread of its own the
question that would follow that reply; so a reply that was expected is answered at once, and by the
very move that would have been chosen without pondering. An answer under way when its reply comes
is waited for; anything else under way is stopped and forgotten.

Source: Hernandez, Daza & Florez, "Alpha-Beta vs Scout Algorithms for the Othello Game", whose app
prepares an answer to one legal reply, picked at random; here every reply is tried in turn.
"""

from __future__ import annotations

import threading
from contextvars import copy_context
from dataclasses import replace

from plyground.games.rules import State
from plyground.kernel import Slab
from plyground.players.chance import Wrapper
from plyground.players.searching import SearchPlayer
from plyground.players.spec import Choice, Turn
from plyground.search.clock import STOP
from plyground.search.run import LOOK_UP_S

Question = tuple[State, tuple[int, ...], int, float | None]


def question(turn: Turn) -> Question:
    """All that an answer depends on, within one game."""
    return turn.position.start, turn.position.codes, turn.seed, turn.time_s


class Pondering(Wrapper):
    """A searching player that thinks while it waits."""

    then: SearchPlayer

    def __init__(self, then: SearchPlayer) -> None:
        super().__init__(then)
        self.hits = 0
        self.misses = 0
        self._last: Choice | None = None
        self._work: _Work | None = None

    def begin(self) -> None:
        self._end_work()
        self._last = None

    def choose(self, turn: Turn, stop: Slab | None = None) -> Choice:
        work, self._work = self._work, None
        found = work.answer(turn, stop) if work else None
        if work:
            self.hits += found is not None
            self.misses += found is None
        self._last = replace(found, pondered=True) if found else self.then.choose(turn, stop)
        return self._last

    def watch(self, turn: Turn) -> None:
        self._end_work()
        expected = self._last.line[1] if self._last and len(self._last.line) > 1 else None
        replies = sorted(turn.legal, key=lambda move: move != expected)
        turns = [turn.after(move) for move in replies]
        ours = [each for each in turns if not each.position.is_over and each.side != turn.side]
        self._work = _Work(self.then, ours)

    def close(self) -> None:
        self._end_work()
        super().close()

    def _end_work(self) -> None:
        work, self._work = self._work, None
        if work:
            work.finish(None, None)


class _Work:
    """Turns that may come, being answered one after the other."""

    def __init__(self, player: SearchPlayer, turns: list[Turn]) -> None:
        self.player, self.turns = player, turns
        self.answers: dict[Question, Choice] = {}
        self.at: Question | None = None
        self.stop = Slab(1)  # of the search under way; a time limit raises it as well
        self.is_last = self.is_cut = False
        self.lock = threading.Lock()
        run = copy_context().run  # in plain Python where its owner is
        self.thread = threading.Thread(target=run, args=(self._run,), name="pondering", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        for turn in self.turns:
            with self.lock:
                if self.is_last:
                    return
                self.at, self.stop = question(turn), Slab(1)
            try:
                choice = self.player.choose(turn, self.stop)
            except Exception:
                return  # it will come again, and be reported, if this turn comes
            with self.lock:
                if not self.is_cut:
                    self.answers[question(turn)] = choice

    def answer(self, turn: Turn, stop: Slab | None) -> Choice | None:
        """What was found for this turn; waits if it is being searched now, until told to stop."""
        self.finish(question(turn), stop)
        return self.answers.get(question(turn))

    def finish(self, wanted: Question | None, stop: Slab | None) -> None:
        """Begin nothing more, and stop what is under way unless it is wanted."""
        with self.lock:
            self.is_last = True
            if self.at != wanted:
                self.is_cut = True
                self.stop[STOP] = 1
        if stop is not None:  # pass it on to the search, whose answer is then what it has found
            while self.thread.is_alive() and not stop[STOP]:
                self.thread.join(LOOK_UP_S)
            self.stop[STOP] = 1
        self.thread.join()

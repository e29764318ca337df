"""The game under way: who plays, the moves so far, how it ended. Draws nothing and asks nobody.

What moves change is one `Played`, replaced as a whole, so that an interrupt at any moment leaves a
game that can be saved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from plyground.cli import saved_game
from plyground.cli.saved_game import SavedGame
from plyground.core.errors import Unsupported
from plyground.core.records import Ending, GameRecord, MoveRecord, points_for
from plyground.games.position import BasePosition
from plyground.games.spec import PLAYERS
from plyground.players.catalogue import (
    HUMAN,
    Person,
    canonical,
    code_tags,
    make_machine,
    make_player,
)
from plyground.players.hints import hint_player
from plyground.players.pondering import Pondering
from plyground.players.spec import Choice, Forfeit, Player, Turn
from plyground.public.position import Position


@dataclass(frozen=True)
class Loss:
    """A game that was lost other than on the board."""

    side: int
    ended: Ending
    why: str = ""

    @property
    def reason(self) -> str:
        """As the end of a sentence that begins with the side's name."""
        return "resigned" if self.ended == "resigned" else f"forfeits ({self.why})"


@dataclass(frozen=True)
class Played:
    """Where the game is, and what is known of the moves that led there."""

    turn: Turn
    records: tuple[MoveRecord, ...] = ()

    def after(self, choice: Choice, time_s: float = 0.0) -> Played:
        """What follows a move; one that nobody had to choose took no time."""
        record = self.turn.record(choice, time_s)
        return Played(self.turn.after(choice.move), (*self.records, record))


class Session:
    """A game between two players that are named by texts."""

    def __init__(self, begun: SavedGame, position: Position, file: Path | None = None) -> None:
        """The game as it was begun or left, the same as a position, and the file it is saved in."""
        self._begun, self.texts, self.game = begun, begun.players, position.game
        played = Played(Turn(position.path[0], begun.seed, begun.time_s))
        for code in position.codes:
            played = played.after(Choice(code))
        self.played = played
        self.loss: Loss | None = None
        self.file = file
        self.uid = begun.uid or ""
        """What it is called in every store."""
        first, second = (_seat(text, position) for text in self.texts)
        self.players: tuple[Player, Player] = (first, second)
        self._watched: Turn | None = None
        self._first_turn = self.turn
        self._last_saved = self.turn, self.uid

    # ------------------------------------------------------------------ asking

    @property
    def turn(self) -> Turn:
        return self.played.turn

    @property
    def position(self) -> BasePosition:
        return self.turn.position

    @property
    def mover(self) -> Player:
        return self.players[self.turn.side]

    @property
    def people(self) -> int:
        return sum(isinstance(player, Person) for player in self.players)

    @property
    def is_finished(self) -> bool:
        return self.loss is not None or self.position.is_over

    @property
    def has_changed(self) -> bool:
        """Whether anything has happened in this sitting."""
        return self.turn is not self._first_turn or self.loss is not None

    def hint(self) -> Choice:
        """What somebody who proves it, or a search of about a second, would play here."""
        player = make_machine(hint_player(self.position), self.game, self.position.start)
        return player.choose(Turn(self.position))

    def pondered(self, side: int) -> tuple[int, int]:
        """How many replies a player that ponders had expected, and how many not."""
        player: Player | None = self.players[side]
        while player is not None and not isinstance(player, Pondering):
            player = getattr(player, "then", None)
        return (player.hits, player.misses) if player else (0, 0)

    # ------------------------------------------------------------------ going on

    def begin(self) -> None:
        """Raises Unsupported if a player cannot, such as an engine that is not there."""
        for text, player in zip(self.texts, self.players, strict=True):
            try:
                player.begin()
            except Forfeit as forfeit:
                raise Unsupported(f"{text}: {forfeit}") from None

    def watch(self) -> None:
        """Let the player that waits think as well, once in each turn."""
        if self._watched is not self.turn:
            self._watched = self.turn
            self.players[1 - self.turn.side].watch(self.turn)

    def push(self, *moves: int, time_s: float = 0.0) -> None:
        """Play moves; the time was spent on the first of them."""
        played = self.played
        for move in moves:
            played, time_s = played.after(Choice(move), time_s), 0.0
        self.played = played

    def accept(self, choice: Choice, time_s: float = 0.0) -> bool:
        """Play what a machine answered; an illegal answer loses the game."""
        if choice.move in self.turn.legal:
            self.played = self.played.after(choice, time_s)
            return True
        self.loss = Loss(self.turn.side, "illegal move", self.turn.refusal(choice))
        return False

    def undo(self) -> bool:
        """Back to the last position in which a person had a choice; False if there is none."""
        before = self.position.parent
        while before is not None:
            if isinstance(self.players[before.mover], Person) and before.implied_code is None:
                turn = replace(self.turn, position=before)
                self.played = Played(turn, self.played.records[: before.ply])
                return True
            before = before.parent
        return False

    def resign(self) -> None:
        self.loss = Loss(self.turn.side, "resigned", "resigned")

    def forfeit(self, side: int, why: str) -> None:
        self.loss = Loss(side, "forfeit", why)

    def close(self) -> None:
        for player in self.players:
            player.close()

    # ------------------------------------------------------------------ written down

    def record(self) -> GameRecord:
        """The game as it is now, with all that is known of its moves."""
        first, second = (str(canonical(text)) for text in self.texts)
        points, ended, reason = self._end()
        return GameRecord(
            self.game.name,
            (first, second),
            self.played.records,
            points,
            self.position.score,
            ended,
            reason,
            settings=dict(self.position.settings),
            position=self.position.start_text,
            seed=self.turn.seed,
            tags=code_tags(self.game, self.position.start, self.texts),
        )

    def _end(self) -> tuple[float | None, Ending, str]:
        """The points of the first player, how the game ended, and why it was lost."""
        if self.loss:
            side = self.loss.side
            return float(side), self.loss.ended, f"{PLAYERS[side]} player: {self.loss.why}"
        score = self.position.score
        if score is None:
            return None, "unfinished", ""
        return points_for(score), "over", ""

    def saved(self) -> SavedGame:
        """What it takes to resume the game."""
        resigned = self.loss.side if self.loss and self.loss.ended == "resigned" else None
        return replace(
            self._begun,
            moves=self.position.moves,
            resigned=None if resigned is None else PLAYERS[resigned],
            uid=self.uid or None,
            seal="",
        ).sealed()

    def save(self) -> None:
        """Write the game down; a finished one needs no file any more. Raises OSError."""
        turn, uid = self._last_saved
        is_saved = turn is self.turn and uid == self.uid and self.loss is None
        if is_saved or (self.file is None and self.is_finished):
            return
        file = self.file or saved_game.new_file()
        saved_game.write(self.saved(), file)
        self.file, self._last_saved = file, (self.turn, self.uid)
        if self.is_finished:
            self.file.unlink(missing_ok=True)
            self.file = None


def _seat(text: str, position: Position) -> Player:
    """People may sit at the board, but not inside another player."""
    make = make_player if canonical(text).name == HUMAN else make_machine
    return make(text, position.game, position.start)

"""What pages send: models that bound every size, so that no request can ask for too much.

What names mean is checked where they are used.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from plyground import extensions
from plyground.analysis.simulations import MOST_SIMULATIONS, Simulations
from plyground.analysis.traces import MOST_DEPTH, ROOM, TraceRequest
from plyground.core.errors import InputError, Unsupported
from plyground.games.catalogue import demand_known, find_game
from plyground.games.position import BasePosition
from plyground.players.catalogue import canonical, find_kind
from plyground.players.options import read_options
from plyground.players.text import PlayerText
from plyground.web.recent import Recent

MOST_RECENT = 500  # positions that are remembered
MOST_MOVES = 2000
MOST_TEXT = 100_000
MOST_MEMORY = 256 * 2**20  # of one search's table
MOST_THREADS = 4

Name = Annotated[str, Field(min_length=1, max_length=60)]
MoveText = Annotated[str, Field(min_length=1, max_length=40)]
PlayerName = Annotated[str, Field(min_length=1, max_length=300)]
EvaluatorName = PlayerName  # it may have weights
Setting = bool | int | float | Annotated[str, Field(max_length=400)]  # a tree written out


class Wire(BaseModel):
    """Refuses what it does not know."""

    model_config = ConfigDict(extra="forbid")


_positions = Recent[BasePosition](MOST_RECENT)  # a page asks about its game after every move


class LineIn(Wire):
    """A game, where it began, and its moves so far."""

    game: Name
    settings: Annotated[dict[Name, Setting], Field(max_length=20)] = {}
    position: Annotated[str, Field(max_length=2000)] | None = None
    moves: Annotated[list[MoveText], Field(max_length=MOST_MOVES)] = []

    def read(self) -> BasePosition:
        """The position after the moves, from that before the last if it is known.

        Raises InputError.
        """
        extensions.refresh()
        demand_known(self.game)
        start, moves = self.position or None, tuple(self.moves)
        head = self.game, repr(sorted(self.settings.items())), start
        before = _positions.find((*head, moves[:-1])) if moves else None
        found = None
        # A user's game may have been loaded anew since.
        if before is not None and before.game is find_game(self.game):
            with contextlib.suppress(InputError):  # reading the whole line says which move it is
                found = before.play(moves[-1])
        found = found or BasePosition.begin(self.game, self.settings, start, moves)
        return _positions.store((*head, moves), found)


@contextlib.contextmanager
def at_field(field: str) -> Iterator[None]:
    """Whatever is refused inside is about this field."""
    try:
        yield
    except InputError as error:
        raise error.at(field) from None


def plain_number(number: float) -> str:
    """Without an exponent, which commands do not read."""
    return f"{number:.9f}".rstrip("0").rstrip(".")


def demand_harmless(player: str | PlayerText) -> None:
    """Raise InputError for what is no player, runs a program, or takes more than its share."""
    text = canonical(player)
    kind = find_kind(text.name)
    if kind.group == "engine":
        raise Unsupported(
            f"{kind.name} runs a program, which no page may ask for; "
            "`plyground play` and `plyground match` can"
        )
    values = read_options(text, kind.options, {})
    if values.get("memory", 0) > MOST_MEMORY:
        raise Unsupported(f"memory: a page may ask for {MOST_MEMORY >> 20} MB at most")
    if values.get("threads", 1) > MOST_THREADS:
        raise Unsupported(f"threads: a page may ask for {MOST_THREADS} at most")
    if isinstance(inside := values.get("then"), PlayerText):
        demand_harmless(inside)


class PasteIn(Wire):
    """Whatever a person pasted."""

    text: Annotated[str, Field(max_length=MOST_TEXT)]
    game: Name | None = None
    """The game on the page, which goes first where a text can be several things."""


class ExplainIn(LineIn):
    """A position to be explained by an evaluator."""

    evaluator: EvaluatorName | None = None


class TraceIn(Wire):
    """A search whose tree is to be seen."""

    algorithm: Name = "alphabeta"
    depth: Annotated[int, Field(ge=1, le=MOST_DEPTH)] = 4
    evaluator: EvaluatorName | None = None
    order: Name = "natural"
    table: bool = True
    room: Annotated[int, Field(ge=100, le=2 * ROOM)] = ROOM

    def read(self, position: BasePosition) -> TraceRequest:
        return TraceRequest(
            position, self.algorithm, self.depth, self.evaluator, self.order, self.table, self.room
        )


class SimulationsIn(Wire):
    """Simulations whose tree is to be seen."""

    count: Annotated[int, Field(ge=1, le=MOST_SIMULATIONS)] = 500
    evaluator: EvaluatorName | None = None
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 1

    def read(self, position: BasePosition) -> Simulations:
        return Simulations(position, self.count, self.evaluator, self.seed)


class Start(Wire):
    """A search that a page asks for."""

    type: Literal["start"]
    job: Annotated[int, Field(ge=0, le=2**53)]
    kind: Literal["analysis", "move", "hint", "trace", "proof", "simulations"] = "analysis"
    line: LineIn
    evaluator: EvaluatorName | None = None
    player: PlayerName | None = None
    """Who is to move, for a move."""
    trace: TraceIn = TraceIn()
    """The search, for a trace or a proof."""
    node: Annotated[int, Field(ge=0, le=2**31)] = 0
    """Whose cut moves are to be searched, for a proof."""
    simulations: SimulationsIn = SimulationsIn()
    depth: Annotated[int, Field(ge=1, le=60)] = 60
    time_s: Annotated[float, Field(gt=0, le=600)] = 60.0
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0


class Stop(Wire):
    """The end of a search."""

    type: Literal["stop"]
    job: Annotated[int, Field(ge=0, le=2**53)]


class Ping(Wire):
    """A sign of life."""

    type: Literal["ping"]


Message = Annotated[Start | Stop | Ping, Field(discriminator="type")]

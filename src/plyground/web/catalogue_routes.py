"""What there is: games, players, evaluators and formats, as a page's menus need them.

Answers are read from the records of the catalogues; a shape lists the fields that are sent.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from plyground import __version__, extensions
from plyground.analysis.traces import BLIND
from plyground.core.errors import blame
from plyground.evaluation.catalogue import default_evaluator, suitable
from plyground.formats.catalogue import formats
from plyground.games.catalogue import games, register
from plyground.games.spec import GameSpec, Parameter, Value
from plyground.players.catalogue import PlayerKind, player_kinds
from plyground.players.levels import SUMMARIES, levels_of
from plyground.search.catalogue import algorithms
from plyground.search.setup import ORDERS
from plyground.web.answers import REFUSALS, Answer

router = APIRouter(prefix="/api", tags=["catalogue"], responses={403: REFUSALS[403]})


class About(Answer):
    program: str = "Plyground"
    version: str = __version__


class Entry(Answer, extra="ignore"):
    """Some fields of a record: the others are code, or of no use to a page."""

    name: str
    summary: str


class EvaluatorInfo(Entry):
    scale: str


class AlgorithmInfo(Entry):
    paper: str
    uses_table: bool
    equals_minimax: bool
    traced: bool


class AlgorithmsInfo(Answer):
    algorithms: list[AlgorithmInfo]
    orders: list[str]


class LevelInfo(Entry):
    player: str


class ReadyInfo(Answer):
    """A position worth looking at."""

    title: str
    settings: dict[str, Value]
    position: str | None
    moves: list[str]


class GameInfo(Entry):
    aliases: list[str]
    title: str
    players: tuple[str, str]
    sample: str
    board: str
    parameters: list[Parameter]
    presets: dict[str, dict[str, Value]]
    evaluators: list[EvaluatorInfo]
    levels: list[LevelInfo]
    ready_positions: list[ReadyInfo]


class OptionInfo(Answer):
    name: str
    help: str


class PlayerInfo(Entry):
    group: str
    options: list[OptionInfo]


class FormatInfo(Entry):
    games: list[str]
    suffixes: list[str]
    can_write: bool


@router.get("/about", summary="The program")
async def about() -> About:
    """The program and its version; pages ask for it to see whether the server is there."""
    return About()


@router.get("/games", summary="All games", response_model=list[GameInfo])
def list_games() -> list[dict[str, Any]]:
    """All games, with their parameters, evaluators and levels; a user's that fails is left out."""
    extensions.refresh()
    found = []
    for game in games().values():
        try:
            found.append(_game(game))
        except Exception as error:
            if (origin := register.origin(game)) is None:
                raise
            extensions.say(f"{origin.label}: {blame(error)}")
    return found


@router.get("/players", summary="All kinds of players", response_model=list[PlayerInfo])
def list_players() -> list[PlayerKind]:
    """All kinds of players that a page may ask for, with what can be set for each."""
    return [kind for kind in player_kinds().values() if kind.group != "engine"]


@router.get("/algorithms", summary="All algorithms", response_model=AlgorithmsInfo)
def list_algorithms() -> dict[str, Any]:
    """All algorithms, which of them can be looked into, and the orders of moves."""
    found = [vars(each) | {"traced": each.call not in BLIND} for each in algorithms().values()]
    return {"algorithms": found, "orders": list(ORDERS)}


@router.get("/formats", summary="All formats", response_model=list[FormatInfo])
def list_formats() -> list[dict[str, Any]]:
    """All formats that games and positions can be read from or written in."""
    return [vars(each) | {"can_write": each.write is not None} for each in formats().values()]


def _game(game: GameSpec) -> dict[str, Any]:
    start = game.initial()
    usual = default_evaluator(start).name
    return vars(game) | {
        "board": game.board_of(start).kind,
        "evaluators": sorted(suitable(start), key=lambda each: each.name != usual),
        "levels": [
            {"name": name, "summary": SUMMARIES.get(name, text), "player": text}
            for name, text in levels_of(game).items()
        ],
        "ready_positions": [
            vars(each) | {"moves": game.split_moves(each.moves)} for each in game.ready_positions
        ],
    }

"""What there is: games, players, evaluators and formats, as a page's menus need them."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from plyground import __version__
from plyground.analysis.traces import BLIND
from plyground.evaluation.catalogue import find_evaluator, suitable
from plyground.formats.catalogue import formats
from plyground.games.catalogue import games
from plyground.games.spec import GameSpec
from plyground.players.catalogue import player_kinds
from plyground.players.levels import SUMMARIES, level_text, names_for
from plyground.search.catalogue import ALGORITHMS
from plyground.search.setup import ORDERS
from plyground.web.answers import (
    REFUSALS,
    About,
    AlgorithmsInfo,
    FormatInfo,
    GameInfo,
    PlayerInfo,
)

router = APIRouter(prefix="/api", tags=["catalogue"], responses={403: REFUSALS[403]})


@router.get("/about", summary="The program", response_model=About)
async def about() -> dict[str, Any]:
    """The program and its version; pages ask for it to see whether the server is there."""
    return {"program": "Plyground", "version": __version__}


@router.get("/games", summary="All games", response_model=list[GameInfo])
def list_games() -> list[dict[str, Any]]:
    """All games, with their parameters, evaluators and levels."""
    return [_game(game) for game in games().values()]


@router.get("/players", summary="All kinds of players", response_model=list[PlayerInfo])
def list_players() -> list[dict[str, Any]]:
    """All kinds of players that a page may ask for, with what can be set for each."""
    return [
        {
            "name": kind.name,
            "group": kind.group,
            "summary": kind.summary,
            "options": [{"name": each.name, "help": each.help} for each in kind.options],
        }
        for kind in player_kinds().values()
        if kind.group != "engine"
    ]


@router.get("/algorithms", summary="All algorithms", response_model=AlgorithmsInfo)
def list_algorithms() -> dict[str, Any]:
    """All algorithms, which of them can be looked into, and the orders of moves."""
    return {
        "algorithms": [
            {
                "name": each.name,
                "summary": each.summary,
                "paper": each.paper,
                "uses_table": each.uses_table,
                "equals_minimax": each.equals_minimax,
                "traced": each.call not in BLIND,
            }
            for each in ALGORITHMS
        ],
        "orders": list(ORDERS),
    }


@router.get("/formats", summary="All formats", response_model=list[FormatInfo])
def list_formats() -> list[dict[str, Any]]:
    """All formats that games and positions can be read from or written in."""
    return [
        {
            "name": each.name,
            "summary": each.summary,
            "games": list(each.games),
            "suffixes": list(each.suffixes),
            "can_write": each.write is not None,
        }
        for each in formats().values()
    ]


def _game(game: GameSpec) -> dict[str, Any]:
    start = game.initial()
    usual = find_evaluator(None, start).name
    return {
        "name": game.name,
        "aliases": list(game.aliases),
        "title": game.title,
        "summary": game.summary,
        "players": list(game.players),
        "sample": game.sample,
        "board": game.board_of(start).kind,
        "parameters": [
            {
                "name": each.name,
                "default": each.default,
                "help": each.help,
                "choices": list(each.choices),
                "low": each.low,
                "high": each.high,
            }
            for each in game.parameters
        ],
        "presets": {name: dict(values) for name, values in game.presets.items()},
        "evaluators": [
            {"name": each.name, "summary": each.summary, "scale": each.scale}
            for each in sorted(suitable(start), key=lambda each: each.name != usual)
        ],
        "levels": [
            {"name": name, "summary": SUMMARIES[name], "player": level_text(name, game.name)}
            for name in names_for(game.name)
        ],
        "ready_positions": [
            {
                "title": each.title,
                "settings": dict(each.settings),
                "position": each.position,
                "moves": game.split_moves(each.moves),
            }
            for each in game.ready_positions
        ],
    }

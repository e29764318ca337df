"""Looking at the games of a store: how many there are, which, one of them, and what was played."""

from __future__ import annotations

import json as json_text
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any

import typer

from plyground.cli import options
from plyground.cli import store_filter as filters
from plyground.cli.common import load, out, print_json, print_plain
from plyground.cli.listing import counted, print_rows, printable
from plyground.cli.show import print_board
from plyground.core.errors import PlygroundError
from plyground.core.records import GameRecord, MoveRecord
from plyground.drawing.terminal import status_line
from plyground.extensions import used_since
from plyground.games.position import join_moves
from plyground.players.catalogue import CODE
from plyground.public.records import RecordedGame
from plyground.public.stored import Store as PublicStore
from plyground.store.openings import opening_of
from plyground.store.queries import EVERYTHING, RESULTS, Filter
from plyground.store.rows import StoredGame, is_annotated
from plyground.store.store import Store

SHOWN = 20  # games in a list, if nothing is said
SHARES = ("first", "draw", "second")
LISTED = ("number", "game", "date", "first", "second", "result", "moves", "event")
NUMBERS, NAMES = ("number", "moves"), ("first", "second", "event")

# ------------------------------------------------------------------ stats


def stats(
    game: filters.Game = None,
    player: filters.Player = None,
    result: filters.Result = None,
    since: filters.Since = None,
    until: filters.Until = None,
    event: filters.Event = None,
    store: options.Store = None,
    json: options.Json = False,
) -> None:
    """Count what is stored."""
    with filters.open_store(store) as opened:
        which = filters.make_filter(opened, game, player, result, since, until, event)
        whole = opened.stats()
        results = {name: _by_result(opened, which, name) for name in whole.games}
        results = {name: counts for name, counts in results.items() if any(counts.values())}
        nothing = "" if results else filters.why_none(opened, which)
        address = opened.address
    games = {name: sum(counts.values()) for name, counts in results.items()}
    facts = {k: v for k, v in vars(whole).items() if k != "games"} if which == EVERYTHING else {}
    if json:
        print_json({"store": address, "games": games, "results": results} | facts)
        return
    out.print(address, style="bold", markup=False, soft_wrap=True)
    if nothing:
        out.print(nothing)
        return
    titles = ("game", "games", "first won", "drawn", "second won", "unfinished")
    rows = [_stats_row(name, counts) for name, counts in sorted(results.items())]
    print_rows(titles, rows, right=titles[1:])
    if facts:
        counts = (
            counted(facts[f"{each}s"], each) for each in ("move", "position", "player", "event")
        )
        out.print(", ".join(counts), style="dim")


def _by_result(store: Store, which: Filter, game: str) -> dict[str, int]:
    """How many games of the kind ended how."""
    if which.game not in (None, game):
        return {}
    wanted = RESULTS if which.result is None else (which.result,)
    return {each: store.count(replace(which, game=game, result=each)) for each in wanted}


def _stats_row(game: str, counts: Mapping[str, int]) -> list[str]:
    finished = sum(counts.get(name, 0) for name in SHARES)
    shares = (f"{counts.get(name, 0) / finished:.1%}" if finished else "" for name in SHARES)
    return [game, f"{sum(counts.values()):,}", *shares, f"{counts.get('unfinished', 0):,}"]


# ------------------------------------------------------------------ games


def games(
    game: filters.Game = None,
    player: filters.Player = None,
    result: filters.Result = None,
    since: filters.Since = None,
    until: filters.Until = None,
    event: filters.Event = None,
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, max=filters.MOST, help="At most so many.")
    ] = SHOWN,
    store: options.Store = None,
    json: options.Json = False,
) -> None:
    """List games, the newest first."""
    with filters.open_store(store) as opened:
        which = filters.make_filter(opened, game, player, result, since, until, event)
        total = opened.count(which)
        nothing = "" if total else filters.why_none(opened, which)
        if json:
            _print_list(_as_data(each) for each in opened.games(which, limit))
            return
        rows = [_listed(each) for each in opened.games(which, limit)]
    if nothing:
        out.print(nothing)
        return
    print_rows(LISTED, rows, NUMBERS, NAMES)
    out.print(
        f"{len(rows):,} of {total:,} games; `plyground store show NUMBER` shows one", style="dim"
    )


def _as_data(stored: StoredGame) -> dict[str, Any]:
    data = {"number": stored.id, **stored.record.as_data()}
    return data | ({"problem": stored.problem} if stored.problem else {})


def _print_list(items: Iterable[dict[str, Any]]) -> None:
    """A list in JSON, of which not everything is in memory at once."""
    between = "["
    for item in items:
        sys.stdout.write(between + json_text.dumps(item, ensure_ascii=False))
        between = ", "
    sys.stdout.write("[]\n" if between == "[" else "]\n")


def _listed(stored: StoredGame) -> list[str]:
    record = stored.record
    return [
        str(stored.id),
        printable(record.game),
        printable(record.date[:10]),
        printable(record.players[0]),
        printable(record.players[1]),
        "damaged" if stored.problem else result_text(record),
        str(len(record.moves)),
        printable(record.event),
    ]


def result_text(record: GameRecord) -> str:
    """`1-0 (+12)`, with the score where a game has margins."""
    if record.points is None:
        return "unfinished"
    word = {1.0: "1-0", 0.5: "½-½", 0.0: "0-1"}[record.points]
    if not out.encoding.lower().startswith("utf"):
        word = word.replace("½", "1/2")
    margin = f" ({record.outcome:+d})" if record.outcome and abs(record.outcome) > 1 else ""
    return word + margin + ("" if record.ended == "over" else f" {record.ended}")


# ------------------------------------------------------------------ one game


def show(
    number: Annotated[int, typer.Argument(min=1, max=filters.MOST, help="A game's number.")],
    store: options.Store = None,
    json: options.Json = False,
) -> None:
    """Show a game: its moves, what is known of them, and its last position."""
    with filters.open_store(store) as opened:
        stored = opened.game(number)
    record = stored.record
    if json:
        print_json(_as_data(stored))
        return
    first, second = (printable(name) or "?" for name in record.players)
    out.print(record.game, style="bold", end="  ", markup=False)
    print_plain(f"{first} - {second}  {result_text(record)}")
    settings = " ".join(f"{name}={value}" for name, value in record.settings.items())
    opening, code = opening_of(record) or "", used_since(record.tags.get(CODE, ""))
    about = (record.date, record.event, settings, opening, record.reason, code)
    if text := "  ".join(printable(part) for part in about if part):
        out.print(text, style="dim", markup=False, soft_wrap=True)
    if record.position is not None:
        print_plain(f"from {printable(record.position)}")
    if any(is_annotated(move) for move in record.moves):
        _print_told(record.moves)
    else:
        out.print(join_moves(printable(move.move) for move in record.moves), markup=False)
    _print_last_position(record)


def _print_told(moves: Sequence[MoveRecord]) -> None:
    """A line for each move, with the columns in which there is anything."""
    rows = [
        {
            "ply": str(ply),
            "move": ("" if move.side == 0 else "  ") + printable(move.move),
            "score": str(move.score or ""),
            "depth": str(move.depth or ""),
            "nodes": f"{move.nodes:,}" if move.nodes else "",
            "s": f"{move.time_s:.2f}" if move.time_s else "",
        }
        for ply, move in enumerate(moves, start=1)
    ]
    used = [name for name in rows[0] if any(row[name] for row in rows)]
    numbers = [name for name in used if name != "move"]
    print_rows(used, [[row[name] for name in used] for row in rows], right=numbers)


def _print_last_position(record: GameRecord) -> None:
    try:
        position = RecordedGame(record).position
    except PlygroundError as error:  # a user's own game, or one of other rules
        out.print(f"the board cannot be shown: {error}", style="dim", markup=False)
        return
    print_board(position)
    out.print(status_line(position))


# ------------------------------------------------------------------ a position


def explore(
    game: options.Game,
    position: options.Position = None,
    moves: options.Moves = None,
    set_: options.Settings = None,
    limit: Annotated[
        int, typer.Option("--games", min=0, max=filters.MOST, help="Games to list as well.")
    ] = 5,
    store: options.Store = None,
    json: options.Json = False,
) -> None:
    """Show what was played from a position, in all games that reached it from any side."""
    loaded = load(game, set_, position, moves)
    with filters.open_store(store) as opened:
        found = PublicStore(opened).explore(loaded)
        examples = opened.games_with(loaded.state, limit) if limit else []
    if json:
        print_json({"moves": found, "games": [_as_data(each) for each in examples]})
        return
    if not found:
        out.print("no game in the store reached this position")
        return
    first, second = loaded.game.players
    titles = ("move", "games", first, "drawn", second)
    rows = []
    for each in found:
        shares = [f"{each[part] / each['games']:.1%}" for part in ("wins", "draws", "losses")]
        rows.append([", ".join(each["moves"]) or "(the end)", f"{each['games']:,}", *shares])
    print_rows(titles, rows, right=titles[1:])
    if examples:
        out.print()
        print_rows(LISTED, [_listed(stored) for stored in examples], NUMBERS, NAMES)

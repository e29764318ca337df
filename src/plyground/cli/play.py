"""`plyground play`: a game in the terminal, between people and machines in any combination."""

from __future__ import annotations

import contextlib
import io
import os
import secrets
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from plyground.cli import menu, options, saved_game
from plyground.cli.common import load, out
from plyground.cli.course_trace import GameTrace
from plyground.cli.host import Host
from plyground.cli.lazy import use_files
from plyground.cli.saved_game import SavedGame
from plyground.cli.screen import Lines, Page
from plyground.cli.session import Session
from plyground.cli.storing import Storing
from plyground.core.errors import Unsupported, shorten
from plyground.core.naming import is_named
from plyground.core.quantities import read_seconds
from plyground.games import catalogue
from plyground.games.spec import PLAYERS
from plyground.players.catalogue import HUMAN, canonical, name_engines
from plyground.public.position import Position

WATCHING_DELAY_S = 0.5
UID_BYTES = 16  # of the name that a game has in every store


def play(
    game: Annotated[
        str | None, typer.Argument(help="A game's name, or a path to a Python file.")
    ] = None,
    first: Annotated[
        str | None,
        typer.Option(metavar="PLAYER", help="human if not given; see plyground players."),
    ] = None,
    second: Annotated[
        str | None, typer.Option(metavar="PLAYER", help="medium if not given.")
    ] = None,
    time: Annotated[
        str | None, typer.Option(metavar="T", help="For a machine's move, as in 5s.")
    ] = None,
    delay: Annotated[
        str | None, typer.Option(metavar="T", help="Between machines' moves; 0 is none.")
    ] = None,
    seed: options.Seed = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the last game that was not finished.")
    ] = False,
    from_: Annotated[
        str | None,
        typer.Option("--from", metavar="FILE", help="Go on with a game in any format."),
    ] = None,
    position: options.Position = None,
    moves: options.Moves = None,
    set_: options.Settings = None,
    store: options.Store = None,
    no_store: options.NoStore = False,
    trace: options.Trace = None,
) -> None:
    """Play in the terminal: people, levels, searches and engines, in any combination."""
    if game is not None and catalogue.is_code(game):
        use_files([game])  # players may be in it
    for player in (first, second):
        if player is not None:
            canonical(player)  # complains now, not after the questions
            name_engines(player)
    time_s = None if time is None else read_seconds(time, "--time")
    delay_s = None if delay is None else _read_delay(delay)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # what is no text is no move either
    if resume or from_ is not None:
        given = (position, moves, set_, seed)
        is_other = game is not None and not catalogue.is_code(game)
        if is_other or any(each is not None for each in given) or (resume and from_ is not None):
            raise Unsupported(
                "--resume and --from go on with a game as it is; give nothing else of it"
            )
        session = (
            _resumed(saved_game.last_unfinished(), first, second, time_s)
            if from_ is None
            else _from_file(from_, first, second, time_s, game)
        )
        _lead(session, delay_s, store, no_store, trace)
        return
    if game is None:
        if not sys.stdin.isatty():
            raise Unsupported(f"which game? Give its name: {', '.join(catalogue.games())}")
        game = menu.choose_game()
        if game is None:
            last = saved_game.last_unfinished()
            _lead(_resumed(last, first, second, time_s), delay_s, store, no_store, trace)
            return
        if first is None and second is None:
            second = menu.choose_opponent(catalogue.name_game(game))
            name_engines(second)
    loaded = load(game, set_, position, moves)
    _lead(_begun(loaded, game, first, second, time_s, seed), delay_s, store, no_store, trace)


def _read_delay(text: str) -> float:
    return 0.0 if text.strip() in ("0", "0s") else read_seconds(text, "--delay")


def _begun(
    loaded: Position,
    game: str,
    first: str | None,
    second: str | None,
    time_s: float | None,
    seed: int | None = None,
) -> Session:
    """A game that begins in a position."""
    begun = SavedGame(
        saved_game.lasting_name(game, loaded.game),
        dict(loaded.settings),
        loaded.start_text,
        loaded.moves,
        (first or HUMAN, second or menu.DEFAULT_LEVEL),
        secrets.randbelow(options.MOST_SEED) if seed is None else seed,
        time_s,
        uid=secrets.token_hex(UID_BYTES),
    )
    return Session(begun, loaded)


def _from_file(
    name: str, first: str | None, second: str | None, time_s: float | None, code: str | None
) -> Session:
    """A game that a person saved, or one in a file of any other format."""
    path = saved_game.named_file(name)
    if os.path.exists(path):
        with contextlib.suppress(saved_game.NotSaved):
            saved = _resumed(path, first, second, time_s, code)
            saved.file = None  # what a person saved stays
            return saved
    from plyground.cli.position_file import position_in  # which knows all formats

    loaded = position_in(str(path), catalogue.name_game(code) if code else None)
    if loaded.is_over:
        raise saved_game.Finished(f"{saved_game.shown(path)}: {saved_game.NOTHING_LEFT}")
    return _begun(loaded, code or loaded.game.name, first, second, time_s)


def _resumed(
    path: Path | None,
    first: str | None,
    second: str | None,
    time_s: float | None,
    code: str | None = None,
) -> Session:
    """A game that was left; players and time may be others from now on."""
    if path is None:
        raise Unsupported("there is no unfinished game to go on with; see `plyground play --help`")
    saved, loaded = saved_game.read_and_restore(path, code)
    texts = (first or saved.players[0], second or saved.players[1])
    for seat, text in zip(PLAYERS, texts, strict=True):
        for command in saved_game.engines_in(text):
            if not is_named("engine", command):
                raise Unsupported(
                    f"{saved_game.shown(path)}: its {seat} player is the engine "
                    f"{shorten(command)!r}, which runs only if you name it yourself: "
                    f"--{seat} {saved_game.shown(shlex.quote(text))}"
                )
    uid = saved.uid or secrets.token_hex(UID_BYTES)
    begun = replace(saved, players=texts, time_s=time_s or saved.time_s, uid=uid)
    return Session(begun, loaded, path)


def _lead(
    session: Session, delay_s: float | None, store: str | None, no_store: bool, trace: Path | None
) -> None:
    told = None if trace is None else GameTrace(trace, session.game, session.players)
    is_page = _can_redraw() and (not session.people or sys.stdin.isatty())
    screen = Page() if is_page else Lines()
    if delay_s is None:
        delay_s = WATCHING_DELAY_S if is_page and not session.people else 0.0
    storing = None
    if not no_store:
        # A game's own file tells where it stands; one that a person saved, where it once stood.
        is_own_file = session.file is not None
        storing = Storing(store, session.uid, session.record(), is_own_file, bool(session.people))
    Host(session, screen, delay_s, storing, told).run()


def _can_redraw() -> bool:
    """Whether there is a window; colours may be forced where there is none."""
    return sys.stdout.isatty() and not out.is_dumb_terminal and not out.legacy_windows

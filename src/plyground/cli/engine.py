"""`plyground engine`: Plyground inside a graphical program, by a protocol of lines of text.

Standard output belongs to the protocol: whatever else is printed, by a game's file for instance,
goes where errors go.
"""

from __future__ import annotations

import contextlib
import io
import os
import select
import sys
from collections.abc import Callable
from typing import Annotated, TextIO

import typer

from plyground.cli import options
from plyground.cli.common import INTERRUPTED, compiling_shown, load
from plyground.core.errors import Unsupported, unknown
from plyground.games.othello import GAME as OTHELLO
from plyground.players.catalogue import name_engines
from plyground.protocols.conversation import Conversation, Engine, Read, Say
from plyground.protocols.gtp_engine import GtpEngine
from plyground.protocols.nboard_engine import NboardEngine
from plyground.public.position import Position

PROTOCOLS = ("gtp", "nboard")


def engine(
    protocol: Annotated[str, typer.Option(metavar="gtp|nboard", help="To speak.")],
    player: Annotated[
        str | None,
        typer.Option(
            metavar="PLAYER", help="Who thinks; if not given, expert with all the time it gets."
        ),
    ] = None,
    game: Annotated[
        str, typer.Option("--game", "-g", help="A game's name, or a path; nboard has only othello.")
    ] = OTHELLO.name,
    set_: options.Settings = None,
    seed: options.Seed = None,
) -> None:
    """Be an engine for GoGui, NBoard and other graphical programs."""
    output = sys.stdout
    with contextlib.redirect_stdout(sys.stderr), compiling_shown():
        loaded = load(game, set_)
        if player is not None:
            name_engines(player)
        made = _make(protocol.strip().lower(), player, loaded, seed)
        conversation = Conversation(made, _reader(), _sayer(output), _until_unheard(output))
        try:
            conversation.run()
        except KeyboardInterrupt:
            if not conversation.has_ended:
                # Compiled code may still be running: do not take the ground away under it.
                os._exit(INTERRUPTED)
            raise


def _make(protocol: str, player: str | None, loaded: Position, seed: int | None) -> Engine:
    if protocol == "gtp":
        return GtpEngine(loaded.game, loaded.settings, player, seed)
    if protocol == "nboard":
        if loaded.game.name != OTHELLO.name:
            raise Unsupported(f"nboard plays {OTHELLO.name}, not {loaded.game.name}; gtp plays all")
        return NboardEngine(loaded.start, player, seed)
    raise unknown("protocol", protocol, PROTOCOLS)


def _reader() -> Read:
    """Bytes of standard input as they come: a buffer would wait for more, and lock meanwhile."""
    try:
        descriptor = sys.stdin.fileno()
    except (AttributeError, OSError, ValueError):  # none, or closed, or not a file
        text = sys.stdin.read() if sys.stdin and not sys.stdin.closed else ""
        return io.BytesIO(text.encode("utf-8", "replace")).read
    return lambda most: os.read(descriptor, most)


def _sayer(output: TextIO) -> Say:
    if isinstance(output, io.TextIOWrapper):
        output.reconfigure(encoding="utf-8", errors="replace")

    def say(text: str) -> None:
        output.write(text + "\n")
        output.flush()

    return say


def _until_unheard(output: TextIO) -> Callable[[], None] | None:
    """A wait for the other end of our output to be closed, where the system can tell."""
    try:
        descriptor = output.fileno()
        poll = select.poll()
    except (AttributeError, OSError):
        return None
    poll.register(descriptor, 0)  # nothing but errors, and those are always reported

    def wait() -> None:
        poll.poll()

    return wait

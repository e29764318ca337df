"""`plyground web`: the web app, served on this machine for its own browser."""

from __future__ import annotations

from typing import Annotated

import typer

from plyground.cli import options
from plyground.cli.common import out, print_plain
from plyground.cli.lazy import use_files


def web(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE|MODULE", help="Games of your own, to play there too."),
    ] = None,
    *,
    host: Annotated[
        str, typer.Option(help="Where to listen; others than this machine need the token.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Without, the usual one or the next free; 0 is any."),
    ] = None,
    store: options.Store = None,
    browser: Annotated[bool, typer.Option(help="Open a browser.")] = True,
    token: Annotated[
        bool, typer.Option(help="Let in only who has the token of the printed address.")
    ] = True,
) -> None:
    """Play, analyse and keep games in a browser; everything stays on this machine."""
    from plyground.store.shelter import SHORT_WAIT_S, ShelteredStore
    from plyground.store.waiting import wait_s
    from plyground.web.server import find_place, serve
    from plyground.web.tokens import kept_token

    use_files(games)
    with ShelteredStore(store, wait_s(SHORT_WAIT_S)) as opened:  # complaints come first
        where = opened.address

    def ready(address: str) -> None:
        rest = f"[dim](games in {where}; Ctrl-C ends it)[/]"
        out.print(f"Plyground is at [bold]{address}[/]  {rest}", soft_wrap=True)  # to be copied

    place = find_place(host, port, kept_token() if token else None, is_open=not token)
    serve(place, store, ready, browser, print_plain)

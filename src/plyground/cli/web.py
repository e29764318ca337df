"""`plyground web`: the web app, served on this machine for its own browser."""

from __future__ import annotations

from typing import Annotated

import typer

from plyground.cli.common import out


def web(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE|MODULE", help="Games of your own, to play there too."),
    ] = None,
    *,
    host: Annotated[
        str, typer.Option(help="Where to listen; other than this machine, a token is demanded.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Without, the usual one or the next free; 0 is any."),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option("--store", metavar="FILE|URL", help="Another store than the usual one."),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open a browser.")] = True,
) -> None:
    """Play, analyse and keep games in a browser; everything stays on this machine."""
    from plyground.games.catalogue import admit
    from plyground.store.store import Store
    from plyground.web.server import find_place, serve

    for name in games or ():
        admit(name)
    with Store(store) as opened:  # complaints come before anything is served
        where = opened.address

    def ready(address: str) -> None:
        out.print(f"Plyground is at [bold]{address}[/]  [dim](games in {where}; Ctrl-C ends it)[/]")

    def tell(line: str) -> None:
        out.print(line, markup=False, soft_wrap=True)

    serve(find_place(host, port), store, ready, browser, tell)

"""`plyground store sync`: two stores brought to hold the same games, by what each lacks."""

from __future__ import annotations

from typing import Annotated

import typer

from plyground.cli.common import err, out
from plyground.cli.listing import counted
from plyground.cli.meter import INTERRUPTED, stoppable, watching
from plyground.cli.store_move import place_of
from plyground.cli.store_options import StoreOption, demand_store
from plyground.core.errors import Unsupported
from plyground.store.runs import Runs
from plyground.store.shelter import open_store
from plyground.store.store import Store
from plyground.store.syncing import missing, take_over


def sync(
    other: Annotated[str, typer.Argument(metavar="URL|FILE", help="The store to sync with.")],
    store: StoreOption = None,
) -> None:
    """Take over from another store what this one has not, and give it what it has not."""
    demand_store(other)
    with open_store(store) as here, open_store(other) as there:
        if place_of(here) == place_of(there):
            raise Unsupported("a store cannot be synchronised with itself")
        taken, is_complete = _take(here, there, "taking over")
        given, is_complete = _take(there, here, "giving") if is_complete else ("0 games", False)
    out.print(f"{taken} taken over, {given} given", soft_wrap=True)
    if not is_complete:
        err.print("interrupted; the same command does the rest")
        raise SystemExit(INTERRUPTED)


def _take(here: Store, there: Store, doing: str) -> tuple[str, bool]:
    """Take over what is not here: how much that was, and whether it was all."""
    numbers, added, runs = missing(here, there), 0, 0
    with watching(len(numbers), "games", doing) as watch:
        try:
            with stoppable(watch, "storing what has been read"):
                for report in take_over(here, there, numbers, watch):
                    added += report.added
        except KeyboardInterrupt:
            err.print("interrupted; what was stored stays, and the same command does the rest")
            raise SystemExit(INTERRUPTED) from None
        if not watch.is_stopped:
            runs = Runs(here).merge(Runs(there))
    news = f" and {counted(runs, 'run')} of the lab" if runs else ""
    return f"{counted(added, 'game')}{news}", not watch.is_stopped

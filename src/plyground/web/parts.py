"""The parts of a running server, as routes ask for them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request

from plyground.store.store import Store
from plyground.web.game_writer import GameWriter
from plyground.web.importing import ImportRoom
from plyground.web.job_room import JobRoom
from plyground.web.search_work import Trees


def _part(name: str) -> Any:
    async def find(request: Request) -> Any:  # async: for the other kind a thread is taken
        return getattr(request.app.state, name)

    return Depends(find)


TheStore = Annotated[Store, _part("store")]
TheWriter = Annotated[GameWriter, _part("writer")]
TheImports = Annotated[ImportRoom, _part("imports")]
TheJobs = Annotated[JobRoom, _part("jobs")]
TheTrees = Annotated[Trees, _part("trees")]

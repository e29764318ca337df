"""The app: its routes behind guard and bounds, and errors as one line with a status of 4xx.

One store is opened for all requests: opening one takes longer than what is asked of it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import Match
from starlette.types import ASGIApp

from plyground import __version__
from plyground.core.errors import InputError, PlygroundError
from plyground.store.database import StoreError
from plyground.store.shelter import SHORT_WAIT_S, ShelteredStore
from plyground.store.waiting import AGAIN_S, wait_s
from plyground.web import (
    catalogue_routes,
    course_routes,
    engine_socket,
    job_routes,
    lab_comparison,
    lab_experiments,
    lab_reports,
    lab_runs,
    pages,
    play_routes,
    position_routes,
    store_routes,
    tournament_routes,
    trace_routes,
)
from plyground.web.bounds import Bounds
from plyground.web.game_writer import GameWriter
from plyground.web.guard import LOOPBACK, Guard
from plyground.web.importing import ImportRoom
from plyground.web.job_room import JobRoom
from plyground.web.search_work import Trees
from plyground.web.thinking import ThinkingRoom

DESCRIPTION = """
Everything that the pages use. Errors are `{"error": "..."}` with a status of 4xx. Searches are
asked for on the socket `/ws/engine`, which docs/web.md describes.
"""
ROUTES = (
    catalogue_routes,
    position_routes,
    play_routes,
    store_routes,
    trace_routes,
    job_routes,
    lab_experiments,
    lab_runs,
    lab_reports,
    lab_comparison,
    tournament_routes,
    course_routes,
    engine_socket,
    pages,
)


@dataclass(frozen=True)
class Options:
    """How a server is run."""

    hosts: tuple[str, ...] = LOOPBACK
    token: str | None = None
    any_number: bool = False
    store: str | None = None
    places: int | None = None
    """Searches at a time; as many as there are processors if None."""
    notify: Callable[[str], None] = lambda line: None
    """Receives messages for the operator."""


def make_app(options: Options) -> ASGIApp:
    """The whole app, guarded."""
    bounded = Bounds(make_api(options))
    return Guard(bounded, frozenset(options.hosts), options.token, options.any_number)


def make_api(options: Options) -> FastAPI:
    """The app without its guard."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.room = ThinkingRoom(options.places)
        app.state.trees = Trees()
        app.state.jobs = JobRoom(options.store)
        with ShelteredStore(options.store, wait_s(SHORT_WAIT_S)) as app.state.store:
            app.state.writer = GameWriter(app.state.store)
            bringing = asyncio.create_task(_bring(app.state.store))
            app.state.imports = ImportRoom(app.state.store, app.state.writer)
            yield
            bringing.cancel()
            app.state.room.close()
            app.state.imports.close()
            app.state.writer.close()
            if left := app.state.jobs.leave():
                titles = ", ".join(job.title for job in left)
                options.notify(f"nothing is lost: {titles} will finish what is under way and pause")

    app = FastAPI(
        title="Plyground",
        summary="Play, analyse and keep games.",
        description=DESCRIPTION,
        version=__version__,
        docs_url=None,  # its page loads scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    for routes in ROUTES:
        app.include_router(routes.router)
    for kind in (HTTPException, PlygroundError, RequestValidationError, ClientDisconnect):
        app.add_exception_handler(kind, _refuse)
    return app


async def _bring(store: ShelteredStore) -> None:
    """Bring games that were stored elsewhere while the store was away, when it is back."""
    while True:
        await asyncio.sleep(AGAIN_S)
        await asyncio.to_thread(store.bring)


async def _refuse(request: Request, error: Exception) -> JSONResponse:
    """Whatever is refused, and by whom, in one form."""
    headers: dict[str, str] = {}
    field = None
    match error:
        case HTTPException():
            status, text = error.status_code, str(error.detail)
            headers = {name.lower(): value for name, value in (error.headers or {}).items()}
            if status == HTTPStatus.METHOD_NOT_ALLOWED:
                headers["allow"] = ", ".join(_methods(request))  # it names those of one route only
        case RequestValidationError():
            first = error.errors()[0]
            field = ".".join(str(part) for part in first["loc"][1:]) or "the request"
            status, text = 422, f"{field}: {first['msg']}"
        case ClientDisconnect():  # read only by whoever sent too much and is still there
            status, text = 400, "the request was broken off"
        case InputError():
            status, text, field = 400, str(error), error.field
        case StoreError():
            status, text = 503, str(error)
        case _:  # of a user's own code
            status, text = 400, str(error)
    where = {"field": field} if field else {}
    return JSONResponse({"error": text, **where}, status, headers)


def _methods(request: Request) -> list[str]:
    """What can be done at an address."""
    return [
        method
        for method in ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")
        if any(
            route.matches({**request.scope, "method": method})[0] is Match.FULL
            for route in request.app.routes
        )
    ]

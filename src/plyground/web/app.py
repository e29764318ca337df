"""The app: its routes behind guard and bounds, and errors told in one line with a status of 4xx.

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
from plyground.core.errors import InputError
from plyground.store.database import StoreError
from plyground.store.shelter import SHORT_WAIT_S, ShelteredStore
from plyground.store.waiting import AGAIN_S, wait_s
from plyground.web import (
    catalogue_routes,
    engine_socket,
    job_routes,
    lab_routes,
    pages,
    play_routes,
    position_routes,
    store_routes,
    tournament_routes,
    trace_routes,
)
from plyground.web.bounds import Bounds
from plyground.web.guard import LOOPBACK, Guard
from plyground.web.importing import ImportRoom
from plyground.web.job_room import JobRoom
from plyground.web.keeper import Keeper
from plyground.web.thinking import ThinkingRoom
from plyground.web.trace_work import Trees

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
    lab_routes,
    tournament_routes,
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
    tell: Callable[[str], None] = lambda line: None
    """Who hears what is said to whoever runs the server."""


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
            app.state.keeper = Keeper(app.state.store)
            bringing = asyncio.create_task(_bring(app.state.store))
            app.state.imports = ImportRoom(app.state.store, app.state.keeper)
            yield
            bringing.cancel()
            app.state.room.close()
            app.state.imports.close()
            app.state.keeper.close()
            if left := app.state.jobs.leave():
                titles = ", ".join(job.title for job in left)
                options.tell(f"nothing is lost: {titles} will finish what is under way and pause")

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
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(InputError, _bad_request)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(StoreError, _store_fails)
    app.add_exception_handler(ClientDisconnect, _broken_off)
    return app


async def _bring(store: ShelteredStore) -> None:
    """Bring games that were kept elsewhere while the store was away, when it is back."""
    while True:
        await asyncio.sleep(AGAIN_S)
        await asyncio.to_thread(store.bring)


async def _refused(request: Request, error: Exception) -> JSONResponse:
    """What the toolkit refuses, in the form of all other refusals."""
    assert isinstance(error, HTTPException)
    headers = {name.lower(): value for name, value in (error.headers or {}).items()}
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["allow"] = ", ".join(_methods(request))  # it names those of one route only
    return JSONResponse({"error": str(error.detail)}, error.status_code, headers)


def _methods(request: Request) -> list[str]:
    """What can be done at an address."""
    found = {"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"}
    scopes = {method: {**request.scope, "method": method} for method in found}
    routes = request.app.routes
    return sorted(
        method
        for method, scope in scopes.items()
        if any(route.matches(scope)[0] is Match.FULL for route in routes)
    )


async def _bad_request(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, InputError)
    where = {"field": error.field} if error.field else {}
    return JSONResponse({"error": str(error), **where}, 400)


async def _malformed(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "the request"
    return JSONResponse({"error": f"{where}: {first['msg']}", "field": where}, 422)


async def _broken_off(request: Request, error: Exception) -> JSONResponse:
    """Heard only by whoever sent too much and is still there."""
    return JSONResponse({"error": "the request was broken off"}, 400)


async def _store_fails(request: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"error": str(error)}, 503)

"""The app: its routes behind the guard, and errors told in one line with a status of 4xx."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.types import ASGIApp

from plyground import __version__
from plyground.core.errors import InputError
from plyground.store.database import StoreError
from plyground.web import (
    catalogue_routes,
    engine_socket,
    pages,
    play_routes,
    position_routes,
    store_routes,
)
from plyground.web.guard import LOOPBACK, Guard
from plyground.web.thinking import ThinkingRoom

ROUTES = (
    catalogue_routes,
    position_routes,
    play_routes,
    store_routes,
    engine_socket,
    pages,
)


@dataclass(frozen=True)
class Options:
    """How a server is run."""

    hosts: tuple[str, ...] = LOOPBACK
    token: str | None = None
    store: str | None = None
    places: int | None = None
    """Searches at a time; as many as there are processors if None."""


def make_app(options: Options) -> ASGIApp:
    """The whole app, guarded."""
    return Guard(make_api(options), frozenset(options.hosts), options.token)


def make_api(options: Options) -> FastAPI:
    """The app without its guard."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.room = ThinkingRoom(options.places)
        app.state.store = options.store
        yield
        app.state.room.close()

    app = FastAPI(
        title="Plyground",
        version=__version__,
        docs_url=None,  # its page loads scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    for routes in ROUTES:
        app.include_router(routes.router)
    app.add_exception_handler(InputError, _bad_request)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(StoreError, _store_fails)
    return app


async def _bad_request(request: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"error": str(error)}, 400)


async def _malformed(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or "the request"
    return JSONResponse({"error": f"{where}: {first['msg']}", "field": where}, 422)


async def _store_fails(request: Request, error: Exception) -> JSONResponse:
    return JSONResponse({"error": str(error)}, 503)

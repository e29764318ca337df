"""The pages and their files: one shell of HTML for all pages, and files to be cached for ever.

Files are served under an address that changes when any of them does, so a browser never runs old
code against a new server. Types are named here: some systems believe that scripts are plain text.
"""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path, PurePosixPath

from fastapi import APIRouter, Response
from fastapi.responses import HTMLResponse, PlainTextResponse

from plyground.drawing.look import LOOK

STATIC = Path(__file__).parent / "static"
LOOK_FILE = "look.css"
TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
}
FOREVER = "public, max-age=31536000, immutable"
PAGES = (
    *("", "play", "analyse", "tree", "lab", "tournaments", "train", "games", "learn"),
    "settings",
)
NAMED_PAGES = ("lab/{name}", "learn/{name}", "tournaments/{name}", "train/{name}")

router = APIRouter(include_in_schema=False)


@functools.cache
def files() -> dict[str, Path]:
    """All files by their names: requests are looked up here, and never on the disk."""
    found = (path for path in sorted(STATIC.rglob("*")) if path.is_file())
    return {path.relative_to(STATIC).as_posix(): path for path in found}


def content_of(name: str) -> bytes | None:
    """What a file holds, or None if there is none; one is made from how all boards look."""
    if name == LOOK_FILE:
        return LOOK.css().encode()
    return files()[name].read_bytes() if name in files() else None


@functools.cache
def version() -> str:
    """A digest of all files."""
    digest = hashlib.sha256()
    for name in (LOOK_FILE, *files()):
        digest.update(name.encode())
        digest.update(content_of(name) or b"")
    return digest.hexdigest()[:12]


def shell() -> HTMLResponse:
    """The page that loads the program; which page it shows is up to the address."""
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    return HTMLResponse(
        text.replace("{{static}}", f"/static/{version()}"), headers={"cache-control": "no-store"}
    )


for page in (*PAGES, *NAMED_PAGES):
    router.add_api_route(f"/{page}", shell, methods=["GET"])


@router.get("/games/{number}")
def one_game(number: int) -> HTMLResponse:
    return shell()


@router.get("/static/{of_version}/{path:path}")
def static(of_version: str, path: str) -> Response:
    content, kind = content_of(path), TYPES.get(PurePosixPath(path).suffix)
    if content is None or kind is None:
        return PlainTextResponse("no such file", 404)
    lasting = FOREVER if of_version == version() else "no-store"
    return Response(content, media_type=kind, headers={"cache-control": lasting})

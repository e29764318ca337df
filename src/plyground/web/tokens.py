"""The token: where it is stored, how a browser gets and shows it, and the page that asks for it.

Everybody with an account on this machine can open its ports; the token is for those who can read
the data folder. It is in the address that is printed and opened. From there it goes into a cookie,
and the browser is sent on to the bare address: no history and no picture of the window has it. It
stays the same when the server is started again, so open pages still work.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
from dataclasses import dataclass
from html import escape
from urllib.parse import parse_qsl, quote, urlencode

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import Scope

from plyground.core.locking import lock
from plyground.core.places import data_folder
from plyground.web.pages import STATIC, version

FILE = "web-token"
WELL_FORMED = re.compile(rb"[\w-]{20,60}", re.ASCII)
COOKIE = "plyground_token"  # and the port: all servers of a machine share its cookies
YEAR_S = 365 * 24 * 3600
WANTED = "this server wants its token: open the address that it printed"
ASKING_POLICY = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; form-action 'self'"
ONWARD = '<!doctype html><meta http-equiv="refresh" content="0;url={}">'


def new_token() -> str:
    return secrets.token_urlsafe(16)


def kept_token() -> str:
    """That of the data folder, made if there is none; what others could read is replaced."""
    try:
        data_folder().mkdir(parents=True, exist_ok=True)
        with open(data_folder() / FILE, "a+b", opener=_private) as file:
            lock(file)
            file.seek(0)
            stored = file.read()
            was_open = os.name == "posix" and os.fstat(file.fileno()).st_mode & 0o077
            if not was_open and WELL_FORMED.fullmatch(stored):
                return stored.decode()
            if was_open:
                os.chmod(file.fileno(), 0o600)
            token = new_token()
            file.truncate(0)
            file.write(token.encode())
            return token
    except OSError:  # a folder that cannot be written: it lasts as long as the server
        return new_token()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


@dataclass(frozen=True)
class Door:
    """Lets those in who have the token."""

    token: str

    def answer(self, scope: Scope) -> Response | None:
        """What to answer instead of what was asked for; None to those who may come in."""
        headers = Headers(scope=scope)
        given, rest = _split_query(scope)
        is_page = scope["type"] == "http" and not scope["path"].startswith(("/api/", "/static/"))
        if any(map(self._is_token, given)):
            return self._go_on(scope, headers, rest) if is_page else None
        cookies = [part.strip().partition("=") for part in headers.get("cookie", "").split(";")]
        shown = [value for name, _, value in cookies if name == _cookie_name(headers)]
        if any(map(self._is_token, [*shown, headers.get("x-plyground-token", "")])):
            return None
        if scope["path"].startswith("/static/"):  # nothing but what is in the package
            return None
        if not is_page or "text/html" not in headers.get("accept", ""):
            return JSONResponse({"error": WANTED}, 403)
        if headers.get("sec-fetch-site") == "cross-site":
            # With a link from elsewhere a strict cookie is not sent, but from our own page it is.
            return HTMLResponse(ONWARD.format(escape(_address(scope, rest))))
        return _ask(rest, bool(given))

    def _go_on(self, scope: Scope, headers: Headers, rest: list[tuple[str, str]]) -> Response:
        where = _address(scope, rest)
        # Where browsers do not say that a link was elsewhere, only a page of ours can lead on.
        answer: Response = HTMLResponse(ONWARD.format(escape(where)))
        if "sec-fetch-site" in headers:
            answer = RedirectResponse(where, 303)
        cookie = f"{_cookie_name(headers)}={self.token}; Max-Age={YEAR_S}"
        answer.headers["set-cookie"] = f"{cookie}; HttpOnly; SameSite=Strict; Path=/"
        return answer

    def _is_token(self, text: str) -> bool:
        return hmac.compare_digest(text.encode(), self.token.encode())


def _split_query(scope: Scope) -> tuple[list[str], list[tuple[str, str]]]:
    """The tokens in an address, of which a whole address may have been typed, and the rest."""
    pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    given = [value.strip().rpartition("token=")[2] for name, value in pairs if name == "token"]
    return given, [pair for pair in pairs if pair[0] != "token"]


def _address(scope: Scope, rest: list[tuple[str, str]]) -> str:
    """A path that cannot be taken for that of another server, which two strokes would begin."""
    return quote("/" + scope["path"].lstrip("/")) + ("?" + urlencode(rest) if rest else "")


def _cookie_name(headers: Headers) -> str:
    """By the port that the browser sees; the name before it holds no such end (`guard.py`)."""
    port = re.search(r":([0-9]+)$", headers.get("host", ""))
    return f"{COOKIE}_{port[1] if port else 80}"


def _ask(rest: list[tuple[str, str]], is_wrong: bool) -> Response:
    hidden = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}" />'
        for name, value in rest
    )
    text = (STATIC / "token.html").read_text(encoding="utf-8")
    text = text.replace("{{static}}", f"/static/{version()}").replace("{{hidden}}", hidden)
    text = text.replace("{{wrong}}", "That is not the token of this server." if is_wrong else "")
    answer = HTMLResponse(text, 403)
    answer.headers["content-security-policy"] = ASKING_POLICY
    return answer

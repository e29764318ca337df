"""A server that goes away for a moment is waited for, and calls that it cut off are retried.

Connecting waits, up to a limit: what begins while the server is away continues when it is back. A
call whose connection was lost in its middle is retried as a whole. Nobody knows then whether its
transaction was committed, so every call that is `retried` notices what it has already done. When
the limit is over, a `sheltered` call is made in the store's shelter, if it has one.
"""

from __future__ import annotations

import functools
import math
import os
import sys
from collections.abc import Callable
from time import monotonic, sleep
from typing import Concatenate, ParamSpec, Protocol, Self, TypeVar

from plyground.core.errors import PlygroundError
from plyground.core.quantities import read_seconds

P = ParamSpec("P")
T = TypeVar("T")

SETTING = "PLYGROUND_STORE_WAIT"
USUAL_WAIT_S = 120.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.05, 1.0
MOST_CUTS = 5  # in one call; a server that never gets to its end is not away but broken
AGAIN_S = 5.0  # how soon a server that was given up is asked again
SHARE = 10  # of the time is spent on asking it, at most: one part in so many


class StoreError(PlygroundError):
    """The store cannot be used: damaged, unreachable, or written by a newer program."""


class StoreConflict(StoreError):
    """Somebody else has changed what was to be changed; read it again."""


class StoreAway(StoreError):
    """The store's server does not answer, or has cut the connection; it may come back."""

    def __init__(self, text: str, was_cut: bool = False) -> None:
        super().__init__(text)
        self.was_cut = was_cut
        """Whether a call was under way, to be retried; otherwise all waiting is over."""

    def __reduce__(self) -> tuple[type[StoreAway], tuple[str, bool]]:
        return StoreAway, (str(self), self.was_cut)  # so that it can travel


# ------------------------------------------------------------------ messages for people

listeners: list[Callable[[str], None]] = []
"""Receive messages when a store goes away or is back; if there are none, standard error does."""


def say(line: str) -> None:
    for listen in listeners or (lambda line: print(line, file=sys.stderr, flush=True),):
        listen(line)


def wait_s(most_s: float = math.inf) -> float:
    """How long a server is waited for: what the user's setting says, but at most so long."""
    given = os.environ.get(SETTING)
    return min(read_seconds(given, SETTING) if given else USUAL_WAIT_S, most_s)


# ------------------------------------------------------------------ connecting


class Patience:
    """How long one server is waited for. One that was given up is asked again only now and then."""

    def __init__(self, limit_s: float = 0.0) -> None:
        self.limit_s = limit_s
        self.was_there = False
        """Whether it has ever answered: one that has not is not waited for."""
        self._ask_at_s, self._why = 0.0, ""  # of a server that was given up

    def connect(self, shown: str, attempt: Callable[[], T]) -> T:
        """What the attempt gives, made until it does not raise StoreAway."""
        if monotonic() < self._ask_at_s:
            raise StoreAway(self._why)
        is_waited_for = self.was_there and self.limit_s and not self._ask_at_s
        began_s, pause_s, has_said = monotonic(), FIRST_PAUSE_S, False
        while True:
            asked_s = monotonic()
            try:
                connection = attempt()
            except StoreAway as error:
                now_s = monotonic()
                if not is_waited_for or now_s - began_s >= self.limit_s:
                    if self.limit_s:
                        pause_s = max(AGAIN_S, SHARE * (now_s - asked_s))
                        self._ask_at_s, self._why = now_s + pause_s, str(error)
                    raise
                if not has_said:
                    has_said = True
                    say(f"store {shown} does not answer; waiting up to {in_words(self.limit_s)}")
                sleep(pause_s)
                pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
            else:
                self.was_there, self._ask_at_s = True, 0.0
                if has_said:
                    say(f"store {shown} is back")
                return connection


def in_words(seconds: float) -> str:
    """A time limit for people."""
    minutes, rest = divmod(seconds, 60)
    if minutes and not rest:
        return f"{minutes:g} minute{'s' if minutes > 1 else ''}"
    return f"{seconds:g} seconds"


# ------------------------------------------------------------------ calls


def retried(call: Callable[P, T]) -> Callable[P, T]:
    """A call that is made again when its connection was cut; made twice, it does no more."""

    @functools.wraps(call)
    def retry(*args: P.args, **kwargs: P.kwargs) -> T:
        for _ in range(MOST_CUTS):
            try:
                return call(*args, **kwargs)
            except StoreAway as error:
                if not error.was_cut:
                    raise
        return call(*args, **kwargs)

    return retry


class Sheltered(Protocol):
    """What can continue elsewhere while its server is away."""

    def take_shelter(self) -> Self | None:
        """The one to continue with; None if there is no shelter."""
        ...


S = TypeVar("S", bound=Sheltered)


def sheltered(call: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """A retried call that is made in the shelter when the server stays away."""
    patient = retried(call)

    @functools.wraps(call)
    def try_both(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return patient(self, *args, **kwargs)
        except StoreAway:
            other = self.take_shelter()
            if other is None:
                raise
        return patient(other, *args, **kwargs)

    return try_both

"""The values that were used last, for all threads of a server."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """So many values by their keys; the one that was used least recently goes first."""

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, threading.Lock()
        self._values: OrderedDict[Hashable, T] = OrderedDict()

    def find(self, key: Hashable) -> T | None:
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def store(self, key: Hashable, value: T) -> T:
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return value

    def find_or_make(self, key: Hashable, make: Callable[[], T]) -> T:
        """Two threads that ask for the same at once may both make it; neither waits."""
        found = self.find(key)
        return self.store(key, make()) if found is None else found

"""Ctrl-C for compiled code, which stops while it runs.

Python handles a signal between two of its own instructions, and machine code has none. But the
system's handler writes a byte to a socket at once, and a thread that waits there can raise a flag
for the work to see: it then returns, and Python raises KeyboardInterrupt as always. This is done
only in the main thread with the usual handler; a program that handles Ctrl-C itself decides itself.
"""

from __future__ import annotations

import contextlib
import functools
import os
import selectors
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator

PATIENCE_S = 1.0  # with the thread that reads signals; it needs microseconds
SOON_S = 0.001
_stops: list[Callable[[], None]] = []


@contextlib.contextmanager
def stopped_by_interrupt(stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop`, from another thread, if somebody presses Ctrl-C inside the block.

    The block then raises KeyboardInterrupt, also where a finaliser happened to run and swallowed
    the one that Python raised.
    """
    if not are_usual():
        yield
        return
    pressed: list[bool] = []

    def press() -> None:
        pressed.append(True)
        stop()

    _stops.append(press)
    before = signal.set_wakeup_fd(_listening()[1], warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        try:
            _settle()
        finally:
            _stops.remove(press)
    if pressed:
        raise KeyboardInterrupt


def are_usual() -> bool:
    """Whether an interrupt raises KeyboardInterrupt in this thread."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def _settle() -> None:
    """Wait until what was written is read, or it would stop the next block."""
    end_s = time.monotonic() + PATIENCE_S
    while has_unread() and time.monotonic() < end_s:
        time.sleep(SOON_S)


def has_unread() -> bool:
    """Whether a signal has been written that did not stop its work yet."""
    return bool(_listening()[0].select(0))


@functools.cache
def _listening() -> tuple[selectors.BaseSelector, int]:
    """What says whether signals are unread, and where they are to be written."""
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    unread = selectors.DefaultSelector()
    unread.register(reader, selectors.EVENT_READ)
    threading.Thread(target=_listen, args=(reader,), name="interrupts", daemon=True).start()
    return unread, writer.detach()  # open as long as the process lives


def _listen(reader: socket.socket) -> None:
    with contextlib.suppress(OSError):  # the end of the process
        while received := reader.recv(16, socket.MSG_PEEK):
            if signal.SIGINT in received:
                for stop in list(_stops):
                    stop()
            reader.recv(len(received))  # only now: until then it is unread


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_listening.cache_clear)  # no thread reads there

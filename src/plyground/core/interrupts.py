"""Ctrl-C for compiled code, which stops while it runs.

Python handles a signal between two of its own instructions, and machine code has none. But the
system's handler writes a byte to a socket at once, and a thread that waits there can raise a flag
for the work to see: it then returns, and Python raises KeyboardInterrupt as always. This is done
only in the main thread with the usual handler; a program that handles Ctrl-C itself decides itself.
"""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
from collections.abc import Callable, Iterator

_stops: list[Callable[[], None]] = []
_writer: int | None = None  # a descriptor, open as long as the process lives


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
    before = signal.set_wakeup_fd(_listening(), warn_on_full_buffer=False)
    try:
        yield
        if pressed:
            raise KeyboardInterrupt
    finally:
        signal.set_wakeup_fd(before)
        _stops.remove(press)


def are_usual() -> bool:
    """Whether an interrupt raises KeyboardInterrupt in this thread."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def _listening() -> int:
    """Where signals are to be written; a thread reads them there from the first time on."""
    global _writer
    if _writer is None:
        reader, writer = socket.socketpair()
        writer.setblocking(False)
        _writer = writer.detach()
        threading.Thread(target=_listen, args=(reader,), name="interrupts", daemon=True).start()
    return _writer


def _listen(reader: socket.socket) -> None:
    with contextlib.suppress(OSError):  # the end of the process
        while received := reader.recv(16):
            if signal.SIGINT in received:
                for stop in list(_stops):
                    stop()

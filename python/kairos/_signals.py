"""Ctrl-C while the library runs: no interruption is lost, and no call hangs after one.

Python runs handlers of signals in its main thread, between instructions of Python. While the
library runs there, these are the instructions of the callback for progress, and an exception that
a handler raises in a callback of ctypes is lost. So the handler is replaced during the call.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any, Callable

from . import _library as c


class Interruptible:
    """Within it, SIGINT interrupts the session; at its end, it raises what the handler raised.

    Only handlers that were set from Python are replaced, and only in the main thread. The library
    forgets an interruption that arrives before its action begins, so `repeat` is called on the way.
    """

    def __init__(self, session: int):
        self.session = session
        self.reason: BaseException | None = None
        self.previous: Callable[[int, FrameType | None], Any] | None = None

    def __enter__(self) -> "Interruptible":
        if c.in_main_thread():
            previous = signal.getsignal(signal.SIGINT)
            if callable(previous):
                self.previous = previous
                signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *_: Any) -> None:
        if self.previous is not None:
            signal.signal(signal.SIGINT, self.previous)
        if self.reason is not None:
            raise self.reason

    def _handle(self, number: int, frame: FrameType | None) -> None:
        assert self.previous is not None
        try:
            self.previous(number, frame)
        except BaseException as reason:
            self.reason = reason
            c.lib.kairos_interrupt(self.session)

    def repeat(self) -> None:
        if self.reason is not None:
            c.lib.kairos_interrupt(self.session)


def call(session: int, function: Callable[..., Any], *arguments: Any,
         watch: Callable[[], None] | None = None) -> Any:
    """Calls a function of the library that may take long and calls nobody back.

    It runs in a thread of its own if this is the main thread, which handles signals meanwhile and
    calls `watch` ten times a second.
    """
    if not c.in_main_thread() and watch is None:
        return function(*arguments)
    made: Any = None
    error: BaseException | None = None
    done = threading.Event()

    def work() -> None:
        nonlocal made, error
        try:
            made = function(*arguments)
        except BaseException as found:
            error = found
        done.set()
    with Interruptible(session) as interruptible:
        threading.Thread(target=work).start()
        try:
            while not done.wait(0.1):
                interruptible.repeat()
                if watch is not None:
                    watch()
        finally:  # the thread uses memory of the caller
            while not done.is_set():
                c.lib.kairos_interrupt(session)
                done.wait(0.01)
    if error is not None:
        raise error
    return made

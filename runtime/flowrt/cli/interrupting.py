"""Ctrl-C pressed twice: the program ends, whatever its nodes do."""

from __future__ import annotations

import os
import signal
from threading import Timer
from types import FrameType, TracebackType

from flowrt.cli.codes import INTERRUPTED

PATIENCE = 2.0
"""Seconds from the second Ctrl-C to the end, in which programs that nodes started are stopped."""


class SecondInterrupt:
    """The first Ctrl-C is what the event loop makes of it; from the second on time runs.

    A node may swallow the request to stop, and the loop waits for it also after the second one.
    """

    def __init__(self) -> None:
        self._times = 0
        self._end: Timer | None = None

    def __enter__(self) -> SecondInterrupt:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._end is not None:
            self._end.cancel()

    def count(self) -> None:
        """Count from now on; to be called in the event loop, whose own handler is called too."""
        handler = signal.getsignal(signal.SIGINT)
        if not callable(handler):
            return

        def counted(number: int, frame: FrameType | None) -> None:
            self._times += 1
            if self._times == 2:
                self._end = Timer(PATIENCE, _leave)
                self._end.daemon = True
                self._end.start()
            handler(number, frame)

        signal.signal(signal.SIGINT, counted)


def _leave() -> None:
    os.write(2, b"interrupted: a node did not stop\n")
    os._exit(INTERRUPTED)

"""Garbage is collected when nobody waits, instead of at moments of the interpreter's choosing.

Evaluating makes many objects that refer to each other. Left to itself Python looks at all that is
alive now and then, which takes longer than a keystroke may.
"""

from __future__ import annotations

import gc
from time import monotonic

ALL_AFTER = 30.0
"""Seconds after which all that is alive is looked at again."""


class Tidier:
    """Collects for one process. What it left the last time is not looked at until the next one."""

    def __init__(self) -> None:
        self._last = monotonic()

    def begin(self) -> None:
        """Take over from the interpreter."""
        gc.disable()
        self.settle()

    def tidy(self) -> None:
        """Collect what the last work left; now and then, all there is."""
        gc.collect(1)
        if monotonic() - self._last > ALL_AFTER:
            self.settle()

    def settle(self) -> None:
        """Collect everything."""
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._last = monotonic()

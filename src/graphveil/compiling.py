"""What Numba compiles in this process: whether it does so now, how much is done, and how long the rest may take.

Numba compiles a kernel when it is first called and keeps it on disk, so only the first run of an installation waits.
Whoever shows progress asks here.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

USUAL = 0.45  # seconds for a kernel, where none has been timed yet
TIMED = 4  # kernels after which the time measured counts more


_waiting: list[Compilation] = []


class Compilation:
    """The kernels that were compiled since `watch_compilation`, and whether one is being compiled now."""

    def __init__(self, told: Callable[[bool], object] | None = None) -> None:
        self.kernels = 0
        self._depth = 0  # kernels call kernels
        self._spent = self._began = 0.0
        self._told = told or (lambda _: None)

    def started(self, *_: object) -> None:
        """Numba begins with a kernel."""
        self._depth += 1
        if self._depth == 1:
            self._began = time.monotonic()
            self._told(True)

    def ended(self, *_: object) -> None:
        """Numba is done with a kernel."""
        self._depth -= 1
        if self._depth == 0:
            self.kernels += 1
            self._spent += time.monotonic() - self._began
            self._told(False)

    @property
    def now(self) -> bool:
        """Whether a kernel is being compiled."""
        return self._depth > 0

    @property
    def seconds(self) -> float:
        """Time spent so far."""
        return self._spent + (time.monotonic() - self._began if self.now else 0.0)

    def estimate(self, expected: int) -> tuple[float, float]:
        """The share of the expected kernels that is ready, and the seconds that the others may take.

        >>> share, seconds = Compilation().estimate(10_000)
        >>> share < 0.1, seconds > 1_000
        (True, True)
        """
        ready = self.kernels + _from_disk()
        each = (self.seconds + TIMED * USUAL) / (self.kernels + TIMED)
        return min(ready / expected, 0.95), each * max(expected - ready, 1)


def watch_compilation(told: Callable[[bool], object] | None = None) -> Compilation:
    """Follow what Numba compiles from now on: true when a kernel is begun, false when it is done."""
    compilation = Compilation(told)
    _waiting.append(compilation)
    if "numba" in sys.modules:
        numba_is_loaded()
    return compilation


def numba_is_loaded() -> None:
    """Begin to follow, for those who wait: Numba is not loaded only to be watched."""
    from numba.core import event

    while _waiting:
        compilation = _waiting.pop()

        class Watcher(event.Listener):  # type: ignore[misc]
            on_start, on_end = compilation.started, compilation.ended

        event.register("numba:compile", Watcher())


def _from_disk() -> int:
    """How many kernels were found compiled."""
    kernels: list[Any] = [
        value
        for name, module in list(sys.modules.items())
        if name.startswith("graphveil.kernels.")
        for value in vars(module).values()
        if getattr(value, "__module__", "") == name and hasattr(value, "stats")
    ]
    return sum(bool(kernel.stats.cache_hits) for kernel in kernels)

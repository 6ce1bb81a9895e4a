"""Numbered events for the open tabs: a tab that was away gets what it missed, once."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

KEPT = 5_000  # events that are replayed; a tab that missed more draws itself anew
SILENCE = 15.0  # seconds after which an empty line keeps the connection open
MOST_STREAMS = 3  # at once: a browser has six connections to a host, for all its tabs together


class Events:
    """The latest events, and the tabs that wait for the next one."""

    def __init__(self) -> None:
        self.last = 0
        self._kept: deque[tuple[int, str, Any]] = deque(maxlen=KEPT)
        self._news = asyncio.Event()
        self._closed = False
        self._streams: list[object] = []  # those that are open, the oldest first

    def tell(self, kind: str, data: Any) -> None:
        """Tell every tab."""
        self.last += 1
        self._kept.append((self.last, kind, data))
        self._wake()

    def close(self) -> None:
        """End every stream."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def stream(self, after: int) -> AsyncIterator[bytes]:
        """Server-sent events behind a number, until more tabs listen than a browser has connections for.

        Then the oldest stream ends. Its tab comes back a second later for what it missed, and another one gives way.
        """
        me = object()
        self._streams.append(me)
        if len(self._streams) > MOST_STREAMS:
            self._streams.pop(0)
            self._wake()
        try:
            async for event in self._until_left_out(me, after):
                yield event
        finally:
            if me in self._streams:
                self._streams.remove(me)

    async def _until_left_out(self, me: object, after: int) -> AsyncIterator[bytes]:
        yield b"retry: 1000\n\n"
        if after > self.last or (self._kept and after < self._kept[0][0] - 1):
            yield _encoded(self.last, "reset", {})  # the tab is of an earlier server, or missed too much
            after = self.last
        while not self._closed and me in self._streams:
            news = self._news
            for number, kind, data in [each for each in self._kept if each[0] > after]:
                yield _encoded(number, kind, data)
                after = number
            try:
                await asyncio.wait_for(news.wait(), SILENCE)
            except TimeoutError:
                yield b": still here\n\n"


def _encoded(number: int, kind: str, data: Any) -> bytes:
    return f"id: {number}\nevent: {kind}\ndata: {json.dumps(data)}\n\n".encode()

"""Jobs, one at a time, each a process of its own."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from graphveil.studio.actions import Action
from graphveil.studio.events import Events

LONGEST_LINE = 1 << 30  # a result of a large graph comes in one line
TICK = 1.0  # seconds between two signs of life
STARTING = "Starting"  # the phase of a job that has not said anything
PATIENCE = 5.0  # seconds that a job may take to end with the server

State = Literal["queued", "running", "stopping", "done", "failed", "stopped"]


@dataclass
class Job:
    """A piece of work and where it stands."""

    number: int
    title: str
    action: Action
    given: dict[str, Any] = field(default_factory=dict)  # what earlier jobs found, for this one
    passing: bool = False  # gives way to any other job
    state: State = "queued"
    phase: str = ""
    compiling: bool = False
    share: float | None = None  # of the work that is done, where that is known
    keeps: str = ""  # what Stop would keep now
    kept: str = ""  # what is kept already, however the job ends
    # Seconds, and the fewest changes found until then
    best: list[tuple[float, int]] = field(default_factory=list)
    until: float | None = None  # when its budget ends
    message: str = ""  # how it ended
    warnings: list[str] = field(default_factory=list)
    started: float = 0.0
    ended: float = 0.0

    @property
    def over(self) -> bool:
        """Whether it has ended, in whatever way."""
        return self.state in ("done", "failed", "stopped")

    def describe(self) -> dict[str, Any]:
        """For the pages."""
        until = self.ended if self.over else time.monotonic()
        return {
            "number": self.number,
            "title": self.title,
            "state": self.state,
            "phase": "Compiling what is used for the first time (once)" if self.compiling else self.phase,
            "share": self.share,
            "keeps": self.keeps or self.kept,
            "kept": self.kept,
            "message": self.message,
            "warnings": self.warnings,
            "seconds": round(until - self.started, 1) if self.started else 0.0,
            "best": self.best,
            "left": None if self.until is None else round(max(self.until - until, 0)),
        }

    def note(self, best: int | None, left: float | None) -> None:
        """How good the best is that was found so far, and how many seconds the search has left."""
        now = time.monotonic()
        if best is not None and (not self.best or self.best[-1][1] != best):
            self.best.append((round(now - self.started, 1), best))
        self.until = None if left is None else now + left


Take = Callable[[Job, str, Any], None]


class Jobs:
    """The queue, the job that runs, and those that are over."""

    def __init__(self, events: Events, take: Take, ended: Callable[[Job], None]) -> None:
        self._events, self._take, self._ended = events, take, ended
        self.queue: list[Job] = []
        self.current: Job | None = None
        self._process: Process | None = None
        self._runner: asyncio.Task[None] | None = None
        self._count = 0
        self._closing = False

    def submit(self, title: str, action: Action, *, passing: bool = False, **given: Any) -> Job:
        """Put a job at the end of the queue. Passing jobs give way: a new job of any kind removes them."""
        self.drop(*(each for each in self.unfinished if each.passing))
        self._count += 1
        job = Job(self._count, title, action, given, passing)
        self.queue.append(job)
        self._tell(job)
        if self._runner is None or self._runner.done():
            self._runner = asyncio.get_running_loop().create_task(self._run_all())
        return job

    def stop(self, number: int) -> None:
        """Stop a job as Ctrl-C does; the second time, end its process."""
        for job in [each for each in self.queue if each.number == number]:
            self.queue.remove(job)
            self._finish(job, "stopped", "Removed from the queue.")
        if self.current and self.current.number == number and self._process:
            again = self.current.state == "stopping"
            self.current.state = "stopping"
            self._signal(signal.SIGKILL if again else signal.SIGINT)
            self._tell(self.current)

    @property
    def unfinished(self) -> list[Job]:
        """The job that runs and those that wait."""
        return [job for job in (self.current, *self.queue) if job and not job.over]

    async def close(self) -> None:
        """Stop everything, and wait until it is gone."""
        self._closing = True
        self.queue.clear()
        self._signal(signal.SIGINT)
        if self._process and self._process.stdin:
            self._process.stdin.close()
        if self._runner:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.shield(self._runner), PATIENCE)
        self._signal(signal.SIGKILL)

    def drop(self, *jobs: Job) -> None:
        """End jobs whose findings nobody waits for any more."""
        for job in jobs:
            if job in self.queue:
                self.queue.remove(job)
            else:
                self._signal(signal.SIGKILL)
            self._finish(job, "stopped", "")

    def _signal(self, number: signal.Signals) -> None:
        if self.current and self.current.phase == STARTING:
            number = signal.SIGKILL  # Python would show where in its own beginning it was stopped
        if self._process and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)

    async def _run_all(self) -> None:
        while self.queue and not self._closing:
            self.current = job = self.queue.pop(0)
            try:
                await self._run(job)
            finally:
                self.current = self._process = None

    async def _run(self, job: Job) -> None:
        job.state, job.started, job.phase = "running", time.monotonic(), STARTING
        self._tell(job)
        self._process = process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "graphveil.studio.worker"),
            stdin=PIPE,
            stdout=PIPE,
            limit=LONGEST_LINE,
            start_new_session=True,  # Ctrl-C in the terminal is for the server, which decides
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps({"action": job.action.record(), "given": job.given}).encode() + b"\n")
        ticking = asyncio.get_running_loop().create_task(self._tick(job))
        try:
            async for line in process.stdout:
                self._hear(job, json.loads(line))
        finally:
            ticking.cancel()
            process.stdin.close()
            await process.wait()
        if not job.over:
            self._finish(job, *_ending(job, process.returncode))

    async def _tick(self, job: Job) -> None:
        """A sign of life, however silent the work is."""
        while True:
            await asyncio.sleep(TICK)
            if not job.over:
                self._tell(job)

    def _hear(self, job: Job, said: dict[str, Any]) -> None:
        if job.over:  # it gave way, and nobody waits for what it found
            return
        match said.pop("event"):
            case "phase":
                job.phase, job.share = said["text"], said.get("share")
                job.keeps, job.kept = said.get("keeps", ""), said.get("kept", "")
                job.note(said.get("best"), said.get("left"))
            case "compiling":
                job.compiling = said["now"]
            case "warning":
                job.warnings.append(said["text"])
            case "value":
                self._take(job, said["name"], said["value"])
                return
            case "done":
                self._finish(job, "done", "")
                return
            case "failed":
                self._finish(job, "failed", said["text"])
                return
            case "stopped":
                self._finish(job, "stopped", _stopped(job))
                return
        self._tell(job)

    def _finish(self, job: Job, state: State, message: str) -> None:
        job.state, job.message, job.ended, job.compiling = state, message, time.monotonic(), False
        self._ended(job)
        self._tell(job)

    def _tell(self, job: Job) -> None:
        self._events.tell("job", job.describe())


def _stopped(job: Job) -> str:
    return f"Stopped. Kept: {job.kept}." if job.kept else "Stopped. Nothing was kept, nothing was written."


def _ending(job: Job, code: int | None) -> tuple[State, str]:
    """What to say of a process that ended without a word."""
    if job.state == "stopping" or job.passing:
        return "stopped", _stopped(job)
    cause = f"signal {-code}" if code and code < 0 else f"exit code {code}"
    return "failed", (
        f"The process of this job was ended from outside ({cause}), perhaps for want of memory. Nothing was written. "
        "Start it again."
    )

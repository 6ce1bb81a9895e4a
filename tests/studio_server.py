"""A studio in a process of its own, talked to over HTTP as a browser would."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

PATIENCE = 120.0  # seconds, for a machine that is busy or compiles


class Server:
    """A running studio and the cookie of its owner."""

    def __init__(self, home: Path, *arguments: str) -> None:
        self.home = home
        environment = {
            **os.environ,
            "XDG_STATE_HOME": str(home / "state"),
            "XDG_DATA_HOME": str(home / "data"),
            "HOME": str(home),
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "graphveil", "studio", "--no-browser", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            cwd=home,
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        self.port = urlsplit(self.address).port or 0
        self.cookie = ""

    @property
    def token(self) -> str:
        """The token of the address."""
        return self.address.split("token=")[1]

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any, bytes]:
        """Status, headers and content; headers are given with _ for -, and None takes one away."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        usual = {"Host": f"127.0.0.1:{self.port}", "Cookie": self.cookie}
        if method == "POST":
            usual |= {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {name: value for name, value in (usual | given).items() if value}
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        try:
            connection.request(method, path, content, sent)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def log_in(self) -> Server:
        """Exchange the token for the cookie."""
        _, headers, _ = self.request("GET", f"/?token={self.token}")
        self.cookie = headers["set-cookie"].split(";")[0]
        return self

    def get(self, path: str) -> str:
        """A page."""
        status, _, content = self.request("GET", path)
        assert status == 200, (status, content)
        return content.decode()

    def do(self, name: str, **form: Any) -> dict[str, Any]:
        """What a form does."""
        status, _, content = self.request("POST", f"/do/{name}", form)
        assert status == 200, (status, content)
        return json.loads(content)

    @contextmanager
    def events(self, after: int = 0) -> Iterator[Iterator[tuple[int, str, Any]]]:
        """The stream of events behind a number."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Host": f"127.0.0.1:{self.port}", "Cookie": self.cookie, "Last-Event-ID": str(after)}
        connection.request("GET", "/events", headers=headers)
        answer = connection.getresponse()
        assert answer.status == 200
        try:
            yield _parsed(answer)
        finally:
            connection.close()

    def wait(self, job: int, until: Callable[[dict[str, Any]], bool] | None = None) -> dict[str, Any]:
        """Wait until a job has ended, or until it is as asked for; gives its last event."""
        over = until or (lambda event: event["state"] in ("done", "failed", "stopped"))
        with self.events() as events:
            for _, kind, data in events:
                if kind == "job" and data["number"] == job and over(data):
                    return data
        raise AssertionError("the stream ended before the job did")

    def workers(self) -> list[int]:
        """The processes that the server has started."""
        return children(self.process.pid)

    def end(self, how: signal.Signals = signal.SIGINT) -> None:
        """End the server."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.communicate(timeout=PATIENCE)


def children(parent: int) -> list[int]:
    """The processes that one has started and that still run."""
    everybody = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]
    return [process for process in everybody if _state(process)[1] == parent and alive(process)]


def alive(process: int) -> bool:
    """Whether a process runs."""
    return _state(process)[0] not in ("", "Z")


def _state(process: int) -> tuple[str, int]:
    """The letter of its state, and its parent."""
    try:
        state, parent = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[:2]
    except OSError:
        return "", 0
    return state, int(parent)


def wait_until(condition: Callable[[], Any], seconds: float = PATIENCE) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


def _parsed(lines: Any) -> Iterator[tuple[int, str, Any]]:
    fields: dict[str, str] = {}
    for line in lines:
        text = line.decode().rstrip("\n")
        if text:
            name, _, value = text.partition(": ")
            fields[name] = value
        else:
            if "data" in fields:
                yield int(fields["id"]), fields["event"], json.loads(fields["data"])
            fields = {}

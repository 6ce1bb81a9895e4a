"""Start the studio: a socket on 127.0.0.1, the address with its token, and the browser."""

from __future__ import annotations

import signal
import socket
import webbrowser
from collections.abc import Callable
from threading import Thread
from types import FrameType

import uvicorn

from graphveil.errors import ParameterError
from graphveil.studio.app import make_app
from graphveil.studio.guard import Guard
from graphveil.studio.studio import Studio

HOST = "127.0.0.1"


def serve(
    file: str | None = None, *, port: int = 0, browser: bool = True, told: Callable[[str], None] = print
) -> None:
    """Serve the studio until Ctrl-C; ``told`` gets its address. Port 0 takes one that is free."""
    listening = _listen(port)
    port = listening.getsockname()[1]
    studio = Studio()

    def started() -> None:
        answer = {} if file is None else studio.do("open", {"path": file})
        if "problem" in answer:
            studio.state.problem["open"] = answer["problem"]

    guard = Guard(make_app(studio, started=started), port)
    config = uvicorn.Config(
        guard,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=2,
        ws="none",
        proxy_headers=False,
    )
    server = _Server(config, studio.events.close)
    address = f"http://{HOST}:{port}/?token={guard.token}"
    # Before anybody knows the address, and when uvicorn raises Ctrl-C again
    usual = signal.signal(signal.SIGINT, server.handle_exit)
    try:
        told(address)
        if browser:
            Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        with listening:
            server.run(sockets=[listening])
    finally:
        signal.signal(signal.SIGINT, usual)


class _Server(uvicorn.Server):
    """Ends the streams of open tabs first; otherwise it would wait for them, and complain."""

    def __init__(self, config: uvicorn.Config, ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._ending = ending

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """As uvicorn calls it at Ctrl-C."""
        self._ending()
        super().handle_exit(sig, frame)


def _listen(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise ParameterError(
            f"port {port} cannot be used ({error.strerror}). Choose another (port=)."
        ) from None
    return listening

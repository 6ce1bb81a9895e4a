"""Who may talk to the studio: the browser of the one who started it, and no page of anybody else.

The address that is printed carries a token that works once. It is exchanged for a cookie that scripts cannot read and
other sites cannot use. Every request must name this machine as its host, which stops other sites that point their name
to it (DNS rebinding); a request that changes something must come from a page of the studio and speak JSON, which a form
of another site cannot do. The answers forbid inline code, frames, caches and requests to anywhere else.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
# A published report carries its own style and runs nothing; only the studio shows it in a frame.
REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox"
)
HEADERS = {
    "content-security-policy": POLICY,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
LARGEST_BODY = 1 << 20
READING = ("GET", "HEAD")


class Guard:
    """An ASGI application in front of another one."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self.token: str | None = secrets.token_urlsafe(32)
        self._secret = secrets.token_urlsafe(32)
        self._cookie = f"graphveil-studio-{port}"  # cookies do not tell ports apart
        self._hosts = [f"127.0.0.1:{port}", f"localhost:{port}"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that is refused or brings the token; hand on every other one."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            app = self._refused(Request(scope)) or self._app
            await app(scope, receive, _with_headers(send))

    def _refused(self, request: Request) -> Response | None:
        if request.headers.getlist("host") not in ([host] for host in self._hosts):
            return _no("This host name is not the studio's.")
        if (token := request.query_params.get("token")) is not None and request.method == "GET":
            return self._exchanged(request, token)
        if not self._known(request):
            return _no("Open the studio with the address that the terminal shows; it works once.")
        if request.method not in READING:
            return self._refused_write(request)
        return None

    def _exchanged(self, request: Request, token: str) -> Response:
        """The cookie for the token; who has the cookie already only loses the token from the address."""
        fresh = self.token is not None and secrets.compare_digest(token.encode(), self.token.encode())
        if not fresh and not self._known(request):
            return _no("This address was used before. Start the studio again for a new one.")
        answer = RedirectResponse("/" + request.url.path.lstrip("/\\"), 303)  # //host is another host
        if fresh:
            self.token = None
            answer.set_cookie(self._cookie, self._secret, httponly=True, samesite="strict", path="/")
        return answer

    def _known(self, request: Request) -> bool:
        return secrets.compare_digest(request.cookies.get(self._cookie, "").encode(), self._secret.encode())

    def _refused_write(self, request: Request) -> Response | None:
        if request.headers.getlist("origin") not in ([f"http://{host}"] for host in self._hosts):
            return _no("Only the studio's own pages may change something.")
        if request.headers.get("content-type", "").split(";")[0].strip() != "application/json":
            return _no("Only JSON is accepted.", 415)
        length = request.headers.get("content-length", "")
        if not (length.isdecimal() and int(length) <= LARGEST_BODY):
            return _no("This request is too large.", 413)
        return None


def _no(why: str, status: int = 403) -> Response:
    return PlainTextResponse(f"graphveil studio: {why}\n", status)


def _with_headers(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _missing(headers, HEADERS.items()):
                headers[name] = value
        await send(message)

    return with_headers


def _missing(headers: MutableHeaders, wanted: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(name, value) for name, value in wanted if name not in headers]

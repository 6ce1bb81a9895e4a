"""The addresses of the studio: pages, what they ask for, and the stream of events."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import resources
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

from graphveil.pages import environment, stylesheet
from graphveil.studio import views
from graphveil.studio.browsing import dropped, listing
from graphveil.studio.guard import REPORT_POLICY
from graphveil.studio.state import recent_files
from graphveil.studio.studio import Studio

TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
LARGEST_REPORT = 32 << 20


def make_app(studio: Studio, *, started: Callable[[], None] = lambda: None) -> Starlette:
    """The application for one studio."""

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        started()
        yield
        studio.events.close()
        await studio.jobs.close()

    def draw_all() -> None:
        for step in views.STEPS:
            _page(studio, step)

    studio.draw_all = draw_all

    async def page(request: Request) -> Response:
        step = request.path_params["step"]
        return RedirectResponse("/open", 303) if _was_refused(studio, step) else _page(studio, step)

    def files(request: Request) -> Response:
        shown = listing(request.query_params.get("folder", ""), request.query_params.get("want", "file"))
        return _html("studio/files.html", shown=shown, want=request.query_params.get("want", "file"))

    def found(request: Request) -> Response:
        asked = request.query_params
        size = asked.get("size", "")
        usual = (os.path.dirname(path) for path in recent_files())
        folders = (asked.get("folder", ""), *usual, ".", "~", "~/Downloads", "~/Documents", "~/Desktop")
        return JSONResponse(dropped(asked.get("name", ""), int(size) if size.isdecimal() else -1, folders))

    async def do(request: Request) -> Response:
        return await _answer(request, studio.do)

    async def text(request: Request) -> Response:
        return await _answer(request, studio.text)

    async def events(request: Request) -> Response:
        after = request.headers.get("last-event-id") or request.query_params.get("after", "0")
        stream = studio.events.stream(int(after) if after.isdecimal() else 0)
        return StreamingResponse(stream, media_type="text/event-stream")

    async def audit(_: Request) -> Response:
        state = studio.state
        before = state.audit and {name: value for name, value in state.audit.items() if name != "members"}
        return JSONResponse({"before": before, "k": state.k, "looked_up": state.looked_up})

    async def group(request: Request) -> Response:
        found = (studio.state.audit or {}).get("members", {}).get(request.path_params["value"])
        return JSONResponse(found) if found else PlainTextResponse("nobody is shown of this group", 404)

    async def picture(_: Request) -> Response:
        return JSONResponse(views.picture(studio.state))

    async def script(request: Request) -> Response:
        return _script(studio, request.path_params["kind"])

    def report(request: Request) -> Response:
        return _report(studio, request.path_params["which"])

    return Starlette(
        routes=[
            Route("/", lambda _: RedirectResponse(_first(studio), 303)),
            Route("/static/{name}", _static),
            Route("/events", events),
            Route("/audit.json", audit),
            Route("/group/{value}", group),
            Route("/picture.json", picture),
            Route("/files", files),
            Route("/dropped", found),
            Route("/script/{kind}", script),
            Route("/report/{which}", report),
            Route("/do/{name}", do, methods=["POST"]),
            Route("/text/{name}", text, methods=["POST"]),
            Route("/{step}", page),
        ],
        lifespan=life,
    )


def _first(studio: Studio) -> str:
    return "/exposure" if studio.state.path and not _was_refused(studio, "exposure") else "/open"


def _was_refused(studio: Studio, step: str) -> bool:
    """Whether there is nothing to see but why the file was refused, which the page Open says."""
    state = studio.state
    return step == "exposure" and bool(state.path) and not state.audit and "open" in state.problem


def _html(template: str, /, **values: Any) -> Response:
    return HTMLResponse(environment("graphveil.studio").get_template(template).render(**values))


def _page(studio: Studio, step: str) -> Response:
    if step not in views.STEPS:
        raise HTTPException(404)
    return _html(f"studio/{step}.html", **views.view(studio, step))


async def _answer(request: Request, function: Callable[[str, dict[str, Any]], dict[str, Any]]) -> Response:
    """What a function answers to a form."""
    try:
        form = await request.json()
    except (ValueError, RecursionError):
        form = None
    if not _is_form(form):
        raise HTTPException(400, "a JSON object of texts is expected")
    try:
        return JSONResponse(function(request.path_params["name"], form))
    except LookupError:
        raise HTTPException(404) from None


def _is_form(form: Any) -> bool:
    """Whether it is what a page sends: names with texts, numbers, or lists of them, that can be written as UTF-8."""
    if not isinstance(form, dict):
        return False
    values = [each for value in form.values() for each in (value if isinstance(value, list) else [value])]
    if not all(isinstance(each, str | int | float | None) for each in values):
        return False
    try:
        json.dumps(form, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _static(request: Request) -> Response:
    name = request.path_params["name"]
    if name == "style.css":
        return Response(str(stylesheet()), media_type=TYPES[".css"])
    folder = resources.files("graphveil.studio") / "static"
    file = next((each for each in folder.iterdir() if each.name == name), None)
    if file is None:
        raise HTTPException(404)
    return Response(file.read_bytes(), media_type=TYPES[os.path.splitext(name)[1]])


def _script(studio: Studio, kind: str) -> Response:
    """Everything that was done, as one script to save."""
    if kind not in views.SCRIPTS:
        raise HTTPException(404)
    headers = {"content-disposition": f'attachment; filename="{views.SCRIPTS[kind]}"'}
    return PlainTextResponse(views.whole_script(studio.state, kind), headers=headers)


def _report(studio: Studio, which: str) -> Response:
    """A published report, for a frame of the page Publish."""
    headers = {"content-security-policy": REPORT_POLICY, "x-frame-options": "SAMEORIGIN"}
    if which == "statement" and studio.state.statement:
        return HTMLResponse(studio.state.statement["html"], headers=headers)
    if which not in ("public", "private") or studio.state.publication is None:
        raise HTTPException(404)
    path = os.path.join(studio.state.publication["folder"], which, "report.html")
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with open(handle, "rb") as file:
            content = file.read(LARGEST_REPORT)
    except OSError as error:
        raise HTTPException(404, f"{path}: {error.strerror}") from None
    return HTMLResponse(content, headers=headers)

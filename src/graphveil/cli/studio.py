"""``graphveil studio``: the whole way on a local page."""

from __future__ import annotations

from importlib.util import find_spec

import click

from graphveil.cli.commands import command
from graphveil.cli.streams import note
from graphveil.errors import ParameterError

NEEDED = ("starlette", "uvicorn")


@command("studio")
@click.argument("file", required=False, type=click.Path())
def studio(file: str | None, port: int, no_browser: bool) -> None:
    """Open graphveil in the browser.

    A page on this machine that leads from a file to a published folder: open, see who is exposed, protect, compare,
    publish, restore. Nothing leaves the machine. The address works once; Ctrl-C ends the studio.

    \b
    Examples:
      graphveil studio
      graphveil studio friends.csv
      graphveil studio --no-browser --port 8765
    """
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise ParameterError(
            f"the studio needs {', '.join(missing)}. Install them with: pip install 'graphveil[studio]'"
        )
    from graphveil.studio.server import serve

    note("graphveil studio runs on this machine only. Ctrl-C ends it.")
    serve(file, port=port, browser=not no_browser, told=lambda address: print(address, flush=True))

"""All that the studio knows: the file, what was chosen, what was found. It lives on the server; tabs only show it."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from graphveil.errors import InputError, ParameterError
from graphveil.formats.atomic import write_whole
from graphveil.studio.actions import Action

SCHEMA = "graphveil/studio/1"
MOST_RECENT = 8


@dataclass
class State:
    """The owner's work. Everything in it is plain JSON, so that it can be saved as one project file."""

    # The file, and the options it is read with
    path: str = ""
    reading: dict[str, Any] = field(default_factory=dict)
    preview: dict[str, Any] | None = None  # the first rows and the columns taken
    refused: dict[str, Any] | None = None  # the same of a file that was refused while another one stayed open
    graph: dict[str, Any] | None = None  # how large it is, what was merged or dropped
    k: int = 25  # the k of every page
    within: str = ""  # the factor to which attackers know their numbers, if that is counted too
    # Of the graph, and of the result
    audit: dict[str, Any] | None = None
    looked_up: dict[str, Any] | None = None  # the person or friendship that was looked up last
    # What the forms of these pages hold
    protect: dict[str, Any] = field(default_factory=dict)
    # What was found
    prediction: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    picture: dict[str, Any] | None = None  # the network as it is drawn
    changes: dict[str, Any] | None = None  # what the result changed in it
    compare: dict[str, Any] = field(default_factory=dict)
    cells: list[dict[str, Any]] = field(default_factory=list)
    comparison: dict[str, Any] | None = None
    publish: dict[str, Any] = field(default_factory=dict)
    kept: dict[str, Any] | None = None  # the attributes of people as they would be published
    publication: dict[str, Any] | None = None
    verification: dict[str, Any] | None = None
    statement: dict[str, Any] | None = None
    restore: dict[str, Any] = field(default_factory=dict)
    restored: dict[str, Any] | None = None
    # By page, why its last job failed, and what it warned of
    problem: dict[str, str] = field(default_factory=dict)
    warnings: dict[str, list[str]] = field(default_factory=dict)
    log: list[list[dict[str, Any]]] = field(default_factory=list)  # every action that was done, as a record

    @property
    def name(self) -> str:
        """What the file is called."""
        return os.path.basename(self.path)

    def forget_graph(self, *, same_file: bool = False) -> None:
        """Another file or other options: nothing that was found holds any more. Choices are for one file."""
        new = State(path=self.path, reading=self.reading, k=self.k, restore=self.restore, log=self.log)
        if same_file:
            new.protect, new.compare = self.protect, self.compare
        self.become(new)

    def become(self, other: State) -> None:
        """Take everything over from another state."""
        for each in fields(self):
            setattr(self, each.name, getattr(other, each.name))

    def remember(self, action: Action) -> None:
        """Add an action to the log."""
        self.log.append(action.record())


def save_project(state: State, path: str) -> str:
    """Write everything into one file that only its owner can read; gives its real path."""
    target = os.path.abspath(os.path.expanduser(path))
    if os.path.lexists(target) and not _is_project(target):
        raise ParameterError(
            f"{target} exists and is no project of graphveil studio, so it is not replaced. Choose another name."
        )
    text = json.dumps({"schema": SCHEMA, **asdict(state)}, indent=1)
    write_whole(target, [text.encode()], private=True)
    return target


def _is_project(path: str) -> bool:
    """Whether a file begins as a saved project does."""
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(100).startswith(b'{\n "schema": "graphveil/studio/')
    except OSError:
        return False


def open_project(path: str) -> State:
    """The state that a project file holds."""
    target = os.path.abspath(os.path.expanduser(path))
    try:
        document = json.loads(Path(target).read_bytes())
    except OSError as error:
        raise InputError(target, f"it cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError):
        document = None
    known = {each.name: each for each in fields(State)}
    if not isinstance(document, dict) or document.pop("schema", None) != SCHEMA:
        raise InputError(target, "this is no project of graphveil studio", remedy="Choose another file.")
    document.pop("frontier", None)  # of an earlier version, which kept what can be counted again
    empty = State()
    for name, value in document.items():
        if name not in known or not _fits(getattr(empty, name), value):
            raise InputError(target, f"this project is damaged at {name!r}", remedy="Choose another file.")
    return State(**document)


def _fits(usual: Any, value: Any) -> bool:
    """Whether a value of the project has the type of the field."""
    return isinstance(value, dict | None) if usual is None else isinstance(value, type(usual))


def recent_files() -> list[str]:
    """Files that were opened before, the latest first, if they are still there."""
    try:
        found = json.loads(_recent().read_bytes())
    except (OSError, ValueError):
        return []
    return [path for path in found if isinstance(path, str) and os.path.exists(path)][:MOST_RECENT]


def remember_file(path: str) -> None:
    """Put a file first among the recent ones; not being able to is no error."""
    paths = [path, *(each for each in recent_files() if each != path)]
    try:
        _recent().parent.mkdir(0o700, parents=True, exist_ok=True)
        write_whole(str(_recent()), [json.dumps(paths[:MOST_RECENT]).encode()], private=True)
    except Exception:
        return


def _recent() -> Path:
    home = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return Path(home, "graphveil", "studio-recent.json")

"""What the studio does, as records: functions of graphveil and their arguments.

An action is a row of steps. Each step calls one public function with the value of the step before it. The worker runs
the steps; the command line and the Python script are texts of the same steps, so none of them can differ from the
others.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["FUNCTIONS", "READING", "Action", "Function", "Step"]

FILE = ""  # an argument of the command line that has no option


@dataclass(frozen=True)
class Function:
    """How a public function is called, in Python and on the command line.

    Attributes
    ----------
    home
        The module that has it
    command
        The command that ends with it
    gives
        The variable that holds what it returns
    takes
        The variable of an earlier step that comes first, if any
    options
        From arguments to options of the command; `FILE` for one without
    shown
        The last line of a script that ends here
    """

    home: str
    command: str
    gives: str
    takes: str | None
    options: Mapping[str, str]
    shown: str


READING = {
    "path": FILE,
    "format": "--format",
    "delimiter": "--delimiter",
    "columns": "--columns",
    "header": "--header",
    "comments": "--comments",
    "quotes": "--quotes",
    "encoding": "--encoding",
    "vertices": "--vertices",
    "project": "--project",
    "max_memory": "--max-memory",
    "undirected": "--undirected",
    "strict": "--strict",
    "keep_vertex_attributes": "--keep-vertex-attribute",
}

FUNCTIONS = {
    "read": Function("graphveil", "audit", "graph", None, READING, "print(graph)"),
    "generate": Function(
        "graphveil", "generate", "town", None, {"edges": "--edges", "seed": "--seed"}, "print(town)"
    ),
    "write": Function("graphveil", "generate", "", "town", {"path": "--output"}, ""),
    "audit": Function(
        "graphveil",
        "audit",
        "found",
        "graph",
        {"k": "-k", "at_most": "--at-most", "top": "--top"},
        "print(found.to_dict())",
    ),
    "look_up": Function("graphveil", "audit", "found", "graph", {"people": "--who"}, "print(found)"),
    "anonymize": Function(
        "graphveil",
        "anonymize",
        "result",
        "graph",
        {
            "k": "-k",
            "method": "--method",
            "degree_k": "--degree-k",
            "degree_method": "--degree-method",
            "spread": "--spread",
            "keep_edges": "--keep-edges",
            "budget": "--budget",
            "seed": "--seed",
        },
        'print(result.changed, "changes;", result.promises)',
    ),
    "predict_changes": Function(
        "graphveil.methods.predicting",
        "anonymize",
        "prediction",
        "graph",
        {"k": "-k", "degree_k": "--degree-k", "spread": "--spread", "keep_edges": "--keep-edges"},
        "print(prediction.changes)",
    ),
    "publish": Function(
        "graphveil",
        "anonymize",
        "publication",
        "result",
        {
            "folder": "--output",
            "format": "--format",
            "keep_vertex_attributes": "--keep-vertex-attribute",
            "keep_identifying": "--keep-identifying",
            "report": "--report",
            "title": "--title",
            "contact": "--contact",
            "license": "--license",
            "force": "--force",
        },
        "print(publication.folder)",
    ),
    "compare": Function(
        "graphveil",
        "compare",
        "found",
        "graph",
        {
            "k": "-k",
            "methods": "--methods",
            "degree_k": "--degree-k",
            "seed": "--seed",
            "repeats": "--repeats",
            "quick": "--quick",
            "folder": "--output",
        },
        "print(found.to_dict())",
    ),
    "check": Function(
        "graphveil.publication", "verify", "found", None, {"folder": FILE}, "print(found.to_dict())"
    ),
    "preview_restore": Function(
        "graphveil.publication",
        "restore",
        "rows",
        None,
        {"private": FILE, "results": FILE, "columns": "--columns", "header": "--header"},
        "print(rows)",
    ),
    "restore": Function(
        "graphveil.publication",
        "restore",
        "restored",
        None,
        {
            "private": FILE,
            "results": FILE,
            "output": "--output",
            "columns": "--columns",
            "delimiter": "--delimiter",
            "header": "--header",
            "exact": "--exact",
        },
        "print(restored.rows)",
    ),
}
# Their command goes on and writes files.
PART_OF_A_COMMAND = {"anonymize", "predict_changes", "preview_restore"}
REPEATED = {"keep_vertex_attributes", "people"}  # options that are given once for each value


@dataclass(frozen=True)
class Step:
    """A call of one function; arguments that are None are left to the function's defaults."""

    function: str
    arguments: Mapping[str, Any] = field(default_factory=dict)

    @property
    def given(self) -> dict[str, Any]:
        """The arguments that are given."""
        return {name: value for name, value in self.arguments.items() if value is not None}


@dataclass(frozen=True)
class Action:
    """Steps, each with the value of an earlier one."""

    steps: tuple[Step, ...]

    @classmethod
    def of(cls, *steps: tuple[str, Mapping[str, Any]]) -> Action:
        """From pairs of a function's name and its arguments.

        Examples
        --------
        >>> action = Action.of(("read", {"path": "my friends.csv"}), ("audit", {"k": 25}))
        >>> print(action.command())
        graphveil audit -k 25 -- 'my friends.csv'
        >>> print(action.script())
        import graphveil
        <BLANKLINE>
        graph = graphveil.read('my friends.csv')
        found = graphveil.audit(graph, k=25)
        print(found.to_dict())
        <BLANKLINE>
        """
        return cls(tuple(Step(name, dict(arguments)) for name, arguments in steps))

    @classmethod
    def from_record(cls, record: list[dict[str, Any]]) -> Action:
        """From what `record` gave."""
        return cls.of(*((step["function"], step["arguments"]) for step in record))

    def record(self) -> list[dict[str, Any]]:
        """Plain lists and dicts, for JSON."""
        return [{"function": step.function, "arguments": step.given} for step in self.steps]

    @property
    def has_command(self) -> bool:
        """Whether a command line does just this, not more."""
        return self.steps[-1].function not in PART_OF_A_COMMAND

    def command(self) -> str:
        """The command line that does the same; a line for each row of steps that begins anew."""
        rows: list[list[Step]] = []
        for step in self.steps:
            rows = rows if FUNCTIONS[step.function].takes else [*rows, []]
            rows[-1].append(step)
        return "\n".join(map(_command, rows))

    def script(self) -> str:
        """The Python script that does the same."""
        calls = [_call(step) for step in self.steps]
        homes = {FUNCTIONS[step.function].home for step in self.steps}
        imports = [f"import {home}" for home in sorted(homes)]
        return "\n".join([*imports, "", *calls, FUNCTIONS[self.steps[-1].function].shown, ""])


def _command(steps: list[Step]) -> str:
    name = FUNCTIONS[steps[-1].function].command
    options: list[str] = []
    files: list[str] = []
    for step in steps:
        for argument, value in step.given.items():
            option = FUNCTIONS[step.function].options.get(argument)
            if option == FILE:
                files.append(str(value))
            elif option is not None and not (
                argument == "keep_vertex_attributes" and step.function != "read"
            ):
                options += _typed(_renamed(option, step.function, name), value, argument in REPEATED)
    return shlex.join(["graphveil", name, *options, *(["--", *files] if files else [])])


def _renamed(option: str, function: str, command: str) -> str:
    """``anonymize`` writes a format too, and so has another name for that of its input."""
    return "--from" if (option, function, command) == ("--format", "read", "anonymize") else option


def _typed(option: str, value: Any, repeated: bool) -> Iterator[str]:
    """An option and its value as words of a command line."""
    if isinstance(value, bool):
        if value:
            yield option
        elif option in ("--header", "--quotes"):
            yield f"--no-{option[2:]}"
    elif repeated:
        for one in value:
            yield from _typed(option, one, False)
    else:
        text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        text = text.replace("\t", r"\t") if option == "--delimiter" else text
        yield from (option, text) if not option.startswith("--") else (f"{option}={text}",)


def _call(step: Step) -> str:
    function = FUNCTIONS[step.function]
    positional = [function.takes] if function.takes else []
    named: list[str] = []
    for name, value in step.given.items():
        if name in ("path", "folder", "private", "results", "output") and not named:
            positional.append(repr(value))
        else:
            named.append(f"{name}={value!r}")
    call = f"{function.home}.{step.function}({', '.join(positional + named)})"
    return f"{function.gives} = {call}" if function.gives else call

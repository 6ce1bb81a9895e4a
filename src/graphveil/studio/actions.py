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

from graphveil.cli.kinds import DELIMITER, IDS
from graphveil.cli.option import Option
from graphveil.cli.options import options_of


@dataclass(frozen=True)
class Function:
    """How a public function is called, in Python and on the command line."""

    home: str  # the module that has it
    command: str  # the command that ends with it; its options are named after the arguments
    gives: str  # the variable that holds what it returns
    takes: str | None  # the variable of an earlier step that comes first, if any
    shown: str  # the last line of a script that ends here
    places: tuple[str, ...] = ()  # arguments of the command line that have no option
    # From arguments to the options that are named otherwise
    renamed: Mapping[str, str] = field(default_factory=dict)


HERE, METHODS = "graphveil", "graphveil.methods.predicting"
ATTRIBUTES, PUBLICATION = "graphveil.attributes", "graphveil.publication"

FUNCTIONS = {
    "read": Function(HERE, "audit", "graph", None, "print(graph)", ("path",)),
    "generate": Function(HERE, "generate", "town", None, "print(town)"),
    "write": Function(HERE, "generate", "", "town", "", renamed={"path": "output"}),
    "audit": Function(HERE, "audit", "found", "graph", "print(found.to_dict())"),
    "look_up": Function(HERE, "audit", "found", "graph", "print(found)", renamed={"people": "who"}),
    "anonymize": Function(HERE, "anonymize", "result", "graph", 'print(result.changed, "changes;", result.goals)'),
    "predict_changes": Function(METHODS, "anonymize", "prediction", "graph", "print(prediction)"),
    "propose": Function(ATTRIBUTES, "anonymize", "found", "graph.vertex_attributes", "print(found.parameters())"),
    "publish": Function(HERE, "anonymize", "publication", "result", "print(publication.folder)",
                        renamed={"folder": "output", "format": "to"}),
    "compare": Function(HERE, "compare", "found", "graph", "print(found.to_dict())", renamed={"folder": "output"}),
    "check": Function(PUBLICATION, "verify", "found", None, "print(found.to_dict())", ("folder",)),
    "preview_restore": Function(PUBLICATION, "restore", "rows", None, "print(rows)", ("private", "results")),
    "restore": Function(PUBLICATION, "restore", "restored", None, "print(restored.rows)", ("private", "results")),
    "statement": Function(HERE, "statement", "page", None, "print(page.markdown())", ("folder",)),
    "save_statement": Function(PUBLICATION, "statement", "", "page", "", renamed={"path": "output"}),
}  # fmt: skip
# Their command goes on and writes files.
PART_OF_A_COMMAND = {"anonymize", "predict_changes", "propose", "preview_restore"}


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

    def again(self) -> Action:
        """The action as it runs a second time: what it published is replaced."""
        more = {name: {"force": True} for name in ("publish", "save_statement")}
        steps = (
            Step(each.function, {**each.arguments, **more.get(each.function, {})}) for each in self.steps
        )
        return Action(tuple(steps))

    def at(self, k: int) -> Action:
        """The action as somebody would type it, who audits at one k and not at all that a page can show."""
        usual = [
            Step("audit", {**each.arguments, "k": k, "top": None}) if each.function == "audit" else each
            for each in self.steps
        ]
        return Action(tuple(usual))

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
    rows = options_of(name)
    typed: dict[str, list[str]] = {}
    files: list[str] = []
    for step in steps:
        function = FUNCTIONS[step.function]
        for argument, value in step.given.items():
            if argument in function.places:
                files.append(str(value))
            elif row := rows.get(function.renamed.get(argument, argument)):
                typed.setdefault(row.name, list(_typed(row, value)))  # reading knows more of what is kept
    if name == "anonymize" and "k" not in typed:  # which the command has by default, and Python has not
        typed["k"] = ["-k", "off"]
    options = [word for words in typed.values() for word in words]
    return shlex.join(["graphveil", name, *options, *(["--", *files] if files else [])])


def _typed(row: Option, value: Any) -> Iterator[str]:
    """An option and its value as words of a command line."""
    if isinstance(value, bool):
        if value:
            yield row.flag
        elif "/" in row.flags:
            yield row.flags.split("/")[1]
    elif row.kind == IDS:  # a name may have a comma
        yield from (f"{row.flag}={each}" for each in value)
    else:
        text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        text = text.replace("\t", r"\t") if row.kind == DELIMITER else text
        yield from (row.flag, text) if not row.flag.startswith("--") else (f"{row.flag}={text}",)


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

"""The house by its imports: dependencies point one way, late imports included, and no name stands for two things."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

import pytest

import graphveil

SOURCE = Path(graphveil.__file__).parent

# From the ground up. A module may import those of its own floor and of the floors below.
FLOORS = (
    {"_version", "errors", "words", "records", "parameters", "stopping", "origin", "recounting"},
    {"compiling", "goals", "kernels", "pages"},
    {"notebooks"},
    {"graph", "numbering", "repeated", "sorting", "counting", "differences", "generation"},
    {"formats"},
    {"attributes", "mutual"},
    {"risk", "verification"},
    {"methods"},
    {"measures"},
    {"publication"},
    {"experiments"},
    {"spark"},
    {"cli", "studio"},
)


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the package by its name, as a syntax tree."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = ("graphveil", *path.relative_to(SOURCE).with_suffix("").parts)
        found[".".join(parts).removesuffix(".__init__")] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def imported(tree: ast.Module, names: set[str]) -> Iterator[str]:
    """The modules of the package that a module imports at run time, at the top or late."""
    only_for_types = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if node in only_for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("graphveil"):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield whole if whole in names else node.module


@cache
def arrows() -> dict[str, set[str]]:
    """Each module and those it imports."""
    trees = modules()
    return {name: set(imported(tree, set(trees))) - {name} for name, tree in trees.items()}


def floor(module: str) -> int:
    """On which floor a module lives."""
    return next(number for number, rooms in enumerate(FLOORS) if module.split(".")[1] in rooms)


def test_no_cycle_not_even_by_a_late_import():
    inside = {
        name: {other for other in others if not name.startswith(f"{other}.")}  # a package names its modules
        for name, others in arrows().items()
        if name not in ("graphveil", "graphveil.__main__")
    }
    try:
        TopologicalSorter(inside).prepare()
    except CycleError as error:
        pytest.fail(" ← ".join(error.args[1]))


def test_no_arrow_points_upwards():
    upward = [
        f"{name} imports {other}"
        for name, others in arrows().items()
        for other in others
        if name.count(".") and name != "graphveil.__main__" and other.count(".")
        if floor(other) > floor(name)
    ]
    assert upward == []


def test_the_page_shows_the_same_floors():
    page = (Path(__file__).parent.parent / "docs/architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \d+ \| (.*) \|$", page, re.MULTILINE)
    shown = [set(re.findall(r"`(\w+)(?:/|\.py)`", row)) for row in reversed(rows)]
    assert shown == [rooms - {"_version"} for rooms in FLOORS]


def test_every_floor_has_a_room():
    here = {name.split(".")[1] for name in modules() if "." in name}
    assert here - set.union(*FLOORS) == {"__main__"}
    assert all(not (above & below) for above, below in pairwise(FLOORS))


def test_no_function_has_the_name_of_a_module():
    code = """
import graphveil, importlib, pkgutil, sys
for module in pkgutil.walk_packages(graphveil.__path__, "graphveil."):
    if "__main__" not in module.name and not module.name.startswith(("graphveil.spark", "graphveil.studio")):
        importlib.import_module(module.name)
for name, module in sorted(sys.modules.items()):
    if name == "graphveil" or (name.startswith("graphveil.") and hasattr(module, "__path__")):
        public = getattr(module, "__all__", ())
        print(*(f"{name}.{each}" for each in public if f"{name}.{each}" in sys.modules), sep="", end="")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == ""


def test_nothing_traces_the_interpreter():
    assert [
        str(path) for path in SOURCE.rglob("*.py") if "settrace" in path.read_text(encoding="utf-8")
    ] == []

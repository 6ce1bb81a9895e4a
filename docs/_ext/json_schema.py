"""A directive that shows the fields of a JSON Schema of the package as tables: ``{json-schema} audit-3``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import resources
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

ROW = "| {} | {} | {} |"


class JsonSchema(Directive):
    """A table for the document, and one for each kind of object in it."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The tables, written in Markdown."""
        path = resources.files("graphveil").joinpath(f"schemas/{self.arguments[0]}.json")
        schema = json.loads(path.read_text(encoding="utf-8"))
        found = nodes.Element()
        lines = [line for name, each in _objects(schema) for line in _table(name, each)]
        self.state.nested_parse(StringList(lines, str(path)), self.content_offset, found)
        return list(found.children)


def _objects(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "The document", schema
    yield from ((name, each) for name, each in schema.get("$defs", {}).items() if "properties" in each)


def _table(name: str, schema: dict[str, Any]) -> Iterator[str]:
    yield from (f"**{name}**", "", ROW.format("field", "type", "always there"), "|---|---|---|")
    required = schema.get("required", ())
    for field, each in schema["properties"].items():
        yield ROW.format(f"`{field}`", _in_words(each), "yes" if field in required else "no")
    yield ""


def _in_words(schema: dict[str, Any]) -> str:
    """The type of a value, for people."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(each)}`" for each in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(map(_in_words, schema["anyOf"]))
    if schema.get("type") == "array":
        items = schema.get("prefixItems") or [schema.get("items") or {}]
        return f"list of {', '.join(map(_in_words, items))}"
    if schema.get("type") == "object" and schema.get("additionalProperties"):
        return f"by name: {_in_words(schema['additionalProperties'])}"
    return str(schema.get("type", "anything"))


def setup(app: Any) -> dict[str, bool]:
    """What Sphinx calls."""
    app.add_directive("json-schema", JsonSchema)
    return {"parallel_read_safe": True}

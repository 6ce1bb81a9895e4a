"""The certificate as a page for people. It needs no other file, and runs nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

__all__ = ["report"]

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Certificate of a published graph</title>
<style>
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color: #222; }}
table {{ border-collapse: collapse; }}
th, td {{ padding: .3rem 1rem .3rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid #ddd; }}
td.number {{ text-align: right; font-variant-numeric: tabular-nums; }}
code {{ overflow-wrap: anywhere; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #181818; color: #ddd; }} th, td {{ border-color: #444; }} }}
</style>
</head>
<body>
<h1>Certificate of a published graph</h1>
{body}
</body>
</html>
"""


def report(certificate: Mapping[str, Any]) -> str:
    """An HTML page that says what the certificate says. All that comes from outside is escaped."""
    graph, changes, tool = certificate["graph"], certificate["changes"], certificate["tool"]
    parts = [
        f"<p>{graph['vertices']:,} people and {graph['edges']:,} friendships, "
        f"in <code>{escape(graph['file'])}</code>.</p>",
        "<h2>What is promised, and what is not</h2>",
        _items(certificate["limits"]),
        "<h2>Crowds to hide in</h2>",
        _table(("Who knows …", "promised", "smallest crowd"), map(_privacy, certificate["privacy"])),
        "<h2>How far somebody gets who knows more</h2>",
        _table(
            ("Who knows …", "smallest crowd", "chance on average", "k", "among fewer than k"),
            (row for risk in certificate["residual_risk"] for row in _risk(risk)),
        ),
        "<h2>What was changed</h2>",
        _table(("", "number"), ((name.replace("_", " "), f"{number:,}") for name, number in changes.items())),
        *_attributes(certificate["vertex_attributes"]),
        "<h2>Check it yourself</h2>",
        f"<p>Written by {escape(tool['name'])} {escape(tool['version'])}. The SHA-256 of the graph file is "
        f"<code>{graph['sha256']}</code>. All counts can be repeated with <code>graphveil verify</code>.</p>",
    ]
    return PAGE.format(body="\n".join(parts))


def _privacy(each: Mapping[str, Any]) -> tuple[str, str, str]:
    return each["knows"], _number(each["promised"]), _number(each["achieved"])


def _risk(risk: Mapping[str, Any]) -> Iterable[tuple[str, ...]]:
    for exposure in risk["exposures"]:
        yield (
            risk["knows"],
            _number(risk["smallest_class"]),
            f"{risk['mean_probability']:.2%}",
            _number(exposure["k"]),
            f"{exposure['exposed']:,} of {risk['targets']:,}",
        )


def _attributes(attributes: Sequence[Mapping[str, str]]) -> list[str]:
    if not attributes:
        return []
    rows = ((each["name"], each["warning"]) for each in attributes)
    return ["<h2>Attributes that were kept</h2>", _table(("attribute", "warning"), rows)]


def _number(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


def _items(texts: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(text)}</li>" for text in texts) + "</ul>"


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; ``bdi`` keeps names that are written from right to left within their cells."""
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    body = "\n".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows)
    return f"<table>\n<tr>{head}</tr>\n{body}\n</table>"


def _cell(text: str) -> str:
    figure = ' class="number"' if text[:1].isdigit() or text == "–" else ""
    return f"<td{figure}><bdi>{escape(text)}</bdi></td>"

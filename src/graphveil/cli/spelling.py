"""Parameters of Python, which messages name, spelled as options of the command line."""

from __future__ import annotations

import re

NAMES = (
    "columns", "header", "delimiter", "comments", "quotes", "encoding", "vertices", "project", "max_memory",
    "undirected", "strict", "skip_bad_rows", "format", "to", "graph", "force", "keep_identifying", "original", "after",
    "friendships", "degree_k", "degree_method", "spread", "friendship_k", "keep_edges", "reduce", "budget",
    "parts", "master", "remote", "worker_memory", "port",
)  # fmt: skip
PARAMETER = re.compile(
    rf"(?<![\w.-])({'|'.join(NAMES)})=(\[[^\[\]]*\]|\"[^\"]*\"|'[^']*'|True\b|False\b|\d+(?:\.\d+)?)?(?=[\s.;:)]|,(?!\d)|$)"
)


def as_typed(text: str) -> str:
    """The text with parameters as they are typed in a terminal.

    >>> as_typed('Say header=False, or choose two (columns=["name", "friend"]).')
    'Say --no-header, or choose two (--columns name,friend).'
    >>> as_typed('Name the delimiter (delimiter=), or columns=["Person A", "Person B"].')
    'Name the delimiter (--delimiter), or --columns "Person A,Person B".'
    >>> as_typed("Ask for spread=0.5 or more, or leave degree_k= out.")
    'Ask for --spread 0.5 or more, or leave --degree-k out.'
    """
    return PARAMETER.sub(_option, text)


def _option(found: re.Match[str]) -> str:
    name, value = found[1].replace("_", "-"), found[2] or ""
    if value == "False":
        return f"--no-{name}"
    if value in ("", "True"):
        return f"--{name}"
    if value.startswith("["):
        value = ",".join(part.strip().strip("\"'") for part in value[1:-1].split(","))
    else:
        value = value.strip("\"'")
    return f"--{name} {value}" if re.fullmatch(r"[\w.,-]+", value) else f'--{name} "{value}"'

"""Parameters of Python, which messages name, spelled as options of the command line."""

from __future__ import annotations

import ast
import re
import shlex

NAMES = (
    "columns", "header", "delimiter", "comments", "quotes", "encoding", "vertices", "people", "project", "max_memory",
    "undirected", "strict", "skip_bad_rows", "format", "to", "graph", "force", "keep_identifying", "original", "after",
    "friendships", "degree_k", "degree_method", "spread", "friendship_k", "keep_edges", "reduce", "budget",
    "generalize", "group_rare", "suppress", "sensitive", "l_diversity",
    "parts", "master", "remote", "worker_memory", "port",
)  # fmt: skip
PARAMETER = re.compile(
    rf"(?<![\w.-])({'|'.join(NAMES)})=(\[[^\[\]]*\]|\"[^\"]*\"|'[^']*'|True\b|False\b|\d+(?:\.\d+)?)?(?=[\s.;:)]|,(?!\d)|$)"
)


MAPPING = re.compile(r"\b(generalize|group_rare)=(\{[^{}]*\})(?:,(?= group_rare))?")


def as_typed(text: str) -> str:
    """The text with parameters as they are typed in a terminal.

    >>> as_typed('Say header=False, or choose two (columns=["name", "friend"]).')
    'Say --no-header, or choose two (--columns name,friend).'
    >>> as_typed('Name the delimiter (delimiter=), or columns=["Person A", "Person B"].')
    'Name the delimiter (--delimiter), or --columns "Person A,Person B".'
    >>> as_typed("Ask for spread=0.5 or more, or leave degree_k= out.")
    'Ask for --spread 0.5 or more, or leave --degree-k out.'
    >>> as_typed("Use generalize={'age': 10, 'sex': 'a b.csv:2'}, group_rare={'town': 'Other:40'}, or leave it.")
    "Use --generalize age=10 --generalize 'sex=a b.csv:2' --group-rare town=Other:40, or leave it."
    """
    return PARAMETER.sub(_option, MAPPING.sub(_options, text))


def _options(found: re.Match[str]) -> str:
    """An option for each entry of a mapping."""
    pairs = ast.literal_eval(found[2]).items()
    flag = found[1].replace("_", "-")
    return " ".join(f"--{flag} {shlex.quote(f'{name}={value}')}" for name, value in pairs)


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

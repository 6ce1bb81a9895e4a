"""SVG piece by piece; whatever is not `Markup` is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from markupsafe import Markup

__all__ = ["Markup", "join", "markup"]


def markup(template: str, /, **values: Any) -> Markup:
    """Fill in a template of SVG.

    >>> markup("<text>{who} {more}</text>", who="<Eve>", more=Markup("<tspan>Bob</tspan>"))
    Markup('<text>&lt;Eve&gt; <tspan>Bob</tspan></text>')
    """
    return Markup(template).format(**values)


def join(parts: Iterable[str]) -> Markup:
    """Several pieces as one.

    >>> join([Markup("<g/>"), "<Eve>"])
    Markup('<g/>&lt;Eve&gt;')
    """
    return Markup("").join(parts)

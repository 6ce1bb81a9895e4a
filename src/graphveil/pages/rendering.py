"""The environment of all templates, with filters for numbers and names in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from graphveil import words

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

Table = tuple[str, Sequence[str], Iterable[Sequence[str]]]  # caption, headings, rows


@cache
def environment(*packages: str) -> Environment:
    """The templates of this package, and those in the folder ``templates`` of others, such as ``"graphveil.studio"``.

    Theirs may extend ``base.html`` and import ``macros.html``.

    >>> environment().from_string("{{ name }}: {{ 1234|number }}, {{ 0.0277|percent }}").render(name="<Eve>")
    '&lt;Eve&gt;: 1,234, 2.8 %'
    """
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    loaders = [PackageLoader(package) for package in ("graphveil.pages", *packages)]
    result = Environment(
        loader=ChoiceLoader(loaders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    result.filters |= {
        "counted": words.counted,
        "number": lambda value: f"{value:,}",
        "percent": words.percent,
        "plain": words.plain,
        "text": text,
    }
    result.globals["stylesheet"] = stylesheet
    return result


def render(template: str, /, **values: Any) -> str:
    """The page that a template of this package makes of the values."""
    return environment().get_template(template).render(**values)


def plain_text(template: str, /, **values: Any) -> str:
    """The same for a template of text, of which nothing is escaped."""
    return environment().overlay(autoescape=False).get_template(template).render(**values)


def in_notebook(*tables: Table, notes: Iterable[str] = ()) -> str:
    """Small tables for notebooks, each of a caption, headings and rows; then sentences.

    >>> "<td>&lt;3&gt;</td>" in in_notebook(("", (), [("people", "<3>")]))
    True
    """
    return render("notebook/tables.html", tables=tables, notes=notes)


@cache
def stylesheet(*names: str) -> Markup:
    """The stylesheet, or some files of it, as it stands in a page."""
    from markupsafe import Markup

    folder = resources.files("graphveil.pages") / "templates"
    return Markup("".join((folder / name).read_text("utf-8") for name in names or ("style.css", "chart.css")))


def text(content: Any) -> Markup:
    """Text among other text: ``bdi`` keeps right-to-left names in their place, a number stays with its %.

    >>> text("<Eve>: 5 %")
    Markup('<bdi>&lt;Eve&gt;: 5\\xa0%</bdi>')
    """
    from markupsafe import Markup

    if isinstance(content, Markup):
        return content
    return Markup("<bdi>{}</bdi>").format(str(content).replace(" %", "\u00a0%"))

"""Pieces of HTML. Text is escaped unless it is `Markup` already, so nothing from outside becomes a tag."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from string import Formatter
from typing import Any

__all__ = ["Markup", "card", "details", "facts", "items", "join", "markup", "paragraph", "section", "table"]


class Markup(str):
    """Text that is HTML."""


class _Escaping(Formatter):
    def format_field(self, value: Any, spec: str) -> Any:
        return value if isinstance(value, Markup) else escape(str(format(value, spec)))


def markup(template: str, /, **values: Any) -> Markup:
    """Fill in a template of HTML; what is no `Markup` is escaped.

    Examples
    --------
    >>> markup("<p>{who} &amp; {more}</p>", who="<Eve>", more=Markup("<b>Bob</b>"))
    '<p>&lt;Eve&gt; &amp; <b>Bob</b></p>'
    """
    return Markup(_Escaping().format(template, **values))


def join(parts: Iterable[Markup], between: str = "") -> Markup:
    """Several pieces as one."""
    return Markup(between.join(parts))


def text(content: str) -> Markup:
    """Text as it stands among others; ``bdi`` keeps names that are written from right to left where they belong."""
    if isinstance(content, Markup):
        return content
    return markup("<bdi>{it}</bdi>", it=content.replace(" %", "\u00a0%"))


def paragraph(content: str, kind: str = "") -> Markup:
    """A paragraph, perhaps of some kind that the style sheet knows."""
    return markup('<p class="{kind}">{it}</p>' if kind else "<p>{it}</p>", kind=kind, it=content)


def section(name: str, title: str, *parts: Markup) -> Markup:
    """A section with its heading, which the list at the top leads to."""
    return markup(
        '<section aria-labelledby="{name}">\n<h2 id="{name}">{title}</h2>\n{parts}\n</section>',
        name=name,
        title=title,
        parts=join(parts, "\n"),
    )


def card(title: str, *parts: Markup) -> Markup:
    """One of several small multiples."""
    return markup(
        '<div class="card">\n<h3>{title}</h3>\n{parts}\n</div>', title=title, parts=join(parts, "\n")
    )


def details(summary: str, *parts: Markup) -> Markup:
    """What only some want to see."""
    return markup(
        "<details><summary>{summary}</summary>\n{parts}\n</details>",
        summary=summary,
        parts=join(parts, "\n"),
    )


def items(texts: Iterable[str]) -> Markup:
    """A list."""
    return markup("<ul>{all}</ul>", all=join(markup("<li>{it}</li>", it=text(it)) for it in texts))


def facts(pairs: Iterable[tuple[str, str]]) -> Markup:
    """Names and what they stand for."""
    rows = join(markup("<div><dt>{a}</dt><dd>{b}</dd></div>", a=a, b=text(b)) for a, b in pairs)
    return markup("<dl>{rows}</dl>", rows=rows)


def table(
    caption: str, headings: Sequence[str], rows: Iterable[Sequence[str]], words: Sequence[int] = (0,)
) -> Markup:
    """A table whose first cells are the headings of their rows; all columns but those of words hold numbers.

    On a narrow screen its rows are stacked and each cell says what it is. The roles are spelled out, because a table
    that is displayed in another way is no table any more to some browsers.
    """

    def cell(column: int, content: str) -> Markup:
        first = column == 0
        return markup(
            '<{tag}{scope} role="{role}" class="{kind}" data-label="{label}"><div>{it}</div></{tag}>',
            tag="th" if first else "td",
            scope=Markup(' scope="row"' if first else ""),
            role="rowheader" if first else "cell",
            kind=kind(column),
            label=headings[column],
            it=text(content),
        )

    def kind(column: int) -> str:
        return "word" if column in words else "number"

    head = join(
        markup('<th scope="col" role="columnheader" class="{kind}">{it}</th>', kind=kind(column), it=content)
        for column, content in enumerate(headings)
    )
    body = join(
        markup('<tr role="row">{row}</tr>\n', row=join(cell(i, it) for i, it in enumerate(row)))
        for row in rows
    )
    return markup(
        '<table role="table">\n<caption>{caption}</caption>\n'
        '<thead role="rowgroup"><tr role="row">{head}</tr></thead>\n'
        '<tbody role="rowgroup">\n{body}</tbody>\n</table>',
        caption=caption,
        head=head,
        body=body,
    )

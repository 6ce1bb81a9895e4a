"""Whether a page can do nothing but be read.

A stranger's report.html is accepted only if it is made of the same parts as graphveil's pages: the same first lines
with the same policy, a short list of elements and attributes, styles that load nothing, and links within the page
only. Everything is matched by a grammar that is stricter than HTML (no comments, no unquoted attributes, every element
closed). So no browser can read the page in another way.
"""

from __future__ import annotations

import re

OPENING = (
    "<!DOCTYPE html>\n"
    '<html lang="en">\n'
    "<head>\n"
    '<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    'img-src data:">\n'
    '<meta name="referrer" content="no-referrer">\n'
    '<link rel="icon" href="data:,">\n'
)
HEAD = re.compile(r"<title>([^<>]*)</title>\n<style>\n([^<]*)</style>\n</head>\n<body>\n")
ENDING = "</body>\n</html>\n"
ELEMENTS = frozenset((
    "a", "bdi", "caption", "code", "dd", "details", "div", "dl", "dt", "footer", "h1", "h2", "h3", "header", "li",
    "main", "nav", "p", "pre", "section", "span", "strong", "summary", "table", "tbody", "td", "th", "thead",
    "time", "title", "tr", "ul", "circle", "line", "path", "rect", "svg", "text",
))  # fmt: skip
ATTRIBUTES = frozenset((
    "aria-hidden", "aria-label", "aria-labelledby", "class", "cx", "cy", "d", "data-label", "datetime", "height",
    "href", "id", "preserveAspectRatio", "r", "role", "scope", "tabindex", "text-anchor", "transform", "viewBox",
    "width", "x", "x1", "x2", "y", "y1", "y2",
))  # fmt: skip
TOKEN = re.compile(r'<(/?)([a-z][a-z0-9]*)((?: [a-zA-Z][a-zA-Z0-9-]*="[^"<>]*")*)(/?)>|[^<>]+|>')
ATTRIBUTE = re.compile(r' ([a-zA-Z][a-zA-Z0-9-]*)="([^"<>]*)"')
LOADS = re.compile(
    r"\\|@import|@charset|@font-face|@namespace|url|image|src|expression|(?<!-)behavior|-moz-", re.I
)
RULE = re.compile(r"@([^\s(){};]*)")
RULES = frozenset(("media", "page"))
FUNCTION = re.compile(r"([^\s(){};:,+*/]*)\(")
FUNCTIONS = frozenset(("", "attr", "calc", "clamp", "max", "min", "minmax", "not", "repeat", "rgb", "var"))


def is_harmless(page: bytes) -> bool:
    """Whether a page can neither run code nor load anything, nor send its reader elsewhere.

    >>> is_harmless(b"<p>hello</p>")
    False
    """
    try:
        text = page.decode("utf-8")
    except UnicodeDecodeError:
        return False
    if not text.startswith(OPENING) or not text.endswith(ENDING) or not _is_plain(text):
        return False
    head = HEAD.match(text, len(OPENING))
    if head is None or not _is_plain_style(head[2]):
        return False
    return _is_tree(text[head.end() : -len(ENDING)])


def _is_plain(text: str) -> bool:
    """Whether there is no control character that a parser could take for something else."""
    return all(character.isprintable() or character in "\n\u00a0" for character in set(text))


def _is_plain_style(style: str) -> bool:
    """Whether a style has nothing that could load anything: only rules and functions that are known."""
    known = RULES.issuperset(RULE.findall(style)) and FUNCTIONS.issuperset(FUNCTION.findall(style))
    return known and LOADS.search(style) is None


def _is_tree(body: str) -> bool:
    """Whether a text is a tree of the elements and attributes that are known."""
    place = 0
    open_: list[str] = []
    while place < len(body):
        token = TOKEN.match(body, place)
        if token is None:
            return False
        place = token.end()
        if token[2] is not None and not _fits(token, open_):
            return False
    return not open_


def _fits(token: re.Match[str], open_: list[str]) -> bool:
    """Whether a tag may stand where it does; notes the elements that are open."""
    closing, name, attributes, empty = token.groups()
    if name not in ELEMENTS:
        return False
    if closing:
        return not attributes and not empty and bool(open_) and open_.pop() == name
    if open_ and open_[-1] == "title":
        return False  # text only
    if empty and "svg" not in open_ and name != "svg":
        return False  # HTML itself knows no empty elements here
    if not empty:
        open_.append(name)
    return all(map(_is_known, ATTRIBUTE.findall(attributes)))


def _is_known(attribute: tuple[str, str]) -> bool:
    name, value = attribute
    return name in ATTRIBUTES and (name != "href" or re.fullmatch(r"#[a-z]+", value) is not None)

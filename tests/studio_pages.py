"""What the tests of the studio in a browser have in common."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from studio_server import Server

ODD_NAMES = (
    "<img src=x onerror=alert(1)>",
    "'\"><script>alert(2)</script>",
    "x" * 10_000,
    "\u202eright to left",
)

# Notes the numbers of all events that a page hears.
EVENTS = """
window.heard = [];
const Plain = window.EventSource;
window.EventSource = class extends Plain {
  constructor(...given) {
    super(...given);
    const note = (event) => window.heard.push(Number(event.lastEventId));
    for (const kind of ["job", "state"]) this.addEventListener(kind, note);
  }
};
"""


# The names in a drawing that reach over its edge.
CUT_OFF = """(drawing) => {
  const all = document.querySelector(drawing).getBoundingClientRect();
  return [...document.querySelectorAll(`${drawing} text`)].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.left < all.left - 1 || box.right > all.right + 1;
  }).map((text) => text.textContent);
}"""

# The left edge of every piece of text in a word of the command.
LEFT = """(word) => [...word.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((text) => {
  const range = new Range();
  range.selectNodeContents(text);
  return range.getBoundingClientRect().left;
})"""


def go(page: Page, step: str) -> Page:
    """Another step, when its script is ready."""
    page.goto(f"http://127.0.0.1:{page.url.split(':')[2].split('/')[0]}/{step}")
    page.wait_for_selector("html[data-ready]")
    return page


def go_to(page: Page, server: Server, step: str) -> None:
    """A step in a new tab."""
    page.goto(f"http://127.0.0.1:{server.port}/{step}")
    page.wait_for_selector("html[data-ready]")


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until something has the focus, which must be seen."""
    for _ in range(90):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            break
    else:
        pytest.fail(f"{selector} is out of reach of the keyboard")
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(outline) != "none", selector


def press_step(page: Page, step: str) -> None:
    """Another step, by its link and the keyboard."""
    tab_to(page, f"nav a[href='/{step}']")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{step}")
    page.wait_for_selector("html[data-ready]")

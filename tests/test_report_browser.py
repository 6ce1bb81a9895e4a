"""The reports in a real browser: at the width of a phone, of a laptop and of paper, in light and in dark."""

from __future__ import annotations

import re

import numpy as np
import pytest

import chromium
import graphveil
from graphveil import Graph
from test_report import HOSTILE

pytestmark = pytest.mark.browser

PAGES = ("public/report.html", "private/report.html")
WIDTHS = (320, 390, 768, 1280)

# Every visible piece of text with its colour and the colour behind it.
TEXTS = """
(() => {
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement, text = walker.currentNode.data.trim();
    if (!text || !element.checkVisibility() || element.tagName === "title") continue;
    const style = getComputedStyle(element);
    let behind = element;
    while (getComputedStyle(behind).backgroundColor === "rgba(0, 0, 0, 0)") behind = behind.parentElement;
    const ink = element.closest("svg") ? style.fill : style.color;
    found.push([text, ink, getComputedStyle(behind).backgroundColor]);
  }
  return found;
})()
"""

# Elements that reach over the edge of the window, text in charts that reaches over theirs or into other text.
OVERFLOW = """
(() => {
  const over = [], wide = document.documentElement.clientWidth;
  for (const element of document.querySelectorAll("main *, header *, footer *")) {
    const box = element.getBoundingClientRect();
    if (box.width && box.left >= 0 && box.right > wide + 1) over.push(element.outerHTML.slice(0, 200));
  }
  for (const text of document.querySelectorAll("svg text")) {
    const box = text.getBoundingClientRect(), chart = text.closest("svg").getBoundingClientRect();
    const across = box.left < chart.left - 1 || box.right > chart.right + 1;
    if (across || box.top < chart.top - 1 || box.bottom > chart.bottom + 1) over.push(text.textContent);
  }
  for (const chart of document.querySelectorAll("svg.chart")) {
    const texts = [...chart.querySelectorAll("text")];
    for (const [i, one] of texts.entries()) for (const other of texts.slice(i + 1)) {
      const a = one.getBoundingClientRect(), b = other.getBoundingClientRect();
      if (a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1)
        over.push(one.textContent + " runs into " + other.textContent);
    }
  }
  return over;
})()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A publication of a town with odd names, for which there is everything to be shown."""
    graph = graphveil.generate(edges=2_000, seed=4)
    names = np.array([f"a person called {i}" for i in range(graph.n)], object)
    names[: len(HOSTILE)] = HOSTILE
    result = graphveil.anonymize(Graph(graph.edges, graph.n, names), k=5, degree_k=3, seed=2**100)
    return graphveil.publish(result, tmp_path_factory.mktemp("report") / "out", report="full").folder


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    program = chromium.find()
    if program is None:
        pytest.skip("there is no Chromium to look at the reports with: install Debian's package chromium")
    browser = chromium.Browser(program, tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_asked_for_nothing_fails_and_nothing_is_cut_off(browser, folder, page, width):
    browser.open(folder / page, width=width, dark=width % 3 == 0)
    assert browser.requests == [(folder / page).as_uri()]
    assert browser.complaints == []
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    assert browser.evaluate(OVERFLOW) == []


def test_the_policy_forbids_scripts_and_requests(browser, folder):
    """The test of the test: what the page must not do is seen when it is tried."""
    browser.open(folder / PAGES[0])
    browser.evaluate(
        "const s = document.createElement('script'); s.textContent = 'document.title = 1'; document.body.append(s);"
        "const i = document.createElement('img'); i.src = 'http://localhost:9/'; document.body.append(i); true"
    )
    assert browser.evaluate("document.title").startswith("A published graph")
    assert any("Content Security Policy" in text for text in browser.complaints)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("look", ["light", "dark", "print"])
def test_all_text_has_contrast(browser, folder, page, look):
    browser.open(folder / page, dark=look == "dark", media="print" if look == "print" else "screen")
    texts = browser.evaluate(TEXTS)
    assert len(texts) > 150
    for text, ink, behind in texts:
        light, dark = sorted((luminance(ink), luminance(behind)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (text, ink, behind)
    (background,) = {behind for _, _, behind in texts if luminance(behind) == luminance(texts[0][2])}
    assert (luminance(background) < 0.1) == (look == "dark")


def luminance(colour: str) -> float:
    """WCAG's relative luminance of a computed colour, which must not be transparent."""
    channels = np.array(re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", colour).groups(), float) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("width", [390, 1280])
def test_a_screen_reader_finds_charts_tables_and_landmarks(browser, folder, page, width):
    browser.open(folder / page, width=width)
    nodes = [node for node in browser.call("Accessibility.getFullAXTree")["nodes"] if not node.get("ignored")]
    by_role: dict[str, list[str]] = {}
    for node in nodes:
        by_role.setdefault(node["role"]["value"], []).append(node.get("name", {}).get("value", ""))
    charts = by_role.get("image", []) + by_role.get("img", [])
    assert len(charts) == browser.evaluate("document.querySelectorAll('svg[role=img]').length") > 10
    assert all(len(name) > 20 for name in charts)
    shown = browser.evaluate(
        "[...document.querySelectorAll('table')].filter(t => t.checkVisibility()).length"
    )
    assert len(by_role["table"]) == shown
    assert all(by_role["table"])
    assert len(by_role["rowheader"]) > 10
    assert {"main", "navigation", "banner", "contentinfo"} <= set(by_role)


@pytest.mark.parametrize("page", PAGES)
def test_the_keyboard_reaches_everything_and_shows_where_it_is(browser, folder, page):
    browser.open(folder / page)
    stops = browser.evaluate("document.querySelectorAll('a, summary, [tabindex]').length")
    seen = []
    for _ in range(stops):
        browser.press("Tab")
        seen.append(
            browser.evaluate(
                "(e => [e.textContent, getComputedStyle(e).outlineStyle, e.getBoundingClientRect().left >= 0])"
                "(document.activeElement)"
            )
        )
    assert seen[0][0] == "Skip to the guarantee"
    assert len({text for text, *_ in seen}) > 8
    assert all(outline != "none" and visible for _, outline, visible in seen)


@pytest.mark.parametrize("page", PAGES)
def test_it_prints(browser, folder, page):
    browser.open(folder / page, width=680, media="print")  # what is left of A4 between the margins
    assert browser.evaluate(OVERFLOW) == []
    assert not browser.evaluate("document.querySelector('nav').checkVisibility()")
    document = browser.print()
    assert document.startswith(b"%PDF")
    assert 3 <= len(re.findall(rb"/Type\s*/Page\b", document)) <= 14

"""Make the pictures of the studio in docs/figures again, from the page as it is now.

    python tools/studio_figures.py

Needs the extras studio and test, and Chromium.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

FIGURES = Path(__file__).resolve().parent.parent / "docs" / "figures"
PATIENCE = 300_000  # milliseconds
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = ["--no-sandbox", "--disable-gpu", "--hide-scrollbars"]


def picture(page: Page, name: str, height: int) -> None:
    """Write the upper part of the page."""
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")  # the head of the page sticks to the top
    page.screenshot(
        path=FIGURES / f"studio-{name}.png",
        full_page=True,
        clip={"x": 0, "y": 0, "width": 1100, "height": height},
    )


def show(page: Page, address: str) -> None:
    """From the sample graph to a protected one."""
    page.goto(address)
    page.click("[data-do=sample]")
    page.wait_for_selector("#verdict[data-k='25']")
    page.wait_for_selector("#drawing circle")
    picture(page, "exposure", 1000)
    page.wait_for_selector("#picture-canvas[data-drawn]")
    page.locator("#picture-person .entries button").nth(1).click()
    page.locator("#picture-person .entries button").nth(1).click()
    page.wait_for_timeout(500)  # until all friendships are drawn
    page.locator("#picture-title").evaluate(
        "title => title.closest('section').scrollIntoView({block: 'end'})"
    )
    page.locator(".picture-beside").screenshot(path=FIGURES / "studio-network.jpg", quality=70, type="jpeg")
    page.goto(page.url.replace("/exposure", "/protect"))
    page.wait_for_selector("#prediction:not(:empty)")
    page.click("#protect-form button.main")
    page.wait_for_selector("#both circle")
    page.wait_for_timeout(500)  # the page scrolls to the result
    picture(page, "protect", 1720)


def main() -> int:
    """Start a studio of its own and take the pictures."""
    program = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if program is None:
        print("there is no Chromium here", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as home:
        studio = subprocess.Popen(
            [sys.executable, "-m", "graphveil", "studio", "--no-browser"],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "XDG_STATE_HOME": home, "XDG_DATA_HOME": home, "HOME": home},
        )
        assert studio.stdout is not None
        try:
            with sync_playwright() as play:
                browser = play.chromium.launch(executable_path=program, args=OPTIONS)
                page = browser.new_page(viewport={"width": 1100, "height": 900})
                page.set_default_timeout(PATIENCE)
                show(page, studio.stdout.readline().strip())
                browser.close()
        finally:
            studio.terminate()
            studio.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())

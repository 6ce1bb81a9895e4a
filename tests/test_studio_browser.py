"""The studio in a real browser: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

import chromium
from studio_server import Server

if os.environ.get("CI") != "true":  # there everything must be installed
    for module in ("starlette", "uvicorn", "playwright", "axe_core_python"):
        pytest.importorskip(module)

from axe_core_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright

from graphveil.words import percent
from studio_pages import CUT_OFF, EVENTS, LEFT, ODD_NAMES, go, go_to, press_step, tab_to

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("studio browser")]  # one tab goes the whole way

PAGES = ("open", "exposure", "protect", "compare", "publish", "restore")
PATIENCE = int(os.environ.get("GRAPHVEIL_PATIENCE", 120_000))  # milliseconds, on a busy machine


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    """A studio beside a file in which the most exposed people have odd names."""
    home = tmp_path_factory.mktemp("home")
    chance = random.Random(3)
    pairs = {(a, b) for b in range(300) for a in range(b) if chance.random() < 12 / (12 + a + b)}
    names = dict(enumerate(ODD_NAMES))
    rows = [
        '"{}","{}"'.format(*(names.get(end, f"P{end}").replace('"', '""') for end in pair))
        for pair in sorted(pairs)
    ]
    (home / "odd names.csv").write_text("source,target\n" + "\n".join(rows) + "\n")
    quoted = [names.get(i, f"P{i}").replace('"', '""') for i in range(300)]
    rows = [f'"{each}",{chance.choice(("north", "south"))},{chance.randint(1990, 2004)}' for each in quoted]
    (home / "people.csv").write_text("id,district,born\n" + "\n".join(rows) + "\n")
    (home / "calls.csv").write_text("when,caller,callee\n1,Ann,Bob\n2,Bob,Cem\n3,Ann,Cem\n4,Cem,Dora\n")
    found = Server(home, "odd names.csv")
    yield found
    found.end()


@pytest.fixture(scope="module")
def context(server) -> Iterator[BrowserContext]:
    """A browser that has used the address."""
    program = chromium.find()
    if program is None:
        message = "there is no Chromium here: the studio is not looked at in a browser"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    options = [option for option in chromium.OPTIONS if not option.startswith(("--headless", "--remote"))]
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=options)
        context = browser.new_context(viewport={"width": 1200, "height": 900})
        context.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        context.hosts, context.complaints = set(), []
        context.on("request", lambda request: context.hosts.add(request.url.split("/")[2]))
        context.on("console", lambda said: context.complaints.append(said.text))
        context.on("dialog", lambda dialog: context.complaints.append(dialog.message) or dialog.dismiss())
        context.on("weberror", lambda error: context.complaints.append(str(error.error)))
        yield context
        context.close()
        browser.close()


@pytest.fixture(scope="module")
def page(server, context) -> Page:
    """The tab that the address opened; the graph is read and counted."""
    page = context.new_page()
    page.goto(server.address)
    page.wait_for_selector("#verdict[data-k]")
    return page


def test_address_loses_its_token_and_shows_the_audit(server, page):
    assert page.url == f"http://127.0.0.1:{server.port}/exposure"
    assert server.token not in page.content()
    expect(page.locator("#facts")).to_contain_text("300 people")


def test_k_by_keys_typing_and_dragging_agree(page):
    go(page, "exposure")
    page.wait_for_selector("#verdict[data-k='25']")

    def agrees(k: int) -> None:
        expect(page.locator("#verdict")).to_have_attribute("data-k", str(k))
        expect(page.locator("#groups svg")).to_have_attribute("data-k", str(k))
        expect(page.locator("#k-slider")).to_have_value(str(k))
        expect(page.locator("#k-box")).to_have_value(str(k))
        expect(page.locator("#text-command")).to_contain_text(f"-k {k} ")
        people = page.locator("[data-attacker=mutual-friends] [data-figure=people]").inner_text()
        words = page.locator("#verdict-words").inner_text()
        assert words.startswith((f"At k = {k}: ", f"At k = {k} no friendship"))
        assert words.endswith((f"to {people} people.", "by its mutual-friend count."))
        expect(page.locator("#verdict-most")).to_contain_text("of the people")
        expect(page.locator("#verdict-worst")).to_contain_text(
            f"at k = {k} to an attacker who knows how many"
        )

    page.locator("#k-slider").focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight", delay=0)
    agrees(45)
    page.fill("#k-box", "7")
    agrees(7)
    box = page.locator("#k-slider").bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"], box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()
    agrees(100)
    sentences = {
        "1": "k must be a whole number of at least 2, not 1",
        "0": "at least 2, not 0",
        "abc": "not 'abc'",
        "99999999": "Choose k up to 44,850",
    }
    for text, words in sentences.items():
        page.fill("#k-box", text)
        expect(page.locator("#k-problem")).to_contain_text(words)
    page.fill("#k-box", "25")
    agrees(25)
    expect(page.locator("#k-problem")).to_be_empty()


def test_table_shows_the_numbers_of_the_command_line_for_every_k(server, page):
    go(page, "exposure")
    page.wait_for_selector("#verdict[data-k]")
    shown = page.evaluate("""() => {
        const slider = document.getElementById("k-slider"), found = {};
        for (let k = 2; k <= 100; k++) {
            slider.value = k;
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            const text = (row, name) => row.querySelector(`[data-figure=${name}]`).textContent;
            const figure = (row, name) => Number(text(row, name).replaceAll(",", ""));
            for (const row of document.querySelectorAll("[data-attacker]")) {
                (found[row.dataset.attacker] ??= []).push([k, text(row, "share"), figure(row, "people")]);
            }
        }
        return found;
    }""")
    ks = ",".join(map(str, range(2, 101)))
    words = ["-m", "graphveil", "audit", str(server.home / "odd names.csv"), "-k", ks, "--json"]
    told = json.loads(subprocess.run([sys.executable, *words], capture_output=True, timeout=300).stdout)
    assert shown == {
        attacker["name"]: [
            [each["k"], percent(each["people_share"]), each["people"]] for each in attacker["exposures"]
        ]
        for attacker in told["attackers"]
    }
    page.fill("#k-box", "25")
    expect(page.locator("#text-command")).to_contain_text("-k 25 ")


def test_names_stay_inert_and_the_drawing_is_small(context, page):
    go(page, "exposure")
    page.wait_for_selector("#verdict[data-k]")
    page.evaluate("for (const each of document.querySelectorAll('details.most')) each.open = true")
    for button in page.locator("[data-around]").all():
        button.click()
        expect(page.locator("#drawing-words")).not_to_be_empty()
        assert page.evaluate(CUT_OFF, "#drawing") == []
    assert page.locator("main img").count() == 0
    assert page.locator("#drawing circle").count() <= 18
    assert "<img src=x" in page.inner_text("main")
    assert page.evaluate("document.documentElement.outerHTML.length") < 200_000
    assert page.evaluate("document.querySelectorAll('*').length") < 5_000
    assert context.complaints == []


def test_six_steps_with_the_keyboard_only(server, page):
    go(page, "open")
    tab_to(page, "#path")
    page.keyboard.press("Control+a")
    page.keyboard.type(str(server.home / "odd names.csv"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/exposure")
    page.wait_for_selector("#verdict[data-k]")
    tab_to(page, "#groups .walker")
    page.keyboard.press("End")
    expect(page.locator("#groups figcaption")).to_have_text(re.compile(r"^\d+ mutual friends: 1 friendship$"))
    page.keyboard.press("Enter")
    expect(page.locator("#drawing-words")).to_contain_text("the only friendship like this")
    tab_to(page, "details.most summary")
    page.keyboard.press("Enter")
    tab_to(page, "[data-around]")
    page.keyboard.press("Enter")
    expect(page.locator("#drawing")).to_be_visible()
    tab_to(page, "a[href='/protect']")
    page.keyboard.press("Enter")
    page.wait_for_url("**/protect")
    page.wait_for_selector("html[data-ready]")
    tab_to(page, "#k")
    page.keyboard.press("Control+a")
    page.keyboard.type("5")
    tab_to(page, "#method")
    page.keyboard.type("add-del")
    expect(page.locator("#prediction")).to_contain_text("Estimate: ")
    tab_to(page, "button.main")
    page.keyboard.press("Enter")
    expect(page.locator("#result-title")).to_be_focused()
    expect(page.locator("#job-said")).to_contain_text("Done in ")
    expect(page.locator("#asked-words")).to_have_text("Asked: k-NMF, k = 5, method add-del. Change it")
    expect(page.locator("#protect-form")).to_be_hidden()
    tab_to(page, "#both .walker")
    page.keyboard.press("End")
    expect(page.locator("#both figcaption")).to_contain_text("Before: ")
    expect(page.locator("#text-command")).to_contain_text("--seed=")
    press_step(page, "compare")
    tab_to(page, "#k")
    page.keyboard.press("Control+a")
    page.keyboard.type("5")
    for method in ("plan", "add-greedy"):
        tab_to(page, f"[value={method}]")
        page.keyboard.press("Space")
    tab_to(page, "button.main")
    page.keyboard.press("Enter")
    expect(page.locator("#cells-title")).to_be_focused()
    expect(page.locator("#cells tbody tr")).to_have_count(1)
    expect(page.locator("#cells .take")).to_contain_text("Take add-del with k = 5.")
    tab_to(page, "#attacker")
    page.keyboard.press("Home")
    while page.locator("#attacker").input_value() != "degree":
        page.keyboard.press("ArrowDown")
        page.wait_for_timeout(300)  # each choice draws the page anew
    expect(page.locator("#text-command")).to_contain_text("--attacker=degree ")
    page.wait_for_timeout(500)  # the page draws itself anew
    tab_to(page, "[data-do=use]")
    page.keyboard.press("Enter")
    page.wait_for_url("**/protect")
    page.wait_for_selector("html[data-ready]")
    press_step(page, "publish")
    tab_to(page, "button.main")
    page.keyboard.press("Enter")
    expect(page.locator(".public-card")).to_contain_text("certificate.json")
    expect(page.frame_locator("#report-frame").locator("h1")).to_be_visible()
    tab_to(page, "form.inline button")
    page.keyboard.press("Enter")
    expect(page.locator("#verification")).to_contain_text("Verified by an independent recount")
    tab_to(page, "#asked summary")
    page.keyboard.press("Enter")
    tab_to(page, "#publish-form button.main")
    page.keyboard.press("Enter")
    expect(page.locator("#ask")).to_contain_text("exists already. Replace it?")
    page.keyboard.press("Escape")
    expect(page.locator("#ask")).to_be_hidden()
    expect(page.locator("#folder")).to_be_focused()
    tab_to(page, "#publish-form button.main")
    page.keyboard.press("Enter")
    expect(page.locator("#ask")).to_be_visible()
    tab_to(page, "#ask-no")
    page.keyboard.press("Enter")
    expect(page.locator("#ask")).to_be_hidden()
    with (server.home / "odd names-published" / "public" / "graph.txt").open("a") as graph:
        graph.write("0 1\n")
    tab_to(page, "form.inline button")
    page.keyboard.press("Enter")
    expect(page.locator("#verification .warning")).to_contain_text("Verification failed")
    (server.home / "ranks.csv").write_text("person,rank\n1,0.5\n")
    press_step(page, "restore")
    tab_to(page, "#results")
    page.keyboard.type(str(server.home / "ranks.csv"))
    page.keyboard.press("Enter")
    expect(page.locator("#restored caption")).to_contain_text("as they will be saved")
    tab_to(page, "[data-submit=restore]")
    page.keyboard.press("Enter")
    expect(page.locator("#restored .good")).to_contain_text("Wrote 1 row")


def test_picture_agrees_with_the_audit_and_is_walked_by_keys(page):
    go(page, "exposure")
    page.wait_for_selector("#picture-canvas[data-drawn]")
    page.select_option("#picture-by", "mutual-friends")
    people = page.locator("[data-attacker=mutual-friends] [data-figure=people]").inner_text()
    expect(page.locator("#picture-person p").first).to_contain_text(f"{people} of the 300 people shown here")
    tab_to(page, "#picture-canvas")
    for key in ("+", "ArrowLeft", "-", "0"):
        page.keyboard.press(key)
    tab_to(page, "#picture-person .entries button")
    page.keyboard.press("Enter")
    expect(page.locator("#picture-person")).to_contain_text("Exposed at k = 5")
    page.locator("#picture-person .entries button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#picture-person")).to_contain_text("of the network")
    shared = int(page.locator("#picture-person p").first.inner_text().split()[0])
    assert page.locator("#picture-person .entries button").count() == min(shared, 30)


def test_picture_shows_what_was_changed(page):
    go(page, "protect")
    page.wait_for_selector("#picture-canvas[data-drawn]")
    changed = (
        page.locator("#result").get_by_text(re.compile("friendships? added")).first.inner_text().split(":")[0]
    )
    expect(page.locator("#picture-words")).to_have_text(f"{changed}.")
    expect(page.locator("#picture")).to_contain_text("Private.")
    go(page, "exposure")
    page.wait_for_selector("#verdict[data-k]")
    page.fill("#k-box", "17")
    expect(page.locator("#text-command")).to_contain_text("-k 17 ")
    go(page, "protect")
    expect(page.locator("#picture-person")).to_contain_text("exposed at k = 5")  # that of the result
    page.wait_for_selector("#picture-canvas[data-drawn]")
    page.select_option("#picture-when", "before")
    expect(page.locator("#picture-words")).to_contain_text("The whole network")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible_in_both_modes(page, scheme):
    page.emulate_media(color_scheme=scheme)
    for step in PAGES:
        go(page, step)
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        rules = {"runOnly": ["color-contrast"]} if scheme == "dark" else None  # only colours differ
        found = Axe().run(page, options=rules)["violations"]
        serious = [
            (each["id"], [node["html"] for node in each["nodes"]])
            for each in found
            if each["impact"] in ("serious", "critical")
        ]
        assert serious == [], step
    page.emulate_media(color_scheme="light")


def test_pages_are_narrow_enough_for_a_phone(page):
    page.set_viewport_size({"width": 390, "height": 800})
    for step in PAGES:
        go(page, step)
        page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, step
    page.set_viewport_size({"width": 1200, "height": 900})


def test_print_has_no_controls(page):
    page.emulate_media(media="print")
    for step in PAGES:
        go(page, step)
        controls = page.locator("button:not([data-around]), input, select, nav, a.button, summary")
        assert [control for control in controls.all() if control.is_visible()] == []
    expect(go(page, "exposure").locator("#verdict-words")).to_be_visible()
    expect(page.locator("#look-up")).to_be_hidden()
    columns = """() => {
        const box = document.createElement("div");
        box.className = "verdict both";
        document.querySelector("main").append(box);
        return getComputedStyle(box).gridTemplateColumns.split(" ").length;
    }"""
    assert page.evaluate(columns) == 1
    page.emulate_media(media="screen")


def test_marks_of_direction_turn_nothing_in_a_command(page):
    go(page, "exposure")
    name = "\u202eright"
    page.fill("#person", name)
    expect(page.locator("#text-command .mark")).to_have_text("\u202e")
    assert f"--who={name}" in page.locator("#text-command").text_content()
    pieces = page.locator("#text-command span:has(> .mark)").evaluate(LEFT)
    assert pieces == sorted(pieces)  # from left to right


def test_long_paths_do_not_leave_the_file_browser(server, page):
    folder = server.home / ("d" * 200)
    folder.mkdir()
    go(page, "open")
    page.fill("#path", str(folder))
    page.click("[data-browse=path]")
    expect(page.locator("#browser [aria-current=page]")).to_have_text("d" * 39 + "…")
    assert page.evaluate(
        "document.getElementById('browser').scrollWidth <= document.getElementById('browser').clientWidth"
    )
    page.keyboard.press("Escape")


def unfold(page):
    """Open the form that was folded when there was a result."""
    page.evaluate("document.getElementById('asked').open = true")


def start_long_search(page, k):
    """For both guarantees: the search for one is over too soon."""
    unfold(page)
    page.fill("#k", k)
    page.check("[data-level=degree_k]")
    page.fill("#degree_k", k)
    page.select_option("#method", "plan")
    page.click("#protect-form button.main")


def test_second_tab_sees_the_job_and_a_reload_too(context, page):
    go(page, "protect")
    start_long_search(page, "30")
    expect(page.locator("#strip")).to_be_visible()
    other = context.new_page()
    other.goto(page.url.replace("/protect", "/restore"))
    expect(other.locator("#job-title")).to_contain_text("at k = 30")
    page.reload()
    expect(page.locator("#job-title")).to_contain_text("at k = 30")
    other.click("#job-stop")
    expect(page.locator("#strip")).to_be_hidden()
    other.close()


def test_closed_tab_comes_back_to_the_same_job_and_misses_no_event(server, context, page):
    go(page, "exposure")
    first = context.new_page()
    first.add_init_script(EVENTS)
    go_to(first, server, "protect")
    start_long_search(first, "31")
    expect(first.locator("#job-title")).to_contain_text("at k = 31")
    job = first.locator("#job-stop").get_attribute("data-job")
    first.close()
    again = context.new_page()
    again.add_init_script(EVENTS)
    go_to(again, server, "protect")
    expect(again.locator("#job-stop")).to_have_attribute("data-job", job)
    expect(again.locator("#job-title")).to_contain_text("at k = 31")
    again.click("#job-stop")
    expect(again.locator("#strip")).to_be_hidden()
    expect(page.locator("#strip")).to_be_hidden()
    numbers = again.evaluate("window.heard")
    begun = again.evaluate("JSON.parse(document.getElementById('start').textContent).last_event")
    assert numbers == list(range(begun + 1, begun + 1 + len(numbers)))
    assert len(numbers) > 1
    again.close()


def test_page_that_was_cut_off_shows_the_end_of_the_job_later(context, page):
    go(page, "protect")
    unfold(page)
    page.select_option("#method", "add-del")
    page.fill("#k", "6")
    page.route(
        "**/protect", lambda route: route.abort() if route.request.method == "GET" else route.fallback()
    )
    page.click("#protect-form button.main")
    expect(page.locator("#strip")).to_be_visible()
    expect(page.locator("#strip")).to_be_hidden()
    page.wait_for_timeout(500)
    page.unroute("**/protect")
    expect(page.locator("#result caption")).to_contain_text("else at k = 6")
    context.complaints.clear()


def test_more_tabs_than_the_browser_has_connections_all_answer(server, context, page):
    go(page, "protect")
    start_long_search(page, "32")
    expect(page.locator("#job-title")).to_contain_text("at k = 32")
    tabs = [context.new_page() for _ in range(8)]  # six connections to a host are all there are
    for tab in tabs:
        go_to(tab, server, "restore")
        expect(tab.locator("#job-title")).to_contain_text("at k = 32")
        expect(tab.locator("#job-said")).to_be_empty()
    tabs[0].click("#job-stop")
    for tab in [page, *tabs]:
        expect(tab.locator("#strip")).to_be_hidden()
        assert "does not answer" not in tab.inner_text("#job-said")
    for tab in tabs:
        tab.close()
    page.bring_to_front()
    unfold(go(page, "protect"))  # it has a result, if the search had found one when it was stopped
    page.uncheck("[data-level=degree_k]")
    expect(page.locator("#text-command")).not_to_contain_text("--degree-k")


def test_person_is_looked_up(page):
    go(page, "exposure")
    page.fill("#person", "P7")
    expect(page.locator("#text-command")).to_contain_text("--who=P7")
    page.click("#look-up button")
    expect(page.locator("#drawing-words")).to_contain_text("P7: ")
    expect(page.locator("#drawing circle.centre")).to_have_count(1)
    page.fill("#person", "nobody")
    page.click("#look-up button")
    expect(page.locator("#look-up [role=alert]")).to_contain_text("nobody with the id 'nobody'")
    expect(page.locator("#person")).to_be_focused()


def test_page_is_not_shown_in_a_frame(context, page):
    go(page, "exposure")
    page.evaluate("""() => {
        const frame = document.createElement("iframe");
        frame.src = "/open";
        document.body.append(frame);
    }""")
    expect(page.frame_locator("body > iframe").locator("#path")).to_have_count(0)
    page.wait_for_timeout(300)
    frames = [frame.url for frame in page.frames if frame != page.main_frame]
    assert frames == ["chrome-error://chromewebdata/"], frames
    assert any("frame-ancestors" in said for said in context.complaints)
    context.complaints.clear()


@pytest.mark.parametrize("name", ["missing.csv", "", "."])
def test_files_that_cannot_be_read_are_told_at_the_field(server, page, name):
    go(page, "open")
    page.fill("#path", str(server.home / name) if name != "" else "")
    page.keyboard.press("Enter") if name else page.click("button.main")
    expect(page.locator("form[data-do=open] [role=alert]")).not_to_be_empty()
    expect(page.locator("#path")).to_be_focused()


def test_ambiguous_header_offers_the_choice(server, page):
    (server.home / "calls.csv").write_text("timestamp,x,y\n17,Ann,Bob\n18,Bob,Carl\n19,Ann,Carl\n")
    go(page, "open")
    page.fill("#path", str(server.home / "calls.csv"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/exposure")
    expect(page.locator("#facts")).to_contain_text("7 people · 4 friendships")
    page.click("text=The first line names the columns")
    expect(page.locator("#facts")).to_contain_text("3 people · 3 friendships")


DROP = """([name, text]) => {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name));
  document.dispatchEvent(new DragEvent("drop", { dataTransfer }));
}"""


def test_dropped_file_is_found_and_its_columns_and_bad_rows_are_chosen(server, page):
    text = "when,caller,callee,place\n1,Ann,Bob,Bob\n2,Bob,Cem,Ann\n3,Cem,,\n4,Ann,Cem,Dora\nfoo\n"
    (server.home / "dropped.csv").write_text(text)
    go(page, "open")
    page.fill("#path", str(server.home))
    page.evaluate(DROP, ["nowhere.csv", text])
    expect(page.locator("#drop-words")).to_contain_text("does not tell where nowhere.csv lies")
    page.click("[data-browse=path]")
    page.fill("#filter", "DROPPED")
    expect(page.locator("#browser li:visible")).to_have_count(1)
    expect(page.locator("#browser li:visible")).to_contain_text(f"{len(text)} B")
    page.keyboard.press("Escape")
    page.evaluate(DROP, ["dropped.csv", text])
    expect(page.locator("#path")).to_have_value(str(server.home / "dropped.csv"))
    expect(page.locator("main button.main")).to_be_focused()
    page.keyboard.press("Enter")
    page.click("text=Skip this row (line 6)")
    expect(page.locator("#facts")).to_contain_text("3 people · 3 friendships")
    go(page, "open")
    expect(page.locator("#preview")).to_contain_text("skipped 1 bad row (lines 6)")
    page.click("[data-column='1']")
    page.click("[data-column='3']")
    page.wait_for_url("**/exposure")
    expect(page.locator("#text-command")).to_contain_text("--columns=1,3")
    expect(page.locator("#facts")).to_contain_text("4 people · 2 friendships")


def test_attackers_who_know_it_roughly_are_counted_on_request(page):
    go(page, "exposure")
    page.wait_for_selector("#verdict[data-k]")
    expect(page.locator("[data-figure=roughly]")).to_have_count(0)
    page.click("#within-form summary")
    page.fill("#within", "0.5")
    page.keyboard.press("Enter")
    expect(page.locator("#within-form .problem")).to_contain_text("within must be a factor from 1 to 10")
    page.fill("#within", "1.5")
    page.keyboard.press("Enter")
    expect(page.locator("#attackers caption")).to_contain_text("knows it to within half as much again")
    expect(page.locator("#text-command")).to_contain_text("--within=1.5")
    row = page.locator("[data-attacker=degree]")
    exact, roughly = (
        int(row.locator(f"[data-figure={name}]").inner_text()) for name in ("people", "roughly")
    )
    assert 0 <= roughly <= exact


def test_two_tabs_show_the_same_k_and_typing_is_not_lost(server, context, page):
    go(page, "exposure")
    page.wait_for_selector("#verdict[data-k]")
    other = context.new_page()
    go_to(other, server, "exposure")
    other.wait_for_selector("#verdict[data-k]")
    other.wait_for_timeout(600)  # the first events of a new tab may still draw it anew
    other.fill("#k-box", "3")
    expect(page.locator("#k-box")).to_have_value("3")
    expect(page.locator("#verdict")).to_have_attribute("data-k", "3")
    page.fill("#k-box", "1")
    server.cookie = "; ".join(f"{each['name']}={each['value']}" for each in context.cookies())
    server.do("attacker", attacker="degree")  # every tab draws itself anew
    page.wait_for_timeout(600)
    expect(page.locator("#k-box")).to_have_value("1")
    page.fill("#k-box", "4")
    expect(other.locator("#verdict")).to_have_attribute("data-k", "4")
    other.close()


def test_network_shows_everybody_until_somebody_is_chosen(page):
    go(page, "exposure")
    page.wait_for_selector("#picture-canvas[data-drawn]")
    expect(page.locator("#picture-person")).to_contain_text("Most exposed here")
    page.locator("details.most summary").first.click()
    page.locator("[data-around]").nth(1).click()
    expect(page.locator("#picture-person")).not_to_contain_text("Most exposed here")


def test_attributes_are_made_coarser_and_published(server, page):
    go(page, "open")
    page.fill("#path", str(server.home / "odd names.csv"))
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    page.fill("#vertices", str(server.home / "people.csv"))
    page.click("main button.main")
    page.wait_for_url("**/exposure")
    page.wait_for_selector("#verdict[data-k]")
    go(page, "protect")
    page.fill("#k", "10")
    page.select_option("#method", "add-del")
    page.click("#protect-form button.main")
    expect(page.locator("#result-title")).to_be_focused()
    go(page, "publish")
    for name in ("district", "born"):
        page.check(f"[name='keep.{name}']")
    expect(page.locator("#kept .remains")).to_contain_text("which can identify people")
    expect(page.locator("#what")).to_contain_text("district, born")
    page.fill("[name='generalize.born']", "twice")
    expect(page.locator("#publish-form .problem")).to_contain_text("twice: it cannot be read")
    page.fill("[name='generalize.born']", "5")
    expect(page.locator("#kept")).to_contain_text("classes of 5")
    expect(page.locator("#kept .after-word").first).to_contain_text(" to ")
    if page.locator("[data-fill]").count():
        page.click("[data-fill]")
    expect(page.locator("#kept .guaranteed .k")).to_contain_text("Smallest group: ")
    expect(page.locator("#text-command")).to_contain_text("--keep-vertex-attribute=")
    page.fill("#folder", str(server.home / "with attributes"))
    page.click("#publish-form button.main")
    expect(page.locator("#published-title")).to_be_focused()
    expect(page.locator(".public-card")).to_contain_text("people.csv")
    page.click("text=Write the statement")
    expect(page.frame_locator("#report-frame").locator("h1")).to_contain_text("Statement")


def test_command_is_copied_as_it_is_shown(context, page):
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    go(page, "exposure")
    for tab, text in (("#tab-command", "#text-command"), ("#tab-script", "#text-script")):
        page.click(tab)
        page.click("#copy")
        expect(page.locator("#copy")).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == page.locator(text).inner_text()
        expect(page.locator("#copy")).to_have_text("Copy")


def test_project_is_saved_and_opened_again(server, page):
    go(page, "exposure")
    page.click("text=Project")
    page.fill("#save-path", str(server.home / "calls.csv"))
    page.click("text=Save project")
    expect(page.locator("form[data-do=save-project] [role=alert]")).to_contain_text("is no project")
    page.fill("#save-path", str(server.home / "work.json"))
    page.click("text=Save project")
    expect(page.locator("form[data-do=save-project] .said")).to_contain_text("Only you can read it")
    page.keyboard.press("Escape")
    expect(page.locator("#save-path")).to_be_hidden()
    assert (server.home / "work.json").stat().st_mode & 0o777 == 0o600
    facts = page.locator("#facts").inner_text()
    go(page, "open")
    page.click("[data-do=sample]")
    page.wait_for_url("**/exposure")
    expect(page.locator("#facts")).to_contain_text("sample-town.csv · 556 people")
    page.click("text=Project")
    page.fill("#project-path", str(server.home / "work.json"))
    page.click("text=Open project")
    expect(page.locator("#facts")).to_have_text(facts)


def test_no_request_went_to_another_host(server, context):
    assert context.hosts == {f"127.0.0.1:{server.port}"}

"""Jobs of the studio: progress, stopping, ending, and the whole way over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

import uvicorn

import graphveil
from graphveil.publication.words import verdict
from graphveil.studio.actions import Action
from graphveil.studio.events import MOST_STREAMS, Events
from graphveil.studio.jobs import TICK
from graphveil.studio.server import serve
from graphveil.verification.documents import Certificate
from studio_server import Server, alive, wait_until

pytestmark = pytest.mark.xdist_group("studio jobs")  # one server does all of them

# Notes every address that the server or a worker asks the network for.
CALLS = """
import os, sys
def note(event, given):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        with open(os.environ["GRAPHVEIL_CALLS"], "a") as calls:
            print(event, given[-1] if event != "socket.getaddrinfo" else given[0], file=calls)
sys.addaudithook(note)
open(os.environ["GRAPHVEIL_CALLS"] + f".{os.getpid()}", "w").close()
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    """A studio with a town of 800 friendships open; it may not ask the network for anything."""
    home = tmp_path_factory.mktemp("home")
    graphveil.write(graphveil.generate(edges=800, seed=4), home / "town.csv")
    graphveil.write(graphveil.generate(edges=6000, seed=4), home / "city.csv")
    watch, calls = tmp_path_factory.mktemp("watch"), home / "calls"
    (watch / "sitecustomize.py").write_text(CALLS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(
            "PYTHONPATH", f"{watch}{os.pathsep}{os.environ.get('PYTHONPATH', '')}".rstrip(os.pathsep)
        )
        patch.setenv("GRAPHVEIL_CALLS", str(calls))
        found = Server(home, "town.csv").log_in()
    found.wait(1)
    yield found
    found.end()
    assert len(list(home.glob("calls.*"))) > 1  # the server and its workers were watched
    assert not calls.exists(), calls.read_text()


def command(action: list[dict[str, object]]) -> subprocess.CompletedProcess[str]:
    """Run the command line of an action."""
    words = shlex.split(Action.from_record(action).command())
    return subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, timeout=300)


def test_numbers_equal_those_of_the_command_line_for_every_k(server):
    shown = json.loads(server.get("/audit.json"))["before"]
    ks = ",".join(map(str, range(2, 101)))
    words = ["-m", "graphveil", "audit", str(server.home / "town.csv"), "-k", ks, "--json"]
    told = json.loads(subprocess.run([sys.executable, *words], capture_output=True, timeout=300).stdout)
    assert shown["k"] == told["k"] == list(range(2, 101))
    attackers = told["attackers"]
    assert [each["name"] for each in shown["attackers"]] == [each["name"] for each in attackers]
    for page, line in zip(shown["attackers"], attackers, strict=True):
        assert [{**each, "percent": None} for each in page["exposures"]] == [
            {**each, "percent": None} for each in line["exposures"]
        ]
    assert shown["groups"]["mutual-friends"] == told["histogram"]


def test_whole_way_equals_the_command_line(server):
    out, same = str(server.home / "out"), server.home / "same"
    server.wait(server.do("protect", k="5", method="plan", seed="12345678901234567890123")["job"])
    answer = server.do("publish", folder=out, to="csv")
    assert server.wait(answer["job"])["state"] == "done", answer
    certificate = Certificate.of(json.loads(Path(out, "public", "certificate.json").read_text()))
    worst = verdict(certificate).not_guaranteed[0]
    assert f"<strong>Not guaranteed.</strong> <bdi>{worst}</bdi>".replace(" %", "\u00a0%") in server.get(
        "/protect"
    )
    text = json.loads(server.request("POST", "/text/publish", {"folder": str(same), "to": "csv"})[2])[
        "command"
    ]
    ran = subprocess.run(
        [sys.executable, "-m", *shlex.split(text)], capture_output=True, text=True, timeout=300
    )
    assert ran.returncode == 0, ran.stderr
    for path in sorted(same.rglob("*")):
        if path.is_file():
            one, other = path.read_bytes(), Path(out, path.relative_to(same)).read_bytes()
            assert one == other, (path, one[14100:14300], other[14100:14300])
    assert "ask" in server.do("publish", folder=out)
    assert "Content-Security-Policy" in server.get("/report/public")
    server.wait(server.do("verify", folder=out)["job"])
    assert "Verified by an independent recount" in server.get("/publish")
    with open(f"{out}/public/graph.csv", "a") as graph:
        graph.write("0,1\n")
    server.wait(server.do("verify", folder=out)["job"])
    assert "Verification failed" in server.get("/publish")


def test_publishing_again_equals_the_command_line(server):
    first, again, same = server.home / "2026", server.home / "2027", server.home / "same-2027"
    server.wait(server.do("protect", k="5", method="plan")["job"])
    assert server.wait(server.do("publish", folder=str(first), report="brief")["job"])["state"] == "done"
    server.wait(
        server.do("protect", k="5", method="plan", after=str(first), seed="98765432109876543210987")["job"]
    )
    form = {"report": "brief", "pseudonyms": "same"}
    assert "Pseudonyms" in server.get("/publish")
    ended = server.wait(server.do("publish", folder=str(again), **form)["job"])
    assert ended["state"] == "done", ended["message"]
    assert "panel.csv says who is who in both releases" in server.get("/publish")
    answer = server.request("POST", "/text/publish", {"folder": str(same), **form})[2]
    words = shlex.split(json.loads(answer)["command"])
    subprocess.run([sys.executable, "-m", *words], check=True, capture_output=True, timeout=300)
    files = sorted(path for path in same.rglob("*") if path.is_file())
    assert [
        path for path in files if path.read_bytes() != (again / path.relative_to(same)).read_bytes()
    ] == []
    assert graphveil.verify(again, after=first / "public")


def test_restore_equals_the_command_line(server):
    out, results = server.home / "for restoring", server.home / "ranks.csv"
    server.wait(server.do("protect", k="5", method="add-del")["job"])
    server.wait(server.do("publish", folder=str(out), report="brief")["job"])
    private = str(out / "private")
    results.write_text("person,rank\n3,0.5\n1,0.25\n")
    form = {"private": private, "results": str(results)}
    ended = server.wait(server.do("preview-restore", **form)["job"])
    assert ended["state"] == "done", ended["message"]
    assert "The first rows, as they will be saved" in server.get("/restore")
    assert server.wait(server.do("restore", **form)["job"])["state"] == "done"
    words = ["-m", "graphveil", "restore", private, str(results), "-o", str(server.home / "by-hand.csv")]
    subprocess.run([sys.executable, *words], check=True, capture_output=True, timeout=300)
    assert (server.home / "ranks.restored.csv").read_bytes() == (server.home / "by-hand.csv").read_bytes()
    again = server.wait(server.do("restore", **form)["job"])
    assert again["state"] == "failed"
    assert "nothing is overwritten" in again["message"]


def test_events_are_numbered_and_none_is_lost_or_doubled(server):
    job = server.do("open", path=str(server.home / "town.csv"))["job"]
    server.wait(job)
    with server.events() as events:
        all_of_them = []
        for number, kind, data in events:
            all_of_them.append(number)
            if kind == "job" and data["number"] == job and data["state"] == "done":
                break
    assert all_of_them == list(range(1, len(all_of_them) + 1))
    middle = all_of_them[len(all_of_them) // 2]
    with server.events(middle) as events:
        assert next(events)[0] == middle + 1
    with server.events(10**9) as events:
        assert next(events)[1] == "reset"


def test_oldest_stream_gives_way_and_its_tab_comes_back_for_what_it_missed():
    async def tabs() -> None:
        events = Events()
        streams = [events.stream(0) for _ in range(MOST_STREAMS + 1)]
        for stream in streams:
            await anext(stream)
        async with asyncio.timeout(10):
            assert [event async for event in streams[0]] == []
            events.tell("state", {})
            for stream in streams[1:]:
                assert (await anext(stream)).startswith(b"id: 1\n")
            again = events.stream(0)
            await anext(again)
            assert (await anext(again)).startswith(b"id: 1\n")
            assert [event async for event in streams[1]] == []
            await again.aclose()
            last = events.stream(0)  # there is room for it
            await anext(last)
            events.tell("state", {})
            assert (await anext(streams[2])).startswith(b"id: 2\n")

    asyncio.run(tabs())


@pytest.mark.parametrize("content", [None, b"", b"\x00\x01\x02\xff" * 99, "folder", "unreadable"])
def test_files_that_cannot_be_read_give_the_sentence_of_the_library(server, content):
    path = server.home / f"odd-{content!r:.8}"
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content if isinstance(content, bytes) else b"1 2\n")
    if content == "unreadable":
        if os.geteuid() == 0:
            pytest.skip("root can read everything")
        path.chmod(0)
    job = server.wait(server.do("open", path=str(path))["job"])
    assert job["state"] == "failed"
    with pytest.raises(graphveil.InputError) as library:
        graphveil.read(path)
    assert job["message"] == str(library.value)
    assert server.process.poll() is None


def test_work_survives_a_file_that_is_refused(server):
    server.wait(server.do("open", path=str(server.home / "town.csv"))["job"])
    server.wait(server.do("protect", k="5", method="add-del")["job"])
    (server.home / "columns.csv").write_text("a,b,c\n1,2,3\n2,3,4\n")
    for name in ("missing.csv", "columns.csv", "missing.csv"):
        assert server.wait(server.do("open", path=str(server.home / name))["job"])["state"] == "failed"
        page = server.get("/open")
        assert "town.csv</bdi> · " in page
        assert f"/{name}" in page
        shown = "What was refused" in page, "Take a and b" in page
        assert shown == (name == "columns.csv",) * 2, name
        assert "Verified by a recount" in server.get("/protect")
    server.wait(server.do("open", path=str(server.home / "city.csv"))["job"])
    assert "city.csv</bdi> · " in server.get("/open")
    assert "Verified by a recount" not in server.get("/protect")
    server.wait(server.do("open", path=str(server.home / "town.csv"))["job"])


@pytest.mark.parametrize("part", ["audit", "preview", "result", "publication", "cells"])
def test_project_that_pages_cannot_show_is_refused(server, part):
    path = server.home / "odd.json"
    path.unlink(missing_ok=True)
    server.do("save-project", path=str(path))
    project = json.loads(path.read_text())
    path.write_text(json.dumps({**project, part: [{}] if part == "cells" else {"odd": 1}}))
    assert server.do("open-project", path=str(path))["problem"].endswith(
        "this project is damaged. Choose another file."
    )
    path.write_text('{"schema": ' + "[" * 100_000)
    assert "this is no project" in server.do("open-project", path=str(path))["problem"]
    assert "town.csv" in server.get("/exposure")


def searching(event: dict[str, object]) -> bool:
    """Whether there is something to keep, or the job is over."""
    return bool(event["keeps"]) or event["state"] in ("done", "failed", "stopped")


def test_stop_in_the_search_keeps_the_best_so_far_and_before_nothing(server):
    server.wait(server.do("open", path=str(server.home / "city.csv"))["job"])
    job = server.do("protect", k="50", method="plan")["job"]
    server.wait(job, lambda event: event["state"] == "running")
    begun = time.monotonic()
    server.do("stop", job=job)
    ended = server.wait(job)
    assert time.monotonic() < begun + 10
    assert (ended["state"], ended["message"]) == (
        "stopped",
        "Stopped. Nothing was kept, nothing was written.",
    )
    assert "Verified by a recount" not in server.get("/protect")
    job = server.do("protect", k="50", method="plan")["job"]
    event = server.wait(job, searching)
    assert "best so far" in event["keeps"]
    begun = time.monotonic()
    server.do("stop", job=job)
    assert server.wait(job)["state"] == "done"
    wait_until(lambda: not server.workers(), 10)
    assert time.monotonic() < begun + 10
    assert "Stopped: this is the best graph found until then" in server.get("/protect")


def test_stop_says_what_is_kept_already(server):
    form = {"k": "5,10,20,40", "methods": ["add-del", "plan"], "folder": str(server.home / "compared")}
    job = server.do("compare", **form)["job"]
    assert "finished run" in server.wait(job, lambda event: event["keeps"])["keeps"]
    server.do("stop", job=job)
    ended = server.wait(job)
    assert ended["state"] == "stopped"
    assert re.fullmatch(r"Stopped\. Kept: \d finished runs?\.", ended["message"])
    assert "Use this" in server.get("/compare")


def test_other_graph_is_not_opened_while_a_job_works_on_this_one(server):
    job = server.do("protect", k="50", method="plan")["job"]
    for name in ("open", "sample", "open-project"):
        answer = server.do(name, path=str(server.home / "city.csv"))
        assert answer["problem"] == "a job is running. Stop it first, or wait for its end."
    server.do("stop", job=job)
    server.wait(job)
    assert "town.csv" in server.get("/exposure")


def test_killed_worker_gives_a_plain_sentence_and_the_next_job_starts(server):
    server.wait(server.do("open", path=str(server.home / "town.csv"))["job"])
    wait_until(lambda: not server.workers())  # those of the jobs before
    job = server.do("protect", k="50", method="plan")["job"]
    waiting = server.do("look-up", person="5")["job"]
    wait_until(server.workers)
    os.kill(server.workers()[0], signal.SIGKILL)
    ended = server.wait(job)
    assert ended["state"] == "failed"
    assert "was ended from outside (signal 9)" in ended["message"]
    assert server.wait(waiting)["state"] == "done"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_worker_outlives_the_server(tmp_path, how):
    graphveil.write(graphveil.generate(edges=6000, seed=4), tmp_path / "city.csv")
    server = Server(tmp_path, "city.csv").log_in()
    wait_until(server.workers)
    workers = server.workers()
    server.end(how)
    wait_until(lambda: not any(map(alive, workers)), 10)
    assert server.process.returncode == (0 if how == signal.SIGINT else -signal.SIGKILL)


def test_ctrl_c_with_an_open_tab_ends_without_a_complaint(tmp_path):
    server = Server(tmp_path).log_in()
    begun = time.monotonic()
    with server.events():
        server.process.send_signal(signal.SIGINT)
        _, complaints = server.process.communicate(timeout=30)
    assert "Traceback" not in complaints
    assert server.process.returncode == 0
    assert time.monotonic() < begun + 10


def test_ctrl_c_just_after_the_address_is_heard(monkeypatch):
    heard = []

    def run(server: uvicorn.Server, sockets: object) -> None:
        signal.raise_signal(signal.SIGINT)  # before uvicorn listens to it
        heard.append(server.should_exit)

    monkeypatch.setattr(uvicorn.Server, "run", run)
    usual = signal.getsignal(signal.SIGINT)
    serve(browser=False, told=lambda _: None)
    assert heard == [True]
    assert signal.getsignal(signal.SIGINT) is usual


def test_server_killed_while_it_publishes_leaves_no_half_of_a_folder(tmp_path):
    graphveil.write(graphveil.generate(edges=800, seed=4), tmp_path / "town.csv")
    server = Server(tmp_path, "town.csv").log_in()
    server.wait(1)
    server.wait(server.do("protect", k="5", method="add-del")["job"])
    job = server.do("publish", folder=str(tmp_path / "out"), report="full")["job"]
    server.wait(job, lambda event: event["phase"].startswith("Writing") or event["state"] == "done")
    workers = server.workers()
    server.end(signal.SIGKILL)
    wait_until(lambda: not any(map(alive, workers)), 10)
    left = {path.name for path in tmp_path.iterdir() if "out" in path.name}
    assert left <= {"out"}
    if left:
        assert graphveil.verify(tmp_path / "out")


def test_progress_goes_on_while_numba_compiles(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "empty"))
    server = Server(tmp_path).log_in()
    server.wait(server.do("sample")["job"])
    job = server.do("protect", k="25", degree_k="10")["job"]
    told: list[dict[str, object]] = []

    def thrice(event):
        told.append(event)
        compiling = [each for each in told if str(each["phase"]).startswith("Compiling")]
        return len({each["seconds"] for each in compiling}) > 3 or event["state"] in ("done", "failed")

    last = server.wait(job, thrice)
    server.end(signal.SIGKILL)
    assert last["state"] == "running"
    assert TICK <= 2


def test_port_that_is_taken_is_one_line(server):
    words = ["-m", "graphveil", "studio", "--no-browser", "--port", str(server.port)]
    ran = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 2
    assert ran.stderr.splitlines()[-1].startswith(f"graphveil: error: port {server.port} cannot be used")


def test_saved_steps_run_in_a_fresh_shell(tmp_path):
    odd = tmp_path / "it's $HOME"
    odd.mkdir()
    graphveil.write(graphveil.generate(edges=300, seed=4), odd / '-my "friends" ☃.csv')
    server = Server(odd, "--", '-my "friends" ☃.csv').log_in()
    server.wait(1)
    (odd / "ranks.csv").write_text("person,rank\n3,0.5\n")
    restore = {"private": str(odd / "out" / "private"), "results": str(odd / "ranks.csv")}
    steps = (
        ("look-up", {"person": "5"}),
        ("protect", {"k": "5", "method": "add-del"}),
        ("publish", {"folder": str(odd / "out")}),
        ("verify", {"folder": str(odd / "out")}),
        ("preview-restore", restore),
        ("restore", restore),
    )
    for name, form in steps:
        assert server.wait(server.do(name, **form)["job"])["state"] == "done", name
    scripts = {"sh": server.get("/script/command"), sys.executable: server.get("/script/python")}
    server.end()
    written = [odd / "out" / "public" / "graph.txt", odd / "ranks.restored.csv"]
    first = [path.read_bytes() for path in written]
    (tmp_path / "graphveil").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m graphveil "$@"\n')
    (tmp_path / "graphveil").chmod(0o755)
    environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    for program, text in scripts.items():
        shutil.rmtree(odd / "out")
        (odd / "ranks.restored.csv").unlink()
        (tmp_path / "saved").write_text(text)
        words = [program, str(tmp_path / "saved")]
        ran = subprocess.run(words, capture_output=True, text=True, env=environment, cwd="/", timeout=300)
        assert ran.returncode == 0, ran.stderr
        assert [path.read_bytes() for path in written] == first


def test_browser_is_opened_with_the_address_that_is_printed(tmp_path):
    (tmp_path / "browser").write_text(f'#!/bin/sh\necho "$1" > "{tmp_path}/opened"\n')
    (tmp_path / "browser").chmod(0o755)
    words = [sys.executable, "-m", "graphveil", "studio"]
    environment = {**os.environ, "BROWSER": f"{tmp_path}/browser %s", "HOME": str(tmp_path)}
    studio = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment, cwd=tmp_path)
    assert studio.stdout is not None
    address = studio.stdout.readline()
    wait_until((tmp_path / "opened").exists, 30)
    wait_until(lambda: (tmp_path / "opened").read_text(), 30)
    studio.send_signal(signal.SIGINT)
    studio.communicate(timeout=30)
    assert (tmp_path / "opened").read_text() == address
    assert address.startswith("http://127.0.0.1:")

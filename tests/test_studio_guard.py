"""Who may talk to the studio, over plain HTTP."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from studio_server import Server

pytestmark = pytest.mark.xdist_group("studio guard")  # the first test logs in for all


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A studio whose token is not used yet."""
    found = Server(tmp_path_factory.mktemp("home"))
    yield found
    found.end()


def test_token_is_exchanged_once_for_a_cookie(server):
    for path in ("/", "/open", "/static/studio.js", "/events", "/?token=wrong", "/?token="):
        assert server.request("GET", path)[0] == 403
    status, headers, _ = server.request("GET", f"/?token={server.token}")
    assert (status, headers["location"]) == (303, "/")
    cookie = headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert server.request("GET", f"/?token={server.token}")[0] == 403  # by somebody else
    server.cookie = headers["set-cookie"].split(";")[0]
    assert server.request("GET", f"/?token={server.token}")[0] == 303  # by the owner, once more
    assert server.request("GET", "/open")[0] == 200


def test_other_hosts_and_origins_are_refused(server):
    for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", f"127.0.0.1:{server.port + 1}"):
        assert server.request("GET", "/open", Host=host)[0] == 403
    assert server.request("GET", "/open", Host=f"localhost:{server.port}")[0] == 200
    for origin in ("http://evil.example", "null", "", f"http://127.0.0.1:{server.port + 1}"):
        assert server.request("POST", "/do/k", {"k": 5}, Origin=origin)[0] == 403
    assert server.request("POST", "/do/k", {"k": 5}, Content_Type="text/plain")[0] == 415
    form = "application/x-www-form-urlencoded"
    assert server.request("POST", "/do/k", {"k": 5}, Content_Type=form)[0] == 415
    assert server.request("POST", "/do/k", {"k": "5" * 2_000_000})[0] == 413
    assert server.request("POST", "/do/k", [1])[0] == 400
    assert server.request("POST", "/do/nothing", {})[0] == 404
    assert server.request("POST", "/do/k", b"[" * 100_000)[0] == 400
    assert server.request("PUT", "/do/k", {"k": 5}, Origin=f"http://127.0.0.1:{server.port}")[0] in (405, 415)


def test_answers_forbid_inline_code_frames_and_caches(server):
    for path in ("/open", "/static/style.css", "/static/studio.js", "/nothing", "/static/../app.py"):
        _, headers, _ = server.request("GET", path)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-frame-options"] == "DENY"
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
    page = server.get("/open")
    assert "style=" not in page
    assert "<style" not in page
    assert page.count("<script") == 2  # data, and the module
    assert "onclick" not in page


def test_listens_on_this_machine_only(server):
    addresses = {line.split()[1] for line in Path("/proc/net/tcp").read_text().splitlines()[1:]}
    assert f"0100007F:{server.port:04X}" in addresses
    assert f"00000000:{server.port:04X}" not in addresses


def test_static_files_are_those_of_the_studio(server):
    for path in (
        "/static/app.py",
        "/static/..%2fapp.py",
        "/report/public",
        "/report/../../etc/passwd",
        "/script/x",
    ):
        assert server.request("GET", path)[0] == 404

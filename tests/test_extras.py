"""Every extra by itself, in an empty environment: what one machine happens to have hides what is missing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

import graphveil

SOURCE = Path(__file__).parents[1]
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("extras")]


def run(*command: object, cwd: Path | None = None) -> str:
    """What a command prints; it knows nothing of the environment of the tests."""
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))
    }
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env=clean, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    try:
        run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, SOURCE)
    except AssertionError as error:
        if os.environ.get("CI") or "hatchling" not in str(error):
            raise
        pytest.skip("no package index can be reached, and wheels need hatchling")
    return next(folder.glob("*.whl"))


def uses_the_command_line(scripts: Path, folder: Path) -> None:
    run(scripts / "graphveil", "anonymize", "friends.csv", "-k", "5", "-o", "out", cwd=folder)
    assert "holds" in run(scripts / "graphveil", "verify", "out", cwd=folder)


def uses_spark(scripts: Path, folder: Path) -> None:
    told = run(scripts / "graphveil", "audit", "friends.csv", "-k", "5", "--engine", "spark", cwd=folder)
    assert "mutual" in told


def uses_the_studio(scripts: Path, folder: Path) -> None:
    command = [str(scripts / "graphveil"), "studio", "friends.csv", "--no-browser", "--port", "0"]
    server = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        assert server.stdout is not None
        address = next(
            found for line in server.stdout if (found := re.search(r"http://127\.0\.0\.1:\S+", line))
        )
        with_cookies = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with with_cookies.open(address.group(), timeout=60) as page:
            assert b"graphveil" in page.read()
    finally:
        server.terminate()
        server.communicate(timeout=60)


def uses_the_site(scripts: Path, folder: Path) -> None:
    run(scripts / "python", "-c", "import myst_nb, numpydoc, pydata_sphinx_theme, sphinx")


def uses_the_builder(scripts: Path, folder: Path) -> None:
    run(scripts / "python", "-m", "build", "--version")
    run(scripts / "python", "-m", "twine", "--version")


@pytest.mark.parametrize(
    ("extras", "use"),
    [
        ("", uses_the_command_line),
        ("[studio]", uses_the_studio),
        pytest.param("[spark]", uses_spark, marks=pytest.mark.spark),
        ("[docs]", uses_the_site),
        ("[dist]", uses_the_builder),
    ],
)
def test_an_extra_works_alone(
    wheel: Path, extras: str, use: Callable[[Path, Path], None], tmp_path: Path
) -> None:
    if extras == "[spark]" and shutil.which("java") is None:
        pytest.skip("Spark needs Java 17: install a Java runtime, such as openjdk-17-jre-headless")
    environment = tmp_path / "environment"
    run(sys.executable, "-m", "venv", environment)
    scripts = environment / "bin"
    run(scripts / "python", "-m", "pip", "install", "--quiet", f"{wheel}{extras}")
    graph = graphveil.generate(edges=300, seed=4)
    (tmp_path / "friends.csv").write_text(
        "person,friend\n" + "".join(f"p{a},p{b}\n" for a, b in graph.edges.tolist())
    )
    use(scripts, tmp_path)

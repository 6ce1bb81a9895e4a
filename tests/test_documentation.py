"""The pages: short sentences, one word for one thing, every page in one place, and links that lead somewhere."""

import json
import os
import re
import runpy
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path
from pkgutil import resolve_name

import click
import pytest

import graphveil
from graphveil.cli.app import graphveil as command_line
from graphveil.cli.commands import whole_help

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted(
    path
    for path in [*DOCS.rglob("*.md"), *ROOT.glob("*.md"), ROOT / "benchmarks" / "results.md"]
    if "_build" not in path.parts
)
REPLACED = re.compile(
    r"\badversar(y|ies)\b|\bcrowds?\b|residual risk|\bafresh\b|made-up people|\btoggled\b", re.IGNORECASE
)


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_sentences_are_short():
    checked = subprocess.run(
        [sys.executable, ROOT / "tools" / "sentences.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr + checked.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_modules_that_a_page_names_are_there(page):
    text, source = text_of(page), ROOT / "src" / "graphveil"
    for name in set(re.findall(r"`(graphveil(?:\.[A-Za-z_]\w*)+)[`(]", text)) - {"graphveil.tar.gz"}:
        assert resolve_name(name) is not None
    files = re.findall(
        r"`((?:cli|experiments|formats|kernels|measures|methods|publication|risk)/[\w/]+\.py)`", text
    )
    assert [file for file in files if not (source / file).is_file()] == []


def test_every_page_is_in_one_place():
    places: Counter[str] = Counter()
    for page in (path for path in PAGES if path.is_relative_to(DOCS)):
        for block in re.findall(r"```\{toctree\}\n(?::.*\n)*\n((?:.+\n)+?)```", text_of(page)):
            targets = ((page.parent / name).resolve().relative_to(DOCS.resolve()) for name in block.split())
            places.update(target.as_posix() for target in targets)
    pages = {
        path.relative_to(DOCS).with_suffix("").as_posix() for path in PAGES if path.is_relative_to(DOCS)
    } - {"index"}
    assert set(places) == pages
    assert set(places.values()) == {1}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#\s]+)", text_of(page)):
        if not re.match(r"[a-z]+:", target):
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize(
    "page",
    [path for path in PAGES if path.name != "CONTRIBUTING.md"],  # which says what they were replaced by
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_pages_have_one_word_for_one_thing(page):
    assert [found.group() for found in REPLACED.finditer(text_of(page))] == []


@pytest.mark.parametrize("name", sorted(command_line.commands))
def test_help_has_one_word_for_one_thing(name):
    command = command_line.commands[name]
    words = command.get_help(click.Context(command, info_name=name))
    assert [found.group() for found in REPLACED.finditer(words)] == []


def test_the_reference_is_complete():
    listed = re.findall(r"^   (\w+)$", text_of(DOCS / "reference" / "api.md"), flags=re.MULTILINE)
    functions = {name for name in graphveil.__all__ if name.islower() and not name.startswith("_")}
    assert functions <= set(listed) <= set(graphveil.__all__)
    schemas = text_of(DOCS / "reference" / "schemas.md")
    for path in (ROOT / "src" / "graphveil" / "schemas").glob("*.json"):
        assert f"[`{path.name}`](schemas/{path.stem}.md)" in schemas
        assert f"{{json-schema}} {path.stem}\n" in text_of(DOCS / "reference" / "schemas" / f"{path.stem}.md")
    source = "\n".join(text_of(path) for path in (ROOT / "src" / "graphveil").rglob("*.py"))
    written = set(re.findall(r"\"(graphveil/[a-z-]+/\d)\"", source))
    older = {"graphveil/certificate/2", "graphveil/run/2"}  # still read
    assert {schema for schema in written - older if f"`{schema}`" not in schemas} == set()


PROGRAMS = r"(?:\.bench-venv/bin/)?python (?:benchmarks|tools)/|graphveil [a-z]|make [a-z]"


def typed_on(page: Path) -> set[str]:
    """The commands on a page: in backticks, or after a prompt; without what follows them in a shell."""
    text = text_of(page).replace("\\\n", " ")
    found = re.findall(rf"`((?:{PROGRAMS})[^`]*)`|^(?:\$|!) *((?:{PROGRAMS}).*)", text, flags=re.MULTILINE)
    cut = (re.split(r" #|[|>;…]|&&", quoted or prompted)[0] for quoted, prompted in found)
    return {" ".join(command.split()) for command in cut}


COMMANDS = sorted((page.relative_to(ROOT).as_posix(), typed) for page in PAGES for typed in typed_on(page))


@pytest.mark.parametrize(("page", "typed"), COMMANDS)
def test_commands_on_pages_exist(page, typed):
    """Whoever reads a figure can print it again: scripts, subcommands and options are there."""
    program, name, *words = shlex.split(typed)
    given = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)}
    if program == "make":
        assert re.search(rf"^{name}:", text_of(ROOT / "Makefile"), flags=re.MULTILINE)
    elif program == "graphveil":
        shown = whole_help(click.Context(command_line.commands[name], info_name=name))
        assert given - set(re.findall(r"--?[a-z][a-z-]*", shown)) == set()
    else:
        source = text_of(ROOT / name)
        assert {each for each in given if f'"{each}"' not in source} == set()
        assert not words or words[0].startswith("-") or f'"{words[0]}"' in source


def test_sites_of_releases_stand_side_by_side(tmp_path):
    (tmp_path / "built").mkdir()
    (tmp_path / "built" / "index.html").write_text("home")
    tool = runpy.run_path(str(ROOT / "tools" / "versions.py"))
    for version in ("0.9.0", "0.10.0", "0.3.1"):
        tool["place"](tmp_path / "built", tmp_path / "site", "https://example.org/graphveil", version)
    listed = json.loads((tmp_path / "site" / "versions.json").read_text())
    assert [each["version"] for each in listed] == ["0.10.0", "0.9.0", "0.3.1"]
    assert listed[0]["url"] == "https://example.org/graphveil/0.10.0/"
    assert "url=0.10.0/" in (tmp_path / "site" / "index.html").read_text()
    assert (tmp_path / "site" / "0.3.1" / "index.html").read_text() == "home"


def test_the_release_workflow_runs_what_is_there():
    workflow = text_of(ROOT / ".github" / "workflows" / "release.yml")
    for name in re.findall(r"run: make (\w+)", workflow):
        assert re.search(rf"^{name}:", text_of(ROOT / "Makefile"), flags=re.MULTILINE)
    assert re.search(
        r"^make dist$", text_of(ROOT / ".ci" / "run"), flags=re.MULTILINE
    )  # its packages are uploaded
    for each in (workflow, text_of(ROOT / ".github" / "workflows" / "ci.yml")):
        assert re.search(
            r"sudo --preserve-env=CI,\S+ .* bash \.ci/run", each
        )  # all tests run, the slow ones too
    for path in re.findall(r"(?:tools|\.ci)/[\w.]+", workflow):
        assert (ROOT / path).is_file(), path
    checks = re.findall(r"run: ((?:test|grep) .*GITHUB_REF_NAME.*)", workflow)
    assert len(checks) == 2
    for tag, passes in ((f"v{graphveil.__version__}", True), ("v99.0.0", False)):
        environment = {**os.environ, "GITHUB_REF_NAME": tag}
        for check in checks:
            ran = subprocess.run(["bash", "-c", check], cwd=ROOT, env=environment, check=False)
            assert (ran.returncode == 0) is passes, check

"""Publishing among people who mean no good: nothing of others is lost, and no check claims more than it did."""

from __future__ import annotations

import importlib
import shutil
from functools import partial
from pathlib import Path

import pytest

import graphveil
from graphveil import PublicationError, anonymize
from graphveil.cli import main
from graphveil.publish import check

publish = partial(graphveil.publish, report="brief")
staging = importlib.import_module("graphveil.publish.staging")  # the package has a function of this name
SEED = 2**100 + 20_131_107


@pytest.fixture(scope="module")
def town() -> graphveil.Result:
    return anonymize(graphveil.generate(edges=400, seed=4), k=5, seed=SEED)


@pytest.fixture(scope="module")
def original(town, tmp_path_factory) -> graphveil.Publication:
    return publish(town, tmp_path_factory.mktemp("original") / "out")


@pytest.fixture
def out(original, tmp_path) -> Path:
    """A publication to spoil."""
    return Path(shutil.copytree(original.folder, tmp_path / "out"))


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# ---------------------------------------------------------------------- force


def stranger_in_public(out: Path) -> None:
    (out / "public" / "thesis.tex").write_text("mine")


def stranger_in_private(out: Path) -> None:
    (out / "private" / "letters").mkdir()


def link_to_elsewhere(out: Path) -> None:
    (out / "public" / "report.html").unlink()
    (out / "public" / "report.html").symlink_to(out / "public" / "graph.txt")


def other_project(out: Path) -> None:
    shutil.rmtree(out / "private")
    (out / "public" / "certificate.json").write_text('{"issuer": "somebody else"}')


def kittens(out: Path) -> None:
    shutil.copytree(out, out.parent / "aside")
    shutil.rmtree(out)
    shutil.copytree(out.parent / "aside", out / "kittens")
    shutil.rmtree(out.parent / "aside")


def other_run(out: Path) -> None:
    (out / "private" / "run.json").write_text('{"schema": "somebody/else", "files": []}')


STRANGERS = (stranger_in_public, stranger_in_private, link_to_elsewhere, other_project, kittens, other_run)


@pytest.mark.parametrize("spoil", STRANGERS)
def test_force_deletes_nothing_that_graphveil_has_not_written(town, out, spoil):
    spoil(out)
    before = content(out)
    with pytest.raises(PublicationError, match="has not published"):
        publish(town, out, force=True)
    assert content(out) == before
    assert [path.name for path in out.parent.iterdir()] == ["out"]


def test_force_replaces_whole_publications_and_those_whose_private_part_is_locked_away(town, out):
    publish(town, out, force=True)
    shutil.rmtree(out / "private")
    publish(town, out, force=True)
    assert check(out, original=town.original)


def test_force_looks_again_before_the_folder_is_moved(town, out, monkeypatch):
    def write_slowly(*arguments, **options):
        stranger_in_public(out)
        return written(*arguments, **options)

    written = graphveil.publish.__globals__["write_publication"]
    monkeypatch.setitem(graphveil.publish.__globals__, "write_publication", write_slowly)
    with pytest.raises(PublicationError, match="has not published"):
        publish(town, out, force=True)
    assert (out / "public" / "thesis.tex").read_text() == "mine"


def test_force_deletes_no_input(town, out, capsys):
    file = out / "public" / "graph.txt"
    before = content(out)
    assert main(["anonymize", str(file), "-k", "3", "-o", str(out), "--force"]) == 2
    assert "the input" in capsys.readouterr().err
    with pytest.raises(PublicationError, match="the input"):
        publish(town, out, force=True, source=file)
    assert content(out) == before


# ---------------------------------------------------------------------- what dead runs leave


def planted_link(aside: Path, precious: Path) -> None:
    precious.chmod(0o700)
    (precious / "old").mkdir()
    (precious / "letter").rename(precious / "old" / "letter")
    aside.symlink_to(precious)


def planted_folder(aside: Path, precious: Path) -> None:
    """Not made by graphveil: others may look into it."""
    precious.rename(aside)
    aside.chmod(0o755)


def renamed_folder(aside: Path, precious: Path) -> None:
    """As secret as one of graphveil, but with other things in it."""
    precious.rename(aside)
    aside.chmod(0o700)


@pytest.mark.parametrize("plant", [planted_link, planted_folder, renamed_folder])
def test_cleaning_up_touches_only_what_graphveil_has_made(tmp_path, plant):
    precious, target = tmp_path / "precious", tmp_path / "out"
    precious.mkdir()
    (precious / "letter").write_text("mine")
    plant(tmp_path / f"{staging._prefix(target)}x", precious)
    before = content(tmp_path)
    staging.check_target(target)
    assert content(tmp_path) == before
    assert not target.exists()


def test_cleaning_up_leaves_the_folders_of_others(tmp_path, monkeypatch):
    target = tmp_path / "out"
    aside = staging.private_folder(tmp_path / f"{staging._prefix(target)}x")
    monkeypatch.setattr(staging.os, "geteuid", lambda: aside.stat().st_uid + 1)
    staging.check_target(target)
    assert aside.exists()
    monkeypatch.undo()
    with pytest.warns(UserWarning, match="killed"):
        staging.check_target(target)
    assert not aside.exists()

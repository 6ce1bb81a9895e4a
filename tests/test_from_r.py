"""The page for users of R, run in a real R."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import graphveil

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "from-r.md"
PLAIN, RETICULATE = re.findall(r"```r\n(.*?)```", PAGE.read_text(), re.DOTALL)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "packages", "folder"),
    [(PLAIN, ["igraph"], "out"), (RETICULATE, ["igraph", "reticulate"], "out-r")],
    ids=["plain files", "reticulate"],
)
def test_the_page_works_in_r(script: str, packages: list[str], folder: str, tmp_path: Path) -> None:
    needed = " && ".join(f"requireNamespace('{package}', quietly = TRUE)" for package in packages)
    if (
        shutil.which("Rscript") is None
        or subprocess.run(["Rscript", "-e", f"quit(status = !({needed}))"]).returncode
    ):
        pytest.skip(f"needs R with {' and '.join(packages)}")
    here = {
        "RETICULATE_PYTHON": sys.executable,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    (tmp_path / "page.R").write_text(script)
    done = subprocess.run(
        ["Rscript", "page.R"],
        cwd=tmp_path,
        env=os.environ | here,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert graphveil.verify(tmp_path / folder)

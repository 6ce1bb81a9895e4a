"""Where the real graphs are, for tests and benchmarks: apart from conftest.py, which needs pytest."""

from __future__ import annotations

import os
from pathlib import Path


def data_folder() -> Path | None:
    """GRAPHVEIL_DATA, or ../shared/data from the project's root; None where there is no such folder."""
    root = Path(__file__).resolve().parent.parent
    folder = Path(os.environ.get("GRAPHVEIL_DATA", root.parent / "shared" / "data"))
    return folder if folder.is_dir() else None

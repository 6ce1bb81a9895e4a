"""Put a built site beside those of other releases, with a list from which readers choose theirs.

    python tools/versions.py build/docs SITE https://example.org/graphveil

SITE gets a folder with the name of the version, `versions.json` for the list in the top bar, and a first page that
leads to the newest version. Readers of a site by itself (`make docs`) have no list: it needs a web server.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

FIRST = '<!DOCTYPE html><title>graphveil</title><meta http-equiv="refresh" content="0; url={}/">\n'


def place(built: Path, site: Path, address: str, version: str) -> None:
    """Copy the site of a version, and list all that are there, the newest first."""
    shutil.rmtree(site / version, ignore_errors=True)
    shutil.copytree(built, site / version)
    found = [path.name for path in site.iterdir() if re.fullmatch(r"\d+(\.\d+)+", path.name)]
    found.sort(key=lambda name: [int(part) for part in name.split(".")], reverse=True)
    listed = [{"version": name, "url": f"{address}/{name}/"} for name in found]
    (site / "versions.json").write_text(json.dumps(listed, indent=1) + "\n", encoding="utf-8")
    (site / "index.html").write_text(FIRST.format(found[0]), encoding="utf-8")


if __name__ == "__main__":
    from graphveil import __version__

    built, site, address = sys.argv[1:]
    place(Path(built), Path(site), address.rstrip("/"), __version__)

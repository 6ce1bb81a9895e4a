"""Addresses in the metadata of packages: where the project lives is known where they are built for a release.

There (GITHUB_REPOSITORY) the package names the project's pages, and the links of its README.md lead to them.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PAGES = {
    "Source": "",
    "Documentation": "/tree/main/docs",
    "Changelog": "/blob/main/CHANGELOG.md",
    "Issues": "/issues",
    "Security": "/security/policy",
}


class Addresses(MetadataHookInterface):
    """Adds the addresses where packages are built for a release, and none elsewhere."""

    def update(self, metadata: dict[str, Any]) -> None:
        """What hatchling calls."""
        readme, project = (
            Path(self.root, "README.md").read_text(encoding="utf-8"),
            os.environ.get("GITHUB_REPOSITORY"),
        )
        metadata["urls"] = {}
        if project:
            home = f"https://github.com/{project}"
            metadata["urls"] = {name: home + page for name, page in PAGES.items()}
            files = f"{home}/blob/{os.environ.get('GITHUB_REF_NAME', 'main')}/"
            readme = re.sub(r"(!\[[^\]]*\]\()(?!https?:)([^)]+)", rf"\1{files}\2?raw=true", readme)
            readme = re.sub(r"(?<!!)(\[[^\]]*\]\()(?!https?:)", rf"\1{files}", readme)
        metadata["readme"] = {"content-type": "text/markdown", "text": readme}

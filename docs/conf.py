"""The documentation site: ``make docs`` builds it offline, executes its code, and takes warnings for errors."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from graphveil import __version__

project = "graphveil"
author = "The graphveil developers"
copyright = author
version = release = __version__

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.doctest",
    "command_help",
    "json_schema",
]
exclude_patterns = ["_build", "_ext", "_templates", "_static"]
templates_path = ["_templates"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

nb_execution_mode = "cache"
nb_execution_cache_path = str(Path(__file__).parent.parent / "build" / "notebooks")
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_merge_streams = True

autodoc_typehints = "none"
autosummary_generate = True
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

html_theme = "pydata_sphinx_theme"
html_title = f"graphveil {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_logo = html_favicon = "_static/mark.svg"
html_theme_options = {
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "header_links_before_dropdown": 5,
    "logo": {"text": f"graphveil {version}", "alt_text": "graphveil: home"},
}
if versions := os.environ.get(
    "GRAPHVEIL_VERSIONS"
):  # where the sites of all releases are listed: tools/versions.py
    html_theme_options |= {
        "switcher": {"json_url": versions, "version_match": version},
        "check_switcher": False,
        "navbar_end": ["version-switcher", "theme-switcher"],
        "logo": {"text": "graphveil", "alt_text": "graphveil: home"},
    }
html_show_sourcelink = False

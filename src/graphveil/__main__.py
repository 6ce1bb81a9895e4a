"""``python -m graphveil``, the same as ``graphveil``."""

from __future__ import annotations

import sys

from graphveil.cli import main

sys.exit(main())

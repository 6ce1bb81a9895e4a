"""``graphveil`` and ``python -m graphveil``: a Ctrl-C before the command listens to it ends it without a word."""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Run the command that was typed."""
    try:
        from graphveil.cli import main as command

        return command()
    except KeyboardInterrupt:
        os._exit(130)


if __name__ == "__main__":
    sys.exit(main())

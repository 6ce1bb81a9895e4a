"""``graphveil demo``: the story of the mutual friend attack."""

from __future__ import annotations

from graphveil.cli.commands import command
from graphveil.cli.streams import note
from graphveil.cli.terminal import announce_compilation


@command("demo")
def demo(output: str | None) -> None:
    """Tell the story of the mutual friend attack.

    First an attacker finds Alice and Bob by their four mutual friends. Then a whole town is audited, anonymized,
    published and verified.
    """
    from pathlib import Path
    from tempfile import TemporaryDirectory

    from graphveil.cli.story import tell

    announce_compilation()
    if output:
        tell(Path(output))
    else:
        with TemporaryDirectory() as folder:
            tell(Path(folder, "out"))
        note("Both folders are gone now; to keep them: graphveil demo -o FOLDER")

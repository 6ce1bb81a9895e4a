"""The end of a run: the verdict on what was published."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphveil.publication.documents import AttackRecord
    from graphveil.verification import Certificate

WIDTH = 100


def show_verdicts(certificates: Sequence[Certificate], attacks: Sequence[AttackRecord | None]) -> None:
    """Print what is guaranteed, what it cost, what is not guaranteed, and what to do; for each k."""
    from rich.text import Text

    from graphveil.cli.terminal import console
    from graphveil.publication.words import ATTACKED, MEASURED, SIMILAR, verdict

    out = console()
    for certificate, attack in zip(certificates, attacks, strict=True):
        words = verdict(certificate, attack=attack)
        if len(certificates) > 1:
            out.print(f"k = {certificate.k:,}", style="bold")
        for heading, style, sentences in (
            ("Guaranteed", "bold green", words.guaranteed),
            ("Cost", "bold", (words.cost,)),
            *([(MEASURED, "bold yellow", words.reduced)] if words.reduced else []),
            ("Not guaranteed", "bold red", (*words.not_guaranteed, SIMILAR)),
            *([(ATTACKED, "bold red", (words.attack,))] if words.attack else []),
            ("What to do", "bold", (words.advice,)),
        ):
            out.print(
                Text.assemble((f"{heading}. ", style), " ".join(sentences)), width=min(out.width, WIDTH)
            )

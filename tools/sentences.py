"""How long are the sentences of the documentation? (docs, README and the other pages in Markdown)

    python tools/sentences.py            # a table: words per sentence on average, share of long ones, by page
    python tools/sentences.py --check    # exit code 1 if a page or the whole is over the limits
    python tools/sentences.py --long     # the long sentences themselves

Code, tables, headings and link targets are left out. A list item that ends without a full stop is a sentence.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("*.md", "docs/**/*.md", "benchmarks/*.md")
LONG = 30  # words
END = r"""(?<=[.!?])[")”*_]*\s+(?=[A-Z0-9"“(*_]|code|graphveil)"""  # of a sentence
MOST_ON_AVERAGE, MOST_LONG = 15.0, 0.03  # over all pages


def prose(text: str) -> list[str]:
    """The paragraphs and list items of a page, without anything that is not a sentence."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)
    text = re.sub(r"(?ms)^\s*(```|~~~|:::).*?^\s*\1\s*$", "\n\n", text)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    kept = [line for line in text.splitlines() if not re.match(r"\s*(\||#|!\[|>>>|<)", line)]
    text = re.sub(r"\n\s*([-*+]|\d+\.)\s+", "\n\n", "\n" + "\n".join(kept))
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`\n]+`", "code", text)
    return [" ".join(block.split()) for block in re.split(r"\n\s*\n", text) if block.strip()]


def sentences(text: str) -> list[list[str]]:
    """The sentences of a page, as lists of words."""
    parts = (part for block in prose(text) for part in re.split(END, block))
    words = (re.findall(r"[\w’'&/.,%+-]*\w[\w’'%-]*", part) for part in parts)
    return [each for each in words if len(each) > 2]


def main() -> int:
    """Print what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="exit with 1 where the limits are exceeded")
    parser.add_argument("--long", action="store_true", help="print the long sentences")
    options = parser.parse_args()
    paths = sorted({path for pattern in PAGES for path in ROOT.glob(pattern) if "_build" not in path.parts})
    lengths: list[int] = []
    print(f"{'page':40} {'sentences':>9} {'words':>6} {f'over {LONG}':>8}")
    for path in paths:
        found = sentences(path.read_text(encoding="utf-8"))
        if not found:
            continue
        counts = [len(each) for each in found]
        lengths += counts
        print(
            f"{path.relative_to(ROOT)!s:40} {len(counts):9} {_mean(counts):6.1f} {_share_of_long(counts):8.1%}"
        )
        if options.long:
            for words in found:
                if len(words) > LONG:
                    print(f"    {len(words)}: {' '.join(words)}")
    print(f"{'all':40} {len(lengths):9} {_mean(lengths):6.1f} {_share_of_long(lengths):8.1%}")
    too_long = _mean(lengths) > MOST_ON_AVERAGE or _share_of_long(lengths) > MOST_LONG
    if options.check and too_long:
        print(
            f"The aim is {MOST_ON_AVERAGE:g} words on average and {MOST_LONG:.0%} over {LONG}.",
            file=sys.stderr,
        )
    return int(options.check and too_long)


def _mean(counts: list[int]) -> float:
    return sum(counts) / len(counts)


def _share_of_long(counts: list[int]) -> float:
    return sum(count > LONG for count in counts) / len(counts)


if __name__ == "__main__":
    sys.exit(main())

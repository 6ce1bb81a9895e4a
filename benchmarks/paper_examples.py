"""The small graphs of the paper, drawn with the numbers that graphveil counts: docs/paper-examples.md.

    python benchmarks/paper_examples.py

The pictures are missing from the source of the paper. The graphs are drawn from what its text says about them.
"""

# ruff: noqa: E501 (paragraphs of the page)

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from math import cos, pi, sin
from pathlib import Path

from graphveil import Graph, anonymize, mutual_friends

DOCS = Path(__file__).parent.parent / "docs"
Pair = tuple[str, str]
Place = tuple[float, float]


def circle(names: str | list[str], radius: float = 1.0, turn: float = 0.0) -> dict[str, Place]:
    """Names at equal distances on a circle, the first at the top."""
    angles = (turn + 2 * pi * at / len(names) - pi / 2 for at in range(len(names)))
    return {name: (radius * cos(a), radius * sin(a)) for name, a in zip(names, angles, strict=True)}


@dataclass(frozen=True)
class Example:
    """One small graph, where its vertices are drawn, and what is to be seen in it."""

    file: str
    title: str
    places: dict[str, Place]
    pairs: list[Pair]
    new: Pair | None = None  # drawn dashed, and counted as if it were there
    strong: list[Pair] = field(default_factory=list)

    def counts(self) -> dict[Pair, int]:
        """Mutual friends of every pair, as graphveil counts them."""
        pairs = [*self.pairs, *([self.new] if self.new else [])]
        graph = Graph.from_edges(pairs)
        names = graph.labels.tolist()
        found = zip(graph.edges.tolist(), mutual_friends(graph).tolist(), strict=True)
        by_ends = {frozenset((names[u], names[v])): count for (u, v), count in found}
        return {pair: by_ends[frozenset(pair)] for pair in pairs}


K2_DEGREE = [("A", "B"), ("A", "D"), ("A", "F"), ("C", "D"), ("C", "F"), ("C", "E"), ("D", "F")]
KITE = {
    "B": (-2.2, 0.0),
    "A": (-1.1, 0.0),
    "D": (0.0, -0.9),
    "F": (0.0, 0.9),
    "C": (1.1, 0.0),
    "E": (2.2, 0.0),
}
FRIENDS = ["Carl", "Dell", "Ed", "Frank"]
ALICE_AND_BOB = [
    ("Alice", "Bob"),
    *((who, friend) for friend in FRIENDS for who in ("Alice", "Bob")),
    ("Alice", "Gil"),
    ("Carl", "Gil"),
]
TOWN = {
    "Alice": (-1.1, 0.0),
    "Bob": (1.1, 0.0),
    "Carl": (-0.7, -1.2),
    "Dell": (0.9, -1.2),
    "Ed": (-0.7, 1.2),
    "Frank": (0.9, 1.2),
    "Gil": (-2.0, -0.9),
}
TWO_TRIANGLES = [("1", "2"), ("1", "3"), ("2", "3"), ("3", "4"), ("4", "5"), ("4", "6"), ("5", "6")]
BICLIQUE = [(one, other) for one in "12" for other in "34567"]
WHEEL = [
    *((hub, "v3") for hub in ("v1", "v2", "v4", "v5")),
    ("v1", "v2"),
    ("v2", "v5"),
    ("v5", "v4"),
    ("v4", "v1"),
]
BOWTIE = {
    "1": (-1.8, -0.8),
    "2": (-1.8, 0.8),
    "3": (-0.7, 0),
    "4": (0.7, 0),
    "5": (1.8, -0.8),
    "6": (1.8, 0.8),
}
SIDES = {"1": (-0.8, -1.0), "2": (0.8, -1.0), **{name: (at - 2.0, 1.0) for at, name in enumerate("34567")}}

EXAMPLES = [
    Example("k2-degree", "A 2²-degree anonymous graph", KITE, K2_DEGREE, strong=[("D", "F")]),
    Example(
        "alice-and-bob", "Alice and Bob", TOWN, ALICE_AND_BOB, strong=[("Alice", "Bob"), ("Alice", "Carl")]
    ),
    Example("alice-and-bob-more", "… with (Dell, Frank)", TOWN, ALICE_AND_BOB, new=("Dell", "Frank")),
    Example("two-triangles", "Two triangles and a bridge", BOWTIE, TWO_TRIANGLES, strong=[("3", "4")]),
    Example("biclique", "K(2,5)", SIDES, BICLIQUE),
    Example("biclique-12", "… with (1, 2)", SIDES, BICLIQUE, new=("1", "2")),
    Example("biclique-47", "… with (4, 7)", SIDES, BICLIQUE, new=("4", "7")),
    Example("triangle", "A triangle", circle("123"), [*pairwise("1231")]),
    Example("k4", "K4", circle("1234"), [*combinations("1234", 2)]),
    Example("wheel", "A wheel", {"v3": (0.0, 0.0), **circle(["v1", "v2", "v5", "v4"], 1.2, pi / 4)}, WHEEL),
]


def sharing_degrees(example: Example) -> dict[tuple[int, int], set[str]]:
    """The vertices of each degree that have a neighbour of each other degree, by both degrees."""
    degree = Counter(name for pair in example.pairs for name in pair)
    found: dict[tuple[int, int], set[str]] = {}
    for one, other in (ends for u, v in example.pairs for ends in ((u, v), (v, u))):
        found.setdefault((degree[one], degree[other]), set()).add(one)
    return found


def largest_k(counts: dict[Pair, int]) -> int:
    """The largest k at which a graph is k-NMF anonymous."""
    return min(Counter(counts.values()).values())


# ---------------------------------------------------------------------- drawing

SCALE, EDGE = 62, 34


def drawing(example: Example) -> str:
    """The graph as SVG, with the mutual friends of every edge beside it."""
    across = [x for x, _ in example.places.values()]
    down = [y for _, y in example.places.values()]
    width, height = (max(across) - min(across)) * SCALE, (max(down) - min(down)) * SCALE

    def at(name: str) -> Place:
        x, y = example.places[name]
        return (x - min(across)) * SCALE + EDGE, (y - min(down)) * SCALE + EDGE

    parts = []
    for pair, count in example.counts().items():
        (x1, y1), (x2, y2) = at(pair[0]), at(pair[1])
        dash = ' stroke-dasharray="5 4"' if pair == example.new else ""
        colour = "#B3261E" if pair in example.strong else "#777777"
        parts.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="1.6"{dash}/>'
        )
        x, y = x1 + 0.42 * (x2 - x1), y1 + 0.42 * (y2 - y1)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="8" fill="white"/>')
        parts.append(f'<text x="{x:.1f}" y="{y + 4:.1f}" fill="{colour}">{count}</text>')
    for name in example.places:
        x, y = at(name)
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{10 if len(name) < 3 else 19}" fill="#35124F"/>')
        parts.append(f'<text x="{x:.1f}" y="{y + 4:.1f}" fill="white">{name}</text>')
    size = f"{width + 2 * EDGE:.0f} {height + 2 * EDGE:.0f}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" width="{width + 2 * EDGE:.0f}" '
        f'font-family="sans-serif" font-size="11" text-anchor="middle">\n<title>{example.title}</title>\n'
        + "\n".join(parts)
        + "\n</svg>\n"
    )


# ---------------------------------------------------------------------- the page


def raised(before: Example, after: Example) -> list[Pair]:
    """The edges whose count a new edge changes."""
    old, new = before.counts(), after.counts()
    return [pair for pair in before.pairs if new[pair] != old[pair]]


def told(pairs: list[Pair]) -> str:
    return ", ".join(f"({u}, {v})" for u, v in pairs)


def picture(example: Example) -> str:
    return f"![{example.title}](figures/example-{example.file}.svg)"


def page() -> str:
    """The page in Markdown; every number in it is computed here."""
    kite, alice, more, bridge, biclique, with_12, with_47, triangle, k4, wheel = EXAMPLES
    kite_counts = kite.counts()
    of_degrees = min(map(len, sharing_degrees(kite).values()))
    counts = alice.counts()
    sizes = Counter(counts.values())
    unique = [pair for pair, count in counts.items() if sizes[count] == 1]
    left = anonymize(Graph.from_edges(bridge.pairs), 2, method="add-greedy", seed=7)
    wheel_counts = sorted(wheel.counts().values(), reverse=True)
    return f"""# The mutual friend attack, in small graphs

Many sites show how many mutual friends two people have. This number can identify a friendship in a graph without names. These
are the graphs of Figures 2 to 4 of the paper. Figure 1 shows screenshots. The number on each edge is its mutual-friend count, as
graphveil counts it. The source of the paper lacks the pictures, so the graphs are drawn from its text, and other graphs may fit it
as well. `python benchmarks/paper_examples.py` makes this page and its drawings.

## Figure 2(a): degrees are safe, an edge is not

{picture(kite)}

An attacker may know the degrees of two friends (Tai and Yu 2011). The graph is 2²-degree anonymous: whichever degrees two friends
have, at least {of_degrees} vertices of the one degree have a friend of the other. But {told([pair for pair in kite_counts if kite_counts[pair] == 2])} alone has {kite_counts["D", "F"]} mutual friends, so it is exposed.

## Figures 2(b) and 2(c): two friendships, combined

{picture(alice)}

Alice and Bob have {counts["Alice", "Bob"]} mutual friends: Carl, Dell, Ed and Frank. Only one edge has this count, and only one has {counts["Alice", "Carl"]}.
So {told(unique)} are exposed. Each is in a group of 1.

An attacker who knows both counts combines them. The two edges share one vertex, which must be Alice. The other ends are Bob and
Carl. Two friendships identify three people, although no single count names a person.

{picture(more)}

The new edge (Dell, Frank) changes the counts of {len(raised(alice, more))} other edges: {told(raised(alice, more))}. The new edge itself
has {more.counts()["Dell", "Frank"]} mutual friends. A change never concerns one edge only. This makes k-NMF harder than k-degree.

## Figure 3(a): two triangles and a bridge

{picture(bridge)}

The graph looks the same from both sides (it is 2-automorphic). But only the bridge (3, 4) has {bridge.counts()["3", "4"]} mutual friends, so it is exposed.
Protection against attacks on the position of a vertex does not protect an edge. `graphveil anonymize -k 2 --method add-greedy`
adds {len(left.added)} edge, deletes {len(left.deleted)} and adds {len(left.new_vertices)} vertices.

## Figure 3(b): one more edge changes ten counts, or four

{picture(biclique)} {picture(with_12)} {picture(with_47)}

Adding (1, 2) raises {len(raised(biclique, with_12))} edges by one, which is all of them. Adding (4, 7) raises {len(raised(biclique, with_47))}: {told(raised(biclique, with_47))}. So the
number of added edges alone says little about their effect.

## Figure 4: a triangle, K4 and a wheel

{picture(triangle)} {picture(k4)} {picture(wheel)}

A graph is k-NMF anonymous if every count belongs to at least k edges, or to none. The triangle is {largest_k(triangle.counts())}-NMF anonymous. K4 is
{largest_k(k4.counts())}-NMF anonymous. The wheel has the counts {", ".join(map(str, wheel_counts))}, so it is {largest_k(wheel.counts())}-NMF anonymous.
"""


def main() -> None:
    for example in EXAMPLES:
        (DOCS / "figures" / f"example-{example.file}.svg").write_text(drawing(example))
    (DOCS / "paper-examples.md").write_text(page())


if __name__ == "__main__":
    main()

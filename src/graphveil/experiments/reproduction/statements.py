"""What Section IV of the paper says, one statement at a time, and a test of each against our figures.

Where the paper uses a word for a size ("slightly"), the test says which number it takes it for, and why. The statements
of Figures 9 to 11 are tested on KDA as the paper writes it, and once more on graphveil's own.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphveil.experiments.reproduction import checks, paper
from graphveil.experiments.reproduction.checks import NAMES, beats, stays_within, trend, with_edges_added
from graphveil.experiments.reproduction.experiments import NMF_METHODS
from graphveil.experiments.reproduction.judging import Statement
from graphveil.words import percent

__all__ = ["NAMES", "STATEMENTS"]

EVERY_GRAPH = ("ACM", "Cora", "Brightkite")
ADD = ("add-greedy", "add-intuit")
SAME_FIGURES = "all 16 figures are the same, when a value violates if it occurs at most k times"
CLEAR = (
    f"rank correlation with k over the whole series of at least {checks.CLEAR_TREND}, which chance gives in fewer than "
    "1 of 100 series of eight"
)
KS = "Kolmogorov–Smirnov distance to the original"
WON = "wins at {:.0%} of the k"
SHARE = "largest difference {:+.2%}"
RHO = "weakest ρ {:+.2f}"


def _degrees(method: str) -> Iterator[Statement]:
    """The statements about KDA, as written or ours."""
    kda, place, paper_s = NAMES[method], "Figures 9–11", method == "kda-paper"
    little = (
        f"at every degree k by at most {percent(checks.DEGREES_A_LITTLE)} of that of the k-NMF graph, which is seen in "
        "a plot from 0, but small"
    )
    yield Statement(
        place,
        f"{kda} forms no new triangle",
        EVERY_GRAPH,
        "at every degree k there are as many triangles as in the k-NMF graph",
        checks.no_new_triangles(method),
        "others at {:.0f} k",
        paper_s,
    )
    for name, word in (("clustering", "CC"), ("path_length", "the APL")):
        yield Statement(
            place,
            f"Under {kda}, {word} decreases as k increases",
            EVERY_GRAPH,
            CLEAR,
            trend((method,), name, -1),
            RHO,
            paper_s,
        )
        yield Statement(
            place,
            f"Under {kda}, {word} decreases by a little bit",
            EVERY_GRAPH,
            little,
            with_edges_added(
                stays_within((method,), name, checks.DEGREES_A_LITTLE, checks.nmf_graph), method, "liu-terzi"
            ),
            SHARE,
            paper_s,
        )
    yield Statement(
        place,
        f"{kda} keeps CC better than the classic k-degree anonymization",
        EVERY_GRAPH,
        "its difference to the k-NMF graph is smaller than Liu–Terzi's at every degree k",
        with_edges_added(
            beats(method, ("liu-terzi",), checks.from_nmf_graph("clustering")), method, "liu-terzi"
        ),
        WON,
        paper_s,
    )
    yield Statement(
        "Figures 10, 11",
        f"The classic k-degree anonymization performs a little better than {kda} on APL",
        ("Cora", "Brightkite"),
        "Liu–Terzi's difference to the k-NMF graph is the smaller one at every degree k",
        beats("liu-terzi", (method,), checks.from_nmf_graph("path_length")),
        WON,
        paper_s,
    )
    yield Statement(
        "Figure 9",
        f"Where the APL is large, {kda} performs better on it",
        ("ACM",),
        "its difference to the k-NMF graph is smaller than Liu–Terzi's at every degree k",
        beats(method, ("liu-terzi",), checks.from_nmf_graph("path_length")),
        WON,
        paper_s,
    )
    yield Statement(
        place,
        f"Under {kda} the distributions of betweenness are very similar to those of the original",
        EVERY_GRAPH,
        f"at degree k = 10, 20, 30 the {KS} is at most {checks.VERY_SIMILAR}: at most a tenth of the vertices are "
        "shifted over any value",
        checks.similar_betweenness(method),
        "largest distance {:.3f}",
        paper_s,
    )


STATEMENTS = (
    *(
        Statement(
            "Table I",
            f"So many vertices of {name} violate k-degree anonymity, and so many edges k-NMF anonymity",
            (name,),
            SAME_FIGURES,
            checks.table_i(name),
            "{:.0%} of the figures are the same",
        )
        for name in EVERY_GRAPH
    ),
    Statement(
        "Table I",
        "The number of edges violating k-NMF anonymity can be sizable for k from 5 to 100",
        EVERY_GRAPH,
        f"by the definition, some at k = 5, never fewer at a larger k, and {percent(checks.SIZABLE)} of the edges or "
        "more at k = 100, as on all three graphs in the paper's table",
        checks.sizable,
        "{:.2%} at the largest k",
    ),
    Statement(
        "Figure 5",
        "CC increases with k on ACM and Brightkite",
        ("ACM", "Brightkite"),
        f"for each of the three methods: {CLEAR}",
        trend(NMF_METHODS, "clustering", +1),
        RHO,
    ),
    Statement(
        "Figure 5",
        "CC decreases with k on Cora",
        ("Cora",),
        f"for each of the three methods: {CLEAR}",
        trend(NMF_METHODS, "clustering", -1),
        RHO,
    ),
    Statement(
        "Figure 5",
        "CC deviates slightly from the original",
        EVERY_GRAPH,
        f"at every k and for every method by at most {percent(checks.CLUSTERING_SLIGHTLY)} of it, which is hard to see "
        "in a plot from 0",
        stays_within(NMF_METHODS, "clustering", checks.CLUSTERING_SLIGHTLY, checks.original),
        SHARE,
    ),
    Statement(
        "Figure 5",
        "ADD&DEL keeps CC better than the two ADD algorithms",
        EVERY_GRAPH,
        "its difference to the original is the smallest at every k",
        beats("add-del", ADD, checks.clustering),
        WON,
    ),
    Statement(
        "Figure 5",
        "ADD with GreedyGroup looks slightly better on CC than with IntuitGroup",
        EVERY_GRAPH,
        "its difference to the original is the smaller one at more than half of the k",
        beats("add-greedy", ("add-intuit",), checks.clustering, mostly=True),
        WON,
    ),
    Statement(
        "Figure 6",
        "The APL of ADD&DEL is very close to the original",
        EVERY_GRAPH,
        f"at every k within {percent(checks.PATHS_VERY_CLOSE)} of it, as thin as a line of a plot from 0",
        stays_within(("add-del",), "path_length", checks.PATHS_VERY_CLOSE, checks.original),
        SHARE,
    ),
    Statement(
        "Figure 6",
        "ADD&DEL preserves more of the APL than ADD",
        EVERY_GRAPH,
        "its difference to the original is the smallest at every k",
        beats("add-del", ADD, checks.path_length),
        WON,
    ),
    Statement(
        "Figure 6",
        f"The differences of APL are very small; the largest is {paper.LARGEST_PATH_DIFFERENCE}, on Cora at k = 100",
        EVERY_GRAPH,
        f"none is above {paper.LARGEST_PATH_DIFFERENCE}",
        checks.largest_path_difference,
        "largest {:.3f} steps",
    ),
    Statement(
        "Figure 7",
        "Plots of the average betweenness are very similar to those of the APL",
        EVERY_GRAPH,
        f"over all methods and k the two correlate with at least {checks.SIMILAR_PLOTS}: nine tenths of the variance "
        "are common",
        checks.plots_alike,
        "correlation {:.3f}",
    ),
    Statement(
        "Figure 7",
        "ADD&DEL keeps the distribution of betweenness better than ADD with GreedyGroup",
        ("Cora",),
        f"its {KS} is the smaller one at every k",
        beats("add-del", ("add-greedy",), checks.distance),
        WON,
    ),
    Statement(
        "Figure 7",
        "ADD&DEL shows little sensitivity to k, while ADD with GreedyGroup degrades as k increases",
        ("Cora",),
        f"the {KS} of ADD with GreedyGroup has a {CLEAR}, and that of ADD&DEL moves less than half as far",
        checks.least_sensitive,
        "{:.0%} as far",
    ),
    Statement(
        "Figure 7",
        "At k = 25 ADD&DEL keeps the distribution of betweenness better than both ADD algorithms",
        ("Cora",),
        f"its {KS} is the smallest",
        beats("add-del", ADD, checks.distance, ks=(25,)),
        WON,
    ),
    Statement(
        "Figure 8",
        "No vertex is added in any case",
        EVERY_GRAPH,
        "none by any of the three methods at any k",
        checks.no_new_vertices,
        "{:.0f} vertices",
    ),
    Statement(
        "Figure 8",
        "ADD&DEL changes the fewest edges",
        EVERY_GRAPH,
        "at every k",
        beats("add-del", ADD, checks.changed),
        WON,
    ),
    Statement(
        "Figure 8",
        "ADD with GreedyGroup adds fewer edges than with IntuitGroup",
        EVERY_GRAPH,
        "at every k",
        beats("add-greedy", ("add-intuit",), checks.changed),
        WON,
    ),
    *_degrees("kda-paper"),
    *_degrees("kda"),
)

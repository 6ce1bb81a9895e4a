"""`cautions`: what about a graph says that it may not be a graph of friendships."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import numpy as np

from graphveil.errors import warn
from graphveil.formats.advice.column_names import words_of
from graphveil.formats.advice.vocabulary import MISSING, PLACES
from graphveil.formats.inputs import GraphLike, as_graph
from graphveil.graph import Graph
from graphveil.origin import Caution
from graphveil.words import counted, plain

FEW = 20  # values in one column that may be groups rather than people
SUMMARIES = frozenset(["total", "grand total", "sum", "summe", "gesamt", "gesamtergebnis"])
INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
NEARLY_ALL = 0.9  # of all pairs
MOST_NAMES = 300_000  # that are compared
ROUNDED = re.compile(r"[0-9](?:[.,][0-9]+)?[eE]\+?[0-9]{1,2}")
ADDRESS = re.compile(r"[^<>]*<([^<>@\s]+@[^<>@\s]+)>")
TELEPHONE = re.compile(r"(?:\+|00)[0-9][0-9 ()/.-]{4,}")
FEW_EDGES = 1 << 18  # looked through without a kernel, which may have to be compiled
TINY = 5  # edges; a smaller graph says nothing about its kind
PROJECT = "To join people who share one, use project=True; the people are in the first of the two columns."


def cautions(graph: GraphLike) -> tuple[Caution, ...]:
    """What to think about before a graph is anonymized, as data.

    Of its shape, the most telling of ``memberships`` (the two columns of the file have no id in common, or one names
    groups), ``few-values`` (one column has very few), ``bipartite``, ``no-triangles`` and ``all-pairs``. Of its ids,
    ``missing-values`` (a person called NA), ``rounded-ids`` (1.2E+11, as spreadsheets write long numbers),
    ``summary-row`` (a person called Total), ``two-spellings`` (1000 and 1000.0), ``single-quotes`` and
    ``repeated-header``. Of its rows, ``empty-cells``, ``refusals`` and ``default-header``.

    Parameters
    ----------
    graph
        Anything that `graphveil.as_graph` takes, best as it was read: then the columns of its file are known

    Examples
    --------
    >>> import graphveil
    >>> clubs = graphveil.Graph.from_edges([(person, "chess" if person % 2 else "go") for person in range(9)])
    >>> [caution.kind for caution in graphveil.cautions(clubs)]
    ['bipartite']
    >>> graphveil.cautions(graphveil.generate(edges=300, seed=4))
    ()
    """
    graph = as_graph(graph)
    found = list(graph.reading.cautions) if graph.reading is not None else []
    if graph.labels.dtype.kind == "O":
        found += _by_ids(graph)
    else:
        found += _by_numbers(graph)
    respelled = any(caution.kind == "two-spellings" for caution in found)
    if graph.m >= TINY and (shape := _by_columns(graph) or _by_triangles(graph) or _by_density(graph)):
        found += [] if respelled and shape.kind in ("memberships", "bipartite") else [shape]
    return tuple(found)


def warn_of_cautions(graph: Graph) -> None:
    """Warn of `cautions`, and of columns that were chosen among several, once for each graph.

    For functions that people call, before they publish anything; the command line says the same by itself.
    """
    if graph.cautioned:
        return
    graph.cautioned = True
    if (chosen := _chosen_columns(graph)) is not None:
        warn(chosen)
    if graph.reading is not None and graph.reading.direction and not graph.reading.chosen:
        warn(graph.reading.notes[-1])
    for caution in cautions(graph):
        warn(str(caution))


def _chosen_columns(graph: Graph) -> str | None:
    """Which columns of a file with more than two were taken, if the caller did not say."""
    reading, others = graph.reading, graph.cleaning.edge_attributes
    if reading is None or reading.columns is None or reading.chosen or not others:
        return None
    first, second = (plain(name, 40) for name in reading.columns)
    return (
        f"{plain(reading.file)}: edges from the columns {first} and {second}, of {2 + len(others):,}. To choose "
        'others, use graphveil.read(file, columns=["a", "b"]).'
    )


def _by_ids(graph: Graph) -> Iterator[Caution]:
    """What the ids tell that are no names of people."""
    names = {label for label in graph.labels.tolist() if isinstance(label, str)}
    if missing := sorted(name for name in names if name.strip().lower() in MISSING):
        called = ", ".join(plain(name, 40) for name in missing[:5]) + ", …" * (len(missing) > 5)
        message = f"There are people called {called}: these look like missing values, joined to everybody."
        yield Caution("missing-values", message, "Drop these rows, or leave the cells empty.")
    if rounded := min(filter(ROUNDED.fullmatch, names), default=None):
        message = f"There is a person called {plain(rounded, 40)}: a spreadsheet may have merged people by rounding."
        yield Caution("rounded-ids", message, "Export the ids again as text.")
    if names and all(len(name) > 2 and name[0] == name[-1] == "'" for name in names):
        message = "All names are in single quotation marks, which are taken as part of the names."
        yield Caution("single-quotes", message, "To drop them, write names in double quotation marks.")
    if summaries := sorted(name for name in names if name.lower() in SUMMARIES):
        message = (
            f"There is a person called {plain(summaries[0], 40)}: this looks like the sum below a table."
        )
        yield Caution("summary-row", message, "Drop this row.")
    if twice := _spelled_twice(names):
        shown = " and ".join(f"“{plain(name, 40)}”" for name in twice[0])
        more = f", and {counted(len(twice) - 1, 'more such pair')}" if len(twice) > 1 else ""
        message = f"There are people called {shown}: this may be one person{more}."
        yield Caution("two-spellings", message, "Write every id in one way.")
    columns = graph.reading.columns if graph.reading is not None else None
    if columns is not None and names.issuperset(columns):
        message = f"There are people called {plain(columns[0], 40)} and {plain(columns[1], 40)}, as the columns are."
        yield Caution("repeated-header", message, "If files were joined, drop the header lines within.")


def _by_numbers(graph: Graph) -> Iterator[Caution]:
    """A few negative ids among others stand for nobody."""
    negative = int(np.searchsorted(graph.labels, 0))
    if 0 < negative <= FEW < graph.n - negative:
        message = (
            f"There is a person called {graph.labels[0]}: a negative number often stands for a missing value."
        )
        yield Caution("missing-values", message, "Drop these rows, or leave the cells empty.")


def _spelled_twice(names: set[str]) -> list[tuple[str, str]]:
    """Pairs of names that may be those of one person."""
    seen: dict[str, str] = {}
    several = ((seen.setdefault(_normal(name), name), name) for name in sorted(names)[:MOST_NAMES])
    return [pair for pair in several if pair[0] != pair[1]]


def _normal(name: str) -> str:
    """The name without what people write in several ways: blanks, invisible characters, zeros before and .0 behind a
    number, capitals of a name or an address, the name before an address, 00 or + before a telephone number, umlauts,
    the last name before the first.

    >>> _normal("Ann  Lee"), _normal("17.0"), _normal("Ann Lee <Ann@x.org>"), _normal("0049 171/23456")
    ('ann lee', '17', 'ann@x.org', '+4917123456')
    >>> _normal("007"), _normal("Jo Müller") == _normal("​Jo Mueller")
    ('7', True)
    >>> _normal("Lee, Ann")
    'ann lee'
    """
    if (address := ADDRESS.fullmatch(name)) is not None:
        name = address[1]
    elif name[:1] in ("+", "0") and TELEPHONE.fullmatch(name):
        return re.sub("^00", "+", re.sub(r"[^0-9+]", "", name))
    if not name.isascii():
        name = unicodedata.normalize("NFKC", INVISIBLE.sub("", name)).translate(UMLAUTS)
    name = re.sub(r"^([^,]+), *([^,]+)$", r"\2 \1", name)
    normal = " ".join(re.sub(r"^0*([0-9]+)(?:\.0)?$", r"\1", name).split())
    return normal.casefold() if "@" in normal or " " in normal else normal


def _by_columns(graph: Graph) -> Caution | None:
    """What the ids in the two columns of the file tell."""
    reading = graph.reading
    if reading is None or reading.sides is None or reading.columns is None:
        return None
    first, second, both = reading.sides
    names = [plain(name, 40) for name in reading.columns]
    grouped = [name for name in names if PLACES.intersection(words_of(name))]
    if len(grouped) == 1 and both:
        message = f"The column {grouped[0]} seems to name groups, not people: this looks like memberships."
        return Caution("memberships", message, f"A group and a person with the same id become one. {PROJECT}")
    if not both:
        message = (
            f"The columns {names[0]} ({counted(first, 'id')}) and {names[1]} ({counted(second, 'id')}) have no id in "
            "common: this looks like memberships. No friendship has mutual friends, so k-NMF says nothing about it."
        )
        return Caution("memberships", message, PROJECT)
    few, name = min((first, names[0]), (second, names[1]))
    if few <= FEW and graph.m >= 10 * few and graph.n >= 5 * few:
        message = (
            f"The column {name} has {counted(few, 'value')} in {counted(graph.m, 'edge')}: it may name groups, not "
            "people."
        )
        return Caution("few-values", message, f"Check the columns (columns=). {PROJECT}")
    return None


def _by_triangles(graph: Graph) -> Caution | None:
    """What the graph itself tells: without a triangle there are no mutual friends at all."""
    if _has_triangle(graph):
        return None
    says_nothing = "No friendship has mutual friends, so k-NMF says nothing about it."
    if _is_bipartite(graph):
        message = f"The graph is bipartite: these may be memberships, not friendships. {says_nothing}"
        return Caution("bipartite", message, PROJECT)
    message = f"The graph has no triangle. {says_nothing}"
    return Caution("no-triangles", message, "Check that its edges are friendships.")


def _has_triangle(graph: Graph) -> bool:
    """Whether any edge has mutual friends; in a small graph the busiest edges come first, until one has some."""
    if graph.m > FEW_EDGES or "mutual_friends" in vars(graph):  # counted once and kept
        return bool(graph.mutual_friends.any())
    from scipy.sparse import coo_array

    u, v = graph.edges.T
    adjacency = coo_array((np.ones(len(u), np.int32), (u, v)), shape=(graph.n, graph.n)).tocsr()
    adjacency = (adjacency + adjacency.T).tocsr()
    order = np.argsort(-(graph.degrees[u].astype(np.int64) + graph.degrees[v]), kind="stable")
    start, size = 0, 16
    while start < len(order):
        some = order[start : start + size]
        if adjacency[u[some]].multiply(adjacency[v[some]]).nnz:
            return True
        start, size = start + size, 4 * size
    return False


def _by_density(graph: Graph) -> Caution | None:
    """Where nearly everybody knows everybody, a list of all pairs was read."""
    pairs = graph.n * (graph.n - 1) // 2
    if graph.n < 2 * TINY or graph.m < NEARLY_ALL * pairs:
        return None
    message = f"{counted(graph.m, 'pair')} of {pairs:,} are friends: this may be a list of all pairs."
    return Caution("all-pairs", message, "Check that every row is a friendship.")


def _is_bipartite(graph: Graph) -> bool:
    """Whether the double cover has two components for each of the graph: then no cycle is odd."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    u, v = graph.edges.T.astype(np.int64)
    ones, n = np.ones(len(u), np.int8), graph.n
    once = coo_array((ones, (u, v)), shape=(n, n))
    rows, columns = np.concatenate((u, u + n)), np.concatenate((v + n, v))
    twice = coo_array((np.ones(2 * len(u), np.int8), (rows, columns)), shape=(2 * n, 2 * n))
    components, covered = (connected_components(matrix, directed=False)[0] for matrix in (once, twice))
    return bool(covered == 2 * components)

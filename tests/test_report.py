"""The reports: true, whole, harmless, and the public one with nothing that an attacker could use."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphveil
import oracle
from conftest import odd_graphs
from graphveil import Graph, ParameterError, UnreachableError, anonymize
from graphveil.cli.story import without_names
from graphveil.measures.comparison import utility
from graphveil.measures.table import AGREEMENTS, FIGURES
from graphveil.mutual import mutual_friends
from graphveil.pages import stylesheet
from graphveil.publication import words
from graphveil.publication.certificate import certificate
from graphveil.publication.report import LEVELS, findings, private_page, public_page
from graphveil.publication.report.bins import together
from graphveil.publication.report.discretion import OPEN, towards_everybody
from graphveil.publication.report.drawing import EXAMPLE, MOST_PEOPLE, neighbourhood
from graphveil.publication.report.viewing import view
from graphveil.recounting import Recount
from graphveil.risk.auditing import Naming
from graphveil.risk.simulation import Success
from graphveil.verification.documents import Changes, DataSet
from graphveil.verification.facts import facts_of, ks_of
from graphveil.verification.harmless import is_harmless
from graphveil.words import percent

K = 5
VOID = {"meta", "link"}
HOSTILE = [
    "</title><script>alert(1)</script>",
    "\u202eevil",
    'a"b',
    "x" * 10_000,
    "\x00\x1b[2J",
    "&amp;",
    "<b>",
]


def certified(result):
    """The certificate of a result, as publishing makes it."""
    return certificate(
        facts_of(Recount(result.graph.edges, result.graph.n), result.goals, ks_of(result.goals)),
        file="graph.txt",
        format="edgelist",
        sha256="0" * 64,
        changes=Changes(len(result.added), len(result.deleted), len(result.new_vertices)),
        data_set=DataSet(title="A <town>", contact="me@example.org", published="2026-11-18"),
    )


def pages(result, level="full"):
    document = certified(result)
    found = findings(result, document, level)
    return public_page(document, found), private_page(document, found, result)


@pytest.fixture(scope="module")
def town():
    """Some of its people have names that mean no good."""
    graph = graphveil.generate(edges=2_000, seed=4)
    names = np.array([f"person-{i}" for i in range(graph.n)], object)
    exposed = graph.edges[np.argmax(mutual_friends(graph))]
    names[exposed] = HOSTILE[:2]
    friends = np.setdiff1d(graph.edges[np.isin(graph.edges, exposed).any(axis=1)], exposed)
    names[friends[: len(HOSTILE) - 2]] = HOSTILE[2:]
    return anonymize(Graph(graph.edges, graph.n, names), k=K, seed=2**100)


@pytest.fixture(scope="module")
def document(town):
    return certified(town)


@pytest.fixture(scope="module")
def found(town, document):
    return findings(town, document, "full")


@pytest.fixture(scope="module")
def both_pages(town, document, found):
    return public_page(document, found), private_page(document, found, town)


# ---------------------------------------------------------------------- one whole file that runs nothing


class Structure(HTMLParser):
    """What a page is made of; fails where a tag is not closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def all(self, *names):
        return [attributes for tag, attributes in self.tags if tag in names]


@pytest.mark.parametrize("part", [0, 1])
def test_a_page_is_whole_and_loads_and_runs_nothing(both_pages, part):
    page = Structure(both_pages[part])
    assert not page.all("script", "iframe", "img", "object", "embed", "form", "base")
    assert page.all("html")[0]["lang"] == "en"
    policy = next(meta["content"] for meta in page.all("meta") if "http-equiv" in meta)
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {link["href"] for link in page.all("a")} <= {f"#{name}" for name in ids}
    for _, attributes in page.tags:
        assert not [name for name in attributes if name.startswith("on")]
        assert "src" not in attributes
        assert "url(" not in (attributes.get("style") or "")
    style = stylesheet()
    assert "url(" not in style
    assert "@import" not in style


@pytest.mark.parametrize("part", [0, 1])
def test_it_can_be_read_without_eyes(both_pages, part):
    page = Structure(both_pages[part])
    for svg in page.all("svg"):
        assert svg.get("aria-hidden") == "true" or (svg["role"] == "img" and len(svg["aria-label"]) > 20)
    assert sum("role" in svg for svg in page.all("svg")) > 10
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))
    assert len(page.all("caption")) == len(page.all("table")) > 3
    assert all(heading["scope"] in ("row", "col") for heading in page.all("th"))


@pytest.mark.parametrize("part", [0, 1])
def test_a_page_passes_the_check_of_strangers_pages(both_pages, part):
    assert is_harmless(both_pages[part].encode())


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


def test_colours_have_contrast_in_light_dark_and_print():
    """WCAG 2.2, level AA: 4.5 to 1 for text. All colours but that of lines are used for text."""
    style = stylesheet()
    schemes = re.findall(r":root \{(.*?)\}", style, re.S)
    assert len(schemes) == 3
    for scheme in schemes:
        colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", scheme))
        for text in ("ink", "soft", "before", "after", "good", "bad"):
            for background in ("paper", "panel"):
                light, dark = sorted((luminance(colours[text]), luminance(colours[background])))[::-1]
                assert (light + 0.05) / (dark + 0.05) >= 4.5, (text, background)
    assert not re.findall(r"#[0-9a-f]{3,6}", re.sub(r":root \{.*?\}", "", style, flags=re.S))


def test_names_that_mean_no_good_are_shown_and_do_nothing(both_pages):
    public, private = both_pages
    assert "&lt;/title&gt;&lt;script&gt;" in private
    assert "\\u202eevil" in private
    assert "<script" not in private + public
    assert "\u202e" not in private
    assert "\x00" not in private
    assert len(max(private.split(), key=len)) < 5_000
    assert "evil" not in public
    assert "person-" not in public
    assert "person-" in private


# ---------------------------------------------------------------------- what it says is true


def test_the_owners_figures_are_those_of_the_utility_the_attack_and_the_audit(town, document, found):
    shown = view(document, found, OPEN)
    kept = utility(town.original, town.graph)
    pairs = {pair.title: pair for pair in shown.pairs}
    for title, name in (
        ("Clustering", "average_clustering"),
        ("Diameter", "diameter"),
        ("Components", "components"),
    ):
        assert pairs[title].before[0] == pytest.approx(kept[name].before, abs=1e-4)
        assert pairs[title].after[0] == pytest.approx(kept[name].after, abs=1e-4)
    before = graphveil.audit(town.original, k=K)
    after = graphveil.audit(town.graph, k=K)
    assert [risk.name for risk in shown.risks] == [attacker.name for attacker in before.attackers]
    for risk in shown.risks:
        assert risk.before[0] == before[risk.name].exposures[0].people_share
        assert risk.after[0] == after[risk.name].exposures[0].people_share
        assert risk.guaranteed == (risk.name == "mutual-friends")
        if risk.naming:
            figures = before[risk.name].naming, after[risk.name].naming
            assert risk.naming.largest_share == tuple(percent(each.largest_share) for each in figures)
            assert risk.naming.people == tuple(f"{each.people_named:,}" for each in figures)
    assert shown.risks[0].after == (0.0, "0 %")


def test_a_brief_report_has_the_same_transitivity_and_the_same_distributions(town, document, found):
    brief = view(document, findings(town, document, "brief"), OPEN)
    full = view(document, found, OPEN)
    assert [pair.title for pair in brief.pairs] == ["Transitivity"]
    assert brief.pairs[0] in full.pairs
    assert brief.bins == full.bins[:2]
    assert len(full.bins) == 4
    assert brief.risks == full.risks


def test_distributions_add_up_and_agree_with_the_definition(town, document, found):
    shown = view(document, found, OPEN)
    mutual = shown.bins[0]
    for graph, shares in ((town.original, mutual.before), (town.graph, mutual.after)):
        counts = oracle.mutual_friends(graph.n, [tuple(edge) for edge in graph.edges.tolist()])
        expected = Counter(0 if count == 0 else count.bit_length() for count in counts)
        assert [share for share, _ in shares] == pytest.approx(
            [expected[place] / len(counts) for place in sorted(expected)]
        )
    for bins in shown.bins:
        assert sum(share for share, _ in bins.before) == pytest.approx(1)
        assert sum(share for share, _ in bins.after) == pytest.approx(1)


def test_the_neighbourhood_is_that_of_the_most_exposed_friendship(town, found):
    around, graph = found.neighbourhood, town.original
    counts = mutual_friends(graph)
    sizes = Counter(counts.tolist())
    value = max(count for count, size in sizes.items() if size == min(sizes.values()))
    number = {label: vertex for vertex, label in enumerate(town.graph.labels.tolist())}
    people = [number[label] for label in around.people]
    edge = next(i for i, pair in enumerate(graph.edges.tolist()) if pair == sorted(people[:2]))
    assert (counts[edge], sizes[value]) == (value, around.crowd[0]) == (around.mutual[0], 1)
    assert 2 < len(people) <= MOST_PEOPLE
    for friends, shown in ((graph.edges, around.before), (town.graph.edges, around.after)):
        pairs = {tuple(pair) for pair in friends.tolist()}
        assert shown == {
            (a, b)
            for a in range(len(people))
            for b in range(a + 1, len(people))
            if tuple(sorted((people[a], people[b]))) in pairs
        }
    friends = oracle.neighbours(graph.n, [tuple(pair) for pair in graph.edges.tolist()])
    later = oracle.neighbours(town.graph.n, [tuple(pair) for pair in town.graph.edges.tolist()])
    everybody = set().union(*(some[person] for some in (friends, later) for person in people[:2])) - set(
        people[:2]
    )
    assert set(people[2:]) <= everybody
    assert around.left_out == len(everybody) - len(people) + 2
    ends = {
        end
        for pair in (*town.added.tolist(), *town.deleted.tolist())
        if {*pair} <= everybody | {*people}
        for end in pair
    }
    assert len(ends & set(people[2:])) == min(len(ends & everybody), len(people) - 2)  # they are drawn first
    if people[1] in later[people[0]]:
        assert around.mutual[1] == len(later[people[0]] & later[people[1]])


def test_a_deleted_friendship_and_one_that_hides_well():
    graph = without_names()
    counts = mutual_friends(graph)
    result = replace(
        anonymize(graph, k=2, seed=7), added=graph.edges[:0], deleted=graph.edges[[np.argmax(counts)]]
    )
    assert neighbourhood(result, counts, {}, k=1) is None
    around = neighbourhood(result, counts, {}, k=2)
    assert around.people[:2] == ("D", "E")
    assert (around.mutual, around.crowd) == ((4, None), (1, None))
    assert around.before - around.after == {(0, 1)}


def test_the_example_is_that_of_the_demo_and_does_what_it_says():
    graph = without_names()
    letters = {tuple(sorted(pair)) for pair in graph.labels[graph.edges].tolist()}
    name = EXAMPLE.people
    assert {tuple(sorted((name[a], name[b]))) for a, b in EXAMPLE.before} == letters
    assert EXAMPLE.changes() == (["A – B", "G – F"], [])
    before, after = (
        Counter(oracle.mutual_friends(8, sorted(pairs))) for pairs in (EXAMPLE.before, EXAMPLE.after)
    )
    assert (before[4], min(after.values()), after[4]) == (1, 2, 2)
    assert EXAMPLE.crowd == (before[4], after[4])


def test_pages_are_the_same_again(town, both_pages):
    assert pages(town) == both_pages


@pytest.mark.parametrize("name", odd_graphs())
@pytest.mark.parametrize("level", LEVELS)
def test_odd_graphs_have_reports_too(name, level):
    try:
        result = anonymize(odd_graphs()[name], k=2, seed=7)
    except UnreachableError:
        pytest.skip("no graph on these vertices can satisfy k")
    for page in pages(result, level):
        Structure(page)
        assert not re.search(r"\bnan\b|\binf\b", page)


def test_a_report_on_degrees_alone(town):
    result = anonymize(town.original, k=4, method="liu-terzi", seed=7)
    public, private = pages(result, "brief")
    assert public.count('class="verdict') == private.count('class="verdict') == 1
    assert "can identify the person with probability at most 1/4" in public
    shown = view(certified(result), findings(result, certified(result), "brief"), OPEN)
    assert [risk.name for risk in shown.risks if risk.guaranteed] == ["degree"]
    assert shown.risks[0].name == "degree"


def test_the_owner_reads_that_a_run_was_cut_short(town, document, found):
    cut_short = replace(
        town, notes=("the search was stopped by its budget: another time it may be another graph",)
    )
    assert "another time it may be another graph" in private_page(document, found, cut_short)


def test_there_is_no_other_level(town, document):
    with pytest.raises(ParameterError, match="brief, quick, full"):
        findings(town, document, "thorough")


# ---------------------------------------------------------------------- what everybody may see


def test_what_concerns_a_few_leaves_no_trace_in_the_public_page(document, found, both_pages):
    """The page is byte for byte the same when that of the original changes which only a few have made."""
    sizes = {model: dict(classes) for model, classes in found.group_sizes.items()}
    for classes in sizes.values():
        largest = max(classes)
        classes[3 * largest] = classes.pop(largest)  # the most exposed of all
    strangers = replace(EXAMPLE, people=("Eve", "Mallory", *EXAMPLE.people[2:]))
    nobody = Success(certain=0, expected=0.0, misled=0, out_of_sight=0)
    hidden = {"diameter", "components", "degeneracy", "largest_betweenness"}
    other = replace(
        found,
        group_sizes=sizes,
        neighbourhood=strangers,
        attacks=tuple(replace(attack, after=nobody) for attack in found.attacks),
        audit=replace(
            found.audit,
            attackers=tuple(
                replace(each, most_exposed=(), naming=each.naming and Naming(0.123, 4, 5))
                for each in found.audit.attackers
            ),
        ),
        utility=replace(
            found.utility,
            measures=tuple(
                replace(each, before=1e6 + 1) if each.name in hidden or "eigenvalue" in each.name else each
                for each in found.utility.measures
            ),
            agreements=tuple(
                replace(each, value=0.123) if each.name.startswith(("added_", "deleted_")) else each
                for each in found.utility.agreements
            ),
        ),
    )
    assert public_page(document, other) == both_pages[0]
    assert view(document, other, OPEN) != view(document, found, OPEN)


def test_one_friendship_more_among_the_exposed_does_not_show(document, found):
    discretion = towards_everybody(K, found.vertices, found.edges)
    assert discretion.step >= K / min(found.vertices, found.edges)
    shown = view(document, found, discretion)
    for pair in shown.pairs:
        low, high = (float(end) for end in re.split("–| to ", pair.before[1]))
        assert high - low >= 0.999 * discretion.step or low == 0 or high == 1
        assert pair.before[0] in (pair.after[0], round(pair.before[0], discretion.decimals))
    for bins in shown.bins:
        for before, after in zip(bins.before, bins.after, strict=True):
            assert before[0] in (after[0], round(before[0], discretion.decimals))


def test_only_figures_over_the_whole_graph_are_public(document, found):
    shown = view(document, found, towards_everybody(K, found.vertices, found.edges))
    overall = "Clustering, Transitivity, Path length, Effective diameter, Assortativity, Largest component, Coreness"
    assert [pair.title for pair in shown.pairs] == overall.split(", ")
    titles = [each.title for each in shown.kept]
    assert "Communities" in titles
    assert not [title for title in titles if "Added" in title or "Deleted" in title]
    assert ("Top 1 % by PageRank" in titles) == (found.vertices >= 100 * K)


def test_every_measure_is_in_the_report_for_the_owner(document, found):
    shown = view(document, found, OPEN)
    values = {each.name: each.before for each in found.utility.measures}
    values |= {each.name: each.value for each in found.utility.agreements}
    titles = [each.title for each in (*shown.pairs, *shown.kept)]
    for row in (*FIGURES, *AGREEMENTS):
        title = row.title or row.words[0].upper() + row.words[1:]
        assert titles.count(title) == (values[row.name] is not None), row.name


@given(st.dictionaries(st.integers(0, 400), st.integers(1, 60), min_size=1, max_size=40), st.integers(2, 30))
def test_every_range_holds_k_of_the_original(sizes, k):
    values = sorted(sizes)
    counts = [sizes[value] for value in values]
    starts = together(counts, k)
    if sum(counts) < k:
        assert starts == []
        return
    assert starts[0] == 0
    spans = zip(starts, [*starts[1:], len(counts)], strict=True)
    assert all(sum(counts[a:b]) >= k for a, b in spans)


def test_public_ranges_hold_k_and_end_open(document, found):
    shown = view(document, found, towards_everybody(K, found.vertices, found.edges))
    for bins, model in zip(shown.bins[:2], ("k-NMF", "k-degree"), strict=True):
        assert bins.ranges[-1].endswith("+")
        lows = [int(re.match(r"\d+", name)[0]) for name in bins.ranges]
        for low, high in zip(lows, [*lows[1:], 10**9], strict=True):
            assert sum(size for value, size in found.group_sizes[model].items() if low <= value < high) >= K


@given(st.integers(2, 10**6), st.integers(1, 10**7), st.integers(0, 10**7))
def test_rounding_hides_k(k, vertices, edges):
    discretion = towards_everybody(k, vertices, edges)
    if discretion.decimals is None:
        assert min(vertices, edges) < 10 * k
    else:
        assert 1 <= discretion.decimals <= 3
        assert discretion.step * min(vertices, edges) >= k * (1 - 1e-9)


@given(st.integers(0, 1000), st.integers(2, 100))
def test_counts_below_k_are_not_told_apart(count, k):
    discretion = towards_everybody(k, 1000, 1000)
    if discretion.decimals is None:
        return
    shown = discretion.share(count / 1000, 1000)
    if count < k:
        assert shown == discretion.share(0, 1000)
    if count > 1000 - k:
        assert shown == discretion.share(1, 1000)


def test_of_a_tiny_graph_nothing_of_the_original_is_shown():
    result = anonymize(without_names(), k=2, seed=7)
    public, private = pages(result)
    assert "None is shown" in public
    assert "None is shown" not in private
    shown = view(certified(result), findings(result, certified(result), "full"), towards_everybody(2, 8, 14))
    assert not shown.pairs + shown.bins + shown.kept
    assert all(risk.before is None for risk in shown.risks)


def test_what_is_rounded_does_not_look_like_a_change(town, document, found):
    """A rounded figure before, beside an exact one after, is given and drawn as all that it may be."""
    shown = view(document, found, towards_everybody(K, found.vertices, found.edges))
    exact = {risk.name: risk for risk in view(document, found, OPEN).risks}
    for risk in shown.risks:
        true, drawn = exact[risk.name].before[0], risk.before[0]
        span = re.fullmatch(r"([\d.]+)–([\d.]+) %", risk.before[1])
        assert span is None or float(span[1]) <= 100 * true <= float(span[2])
        if true == risk.after[0]:
            assert drawn == risk.after[0]
        assert risk.after == exact[risk.name].after
    for bins, model in zip(shown.bins, ("k-NMF", "k-degree"), strict=False):
        lows = [int(re.match(r"\d+", name)[0]) for name in bins.ranges]
        both = found.group_sizes[model], {int(a): b for a, b in document[model].group_sizes.items()}
        for i, (low, high) in enumerate(pairwise([*lows, 10**9])):
            true, now = (
                sum(size for value, size in sizes.items() if low <= value < high) / sum(sizes.values())
                for sizes in both
            )
            assert bins.after[i] == (pytest.approx(now), percent(now))
            span = re.fullmatch(r"([\d.]+)–([\d.]+) %", bins.before[i][1])
            assert span is None or float(span[1]) <= 100 * true + 1e-9 <= float(span[2]) + 2e-9


def test_the_largest_share_of_a_person_is_one_figure_everywhere():
    result = anonymize(Graph.from_edges([(0, 1), (1, 2), (0, 2)]), k=2, seed=2**99)
    assert "Not guaranteed: spread. This graph happens to have 67 %." in words.limits(certified(result))
    for page in pages(result):
        assert "67\u00a0%" in page
        assert "66.7" not in page


def test_of_an_unchanged_graph_before_and_after_are_one_figure():
    ring = Graph.from_edges([(i, (i + 1) % 90) for i in range(90)] + [(0, 30), (0, 60)])
    result = anonymize(ring, k=2, seed=2**99)
    assert not result.changed
    document = certified(result)
    shown = view(document, findings(result, document), towards_everybody(2, ring.n, ring.m))
    for risk in shown.risks:
        assert risk.before == risk.after
        for pair in (risk.smallest, risk.chance, *(vars(risk.naming).values() if risk.naming else ())):
            assert pair[0] == pair[1]

"""graphveil on a real cluster: a master and two workers on 127.0.0.1, started and ended here."""

from __future__ import annotations

import csv
import os
import shutil
import signal
import threading
import time
import warnings
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import graphveil
from commands import friends, graphveil_process, one_line  # noqa: F401
from graphveil import Graph
from spark_cluster import cluster as running_cluster
from spark_cluster import environment

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark"), pytest.mark.filterwarnings("default")]

LITTLE = {  # little data: planning and compiling would take longer than the work
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    missing = [
        name
        for name, found in (("pyspark", find_spec("pyspark")), ("Java", shutil.which("java")))
        if not found
    ]
    if missing:
        message = f"no {' and no '.join(missing)}: install the extra graphveil[spark] and a Java 17"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    with running_cluster(tmp_path_factory.mktemp("cluster")) as started:
        yield started


@pytest.fixture(scope="module")
def spark(cluster):
    from graphveil.spark.session import session

    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        for name, value in environment(cluster.folder).items():
            patch.setenv(name, value)
        with session(cluster.url) as started:
            for name, value in LITTLE.items():
                started.conf.set(name, value)
            yield started


def frame(spark, graph, parts=4):
    """A graph as a table of its labels, in a few parts."""
    ends = graph.labels[graph.edges]
    table = pyarrow.table({"source": list(ends[:, 0]), "target": list(ends[:, 1])})
    return spark.createDataFrame(table).repartition(parts)


def side_by_side(*graphs):
    """One graph that holds them all."""
    first = np.cumsum([0, *(graph.n for graph in graphs)])
    edges = [graph.edges.astype(np.int64) + start for graph, start in zip(graphs, first, strict=False)]
    ends = np.concatenate(edges)
    return Graph.from_arrays(ends[:, 0], ends[:, 1], n=int(first[-1]))


def star(leaves):
    return Graph.from_arrays(np.zeros(leaves, np.int64), np.arange(1, leaves + 1))


def clique(size):
    u, v = np.triu_indices(size, 1)
    return Graph.from_arrays(u, v)


def assert_counts(found, graph):
    """Edge by edge, what `graphveil.mutual_friends` says."""
    table = found.toArrow().to_pydict()
    pairs = [frozenset(pair) for pair in zip(table["source"], table["target"], strict=True)]
    assert len(pairs) == len(set(pairs)) == graph.m
    expected = zip(graph.labels[graph.edges].tolist(), graphveil.mutual_friends(graph).tolist(), strict=True)
    assert dict(zip(pairs, table["mutual_friends"], strict=True)) == {
        frozenset(pair): count for pair, count in expected
    }


@pytest.mark.parametrize("parts", [1, 2, 3, 4, 8])
def test_counts_are_exact_on_sparse_dense_and_extreme_graphs(spark, shared_graph, parts):
    from graphveil.spark import mutual_friends

    real = [graphveil.read(shared_graph(name)).with_labels() for name in ("loc-brightkite", "ego-facebook")]
    graph = side_by_side(*real, star(100_000), clique(500))
    found = mutual_friends(frame(spark, graph), parts=parts).toArrow()
    u, v, counts = (column.to_numpy() for column in found.columns)
    order = np.lexsort((v, u))
    assert np.array_equal(np.stack((u, v), axis=1)[order], graph.edges)
    assert np.array_equal(counts[order], graphveil.mutual_friends(graph))
    spark.catalog.clearCache()


AWKWARD = [
    ("Ünal, Ö", "b,c"),
    ("b,c", "Ünal, Ö"),
    ("a", "b,c"),
    ("a", "b,c"),
    ("a", "Ünal, Ö"),
    ("x", "x"),
    ("x", "=1+1"),
    ("雪", "雪"),
]


def test_text_ids_and_ids_of_64_bits(spark):
    from graphveil.spark import mutual_friends

    names = spark.createDataFrame(AWKWARD, "source string, target string")
    assert_counts(mutual_friends(names, parts=2), Graph.from_edges(AWKWARD))
    rng = np.random.default_rng(2)
    ids = rng.integers(-(2**63), 2**63 - 1, 60)
    wide = Graph.from_edges(ids[rng.integers(0, 60, (300, 2))])
    assert_counts(mutual_friends(frame(spark, wide), parts=3), wide)


def test_a_lost_executor_costs_time_and_nothing_else(spark, cluster, community):
    """It is killed while the blocks are counted, and its blocks with it."""
    from graphveil.spark.counting import counted

    graph = side_by_side(*[community] * 5)
    with counted(frame(spark, graph, 8), parts=6) as found:
        assert found.blocks.frame.count()  # blocks lie on the executors now
        before = cluster.executors()
        answer = []
        counting = threading.Thread(target=lambda: answer.append(found.histogram))
        counting.start()
        time.sleep(1)
        os.kill(before[0], signal.SIGKILL)
        counting.join(300)
        assert answer
        assert np.array_equal(answer[0], np.bincount(graphveil.mutual_friends(graph)))
        assert set(cluster.executors()) != set(before)


def in_order(rows):
    """The graph of these rows with its labels in the order that Spark gives them."""
    labels = sorted({end for row in rows for end in row})
    place = {label: number for number, label in enumerate(labels)}
    return Graph.from_edges([(place[a], place[b]) for a, b in rows]).with_labels(labels)


def test_the_audit_has_the_figures_of_one_machine(spark, community):
    from graphveil.spark import audit

    names = spark.createDataFrame(AWKWARD, "source string, target string")
    assert audit(names, 2, top=3, parts=2) == graphveil.audit(in_order(AWKWARD), 2, top=3)
    found = audit(frame(spark, community, 2), [5, 25], at_most=True, parts=3)
    assert found == graphveil.audit(community, [5, 25], at_most=True)


def test_every_attacker_and_every_guarantee_of_the_tables_is_known():
    from graphveil.goals import GOALS
    from graphveil.risk.attackers import ATTACKERS
    from graphveil.spark.auditing import KNOWLEDGE
    from graphveil.spark.joins import RECOUNTS

    assert [model.name for model in ATTACKERS] == list(KNOWLEDGE)
    assert set(RECOUNTS) <= set(GOALS)


def test_verification_by_joins_has_the_figures_of_one_machine(spark, community):
    from graphveil.spark import verify

    names = spark.createDataFrame(AWKWARD, "source string, target string")
    graph = Graph.from_edges(AWKWARD)
    assert verify(names, 3, 2, spread=0.5) == graphveil.verify(graph, 3, 2, spread=0.5)
    assert verify(names).cleaning == graph.cleaning
    found = verify(frame(spark, community, 2), 5, 5, spread=0.2)
    assert found == graphveil.verify(community, 5, 5, spread=0.2)


def test_the_published_graph_is_verified_on_one_machine_and_depends_on_the_seed_alone(
    spark, community, tmp_path
):
    """Once as Parquet and once as text, read in other parts and counted with other colours."""
    from graphveil.publication.checking import check
    from graphveil.spark import anonymize
    from graphveil.verification.graph_files import read_graph

    how = {
        "seed": 7,
        "degree_k": 4,
        "budget": 3600,
    }  # a search that the clock stops need not be the same again
    first = anonymize(frame(spark, community, 2), 5, str(tmp_path / "first"), parts=2, **how)
    again = anonymize(
        frame(spark, community, 5), 5, str(tmp_path / "again"), parts=4, format="edgelist", **how
    )
    assert first.added + first.deleted > 0
    published = []
    for name, file, format in (("first", "graph.parquet", "parquet"), ("again", "graph.txt", "edgelist")):
        inspection = check(tmp_path / name)
        assert inspection, inspection.problems
        whole = read_graph(tmp_path / name / "public" / file, format)
        published.append(Graph(whole.edges, whole.n))
    assert published[0] == published[1]
    assert graphveil.verify(published[0], 5, 4)
    assert list(first.certificate.promises.values()) == [5, 4]
    assert (published[0].n, published[0].m) == (community.n, community.m + first.added - first.deleted)
    assert replace(first.certificate, graph=again.certificate.graph, readme=again.certificate.readme,
                   report=again.certificate.report) == again.certificate  # fmt: skip
    assert {path.name for path in (tmp_path / "first").iterdir()} == {"public", "private", "_PUBLISHED"}
    assert (tmp_path / "first" / "private").stat().st_mode & 0o077 == 0
    assert_restored(community, tmp_path / "first")
    for part in (tmp_path / "first" / "public" / "graph.parquet").iterdir():
        columns = pyarrow.parquet.ParquetFile(part).metadata.row_group(0)
        # Of several encodings the order in the file would differ from one Java process to the next
        assert [len(columns.column(place).encodings) for place in range(columns.num_columns)] == [1, 1]


def test_hubs_are_changed_alike_wherever_the_graph_lies(spark):
    from graphveil.spark.counting import counted
    from graphveil.spark.hubs import lower_hubs
    from test_spark_tail import OnThisMachine

    town = graphveil.generate(600, seed=4)
    here = lower_hubs(
        OnThisMachine(town), np.bincount(graphveil.mutual_friends(town)), 5, 3, 100, None, keep_edges=False
    )
    with counted(frame(spark, town, 2), parts=2) as graph:
        there = lower_hubs(graph, graph.histogram, 5, 3, 100, None, keep_edges=False)
    assert len(there.toggled)
    assert np.array_equal(there.toggled, here.toggled)
    assert np.array_equal(there.sizes, here.sizes)


def assert_restored(original, folder):
    """Public and private part together give the input again."""
    who = {}
    for part in sorted((folder / "private" / "pseudonyms.csv").iterdir()):
        with part.open(newline="") as rows:
            who |= {int(row["pseudonym"]): int(row["id"]) for row in csv.DictReader(rows)}
    table = pyarrow.parquet.read_table(folder / "public" / "graph.parquet").to_pydict()
    edges = {
        frozenset((who[a], who[b]))
        for a, b in zip(table["source"], table["target"], strict=True)
        if b is not None
    }
    with (folder / "private" / "changes.csv").open(newline="") as rows:
        for row in csv.DictReader(rows):
            edges ^= {frozenset((int(row["source"]), int(row["target"])))}
    assert edges == set(map(frozenset, original.labels[original.edges].tolist()))


def test_commands_on_the_cluster(cluster, friends, tmp_path):  # noqa: F811
    """Audit by a command is that of one machine; a broken part publishes nothing and says so in one line."""
    surroundings = {**os.environ, **environment(cluster.folder)}
    on_spark = ("--engine", "spark", "--master", cluster.url)
    done = graphveil_process("audit", friends, "--json", "--top", "0", *on_spark, env=surroundings)
    assert done.stdout == graphveil_process("audit", friends, "--json", "--top", "0").stdout, done.stderr
    broken = tmp_path / "broken.parquet"
    broken.mkdir()
    pyarrow.parquet.write_table(pyarrow.table({"source": [1], "target": [2]}), broken / "part-0.parquet")
    (broken / "part-1.parquet").write_bytes(b"PAR1 and no more")
    out = tmp_path / "out"
    done = graphveil_process("anonymize", str(broken), "-k", "2", "-o", str(out), *on_spark, env=surroundings)
    assert done.returncode == 2
    assert "a part of the input cannot be read" in one_line(done.stderr)
    assert not out.exists()

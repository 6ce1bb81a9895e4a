"""How these folders were made, by the unchanged code of 0.2.0 (commit 2504622): python make.py FOLDER, then

graphveil anonymize several.txt -k 3,5 -o several --seed 1234567890123456789012345678901 --report brief
"""

import shutil
import sys
from pathlib import Path

import numpy as np

import graphveil
from graphveil import Graph, anonymize, generate, publish

assert graphveil.__version__ == "0.2.0", graphveil.__version__
out = Path(sys.argv[1])
shutil.rmtree(out, ignore_errors=True)
out.mkdir(parents=True)
town = generate(edges=120, seed=4)
groups = np.array(["north" if v % 2 else "south" for v in range(town.n)], dtype=object)
town = Graph(town.edges, town.n, town.labels + 4_107_000_000, vertex_attributes={"district": groups})


def save(name, result, **more):
    publish(result, out / name, report=more.pop("report", "brief"), **more)
    with open(out / f"{name}.txt", "w") as f:
        for a, b in result.original.labels[result.original.edges].tolist():
            f.write(f"{a} {b}\n")


seed = 2**100 + 20_131_107
save("txt", anonymize(town, k=5, seed=seed), format="edgelist")
save(
    "csv",
    anonymize(town, k=5, degree_k=3, seed=seed),
    format="csv",
    title="A small town",
    contact="data@example.org",
    license="CC BY 4.0",
)
save("parquet", anonymize(town, k=5, spread=0.5, seed=seed), format="parquet")
save(
    "graphml",
    anonymize(town, k=3, method="add-del", seed=seed),
    format="graphml",
    keep_vertex_attributes=["district"],
    report="quick",
)
few = Graph.from_edges([(a, b) for a in range(3) for b in range(3, 7)])
dummies = anonymize(few, k=5, degree_k=6, method="add-intuit", seed=seed)
assert len(dummies.new_vertices) == 1
save("dummies", dummies, format="gml")
save("liu-terzi", anonymize(town, k=4, method="liu-terzi", seed=seed), format="tsv")

"""How these folders were made, by the code of 0.3.0: SOURCE_DATE_EPOCH=1795046400 python make.py

They hold every part of a certificate of schema 3, and stay as they are.
"""

import shutil
import warnings
from pathlib import Path

import numpy as np

import graphveil
from graphveil import Graph, anonymize, generate, publish

assert graphveil.__version__ == "0.3.0", graphveil.__version__
warnings.simplefilter("ignore")
OUT = Path(__file__).parent
SEED = 2**100 + 20_131_107
town = generate(edges=120, seed=4)
names = np.arange(town.n) + 4_107_000_000
people = {
    "district": np.array([f"D{v % 4}" for v in range(town.n)], object),
    "age": np.array([20 + 7 * v % 60 for v in range(town.n)]),
    "party": np.array(["red" if v % 3 else "blue" for v in range(town.n)], object),
}
kinds = {"kind": np.array(["work" if row % 2 else "home" for row in range(town.m)], object)}
town = Graph(town.edges, town.n, names, vertex_attributes=people, edge_attributes=kinds)


def save(name, result, **more):
    folder = OUT / name
    shutil.rmtree(folder, ignore_errors=True)
    publish(result, folder, report=more.pop("report", "brief"), **more)
    pairs = result.original.labels[result.original.edges].tolist()
    (OUT / f"{name}.txt").write_text("".join(f"{a} {b}\n" for a, b in pairs))
    return folder


said = {"title": "A small town", "contact": "data@example.org", "license": "CC BY 4.0"}
first = save("friendship", anonymize(town, friendship_k=3, seed=SEED), format="csv", **said)
save("reduce", anonymize(town, 3, reduce="degree", max_changes=0.2, seed=SEED), format="graphml", report="quick")
save("again", anonymize(town, 3, seed=SEED, after=first), pseudonyms="same")
of_people = {"generalize": "auto", "sensitive": ["party"], "l_diversity": 2}
both = {"keep_vertex_attributes": list(people), "keep_edge_attributes": list(kinds), **of_people}
for format in ("csv", "graphml"):
    save(f"attributes-{format}", anonymize(town, 3, degree_k=2, spread=0.5, seed=SEED), format=format, **both)
save("parquet", anonymize(town, 3, seed=SEED), format="parquet", keep_vertex_attributes=["district"])

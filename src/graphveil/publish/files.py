"""What the files of a publication are called."""

from __future__ import annotations

__all__ = ["FILES"]

FILES = {
    "edgelist": "graph.txt",
    "csv": "graph.csv",
    "tsv": "graph.tsv",
    "parquet": "graph.parquet",
    "graphml": "graph.graphml",
    "gml": "graph.gml",
    "pajek": "graph.net",
    "mtx": "graph.mtx",
}

"""README.md in ``public/``: what the files are, how to load the graph, what was changed, how to cite.

It is made from the certificate alone.
"""

from __future__ import annotations

import re
from textwrap import fill

from graphveil.publication.words import changed, earlier_release, verdict
from graphveil.verification.documents import Certificate
from graphveil.words import plain, size

WIDTH = 100

PYTHON_PAIRS = """import csv
pairs = [(int(a), int(b)) for a, b in list(csv.reader(open("{file}"), delimiter={delimiter!r})){skip} if b]
"""
NETWORKX = {
    "edgelist": 'graph = networkx.read_edgelist("{file}", nodetype=int)\n',
    "csv": PYTHON_PAIRS + "graph = networkx.Graph(pairs)\n",
    "tsv": PYTHON_PAIRS + "graph = networkx.Graph(pairs)\n",
    "parquet": 'table = pandas.read_parquet("{file}").dropna().astype(int)\n'
    'graph = networkx.from_pandas_edgelist(table, "source", "target")\n',
    "graphml": 'graph = networkx.read_graphml("{file}", node_type=int)\n',
    "gml": 'graph = networkx.read_gml("{file}", label="id")\n',
    "pajek": 'graph = networkx.Graph(networkx.read_pajek("{file}"))\n',
    "mtx": 'graph = networkx.from_scipy_sparse_array(scipy.io.mmread("{file}"))\n',
}
PAIRS = 'pairs = [tuple(map(int, line.split())) for line in open("{file}") if " " in line]\n'
FROM_PAIRS = "graph = igraph.Graph(n={vertices}, edges=pairs)\n"
IGRAPH = {
    "edgelist": PAIRS + FROM_PAIRS,
    "csv": PYTHON_PAIRS + FROM_PAIRS,
    "tsv": PYTHON_PAIRS + FROM_PAIRS,
    "parquet": 'pairs = pandas.read_parquet("{file}").dropna().astype(int)[["source", "target"]].values.tolist()\n'
    + FROM_PAIRS,
    "graphml": 'graph = igraph.Graph.Read_GraphML("{file}")\n',
    "gml": 'graph = igraph.Graph.Read_GML("{file}")\n',
    "pajek": 'graph = igraph.Graph.Read_Pajek("{file}")\n',
    "mtx": 'matrix = scipy.io.mmread("{file}").tocoo()\n'
    "pairs = [(a, b) for a, b in zip(matrix.row.tolist(), matrix.col.tolist()) if a < b]\n" + FROM_PAIRS,
}
R = {
    "edgelist": 'pairs <- na.omit(read.table("{file}", fill = TRUE))\n',
    "csv": 'pairs <- na.omit(read.csv("{file}"))\n',
    "tsv": 'pairs <- na.omit(read.delim("{file}"))\n',
    "parquet": 'pairs <- na.omit(as.data.frame(arrow::read_parquet("{file}")))\n',
    "graphml": 'graph <- igraph::read_graph("{file}", format = "graphml")\n',
    "gml": 'graph <- igraph::read_graph("{file}", format = "gml")\n',
    "pajek": 'graph <- igraph::read_graph("{file}", format = "pajek")\n',
    "mtx": 'matrix <- Matrix::readMM("{file}")\n'
    'graph <- igraph::graph_from_adjacency_matrix(matrix, mode = "undirected")\n',
}
R_GRAPH = "graph <- igraph::graph_from_data_frame(pairs[, 1:2], directed = FALSE, vertices = 0:{last})\n"
IMPORTS = {"parquet": "pandas", "mtx": "scipy.io"}

PAGE = """# {title}

{lead}

{verdict}

## Files

| file | what it is |
|---|---|
| `{file}` | the graph ({format}): {size}; people are the pseudonyms 0 to {last} |
| `certificate.json` | what is guaranteed and what is not, with the figures; `graphveil verify` counts them again |
| `report.html` | the same for people, with charts, in one file that loads nothing |
{panel}
## Load the graph

networkx:

```python
import {networkx_imports}
{networkx}```

python-igraph:

```python
import {igraph_imports}
{igraph}```

R:

```r
{r}```

Pseudonyms are the numbers 0 to {last}. A person without friends may be missing in what such a command loads.

## What was changed

{changed}

## Check it

```
pip install graphveil
graphveil verify .
```

## Cite

> {citation}
"""


PANEL_ROW = "| `panel.csv` | each pseudonym here and in the earlier release, for people who are in both |\n"


def _earlier(certificate: Certificate) -> str:
    return earlier_release(certificate.after) if certificate.after else ""


def readme(certificate: Certificate) -> str:
    """The text of README.md."""
    graph, words = certificate.graph, verdict(certificate)
    names = {
        "file": graph.file,
        "vertices": graph.vertices,
        "last": max(graph.vertices - 1, 0),
        "delimiter": "\t" if graph.format == "tsv" else ",",
        "skip": "[1:]",
    }
    r = R[graph.format] + (R_GRAPH if R[graph.format].startswith("pairs") else "")
    more = f", {IMPORTS[graph.format]}" if graph.format in IMPORTS else ""
    return PAGE.format(
        title=escaped(certificate.data_set.title) or "A published social graph",
        lead=_wrapped(_lead(certificate)),
        verdict="\n\n".join(_wrapped(f"**{name}.** {text}") for name, text in words.opening),
        file=graph.file,
        format=graph.format,
        size=size(graph.vertices, graph.edges),
        last=names["last"],
        networkx_imports="networkx" + more,
        networkx=NETWORKX[graph.format].format(**names),
        igraph_imports="igraph" + more,
        igraph=IGRAPH[graph.format].format(**names),
        r=r.format(**names),
        changed="\n\n".join(map(_wrapped, filter(None, (changed(certificate), _earlier(certificate))))),
        panel=PANEL_ROW if certificate.after and certificate.after.panel else "",
        citation=citation(certificate),
    )


def _lead(certificate: Certificate) -> str:
    said = certificate.data_set
    parts = [
        f"Published {said.published}" if said.published else "Published",
        *([f"contact: {escaped(said.contact)}"] if said.contact else []),
        *([f"license: {escaped(said.license)}"] if said.license else []),
    ]
    return "; ".join(parts) + "."


def citation(certificate: Certificate) -> str:
    """How to cite the graph."""
    said, graph = certificate.data_set, certificate.graph
    parts = [
        escaped(said.title) or f"Social graph of {size(graph.vertices, graph.edges)}",
        *([escaped(said.contact)] if said.contact else []),
        *([f"Published {said.published}"] if said.published else []),
        f"Anonymized with graphveil {escaped(certificate.tool.version)}",
        f"SHA-256 of {graph.file}: {graph.sha256}",
    ]
    return ". ".join(parts) + "."


def escaped(text: str, longest: int | None = 300) -> str:
    """What somebody wrote, on one line and as no markup."""
    shown = re.sub(r"([\\\\`*_\[\]#|>])", r"\\\1", plain(text, longest))
    return shown.replace("&", "&amp;").replace("<", "&lt;")


def _wrapped(text: str) -> str:
    return fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)

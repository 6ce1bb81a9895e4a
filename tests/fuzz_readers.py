"""Damage files of every format in a hundred thousand ways: each gives a graph or an error in one line, never a crash.

    python tests/fuzz_readers.py                        # 100,000 files, a new seed, which is printed
    python tests/fuzz_readers.py --seed 7 --count 2000
    python tests/fuzz_readers.py --seed 7 --only 1234   # one file again, with its traceback

The readers work in a process of its own that may use 1 GB more than it has when it begins. A process that dies is
counted, and a new one goes on behind the file that killed it. Not part of the tests: run it by hand.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import json
import lzma
import random
import resource
import secrets
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

GIGABYTE = 2**30
PATIENCE = 20  # seconds of processor time for one file
PIECES = [
    *(bytes([byte]) for byte in b"\0\n\r\t ,;|\"'<>/&[]{}*%#-0\xff"),
    *(
        b"",
        b"-1",
        b"1e309",
        b"nan",
        b"true",
        b"null",
        b"directed",
        b"source",
        b"target",
        b"9" * 30,
        b"9" * 5000,
    ),
    *(
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"&#0;",
        b"&#x110000;",
        b"<![CDATA[",
        b"<!--",
        b"sep=;\n",
    ),
    *(b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"*Vertices 999999999\n", b"999999999 999999999 1\n"),
]


def corpus() -> dict[str, bytes]:
    """Valid files of every format by name, those that other libraries write among them."""
    import networkx

    import graphveil
    from graphveil.formats.table import WRITABLE

    town = graphveil.generate(edges=40, seed=2)
    named = town.with_labels([f"Zoë {vertex}" for vertex in range(town.n)])
    files: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, row in WRITABLE.items():
            for graph, which in ((town, "numbers"), (named if name != "mtx" else town, "names")):
                path = Path(folder, f"{which}{row.extensions[0]}")
                graphveil.write(graph, path)
                files[path.name] = path.read_bytes()
        club = networkx.karate_club_graph()
        networkx.write_gexf(club, Path(folder, "club.gexf"))
        files["club.gexf"] = Path(folder, "club.gexf").read_bytes()
        networkx.write_gml(club, Path(folder, "club.gml"))
        files["club.gml"] = Path(folder, "club.gml").read_bytes()
        networkx.write_graphml(club, Path(folder, "club.graphml"))
        files["club.graphml"] = Path(folder, "club.graphml").read_bytes()
    files["club.json"] = json.dumps(networkx.node_link_data(club, edges="links")).encode()
    files["d3.json"] = b'{"nodes": [{"name": "a"}, {"name": "b"}], "links": [{"source": 0, "target": 1}]}'
    files["pairs.json"] = b'[["a", "b"], ["b", "c"]]'
    files["weights.mtx"] = b"%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 2\n2 1 5\n3 1 0.0\n"
    files["dense.mtx"] = b"%%MatrixMarket matrix array integer symmetric\n2 2\n0\n1\n0\n"
    files["drawn.net"] = b'*Vertices 3\n1 "a" 0.1 0.2\n2 "b"\n*Edges\n1 2 1.5\n2 3\n*Arcs\n1 3\n'
    files["excel.csv"] = "\ufeffName A;Name B;Gewicht\r\nHugo von Berg;Zoë;0,5\r\nZoë;Ben;1\r\n".encode()
    files["calls.csv"] = b"timestamp,caller,callee,duration\n17,Ann,Bo,3\n18,Bo,Cy,4\n"
    files["quoted.csv"] = b'source,target\n"Berg, Hugo","Lee\nClara"\n"a ""b""",c\n'
    files["latin.graphml"] = (
        b'<?xml version="1.0" encoding="utf-7"?><graphml><graph edgedefault="undirected"><node id="a"/>'
        b'<node id="b"/><edge source="a" target="b"/></graph></graphml>'
    )
    files["wide.csv"] = "source,target\nZoë,Bo\n".encode("utf-16")
    for name, compress in (("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)):
        files[f"names.txt.{name}"] = compress(files["names.txt"])
    files["bomb.txt.gz"] = gzip.compress(b"1 2\n" * 500_000)
    return files


def damaged(content: bytes, rng: random.Random) -> bytes:
    """The content with a few bytes changed, cut out, doubled, put in or cut off."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        at, length = rng.randint(0, len(data)), rng.choice((0, 1, 1, 2, 4, 20, 200))
        match rng.randrange(6):
            case 0:
                data[at : at + length] = rng.choice(PIECES)
            case 1:
                data[at : at + length] = rng.randbytes(rng.choice((1, 1, 4)))
            case 2:
                del data[at : at + length]
            case 3:
                data[at:at] = data[at : at + length] * rng.choice((1, 2, 50))
            case 4 if data:
                data[at % len(data)] ^= 1 << rng.randrange(8)
            case _:
                data = data[: at if rng.random() < 0.3 else len(data)]
    return bytes(data)


def one_file(files: dict[str, bytes], seed: str, number: int) -> tuple[str, bytes, dict[str, Any]]:
    """A damaged file and options to read it with, the same for the same seed and number."""
    rng = random.Random(f"{seed}:{number}")
    name = rng.choice(sorted(files))
    content = damaged(files[name], rng)
    options: dict[str, Any] = {"undirected": rng.random() < 0.8}
    if rng.random() < 0.1:
        options["keep_vertex_attributes"] = [rng.choice(("x", "age", "club", "label"))]
    if rng.random() < 0.1:
        options["columns"] = rng.choice(((0, 1), (1, 2), ("source", "target")))
    if rng.random() < 0.05:
        options["project"] = True
    if rng.random() < 0.1:  # under another name
        name = f"other.{rng.choice(sorted(files)).partition('.')[2]}"
    return name, content, options


def try_one(path: Path, options: dict[str, Any]) -> str:
    """Read a file; what came of it, in a word."""
    import graphveil

    try:
        graph = graphveil.read(path, **options)
        graphveil.preview(path)
        graphveil.cautions(graph)
    except graphveil.GraphveilError as error:
        if "\n" in str(error):
            raise AssertionError(f"an error of several lines: {error!r}") from None
        return "refused"
    return "read"


def worker(seed: str, first: int, last: int, folder: str) -> None:
    """Read damaged files one after the other; the number of the one at work stands in a file."""
    files = corpus()
    place, outcomes = Path(folder, "at"), Counter[str]()
    for name, content in files.items():  # compile and load what is needed before memory is bounded
        Path(folder, name).write_bytes(content)
        try_one(Path(folder, name), {"undirected": True})
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + GIGABYTE, now + GIGABYTE))
    signal.signal(signal.SIGPROF, _too_slow)
    for number in range(first, last):
        place.write_text(str(number))
        name, content, options = one_file(files, seed, number)
        path = Path(folder, name)
        path.write_bytes(content)
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        try:
            outcomes[try_one(path, options)] += 1
        except BaseException:
            outcomes["traceback"] += 1
            print(f"file {number} ({name}): {traceback.format_exc().splitlines()[-1][:300]}", file=sys.stderr)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            path.unlink()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(json.dumps({**outcomes, "peak": peak}))


def _too_slow(*_: object) -> None:
    raise TimeoutError(f"more than {PATIENCE} seconds")


def run(seed: str, count: int, batch: int) -> Counter[str]:
    """Read so many files in batches, each in a process of its own, and count what came of them."""
    totals, peak, first = Counter[str](), 0, 0
    while first < count:
        last = min(first + batch, count)
        with tempfile.TemporaryDirectory() as folder:
            command = [
                sys.executable,
                __file__,
                "--worker",
                f"{first}:{last}",
                "--seed",
                seed,
                "--folder",
                folder,
            ]
            done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
            if done.returncode == 0:
                found = json.loads(done.stdout.splitlines()[-1])
                peak = max(peak, found.pop("peak"))
                totals.update(found)
                first = last
            else:
                at = int(Path(folder, "at").read_text())
                totals["crash"] += 1
                print(f"file {at}: the process died ({done.returncode})", file=sys.stderr)
                totals["not counted"] += at - first
                first = at + 1
        print(f"{first:,} of {count:,}: {dict(totals)}, at most {peak:,} MB", flush=True)
    return totals


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", default=secrets.token_hex(4))
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--batch", type=int, default=5_000)
    parser.add_argument("--only", type=int)
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    if given.worker:
        first, last = map(int, given.worker.split(":"))
        worker(given.seed, first, last, given.folder)
        return 0
    if given.only is not None:
        name, content, options = one_file(corpus(), given.seed, given.only)
        Path(name).write_bytes(content)
        print(f"wrote {name}, read with {options}")
        print(try_one(Path(name), options))
        return 0
    print(f"seed {given.seed}")
    totals = run(given.seed, given.count, given.batch)
    return 1 if totals["crash"] or totals["traceback"] else 0


if __name__ == "__main__":
    sys.exit(main())

"""What counting on Spark costs: processor time, shuffled bytes and the largest worker, by colour blocks and by joins.

    python benchmarks/spark.py --edges 4000000 --parts 4 --ways blocks,joins

Spark runs on this machine with two cores. Processor time is that of Spark and all its workers, without the start of the
session; shuffled bytes are those that Spark's event log tells. Both counts must agree with each other.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

TICKS = os.sysconf("SC_CLK_TCK")


def family(root: int) -> list[int]:
    """A process and all its descendants."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(folder.name))
    found, waiting = [], [root]
    while waiting:
        found.append(waiting.pop())
        waiting += children.get(found[-1], [])
    return found


class Watch:
    """Processor seconds of all processes below this one, those that ended included, and the largest Python worker."""

    def __init__(self) -> None:
        self.seconds: dict[int, float] = {}
        self.largest = self.peak = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.wait(0.2):
            self.look()

    def look(self) -> None:
        total = 0
        for pid in family(os.getpid())[1:]:
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                name = Path(f"/proc/{pid}/comm").read_text().strip()
                memory = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4096
            except (OSError, IndexError, ValueError):
                continue
            self.seconds[pid] = (int(fields[11]) + int(fields[12])) / TICKS
            total += memory
            if name.startswith("python"):
                self.largest = max(self.largest, memory)
        self.peak = max(self.peak, total)

    def spent(self) -> float:
        self.look()
        return sum(self.seconds.values())

    def reset(self) -> None:
        self.largest = self.peak = 0


def shuffled(folder: Path) -> int:
    """Bytes that all tasks so far have written for others."""
    return sum(
        event["Task Metrics"]["Shuffle Write Metrics"]["Shuffle Bytes Written"]
        for event in events(folder)
        if event["Event"] == "SparkListenerTaskEnd" and "Task Metrics" in event
    )


def events(folder: Path) -> Iterator[dict[str, Any]]:
    for path in folder.rglob("*"):
        if path.is_file() and not path.name.startswith((".", "appstatus")):
            for line in path.read_text().splitlines():
                try:
                    yield json.loads(line)
                except ValueError:
                    continue  # the last line may be half written


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, default=4_000_000)
    parser.add_argument("--parts", type=int, default=4)
    parser.add_argument("--ways", default="blocks,joins")
    parser.add_argument("--driver-memory", default="1500m")
    arguments = parser.parse_args()

    from pyspark.sql import SparkSession
    from pyspark.sql import functions as f

    from graphveil import generate, mutual_friends
    from graphveil.spark.counting import counted
    from graphveil.spark.joins import recounted

    place = tempfile.TemporaryDirectory(prefix="graphveil-bench-")
    folder = Path(place.name)
    (folder / "events").mkdir()
    graph = generate(arguments.edges, seed=4)
    mutual_friends(generate(1000, seed=4))  # loads the kernel
    started = time.process_time()
    counts = mutual_friends(graph)  # once: a graph keeps its counts
    spent = time.process_time() - started
    print(
        f"{graph.n:,} vertices, {graph.m:,} edges; one machine: {spent:.1f} s of processor time", flush=True
    )
    write(graph, folder / "edges")
    expected = {int(value): int((counts == value).sum()) for value in set(counts[:1000].tolist())}
    triangles = int(counts.sum(dtype="int64"))
    del graph, counts
    os.environ |= {
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(folder / "scratch"),
    }
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.memory", arguments.driver_memory)
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.eventLog.enabled", "true")
        .config("spark.eventLog.compress", "false")
        .config("spark.eventLog.dir", (folder / "events").as_uri())
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    spark.range(10).mapInArrow(lambda batches: batches, "id long").count()
    watch = Watch()
    for way in arguments.ways.split(","):
        watch.reset()
        before, bytes_before = watch.spent(), shuffled(folder / "events")
        edges = spark.read.parquet(str(folder / "edges"))
        with ExitStack() as stack:
            if way == "blocks":
                rows = stack.enter_context(counted(edges, parts=arguments.parts)).edges
            else:
                rows = stack.enter_context(recounted(edges)).counted
            sizes = [f.count_if(f.col("mutual_friends") == value) for value in expected if value]
            found = rows.agg(f.sum("mutual_friends"), *sizes).collect()[0]
        assert found[0] == triangles, (found[0], triangles)
        assert list(found[1:]) == [size for value, size in expected.items() if value]
        time.sleep(2)  # until the event log is written
        written = (shuffled(folder / "events") - bytes_before) / 1e6
        print(
            f"{way}: {watch.spent() - before:.0f} s of processor time, {written:.0f} MB shuffled, largest worker "
            f"{watch.largest / 1e6:.0f} MB, all {watch.peak / 1e6:.0f} MB",
            flush=True,
        )
        spark.catalog.clearCache()
    spark.stop()
    place.cleanup()


def write(graph: Any, folder: Path) -> None:
    """The edges in eight Parquet files."""
    import numpy as np
    import pyarrow
    import pyarrow.parquet

    folder.mkdir()
    order = np.random.default_rng(1).permutation(graph.m)
    for part, rows in enumerate(np.array_split(order, 8)):
        table = pyarrow.table({"source": graph.edges[rows, 0], "target": graph.edges[rows, 1]})
        pyarrow.parquet.write_table(table, folder / f"part-{part}.parquet")


if __name__ == "__main__":
    main()

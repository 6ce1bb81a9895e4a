"""A real Spark cluster for the tests: a master and two workers on 127.0.0.1, from the pip package.

Every process is started here and ended here, by its id. Everything listens on 127.0.0.1 only.
"""

from __future__ import annotations

import ctypes
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

LOOPBACK = "127.0.0.1"
PATIENCE = 60.0  # seconds until a server answers or ends


@dataclass
class Cluster:
    """A running cluster."""

    url: str
    folder: Path
    master: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def executors(self) -> list[int]:
        """The process ids of the executors that the workers run now."""
        parents = {worker.pid for worker in self.workers}
        return [
            pid for pid, parent, command in processes() if parent in parents and "ExecutorBackend" in command
        ]


def processes() -> Iterator[tuple[int, int, str]]:
    """Process id, parent and command line of every process."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        yield int(folder.name), parent, command


def environment(folder: Path) -> dict[str, str]:
    """What a server needs to run: the same Python and the same graphveil as the tests, loopback only."""
    import graphveil

    source = str(Path(graphveil.__file__).parents[1])
    return {
        **os.environ,
        "SPARK_LOCAL_IP": LOOPBACK,
        "SPARK_LOCAL_DIRS": str(folder / "scratch"),
        "SPARK_DAEMON_MEMORY": "256m",
        "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # quick to start, for little data
        "SPARK_DAEMON_JAVA_OPTS": "-Dspark.master.rest.enabled=false -XX:ActiveProcessorCount=2",
        "PYSPARK_PYTHON": sys.executable,
        # Half of the cores for each application, so that commands find some while a session has its own.
        "PYSPARK_SUBMIT_ARGS": "--conf spark.cores.max=2 --conf spark.executor.memory=800m pyspark-shell",
        "PYTHONPATH": os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH")))),
    }


@contextmanager
def cluster(folder: Path, *, workers: int = 2, memory: str = "2g") -> Iterator[Cluster]:
    """Start a master and workers; end them when the block ends, whatever happens in it."""
    master, url = _server(folder, "master", "Master", "--port", "0", until=r"spark://127\.0\.0\.1:\d+")
    running = Cluster(url, folder, master)
    try:
        for number in range(workers):
            name, work = f"worker{number}", folder / f"work{number}"
            options = ("--port", "0", "--cores", "2", "--memory", memory, "--work-dir", str(work), url)
            worker, _ = _server(folder, name, "Worker", *options, until="Successfully registered")
            running.workers.append(worker)
        yield running
    finally:
        for process in (*running.workers, running.master):
            _end(process)


def _server(
    folder: Path, name: str, kind: str, *options: str, until: str
) -> tuple[subprocess.Popen[bytes], str]:
    """Start a server and wait until its log says that it works; returns it and the words that say so."""
    import pyspark

    home = Path(pyspark.__file__).parent
    log = folder / f"{name}.log"
    command = [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{kind.lower()}.{kind}"]
    command += ["--host", LOOPBACK, "--webui-port", "0", *options]
    with log.open("wb") as sink:
        surroundings = {**environment(folder), "SPARK_HOME": str(home)}
        process = subprocess.Popen(
            command, stdout=sink, stderr=sink, env=surroundings, preexec_fn=_end_with_parent
        )
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        if found := re.search(until, log.read_text(errors="replace")):
            return process, found[0]
        time.sleep(0.1)
    _end(process)
    raise AssertionError(f"the {name} did not start: {log.read_text(errors='replace')[-2000:]}")


def _end_with_parent() -> None:
    """Ask Linux to end this process when the tests end, even if they are killed."""
    set_parent_death_signal = 1
    ctypes.CDLL(None).prctl(set_parent_death_signal, signal.SIGTERM)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process by its id; a worker ends its executors itself."""
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(PATIENCE)

"""A Spark session, and Spark's errors in one line each."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import current_thread, main_thread
from typing import IO, TYPE_CHECKING

from graphveil.errors import EngineError, GraphveilError, InputError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOOPBACK = {"127.0.0.1", "localhost", "::1"}
PORTS = {"spark": 7077, "sc": 15002}
MASTERS = r"(local(\[.*\])?|local-cluster\[.*\]|yarn)$|(spark|k8s)://."
PATIENCE = 5.0  # seconds until a host must answer
FAILED = "Spark failed:"  # for a reason that is not among the known ones
PARTITIONS = "spark.sql.shuffle.partitions"
SPARKS_OWN = "200"  # partitions, where nobody has set them
ROWS_A_PARTITION, MOST_PARTITIONS = 500_000, 10_000
UNITS = {"k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}

# Words in Spark's errors, what they mean, and the way out.
KNOWN = (
    (r"No space left on device", "a scratch disk of the cluster is full. Free it, or set SPARK_LOCAL_DIRS."),
    (
        r"No module named '(graphveil|numba|numpy|pyarrow)",
        "the workers have no graphveil. docs/spark.md says how it gets there.",
    ),
    (
        r"OutOfMemoryError|Python worker exited unexpectedly|MemoryError|exit code 137",
        "a worker ran out of memory. Use more parts (parts=), or workers with more memory.",
    ),
    (
        r"All masters are unresponsive|SparkContext was (stopped|shut down)|stopped SparkContext",
        "the cluster is lost. Check the master (master=) and run this again.",
    ),
    (r"PATH_NOT_FOUND|Path does not exist", "there is no such path. Check it; the workers must see it too."),
    (
        r"is not a Parquet file|FAILED_READ_FILE|[Cc]orrupt|Could not read footer|CANNOT_READ_FILE",
        "a part of the input cannot be read{file}. Copy it or make it again.",
    ),
    (
        r"Could not parse Master URL",
        "this is no master. Use local[2], spark://host:7077, yarn or k8s://host.",
    ),
)


def size_in_bytes(text: str) -> int:
    """The bytes in 800m or 2g.

    Examples
    --------
    >>> size_in_bytes("2g"), size_in_bytes("800m")
    (2147483648, 838860800)
    """
    found = re.fullmatch(r"([1-9][0-9]*)([kmgt])b?", text.strip().lower())
    if found is None:
        raise EngineError(f"worker_memory= takes a size such as 800m or 2g, not {text!r}.")
    return int(found[1]) * UNITS[found[2]]


@contextmanager
def session(master: str | None = None, remote: str | None = None) -> Iterator[SparkSession]:
    """A session on a cluster, by default on this machine; it ends with the block.

    What Spark itself logs goes to a file, which is kept only if Spark fails for a reason that is not known here.
    """
    if remote is not None and not remote.startswith("sc://"):
        raise EngineError(f"remote= takes sc://host or sc://host:port, not {remote!r}.")
    _check_installed(remote)
    _check_reachable(master, remote)
    with tempfile.NamedTemporaryFile(prefix="graphveil-spark-", suffix=".log", delete=False) as log:
        keep = False
        try:
            with errors_in_words(str(remote or master or "local")), _session(log, master, remote) as started:
                yield started
        except EngineError as error:
            keep = FAILED in str(error)
            raise EngineError(f"{error} Its log is in {log.name}.") if keep else error from None
        finally:
            if not keep:
                os.unlink(log.name)


@contextmanager
def _session(log: IO[bytes], master: str | None, remote: str | None) -> Iterator[SparkSession]:
    handler = signal.getsignal(signal.SIGINT)
    with _standard_error_to(log.fileno()):
        started = _start(master, remote)
    try:
        yield started
    finally:
        with suppress(Exception):
            started.stop()
        if current_thread() is main_thread():  # Spark has put its own, which is of no use without a session
            signal.signal(signal.SIGINT, handler)


def _check_installed(remote: str | None) -> None:
    from importlib.util import find_spec

    if find_spec("pyspark") is None:
        raise EngineError("Spark is not installed. Get it with: pip install 'graphveil[spark]'")
    home = os.environ.get("JAVA_HOME")
    has_java = Path(home, "bin", "java").is_file() if home else shutil.which("java") is not None
    if remote is None and not has_java:
        where = f"JAVA_HOME is {home}, and there is none" if home else "there is none on the PATH"
        raise EngineError(
            f"Spark needs Java 17, and {where}. Install it (on Debian: apt install openjdk-17-jre-headless), or use a "
            'Spark Connect server (remote="sc://host").'
        )
    if remote is not None and find_spec("grpc") is None:
        raise EngineError("Spark Connect is not installed. Get it with: pip install 'pyspark[connect]'")


def _check_reachable(master: str | None, remote: str | None) -> None:
    """Spark tries a master that is not there for minutes; this says so at once."""
    address = remote or master or ""
    if remote is None and master is not None and not re.match(MASTERS, master):
        raise EngineError(
            f"{master}: this is no master. Use local[2], spark://host:7077, yarn or k8s://host."
        )
    found = re.match(r"(spark|sc)://(.*)", address)
    if found is None:
        return
    hosts = [host for host in found[2].split("/")[0].split(",") if host]
    if not any(_answers(host.split(";")[0], PORTS[found[1]]) for host in hosts):
        option = "remote=" if remote else "master="
        raise EngineError(
            f"{address} does not answer. Check the address ({option}) and that Spark runs there."
        )


def _answers(host: str, port: int) -> bool:
    name, _, given = host.rpartition(":") if host.count(":") == 1 else (host, "", "")
    try:
        with socket.create_connection((name, int(given) if given else port), PATIENCE):
            return True
    except (OSError, ValueError, OverflowError):
        return False


def _start(master: str | None, remote: str | None) -> SparkSession:
    from pyspark.sql import SparkSession

    warnings.filterwarnings("ignore", category=FutureWarning, module="pyspark")
    builder = SparkSession.builder.appName("graphveil")
    if remote is not None:
        return builder.remote(remote).getOrCreate()
    if master is not None:
        builder = builder.master(master)
    for name, value in _settings(master).items():
        builder = builder.config(name, value)
    started = builder.getOrCreate()
    started.sparkContext.setLogLevel("ERROR")
    return started


def _settings(master: str | None) -> dict[str, str]:
    settings = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
    host = re.match(r"spark://([^:/,]+)", master or "")
    if master is None or master.startswith("local") or (host and host[1] in LOOPBACK):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        settings |= {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    return settings


@contextmanager
def _standard_error_to(file: int) -> Iterator[None]:
    """Give the processes started in this block another standard error, and the warnings of this one too."""
    sys.stderr.flush()
    before = os.dup(2)
    os.dup2(file, 2)
    try:
        yield
    finally:
        sys.stderr.flush()
        os.dup2(before, 2)
        os.close(before)


@contextmanager
def shuffle_partitions(spark: SparkSession, rows: int) -> Iterator[None]:
    """Shuffle tables into as many partitions as so many edges need, unless somebody has set their number.

    Spark's own number is 200 for every size, and in tables that are kept they stay 200. Between two such tables 200
    tasks write 200 pieces each. On a few million edges the tasks then wait far longer than they compute.
    """
    if spark.conf.get(PARTITIONS) != SPARKS_OWN:
        yield
        return
    spark.conf.set(PARTITIONS, str(min(MOST_PARTITIONS, max(4, rows // ROWS_A_PARTITION + 1))))
    try:
        yield
    finally:
        with suppress(Exception):  # where the session is lost, the first error tells why
            spark.conf.set(PARTITIONS, SPARKS_OWN)


# ---------------------------------------------------------------------------- errors


@contextmanager
def errors_in_words(about: str) -> Iterator[None]:
    """Turn what Spark raises into one line about a path or an address."""
    try:
        yield
    except GraphveilError:
        raise
    except Exception as error:
        if not _is_of_spark(error):
            raise
        raise _in_words(about, str(error)) from None


def _is_of_spark(error: Exception) -> bool:
    of = {each.__module__.split(".")[0] for each in type(error).__mro__}
    return bool(of & {"pyspark", "py4j", "grpc"})


def _in_words(about: str, text: str) -> GraphveilError:
    for pattern, words in KNOWN:
        if re.search(pattern, text):
            file = re.search(
                r"(?:file:|hdfs:|s3a:)?/[^\s'\"]*part-[^\s'\"]+?(?=[.,;:)\]]*(?:\s|$|'|\"))", text
            )
            named = f" ({file[0]})" if file else ""
            problem, _, remedy = words.format(file=named).partition(". ")
            return InputError(about, problem.rstrip("."), remedy=remedy)
    return EngineError(f"{about}: {FAILED} {_first_line(text)}")


def _first_line(text: str) -> str:
    """The innermost cause that a trace names, else its first line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    causes = [line for line in lines if line.startswith("Caused by:")]
    ours = [line for line in lines if re.match(r"[\w.]*(Error|Exception): ", line)]
    chosen = (causes or ours or lines or ["no reason given"])[-1 if causes or ours else 0]
    return chosen[:300]

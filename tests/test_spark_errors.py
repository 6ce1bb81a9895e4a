"""Spark that is missing, unreachable or asked for too much: one line, without a cluster."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from importlib.util import find_spec

import pytest

from commands import friends, graphveil_process, one_line  # noqa: F401
from graphveil.errors import EngineError, InputError
from graphveil.spark.session import errors_in_words, session

needs_pyspark = pytest.mark.skipif(find_spec("pyspark") is None, reason="needs the extra graphveil[spark]")


def test_neither_the_package_nor_help_loads_spark():
    code = (
        "import sys, graphveil, graphveil.spark, graphveil.cli;"
        "graphveil.cli.main(['audit', '--help-all']); graphveil.audit; assert 'pyspark' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "--engine" in done.stdout


def test_without_the_extra_one_line_says_how_to_get_it(friends, tmp_path):  # noqa: F811
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u\nfind = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'pyspark' else find(name, *more)\n"
    )
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = graphveil_process("audit", friends, "--engine", "spark", env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 2
    assert "pip install 'graphveil[spark]'" in one_line(done.stderr)


@needs_pyspark
def test_without_java_one_line_says_so(friends, monkeypatch):  # noqa: F811
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")
    done = graphveil_process("verify", friends, "--engine", "spark")
    assert done.returncode == 2
    assert "Spark needs Java 17" in one_line(done.stderr)


@needs_pyspark
@pytest.mark.parametrize("where", [("--master", "spark://127.0.0.1:9"), ("--remote", "sc://127.0.0.1:9")])
def test_a_cluster_that_does_not_answer_is_one_line(friends, tmp_path, where):  # noqa: F811
    if where[0] == "--remote" and find_spec("grpc") is None:
        pytest.skip("needs pyspark[connect]")
    out = tmp_path / "out"
    done = graphveil_process("anonymize", friends, "-k", "2", "-o", str(out), "--engine", "spark", *where)
    assert done.returncode == 2
    assert f"{where[1]} does not answer" in one_line(done.stderr)
    assert not out.exists()


@needs_pyspark
@pytest.mark.parametrize("master", ["bogus", "http://host", "spark://", "yarn-client"])
def test_a_master_of_no_known_kind_is_refused_before_java_starts(master, monkeypatch):
    monkeypatch.setattr("graphveil.spark.session._check_installed", lambda _: None)
    with pytest.raises(EngineError, match=r"this is no master\. Use local\[2\]"), session(master):
        pass


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("--master", "local[2]"), "--master goes with --engine spark"),
        (("--engine", "spark", "--strict"), "--strict is not available with --engine spark"),
    ],
)
def test_options_that_do_not_fit_are_refused(friends, given, words):  # noqa: F811
    done = graphveil_process("audit", friends, *given)
    assert done.returncode == 2
    assert words in one_line(done.stderr)


def spark_error(text):
    """An error of a class that Spark defines."""
    kind = type("PythonException", (Exception,), {"__module__": "pyspark.errors.exceptions"})
    return kind(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("java.io.IOException: No space left on device\n\tat x", "a scratch disk of the cluster is full"),
        ("ModuleNotFoundError: No module named 'graphveil'", "the workers have no graphveil"),
        ("Python worker exited unexpectedly (crashed)", "ran out of memory. Use more parts (parts=)"),
        ("[PATH_NOT_FOUND] Path does not exist: file:/x.", "there is no such path"),
        (
            "[FAILED_READ_FILE.NO_HINT] Error while reading file file:///in/part-3.parquet. SQLSTATE: KD001",
            "a part of the input cannot be read (file:///in/part-3.parquet)",
        ),
        ("Job aborted.\nCaused by: java.lang.X: odd\n\tat y", "Spark failed: Caused by: java.lang.X: odd"),
    ],
)
def test_errors_of_spark_become_one_line(text, words):
    with pytest.raises((InputError, EngineError)) as raised, errors_in_words("here"):
        raise spark_error(text)
    assert str(raised.value).startswith("here: ")
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)


def test_other_errors_pass_through():
    with pytest.raises(ZeroDivisionError), errors_in_words("here"):
        1 / 0  # noqa: B018


def test_an_address_of_another_kind_is_refused():
    with pytest.raises(EngineError, match="remote= takes sc://host"), session(remote="http://host"):
        pass


def test_after_a_session_ctrl_c_is_what_it_was(monkeypatch):
    """Spark puts a handler of its own, which stays when its session has ended."""

    class Session:
        def stop(self) -> None: ...

    def start(*_: object) -> Session:
        signal.signal(signal.SIGINT, lambda *_: None)
        return Session()

    monkeypatch.setattr("graphveil.spark.session._check_installed", lambda _: None)
    monkeypatch.setattr("graphveil.spark.session._start", start)
    with session("local[2]"):
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

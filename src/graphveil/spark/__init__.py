"""graphveil on Apache Spark, for graphs that one machine does not hold (docs/spark.md).

The functions take and give Spark DataFrames. They need the extra ``graphveil[spark]`` on the driver, and graphveil on
the workers.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["anonymize", "audit", "mutual_friends", "verify"]

_HOME = {
    "anonymize": "graphveil.spark.publishing",
    "audit": "graphveil.spark.auditing",
    "mutual_friends": "graphveil.spark.counting",
    "verify": "graphveil.spark.joins",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value

"""The decorators of every kernel, and what happens when compiled code cannot be kept on disk.

Little work is done sooner by the same functions as plain Python, without loading Numba: `interpreted`.
"""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable
from contextvars import ContextVar
from functools import cache
from typing import Any

from graphveil.compiling import numba_is_loaded

_AS_PYTHON = ContextVar("_AS_PYTHON", default=False)


@cache
def interpreted(name: str) -> Any:
    """A module of `graphveil.kernels` of its own, whose functions are left as plain Python."""
    spec = importlib.util.find_spec(f"graphveil.kernels.{name}")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    token = _AS_PYTHON.set(True)
    try:
        spec.loader.exec_module(module)
    finally:
        _AS_PYTHON.reset(token)
    return module


def _compile(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    if _AS_PYTHON.get():
        return function
    import numba

    numba_is_loaded()
    try:
        compiled: Callable[..., Any] = numba.njit(cache=True, **options)(function)
    except RuntimeError:
        # Numba found no folder that it may write to, beside the package or in the user's cache.
        warnings.warn(
            "compiled kernels cannot be kept on disk, so every run compiles them again; "
            "set NUMBA_CACHE_DIR to a writable folder to avoid this",
            RuntimeWarning,
            stacklevel=3,
        )
        compiled = numba.njit(**options)(function)
    return compiled


def jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile on first call, keep the result on disk; runs without the interpreter lock."""
    return _compile(function, nogil=True)


def inner_jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `jit`, for a kernel that only other kernels call: without the way in from Python it compiles sooner."""
    return _compile(function, nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def parallel_jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `jit`, with `numba.prange` loops spread over the processor's cores."""
    return _compile(function, nogil=True, parallel=True)

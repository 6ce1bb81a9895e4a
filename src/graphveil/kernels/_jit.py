"""The decorators of every kernel, and what happens when compiled code cannot be kept on disk.

Little work is done sooner by the same functions as plain Python, without loading Numba: `interpreted`, or `patient`
where nobody knows how much there will be.
"""

from __future__ import annotations

import importlib
import importlib.util
import time
import warnings
from collections.abc import Callable
from contextvars import ContextVar
from functools import cache
from typing import Any

from graphveil.compiling import numba_is_loaded

PATIENCE = 0.2  # seconds of a kernel as plain Python, about what compiling it takes
LARGEST = 100_000  # elements of an array with which a kernel is compiled at once

_AS_PYTHON = ContextVar("_AS_PYTHON", default=False)
_hurry = False


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


def compile_at_once() -> None:
    """From now on `patient` kernels are compiled when they are first called."""
    global _hurry
    _hurry = True


class _Patient:
    """The functions of a module of kernels: plain Python until they have taken as long as compiling them would."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, function: str) -> Callable[..., Any]:
        plain, spent = getattr(interpreted(self._name), function), 0.0

        def run(*arguments: Any) -> Any:
            nonlocal spent
            if _hurry or spent > PATIENCE or _largest(arguments) > LARGEST:
                kernels = importlib.import_module(f"graphveil.kernels.{self._name}")
                setattr(self, function, compiled := getattr(kernels, function))
                return compiled(*arguments)
            before = time.thread_time()
            try:
                return plain(*arguments)
            finally:
                spent += time.thread_time() - before

        setattr(self, function, run)
        return run


def _largest(arguments: tuple[Any, ...]) -> int:
    return max(_largest(each) if isinstance(each, tuple) else getattr(each, "size", 0) for each in arguments)


@cache
def patient(name: str) -> Any:
    """The kernels of a module, each compiled only when it has been called for a while or with a large array.

    A kernel does the same either way, and a small graph is done before Numba would be loaded.
    """
    return _Patient(name)


def _compile(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
    if _AS_PYTHON.get():
        return function
    import numba

    numba_is_loaded()
    try:
        compiled: Callable[..., Any] = numba.njit(cache=True, no_cfunc_wrapper=True, **options)(function)
    except RuntimeError:
        # Numba found no folder that it may write to, beside the package or in the user's cache.
        warnings.warn(
            "compiled kernels cannot be kept on disk, so every run compiles them again; "
            "set NUMBA_CACHE_DIR to a writable folder to avoid this",
            RuntimeWarning,
            stacklevel=3,
        )
        compiled = numba.njit(no_cfunc_wrapper=True, **options)(function)
    return compiled


def jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile on first call, keep the result on disk; runs without the interpreter lock."""
    return _compile(function, nogil=True)


def inner_jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `jit`, for a kernel that only other kernels call: without the way in from Python it compiles sooner."""
    return _compile(function, nogil=True, no_cpython_wrapper=True)


def parallel_jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `jit`, with `numba.prange` loops spread over the processor's cores."""
    return _compile(function, nogil=True, parallel=True)

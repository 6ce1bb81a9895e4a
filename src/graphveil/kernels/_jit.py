"""The two decorators of every kernel, and what happens when compiled code cannot be kept on disk."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numba

__all__ = ["jit", "parallel_jit"]


def _compile(function: Callable[..., Any], **options: Any) -> Callable[..., Any]:
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


def parallel_jit(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `jit`, with `numba.prange` loops spread over the processor's cores."""
    return _compile(function, nogil=True, parallel=True)

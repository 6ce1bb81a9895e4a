"""Ctrl-C at moments at which an exception would be lost or would crash the process."""

from __future__ import annotations

import ctypes
import signal
import subprocess
import sys
import weakref

import numba
import numba.extending
import pytest

from graphveil.interrupt import safe_interrupts


class Thing:
    """Something that can be referred to weakly."""


def ctrl_c(*_: object) -> None:
    signal.raise_signal(signal.SIGINT)


def in_a_destructor() -> None:
    class Dying:
        def __del__(self) -> None:
            ctrl_c()
            ended.append(True)

    ended: list[bool] = []
    try:
        Dying()
        ended.append(False)
    finally:
        assert ended == [True], "the destructor ended, and nothing came after it"


def in_destructors_of_destructors() -> None:
    class Dying:
        def __init__(self, depth: int) -> None:
            self.depth = depth

        def __del__(self) -> None:
            if self.depth:
                Dying(self.depth - 1)
                ended.append(self.depth)
            else:
                ctrl_c()

    ended: list[int] = []
    try:
        Dying(2)
        ended.append(0)
    finally:
        assert ended == [1, 2]


def in_a_weak_reference() -> None:
    thing = Thing()
    reference = weakref.ref(thing, ctrl_c)
    del thing
    assert reference() is None
    pytest.fail("it was lost")


def in_a_finalizer() -> None:
    thing = Thing()
    weakref.finalize(thing, ctrl_c)
    del thing
    pytest.fail("it was lost")


def in_a_callback_of_compiled_code() -> None:
    callback = ctypes.CFUNCTYPE(None)(ctrl_c)
    callback()
    pytest.fail("it was lost")


def in_a_compilation() -> None:
    def twice(number):
        return 2 * number

    @numba.extending.overload(twice)
    def typed(number):
        ctrl_c()
        return lambda number: 2 * number

    @numba.njit
    def kernel(number: int) -> int:
        return twice(number)

    try:
        kernel(1)
        pytest.fail("it was lost")
    finally:
        assert len(kernel.signatures) == 1, "the kernel is ready"


@pytest.mark.parametrize(
    "moment",
    [
        in_a_compilation,
        in_a_destructor,
        in_destructors_of_destructors,
        in_a_weak_reference,
        in_a_finalizer,
        in_a_callback_of_compiled_code,
    ],
)
def test_no_ctrl_c_is_lost(moment) -> None:
    with pytest.raises(KeyboardInterrupt), safe_interrupts():
        moment()
    assert sys.gettrace() is None or sys.gettrace().__name__ != "<lambda>"


def test_other_failures_are_told_as_before(monkeypatch) -> None:
    class Dying:
        def __del__(self) -> None:
            raise ValueError

    told = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    usual = sys.unraisablehook
    with safe_interrupts():
        Dying()
    assert [failure.exc_type for failure in told] == [ValueError]
    assert sys.unraisablehook is usual


def test_ctrl_c_while_a_kernel_runs_does_not_crash():
    script = """
import os, signal, threading, time
import numba, numpy
from graphveil.interrupt import safe_interrupts

@numba.njit(nogil=True)
def work(steps):
    total = 0
    for step in range(steps):
        total += step * step % 7 ^ total
    return numpy.full(3, total), numpy.full(2, total)

work(1)
with safe_interrupts():
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        while True:
            work(20_000_000)
    except KeyboardInterrupt:
        print("interrupted")
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, "interrupted\n"), done.stderr

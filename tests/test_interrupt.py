"""Ctrl-C at moments at which an exception would be lost or would crash the process."""

from __future__ import annotations

import ctypes
import importlib
import signal
import subprocess
import sys
import threading
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


def in_an_import() -> None:
    try:
        importlib.import_module("a_module_under_way")
        pytest.fail("it was lost")
    finally:
        assert sys.modules.pop("a_module_under_way").ready


@pytest.mark.parametrize(
    "moment",
    [
        in_a_compilation,
        in_an_import,
        in_a_destructor,
        in_destructors_of_destructors,
        in_a_weak_reference,
        in_a_finalizer,
        in_a_callback_of_compiled_code,
    ],
)
def test_no_ctrl_c_is_lost(moment, tmp_path, monkeypatch) -> None:
    (tmp_path / "a_module_under_way.py").write_text(
        "import signal\nsignal.raise_signal(signal.SIGINT)\nready = True\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    before = state()
    with pytest.raises(KeyboardInterrupt), safe_interrupts():
        moment()
    assert state() == before


def state() -> tuple[object, ...]:
    return signal.getsignal(signal.SIGINT), sys.unraisablehook, sys.gettrace()


def _numba_unpickle() -> None:
    """Of the same name as the function that must not fail."""
    ctrl_c()


class Dying:
    """Something at whose end Ctrl-C is pressed."""

    def __del__(self) -> None:
        ctrl_c()


def destructor_with_ctrl_c() -> None:
    Dying()


def test_a_ctrl_c_that_waited_is_raised_in_the_block_in_which_it_came() -> None:
    lock, ended = threading.Lock(), False
    with safe_interrupts():
        with pytest.raises(KeyboardInterrupt), lock:
            _numba_unpickle()
        assert not lock.locked()
        try:
            _numba_unpickle()
        except KeyboardInterrupt:
            ended = True
    assert ended


@pytest.mark.parametrize("moment", [ctrl_c, destructor_with_ctrl_c])
def test_a_handler_of_the_caller_is_obeyed(moment, monkeypatch) -> None:
    """It may raise what it likes, as that of asyncio does, or nothing; but not where that does harm."""
    came: list[str] = []

    def handler(number: int, frame: object) -> None:
        came.append(frame.f_code.co_name)
        raise TimeoutError

    usual = signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(TimeoutError), safe_interrupts():
            moment()
        assert signal.getsignal(signal.SIGINT) is handler
    finally:
        signal.signal(signal.SIGINT, usual)
    assert came == ["ctrl_c" if moment is ctrl_c else "destructor_with_ctrl_c"]


@pytest.mark.parametrize("installed", [True, False])
def test_ctrl_c_while_the_handler_changes_leaves_nothing_behind(installed, monkeypatch) -> None:
    """At the beginning of the block (True: when our handler is put in place) or at its end."""
    usual = signal.signal
    before = state()

    def change(number: int, handler: object) -> object:
        monkeypatch.setattr(signal, "signal", usual)
        if installed:
            usual(number, handler)
        ctrl_c()
        return usual(number, handler)

    def block() -> None:
        with safe_interrupts():
            reached.append(True)
            monkeypatch.setattr(signal, "signal", change)

    reached: list[bool] = []
    if installed:
        monkeypatch.setattr(signal, "signal", change)
    with pytest.raises(KeyboardInterrupt):
        block()
    assert state() == before
    assert bool(reached) is not installed


def test_what_the_caller_puts_in_place_during_the_call_stays() -> None:
    before = state()
    try:
        with safe_interrupts():
            sys.unraisablehook = hook = lambda _: None
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        assert state()[:2] == (signal.SIG_IGN, hook)
    finally:
        signal.signal(signal.SIGINT, before[0])
        sys.unraisablehook = before[1]


def test_a_debugger_goes_on_after_a_ctrl_c_that_waited() -> None:
    def tracer(*_: object) -> None:
        return None

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        with pytest.raises(KeyboardInterrupt), safe_interrupts():
            destructor_with_ctrl_c()
        assert sys.gettrace() is tracer
    finally:
        sys.settrace(before)


def test_a_call_within_a_destructor_can_be_interrupted() -> None:
    class Dying:
        def __del__(self) -> None:
            try:
                with safe_interrupts():
                    ctrl_c()
                    ended.append("too late")
            except KeyboardInterrupt:
                ended.append("in time")

    ended: list[str] = []
    Dying()
    assert ended == ["in time"]


def test_blocks_within_blocks() -> None:
    before = state()
    with pytest.raises(KeyboardInterrupt), safe_interrupts(), safe_interrupts():
        destructor_with_ctrl_c()
    assert state() == before


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


def test_a_storm_of_ctrl_c_leaves_nothing_behind():
    """Signals at any instruction of the way in and out, thousands of them."""
    script = """
import os, signal, sys, time
from graphveil.interrupt import safe_interrupts

def state():
    return signal.getsignal(signal.SIGINT), sys.unraisablehook, sys.gettrace()

def interrupt(*_):
    global inside, came
    if inside:
        inside, came = False, came + 1
        raise KeyboardInterrupt

inside, came, left = False, 0, 0
signal.signal(signal.SIGINT, interrupt)
before, me = state(), os.getpid()
if not (storm := os.fork()):
    end = time.monotonic() + 1.5
    while time.monotonic() < end:
        time.sleep(0.0003)
        os.kill(me, signal.SIGINT)
    os._exit(0)
while not os.waitpid(storm, os.WNOHANG)[0]:
    try:
        inside = True
        for _ in range(50):
            with safe_interrupts():
                pass
        inside = False
    except KeyboardInterrupt:
        pass
    left += state() != before
print(came > 0, left)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, "True 0\n"), done.stderr

"""The contract of a stop: a request is heard between two steps, is never lost, and nothing of it is left behind."""

from __future__ import annotations

import ctypes
import importlib
import os
import signal
import subprocess
import sys
import threading
import weakref

import numba
import numba.extending
import pytest

from graphveil import Graph, GraphError, anonymize, mutual_friends
from graphveil.stopping import Stop, Stopped, answer, check, stoppable


def ctrl_c(*_: object) -> None:
    signal.raise_signal(signal.SIGINT)


class Dying:
    """Something at whose end Ctrl-C is pressed."""

    def __del__(self) -> None:
        ctrl_c()


def in_a_destructor() -> None:
    Dying()


def in_a_weak_reference() -> None:
    thing = threading.Event()
    reference = weakref.ref(thing, ctrl_c)
    del thing
    assert reference() is None


def in_a_callback_of_compiled_code() -> None:
    ctypes.CFUNCTYPE(None)(ctrl_c)()


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

    kernel(1)
    assert len(kernel.signatures) == 1, "the kernel is ready"


def in_an_import() -> None:
    importlib.import_module("a_module_under_way")
    assert sys.modules.pop("a_module_under_way").ready


MOMENTS = [
    ctrl_c,
    in_a_compilation,
    in_an_import,
    in_a_destructor,
    in_a_weak_reference,
    in_a_callback_of_compiled_code,
]


@pytest.mark.parametrize("moment", MOMENTS)
def test_ctrl_c_lets_the_step_end_and_is_heard_at_the_next_check(moment, tmp_path, monkeypatch) -> None:
    (tmp_path / "a_module_under_way.py").write_text(
        "import signal\nsignal.raise_signal(signal.SIGINT)\nready = True\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    ended = []

    def work() -> None:
        check()
        moment()
        ended.append(moment)
        check()
        pytest.fail("it was lost")

    with pytest.raises(Stopped), stoppable():
        work()
    assert ended
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_request_that_nobody_noticed_is_raised_at_the_end() -> None:
    after = []

    @stoppable()
    def work() -> None:
        with stoppable():
            ctrl_c()
        after.append("the inner block does not raise what the outer one listens to")

    with pytest.raises(Stopped):
        work()
    assert after


def test_it_is_raised_also_where_the_work_fails() -> None:
    """Or a loop that passes over failures would go on with the next graph."""

    @stoppable()
    def work() -> None:
        ctrl_c()
        raise GraphError("two vertices have the same label")

    with pytest.raises(Stopped) as stopped:
        work()
    assert isinstance(stopped.value.__context__, GraphError)


def test_the_second_ctrl_c_is_pythons_own() -> None:
    reached = []

    @stoppable()
    def work() -> None:
        ctrl_c()
        reached.append(1)
        ctrl_c()
        reached.append(2)

    with pytest.raises(KeyboardInterrupt) as raised:
        work()
    assert (reached, raised.type) == ([1], KeyboardInterrupt)


def test_after_an_answer_the_next_one_is_a_first_one_again() -> None:
    reached = []

    @stoppable()
    def work() -> None:
        ctrl_c()
        answer()
        check()
        reached.append(1)
        ctrl_c()
        reached.append(2)
        check()

    with pytest.raises(Stopped):
        work()
    assert reached == [1, 2]


def test_a_handler_of_the_caller_stays_in_charge() -> None:
    def handler(*_: object) -> None:
        raise TimeoutError

    usual = signal.signal(signal.SIGINT, handler)
    try:
        with pytest.raises(TimeoutError), stoppable():
            ctrl_c()
        assert signal.getsignal(signal.SIGINT) is handler
    finally:
        signal.signal(signal.SIGINT, usual)


def test_what_the_caller_puts_in_place_during_the_call_stays() -> None:
    try:
        with stoppable():
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def test_a_token_stops_from_another_thread_and_in_another_thread() -> None:
    token, ended = Stop(), []

    def work() -> None:
        try:
            with stoppable(token):
                begun.set()
                while True:
                    check()
        except Stopped:
            ended.append("stopped")

    begun = threading.Event()
    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    token.request()
    thread.join(timeout=60)
    assert ended == ["stopped"]


def test_a_token_is_of_one_block_only() -> None:
    token = Stop()
    with pytest.raises(Stopped), stoppable(token):
        token.request()
    with stoppable():
        check()


def test_who_made_the_token_is_told() -> None:
    told = []
    with pytest.raises(Stopped), stoppable(ctrl_c=Stop(lambda: told.append("stopping"))):
        ctrl_c()
    assert told == ["stopping"]


def test_a_token_that_is_requested_beforehand_gives_nothing(community: Graph) -> None:
    token = Stop()
    token.request()
    with pytest.raises(Stopped):
        anonymize(community, 5, method="add-greedy", stop=token)


@pytest.mark.parametrize("method", ["add-greedy", "add-del", "liu-terzi", "plan"])
def test_before_the_search_a_stop_ends_with_nothing(method: str, community: Graph) -> None:
    token = Stop()

    def listen(now: object) -> None:
        token.request()

    with pytest.raises(Stopped):
        anonymize(community, 5, method=method, seed=1, progress=listen, stop=token)


def test_counting_is_stoppable(community: Graph) -> None:
    token = Stop()
    token.request()
    with pytest.raises(Stopped), stoppable(token):
        mutual_friends(Graph(community.edges, community.n))


def test_ctrl_c_at_any_moment_is_raised_once_and_leaves_nothing_behind() -> None:
    """One signal in each round, at some instruction of the way in or out."""
    script = """
import os, random, signal, time
from graphveil.stopping import _tokens, check, stoppable

def wait_for_it():
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with stoppable():
            check()

me, (ready, go) = os.getpid(), os.pipe()
if not os.fork():
    while os.read(ready, 1) == b"!":
        end = time.perf_counter() + random.random() / 2000
        while time.perf_counter() < end:
            pass
        os.kill(me, signal.SIGINT)
    os._exit(0)
came = left = 0
for _ in range(1000):
    try:
        os.write(go, b"!")
        wait_for_it()
    except KeyboardInterrupt:
        came += 1
    left += signal.getsignal(signal.SIGINT) is not signal.default_int_handler or bool(_tokens.get())
os.write(go, b".")
print(came, left)
"""
    unmeasured = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    done = subprocess.run(  # Ctrl-C may be lost in what measures coverage
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, env=unmeasured
    )
    assert (done.returncode, done.stdout) == (0, "1000 0\n"), done.stderr

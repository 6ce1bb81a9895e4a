"""Publishing under a full disk, under a kill at any moment, beside other runs: the whole folder or none."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from graphveil import PublicationError, anonymize, generate
from graphveil.goals import NMF
from graphveil.publication import writing
from graphveil.publication.checking import check
from graphveil.publication.staging import check_target, staging
from publications import publish

ORIGINAL = generate(edges=300, seed=4)
KILLS = int(
    os.environ.get("GRAPHVEIL_KILLS", "12")
)  # at random moments; the test of every file operation is exact

# Forks a child for each line on standard input. The child publishes, and dies at the given file operation, if any.
WORKER = """
import os, signal, sys, time
import graphveil
results = [graphveil.anonymize(graphveil.generate(edges=300, seed=4), k=k, seed=2**90) for k in (3, 4)]
graphveil.publish(results[0], sys.argv[1], report="brief")
print("ready", flush=True)
for line in sys.stdin:
    folder, step, delay = line.split()
    child = os.fork()
    if not child:
        left = [int(step)]
        def count(event, arguments):
            if event == "open" or event.startswith(("os.", "shutil.")):
                left[0] -= 1
                if left[0] == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
        if left[0]:
            sys.addaudithook(count)
        os.close(1)
        graphveil.publish(results[1], folder, force=True, report="brief")
        os._exit(0)
    if float(delay):
        time.sleep(float(delay))
        os.kill(child, signal.SIGKILL)  # at least its zombie is there to take it
    print(os.waitpid(child, 0)[1], flush=True)
"""


class Worker:
    """A process that publishes in children which can be killed."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-W", "ignore", "-c", WORKER, str(folder)]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "NUMBA_THREADING_LAYER": "workqueue"},  # OpenMP ends children that were forked
        )
        assert self.process.stdout.readline() == "ready\n"

    def publish(self, folder: Path, *, die_at: int = 0, kill_after: float = 0) -> int:
        """Publish, with a death at a file operation or after some seconds; 0 if it came to its end."""
        self.process.stdin.write(f"{folder} {die_at} {kill_after}\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())


@pytest.fixture(scope="module")
def worker(tmp_path_factory):
    worker = Worker(tmp_path_factory.mktemp("warm") / "out")
    yield worker
    worker.process.stdin.close()
    worker.process.wait()


def state(folder: Path) -> str:
    """Which publication is there, whole: "none", "old" (k = 3) or "new" (k = 4)."""
    if not folder.exists():
        return "none"
    found = check(folder, original=ORIGINAL)
    assert found, found.problems
    return {3: "old", 4: "new"}[found.guarantees[0].promised]


@pytest.fixture(scope="module")
def old():
    return anonymize(ORIGINAL, k=3, seed=2**90)


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith(".graphveil-")]


@pytest.mark.slow
@pytest.mark.parametrize("replace", [False, True])
def test_a_kill_at_any_file_operation_leaves_the_old_state_or_the_new(worker, tmp_path, old, replace):
    """Every third operation up to the end, then each of the last ones, among them the moves into place."""
    kept = publish(old, tmp_path / "kept").folder
    seen: dict[int, str] = {}

    def outcome(step: int) -> str:
        folder = tmp_path / f"{step}" / "out"
        folder.parent.mkdir()
        if replace:
            subprocess.run(["cp", "-a", kept, folder], check=True)
        status = worker.publish(folder, die_at=step)
        found = state(folder)
        for aside in leftovers(folder.parent):
            assert (folder.parent / aside).stat().st_mode & 0o777 == 0o700
            with pytest.warns(UserWarning, match="killed"), suppress(PublicationError):
                check_target(folder)
        assert not leftovers(folder.parent)
        assert state(folder) == ("old" if replace and found == "none" else found)
        return found if status else "end"

    step = 1
    while (found := outcome(step)) != "end":
        seen[step] = found
        step += 3
    for step in range(max(seen) - 32, max(seen) + 3):
        if step not in seen:
            seen[step] = outcome(step)
    seen = {step: found for step, found in seen.items() if found != "end"}
    in_order = [seen[step] for step in sorted(seen)]
    order = ["old", "none", "new"] if replace else ["none", "new"]
    assert in_order == sorted(in_order, key=order.index)
    assert in_order.count("none") <= 1 or not replace  # between two renames; the next run repairs it
    assert set(in_order) == set(order)
    assert len(seen) > 25


def test_kills_at_random_moments_leave_the_old_state_or_the_new(worker, tmp_path):
    folder = tmp_path / "out"
    started = time.perf_counter()
    assert worker.publish(folder) == 0
    duration = time.perf_counter() - started
    chance = random.Random(13)
    for _ in range(KILLS):
        worker.publish(folder, kill_after=chance.uniform(0, 1.2 * duration))
        assert state(folder) == "new" or leftovers(tmp_path)
    assert worker.publish(folder) == 0
    assert state(folder) == "new"
    assert not leftovers(tmp_path)


# ---------------------------------------------------------------------- beside other runs


def fill(folder: Path, word: str) -> None:
    """What passes for a publication whose private part was locked away."""
    (folder / "public").mkdir()
    certificate = json.dumps({"schema": "graphveil/certificate/3", "graph": {"format": "edgelist"}})
    for name, text in (
        ("certificate.json", certificate),
        ("graph.txt", word),
        ("report.html", ""),
        ("README.md", ""),
    ):
        (folder / "public" / name).write_text(text)


def test_a_run_that_comes_second_is_told_and_a_live_one_left_alone(tmp_path):
    target = tmp_path / "out"
    slow = staging(target)
    first = slow.__enter__()
    fill(first, "first")
    with staging(target) as second:
        fill(second, "second")
    assert first.exists()
    with pytest.raises(PublicationError, match="another run has just published"):
        slow.__exit__(None, None, None)
    assert (target / "public" / "graph.txt").read_text() == "second"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("there_before", [True, False])
def test_with_force_the_first_to_end_wins(tmp_path, there_before):
    """The other one would replace what it has never seen."""
    target = tmp_path / "out"
    if there_before:
        with staging(target) as zeroth:
            fill(zeroth, "zeroth")
    slow = staging(target, force=True)
    fill(slow.__enter__(), "slow")
    with staging(target, force=True) as fast:
        fill(fast, "fast")
    with pytest.raises(PublicationError, match="another run has just published"):
        slow.__exit__(None, None, None)
    assert (target / "public" / "graph.txt").read_text() == "fast"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


FORCED = """
import sys
from pathlib import Path
from graphveil.publication.staging import staging
from test_publish_crash import fill
with staging(sys.argv[1], force=True) as folder:
    fill(folder, sys.argv[2])
    print("ready", flush=True)
    sys.stdin.readline()
"""


@pytest.mark.slow
@pytest.mark.parametrize("there_before", [True, False])
def test_of_many_forced_processes_at_once_exactly_one_succeeds(tmp_path, there_before):
    target = tmp_path / "out"
    if there_before:
        with staging(target) as zeroth:
            fill(zeroth, "zeroth")
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", FORCED, target, str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=Path(__file__).parent,
            text=True,
        )
        for number in range(6)
    ]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        process.communicate(timeout=60)
    won = [number for number, process in enumerate(processes) if process.returncode == 0]
    assert len(won) == 1
    assert (target / "public" / "graph.txt").read_text() == str(won[0])
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_of_many_runs_at_once_exactly_one_wins(tmp_path):
    won, lost = [], []

    def run(number: int) -> None:
        try:
            with staging(tmp_path / "out") as folder:
                fill(folder, f"{number}")
                barrier.wait()
            won.append(number)
        except PublicationError as error:
            lost.append(str(error))

    barrier = threading.Barrier(8)
    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert (tmp_path / "out" / "public" / "graph.txt").read_text() == f"{won[0]}"
    assert len(lost) == 7
    assert all("another run has just published" in message for message in lost)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


# ---------------------------------------------------------------------- disks that are full, or cannot be written


@pytest.fixture
def small_disk(tmp_path):
    """A function that mounts a file system of so many bytes; skips where that is not allowed."""
    mounted = []

    def mount(size: int, *options: str) -> Path:
        folder = tmp_path / f"disk{len(mounted)}"
        folder.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", ",".join((f"size={size}", *options)), "tmpfs", str(folder)]
        try:
            done = subprocess.run(command, capture_output=True, text=True)
        except FileNotFoundError:
            pytest.skip("there is no mount command")
        if done.returncode:
            pytest.skip(f"mounting is not allowed: {done.stderr.strip()}")
        mounted.append(folder)
        return folder

    yield mount
    for folder in mounted:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_publishes_nothing(small_disk, old):
    refused = 0
    for pages in range(1, 80):
        disk = small_disk(4096 * pages)
        try:
            publish(old, disk / "out")
            break
        except PublicationError as error:
            message, refused = str(error), refused + 1
        assert message == f"{disk / 'out'}: No space left on device. Nothing was published."
        assert not list(disk.iterdir())
    assert refused > 5
    assert check(disk / "out", original=old.original)


def test_a_full_disk_keeps_what_was_published_before(small_disk, old):
    disk = small_disk(4096 * 45)
    publish(old, disk / "out")
    (disk / "ballast").write_bytes(b"x" * 4096 * (os.statvfs(disk).f_bavail - 2))
    with pytest.raises(PublicationError, match="No space left"):
        publish(anonymize(old.original, 4, seed=2**90), disk / "out", force=True)
    assert check(disk / "out", asked=(NMF(3),), original=old.original)
    assert not leftovers(disk)


def test_a_disk_that_cannot_be_written_is_named(small_disk, old):
    disk = small_disk(4096 * 20, "ro")
    with pytest.raises(PublicationError, match=r"nothing can be written|Read-only"):
        publish(old, disk / "out")


def test_a_folder_without_permission_is_named(tmp_path, old):
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    tmp_path.chmod(0o500)
    with pytest.raises(PublicationError, match="nothing can be written"):
        publish(old, tmp_path / "out")


def test_a_place_where_no_folder_can_be_made_is_named(old):
    if not Path("/proc/self").is_dir():
        pytest.skip("a system without /proc")
    with pytest.raises(PublicationError, match=r"^/proc/x: (no folder can be made|nothing can be written)"):
        publish(old, "/proc/x")


def test_the_root_of_another_file_system_is_not_replaced(small_disk, old):
    disk = small_disk(4096 * 100)
    publish(old, disk / "out")
    for part in ("public", "private"):
        (disk / "out" / part).rename(disk / part)
    (disk / "out").rmdir()
    with pytest.raises(PublicationError, match="root of another file system"):
        publish(old, disk, force=True)
    assert check(disk, original=old.original)


def test_an_error_while_writing_leaves_nothing(tmp_path, old, monkeypatch):
    for error in (KeyboardInterrupt, MemoryError, OSError(28, "No space left on device")):
        monkeypatch.setattr(writing, "public_page", raising(error))
        with pytest.raises((KeyboardInterrupt, MemoryError, PublicationError)):
            publish(old, tmp_path / "out")
        assert not list(tmp_path.iterdir())


def raising(error):
    def fail(*_, **__):
        raise error

    return fail

"""One job in a process of its own: it reads an action, runs it, and tells how it goes in lines of JSON.

The first line of the standard input is the job. When that input ends, whoever started the job is gone, and so is the
worker soon. Ctrl-C (SIGINT) stops the work as it does on the command line.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import IO, Any

from graphveil.errors import GraphveilError
from graphveil.studio.actions import FUNCTIONS, Action

GRACE = 4.0  # seconds for tidying up when nobody waits for the result any more

Tell = Callable[..., None]


def main() -> int:
    """Run the job on the standard input."""
    tell = _teller(_own_output())
    from graphveil.studio.forms import in_form

    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started the server without it
    job = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_follow_parent, daemon=True).start()
    warnings.showwarning = lambda message, *_, **__: tell("warning", text=in_form(str(message)))
    try:
        _run(job, tell)
        tell("done")
    except GraphveilError as error:
        tell("failed", text=in_form(str(error)))
    except KeyboardInterrupt:
        tell("stopped")
    except MemoryError:
        tell("failed", text="This graph needs more memory than this machine gives.")
    except OSError as error:
        tell("failed", text=f"{error.filename or 'output'}: {error.strerror or error}")
    except Exception:
        traceback.print_exc()
        tell("failed", text="This is a bug in graphveil. The terminal shows the details; please report them.")
    return 0


def _own_output() -> IO[str]:
    """The standard output for JSON alone; whatever else is printed goes to standard error."""
    own = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return own


def _teller(out: IO[str]) -> Tell:
    lock = threading.Lock()

    def tell(event: str, **data: Any) -> None:
        line = json.dumps({"event": event, **data})
        with lock:
            out.write(line + "\n")
            out.flush()

    return tell


def _follow_parent() -> None:
    """End with the one who started this job: first as Ctrl-C does, then at once."""
    while os.read(0, 1 << 16):  # not through sys.stdin, whose lock would outlive the work
        pass
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(GRACE)
    os._exit(1)


def _run(job: dict[str, Any], tell: Tell) -> None:
    """Run the steps; each is a function of graphveil, called as the script calls it."""
    from graphveil.compiling import watch_compilation
    from graphveil.studio import work

    watch_compilation(lambda now: tell("compiling", now=now))
    given = job.get("given", {})
    value: Any = None
    for step in Action.from_record(job["action"]).steps:
        function = getattr(import_module(FUNCTIONS[step.function].home), step.function)
        value = getattr(work, f"run_{step.function}")(function, value, step.given, tell, given)


if __name__ == "__main__":
    sys.exit(main())

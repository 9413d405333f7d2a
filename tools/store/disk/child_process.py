"""Processes of our own: what they inherit, and that they die with their parent."""

from __future__ import annotations

import ctypes
import os
import re
import signal
import sys
import threading
import time

PR_SET_PDEATHSIG = 1
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


_SECRET = re.compile(r"^HYBRIDRAG_|API_?KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)


def environment() -> dict[str, str]:
    """Of a child: it finds the modules that this process finds, keeps to one thread, and knows no secret: it
    reads files that anyone may have written."""
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)  # noqa: PTH109
    inherited = {name: value for name, value in os.environ.items() if not _SECRET.search(name)}
    return {**inherited, **ONE_THREAD, "PYTHONPATH": path, "TOKENIZERS_PARALLELISM": "false"}


def die_with(parent: int) -> None:
    """End with the process `parent`, however it ends: by the kernel's signal on Linux, by looking
    elsewhere.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    if os.getppid() != parent:  # it ended before the request above
        os._exit(1)
    threading.Thread(target=watch, daemon=True).start()


def free_output() -> int:
    """A descriptor for replies on standard output; what a library prints goes to standard error from now
    on.
    """
    replies = os.dup(1)
    os.dup2(2, 1)
    return replies

"""The module that the fork server imports once (`multiprocessing.set_forkserver_preload`)."""

import atexit
import gc
import os
import sys
import time

from labyrinth_envs.limits import leave_network

# First of all: packages that are imported later start threads.
problem = None if os.environ.get("LABYRINTH_NETWORK") else leave_network()
if problem is not None:
    print(f"labyrinth: worlds may use the network: it cannot be taken from them here ({problem})", file=sys.stderr)

from labyrinth_envs.worker import preload  # noqa: E402

LINGER_SECONDS = 1.0
"""Time that workers have to tidy up after the server's death; then the end of this process kills the rest."""


def linger() -> None:
    """Waits until all workers have exited, at most `LINGER_SECONDS`."""
    end = time.monotonic() + LINGER_SECONDS
    try:
        while time.monotonic() < end:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.02)
    except ChildProcessError:  # none is left
        pass


atexit.register(linger)
preload()
gc.freeze()  # workers' garbage collectors then neither walk these objects nor copy their pages

"""Imported once by the process that workers are forked from (`multiprocessing.set_forkserver_preload`)."""

import atexit
import gc
import os
import time

from labyrinth_envs.worker import preload

LINGER_SECONDS = 1.0
"""Workers tidy up when the server dies, and the end of this process kills those that cannot: it waits that long."""


def linger() -> None:
    """Waits until all workers have gone, or for `LINGER_SECONDS`."""
    end = time.monotonic() + LINGER_SECONDS
    try:
        while time.monotonic() < end:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.02)
    except ChildProcessError:  # none is left
        pass


atexit.register(linger)
preload()
gc.freeze()  # what is here is here to stay: the workers' garbage collectors need not walk it, nor copy its pages

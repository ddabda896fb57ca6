"""Ends this process when the one that started it is gone, however that ended."""

from __future__ import annotations

import os
import signal
import threading
import time


def end_with_parent(seconds: float = 1) -> None:
    """Looks every so many seconds for the parent and, once it is gone, sends this process SIGTERM."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(seconds)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True, name="parent watch").start()

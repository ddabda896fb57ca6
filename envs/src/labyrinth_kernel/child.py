"""A child process that is gone when this one goes, however that ends."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO

PR_SET_PDEATHSIG = 1


@dataclass
class Child:
    """A running process and, on systems whose kernel cannot be asked to end it with its parent, its guard."""

    process: subprocess.Popen[bytes]
    guard: subprocess.Popen[bytes] | None

    @classmethod
    def start(cls, command: list[str], *, niceness: int = 0, piped: bool = False) -> Child:
        """Starts a command; raises `OSError` where that fails. `piped` opens its input and output and drops its log."""
        pipe, log = (subprocess.PIPE, subprocess.DEVNULL) if piped else (None, None)
        process = subprocess.Popen(command, preexec_fn=_before_start(niceness), stdin=pipe, stdout=pipe, stderr=log)
        return cls(process, None if sys.platform == "linux" else guard(process.pid))

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process.poll() is None

    def stop(self) -> int:
        """Ends the process, asking first, and returns its exit code (negative: the signal it died of)."""
        if self.alive:
            self.process.terminate()
            try:
                self.process.wait(1)
            except subprocess.TimeoutExpired:
                self.process.kill()
        code = self.process.wait()
        if self.guard:
            self.guard.kill()
            self.guard.wait()
        return code


def guard(pid: int) -> subprocess.Popen[bytes]:
    """A shell that kills process `pid` once this process is gone, for systems whose kernel cannot be asked to."""
    pipe: IO[bytes] | int = subprocess.PIPE
    return subprocess.Popen(
        ["/bin/sh", "-c", 'read -r _; kill -9 "$0"', str(pid)],
        stdin=pipe,
        start_new_session=True,
        stderr=subprocess.DEVNULL,
    )


def _before_start(niceness: int) -> Callable[[], None]:
    """What the child does before its program: steps back, and asks Linux for SIGKILL at its parent's death."""
    prctl = ctypes.CDLL(None, use_errno=True).prctl if sys.platform == "linux" else None
    parent = os.getpid()

    def ask() -> None:
        os.nice(niceness)
        if prctl:
            prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if os.getppid() != parent:  # it died before the question
                os._exit(1)

    return ask

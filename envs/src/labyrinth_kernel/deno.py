"""The Deno process behind the kernel: started, watched, and gone when its parent goes."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from labyrinth_kernel.child import Child
from labyrinth_kernel.wire import Json

CHANNELS = ("shell", "control", "stdin", "iopub", "hb")


@dataclass
class Deno:
    """A running `deno jupyter`. `connection` says where its sockets are, `file` is the connection file it reads."""

    child: Child
    connection: Json
    file: Path

    @classmethod
    def start(cls, connection: Json, folder: Path) -> Deno:
        """Starts Deno on free loopback ports with the key of `connection`; its connection file lies in `folder`."""
        own = {**connection, "transport": "tcp", "ip": "127.0.0.1"}
        own.update(zip((f"{channel}_port" for channel in CHANNELS), _free_ports(len(CHANNELS)), strict=True))
        handle, name = tempfile.mkstemp(prefix="deno-", suffix=".json", dir=folder)  # readable by its owner alone
        with os.fdopen(handle, "w") as file:
            json.dump(own, file)
        command = [program(), "jupyter", "--quiet", "--kernel", "--conn", name]
        try:
            child = Child.start(command)
        except OSError as error:
            os.unlink(name)
            sys.exit(f"The kernel needs Deno, but {command[0]!r} fails ({error.strerror}): set LAB_DENO")
        return cls(child, own, Path(name))

    def forget_file(self) -> None:
        """Removes the connection file, which holds the key, once Deno has read it."""
        self.file.unlink(missing_ok=True)

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.child.alive

    def hint(self) -> None:
        """Tells code that listens for SIGURG that the user wants to stop; harmless where none does."""
        if self.alive:
            self.child.process.send_signal(signal.SIGURG)

    def listens(self) -> bool:
        """Whether a handler of SIGURG is installed; True where the system does not tell (only Linux has /proc)."""
        try:
            status = Path(f"/proc/{self.child.process.pid}/status").read_text()
        except OSError:
            return self.alive
        caught = next((line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:")), "0")
        return bool(int(caught, 16) >> (signal.SIGURG - 1) & 1)

    def demand(self) -> float | None:
        """Seconds for which Deno's threads used a processor or waited for one; None once it has ended.

        The waiting counts, so that a busy loop shows as one on a crowded machine too; only Linux tells it.
        """
        try:
            threads = os.listdir(f"/proc/{self.child.process.pid}/task")
        except OSError:
            return processor_seconds(self.child.process.pid)
        total = 0
        for thread in threads:
            try:
                used, waited, _ = Path(f"/proc/{self.child.process.pid}/task/{thread}/schedstat").read_text().split()
            except (OSError, ValueError):
                continue  # the thread has ended
            total += int(used) + int(waited)
        return total / 1e9 if total else None

    def stop(self) -> int:
        """Ends Deno, asking first, and returns its exit code (negative: the signal it died of)."""
        self.forget_file()
        return self.child.stop()


def program() -> str:
    """Deno's program: the lab's own, or else that on PATH."""
    return os.environ.get("LAB_DENO", "deno")


def processor_seconds(pid: int) -> float | None:
    """The processor time of a process as `ps` tells it (macOS: in hundredths of a second); None if there is none."""
    told = subprocess.run(["ps", "-o", "time=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    found = re.fullmatch(r"(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+(?:\.\d+)?)", told.strip())
    if found is None:
        return None
    days, hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


def _free_ports(count: int) -> list[int]:
    """Ports that are free now; all are held until the last is found, so that they differ."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in sockets]
    finally:
        for one in sockets:
            one.close()

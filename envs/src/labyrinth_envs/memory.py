"""How much memory is at hand on this machine, so that a server opens no session that would exhaust it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

RESERVE_MB = 1024
"""Megabytes that are left to everything else."""
OPENING_MB = 200
"""Megabytes that a session may still take while its world is opened: a Java virtual machine takes 160."""
CONTROL_GROUP = Path("/sys/fs/cgroup")


def memory_shortage(opening: int) -> str | None:
    """Why no further session is to be opened while `opening` others are being opened, or None."""
    megabytes = memory_at_hand()
    if megabytes is None or megabytes >= RESERVE_MB + OPENING_MB * (opening + 1):
        return None
    return f"the server has {megabytes:.0f} MB of memory at hand, too little for one more session; close one"


def memory_at_hand(meminfo: Path = Path("/proc/meminfo"), group: Path = CONTROL_GROUP) -> float | None:
    """Megabytes that can be taken without swapping, within a container's limit; None where the system does not tell."""
    sizes = []
    with suppress(OSError, ValueError, LookupError):
        lines = dict(line.split(":", 1) for line in meminfo.read_text().splitlines() if ":" in line)
        sizes.append(int(lines["MemAvailable"].split()[0]) / 1024)
    with suppress(OSError, ValueError):  # a limit of "max" is none
        limit, used = (int((group / name).read_text()) for name in ("memory.max", "memory.current"))
        sizes.append((limit - used + inactive(group)) / 2**20)
    return min(sizes, default=None)


def inactive(group: Path) -> int:
    """Bytes of a control group that hold copies of files, which are given up when memory is wanted."""
    for line in (group / "memory.stat").read_text().splitlines():
        name, _, size = line.partition(" ")
        if name == "inactive_file":
            return int(size)
    return 0

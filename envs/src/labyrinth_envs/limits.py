"""What the processes of worlds may use: so much memory and processor time, and no network where the system allows.

On Linux the process that workers are forked from moves to a network namespace of its own, which has a loopback device
and nothing else; they reach their server by pipes, and a world its own children by the loopback. A namespace costs
root nothing else; anybody else needs a user namespace around it, which some systems forbid. Other systems have none.

A limit on data does not hold for shared memory. On Linux each worker has a `/dev/shm` and System V segments of its own
where it may have namespaces, the first with room for as much as its memory; and the server watches what each process
has touched of shared memory besides. Not held are files of `memfd_create` that no process has mapped, and, without
namespaces, what is left in `/dev/shm`: where strangers' worlds are played, a container's limit belongs around them.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import resource
import socket
import struct
import sys
from contextlib import suppress
from pathlib import Path

MEMORY_MB = 8192
"""Memory of one process of a world, MiB; a Java heap of ScienceWorld takes 256."""
CPU_SECONDS = 6 * 3600
"""Processor time of one process of a world; 100,000 steps of the slowest world take about one hour."""

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWNET = 0x00020000, 0x08000000, 0x10000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_REC, MS_PRIVATE = 0x2, 0x4, 0x4000, 0x40000
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1


def limit_resources(memory_mb: int, cpu_seconds: int) -> None:
    """Limits the data of this process and of each that it starts, and the processor time of each.

    Address space is not limited: Java and others reserve far more of it than they use.
    """
    for what, limit in ((resource.RLIMIT_DATA, memory_mb << 20), (resource.RLIMIT_CPU, cpu_seconds)):
        hard = resource.getrlimit(what)[1]
        soft = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        with suppress(OSError, ValueError):  # macOS takes not every value
            resource.setrlimit(what, (soft, soft))


def limit_shared_memory(memory_mb: int) -> bool:
    """Gives this process and its children a `/dev/shm` of limited size; says whether the system lets it."""
    if sys.platform != "linux" or not os.path.isdir("/dev/shm"):
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNS | CLONE_NEWIPC) != 0 or libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None) != 0:
        return False
    size = f"size={memory_mb}m,mode=1777".encode()
    return bool(libc.mount(b"tmpfs", b"/dev/shm", b"tmpfs", MS_NOSUID | MS_NODEV, size) == 0)


class MemoryWatch:
    """Tells which process groups have a process that took more memory than it may, shared memory included."""

    SECONDS = 1.0
    """Time between two looks at the processes."""

    def __init__(self, memory_mb: int) -> None:
        """Watches for processes of more than `memory_mb` MiB."""
        self._memory_mb = memory_mb
        self._next = 0.0

    def over(self, now: float) -> set[int]:
        """The groups that are over the limit; none before it is time to look again."""
        if now < self._next:
            return set()
        self._next = now + self.SECONDS
        return {group for group, taken in memory_by_group().items() if taken > self._memory_mb}


def memory_by_group() -> dict[int, int]:
    """The memory of the largest process of each process group in MiB: its data, and the shared memory that it touched.

    Only Linux tells; elsewhere there is none.
    """
    largest: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):  # the process has just ended
            group = int((folder / "stat").read_text().rpartition(")")[2].split()[2])
            lines = (folder / "status").read_text().splitlines()
            kilobytes = sum(int(line.split()[1]) for line in lines if line.startswith(("RssAnon:", "RssShmem:")))
            largest[group] = max(largest.get(group, 0), kilobytes >> 10)
    return largest


def leave_network() -> str | None:
    """Cuts this process and all that it starts off from the network; says why where it cannot, and then does nothing.

    It must run before the process has a second thread.
    """
    if sys.platform != "linux":
        return f"{sys.platform} has no network namespaces"
    near, far = os.pipe()
    pid = os.fork()
    if pid == 0:  # a half of it would take Java's loopback away: so it is tried out
        os.close(near)
        with suppress(BrokenPipeError):  # whoever asked has just been killed
            os.write(far, (_enter_namespace() or "ok").encode())
        os._exit(0)
    os.close(far)
    with os.fdopen(near, "rb") as pipe:
        said = pipe.read().decode()
    os.waitpid(pid, 0)
    return _enter_namespace() if said == "ok" else said or "it was killed"


def _enter_namespace() -> str | None:
    user, group, libc = os.getuid(), os.getgid(), ctypes.CDLL(None, use_errno=True)
    flags = CLONE_NEWNET if user == 0 else CLONE_NEWNET | CLONE_NEWUSER
    if libc.unshare(flags) != 0:
        return f"unshare: {os.strerror(ctypes.get_errno())}"
    try:
        if user != 0:
            for name, text in (
                ("setgroups", "deny"),
                ("uid_map", f"{user} {user} 1"),
                ("gid_map", f"{group} {group} 1"),
            ):
                with open(f"/proc/self/{name}", "w") as file:
                    file.write(text)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as device:
            flags_of = struct.pack("16sh14x", b"lo", 0)
            (now,) = struct.unpack_from("h", fcntl.ioctl(device, SIOCGIFFLAGS, flags_of), 16)
            fcntl.ioctl(device, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", now | IFF_UP))
    except OSError as error:
        return f"{error.filename or 'loopback'}: {error.strerror}"
    return None

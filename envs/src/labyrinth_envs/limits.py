"""What the processes of worlds may use: so much memory and processor time, and no network where the system allows.

On Linux the process that workers are forked from moves to a network namespace of its own, which has a loopback device
and nothing else; they reach their server by pipes, and a world its own children by the loopback. A namespace costs
root nothing else; anybody else needs a user namespace around it, which some systems forbid. Other systems have none.
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

MEMORY_MB = 8192
"""Memory of one process of a world, MiB; a Java heap of ScienceWorld takes 256."""
CPU_SECONDS = 6 * 3600
"""Processor time of one process of a world; 100,000 steps of the slowest world take about one hour."""

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
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

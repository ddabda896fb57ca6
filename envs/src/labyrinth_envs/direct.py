"""The direct way to a worker: a Unix socket for its client, and a pulse by which the server watches it.

A client on the server's machine sends its calls to the worker itself (`protocol.py` has the form). The server neither
sees nor carries them; it reads when the call at work began from memory that both map, so that hung workers are killed
and leases kept as on the other way.
"""

from __future__ import annotations

import mmap
import os
import socket
import struct
import time
from contextlib import suppress
from typing import NamedTuple

from labyrinth_envs.protocol import MAX_FRAME_BYTES
from labyrinth_envs.world import WorldError

SOCKET = "direct"
PULSE = "pulse"
LONGEST_PATH = 100
"""Bytes of a socket's path that every system takes."""
READ_BYTES = 1 << 14
_STATE = struct.Struct("<dd16s")
_HEADER = struct.Struct("<II")


class PulseState(NamedTuple):
    """When the call at work began, or 0; when one last began or ended; its method. Times are of the monotonic clock."""

    since: float
    touched: float
    method: str


class Pulse:
    """A file of a worker's scratch folder in which it notes the call at work, mapped by worker and server."""

    def __init__(self, folder: str, *, create: bool = False) -> None:
        """Maps the file.

        Raises:
            OSError: there is none, or no space for it.
        """
        flags = os.O_RDWR | (os.O_CREAT if create else 0)
        descriptor = os.open(os.path.join(folder, PULSE), flags, 0o600)
        try:
            if create:  # written, so that a full disk shows here and not at a later access
                os.write(descriptor, bytes(_STATE.size))
            self._memory = mmap.mmap(descriptor, _STATE.size)
        finally:
            os.close(descriptor)

    def begin(self, method: str) -> None:
        """Notes that a call is at work."""
        now = time.monotonic()
        self.write(now, now, method)

    def end(self) -> None:
        """Notes that none is."""
        self.write(0.0, time.monotonic(), "")

    def write(self, since: float, touched: float, method: str) -> None:
        """Notes a state."""
        _STATE.pack_into(self._memory, 0, since, touched, method.encode())

    def read(self) -> PulseState:
        """Reads what the worker has noted."""
        since, touched, method = _STATE.unpack_from(self._memory, 0)
        return PulseState(since, touched, method.rstrip(b"\0").decode())

    def close(self) -> None:
        """Releases the memory."""
        self._memory.close()


class DirectSocket:
    """The socket: one client at a time, the latest; it never raises on what a client does."""

    def __init__(self, folder: str) -> None:
        """Listens in a folder that only this user can enter.

        Raises:
            WorldError: `bad-request`; no socket can be made there.
        """
        self.path = os.path.join(folder, SOCKET)
        if len(os.fsencode(self.path)) > LONGEST_PATH:
            raise WorldError("bad-request", f"{self.path} is too long for a socket; set TMPDIR to a shorter folder")
        self.listener = socket.socket(socket.AF_UNIX)
        try:
            self.listener.bind(self.path)
        except OSError as error:
            self.listener.close()
            raise WorldError("bad-request", f"no socket can be made at {self.path}: {error.strerror}") from error
        self.listener.listen(1)
        self.client: socket.socket | None = None
        self._read = bytearray()

    def accept(self) -> socket.socket:
        """Takes a new client in place of the one before."""
        self.drop()
        self.client, _ = self.listener.accept()
        return self.client

    def receive(self) -> list[bytes]:
        """Reads once and returns the requests that are complete; a client that leaves or sends nonsense is dropped."""
        if self.client is None:
            return []
        try:
            part = self.client.recv(READ_BYTES)
        except OSError:
            part = b""
        self._read += part
        if part and (requests := self._complete()) is not None:
            return requests
        self.drop()
        return []

    def _complete(self) -> list[bytes] | None:
        """Takes the complete requests out of what has been read; None where it is nonsense."""
        requests: list[bytes] = []
        while len(self._read) >= _HEADER.size:
            frames, size = _HEADER.unpack_from(self._read)
            if frames != 1 or size > MAX_FRAME_BYTES:
                return None
            end = _HEADER.size + size
            if len(self._read) < end:
                break
            requests.append(bytes(self._read[_HEADER.size : end]))
            del self._read[:end]
        return requests

    def send(self, frames: list[bytes]) -> None:
        """Sends a reply; a client that is gone is dropped."""
        if self.client is None:
            return
        header = struct.pack(f"<{len(frames) + 1}I", len(frames), *map(len, frames))
        try:
            self.client.sendall(b"".join([header, *frames]))
        except OSError:
            self.drop()

    def close(self) -> None:
        """Ends the socket: nobody connects to it any more."""
        self.drop()
        self.listener.close()
        with suppress(OSError):
            os.unlink(self.path)

    def drop(self) -> None:
        """Closes the connection to the client."""
        if self.client is not None:
            self.client.close()
        self.client = None
        self._read.clear()

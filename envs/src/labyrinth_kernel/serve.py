"""Runs the kernel: Deno, and the proxy before it."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from types import FrameType

import zmq

from labyrinth_kernel.channels import Channels
from labyrinth_kernel.deno import Deno
from labyrinth_kernel.proxy import Proxy
from labyrinth_kernel.wire import Json

STARTS = 3
"""Attempts to start Deno: another process may take a port between its choice and its use."""


def serve(connection_file: str) -> int:
    """Runs the kernel described by a Jupyter connection file until it is shut down; returns its exit code."""
    # Ctrl-C in Jupyter's terminal concerns Jupyter; Stop comes as a message.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    parent = os.getppid()
    path = Path(connection_file)
    connection: Json = json.loads(path.read_text())
    context = zmq.Context()
    deno: Deno | None = None
    try:
        for _ in range(STARTS):
            deno = Deno.start(connection, path.resolve().parent)
            channels = Channels(context, connection, deno)
            if channels.wait_for_deno():
                deno.forget_file()
                return Proxy(channels, deno).run(parent)
            print(f"deno ended with code {deno.stop()} before it answered", file=sys.stderr)
            channels.close()
        return 1
    finally:
        if deno:
            deno.stop()
        context.destroy(linger=500)


def _leave(_signal: int, _frame: FrameType | None) -> None:
    sys.exit(0)

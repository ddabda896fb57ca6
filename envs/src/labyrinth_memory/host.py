"""The process of a memory: it answers one client over ZeroMQ, with the frames of the world server.

A request is one frame of JSON, `{"v": 1, "id", "method", "params"}`, a reply `{"v": 1, "id", "ok"}` or `{"v": 1, "id",
"error": {"code", "message"}}`. The methods are `open`, `observe`, `recall`, `save` and `load`, in the order of arrival.
"""

from __future__ import annotations

import base64
import json
import os
import resource
import shutil
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, fields
from typing import Any, TypeVar

import zmq

from labyrinth_memory.loading import LoadError, load
from labyrinth_memory.types import Cue, Perception, Recollection

VERSION = 1
MAX_REPLY_BYTES = 1 << 20
MAX_SAVED_BYTES = 64 << 20
Made = TypeVar("Made", Perception, Cue)


class Refused(Exception):
    """What a memory gave cannot be sent."""


class Host:
    """Carries out the calls of one memory."""

    def __init__(self, cls: type) -> None:
        self._class = cls
        self._memory: Any = None

    def call(self, method: str, params: dict[str, Any]) -> object:
        """Carries out one call and returns its result, JSON-able."""
        if method == "open":
            self._memory = self._class(**params)
            return {"saves": hasattr(self._memory, "save") and hasattr(self._memory, "load")}
        if method == "observe":
            image = params.pop("image", None)
            seen = made(Perception, params | ({"image": base64.b64decode(image)} if image else {}))
            if (given := self._memory.observe(seen)) is not None:
                raise Refused(f"observe gave {type(given).__name__}, wanted is None (and no async method)")
            return {}
        if method == "recall":
            return told(self._memory.recall(made(Cue, params)))
        if method == "save":
            return {"body": self._memory.save()}
        if method == "load":
            self._memory.load(params["body"])
            return {}
        raise Refused(f"there is no method {method}")

    def reply(self, request: bytes) -> bytes:
        """Answers a request; whatever the memory raises becomes an error reply."""
        message = json.loads(request)
        id, method = message["id"], message["method"]
        try:
            ok = json.dumps(self.call(method, message["params"]), allow_nan=False)
            most = MAX_SAVED_BYTES if method == "save" else MAX_REPLY_BYTES
            if len(ok) > most:
                raise Refused(f"{method} gave {len(ok)} bytes and may give {most}")
            return f'{{"v": {VERSION}, "id": {json.dumps(id)}, "ok": {ok}}}'.encode()
        except MemoryError:
            code, what = "memory-raised", f"{method} wanted more memory than it may have"
        except Refused as error:
            code, what = "memory-reply", str(error)
        except BaseException as error:  # asyncio's cancellation is no Exception
            traceback.print_exc()
            code, what = "memory-raised", f"{method} raised {type(error).__name__}: {error}"
        body = {"code": code, "message": " ".join(what.split())[:600]}
        return json.dumps({"v": VERSION, "id": id, "error": body}).encode()


def made(kind: type[Made], params: dict[str, Any]) -> Made:
    """A perception or a cue of what the lab sent."""
    known = {field.name for field in fields(kind)}
    return kind(**{name: value for name, value in params.items() if name in known})


def told(recollection: object) -> dict[str, object]:
    """A recollection in the names of the wire; a mapping is taken for its sections.

    Raises:
        Refused: it is neither.
    """
    if isinstance(recollection, dict):
        recollection = Recollection(recollection)
    if not isinstance(recollection, Recollection):
        raise Refused(f"recall gave {type(recollection).__name__}, wanted is a Recollection")
    known = {name: value for name, value in asdict(recollection).items() if value is not None}
    known["isHistory"] = known.pop("is_history")
    return known


def serve(name: str, folder: str, memory_mb: int, watch: bool = True) -> int:
    """Loads a memory, says where it listens in one line of standard output, and answers until standard input ends."""
    said = os.dup(1)
    os.dup2(2, 1)  # what the memory prints goes to standard error
    os.chdir(folder)
    if watch:
        die_with_parent(folder)
    threading.Thread(target=watch_memory, args=[memory_mb], daemon=True).start()
    try:
        cls = load(name)
    except LoadError as error:
        print(f"\n{error}".replace("\n", " ").strip(), file=sys.stderr)
        return 2
    if not getattr(cls, "RESERVES", False):
        with suppress(OSError, ValueError):  # macOS does not take every value
            resource.setrlimit(resource.RLIMIT_DATA, (memory_mb << 20, memory_mb << 20))
    host = Host(cls)
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    socket = context.socket(zmq.ROUTER)
    endpoint = f"ipc://{os.path.join(folder, 'memory')}"
    socket.bind(endpoint)
    os.write(said, json.dumps({"ready": True, "endpoint": endpoint, "pid": os.getpid()}).encode() + b"\n")
    os.close(said)
    while True:
        client, request = socket.recv_multipart()
        socket.send_multipart([client, host.reply(request)])


def watch_memory(memory_mb: int, pause: float = 0.2) -> None:
    """Ends this process once it has touched more memory than it may; only Linux tells that."""
    while os.path.exists("/proc/self/statm"):
        with open("/proc/self/statm") as file:
            touched = int(file.read().split()[1]) * resource.getpagesize() >> 20
        if touched > memory_mb:
            os.write(2, f"it took {touched} MiB and may take {memory_mb}\n".encode())
            os._exit(1)
        time.sleep(pause)


def die_with_parent(folder: str) -> None:
    """Ends this process and all that it started once standard input ends, however the lab ended.

    A thread removes the folder and kills the group. While foreign code holds the interpreter no thread runs: a shell of
    the group kills it a second later.
    """
    pipe = os.dup(0)
    actions = [(os.POSIX_SPAWN_DUP2, pipe, 0)]
    os.posix_spawn("/bin/sh", ["sh", "-c", "read -r _; sleep 1; kill -9 0"], os.environ, file_actions=actions)
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)

    def wait(read: Callable[[int, int], bytes] = os.read) -> None:
        while read(pipe, 1024):
            pass
        shutil.rmtree(folder, ignore_errors=True)
        os.killpg(os.getpgid(0), signal.SIGKILL)

    threading.Thread(target=wait, daemon=True).start()

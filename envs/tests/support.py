"""A client that speaks the protocol, and servers to speak it with."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest
import zmq

from labyrinth_envs.error_messages import check_parameters
from labyrinth_envs.keys import read_client_keys
from labyrinth_envs.messages import METHODS, ErrorMessage
from labyrinth_envs.server import Server, ServerOptions
from labyrinth_envs.sessions import Session

Serve = Callable[..., "Client"]
Case = TypeVar("Case")
Made = TypeVar("Made", bound=Any)
Connect = Callable[..., "Client"]

TINY = {"tiny/counter": "tests.tiny_world:Tiny"}


SLOW = os.environ.get("LAB_SLOW") == "1"

SHORTENED: dict[str, None] = {}
"""What tests leave out of their cases and turns, a line each; told at the end of the run."""


def some(cases: Sequence[Case], count: int = 2) -> Sequence[Case]:
    """The first two cases, or so many, of a test that takes long; all with LAB_SLOW=1."""
    return cases[: many(len(cases), count, "cases")]


def many(total: int, few: int, what: str) -> int:
    """The number of turns, say, of a test that takes long: `few`, or with LAB_SLOW=1 all."""
    if SLOW or total <= few:
        return total
    file = next(call.filename for call in inspect.stack(context=0) if call.filename != __file__)
    name = Path(file).relative_to(Path(__file__).parent)
    SHORTENED[f"skipped: {total - few} of {total} {what} of {name}, without LAB_SLOW=1"] = None
    return few


def slow(what: str) -> pytest.MarkDecorator:
    """Marks a test that only LAB_SLOW=1 runs; `what` it does is said where it is skipped."""
    return pytest.mark.skipif(not SLOW, reason=f"skipped: {what}, without LAB_SLOW=1")


@contextmanager
def opening(world: type[Made]) -> Iterator[Callable[..., Made]]:
    """Opens worlds in this process with parameters as they stand on the wire, and closes them at the end."""
    with ExitStack() as stack:

        def opened(**params: Any) -> Made:
            made: Made = world(check_parameters(world.id, world.Parameters, params))
            stack.callback(made.close)
            return made

        yield opened


class Refused(Exception):
    """An error reply."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.message = code, message


class Client:
    """A DEALER; `call` waits for the reply, `send` and `receive` do not belong together."""

    def __init__(self, endpoint: str, key_file: Path | None = None) -> None:
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.socket = self._context.socket(zmq.DEALER)
        self.socket.linger = 0
        self.socket.sndtimeo = 30_000
        if key_file is not None:
            public, secret, server = read_client_keys(key_file)
            self.socket.curve_publickey, self.socket.curve_secretkey = public, secret
            self.socket.curve_serverkey = server
        self.socket.connect(endpoint)
        self.images: list[bytes] = []
        self.server: Server | None = None
        """The server of `serve`, whose clock a test may move on."""

    def send(self, method: str, id: str | None = None, **params: object) -> str:
        id = id or str(uuid.uuid4())
        self.send_raw(json.dumps({"v": 1, "id": id, "method": method, "params": params}).encode())
        return id

    def send_raw(self, *frames: bytes) -> None:
        self.socket.send_multipart(frames)

    def receive(self, seconds: float = 600) -> dict[str, Any]:
        if not self.socket.poll(int(seconds * 1000)):
            raise TimeoutError("no reply")
        frame, *self.images = self.socket.recv_multipart()
        reply: dict[str, Any] = json.loads(frame)
        if "error" in reply:
            ErrorMessage.model_validate(reply)
            assert "\n" not in reply["error"]["message"]
        return reply

    def call(self, method: str, id: str | None = None, **params: object) -> dict[str, Any]:
        sent = self.send(method, id, **params)
        reply = self.receive()
        assert (reply["v"], reply["id"]) == (1, sent)
        if "error" in reply:
            raise Refused(**reply["error"])
        ok: dict[str, Any] = reply["ok"]
        METHODS[method][1].model_validate(ok)
        return ok

    def open(self, world: str = "tiny/counter", **params: object) -> str:
        session: str = self.call("open", world=world, params=params)["session"]
        return session

    def seen(self, session: str) -> Session:
        """A session as the server sees it."""
        assert self.server is not None
        return self.server._sessions[session]

    def refusal(self, method: str, **params: object) -> Refused:
        with pytest.raises(Refused) as caught:
            self.call(method, None, **params)
        return caught.value

    def close(self) -> None:
        self.socket.close()
        self._context.term()


@contextmanager
def serving(options: ServerOptions, worlds: dict[str, str]) -> Iterator[Server]:
    server = Server(options, worlds)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join(120)
        assert not thread.is_alive()


def wait_until(done: Callable[[], object], seconds: float = 120) -> None:
    """Waits until something is so; a machine that is busy with other work may take long."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "still not so"
        time.sleep(0.02)


def alive(pid: int) -> bool:
    """Whether the process runs; one that has died but was not yet collected does not."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    return state.strip()[:1] not in ("", "Z")


class Process(NamedTuple):
    """One line of the process table."""

    pid: int
    parent: int
    name: str


def descendants(pid: int) -> list[Process]:
    """All processes below `pid`."""
    table = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,comm="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in table.splitlines()]
    processes = [Process(int(one), int(parent), Path(name).name) for one, parent, name in rows]
    found = [pid]
    for one in found:
        found += [process.pid for process in processes if process.parent == one]
    return [process for process in processes if process.pid in found[1:]]

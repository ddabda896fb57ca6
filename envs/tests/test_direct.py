"""The direct way: calls on a worker's own socket, which its server does not see and yet watches."""

from __future__ import annotations

import json
import socket
import struct
import time
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from labyrinth_envs.direct import LONGEST_PATH, DirectSocket
from labyrinth_envs.sessions import Session
from labyrinth_envs.world import WorldError
from tests.support import Client, Serve, alive, wait_until
from tests.tiny_world import PNG


class Line:
    """A client of a worker's socket."""

    def __init__(self, client: Client, session: str) -> None:
        self.session = session
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(120)
        self.socket.connect(client.call("direct", session=session)["path"])

    def send(self, method: str, id: str | None = None, **params: object) -> str:
        id = id or str(uuid.uuid4())
        request = {"v": 1, "id": id, "method": method, "params": {"session": self.session, **params}}
        frame = json.dumps(request).encode()
        self.socket.sendall(struct.pack("<II", 1, len(frame)) + frame)
        return id

    def receive(self) -> tuple[dict[str, Any], list[bytes]]:
        (count,) = struct.unpack("<I", self._read(4))
        frame, *images = [self._read(size) for size in struct.unpack(f"<{count}I", self._read(4 * count))]
        return json.loads(frame), images

    def call(self, method: str, id: str | None = None, **params: object) -> dict[str, Any]:
        sent = self.send(method, id, **params)
        reply, _ = self.receive()
        assert reply["id"] == sent
        return reply

    def _read(self, size: int) -> bytes:
        read = b""
        while len(read) < size:
            part = self.socket.recv(size - len(read))
            if not part:
                raise EOFError
            read += part
        return read


@pytest.fixture
def line(serve: Serve) -> Iterator[tuple[Client, Line]]:
    client = serve(call_seconds=900, lease=900)
    session = client.open(goalSize=20)
    line = Line(client, session)
    yield client, line
    line.socket.close()


def test_calls_and_pictures_come_by_the_socket_and_both_ways_are_one_session(line: tuple[Client, Line]) -> None:
    client, direct = line
    assert direct.call("reset")["ok"] == client.call("reset", session=direct.session)
    direct.send("step", step=1, action="picture")
    reply, images = direct.receive()
    assert (reply["ok"]["image"], images) == (1, [PNG + b"frame", PNG + b"turn"])
    assert client.call("step", session=direct.session, step=2, action="count")["score"] == 2
    assert direct.call("truth")["ok"]["truth"] == client.call("truth", session=direct.session)["truth"] == {"count": 2}


def test_a_step_sent_again_by_the_other_way_is_not_taken_twice(line: tuple[Client, Line]) -> None:
    client, direct = line
    direct.call("reset")
    id = str(uuid.uuid4())
    first = direct.call("step", id, step=1, action="count")["ok"]
    assert client.call("step", id, session=direct.session, step=1, action="count") == first
    assert client.call("step", session=direct.session, step=1, action="count") == first
    assert direct.call("step", step=3, action="count")["error"]["code"] == "out-of-order"
    early = str(uuid.uuid4())
    assert direct.call("truth", early)["ok"]["truth"] == {"count": 1}
    assert direct.call("step", step=2, action="count")["ok"]["score"] == 2
    assert client.call("truth", early, session=direct.session)["truth"] == {"count": 1}


def test_a_hung_worker_is_killed_after_its_time(line: tuple[Client, Line]) -> None:
    client, direct = line
    direct.call("reset")
    id = direct.send("step", step=1, action="hang")
    let_time_pass(client.seen(direct.session), 600)
    assert client.call("ping") == {"sessions": 1}
    let_time_pass(client.seen(direct.session), 301)
    with pytest.raises(EOFError):
        direct.receive()
    again = client.refusal("step", session=direct.session, step=1, action="hang")
    assert (again.code, "no answer to step within 900 s" in again.message, id) == ("worker-died", True, id)


def let_time_pass(session: Session, seconds: float) -> None:
    """Moves the beginning of the worker's call back, once there is one."""
    pulse = session._pulse
    assert pulse is not None
    wait_until(lambda: pulse.read().since)
    since, touched, method = pulse.read()
    pulse.write(since - seconds, touched, method)


@pytest.mark.parametrize(("action", "code"), [("kill 9", "worker-died"), ("raise", "internal")])
def test_the_server_tells_how_a_worker_ended(line: tuple[Client, Line], action: str, code: str) -> None:
    client, direct = line
    direct.call("reset")
    direct.send("step", step=1, action=action)
    if code == "internal":
        assert direct.receive()[0]["error"]["code"] == code
    with pytest.raises(EOFError):
        direct.receive()
    assert client.refusal("step", session=direct.session, step=1, action=action).code == code
    assert client.call("ping") == {"sessions": 0}


def test_calls_by_the_socket_keep_a_session_open_and_its_silence_closes_it(line: tuple[Client, Line]) -> None:
    client, direct = line
    seen = client.seen(direct.session)
    pulse = seen._pulse
    assert pulse is not None
    used = time.monotonic()
    pulse.write(0, used, "")
    seen.touched = used - 901
    wait_until(lambda: seen.ended or seen.touched == used)
    assert seen.ended is None
    pulse.write(0, used - 901, "")  # below 0 on a machine that has just started
    seen.touched = used - 901
    wait_until(lambda: seen.ended)
    assert "idle for 900 s" in client.refusal("reset", session=direct.session).message


def test_close_takes_a_session_away_whose_worker_is_at_work(line: tuple[Client, Line]) -> None:
    client, direct = line
    direct.call("reset")
    pid = int(direct.call("step", step=1, action="place")["ok"]["observation"].split("\n")[3])
    direct.send("step", step=2, action="hang")
    pulse = client.seen(direct.session)._pulse
    assert pulse is not None
    wait_until(lambda: pulse.read().since)
    client.call("close", session=direct.session)
    wait_until(lambda: not alive(pid))


@pytest.mark.parametrize("sent", [b"GET / HTTP/1.1\r\n\r\n", struct.pack("<II", 1, 1 << 30), struct.pack("<II", 2, 1)])
def test_nonsense_costs_the_connection_and_nothing_else(line: tuple[Client, Line], sent: bytes) -> None:
    client, direct = line
    direct.socket.sendall(sent)
    with pytest.raises((EOFError, ConnectionResetError)):
        direct.receive()
    assert Line(client, direct.session).call("reset")["ok"]["observation"] == "ready"


def test_requests_that_are_for_the_server_or_of_another_session_are_refused(line: tuple[Client, Line]) -> None:
    _, direct = line
    for method in ("ping", "close", "direct", "fly"):
        assert direct.call(method)["error"]["code"] == "bad-request"
    direct.session = "another"
    assert direct.call("reset")["error"]["code"] == "unknown-session"


def test_a_folder_too_deep_for_a_socket_is_refused() -> None:
    with pytest.raises(WorldError, match="TMPDIR"):
        DirectSocket("/" + "x" * LONGEST_PATH)

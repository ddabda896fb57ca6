"""A worker that has let go of its session serves the next one of the same client and world."""

from __future__ import annotations

import json
import os
import signal
import socket
import struct
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from labyrinth_envs import worker_process
from labyrinth_envs.keys import add_client, write_keys
from labyrinth_envs.server import ServerOptions
from tests.support import Client, Connect, Serve, alive, descendants, serving, wait_until
from tests.test_accidents import let_time_pass
from tests.test_direct import Line

WORLDS = {"tiny/renewable": "tests.tiny_world:Renewable", "tiny/again": "tests.tiny_world:Renewable"}


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a crowded machine, too, a worker leaves its session in time, and waits until the next one comes."""
    monkeypatch.setattr(worker_process, "GRACE_SECONDS", 120.0)
    monkeypatch.setattr(worker_process, "SPARE_SECONDS", 600.0)


def played(client: Client, world: str = "tiny/renewable", **params: object) -> dict[str, object]:
    """Plays a step in a session of its own; what its world then knows."""
    session = client.open(world, **params)
    client.call("reset", session=session)
    client.call("step", session=session, step=1, action="count")
    truth: dict[str, object] = client.call("truth", session=session)["truth"]
    client.call("close", session=session)
    return truth


def test_the_next_session_has_the_process_and_nothing_else_of_the_one_before(serve: Serve) -> None:
    client = serve(WORLDS)
    first = client.open("tiny/renewable", goalSize=2)
    client.call("reset", session=first)
    client.call("step", session=first, step=1, action="count")
    before = client.call("truth", session=first)["truth"]
    client.call("close", session=first)
    opened = client.call("open", world="tiny/renewable", params={"goalSize": 5})
    second = opened["session"]
    assert opened["spec"]["parameters"]["goalSize"] == 5
    assert client.refusal("step", session=second, step=2, action="count").code == "out-of-order"
    assert client.call("reset", session=second)["score"] == 0
    assert client.call("step", session=second, step=1, action="count")["score"] == 1
    assert client.call("truth", session=second)["truth"] == {"count": 1, "pid": before["pid"], "game": 2}
    assert client.refusal("truth", session=first).code == "unknown-session"


def test_two_at_once_have_a_process_each_and_another_world_has_its_own(serve: Serve) -> None:
    client = serve(WORLDS)
    held = client.open("tiny/renewable")
    one = client.call("truth", session=held)["truth"]
    two = played(client)
    assert two["pid"] != one["pid"]
    assert played(client)["pid"] == two["pid"]
    assert played(client, "tiny/again")["game"] == 1


def test_the_socket_of_the_session_before_is_gone(serve: Serve) -> None:
    client = serve(WORLDS)
    old = Line(client, client.open("tiny/renewable"))
    path = old.socket.getpeername()
    assert old.call("reset")["ok"]["score"] == 0
    client.call("close", session=old.session)
    session = client.open("tiny/renewable")
    with pytest.raises((EOFError, OSError)):
        old.call("reset")
    with socket.socket(socket.AF_UNIX) as again, pytest.raises(OSError):
        again.connect(path)
    new = Line(client, session)
    assert new.call("reset")["ok"]["score"] == 0
    assert new.call("step", step=1, action="count")["ok"]["score"] == 1
    for line in (old, new):
        line.socket.close()


def test_a_refused_game_costs_nothing_but_the_process(serve: Serve) -> None:
    client = serve(WORLDS)
    first = played(client)
    assert client.refusal("open", world="tiny/renewable", params={"goalSize": 0}).code == "bad-parameter"
    wait_until(lambda: not alive(int(str(first["pid"]))))
    assert played(client)["game"] == 1


def test_one_that_hangs_while_it_is_renewed_is_killed(serve: Serve) -> None:
    client = serve(WORLDS, call_seconds=900)
    played(client)
    client.send("open", world="tiny/renewable", params={"fault": "hang"})
    server = client.server
    assert server is not None
    wait_until(lambda: len(server._sessions) == 2)
    let_time_pass(list(server._sessions.values())[-1], 901)
    refusal = client.receive()["error"]
    assert (refusal["code"], "no answer to open" in refusal["message"]) == ("worker-died", True)
    assert played(client)["game"] == 1


def test_a_spare_that_is_killed_is_missed_by_nobody(serve: Serve) -> None:
    client = serve(WORLDS)
    first = int(str(played(client)["pid"]))
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: not alive(first))
    assert played(client)["game"] == 1


def test_only_an_orderly_close_leaves_a_spare(serve: Serve) -> None:
    client = serve(WORLDS)
    busy = client.open("tiny/renewable")
    client.call("reset", session=busy)
    client.send("step", session=busy, step=1, action="hang")
    client.send("close", session=busy)
    client.receive()
    client.receive()
    assert played(client)["game"] == 1


def frames(session: str, count: int) -> bytes:
    """So many requests on the direct way, as they stand in its socket."""
    request = {"v": 1, "id": "x", "method": "validActions", "params": {"session": session}}
    texts = [json.dumps({**request, "id": f"x{at}"}).encode() for at in range(count)]
    return b"".join(struct.pack("<II", 1, len(text)) + text for text in texts)


def test_an_error_that_ends_the_world_before_is_no_answer_to_the_next_session(serve: Serve) -> None:
    client = serve(WORLDS)
    for at in range(25):
        line = Line(client, client.open("tiny/renewable", goalSize=60))
        line.call("reset")
        line.socket.sendall(frames(line.session, 100))
        line.send("step", step=1, action="raise")
        time.sleep(at / 4000)
        client.send("close", session=line.session)
        client.receive()  # it may have ended by then
        client.call("close", session=client.open("tiny/renewable"))
        line.socket.close()


def test_a_worker_that_cannot_leave_is_killed_and_the_next_session_has_another(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = serve(WORLDS)
    line = Line(client, client.open("tiny/renewable"))
    line.call("reset")
    pid = int(client.call("truth", session=line.session)["truth"]["pid"])
    line.socket.settimeout(0.5)
    unsent, stuck = b"", False
    while not stuck:  # with answers that nobody reads
        unsent = unsent or frames(line.session, 50)
        try:
            unsent = unsent[line.socket.send(unsent) :]
        except TimeoutError:
            stuck = asleep(pid)  # with requests before it
    monkeypatch.setattr(worker_process, "GRACE_SECONDS", 2.0)
    client.call("close", session=line.session)
    assert played(client, mood="wild")["game"] == 1
    line.socket.close()


def asleep(pid: int) -> bool:
    """Whether the process waits for something other than a processor."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=True).stdout
    return state.startswith("S")


def test_a_worker_that_is_killed_about_its_close_is_not_handed_on(serve: Serve) -> None:
    client = serve(WORLDS)
    for delay in (0.0, 0.001, 0.003, 0.01):
        session = client.open("tiny/renewable")
        pid = client.call("truth", session=session)["truth"]["pid"]
        client.call("close", session=session)
        os.kill(pid, signal.SIGKILL)
        time.sleep(delay)
        assert client.call("truth", session=client.open("tiny/renewable"))["truth"]["game"] == 1


def test_a_server_that_stops_leaves_no_worker_that_was_just_started(tmp_path: Path, connect: Connect) -> None:
    before = {process.pid for process in descendants(os.getpid())}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(tmp_path))
        for delay in (0.0, 0.003, 0.01):
            with serving(ServerOptions(), WORLDS) as server:
                connect(server.endpoint).send("open", world="tiny/renewable", params={"fault": "hang"})
                time.sleep(delay)
            assert os.listdir(tmp_path) == []
    workers = [one for one in descendants(os.getpid()) if one.pid not in before and one.name == "python"]
    assert len(workers) <= 2, "the fork server and its tracker"


def test_a_spare_ends_after_a_while_and_one_that_has_served_long_at_once(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = serve(WORLDS)
    monkeypatch.setattr(worker_process, "SESSIONS", 2)
    first, second = played(client), played(client)
    assert second["pid"] == first["pid"]
    wait_until(lambda: not alive(int(str(first["pid"]))))
    monkeypatch.setattr(worker_process, "SPARE_SECONDS", 0.3)
    third = played(client)
    assert third["game"] == 1
    wait_until(lambda: not alive(int(str(third["pid"]))))
    assert client.call("ping") == {"sessions": 0}


def test_the_lease_of_a_session_leaves_no_spare(serve: Serve) -> None:
    client = serve(WORLDS, lease=900)
    session = client.open("tiny/renewable")
    pid = client.call("truth", session=session)["truth"]["pid"]
    client.seen(session).touched -= 901
    wait_until(lambda: not alive(pid))


def test_a_client_is_given_no_process_of_another(tmp_path: Path, connect: Connect) -> None:
    write_keys(tmp_path)
    other = add_client(tmp_path, "other")
    with serving(ServerOptions(keys=tmp_path), WORLDS) as server:
        one, two = connect(server.endpoint, tmp_path / "client.key_secret"), connect(server.endpoint, other)
        first = played(one)
        assert played(two)["pid"] != first["pid"]
        assert played(one)["pid"] == first["pid"]

"""What a world does wrong, or wants too much of, ends its own session, and says why."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from labyrinth_envs.sessions import Session
from tests.support import Serve, wait_until


@pytest.mark.parametrize(
    ("action", "code", "words"),
    [
        ("crash", "worker-died", "signal 11 (SIGSEGV)"),
        ("kill 9", "worker-died", "signal 9 (SIGKILL)"),
        ("exit 3", "worker-died", "status 3"),
        ("exit 0", "worker-died", "status 0"),
        ("raise", "internal", "RuntimeError: two lines"),
        ("leave", "internal", "SystemExit: leaving"),
    ],
)
def test_an_accident_ends_its_own_session_only(
    serve: Serve, tmp_path: Path, action: str, code: str, words: str
) -> None:
    client = serve()
    victim, other = client.open(), client.open()
    client.call("reset", session=victim)
    client.call("reset", session=other)
    slow = client.send("step", session=other, step=1, action=f"await {tmp_path / 'over'}")
    step = client.send("step", session=victim, step=1, action=action)
    late = client.send("truth", session=victim)
    replies = {reply["id"]: reply for reply in [client.receive() for _ in range(2)]}
    (tmp_path / "over").touch()
    for id in (step, late):
        assert replies[id]["error"]["code"] == code
        assert words in replies[id]["error"]["message"]
        assert "open a new" in replies[id]["error"]["message"]
    reply = client.receive()
    assert (reply["id"], reply["ok"]["observation"]) == (slow, "come")
    assert client.refusal("reset", session=victim).code == code
    assert client.call("step", session=other, step=2, action="count")["score"] == 2
    assert client.call("ping") == {"sessions": 1}


@pytest.mark.parametrize("action", ["hang", "stick", "kill 19"])
def test_a_hung_world_is_killed_after_its_time(serve: Serve, action: str) -> None:
    client = serve(call_seconds=900)
    victim, other = client.open(), client.open()
    client.call("reset", session=victim)
    hung = client.send("step", session=victim, step=1, action=action)
    assert client.call("reset", session=other)["observation"] == "ready"  # and no other has to wait for it
    let_time_pass(client.seen(victim), 600)
    assert client.call("ping") == {"sessions": 2}
    let_time_pass(client.seen(victim), 301)
    reply = client.receive()
    assert reply["id"] == hung
    assert reply["error"]["code"] == "worker-died"
    assert "no answer to step within 900 s" in reply["error"]["message"]


def test_truth_may_take_longer_than_a_step(serve: Serve) -> None:
    client = serve(call_seconds=900)
    session = client.open(fault="hang-truth")
    asked = client.send("truth", session=session)
    let_time_pass(client.seen(session), 4 * 900)
    assert client.call("ping") == {"sessions": 1}
    let_time_pass(client.seen(session), 901)
    reply = client.receive()
    assert (reply["id"], "no answer to truth within 4500 s" in reply["error"]["message"]) == (asked, True)


def let_time_pass(session: Session, seconds: float) -> None:
    """Moves the deadline of the call at work nearer, once there is one."""
    wait_until(lambda: session._deadline is not None)
    assert session._deadline is not None
    session._deadline -= seconds


@pytest.mark.parametrize(
    ("fault", "code", "words"),
    [
        ("refuse", "bad-game", "corrupt"),
        ("raise", "internal", "KeyError"),
        ("die", "worker-died", "status 7"),
        ("hang", "worker-died", "no answer to open"),
    ],
)
def test_a_world_that_cannot_be_opened_says_why(serve: Serve, fault: str, code: str, words: str) -> None:
    client = serve(call_seconds=900)
    client.open()
    client.send("open", world="tiny/counter", params={"fault": fault})
    if fault == "hang":
        assert client.server is not None
        wait_until(lambda: client.server and len(client.server._sessions) == 2)
        let_time_pass(list(client.server._sessions.values())[-1], 901)
    refusal = client.receive()["error"]
    assert refusal["code"] == code
    assert words in refusal["message"]
    assert client.call("ping") == {"sessions": 1}


def test_a_world_has_no_more_memory_time_and_network_than_it_is_given(serve: Serve) -> None:
    client = serve(memory_mb=4096, cpu_seconds=1234)
    session = client.open()
    client.call("reset", session=session)
    with socket.create_server(("127.0.0.1", 0)) as ours:
        asked = f"limits {ours.getsockname()[1]}"
        said = client.call("step", session=session, step=1, action=asked)["observation"].split()
    assert (said[0], said[-1]) == ("1234", "loopback")
    if no_network():
        assert said[1:3] == ["ECONNREFUSED", "ENETUNREACH"]
    refusal = client.refusal("step", session=session, step=2, action="gorge 5000")
    assert refusal.code == "internal"
    assert "4096 MiB of --memory-mb" in refusal.message


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what a process took")
def test_a_world_has_no_more_shared_memory_than_it_is_given(serve: Serve) -> None:
    client = serve(memory_mb=700)
    session = client.open()
    client.call("reset", session=session)
    said = client.call("step", session=session, step=1, action="shm 710")["observation"]
    scrap = Path("/dev/shm/labyrinth-scrap")
    if said == "room 710":
        scrap.unlink()
        print("skipped: a /dev/shm of their own for worlds, which this system does not allow")
    else:
        assert said == "ENOSPC 700"
        assert not scrap.exists()
    other = client.open()
    client.call("reset", session=other)
    refusal = client.refusal("step", session=other, step=1, action="share 800")
    assert refusal.code == "worker-died"
    assert "took more memory than --memory-mb allows" in refusal.message


def no_network() -> bool:
    """Whether this system lets a process leave the network."""
    command = "from labyrinth_envs.limits import leave_network; print(leave_network())"
    said = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True).stdout
    if said != "None\n":
        print(f"skipped: worlds without network, which this system does not allow ({said.strip()})")
    return said == "None\n"


@pytest.mark.parametrize("action", ["full", "forbidden"])
def test_a_full_or_forbidden_disk_is_typed_and_asks_for_a_reset(serve: Serve, action: str) -> None:
    client = serve()
    session = client.open()
    client.call("reset", session=session)
    refusal = client.refusal("step", session=session, step=1, action=action)
    assert refusal.code == "disk"
    assert "game.z8" in refusal.message
    assert client.refusal("step", session=session, step=1, action="count").code == "out-of-order"
    client.call("reset", session=session)
    assert client.call("step", session=session, step=1, action="count")["score"] == 1


def test_a_scratch_folder_that_cannot_be_made_is_a_disk_error(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = serve()
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    assert client.refusal("open", world="tiny/counter").code == "internal"
    if os.geteuid() != 0:  # nothing is forbidden to root
        (tmp_path / "closed").mkdir(mode=0o500)
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "closed"))
        assert client.refusal("open", world="tiny/counter").code == "disk"
    monkeypatch.undo()
    client.open()


def test_an_action_that_is_too_long_never_reaches_the_world(serve: Serve) -> None:
    client = serve()
    session = client.open()
    client.call("reset", session=session)
    for action in ["x" * 1_000_000, "é" * 2049]:
        refusal = client.refusal("step", session=session, step=1, action=action)
        assert refusal.code == "bad-action"
        assert "4096" in refusal.message
    assert client.call("step", session=session, step=1, action="é" * 2048)["score"] == 1

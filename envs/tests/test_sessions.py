from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import pytest

from labyrinth_envs.processes import remove_stale_scratch
from labyrinth_envs.sessions import Session
from tests.support import Serve, alive, wait_until
from tests.tiny_world import PNG


def test_session_plays_to_its_end_and_anew(serve: Serve) -> None:
    client = serve()
    opened = client.call("open", world="tiny/counter", params={"goalSize": 2})
    session = opened["session"]
    assert opened["spec"]["parameters"] == {"goalSize": 2, "mood": "calm", "fault": "none"}
    first = client.call("reset", session=session)
    assert (first["observation"], first["score"], first["maxScore"], first["end"]) == ("ready", 0, 2, None)
    assert client.call("step", session=session, step=1, action="count")["score"] == 1
    assert client.call("validActions", session=session) == {"actions": ["count", "now 1"]}
    assert client.call("truth", session=session) == {"truth": {"count": 1}}
    assert client.call("step", session=session, step=2, action="count")["end"] == "won"
    assert client.refusal("step", session=session, step=3, action="count").code == "ended"
    assert client.call("reset", session=session) == first
    assert client.call("step", session=session, step=1, action="count")["score"] == 1
    client.call("close", session=session)
    assert client.refusal("reset", session=session).code == "unknown-session"


def test_valid_actions_are_null_where_text_is_free(serve: Serve) -> None:
    client = serve()
    assert client.call("validActions", session=client.open(mood="wild")) == {"actions": None}


def test_pictures_travel_as_frames_of_their_own(serve: Serve) -> None:
    client = serve()
    session = client.open()
    client.call("reset", session=session)
    turn = client.call("step", session=session, step=1, action="picture")
    assert ([frame["image"] for frame in turn["frames"]], turn["image"]) == ([None, 0], 1)
    assert client.images == [PNG + b"frame", PNG + b"turn"]
    assert client.call("step", session=session, step=1, action="picture") == turn
    assert client.images == [PNG + b"frame", PNG + b"turn"]


# ── sent again ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_step_sent_again_is_not_taken_twice(serve: Serve) -> None:
    client = serve(call_seconds=30)
    session = client.open()
    client.call("reset", session=session)
    step: dict[str, Any] = {"session": session, "step": 1, "action": "sleep 0.3"}
    id = client.send("step", **step)
    client.send("step", id, **step)  # the same request, while the first is at work: one reply
    other = client.send("step", None, **step)  # the same step in another request: a reply of its own
    replies = [client.receive(), client.receive()]
    assert sorted(reply["id"] for reply in replies) == sorted([id, other])
    assert replies[0]["ok"] == replies[1]["ok"]
    assert client.call("step", id, **step) == client.call("step", None, **step) == replies[0]["ok"]
    assert client.call("truth", session=session)["truth"] == {"count": 1}
    assert client.call("step", session=session, step=2, action="sleep 0.3")["score"] == 2


def test_open_sent_again_gives_the_same_session(serve: Serve) -> None:
    client = serve()
    id = str(uuid.uuid4())
    client.send("open", id, world="tiny/counter")
    client.send("open", id, world="tiny/counter")
    session = client.receive()["ok"]["session"]
    for _ in range(10):
        client.call("reset", session=session)
    assert client.call("open", id, world="tiny/counter")["session"] == session
    assert client.call("ping") == {"sessions": 1}
    assert client.open() != session


def test_close_and_a_late_read_sent_again_get_their_first_reply(serve: Serve) -> None:
    client = serve()
    session = client.open()
    client.call("reset", session=session)
    early, end = str(uuid.uuid4()), str(uuid.uuid4())
    assert client.call("truth", early, session=session)["truth"] == {"count": 0}
    client.call("step", session=session, step=1, action="count")
    assert client.call("truth", early, session=session)["truth"] == {"count": 0}
    assert client.call("close", end, session=session) == client.call("close", end, session=session) == {}


def test_step_out_of_order_is_refused_and_changes_nothing(serve: Serve) -> None:
    client = serve()
    session = client.open()
    assert "reset" in client.refusal("step", session=session, step=1, action="count").message
    client.call("reset", session=session)
    client.call("step", session=session, step=1, action="count")
    for step, action in [(1, "other"), (3, "count"), (9, "count")]:
        refusal = client.refusal("step", session=session, step=step, action=action)
        assert refusal.code == "out-of-order"
        assert "next one is 2" in refusal.message
    assert client.refusal("step", session=session, step=2, action="refuse").code == "bad-action"
    assert client.call("step", session=session, step=2, action="count")["score"] == 2


def test_requests_of_one_session_are_carried_out_in_order(serve: Serve) -> None:
    client = serve()
    session = client.open(goalSize=50)
    ids = [client.send("reset", session=session)]
    ids += [client.send("step", session=session, step=n, action="count") for n in range(1, 21)]
    replies = [client.receive() for _ in ids]
    assert [reply["id"] for reply in replies] == ids
    assert [reply["ok"]["score"] for reply in replies] == list(range(21))


def test_too_many_calls_waiting_are_refused(serve: Serve) -> None:
    client = serve()
    session = client.open()
    client.call("reset", session=session)
    client.send("step", session=session, step=1, action="sleep 0.5")
    for _ in range(40):
        client.send("truth", session=session)
    replies = [client.receive() for _ in range(41)]
    assert sum("error" in reply for reply in replies) == 9
    assert client.call("truth", session=session)["truth"] == {"count": 1}


# ── accidents ─────────────────────────────────────────────────────────────────────────────────────────────────────────


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
def test_an_accident_ends_its_own_session_only(serve: Serve, action: str, code: str, words: str) -> None:
    client = serve()
    victim, other = client.open(), client.open()
    client.call("reset", session=victim)
    client.call("reset", session=other)
    slow = client.send("step", session=other, step=1, action="sleep 0.3")
    step = client.send("step", session=victim, step=1, action=action)
    late = client.send("truth", session=victim)
    replies = {reply["id"]: reply for reply in [client.receive() for _ in range(3)]}
    for id in (step, late):
        assert replies[id]["error"]["code"] == code
        assert words in replies[id]["error"]["message"]
        assert "open a new" in replies[id]["error"]["message"]
    assert replies[slow]["ok"]["observation"] == "slept"
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
    let_time_pass(client.seen(victim), 899)
    assert client.call("ping") == {"sessions": 2}
    let_time_pass(client.seen(victim), 2)
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


# ── life and death of a session ───────────────────────────────────────────────────────────────────────────────────────


def test_sessions_work_side_by_side(serve: Serve, tmp_path: Path) -> None:
    client = serve()
    sessions = [client.open() for _ in range(4)]
    for session in sessions:
        client.call("reset", session=session)
    for session in sessions:
        client.send("step", session=session, step=1, action=f"meet {tmp_path}")
    for _ in sessions:  # each waits for the three others
        assert client.receive()["ok"]["observation"] == "met"


def test_close_takes_a_working_session_away_at_once(serve: Serve) -> None:
    client = serve()
    session = client.open()
    client.call("reset", session=session)
    pid = int(client.call("step", session=session, step=1, action="place")["observation"].split("\n")[3])
    stuck = client.send("step", session=session, step=2, action="hang")
    close = client.send("close", session=session)
    replies = {reply["id"]: reply for reply in [client.receive(), client.receive()]}
    assert replies[close]["ok"] == {}
    assert replies[stuck]["error"]["code"] == "unknown-session"
    wait_until(lambda: not alive(pid))


def test_an_idle_session_is_closed_after_its_lease_and_a_used_one_is_not(serve: Serve) -> None:
    client = serve(lease=900)
    idle, used = client.open(), client.open(goalSize=20)
    for session in (idle, used):
        client.seen(session).touched -= 899
    client.call("reset", session=used)
    assert client.call("ping") == {"sessions": 2}
    client.seen(idle).touched -= 2
    wait_until(lambda: client.seen(idle).ended)
    refusal = client.refusal("reset", session=idle)
    assert refusal.code == "unknown-session"
    assert "idle for 900 s" in refusal.message
    assert client.call("ping") == {"sessions": 1}
    assert client.call("reset", session=used)["observation"] == "ready"


def test_more_sessions_than_allowed_are_refused(serve: Serve) -> None:
    client = serve(max_sessions=2)
    first, _ = client.open(), client.open()
    assert client.refusal("open", world="tiny/counter").code == "too-many-sessions"
    client.call("close", session=first)
    client.open()


def test_a_worker_has_a_place_of_its_own_that_goes_with_it(
    serve: Serve, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LABYRINTH_CACHE", "some/where")
    client = serve()
    session = client.open()
    client.call("reset", session=session)
    said = client.call("step", session=session, step=1, action="place")["observation"]
    folder, mode, read, pid, game, cache = said.split("\n")
    assert (Path(folder) / "scrap").read_text() == "x"
    assert (mode, read) == ("0o600", "b''")
    assert game == str(Path.cwd() / "g.z8")
    assert cache == str(Path.cwd() / "some/where")
    child = int(client.call("step", session=session, step=2, action="child")["observation"])
    assert alive(child)
    client.call("close", session=session)
    wait_until(lambda: not Path(folder).exists() and not alive(int(pid)) and not alive(child))
    out, err = capfd.readouterr()
    assert "a world prints this" not in out


def test_sweep_removes_what_killed_servers_left_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ended = subprocess.Popen(["true"])
    ended.wait()
    for name in (f"{ended.pid}-a", f"{os.getpid()}-b", "c"):
        (tmp_path / f"labyrinth-session-{name}").mkdir()
    remove_stale_scratch()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"labyrinth-session-{os.getpid()}-b",
        "labyrinth-session-c",
    ]


STOPPED = """
import os, signal, sys
from labyrinth_envs.worker import guard
guard(int(sys.argv[1]))
os.kill(os.getpid(), signal.SIGSTOP)
"""


def test_guard_kills_a_process_that_does_not_run_when_the_pipe_ends() -> None:
    ours, theirs = os.pipe()
    command = [sys.executable, "-c", STOPPED, str(ours)]
    process = subprocess.Popen(command, pass_fds=[ours], start_new_session=True)
    os.close(ours)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(2)
    os.close(theirs)
    assert process.wait(10) == -signal.SIGKILL

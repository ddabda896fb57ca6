from __future__ import annotations

import os
import signal
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import pytest

from labyrinth_envs.processes import remove_stale_scratch
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


def test_a_step_sent_again_is_not_taken_twice(serve: Serve, tmp_path: Path) -> None:
    client = serve()
    session = client.open()
    client.call("reset", session=session)
    step: dict[str, Any] = {"session": session, "step": 1, "action": f"await {tmp_path / 'sent'}"}
    id = client.send("step", **step)
    client.send("step", id, **step)  # the same request, while the first is at work: one reply
    other = client.send("step", None, **step)  # the same step in another request: a reply of its own
    assert client.call("ping") == {"sessions": 1}  # the server has all of them
    (tmp_path / "sent").touch()
    replies = [client.receive(), client.receive()]
    assert sorted(reply["id"] for reply in replies) == sorted([id, other])
    assert replies[0]["ok"] == replies[1]["ok"]
    assert client.call("step", id, **step) == client.call("step", None, **step) == replies[0]["ok"]
    assert client.call("truth", session=session)["truth"] == {"count": 1}
    assert client.call("step", session=session, step=2, action="count")["score"] == 2


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


def test_too_many_calls_waiting_are_refused(serve: Serve, tmp_path: Path) -> None:
    client = serve()
    session = client.open()
    client.call("reset", session=session)
    client.send("step", session=session, step=1, action=f"await {tmp_path / 'sent'}")
    for _ in range(40):
        client.send("truth", session=session)
    refused = [client.receive() for _ in range(9)]
    (tmp_path / "sent").touch()
    taken = [client.receive() for _ in range(32)]
    assert all("error" in reply for reply in refused) and all("ok" in reply for reply in taken)
    assert client.call("truth", session=session)["truth"] == {"count": 1}


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
        client.seen(session).touched -= 600
    client.call("reset", session=used)
    assert client.call("ping") == {"sessions": 2}
    client.seen(idle).touched -= 301
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
    wait_until(lambda: stopped(process.pid))
    os.close(theirs)
    assert process.wait(120) == -signal.SIGKILL


def stopped(pid: int) -> bool:
    """Whether the process was stopped by a signal."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=True).stdout
    return state.startswith("T")

"""Through the server: the next session takes Java over; it outlives no other end, and not for long."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from labyrinth_envs import worker_process
from labyrinth_envs.worlds import WORLDS
from tests.support import Client, Process, Serve, alive, descendants, some

SCIENCE = {"scienceworld": WORLDS["scienceworld"]}


def java_below(pid: int) -> list[Process]:
    """Processes called `java` that descend from `pid`."""
    return [process for process in descendants(pid) if process.name == "java"]


def start(client: Client) -> str:
    session = client.open("scienceworld", task="find-plant", split="test")
    client.call("reset", session=session)
    return session


def gone(pids: list[int], seconds: float = 120) -> bool:
    end = time.monotonic() + seconds
    while any(alive(pid) for pid in pids):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def test_the_next_session_takes_java_over_and_where_none_comes_it_ends(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_process, "SPARE_SECONDS", 600)
    client = serve(SCIENCE)
    session = start(client)
    javas = java_below(os.getpid())
    assert len(javas) == 1
    client.call("close", session=session)
    monkeypatch.setattr(worker_process, "SPARE_SECONDS", 0)
    session = client.open("scienceworld", task="boil")
    assert client.call("validActions", session=session) == {"actions": None}, "the game before is nobody's"
    assert set(client.call("truth", session=session)["truth"]) == {"goldPath"}
    client.call("reset", session=session)
    assert [java for java in java_below(os.getpid()) if java in javas] == javas
    client.call("close", session=session)
    assert gone([java.pid for java in javas])


def test_a_spare_whose_java_was_killed_starts_another(serve: Serve) -> None:
    client = serve(SCIENCE)
    client.call("close", session=start(client))
    [java] = java_below(os.getpid())
    os.kill(java.pid, signal.SIGKILL)
    session = start(client)
    assert client.call("step", session=session, step=1, action="look around")["end"] is None


def test_a_killed_worker_takes_java_along_and_harms_no_other(serve: Serve) -> None:
    client = serve(SCIENCE)
    session = start(client)
    [java] = java_below(os.getpid())
    other = start(client)
    os.kill(java.parent, signal.SIGKILL)
    assert client.refusal("step", session=session, step=1, action="look around").code == "worker-died"
    assert gone([java.pid])
    assert client.call("step", session=other, step=1, action="look around")["end"] is None


def test_a_killed_java_ends_the_session_typed_and_a_reset_mends_it(serve: Serve) -> None:
    client = serve(SCIENCE)
    session = start(client)
    [java] = java_below(os.getpid())
    os.kill(java.pid, signal.SIGKILL)
    assert client.refusal("step", session=session, step=1, action="look around").code == "worker-died"
    assert client.call("reset", session=session)["end"] is None
    assert client.call("step", session=session, step=1, action="look around")["end"] is None


@pytest.mark.parametrize("how", some([signal.SIGKILL, signal.SIGTERM], 1))
def test_no_java_outlives_its_server(how: signal.Signals, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "labyrinth_envs", "serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=tmp_path) as server:
        assert server.stdout is not None
        client = Client(json.loads(server.stdout.readline())["endpoint"])
        try:
            start(client)
            javas = java_below(server.pid)
            assert len(javas) == 1
            server.send_signal(how)
            server.wait(120)
            assert gone([java.pid for java in javas])
        finally:
            client.close()
            server.kill()


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"task": "fly"}, "task"),
        ({"task": "1-1"}, "task"),
        ({"variation": 30}, "boil has 30 variations"),
        ({"variation": -1}, "variation"),
        ({"variation": 0, "split": "test"}, "in the split train, not in test"),
        ({"split": "exam"}, "split"),
        ({"heapMb": 1}, "heapMb"),
        ({"stepLimit": 0}, "stepLimit"),
    ],
)
def test_bad_parameters_are_typed(serve: Serve, params: dict[str, object], words: str) -> None:
    refusal = serve(SCIENCE).refusal("open", world="scienceworld", params=params)
    assert refusal.code == "bad-parameter"
    assert words in refusal.message

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from labyrinth_envs.addresses import is_local
from labyrinth_envs.protocol import MAX_FRAME_BYTES, PROTOCOL_VERSION
from labyrinth_envs.server import ServerOptions
from labyrinth_envs.worlds import WORLDS
from tests.support import TINY, Connect, Serve, alive, descendants, serving, wait_until

ENVS = Path(__file__).parents[1]
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts `python -m …` with pipes for standard input, output and error; kills it after the test."""
    with ExitStack() as stack:

        def popen(*arguments: str) -> subprocess.Popen[str]:
            pipe = subprocess.PIPE
            command = [sys.executable, "-m", *arguments]
            process = subprocess.Popen(command, cwd=ENVS, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
            stack.enter_context(process)
            stack.callback(process.kill)
            return process

        yield popen


# ── what is answered ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_hello_and_list_tell_what_there_is(serve: Serve) -> None:
    client = serve({**TINY, "tiny/absent": "tests.no_such_module:World"}, lease=5, max_sessions=3)
    hello = client.call("hello")
    assert hello["protocol"] == PROTOCOL_VERSION
    assert (hello["worlds"], hello["pid"]) == (["tiny/absent", "tiny/counter"], os.getpid())
    assert (hello["leaseSeconds"], hello["maxSessions"]) == (5, 3)
    absent, counter = client.call("list")["worlds"]
    assert "no_such_module" in absent["problem"]
    assert (counter["id"], counter["problem"]) == ("tiny/counter", None)
    assert counter["doc"] == "A counter; other actions are accidents."
    size = counter["parameters"]["properties"]["goalSize"]
    assert (size["minimum"], size["maximum"], size["default"]) == (1, 60, 3)
    assert counter["parameters"]["additionalProperties"] is False
    assert client.call("list")["worlds"] == [absent, counter]
    assert client.refusal("open", world="tiny/absent").code == "internal"


def test_open_names_what_is_wrong(serve: Serve) -> None:
    client = serve()
    refusal = client.refusal("open", world="tiny/none")
    assert refusal.code == "unknown-world"
    assert "tiny/none" in refusal.message and "tiny/counter" in refusal.message
    assert 'did you mean "tiny/counter"?' in client.refusal("open", world="tiny/conuter").message
    refusal = client.refusal("open", world="tiny/counter", params={"goalSize": 61})
    assert refusal.code == "bad-parameter"
    assert "goalSize = 61" in refusal.message and "from 1 to 60" in refusal.message
    assert client.refusal("open", world="tiny/counter", params={"size": 3}).code == "bad-parameter"
    assert client.call("ping") == {"sessions": 0}


def test_unknown_sessions_are_named(serve: Serve) -> None:
    client = serve()
    for method in ("reset", "validActions", "truth", "close"):
        refusal = client.refusal(method, session="nobody")
        assert refusal.code == "unknown-session"
        assert "nobody" in refusal.message


def test_bad_frames_are_answered_and_harm_nobody(serve: Serve) -> None:
    client = serve()
    session = client.open()
    client.call("reset", session=session)
    long = b'{"v":1,"id":"a-long-one","method":"ping","x":"' + b"x" * MAX_FRAME_BYTES + b'"}'
    for frames, code, id in [
        ([b"{"], "bad-request", None),
        ([b"\x00\xff"], "bad-request", None),
        ([b""], "bad-request", None),
        ([b'{"v":1,"id":"12345678","method":"ping"}', b"more"], "bad-request", None),
        ([b'{"v":99,"id":"12345678","method":"ping"}'], "version", "12345678"),
        ([b'{"v":1,"id":"12345678","method":"fly"}'], "bad-request", "12345678"),
        ([b'{"v":1,"id":"12345678","method":"ping","extra":0}'], "bad-request", "12345678"),
        ([long], "bad-request", "a-long-one"),
    ]:
        client.send_raw(*frames)
        reply = client.receive()
        assert (reply["error"]["code"], reply["id"]) == (code, id)
    assert client.call("step", session=session, step=1, action="count")["score"] == 1


def test_a_client_that_reads_nothing_does_not_stop_the_others(connect: Connect) -> None:
    with serving(ServerOptions(), TINY) as server:
        deaf, client = connect(server.endpoint), connect(server.endpoint)
        deaf.socket.rcvhwm = 1
        for _ in range(5000):
            deaf.send("hello")
        assert client.call("ping") == {"sessions": 0}


# ── where it listens ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("bind", "local"),
    [
        ("tcp://127.0.0.1:*", True),
        ("tcp://127.3.2.1:5555", True),
        ("tcp://localhost:5555", True),
        ("tcp://[::1]:5555", True),
        ("ipc:///tmp/x", True),
        ("tcp://*:5555", False),
        ("tcp://0.0.0.0:5555", False),
        ("tcp://[::]:5555", False),
        ("tcp://192.168.1.2:5555", False),
        ("tcp://eth0:5555", False),
        ("tcp://localhost.example.org:5555", False),
        ("udp://127.0.0.1:1", False),
        ("nonsense", False),
    ],
)
def test_is_local_trusts_loopback_alone(bind: str, local: bool) -> None:
    assert is_local(bind) is local


def test_serve_refuses_an_open_address_without_keys(start: Start) -> None:
    process = start("labyrinth_envs", "serve", "--bind", "tcp://0.0.0.0:*")
    out, err = process.communicate(timeout=240)
    assert (process.returncode, out, err.count("\n")) == (2, "", 1)
    assert "./lab keys DIR" in err and "--keys DIR" in err


def test_serve_names_a_busy_port(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        process = start("labyrinth_envs", "serve", "--bind", f"tcp://127.0.0.1:{port}")
        out, err = process.communicate(timeout=240)
    assert (process.returncode, out, err.count("\n")) == (2, "", 1)
    assert f"127.0.0.1:{port}" in err and "in use" in err and "--bind" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["serve", "--bind", "tcp://127.0.0.1:99999"], "--bind"),
        (["serve", "--bind", "nonsense://x"], "--bind"),
        (["serve", "--keys", "no/such/folder"], "./lab keys no/such/folder"),
        (["serve", "--lease", "-1"], "--lease"),
        (["serve", "--max-sessions", "0"], "--max-sessions"),
        (["serve", "--colour"], "--colour"),
        (["sing"], "serve"),
        (["bench", "--world", "no/world"], "textworld/hunt"),
        (["bench", "--world", "babyai", "--params", '{"stepLimit": 7}'], "at step 7 end the episode"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_status_2(start: Start, arguments: list[str], words: str) -> None:
    process = start("labyrinth_envs", *arguments)
    out, err = process.communicate(timeout=240)
    assert (process.returncode, out, err.count("\n")) == (2, "", 1), err
    assert words in err


# ── how it ends ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("end", ["SIGTERM", "SIGINT", "stdin"])
def test_serve_says_that_it_is_ready_and_ends_when_told(start: Start, connect: Connect, end: str) -> None:
    process = start("labyrinth_envs", "serve", "--parent")
    assert process.stdout is not None and process.stdin is not None
    ready = json.loads(process.stdout.readline())
    assert ready == {"ready": True, "endpoint": ready["endpoint"], "pid": process.pid}
    hello = connect(ready["endpoint"]).call("hello")
    assert (hello["worlds"], hello["pid"]) == (sorted(WORLDS), process.pid)
    if end == "stdin":
        process.stdin.close()
    else:
        process.send_signal(signal.Signals[end])
    assert process.wait(120) == 0
    assert process.stdout.read() == ""


def test_a_killed_server_leaves_nothing_behind(start: Start, connect: Connect) -> None:
    process = start("tests.tiny_server")
    assert process.stdout is not None
    client = connect(process.stdout.readline().strip())
    scratch: dict[str, Path] = {}
    for action in ("idle", "hang", "stick", "child"):
        session = client.open()
        client.call("reset", session=session)
        place = client.call("step", session=session, step=1, action="place")["observation"].split("\n")
        scratch[action] = Path(place[0])
        if action != "idle":
            client.send("step", session=session, step=2, action=action)
    child = int(client.receive()["ok"]["observation"])
    family = [below.pid for below in descendants(process.pid)]
    assert child in family and len(family) >= 6  # four workers, that child, and what they were forked from
    process.kill()
    wait_until(lambda: not any(map(alive, family)))
    shutil.rmtree(scratch.pop("stick"), ignore_errors=True)  # stuck in foreign code: the next server sweeps it up
    assert [action for action, folder in scratch.items() if folder.exists()] == []


# ── a real world ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_treasure_hunt_is_the_same_in_two_processes(connect: Connect) -> None:
    with serving(ServerOptions(), WORLDS) as server:
        client = connect(server.endpoint)
        sessions = [client.open("textworld/hunt") for _ in range(2)]
        for session in sessions:
            assert "Room" in client.call("reset", session=session)["observation"]
        for step in range(1, 31):
            actions, again = (client.call("validActions", session=session)["actions"] for session in sessions)
            assert actions == again
            action = actions[step * 7 % len(actions)]
            turns = [client.call("step", session=session, step=step, action=action) for session in sessions]
            assert turns[0] == turns[1]
        truths = [client.call("truth", session=session) for session in sessions]
        assert truths[0] == truths[1]

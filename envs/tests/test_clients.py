"""Who may use a server, and how much of it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
import zmq

from labyrinth_envs.addresses import ServeError
from labyrinth_envs.keys import add_client, revoke_client, write_keys
from labyrinth_envs.server import Server, ServerOptions
from tests.support import TINY, Connect, serving

ENVS = Path(__file__).parents[1]
Start = Callable[..., "subprocess.Popen[str]"]


def test_keys_let_their_client_in_and_nobody_else(tmp_path: Path, connect: Connect) -> None:
    write_keys(tmp_path / "ours")
    write_keys(tmp_path / "theirs")
    stranger = tmp_path / "theirs" / "client.key_secret"
    text = stranger.read_text()
    ours = (tmp_path / "ours" / "client.key_secret").read_text()
    line = next(line for line in text.splitlines() if "server-key" in line)
    stranger.write_text(text.replace(line, next(line for line in ours.splitlines() if "server-key" in line)))
    with serving(ServerOptions(bind="tcp://0.0.0.0:*", keys=tmp_path / "ours"), TINY) as server:
        endpoint = server.endpoint.replace("0.0.0.0", "127.0.0.1")
        plain, wrong = connect(endpoint), connect(endpoint, stranger)
        right = connect(endpoint, tmp_path / "ours" / "client.key_secret")
        session = right.open()
        assert right.call("reset", session=session)["observation"] == "ready"
        for outsider in (plain, wrong):
            outsider.socket.sndtimeo = 500  # once turned away, a client has nobody to send to
            with pytest.raises((TimeoutError, zmq.Again)):
                outsider.send("ping")
                outsider.receive(0.5)


def test_a_client_that_is_added_comes_in_and_one_that_is_revoked_is_told_so(tmp_path: Path, connect: Connect) -> None:
    write_keys(tmp_path)
    with serving(ServerOptions(bind="tcp://0.0.0.0:*", keys=tmp_path), TINY) as server:
        endpoint = server.endpoint.replace("0.0.0.0", "127.0.0.1")
        first = connect(endpoint, tmp_path / "client.key_secret")
        session = first.open()
        second = connect(endpoint, add_client(tmp_path, "second"))
        assert second.call("ping") == {"sessions": 1}
        assert second.refusal("reset", session=session).code == "unknown-session"
        revoke_client(tmp_path, "client")
        assert "revoked" in str(first.refusal("reset", session=session))
        assert second.call("ping") == {"sessions": 1}


def test_no_client_takes_more_than_its_part_of_the_sessions(tmp_path: Path, connect: Connect) -> None:
    write_keys(tmp_path)
    other = add_client(tmp_path, "other")
    with serving(ServerOptions(keys=tmp_path, max_sessions=4), TINY) as server:
        greedy, modest = connect(server.endpoint, tmp_path / "client.key_secret"), connect(server.endpoint, other)
        held = [greedy.open(), greedy.open()]
        assert greedy.refusal("open", world="tiny/counter", params={}).code == "too-many-sessions"
        modest.open()
        greedy.call("close", session=held[0])
        greedy.open()


def test_games_are_opened_below_the_named_folders_alone(tmp_path: Path, connect: Connect) -> None:
    write_keys(tmp_path / "keys")
    folder = tmp_path / "games: A, B"
    folder.mkdir()
    outside, inside, link = tmp_path / "a.json", folder / "a.json", folder / "link.json"
    for path in (outside, inside):
        path.write_text("{}")
    link.symlink_to(outside)
    ring = folder / "ring.json"
    ring.symlink_to(ring)
    worlds = {"tiny/file": "tests.tiny_world:TinyFile"}
    for games, refused in (((folder,), [outside, link]), (None, [inside, outside, link])):
        with serving(ServerOptions(keys=tmp_path / "keys", games=games), worlds) as server:
            client = connect(server.endpoint, tmp_path / "keys" / "client.key_secret")
            for path in (outside, inside, link):
                if path in refused:
                    assert "--games" in str(client.refusal("open", world="tiny/file", params={"path": str(path)}))
                else:
                    client.open("tiny/file", path=str(path))
            for path in (Path("a\0"), ring):
                assert client.refusal("open", world="tiny/file", params={"path": str(path)}).code == "bad-parameter"
    with serving(ServerOptions(), worlds) as server:  # this machine's own user
        connect(server.endpoint).open("tiny/file", path=str(outside))


def test_keys_without_clients_are_refused(tmp_path: Path) -> None:
    write_keys(tmp_path)
    (tmp_path / "clients" / "client.key").unlink()
    with pytest.raises(ServeError, match="names no client"):
        Server(ServerOptions(keys=tmp_path))

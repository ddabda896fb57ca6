from __future__ import annotations

from pathlib import Path

import pytest
import zmq.auth

from labyrinth_envs.keys import (
    KeyFolderError,
    add_client,
    read_client_keys,
    read_server_keys,
    revoke_client,
    write_keys,
)


def test_write_keys_makes_a_pair_for_each_side(tmp_path: Path) -> None:
    folder = tmp_path / "keys"
    paths = write_keys(folder)
    assert sorted(path.relative_to(folder).as_posix() for path in paths) == [
        "client.key_secret",
        "clients/client.key",
        "server.key",
        "server.key_secret",
    ]
    assert {path.name: oct(path.stat().st_mode & 0o777) for path in paths if path.suffix == ".key_secret"} == {
        "client.key_secret": "0o600",
        "server.key_secret": "0o600",
    }
    server_public, server_secret = read_server_keys(folder)
    public, secret, server = read_client_keys(folder / "client.key_secret")
    assert server == server_public == zmq.auth.load_certificate(folder / "server.key")[0]
    assert public == zmq.auth.load_certificate(folder / "clients" / "client.key")[0]
    assert zmq.curve_public(secret) == public
    assert zmq.curve_public(server_secret) == server_public
    assert public != server_public


def test_write_keys_refuses_to_overwrite(tmp_path: Path) -> None:
    write_keys(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.key*")}
    with pytest.raises(KeyFolderError, match="server.key.* already"):
        write_keys(tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.key*")} == before


def test_write_keys_names_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KeyFolderError, match="choose another folder"):
        write_keys(tmp_path / "file" / "keys")


@pytest.mark.parametrize("content", [None, "", "curve\n", 'curve\n    public-key = "x"\n', "\xff"])
def test_read_keys_names_the_file_when_it_holds_none(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "server.key_secret").write_bytes(content.encode("latin-1"))
        (tmp_path / "client.key_secret").write_bytes(content.encode("latin-1"))
    with pytest.raises(KeyFolderError, match="server.key_secret"):
        read_server_keys(tmp_path)
    with pytest.raises(KeyFolderError, match="client.key_secret"):
        read_client_keys(tmp_path / "client.key_secret")


def test_add_client_admits_one_more_and_revoke_client_shuts_it_out(tmp_path: Path) -> None:
    write_keys(tmp_path)
    file = add_client(tmp_path, "ada")
    assert file == tmp_path / "for-ada" / "client.key_secret"
    assert oct(file.stat().st_mode & 0o777) == "0o600"
    public, secret, server = read_client_keys(file)
    assert (zmq.curve_public(secret), server) == (public, read_server_keys(tmp_path)[0])
    assert zmq.auth.load_certificate(tmp_path / "clients" / "ada.key")[0] == public
    with pytest.raises(KeyFolderError, match="already"):
        add_client(tmp_path, "ada")
    assert revoke_client(tmp_path, "ada") == tmp_path / "clients" / "ada.key"
    with pytest.raises(KeyFolderError, match="admits client"):
        revoke_client(tmp_path, "ada")


@pytest.mark.parametrize("name", ["", "../x", "a b", "a/b", ".key"])
def test_add_client_wants_a_plain_name(tmp_path: Path, name: str) -> None:
    write_keys(tmp_path)
    with pytest.raises(KeyFolderError, match="letters"):
        add_client(tmp_path, name)

"""CURVE keys: who may talk to a server that listens beyond this machine.

One folder holds everything: `server.key` and `server.key_secret` (stay with the server), `clients/` (a `.key` file for
each client that may come in) and `client.key_secret`, which is all that a client needs: its own pair, and under
`metadata` the server's public key. All are text files in ZeroMQ's own certificate format (ZPL).
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import zmq
import zmq.auth


class KeyFolderError(Exception):
    """The folder cannot be written or read as one of keys; the message names the remedy."""


def write_keys(folder: Path) -> list[Path]:
    """Makes a server's and one client's keys; private files can be read by their owner alone.

    Raises:
        KeyFolderError: there are keys already, or the folder cannot be written.
    """
    names = ["server.key", "server.key_secret", "client.key_secret", "clients/client.key"]
    there = [name for name in names if (folder / name).exists()]
    if there:
        raise KeyFolderError(f'cannot write keys: "{folder}" has {", ".join(there)} already; choose another folder')
    before = os.umask(0o077)
    try:
        (folder / "clients").mkdir(parents=True, exist_ok=True)
        public, _ = zmq.auth.create_certificates(folder, "server")
        server_key, _ = zmq.auth.load_certificate(public)
        zmq.auth.create_certificates(folder, "client", {"server-key": f'"{server_key.decode()}"'})
        (folder / "client.key").rename(folder / "clients" / "client.key")
    except OSError as error:
        raise KeyFolderError(f'cannot write keys to "{folder}": {error.strerror}; choose another folder') from None
    finally:
        os.umask(before)
    return [folder / name for name in names]


def read_server_keys(folder: Path) -> tuple[bytes, bytes]:
    """The server's public and secret key.

    Raises:
        KeyFolderError: the files are missing or are no certificates.
    """
    path = folder / "server.key_secret"
    try:
        public, secret = zmq.auth.load_certificate(path)
    except (OSError, ValueError):
        public, secret = b"", None
    if secret is None or len(secret) != 40:
        raise KeyFolderError(f'cannot read a server\'s keys from "{path}"; write them with: ./lab keys {folder}')
    return public, secret


def read_client_keys(path: Path) -> tuple[bytes, bytes, bytes]:
    """A client's public and secret key and its server's public key, from `client.key_secret`.

    Raises:
        KeyFolderError: the file is missing or holds no such keys.
    """
    try:
        public, secret = zmq.auth.load_certificate(path)
        lines = [line.strip() for line in path.read_text().splitlines()]
    except (OSError, ValueError):
        public, secret, lines = b"", None, []
    server = [line.partition("=")[2].strip().strip('"') for line in lines if line.startswith("server-key")]
    if secret is None or not server:
        raise KeyFolderError(f'cannot read a client\'s keys from "{path}"; take the one that ./lab keys has written')
    return public, secret, server[0].encode()


def guard(socket: zmq.Socket[bytes], context: zmq.Context[zmq.Socket[bytes]], folder: Path) -> zmq.auth.Authenticator:
    """Lets only the clients in `folder`/clients talk to `socket`; to be called before it is bound.

    Whenever the `zap_socket` of what is returned is readable, `admit` has to be called.

    Raises:
        KeyFolderError: no keys to be had from the folder.
    """
    public, secret = read_server_keys(folder)
    if not list((folder / "clients").glob("*.key")):
        raise KeyFolderError(f'"{folder / "clients"}" names no client; write keys with: ./lab keys {folder}')
    socket.curve_publickey, socket.curve_secretkey, socket.curve_server = public, secret, True
    authenticator = zmq.auth.Authenticator(context)
    authenticator.start()
    authenticator.configure_curve(domain="*", location=str(folder / "clients"))
    return authenticator


def admit(authenticator: zmq.auth.Authenticator) -> None:
    """Decides about one client that knocks."""
    message = authenticator.zap_socket.recv_multipart()
    asyncio.run(authenticator.handle_zap_message(message))

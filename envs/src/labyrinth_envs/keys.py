"""CURVE keys: they decide which clients may use a server that other machines can reach.

One folder holds everything: `server.key` and `server.key_secret` (stay with the server), `clients/` (a `.key` file for
each admitted client) and `client.key_secret`, which is all that a client needs: its own pair, and under
`metadata` the server's public key. All are text files in ZeroMQ's own certificate format (ZPL).
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import zmq
import zmq.auth


class KeyFolderError(Exception):
    """The key folder cannot be written or read; the message names the remedy."""


def write_keys(folder: Path) -> list[Path]:
    """Writes the keys of a server and of one client; only their owner can read the private files.

    Raises:
        KeyFolderError: the folder holds keys already, or cannot be written.
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
    """Reads the server's public and secret key.

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
    """Reads a client's public and secret key and its server's public key from `client.key_secret`.

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
    """Restricts `socket` to the clients in `folder`/clients; must be called before it is bound.

    Returns:
        An authenticator; call `admit` whenever its `zap_socket` is readable.

    Raises:
        KeyFolderError: the folder has no readable keys.
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
    """Accepts or rejects one client that connects."""
    message = authenticator.zap_socket.recv_multipart()
    asyncio.run(authenticator.handle_zap_message(message))

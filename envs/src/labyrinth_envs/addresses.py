"""The addresses that a server may listen on."""

from __future__ import annotations

import errno
import ipaddress
import re

import zmq


class ServeError(Exception):
    """The server cannot start; the message is one line with the remedy."""


def check_address(bind: str, guarded: bool) -> None:
    """Checks an address before it is bound; `guarded` says whether the server has keys.

    Raises:
        ServeError: it is no address, or other machines can reach it and there are no keys.
    """
    if not bind.startswith("ipc://") and not split_address(bind)[0]:  # ZeroMQ takes 99999 for another port
        raise ServeError(f'"{bind}" is no address; --bind takes tcp://HOST:PORT, such as tcp://127.0.0.1:*')
    if not guarded and not is_local(bind):
        remedy = "write keys with ./lab keys DIR and start it with --keys DIR"
        raise ServeError(f"refusing to listen on {bind} without keys, for anybody could come in; {remedy}")


def cannot_listen(bind: str, error: zmq.ZMQError) -> ServeError:
    """The error for an address that ZeroMQ cannot bind."""
    why = "the port is in use" if error.errno == errno.EADDRINUSE else error.strerror
    remedy = "choose another address with --bind, such as tcp://127.0.0.1:* for any free port"
    return ServeError(f"cannot listen on {bind}: {why}; {remedy}")


def is_local(bind: str) -> bool:
    """Whether only processes of this machine can reach the address."""
    if bind.startswith(("ipc://", "inproc://")):
        return True
    host, _ = split_address(bind)
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def split_address(bind: str) -> tuple[str, str]:
    """Splits `tcp://HOST:PORT` into host and port (0 to 65535, or `*`); both are empty for any other text."""
    found = re.fullmatch(r"tcp://(?:\[([^\]]+)\]|([^:]+)):(\*|\d{1,5})", bind)
    if found is None or (found[3] != "*" and int(found[3]) > 65535):
        return "", ""
    return found[1] or found[2], found[3]

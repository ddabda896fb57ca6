"""Servers and clients for a test, closed after it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from labyrinth_envs.server import ServerOptions
from tests.support import SHORTENED, TINY, Client, Connect, Serve, serving

os.environ.setdefault("LABYRINTH_CACHE", str(Path(__file__).parents[2] / ".lab" / "games"))

# A worker imports the program that its server belongs to; here that is pytest, which takes longer than all the rest.
sys.modules["__main__"].__dict__.pop("__file__", None)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says at the end what was left out, as it is said of skipped tests."""
    for line in SHORTENED:
        terminalreporter.write_line(line)


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts a server with the tiny world (or `worlds`) and the given options; returns a client of it."""
    with ExitStack() as stack:

        def start(worlds: dict[str, str] = TINY, **options: Any) -> Client:
            server = stack.enter_context(serving(ServerOptions(**options), worlds))
            client = Client(server.endpoint)
            client.server = server
            stack.callback(client.close)
            return client

        yield start


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Connects clients to an endpoint, and closes them after the test."""
    with ExitStack() as stack:

        def make(endpoint: str, key_file: Path | None = None) -> Client:
            client = Client(endpoint, key_file)
            stack.callback(client.close)
            return client

        yield make

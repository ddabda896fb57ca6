"""Tests of how much memory is at hand, and of a server that has too little of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from labyrinth_envs import memory
from tests.support import Serve


def test_memory_at_hand_is_what_the_system_has_within_the_limit_of_a_container(tmp_path: Path) -> None:
    meminfo, none = tmp_path / "meminfo", tmp_path / "none"
    meminfo.write_text("MemTotal: 9000000 kB\nMemAvailable: 4096000 kB\n")
    assert memory.memory_at_hand(none, none) is None
    assert memory.memory_at_hand(meminfo, none) == 4000
    megabyte = 2**20
    sizes = {
        "memory.max": f"{3000 * megabyte}",
        "memory.current": f"{1000 * megabyte}",
        "memory.stat": f"inactive_file {500 * megabyte}",
    }
    for name, text in sizes.items():
        (tmp_path / name).write_text(text)
    assert memory.memory_at_hand(meminfo, tmp_path) == 2500
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.memory_at_hand(meminfo, tmp_path) == 4000


def test_a_server_without_memory_opens_one_session_and_refuses_another(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "memory_at_hand", lambda: 1200.0)
    client = serve()
    session = client.open()
    refusal = client.refusal("open", world="tiny/counter")
    assert refusal.code == "too-many-sessions"
    assert "1200 MB of memory at hand" in refusal.message
    monkeypatch.setattr(memory, "memory_at_hand", lambda: 1224.0)
    client.open()
    client.call("close", session=session)

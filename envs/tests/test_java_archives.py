"""The archives of Java's classes: that Java takes them, and starts without one that does not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from labyrinth_envs import java_archives

express = pytest.importorskip("labyrinth_envs.textworld_express.simulator", reason="textworld-express is not installed")


def test_java_starts_from_the_archive_that_was_made_with_the_packages_and_without_one_that_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java_archives.make(express.Simulator, java_archives.PLAYS[express.__name__])  # where the set-up has made none
    archive = express.Simulator.archive()
    only = "-Xshare:on"  # Java ends where it cannot take its archive
    first = played(express.Simulator(256, only))
    place = tmp_path / archive.name
    monkeypatch.setattr(express.Simulator, "archive", classmethod(lambda _: place))
    with pytest.raises(Exception, match=r"Cannot start Java for TextWorld-Express \(exit status 1\)"):
        express.Simulator(256, only)
    whole = archive.read_bytes()
    middle = len(whole) // 2
    damaged = whole[:middle] + bytes(4096) + whole[middle + 4096 :]
    for content in (damaged, whole[:-4096], b"no archive"):
        place.write_bytes(content)
        assert played(express.Simulator(256)) == first


def played(java: Any) -> Any:
    try:
        return java.load("coin", {}, 3, "train")
    finally:
        java.close()

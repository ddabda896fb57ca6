"""Gold paths made by these tests are kept for the session and no longer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from labyrinth_envs.scienceworld.world import ScienceWorld
from tests.support import opening

Open = Callable[..., ScienceWorld]


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The cache folder."""
    folder = tmp_path_factory.mktemp("gold")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LABYRINTH_CACHE", str(folder))
        yield folder


@pytest.fixture
def open_world() -> Iterator[Open]:
    """Worlds that are closed after the test."""
    with opening(ScienceWorld) as make:
        yield make

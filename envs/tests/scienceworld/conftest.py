"""Gold paths made by these tests are kept for the session and no longer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from labyrinth_envs.error_messages import check_parameters
from labyrinth_envs.scienceworld.world import ScienceWorld

Open = Callable[..., ScienceWorld]


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The cache folder."""
    folder = tmp_path_factory.mktemp("gold")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LABYRINTH_CACHE", str(folder))
        yield folder


@contextmanager
def opening() -> Iterator[Open]:
    """Opens worlds in this process with parameters as they stand on the wire, and closes them at the end."""
    with ExitStack() as stack:

        def make(**params: Any) -> ScienceWorld:
            world = ScienceWorld(check_parameters("scienceworld", ScienceWorld.Parameters, params))  # type: ignore[arg-type]
            stack.callback(world.close)
            return world

        yield make


@pytest.fixture
def open_world() -> Iterator[Open]:
    """Worlds that are closed after the test."""
    with opening() as make:
        yield make

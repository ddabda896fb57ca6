"""Gold paths made by these tests are kept for the session and no longer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from labyrinth_envs.error_messages import check_parameters
from labyrinth_envs.scienceworld.world import ScienceWorld, ScienceWorldParameters
from tests.support import opening

Open = Callable[..., ScienceWorld]


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The cache folder."""
    folder = tmp_path_factory.mktemp("gold")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LABYRINTH_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="module")
def idle() -> Iterator[list[ScienceWorld]]:
    """Worlds of tests that are over, whose Java those to come take over: to start it is most of what a test takes."""
    worlds: list[ScienceWorld] = []
    yield worlds
    for world in worlds:
        world.close()


@pytest.fixture
def open_world(idle: list[ScienceWorld]) -> Iterator[Open]:
    """Worlds that take over the Java of an earlier test where one is idle."""
    opened: list[ScienceWorld] = []

    def make(**params: object) -> ScienceWorld:
        checked = check_parameters("scienceworld", ScienceWorldParameters, params)
        assert isinstance(checked, ScienceWorldParameters)
        world = ScienceWorld(checked)
        if idle:
            idle.pop().hand_on(world)
        opened.append(world)
        return world

    yield make
    idle += opened


@pytest.fixture
def open_alone() -> Iterator[Open]:
    """Worlds that start a Java of their own, and are closed after the test."""
    with opening(ScienceWorld) as make:
        yield make

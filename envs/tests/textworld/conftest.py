"""Games compiled by these tests are kept for the session and no longer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The cache folder."""
    folder = tmp_path_factory.mktemp("games")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LABYRINTH_CACHE", str(folder))
        yield folder

"""Games that Labyrinth makes, each made once on a machine: making one is most of what opening it takes.

An entry is kept by the SHA-256 of the makers' code, the world and the parameters that the game follows from: its
identity, what Labyrinth knows of it, and the game itself where it runs by rules alone. A compiled one lies beside it.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy
import textworld
from pydantic import BaseModel

from labyrinth_envs.story_file import is_story_file
from labyrinth_envs.textworld.base import Opened, prepared
from labyrinth_envs.textworld.cache import story_of
from labyrinth_envs.textworld.gamedata import GameData
from labyrinth_envs.world import cache_folder, keep

PLAYED = {"step_limit", "rewards", "effort"}
"""Parameters that say how a game is played, and change nothing in it."""


def made(world: str, parameters: BaseModel, make: Callable[[], tuple[GameData, int]]) -> tuple[Opened, int]:
    """The game of a world with these parameters, and its solution's length; `make` gives both where none is kept."""
    named = [CODE, world, parameters.model_dump(mode="json", exclude=PLAYED)]
    place = cache_folder() / f"{sha256(json.dumps(named, sort_keys=True).encode()).hexdigest()}.made.z"
    entry = _read(place)
    if entry is None:
        data, solution = make()
        opened = prepared(data, getattr(parameters, "rename", None), world)
        game = None if isinstance(opened.story, Path) else opened.story
        written = json.dumps({"identity": opened.identity, "about": opened.about, "game": game, "solution": solution})
        with suppress(OSError):  # no room, or no right: it is made again
            keep(place, zlib.compress(written.encode(), 1))
        entry = json.loads(written)
    story: Path | GameData = entry["game"] or story_of(entry["identity"])
    return Opened(story, entry["about"], entry["identity"]), entry["solution"]


def _code() -> str:
    sources = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
    return sha256(sources + f"{textworld.__version__} {numpy.__version__}".encode()).hexdigest()


CODE = _code()
"""SHA-256 (hex) of what makes games: this package's sources, and the versions of what they call."""


def _read(place: Path) -> Any:
    """What is kept there; `None` where nothing is, it was cut off or changed, or its compiled game is not whole."""
    try:
        entry = json.loads(zlib.decompress(place.read_bytes()))  # zlib has a checksum
    except (OSError, zlib.error, ValueError):
        return None
    return entry if entry["game"] or is_story_file(story_of(entry["identity"])) else None

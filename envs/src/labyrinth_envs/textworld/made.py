"""Games that Labyrinth makes, each made once on a machine: making one is most of what opening it takes.

An entry is kept by the SHA-256 of the makers' code, the world and the parameters that the game follows from: its
identity, what Labyrinth knows of it, and the game itself where it runs by rules alone. A compiled one lies beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from pydantic import BaseModel

from labyrinth_envs.cache import Entry
from labyrinth_envs.story_file import is_story_file
from labyrinth_envs.textworld.base import Opened, prepared
from labyrinth_envs.textworld.cache import story_of
from labyrinth_envs.textworld.gamedata import GameData

PLAYED = {"step_limit", "rewards", "effort", "moves_a_step"}
"""Parameters that say how a game is played, and change nothing in it."""


def made(world: str, parameters: BaseModel, make: Callable[[], GameData]) -> Opened:
    """The game of a world with these parameters, which `make` gives where none is kept."""
    entry = Entry("made", CODE, world, parameters.model_dump(mode="json", exclude=PLAYED))
    kept = entry.read()
    if kept is not None:
        opened = _opened(kept)
        with suppress(OSError):  # what lies there cannot be read: `prepared` says what to do
            if not isinstance(opened.story, Path) or is_story_file(opened.story):
                return opened
    opened = prepared(make(), getattr(parameters, "rename", None), world)
    game = None if isinstance(opened.story, Path) else opened.story
    content = json.dumps({"identity": opened.identity, "about": opened.about, "game": game}).encode()
    entry.try_write(content)
    return _opened(content)


def _code() -> str:
    sources = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
    return sha256(sources + str([version(name) for name in ("textworld", "numpy", "networkx")]).encode()).hexdigest()


CODE = _code()
"""SHA-256 (hex) of what makes games: this package's sources, and the versions of the packages that draw with them."""


def _opened(content: bytes) -> Opened:
    kept = json.loads(content)
    return Opened(kept["game"] or story_of(kept["identity"]), kept["about"], kept["identity"])

"""The catalogue: one line a world."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from labyrinth_envs.extras import remedy
from labyrinth_envs.world import World, WorldError

WORLDS: dict[str, str] = {
    "alfworld": "labyrinth_envs.alfworld.worlds:Alfworld",
    "babyai": "labyrinth_envs.babyai.world:BabyAI",
    "babyai/sized": "labyrinth_envs.babyai.sized:Sized",
    "scienceworld": "labyrinth_envs.scienceworld.world:ScienceWorld",
    "nethack": "labyrinth_envs.nethack.world:NetHack",
    "textworld/hunt": "labyrinth_envs.textworld.worlds:Hunt",
    "textworld/hunt-hard": "labyrinth_envs.textworld.worlds:HuntHard",
    "textworld/hunt-hardest": "labyrinth_envs.textworld.worlds:HuntHardest",
    "textworld/long-hunt": "labyrinth_envs.textworld.worlds:LongHunt",
    "textworld/cleaning": "labyrinth_envs.textworld.worlds:Cleaning",
    "textworld/long-cleaning": "labyrinth_envs.textworld.worlds:LongCleaning",
    "textworld/cooking": "labyrinth_envs.textworld.worlds:Cooking",
    "textworld/cooking-hard": "labyrinth_envs.textworld.worlds:CookingHard",
    "textworld/cooking-hardest": "labyrinth_envs.textworld.worlds:CookingHardest",
    "textworld/rl-benchmark": "labyrinth_envs.textworld.worlds:RlBenchmark",
    "textworld/file": "labyrinth_envs.textworld.worlds:File",
    "textworld-express": "labyrinth_envs.textworld_express.world:TextWorldExpress",
    "jericho": "labyrinth_envs.jericho.world:Jericho",
    "minihack": "labyrinth_envs.minihack.world:MiniHack",
}
"""World id → `module:Class`, imported when first asked for."""

PRELOAD: tuple[str, ...] = (
    "pydantic",
    "numpy",
    "labyrinth_envs.textworld",
    "textworld.core",
    "textworld.envs",
    "textworld.generator",
    "labyrinth_envs.textworld.warm",
)
"""Modules that the fork server imports once, so that opening a session needs a fork and no import."""


def load_world(id: str, target: str) -> type[World]:
    """The class of a world, which `target` names as `module:Class`.

    Raises:
        WorldError: `unknown-world`; a package that the world needs is not installed here.
    """
    module, _, name = target.partition(":")
    try:
        return cast("type[World]", getattr(import_module(module), name))
    except ImportError as error:
        if not is_missing_package(error, target):
            raise
        message = f"Cannot open {id}: {error}; {remedy(id.partition('/')[0])}"
        raise WorldError("unknown-world", message) from error


def is_missing_package(error: BaseException, target: str) -> bool:
    """Whether importing `target` failed on a third-party package; a failure on its own package is a bug."""
    return isinstance(error, ImportError) and (error.name or "").partition(".")[0] != target.partition(".")[0]

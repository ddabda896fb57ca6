"""The catalogue: one line a world."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from labyrinth_envs.world import World

WORLDS: dict[str, str] = {
    "alfworld": "labyrinth_envs.alfworld.worlds:Alfworld",
    "babyai": "labyrinth_envs.babyai.world:BabyAI",
    "scienceworld": "labyrinth_envs.scienceworld.world:ScienceWorld",
    "nethack": "labyrinth_envs.nethack.world:NetHack",
    "textworld/hunt": "labyrinth_envs.textworld.worlds:Hunt",
    "textworld/hunt-hard": "labyrinth_envs.textworld.worlds:HuntHard",
    "textworld/hunt-hardest": "labyrinth_envs.textworld.worlds:HuntHardest",
    "textworld/cleaning": "labyrinth_envs.textworld.worlds:Cleaning",
    "textworld/cooking": "labyrinth_envs.textworld.worlds:Cooking",
    "textworld/cooking-hard": "labyrinth_envs.textworld.worlds:CookingHard",
    "textworld/cooking-hardest": "labyrinth_envs.textworld.worlds:CookingHardest",
    "textworld/rl-benchmark": "labyrinth_envs.textworld.worlds:RlBenchmark",
    "textworld/file": "labyrinth_envs.textworld.worlds:File",
}
"""World id → `module:Class`, imported when first asked for."""

PRELOAD: tuple[str, ...] = (
    "pydantic",
    "numpy",
    "textworld",
    "textworld.core",
    "textworld.envs",
    "textworld.generator",
    "labyrinth_envs.textworld.warm",
)
"""Modules that the parent of all workers imports once, so that opening a session costs a fork and no import."""


def load_class(target: str) -> type[World]:
    """The class that `module:Class` names."""
    module, _, name = target.partition(":")
    return cast("type[World]", getattr(import_module(module), name))

"""What these tests share; where the packages are not installed, importing it skips the module that does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from labyrinth_envs.world import Turn, WorldError

try:
    from labyrinth_envs.alfworld import engine, files, frozen, generate, package, texts
    from labyrinth_envs.alfworld.household import OFFICIAL, Household, TaskType
    from labyrinth_envs.alfworld.worlds import Alfworld, AlfworldParameters
except WorldError as error:
    pytest.skip(error.message, allow_module_level=True)

__all__ = ["OFFICIAL", "Alfworld", "Household", "TaskType", "engine", "files", "frozen", "generate", "package", "texts"]


def opened(**parameters: object) -> Alfworld:
    """The world with these parameters, as they stand on the wire."""
    return Alfworld(AlfworldParameters.model_validate(parameters, strict=True))


def solve(world: Alfworld) -> list[Turn]:
    """Plays the known plan from a reset; every action of it must be offered, and none but the last ends the episode."""
    turns = [world.reset()]
    for action in world.truth()["plan"]:
        assert turns[-1].end is None and action in (world.valid_actions() or []), action
        turns.append(world.step(action))
    return turns


def write(folder: Path, game: engine.Game, **more: object) -> Path:
    """A game as a `.tw-pddl` file of ALFWorld."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "game.tw-pddl"
    data = {"pddl_domain": game.domain, "grammar": game.grammar, "pddl_problem": game.problem}
    path.write_text(json.dumps(data | {"solvable": True, "walkthrough": []} | more))
    return path

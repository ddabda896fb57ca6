"""BabyAI of any size: a maze that is drawn when the world is opened."""

from __future__ import annotations

import math
from typing import ClassVar

from minigrid import __version__ as minigrid_version

from labyrinth_envs.babyai import maze
from labyrinth_envs.babyai.level import Level
from labyrinth_envs.babyai.parameters import PlayParameters, SizedParameters
from labyrinth_envs.babyai.world import BabyAI

VERSION = f"1 (minigrid {minigrid_version})"
"""Raised whenever the same parameters may draw another map, or the same calls may be shown another outcome."""


class Sized(BabyAI):
    """BabyAI of 2 × 2 to 10 × 10 rooms drawn by seed, with rooms of several shapes and up to three locks."""

    id: ClassVar[str] = "babyai/sized"
    Parameters: ClassVar[type[PlayParameters]] = SizedParameters

    def __init__(self, parameters: SizedParameters) -> None:
        drawn = (parameters.size, parameters.density, parameters.locks, parameters.merged, parameters.seed)
        layout = maze.draw(*drawn, [parameters.mission])
        limit = math.ceil(parameters.effort * len(layout.mission(parameters.mission).oracle))
        level = Level(layout, parameters.mission, limit, parameters.doorway_view)
        self._open(parameters, level, VERSION)

"""minigrid's BabyAIBot as the oracle that solves a mission; it serves to check layouts and as a trajectory to compare.

It explores like an agent but knows where keys are, so its way is short, not shortest.
"""

from __future__ import annotations

from typing import Any

import minigrid.utils.baby_ai_bot as package

from labyrinth_envs.babyai.layouts import Layout, MissionName
from labyrinth_envs.babyai.level import Level

_Bot: Any = package.BabyAIBot
LETTERS = "lrfpdt"
"""The primitives left, right, forward, pickup, drop and toggle as they are written in layouts."""


def solve(layout: Layout, mission: MissionName, max_steps: int) -> str | None:
    """The oracle's actions to the goal, a letter each; None where it finds no way within the steps."""
    level = Level(layout, mission, max_steps)
    level.begin()
    bot = _Bot(level)
    actions: list[int] = []
    try:
        while len(actions) < max_steps:
            action = bot.replan(actions[-1] if actions else None)
            if int(action) >= len(LETTERS):  # it thinks that it is done
                return None
            actions.append(int(action))
            won = level.step(action)[2]  # type: ignore[no-untyped-call]
            if won:
                return "".join(LETTERS[number] for number in actions)
    except (AssertionError, package.DisappearedBoxError):  # it is lost
        return None
    return None

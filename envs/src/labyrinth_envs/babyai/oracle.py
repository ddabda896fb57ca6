"""Oracles that solve a mission: they serve to check layouts and as trajectories to compare.

minigrid's BabyAIBot explores like an agent but knows where keys are. The guide knows the whole map: it is the heuristic
actor, told what to do next. Both ways are short, not shortest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import minigrid.utils.baby_ai_bot as package

from labyrinth_envs.babyai.actor import Actor
from labyrinth_envs.babyai.dsl import Call, parse
from labyrinth_envs.babyai.filters import unlocking
from labyrinth_envs.babyai.layouts import Layout, MissionName, OpenDoor
from labyrinth_envs.babyai.level import Level

_Bot: Any = package.BabyAIBot
LETTERS = "lrfpdt"
"""The primitives left, right, forward, pickup, drop and toggle as they are written in layouts."""
GUIDED_STEPS = 10_000


def solve(layout: Layout, mission: MissionName, max_steps: int) -> str | None:
    """The bot's actions to the goal, a letter each; None where it finds no way within the steps."""
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


def guide(layout: Layout, mission: MissionName) -> str | None:
    """The guide's actions to the goal, a letter each, lock after lock; None where it gets stuck."""
    level = Level(layout, mission, GUIDED_STEPS)
    level.begin()
    actor = Actor(level, "global")
    actor.reveal()
    actor.look(level.sight())
    letters = []
    for call in _calls(layout, mission):
        for number in actor.plan(call):
            letters.append(LETTERS[number])
            _, _, won, over, _ = level.step(number)  # type: ignore[no-untyped-call]
            actor.look(level.sight())
            if won or over:
                return "".join(letters) if won else None
    return None


def _calls(layout: Layout, mission: MissionName) -> Iterator[Call]:
    task = layout.mission(mission)
    texts = [
        text
        for lock in unlocking(layout)
        for text in (
            f"pick_up_entity({lock.colour} key)",
            f"pass_door({lock.colour} door)",
            f"drop_entity({lock.colour} key)",
        )
    ]
    if isinstance(task, OpenDoor):
        texts.append(f"pass_door({task.door} door)")
    else:
        texts += [f"pick_up_entity({task.move})", f"drop_next_to_entity({task.move}, {task.fixed})"]
    return (call for text in texts if isinstance(call := parse(text), Call))

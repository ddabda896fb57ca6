"""The same game is the same in any process and after any play: see `labyrinth_envs.jvm.OPTIONS`."""

from __future__ import annotations

import random

import pytest

from labyrinth_envs.scienceworld.tasks import Task
from labyrinth_envs.scienceworld.world import ScienceWorldParameters
from labyrinth_envs.world import Turn
from tests.scienceworld.conftest import Open
from tests.support import many, some

GAMES: list[tuple[Task, int]] = [
    ("find-animal", 225),
    ("boil", 21),
    ("grow-fruit", 97),
    ("mendelian-genetics-known-plant", 90),
]
"""Games whose listings, physics or bees differed between two processes while hashes were drawn at random."""


@pytest.mark.parametrize(("task", "variation"), some(GAMES, 1))
def test_another_process_another_reset_and_another_session_show_the_same(
    open_world: Open, task: Task, variation: int
) -> None:
    one, two = open_world(task=task, variation=variation), open_world(task=task, variation=variation)
    draw = random.Random(variation)
    other = open_world(task="grow-plant", variation=3)  # its own Java: what others do has no part in it
    other.reset()
    first = one.reset()
    shown: list[Turn] = []
    taken: list[str] = []
    for _ in range(many(25, 10, "turns")):
        actions = one.valid_actions() or []
        action = draw.choice([action for action in actions if not action.startswith("focus")])
        taken.append(action)
        shown.append(one.step(action))
    for _ in range(2):
        assert two.reset() == first
        assert [two.step(action) for action in taken] == shown
    three = other.renewed(ScienceWorldParameters(task=task, variation=variation))
    try:
        assert three.reset() == first
        assert [three.step(action) for action in taken] == shown
    finally:
        three.close()

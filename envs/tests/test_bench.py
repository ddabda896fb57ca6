"""The yardstick of the benchmarks: worlds stepped without the server."""

import multiprocessing
from multiprocessing.queues import SimpleQueue

import pytest

from labyrinth_envs.babyai.world import BabyAI
from labyrinth_envs.bench import CYCLE_STEPS, bench
from labyrinth_envs.world import Turn


def drain(queue: SimpleQueue[str]) -> list[str]:
    """All that is in it."""
    found = []
    while not queue.empty():
        found.append(queue.get())
    return found


def test_all_sessions_are_stepped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each world is stepped as often in a process of its own, and none of these is left behind."""
    taken: SimpleQueue[str] = multiprocessing.get_context("fork").SimpleQueue()
    step = BabyAI.step

    def told(world: BabyAI, action: str) -> Turn:
        taken.put(action)
        return step(world, action)

    rounds = bench("babyai", {}, steps=2, sessions=3, seed=1)
    monkeypatch.setattr(BabyAI, "step", told)
    cycle = next(rounds)["cycle"]
    assert isinstance(cycle, list)
    assert len(cycle) == CYCLE_STEPS
    drain(taken)  # of choosing the cycle and of warming up
    rate = next(rounds)["stepsPerSecond"]
    assert isinstance(rate, float)
    assert rate > 0
    assert sorted(drain(taken)) == sorted(3 * cycle[:2])
    assert len(multiprocessing.active_children()) == 3
    rounds.close()
    assert multiprocessing.active_children() == []

"""How fast worlds are by themselves: each in a process of its own, no server and no ZeroMQ.

The yardstick for what the server adds: the same worlds are stepped through it with the same `cycle` of actions.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import time
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier

from labyrinth_envs.protocol import check_parameters, encode_turn
from labyrinth_envs.world import World, WorldError
from labyrinth_envs.worlds import WORLDS, load_class

CYCLE_STEPS = 50
"""Steps between two resets."""


def bench(world: str, params: dict[str, object], steps: int, sessions: int, seed: int) -> dict[str, object]:
    """Steps `sessions` worlds side by side, each for `steps` steps; every `CYCLE_STEPS` steps they are reset.

    Returns:
        `seconds` from the common start to the last end, `stepsPerSecond` over all sessions, and `cycle`: the actions
        that were taken again and again, chosen by `seed` among the valid ones, none of which ends the episode.
    """
    if world not in WORLDS:
        raise WorldError("unknown-world", f'unknown world "{world}"; there are {", ".join(sorted(WORLDS))}')
    cls = load_class(WORLDS[world])
    parameters = check_parameters(world, cls.Parameters, params)
    cycle = choose_cycle(cls(parameters), seed)
    context = multiprocessing.get_context("fork")
    barrier = context.Barrier(sessions)
    pipes, processes = [], []
    for _ in range(sessions):
        near, far = context.Pipe(duplex=False)
        processes.append(context.Process(target=_play, args=(far, barrier, cls, parameters, cycle, steps)))
        pipes.append(near)
    for process in processes:
        process.start()
    spans: list[tuple[float, float]] = [pipe.recv() for pipe in pipes]
    for process in processes:
        process.join()
    seconds = max(end for _, end in spans) - min(start for start, _ in spans)
    return {
        "world": world,
        "params": params,
        "steps": steps,
        "sessions": sessions,
        "seconds": seconds,
        "stepsPerSecond": steps * sessions / seconds,
        "cycle": cycle,
    }


def choose_cycle(world: World, seed: int) -> list[str]:
    """`CYCLE_STEPS` actions from the start that do not end the episode, drawn from the valid ones."""
    draw = random.Random(seed)
    world.reset()
    cycle: list[str] = []
    while len(cycle) < CYCLE_STEPS:
        actions = world.valid_actions() or [world.spec.fallback]
        action = draw.choice(sorted(actions))
        if world.step(action).end is None:
            cycle.append(action)
            continue
        world.reset()  # that one ended it: go back to where we were, and draw again
        for taken in cycle:
            world.step(taken)
    world.close()
    return cycle


def _play(
    pipe: Connection, barrier: Barrier, cls: type[World], parameters: object, cycle: list[str], steps: int
) -> None:
    os.setsid()  # as workers do: a scheduler that shares by session gives both the same
    world = cls(parameters)
    world.reset()
    for action in cycle:  # once before the time is taken: a world may keep what it has read
        world.step(action)
    barrier.wait()
    start = time.monotonic()
    for number in range(steps):
        if number % len(cycle) == 0:
            world.reset()
        encode_turn(world.step(cycle[number % len(cycle)]))
    pipe.send((start, time.monotonic()))
    world.close()

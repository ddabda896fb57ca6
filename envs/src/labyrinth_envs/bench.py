"""How fast worlds are by themselves: each in a process of its own, no server and no ZeroMQ.

The yardstick for what the server adds: the same worlds are stepped through it with the same `cycle` of actions.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import time
from collections.abc import Generator
from contextlib import suppress
from multiprocessing.connection import Connection

from labyrinth_envs.protocol import check_parameters, encode_turn
from labyrinth_envs.world import World, WorldError
from labyrinth_envs.worlds import WORLDS, load_class

CYCLE_STEPS = 50
"""Steps between two resets."""


def bench(
    world: str, params: dict[str, object], steps: int, sessions: int, seed: int
) -> Generator[dict[str, object], None, None]:
    """Steps `sessions` worlds side by side, each for `steps` steps a round; every `CYCLE_STEPS` steps they are reset.

    Yields:
        First `cycle`, before anything is timed: the actions that are taken again and again, chosen by `seed` among the
        valid ones, none of which ends the episode. Then, as often as it is asked, one round: `seconds` from the common
        start to the last end, and `stepsPerSecond` over all sessions.
    """
    if world not in WORLDS:
        raise WorldError("unknown-world", f'unknown world "{world}"; there are {", ".join(sorted(WORLDS))}')
    cls = load_class(WORLDS[world])
    parameters = check_parameters(world, cls.Parameters, params)
    cycle = choose_cycle(cls(parameters), seed)
    context = multiprocessing.get_context("fork")
    pipes, processes = [], []
    for _ in range(sessions):
        near, far = context.Pipe()
        process = context.Process(target=_play, args=(far, cls, parameters, cycle, steps), daemon=True)
        process.start()
        far.close()  # the process alone holds it: its end is heard here
        processes.append(process)
        pipes.append(near)
    try:
        for pipe in pipes:
            pipe.recv()
        yield {"world": world, "params": params, "steps": steps, "sessions": sessions, "cycle": cycle}
        while True:
            for pipe in pipes:
                pipe.send(True)
            spans: list[tuple[float, float]] = [pipe.recv() for pipe in pipes]
            seconds = max(end for _, end in spans) - min(start for start, _ in spans)
            yield {"seconds": seconds, "stepsPerSecond": steps * sessions / seconds}
    finally:
        for pipe in pipes:
            with suppress(OSError):  # it has ended already
                pipe.send(False)
        for process in processes:
            process.join()


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


def _play(pipe: Connection, cls: type[World], parameters: object, cycle: list[str], steps: int) -> None:
    parent = os.getppid()
    os.setsid()  # as workers do: a scheduler that shares by session gives both the same
    world = cls(parameters)
    world.reset()
    for action in cycle:  # once before the time is taken: a world may keep what it has read
        world.step(action)
    pipe.send(None)
    while _asked(pipe, parent):
        start = time.monotonic()
        for number in range(steps):
            if number % len(cycle) == 0:
                world.reset()
            encode_turn(world.step(cycle[number % len(cycle)]))
        pipe.send((start, time.monotonic()))
    world.close()


def _asked(pipe: Connection, parent: int) -> bool:
    """Whether another round is wanted; False, too, once nobody is left to want one."""
    while not pipe.poll(1):
        if os.getppid() != parent:
            return False
    return bool(pipe.recv())

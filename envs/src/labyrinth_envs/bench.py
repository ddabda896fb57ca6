"""A benchmark of worlds without server and ZeroMQ, each in a process of its own.

It is the baseline of the server's benchmark, which steps the same worlds with the same `cycle` of actions.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import time
from collections.abc import Generator
from contextlib import suppress
from multiprocessing.connection import Connection

from labyrinth_envs.error_messages import check_parameters
from labyrinth_envs.protocol import encode_turn
from labyrinth_envs.world import World, WorldError
from labyrinth_envs.worlds import WORLDS, load_world

CYCLE_STEPS = 50
"""Number of steps between two resets."""
DRAWS = 20
"""Number of actions that are tried for one step of the cycle if each of them ends the episode."""


def bench(
    world: str, params: dict[str, object], steps: int, sessions: int, seed: int
) -> Generator[dict[str, object], None, None]:
    """Steps `sessions` worlds in parallel, each for `steps` steps a round; every `CYCLE_STEPS` steps they are reset.

    Yields:
        First `cycle`, before anything is timed: the actions that are repeated, drawn with `seed` from the valid ones;
        none of them ends the episode. Then, at each further `next`, one round: `stepsPerSecond` over all sessions.
    """
    if world not in WORLDS:
        raise WorldError("unknown-world", f'unknown world "{world}"; there are {", ".join(sorted(WORLDS))}')
    cls = load_world(world, WORLDS[world])
    parameters = check_parameters(world, cls.Parameters, params)
    cycle = choose_cycle(cls(parameters), seed)
    context = multiprocessing.get_context("fork")
    pipes, started = [], []
    for _ in range(sessions):
        near, far = context.Pipe()
        process = context.Process(target=_play, args=(far, cls, parameters, cycle, steps), daemon=True)
        process.start()
        far.close()  # only the process holds it now, so that its end closes the pipe
        started.append(process)
        pipes.append(near)
    try:
        for pipe in pipes:
            pipe.recv()
        yield {"cycle": cycle}
        while True:
            for pipe in pipes:
                pipe.send(True)
            spans: list[tuple[float, float]] = [pipe.recv() for pipe in pipes]
            seconds = max(end for _, end in spans) - min(start for start, _ in spans)
            yield {"stepsPerSecond": steps * sessions / seconds}
    finally:
        for pipe in pipes:
            with suppress(OSError):  # it has ended already
                pipe.send(False)
        for process in started:
            process.join()


def choose_cycle(world: World, seed: int) -> list[str]:
    """Draws `CYCLE_STEPS` actions from the valid ones, none of which ends the episode.

    Raises:
        WorldError: after some actions, every action drawn ends the episode (such as at a lower step limit).
    """
    draw = random.Random(seed)
    world.reset()
    cycle: list[str] = []
    ended = 0
    while len(cycle) < CYCLE_STEPS:
        actions = world.valid_actions() or [world.spec.fallback]
        action = draw.choice(sorted(actions))
        if world.step(action).end is None:
            cycle.append(action)
            ended = 0
            continue
        ended += 1
        if ended == DRAWS:
            world.close()
            short = f"{CYCLE_STEPS} steps, and {DRAWS} actions that were tried at step {len(cycle) + 1} end the episode"
            message = f"the benchmark takes {short}; allow more steps in --params, such as a step limit of 1000"
            raise WorldError("bad-parameter", message)
        world.reset()  # the action ended the episode: replay the cycle so far and draw again
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
    while _wants_round(pipe, parent):
        start = time.monotonic()
        for number in range(steps):
            if number % len(cycle) == 0:
                world.reset()
            encode_turn(world.step(cycle[number % len(cycle)]))
        pipe.send((start, time.monotonic()))
    world.close()


def _wants_round(pipe: Connection, parent: int) -> bool:
    """Whether another round is requested; False also once the parent process is gone."""
    while not pipe.poll(1):
        if os.getppid() != parent:
            return False
    return bool(pipe.recv())

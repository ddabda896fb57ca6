"""Gold paths: what the package itself does to complete a variation.

A simulator that has made one makes it again at every reset, which takes up to 10 s. So a simulator of its own makes it,
once on a machine: it is kept by the identity of the game.
"""

from __future__ import annotations

import json

from labyrinth_envs.cache import Entry
from labyrinth_envs.scienceworld.simulator import Simulator
from labyrinth_envs.world import WorldError


def path(identity: str, task: str, variation: int, simplification: str, heap_mb: int) -> list[str]:
    """The actions, in order; from the cache, or made in 2 to 12 s.

    Raises `WorldError`: `disk` where the cache cannot be written, `internal` where the package makes none.
    """
    entry = Entry("gold", identity)
    kept = entry.read()
    if kept is not None:
        return [str(action) for action in json.loads(kept)]
    simulator = Simulator(heap_mb)
    try:
        simulator.load(task, variation, simplification, gold=True)
        actions = simulator.gold_actions()
    finally:
        simulator.close()
    if not actions or actions[0].startswith("ERROR"):
        raise WorldError("internal", f"Cannot find a gold path of {task} {variation}: the package makes none")
    try:
        entry.write(json.dumps(actions, ensure_ascii=False).encode())
    except OSError as error:
        raise WorldError(
            "disk",
            f"Cannot keep the gold path in {entry.place.parent}: {error.strerror or error};"
            " free some space or set LABYRINTH_CACHE to a folder that can be written",
        ) from error
    return actions

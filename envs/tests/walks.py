"""Walks through worlds by Gymnasium or OpenEnv; `tests/core/env/doors_test.ts` takes the same by the lab's client.

`python walks.py gym|URL WALKS`: WALKS is a JSON list of `[world, parameters, number, steps]`. It prints the list of
their hashes. The action of a step is the valid one at place (31 * step + 17 * number), modulo their count.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple


class Seen(NamedTuple):
    goal: str
    observation: str
    score: float
    end: bool
    actions: list[str] | None


def by_gymnasium(world: str, params: dict[str, Any]) -> Iterator[Seen]:
    import gymnasium

    from labyrinth_envs.gym import NAMES

    env: Any = gymnasium.make(f"labyrinth/{NAMES[world]}-v0", **params)
    observation, info = env.reset()
    ended, score = False, info["score"]
    while True:
        assert score == info["score"]
        action = yield Seen(info["goal"], observation, score, ended, info["valid_actions"])
        if action is None:
            env.close()
            return
        observation, reward, terminated, truncated, info = env.step(action)
        ended, score = terminated or truncated, score + float(reward)


def by_openenv(world: str, params: dict[str, Any], url: str) -> Iterator[Seen]:
    from openenv.core.generic_client import GenericEnvClient

    with GenericEnvClient(base_url=url).sync() as env:
        result = env.reset(**params)
        score = 0.0
        while True:
            seen = result.observation
            assert score == seen["score"]
            action = yield Seen(seen["goal"], seen["observation"], score, result.done, seen["valid_actions"])
            if action is None:
                return
            result = env.step({"text": action})
            score += result.reward


def walk(turns: Any, number: int, steps: int) -> str:
    digest = hashlib.sha256()
    seen = next(turns)
    for step in range(steps + 1):
        score = round(1000 * seen.score)
        digest.update(json.dumps([seen.goal, seen.observation, score, seen.end], ensure_ascii=False).encode())
        if seen.end or step == steps:
            break
        actions = seen.actions or ["look"]
        seen = turns.send(actions[(31 * step + 17 * number) % len(actions)])
    turns.close()
    return digest.hexdigest()


if __name__ == "__main__":
    way, walks = sys.argv[1], json.loads(sys.argv[2])
    print(
        json.dumps(
            [
                walk(by_gymnasium(world, params) if way == "gym" else by_openenv(world, params, way), number, steps)
                for world, params, number, steps in walks
            ]
        )
    )

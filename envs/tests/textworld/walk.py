"""Scripted play: walks found by a search over the true map, and the published files where they are at hand."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import textworld

from labyrinth_envs.textworld import cooking
from labyrinth_envs.textworld.base import Play
from labyrinth_envs.textworld.gamedata import GameData, identity
from labyrinth_envs.world import Turn

PUBLISHED = Path(__file__).parents[4] / "shared" / "arigraph" / "games"


def published(name: str) -> Path:
    """A game file of the AriGraph authors; skips the test where it is absent."""
    path = PUBLISHED / name
    if not path.is_file():
        pytest.skip(f"the published game {name} is not at hand")
    return path


def play(world: Play, actions: Iterable[str]) -> Turn:
    """Plays on and gives the last turn; stops at the end of the episode."""
    turn = None
    for action in actions:
        turn = world.step(action)
        if turn.end:
            break
    assert turn is not None
    return turn


@cache
def recipe(name: str) -> list[str]:
    """The generator's own walkthrough of the paper's game."""
    actions: list[str] = cooking.make(name, 0)["metadata"]["walkthrough"]
    return actions


def won_by_rules(data: GameData, folder: Path, actions: Iterable[str]) -> tuple[int, bool]:
    """Score and victory by TextWorld's rules alone, without a compiled game; inadmissible actions are passed over."""
    path = folder / f"{identity(data)}.json"
    path.write_text(json.dumps(data))
    env = textworld.start(str(path), textworld.EnvInfos(admissible_commands=True))
    env.reset()
    score, done = 0, False
    for action in actions:
        state, score, done = env.step(action)
        if done:
            break
    won = bool(done and state["won"])
    env.close()
    return score, won


def walk(truth: dict[str, Any], start: str, goal: str) -> list[str]:
    """Shortest way between two rooms, breadth first over the true exits."""
    ways: dict[str, list[str]] = {start: []}
    queue = deque([start])
    while queue:
        room = queue.popleft()
        for way in truth["exits"]:
            if way["from"] == room and way["to"] not in ways:
                ways[way["to"]] = [*ways[room], f"go {way['direction']}"]
                queue.append(way["to"])
    return ways[goal]


def objects(truth: dict[str, Any], relation: str) -> dict[str, str]:
    """Subject → object of every true fact with this relation."""
    return {subject: thing for subject, found, thing in truth["facts"] if found == relation}


def hunt_walk(truth: dict[str, Any], first_key: str = "Key 1") -> list[str]:
    """From the first key through the chain of lockers to what the last one holds."""
    unlocks, lies = objects(truth, "unlocks"), objects(truth, "in")
    actions, here, key = [f"take {first_key}"], truth["location"], first_key
    while True:
        locker = unlocks[key]
        actions += [*walk(truth, here, lies[locker]), f"unlock {locker} with {key}", f"open {locker}"]
        here = lies[locker]
        inside = [thing for thing, place in lies.items() if place == locker]
        keys = [thing for thing in inside if thing in unlocks]
        actions += [f"take {(keys or inside)[0]} from {locker}"]
        if not keys:
            return actions
        key = keys[0]


def tidy_walk(truth: dict[str, Any], homes: Mapping[str, str]) -> list[str]:
    """Takes each thing in turn straight to its home (none of which has an unopenable lid)."""
    places = objects(truth, "in") | objects(truth, "on")
    closed = {fact[0] for fact in truth["facts"] if fact[1:] == ["is", "closed"]}
    containers = closed | {fact[0] for fact in truth["facts"] if fact[1:] == ["is", "open"]}
    actions: list[str] = []
    here = truth["location"]
    for thing, home in homes.items():
        lies = places[thing]
        room = lies if lies in truth["rooms"] else places[lies]
        actions += walk(truth, here, room)
        actions += [f"take {thing}" if lies == room else f"take {thing} from {lies}"]
        actions += walk(truth, room, places[home])
        if home in closed:
            actions += [f"open {home}"]
            closed.remove(home)
        here = places[home]
        actions += [f"insert {thing} into {home}" if home in containers else f"put {thing} on {home}"]
    return actions

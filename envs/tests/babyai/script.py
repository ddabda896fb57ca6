"""Full knowledge at play: the calls that solve a mission, planned over the true map, and hand-made layouts."""

from __future__ import annotations

import json
from collections import deque
from pathlib import Path
from typing import Any

from labyrinth_envs.babyai.parameters import BabyAIParameters, SizedParameters
from labyrinth_envs.babyai.sized import Sized
from labyrinth_envs.babyai.world import BabyAI
from labyrinth_envs.world import Turn


def opened(layout: str, **parameters: Any) -> BabyAI:
    """A world after its reset."""
    world = BabyAI(BabyAIParameters.model_validate({"layout": layout, **parameters}))
    world.reset()
    return world


def sized(**parameters: Any) -> Sized:
    """A maze after its reset."""
    world = Sized(SizedParameters.model_validate(parameters))
    world.reset()
    return world


def layout_file(folder: Path, **changes: Any) -> str:
    """A layout of 2 × 2 rooms, which all hang together, as a file.

    The agent stands in the middle of room 0 and looks east; the red door to room 1 is locked, the blue one to room 2
    closed, the green ones between 2 and 3 closed and between 1 and 3 open; a grey ball lies in room 3.
    """
    layout: dict[str, Any] = {
        "id": "hand",
        "size": 2,
        "doors": [
            {"x": 6, "y": 3, "colour": "red", "state": "locked"},
            {"x": 3, "y": 6, "colour": "blue", "state": "closed"},
            {"x": 6, "y": 9, "colour": "green", "state": "closed"},
            {"x": 9, "y": 6, "colour": "green", "state": "open"},
        ],
        "objects": [{"x": 9, "y": 9, "type": "ball", "colour": "grey"}],
        "agent": {"x": 3, "y": 3, "direction": "east"},
        "missions": {"open-door": {"door": "red"}},
    }
    path = folder / "hand.json"
    path.write_text(json.dumps(layout | changes))
    return str(path)


def thing(name: str, x: int, y: int) -> dict[str, Any]:
    """`red ball` at a place, as layouts hold it."""
    colour, kind = name.split()
    return {"x": x, "y": y, "type": kind, "colour": colour}


def play(world: BabyAI, *actions: str) -> Turn:
    """Takes the actions; the last turn."""
    for action in actions:
        turn = world.step(action)
    return turn


def solve(world: BabyAI) -> tuple[Turn, list[str]]:
    """Solves the mission of a frozen layout or a maze by calls alone; the last turn, and the calls."""
    return _Solver(world).solve()


class _Solver:
    def __init__(self, world: BabyAI) -> None:
        self.world = world
        self.calls: list[str] = []
        self.turn: Turn | None = None

    def solve(self) -> tuple[Turn, list[str]]:
        mission: Any = self.world.truth()["mission"]
        shut = self.locks()
        while shut:
            lock = next(door for door in shut if self.ways().keys() & set(self.where(f"{door['colour']} key")))
            key = f"{lock['colour']} key"
            self.go(set(self.where(key)))
            self.call(f"pick_up_entity({key})")
            self.go({lock["a"], lock["b"]})
            self.call(f"pass_door({lock['colour']} door)")
            if self.turn and self.turn.end:
                return self.turn, self.calls
            self.call(f"drop_entity({key})")
            shut = self.locks()
        self.go(set(self.where(mission["move"])))
        self.call(f"pick_up_entity({mission['move']})")
        self.go(set(self.where(mission["fixed"])))
        self.call(f"drop_next_to_entity({mission['move']}, {mission['fixed']})")
        assert self.turn is not None
        return self.turn, self.calls

    def call(self, action: str) -> None:
        self.turn = self.world.step(action)
        self.calls.append(action)
        assert self.turn.sections["result"] == "done", (action, self.turn.sections["result"])

    def locks(self) -> list[Any]:
        doors: Any = self.world.truth()["doors"]
        return [door for door in doors if door["state"] == "locked"]

    def where(self, label: str) -> list[int]:
        return [item["room"] for item in self.world.truth()["objects"] if item["label"] == label]

    def go(self, goals: set[int]) -> None:
        """Through the fewest doors to one of the rooms; a lock is passed only after it was opened."""
        ways = self.ways()
        for action in min((ways[goal] for goal in sorted(goals & ways.keys())), key=len):
            self.call(action)

    def ways(self) -> dict[int, list[str]]:
        truth = self.world.truth()
        start = truth["agent"]["room"]
        ways: dict[int, list[str]] = {start: []}
        queue = deque([start])
        while queue:
            room = queue.popleft()
            for door in truth["doors"]:
                if room in (door["a"], door["b"]) and door["state"] != "locked":
                    far = door["a"] + door["b"] - room
                    if far not in ways:
                        ways[far] = [*ways[room], f"pass_door({door['colour']} door)"]
                        queue.append(far)
        return ways

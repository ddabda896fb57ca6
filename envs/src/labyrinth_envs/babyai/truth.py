"""The true state and what has been seen of it, for measuring memories and drawing pictures; no agent ever sees it."""

from __future__ import annotations

from typing import Any

from labyrinth_envs.babyai.layouts import ROOM
from labyrinth_envs.babyai.level import Level, Sight
from labyrinth_envs.babyai.names import DIRECTIONS
from labyrinth_envs.babyai.texts import door_state, name


class Record:
    """The rooms and cells visited and seen in one episode."""

    def __init__(self, level: Level) -> None:
        self._level = level
        self._visited: set[int] = set()
        self._seen: set[int] = set()
        self._trace: list[list[int]] = []

    def forget_trace(self) -> None:
        """Begins the trace of the next agent step."""
        self._trace = []

    def look(self, sight: Sight) -> None:
        """Takes in where the agent is and what it sees, after the start and after every primitive step."""
        level = self._level
        room = level.layout.rooms.get(level.place)
        if room is not None:
            self._visited.add(room)
        shown = (cell[1] for row in sight for cell in row if cell is not None)
        self._seen.update(id(thing) for thing in shown if thing is not None and thing.type != "wall")
        if level.carrying is not None:
            self._seen.add(id(level.carrying))
        self._trace.append([*level.place, int(level.agent_dir)])

    def truth(self, gold: list[str]) -> dict[str, Any]:
        """See `World.truth` of BabyAI."""
        level = self._level
        x, y = level.place
        return {
            "step": int(level.step_count),
            "grid": {"size": level.layout.size, "side": level.layout.side, "pitch": ROOM},
            "rooms": [self._room(room) for room in sorted(level.layout.areas)],
            "doors": [self._door(number) for number in range(len(level.doors))],
            "objects": [thing for number in range(len(level.things)) if (thing := self._object(number))],
            "agent": {
                "x": x,
                "y": y,
                "direction": DIRECTIONS[int(level.agent_dir)],
                "room": level.layout.rooms.get((x, y)),
                "carrying": None if level.carrying is None else _index(level.things, level.carrying),
            },
            "trace": self._trace,
            "mission": level.task.model_dump(mode="json", by_alias=True, exclude={"oracle"}),
            **({"goldPath": gold} if level.step_count == 0 else {}),
        }

    def _room(self, room: int) -> dict[str, Any]:
        areas = self._level.layout.areas[room]
        shape = {"areas": [list(area) for area in areas]} if len(areas) > 1 else {}
        return {"id": room, "visited": room in self._visited, **shape}

    def _door(self, number: int) -> dict[str, Any]:
        door, spot = self._level.doors[number], self._level.layout.doors[number]
        ends = self._level.layout.sides(spot.x, spot.y)
        assert ends is not None
        away = 0 if spot.x % ROOM == 0 else 1
        return {
            "id": number,
            "a": min(ends),
            "b": max(ends),
            "direction": DIRECTIONS[away if ends[0] < ends[1] else away + 2],
            "colour": door.color,
            "state": door_state(door),
            "seen": id(door) in self._seen,
            "x": spot.x,
            "y": spot.y,
        }

    def _object(self, number: int) -> dict[str, Any] | None:
        level = self._level
        thing = level.things[number]
        held = thing is level.carrying
        assert thing.cur_pos is not None
        x, y = int(thing.cur_pos[0]), int(thing.cur_pos[1])
        if not held and level.grid.get(x, y) is not thing:
            return None  # a box that was opened
        return {
            "id": number,
            "colour": thing.color,
            "type": thing.type,
            "label": name(thing),
            "room": None if held else level.layout.rooms.get((x, y)),
            "seen": id(thing) in self._seen,
            "x": None if held else x,
            "y": None if held else y,
        }


def _index(things: list[Any], wanted: Any) -> int:
    return next(number for number, thing in enumerate(things) if thing is wanted)

"""The rooms and corridors of a level, with numbers that last while more of them is seen.

A room is what can be reached over floor by straight steps, a corridor what can be reached over corridor squares, by
slanting steps too (NetHack's corridors turn that way). Doors and doorways belong to every room and corridor beside
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal

from labyrinth_envs.nethack import glyphs
from labyrinth_envs.nethack.keys import ORTHOGONAL, STEPS
from labyrinth_envs.nethack.screen import COLUMNS, ROWS

Cell = tuple[int, int]
"""(x, y)"""

_FLOORS = glyphs.FLOORS | frozenset(range(23, 37)) | {39, 40, 41}
_EITHER = glyphs.TRAPS | {glyphs.UNKNOWN}


@dataclass
class Room:
    """One room or corridor; agents know it by its name (`room 4`)."""

    kind: Literal["room", "corridor"]
    inside: set[Cell]
    exits: set[Cell]
    """Doors and doorways."""
    id: int = 0

    @property
    def name(self) -> str:
        """`room 4`, `corridor 2`."""
        return f"{self.kind} {self.id}"

    @property
    def cells(self) -> set[Cell]:
        """Inside and exits."""
        return self.inside | self.exits

    @property
    def region(self) -> set[Cell]:
        """Its cells and their neighbours: the walls and the doors."""
        return {(x + dx, y + dy) for x, y in self.cells for dx in (-1, 0, 1) for dy in (-1, 0, 1)}


@dataclass(frozen=True)
class Change:
    """A room that is new (`old` is empty), or that turned out to be one with others."""

    room: Room
    old: tuple[int, ...] = ()


@dataclass
class RoomGraph:
    """The rooms of one level. `next_id` returns numbers that are unique in the whole game."""

    next_id: Callable[[], int]
    rooms: list[Room] = field(default_factory=list)
    current: Room | None = None
    merged: dict[int, int] = field(default_factory=dict)
    """Numbers that are gone → the number that took their place."""

    def get(self, id: int) -> Room | None:
        """The room of this number, or that which it became a part of."""
        while id in self.merged:
            id = self.merged[id]
        return next((room for room in self.rooms if room.id == id), None)

    def rebuild(self, features: list[list[int]]) -> list[Change]:
        """Cuts the level anew (`features[y][x]`) and hands the old numbers on."""
        owner = {cell: room.id for room in self.rooms for cell in room.inside}
        rooms = _components(features)
        heirs: dict[int, list[int]] = {}
        shared = Counter(
            (owner[cell], number) for number, room in enumerate(rooms) for cell in room.inside & owner.keys()
        )
        claimed: set[int] = set()
        for (old, number), _ in sorted(shared.items(), key=lambda entry: (-entry[1], entry[0])):
            if old not in claimed:
                claimed.add(old)
                heirs.setdefault(number, []).append(old)
        changes = []
        for number, room in enumerate(rooms):
            before = tuple(sorted(heirs.get(number, ())))
            room.id = before[0] if len(before) == 1 else self.next_id()
            if len(before) != 1:
                changes.append(Change(room, before))
                self.merged.update(dict.fromkeys(before, room.id))
        self.rooms = rooms
        return changes

    def locate(self, cell: Cell) -> Room | None:
        """Sets and returns the current room: in a doorway it is the one that the hero comes from."""
        before = self.get(self.current.id) if self.current else None
        inside = next((room for room in self.rooms if cell in room.inside), None)
        if inside is None and before is not None and cell in before.cells:
            inside = before
        self.current = inside or next((room for room in self.rooms if cell in room.exits), None)
        return self.current


def _components(features: list[list[int]]) -> list[Room]:
    taken: set[Cell] = set()
    rooms = []
    for kind, seeds in (("room", _FLOORS), ("corridor", glyphs.CORRIDORS), ("corridor", _EITHER)):
        for y in range(ROWS):
            for x in range(COLUMNS):
                if features[y][x] in seeds and (x, y) not in taken:
                    room = _flood(features, (x, y), "room" if kind == "room" else "corridor", taken)
                    taken |= room.inside
                    rooms.append(room)
    return rooms


def _flood(features: list[list[int]], start: Cell, kind: Literal["room", "corridor"], taken: set[Cell]) -> Room:
    ground = (_FLOORS if kind == "room" else glyphs.CORRIDORS) | _EITHER
    ways: Iterable[Cell] = ORTHOGONAL if kind == "room" else STEPS
    room = Room(kind, {start}, set())
    stack = [start]
    while stack:
        x, y = stack.pop()
        for dx, dy in ways:
            cell = near_x, near_y = x + dx, y + dy
            if not (0 <= near_x < COLUMNS and 0 <= near_y < ROWS) or cell in room.inside or cell in taken:
                continue
            feature = features[near_y][near_x]
            if feature in glyphs.EXITS:
                if dx == 0 or dy == 0:
                    room.exits.add(cell)
            elif feature in ground:
                room.inside.add(cell)
                stack.append(cell)
    return room

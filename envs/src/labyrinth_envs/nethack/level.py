"""What is remembered of one level: features, objects, what was seen and walked on, doors tried, places searched."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_envs.nethack import glyphs
from labyrinth_envs.nethack.keys import STEPS
from labyrinth_envs.nethack.paths import Edge, Paths
from labyrinth_envs.nethack.rooms import Cell, Change, RoomGraph
from labyrinth_envs.nethack.screen import COLUMNS, ROWS, Screen

_HERE = re.compile(r"You (?:see|feel) here (.+?)\.(?:  |$)")


class Monster(NamedTuple):
    """A creature that is shown now, other than the hero."""

    x: int
    y: int
    glyph: int
    name: str
    pet: bool

    @property
    def peaceful(self) -> bool:
        """Whether it wishes no fight."""
        return self.pet or self.name.startswith("peaceful ")


@dataclass
class Level:
    """One level of the dungeon, by what the hero has seen of it."""

    dungeon: int
    number: int
    depth: int
    rooms: RoomGraph
    features: list[list[int]] = field(default_factory=lambda: [[glyphs.STONE] * COLUMNS for _ in range(ROWS)])
    """`[y][x]`, NetHack's symbols; `UNKNOWN` under things that were never seen to move."""
    objects: dict[Cell, str] = field(default_factory=dict)
    monsters: list[Monster] = field(default_factory=list)
    seen: NDArray[np.bool_] = field(default_factory=lambda: np.zeros((ROWS, COLUMNS), dtype=np.bool_))
    visited: set[Cell] = field(default_factory=set)
    locked: set[Cell] = field(default_factory=set)
    """Doors that were found locked."""
    tries: dict[Cell, int] = field(default_factory=dict)
    """Door → how often it was tried."""
    searches: dict[Cell, int] = field(default_factory=dict)
    """Cell → how often it was searched from."""
    stuck: dict[Edge, int] = field(default_factory=dict)
    """Step → how often it led nowhere."""

    @staticmethod
    def first_seen(screen: Screen, next_id: Callable[[], int]) -> Level:
        """The level that is shown."""
        return Level(screen.stats.dungeon, screen.stats.level, screen.stats.depth, RoomGraph(next_id))

    def update(self, screen: Screen) -> list[Change]:
        """Takes in what is shown now."""
        shown, is_feature = glyphs.features(screen.glyphs)
        is_object, is_monster = glyphs.objects(screen.glyphs), glyphs.monsters(screen.glyphs)
        hero_x, hero_y = screen.position
        changed = not self.rooms.rooms
        for y, x in np.argwhere((is_feature & (shown != glyphs.STONE)) | is_object | is_monster).tolist():
            known = self.features[y][x]
            now = int(shown[y, x]) if is_feature[y, x] else glyphs.UNKNOWN if known == glyphs.STONE else known
            if now != known:
                self.features[y][x] = now
                changed = True
            if is_object[y, x]:
                self.objects[x, y] = screen.name(x, y)
            elif is_feature[y, x]:
                self.objects.pop((x, y), None)
        self.monsters = [
            Monster(x, y, int(screen.glyphs[y, x]), screen.name(x, y), glyphs.is_pet(int(screen.glyphs[y, x])))
            for y, x in np.argwhere(is_monster).tolist()
            if (x, y) != (hero_x, hero_y)
        ]
        self.seen |= is_object | is_monster | (is_feature & (shown != glyphs.STONE))
        self.seen[max(hero_y - 1, 0) : hero_y + 2, max(hero_x - 1, 0) : hero_x + 2] = True
        self.visited.add(screen.position)
        if here := _HERE.search(screen.message):
            self.objects[screen.position] = here[1]
        changes = self.rooms.rebuild(self.features) if changed else []
        self.rooms.locate(screen.position)
        return changes

    def feature(self, cell: Cell) -> int:
        """The feature at (x, y)."""
        return self.features[cell[1]][cell[0]]

    def find(self, wanted: frozenset[int]) -> list[Cell]:
        """Where such features are."""
        return [(x, y) for y in range(ROWS) for x in range(COLUMNS) if self.features[y][x] in wanted]

    def boulders(self) -> set[Cell]:
        """Where boulders lie."""
        return {cell for cell, name in self.objects.items() if name == "boulder"}

    def paths(self, start: Cell, *, fight: bool = False) -> Paths:
        """The ways from `start`, around monsters (with `fight` only around peaceful ones) and boulders; pets let by."""
        crowd = {(m.x, m.y) for m in self.monsters if not m.pet and (m.peaceful or not fight)}
        stuck = {edge for edge, times in self.stuck.items() if times > 1}
        return Paths(self.features, start, crowd | self.boulders(), stuck)

    def summary(self) -> dict[str, object]:
        """The level for measuring; see `NetHack.truth`."""
        rooms = [
            {"name": room.name, "kind": room.kind, "size": len(room.inside), "exits": sorted(map(list, room.exits))}
            for room in self.rooms.rooms
        ]
        lines = ["".join(glyphs.SYMBOLS.get(feature, ".") for feature in row) for row in self.features]
        return {"dungeon": self.dungeon, "level": self.number, "depth": self.depth, "map": lines, "rooms": rooms}

    def frontier(self) -> set[Cell]:
        """Walkable cells beside rock that nobody has looked at."""
        found = set()
        for y in range(ROWS):
            for x in range(COLUMNS):
                if self.features[y][x] in glyphs.WALKABLE and any(self.unseen((x + dx, y + dy)) for dx, dy in STEPS):
                    found.add((x, y))
        return found

    def unseen(self, cell: Cell) -> bool:
        """Whether the cell was never shown nor stood beside; the map's outermost cells are always rock."""
        x, y = cell
        return 0 < x < COLUMNS - 1 and 0 < y < ROWS - 1 and not self.seen[y, x]

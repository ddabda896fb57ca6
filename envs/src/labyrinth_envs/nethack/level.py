"""The memory of one level: features, objects, seen and visited cells, doors tried, cells searched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from labyrinth_envs.nethack import glyphs
from labyrinth_envs.nethack.keys import STEPS
from labyrinth_envs.nethack.paths import Edge, Paths
from labyrinth_envs.nethack.rooms import Cell, Change, RoomGraph
from labyrinth_envs.nethack.screen import COLUMNS, ROWS, Screen

_HERE = re.compile(
    r"You (?:see|feel) here (.+?)\.(?:  |$)|Things that (?:are|you feel) here:\n(.+?)(?:  |$)", re.DOTALL
)
_STANDS_ON = re.compile(r"There is an? (?:broken |opulent )?(.+?)(?: to .+?)? here\.")


STUCK_TURNS = 100
"""Game turns for which a step that led nowhere twice is avoided: what was in the way may have moved."""


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


class Thing(NamedTuple):
    """An object that lies somewhere; its glyph is -1 where only words tell of it."""

    glyph: int
    name: str


class Failures(NamedTuple):
    """The number of times that a step led nowhere, and the game turn of the last time."""

    times: int
    turn: int


@dataclass
class Level:
    """One level of the dungeon as the hero has seen it."""

    dungeon: int
    number: int
    depth: int
    rooms: RoomGraph
    features: list[list[int]] = field(default_factory=lambda: [[glyphs.STONE] * COLUMNS for _ in range(ROWS)])
    """`[y][x]`, NetHack's symbols; `UNKNOWN` under things that were never seen to move."""
    objects: dict[Cell, Thing] = field(default_factory=dict)
    monsters: list[Monster] = field(default_factory=list)
    seen: NDArray[np.bool_] = field(default_factory=lambda: np.zeros((ROWS, COLUMNS), dtype=np.bool_))
    hero: Cell | None = None
    """The hero's last cell."""
    visited: set[Cell] = field(default_factory=set)
    locked: set[Cell] = field(default_factory=set)
    """Doors that were found locked."""
    tries: dict[Cell, int] = field(default_factory=dict)
    """Door → how often it was tried."""
    searches: dict[Cell, int] = field(default_factory=dict)
    """Cell → how often it was searched from."""
    stuck: dict[Edge, Failures] = field(default_factory=dict)
    """Step → how often it led nowhere."""
    turn: int = 0
    """Game turn of the last look at it."""
    _shown: Screen | None = None
    _ways: dict[tuple[Cell, bool], Paths] = field(default_factory=dict)
    """Ways that were looked for since the last look, by where from and whether to fight."""

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
        something = (is_feature & (shown != glyphs.STONE)) | is_object | is_monster
        for y, x in np.argwhere(something & _news(screen, self._shown)).tolist():
            known = self.features[y][x]
            hidden = glyphs.UNKNOWN if known == glyphs.STONE else glyphs.opened(known) if is_object[y, x] else known
            now = int(shown[y, x]) if is_feature[y, x] else hidden
            if now != known:
                self._learn((x, y), now)
                changed = True
            if is_object[y, x]:
                self.objects[x, y] = Thing(int(screen.glyphs[y, x]), screen.name(x, y))
            elif is_feature[y, x]:
                self.objects.pop((x, y), None)
        self.monsters = [
            Monster(x, y, int(screen.glyphs[y, x]), screen.name(x, y), glyphs.is_pet(int(screen.glyphs[y, x])))
            for y, x in np.argwhere(is_monster).tolist()
            if (x, y) != (hero_x, hero_y)
        ]
        self.seen |= something
        self.seen[max(hero_y - 1, 0) : hero_y + 2, max(hero_x - 1, 0) : hero_x + 2] = True
        self.turn, self._shown = screen.stats.turn, screen
        self._ways.clear()
        self._underfoot(screen)
        changed |= self._learn_ground(screen)
        changes = self.rooms.rebuild(self.features) if changed else []
        self.rooms.locate(screen.position)
        return changes

    def _learn_ground(self, screen: Screen) -> bool:
        """Learns the ground under the hero, who hides it: the game names it on arrival, and a door there is open."""
        known = self.feature(screen.position)
        stands = _STANDS_ON.search(screen.message)
        named = glyphs.BY_WORDS.get(stands[1]) if stands else None
        now = named if named is not None and known == glyphs.UNKNOWN else glyphs.opened(known)
        if now == known:
            return False
        self._learn(screen.position, now)
        return True

    def _learn(self, cell: Cell, feature: int) -> None:
        self.features[cell[1]][cell[0]] = feature
        if feature not in glyphs.CLOSED_DOORS:
            self.locked.discard(cell)

    def _underfoot(self, screen: Screen) -> None:
        """The hero hides what lies under it; the game names it on arrival."""
        place = screen.position
        lay = self.objects.get(place)
        if here := _HERE.search(screen.message):
            name = here[1] or ", ".join(line.strip() for line in here[2].splitlines())
            self.objects[place] = Thing(lay.glyph if lay else -1, name)
        elif place != self.hero and "objects here" not in screen.message:
            self.objects.pop(place, None)
        self.hero = place
        self.visited.add(place)

    def feature(self, cell: Cell) -> int:
        """The feature at (x, y)."""
        return self.features[cell[1]][cell[0]]

    def find(self, wanted: frozenset[int]) -> list[Cell]:
        """The cells with one of these features."""
        rows = [y for y, row in enumerate(self.features) if not wanted.isdisjoint(row)]
        return [(x, y) for y in rows for x, feature in enumerate(self.features[y]) if feature in wanted]

    def boulders(self) -> set[Cell]:
        """The cells with a boulder."""
        return {cell for cell, thing in self.objects.items() if thing.glyph == glyphs.BOULDER}

    def paths(self, start: Cell, *, fight: bool = False) -> Paths:
        """The ways from `start`, around monsters (with `fight` only around peaceful ones) and boulders; pets let by."""
        if (start, fight) not in self._ways:
            crowd = {(m.x, m.y) for m in self.monsters if not m.pet and (m.peaceful or not fight)}
            self._ways[start, fight] = Paths(self.features, start, crowd | self.boulders(), self._stuck_steps())
        return self._ways[start, fight]

    def obstacle(self, start: Cell, goals: Iterable[Cell]) -> str | None:
        """The first creature or boulder on the shortest way to (or beside) one of the cells: `the newt at (3, 4)`."""
        things = {(m.x, m.y): m.name for m in self.monsters if not m.pet} | dict.fromkeys(self.boulders(), "boulder")
        paths = Paths(self.features, start, (), self._stuck_steps())
        found = [(way, goal) for goal in goals if (way := paths.to(goal) or paths.bump(goal))]
        free = [(way, goal) for way, goal in found if goal not in things]
        way, goal = min(free or found, key=lambda one: len(one[0]), default=([], start))
        return next((f"the {things[cell]} at {cell}" for cell in way if cell in things and cell != goal), None)

    def _stuck_steps(self) -> set[Edge]:
        return {edge for edge, (times, turn) in self.stuck.items() if times > 1 and self.turn - turn < STUCK_TURNS}

    def tried(self, step: Edge, *, failed: bool) -> None:
        """Remembers what became of a step."""
        if failed:
            times = self.stuck[step].times if step in self.stuck else 0
            self.stuck[step] = Failures(times + 1, self.turn)
        else:
            self.stuck.pop(step, None)
        self._ways.clear()

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
        unseen = ~self.seen
        # The outermost cells are always rock.
        unseen[[0, -1], :] = unseen[:, [0, -1]] = False
        around = np.pad(unseen, 1)
        beside = np.zeros_like(unseen)
        for dx, dy in STEPS:
            beside |= around[1 + dy : ROWS + 1 + dy, 1 + dx : COLUMNS + 1 + dx]
        walkable = np.isin(self.features, list(glyphs.WALKABLE))
        return {(x, y) for y, x in np.argwhere(walkable & beside).tolist()}


def _news(screen: Screen, before: Screen | None) -> NDArray[np.bool_]:
    """The cells that show another thing than before, or the same thing under another name."""
    if before is None:
        return np.ones((ROWS, COLUMNS), dtype=np.bool_)
    renamed = (screen.descriptions != before.descriptions).any(axis=2)
    return np.asarray(renamed | (screen.glyphs != before.glyphs), dtype=np.bool_)

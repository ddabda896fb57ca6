"""Draws layouts: a random map with its missions, again and again until one passes all filters (§B.1).

The order of a draw: the locked room and its door; doors elsewhere until all rooms are connected; where the key and the
agent are; things up to the density, the key counted as one of its room's; the missions. What put-next-to is about
behind the lock has a name that nothing outside has, else the key would not be needed. Doors of one room differ in
colour, because the paper's language names a door by its colour alone. The draw uses Python's `random` and nothing else,
so that a seed gives the same layout on any machine.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from minigrid import __version__ as minigrid_version

from labyrinth_envs.babyai import filters, oracle
from labyrinth_envs.babyai.layouts import (
    ROOM,
    Cell,
    DoorSpot,
    Layout,
    MissionName,
    Missions,
    OpenDoor,
    PutNextTo,
    Start,
    Thing,
    check,
    room_at,
)
from labyrinth_envs.babyai.level import Level
from labyrinth_envs.babyai.names import COLOURS, DIRECTIONS, KINDS, VECTORS, Colour, Kind
from labyrinth_envs.babyai.world import horizon
from labyrinth_envs.world import WorldError

VERSION = f"1 (minigrid {minigrid_version})"
TRIES = 100_000
ORACLE_STEPS = 2000
"""Most primitives of the oracle: five to a call make the 400 calls that Table 4 allows."""

Name = tuple[Kind, Colour]


@dataclass(frozen=True)
class Map:
    """Doors, and the rooms of the draw: what is behind the lock, where the key is, where the agent starts."""

    size: int
    lock: DoorSpot
    doors: list[DoorSpot]
    locked: int
    home: int
    start: int


def draw(id_: str, size: int, density: int, seed: int, missions: Collection[MissionName]) -> Layout:
    """The first layout of this seed that passes, with its oracle's ways and its hashes.

    Args:
        id_: Its name.
        size: Rooms a side, from 2.
        density: Things a room, 1 to 8.
        seed: Any number; 100 000 maps are drawn from it before it is given up.
        missions: Those that it shall have.
    """
    chance = random.Random(seed)
    for _ in range(TRIES):
        map_ = _map(chance, size)
        layout = map_ and _furnished(chance, map_, id_, density, seed, missions)
        if layout and filters.refusal(layout, missions) is None and _solve(layout, missions):
            return layout
    raise WorldError(
        "bad-parameter",
        f"no layout of {size} × {size} rooms with {density} things each passes in {TRIES} draws of seed {seed}; take"
        " another seed or other sizes",
    )


def _solve(layout: Layout, missions: Collection[MissionName]) -> bool:
    """Adds the oracle's ways and the hashes; False where the oracle finds no way."""
    for name in missions:
        task = layout.mission(name)
        way = oracle.solve(layout, name, min(horizon(layout.size, name), ORACLE_STEPS))
        if way is None:
            return False
        task.oracle, task.min_rooms = way, filters.fewest_rooms(layout, task)
        level = Level(layout, name, 1)
        level.begin()
        layout.hash[name] = level.digest()
    return True


def _map(chance: random.Random, size: int) -> Map | None:
    """Doors at random walls until all rooms are connected; None where colours or rooms do not suffice."""
    walls = walls_of(chance, size)
    colours = list(COLOURS)
    lock_colour = colours.pop(chance.randrange(len(colours)))
    locked, front = chance.choice([ends for pair in walls for ends in (pair, pair[::-1])])
    lock = door_in(walls, locked, front, lock_colour, "locked")
    home, start = chance.randrange(size * size), chance.randrange(size * size)
    doors, used = [lock], {room: set[str]() for room in range(size * size)}
    group = list(range(size * size))  # rooms that are connected share a number
    group[locked] = group[front]
    left = [ends for ends in walls if locked not in ends]
    while len(set(group)) > 1:
        if not left:
            return None
        a, b = left.pop(chance.randrange(len(left)))
        free = [colour for colour in colours if colour not in used[a] | used[b]]
        if free:
            colour = chance.choice(free)
            used[a].add(colour)
            used[b].add(colour)
            doors.append(door_in(walls, a, b, colour, "closed"))
            group = [group[a] if number == group[b] else number for number in group]
    found = Map(size, lock, doors, locked, home, start)
    return None if filters.far_apart(size, doors, {locked, home, start}) else found


def door_in(
    walls: dict[tuple[int, int], Cell], a: int, b: int, colour: Colour, state: Literal["closed", "locked"]
) -> DoorSpot:
    """A door in the wall between two rooms of the grid."""
    x, y = walls[min(a, b), max(a, b)]
    return DoorSpot(x=x, y=y, colour=colour, state=state)


def walls_of(chance: random.Random, size: int) -> dict[tuple[int, int], Cell]:
    """Every wall between two rooms, and the place in it where a door would be."""
    walls = {}
    for row in range(size):
        for column in range(size):
            room = row * size + column
            if column + 1 < size:
                walls[room, room + 1] = (ROOM * (column + 1), ROOM * row + chance.randrange(1, ROOM))
            if row + 1 < size:
                walls[room, room + size] = (ROOM * column + chance.randrange(1, ROOM), ROOM * (row + 1))
    return walls


def _furnished(
    chance: random.Random, map_: Map, id_: str, density: int, seed: int, missions: Collection[MissionName]
) -> Layout | None:
    """The map with things, agent and missions; None where the pair of put-next-to lies together already."""
    key: Name = ("key", map_.lock.colour)
    rare = chance.choice([name for name in NAMES if name != key])
    doors = {(door.x, door.y) for door in map_.doors}
    objects: list[Thing] = []
    for room in range(map_.size**2):
        cells = [cell for cell in _floor(room, map_.size) if not any(_plus(cell, way) in doors for way in VECTORS)]
        names = [chance.choice([name for name in NAMES if name not in (key, rare)]) for _ in range(density)]
        names[0] = key if room == map_.home else rare if room == map_.locked else names[0]
        spots = chance.sample(cells, density)
        objects += [Thing(x=x, y=y, type=kind, colour=c) for (x, y), (kind, c) in zip(spots, names, strict=True)]
    layout = Layout(
        id=id_,
        generator=VERSION,
        seed=seed,
        size=map_.size,
        doors=sorted(map_.doors, key=lambda door: (door.y, door.x)),
        objects=sorted(objects, key=lambda thing: (thing.y, thing.x)),
        agent=start_in(chance, _floor(map_.start, map_.size), {(thing.x, thing.y) for thing in objects} | doors),
        missions=Missions(
            open_door=OpenDoor(door=map_.lock.colour) if "open-door" in missions else None,
            put_next_to=_pair(chance, map_, objects, rare, key) if "put-next-to" in missions else None,
        ),
    )
    try:
        check(layout)
    except WorldError:
        return None
    return layout


def start_in(chance: random.Random, floor: list[Cell], taken: set[Cell]) -> Start:
    """A free cell of a room and a direction in which neither thing nor door is ahead."""
    poses = [
        (cell, DIRECTIONS[d])
        for cell in floor
        for d, way in enumerate(VECTORS)
        if cell not in taken and _plus(cell, way) not in taken
    ]
    (x, y), direction = chance.choice(poses)
    return Start(x=x, y=y, direction=direction)


def _pair(chance: random.Random, map_: Map, objects: list[Thing], rare: Name, key: Name) -> PutNextTo | None:
    """The rare thing and one from outside the locked room, in either order; None where there is none."""
    inside = {(t.type, t.colour) for t in objects if room_at(t.x, t.y, map_.size) == map_.locked}
    others = sorted({(t.type, t.colour) for t in objects} - inside - {key})
    if not others:
        return None
    pair = [rare, chance.choice(others)]
    chance.shuffle(pair)
    move, fixed = (f"{colour} {kind}" for kind, colour in pair)
    return PutNextTo(move=move, fixed=fixed)


def _floor(room: int, size: int) -> list[Cell]:
    left, top = ROOM * (room % size), ROOM * (room // size)
    return [(left + x, top + y) for y in range(1, ROOM) for x in range(1, ROOM)]


def _plus(cell: Cell, way: tuple[int, int]) -> Cell:
    return cell[0] + way[0], cell[1] + way[1]


NAMES: list[Name] = [(kind, colour) for kind in KINDS for colour in COLOURS]

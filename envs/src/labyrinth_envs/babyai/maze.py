"""Draws mazes: 2 × 2 to 10 × 10 rooms, some of them merged into rooms of other shapes, with up to three locks.

The order of a draw: the walls to take away, at most three rooms of the grid to a room; the locked rooms, each behind a
single door, which no other door equals in colour; closed doors between all others, a random tree and a loop for every
four rooms; where the first key and the agent are; things, the keys counted; the missions. The key to the first lock
lies in the open and that to each further one behind the lock before it; what the missions are about lies behind the
last, so that all locks have to be opened. Two rooms have one door between them at most, and doors of one room differ in
colour. No thing lies before a door, and each can be reached without moving another.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass

from minigrid import __version__ as minigrid_version

from labyrinth_envs.babyai import layouts, oracle
from labyrinth_envs.babyai.draw import NAMES, Name, door_in, start_in, walls_of
from labyrinth_envs.babyai.filters import neighbours, smallest_tree, unlocking
from labyrinth_envs.babyai.layouts import Cell, DoorSpot, Layout, MissionName, OpenDoor, PutNextTo
from labyrinth_envs.babyai.names import COLOURS, VECTORS, Colour, object_of
from labyrinth_envs.world import WorldError

VERSION = f"maze 1 (minigrid {minigrid_version})"
TRIES = 1000
LARGEST = 3
"""Most rooms of the grid to a room."""

Pair = tuple[int, int]


@dataclass(frozen=True)
class Plan:
    """Rooms and doors before anything lies there."""

    grid: Layout
    """Of which size and merged rooms count."""
    doors: list[DoorSpot]
    """The locked ones first, in the order in which they are opened."""
    locked: list[int]
    """The rooms behind them."""
    home: int
    """Where the first key is."""
    start: int


def draw(size: int, density: int, locks: int, merged: int, seed: int, missions: Collection[MissionName]) -> Layout:
    """The first maze of this seed in which the guide solves the missions, with its ways.

    Args:
        size: Rooms of the grid a side, 2 to 10.
        density: Things a room, 1 to 8.
        locks: Locked doors, 1 to 3: three colours are left for other doors then.
        merged: Walls between rooms of the grid that are taken away, each of which makes two rooms one.
        seed: Any number.
        missions: Those that are solved; the layout has both.
    """
    taken, shut = ("1 wall" if merged == 1 else f"{merged} walls"), ("1 lock" if locks == 1 else f"{locks} locks")
    sizes = f"{size} × {size} rooms, {taken} taken away and {shut}"
    if size**2 - merged < locks + 2 or merged > size**2 // 2:
        raise WorldError("bad-parameter", f"no maze has {sizes}; take fewer locks or walls, or a larger size")
    chance = random.Random(seed)
    for _ in range(TRIES):
        plan = _plan(chance, size, locks, merged)
        layout = plan and _furnished(chance, plan, density, seed)
        if layout and refusal(layout) is None and _solve(layout, missions):
            return layout
    raise WorldError("bad-parameter", f"no maze of {sizes} in {TRIES} draws of seed {seed}; take another seed or size")


def refusal(layout: Layout) -> str | None:
    """Why the locks of a layout cannot be opened; None where all can, each after its key has been reached."""
    order = unlocking(layout)
    shut = [door.colour for door in layout.doors if door.state == "locked" and door not in order]
    return f"the {shut[0]} door cannot be opened: its key lies behind it or nowhere" if shut else None


def fewest_rooms(layout: Layout, task: OpenDoor | PutNextTo) -> int:
    """The fewest rooms that have to be entered to do the task, the first one included; exact for mazes.

    Locked rooms are leaves of the graph of rooms: any connected set of rooms that holds the start, all keys and the
    ends of the task can be walked, the locked rooms in the order of their locks.
    """
    near = neighbours(layout.size, layout.doors, layout.owners)
    locks = unlocking(layout)
    places = {(thing.type, thing.colour): layout.rooms[thing.x, thing.y] for thing in layout.objects}
    needed = {layout.rooms[layout.agent.x, layout.agent.y], *(places["key", lock.colour] for lock in locks)}
    if isinstance(task, OpenDoor):
        ends = layout.sides(locks[-1].x, locks[-1].y) or ()
        return smallest_tree(near, needed | {next(room for room in ends if len(near[room]) > 1 or room in needed)})
    names = [object_of(name) for name in (task.move, task.fixed)]
    cells = [[layout.rooms[t.x, t.y] for t in layout.objects if (t.type, t.colour) == name] for name in names]
    return min(smallest_tree(near, needed | {a, b}) for a in set(cells[0]) for b in set(cells[1]))


def _solve(layout: Layout, missions: Collection[MissionName]) -> bool:
    for name in missions:
        task = layout.mission(name)
        way = oracle.guide(layout, name)
        if way is None:
            return False
        task.oracle, task.min_rooms = way, fewest_rooms(layout, task)
    return True


def _plan(chance: random.Random, size: int, locks: int, merged: int) -> Plan | None:
    """Walls, doors and the rooms of the draw; None where colours or rooms do not suffice."""
    walls = walls_of(chance, size)
    pairs = _merged(chance, list(walls), merged)
    if pairs is None:
        return None
    start = layouts.Start(x=1, y=1, direction="east")
    grid = Layout(
        id="grid", size=size, merged=pairs or None, doors=[], objects=[], agent=start, missions=layouts.Missions()
    )
    between: dict[Pair, list[Pair]] = {}  # two rooms → the walls between them
    for a, b in walls:
        ends = sorted((grid.owners[a], grid.owners[b]))
        if ends[0] != ends[1]:
            between.setdefault((ends[0], ends[1]), []).append((a, b))
    colours = chance.sample(COLOURS, len(COLOURS))
    locked = chance.sample(sorted(grid.areas), locks)
    doors = []
    for room in locked:
        fronts = [ends for ends in between if room in ends and len({*ends, *locked}) > locks]
        if not fronts:
            return None
        doors.append(door_in(walls, *chance.choice(between[chance.choice(fronts)]), colours.pop(), "locked"))
    rooms = [room for room in sorted(grid.areas) if room not in locked]
    spots = {ends: chance.choice(pairs) for ends, pairs in between.items() if not {*ends} & {*locked}}
    hung = _hung(chance, spots, rooms, colours)
    if hung is None:
        return None
    doors += [door_in(walls, *spots[ends], colour, "closed") for ends, colour in hung.items()]
    home, first = chance.sample(rooms, 2)
    return Plan(grid, doors, locked, home, first)


def _merged(chance: random.Random, walls: list[Pair], count: int) -> list[Pair] | None:
    """Walls to take away, no room becoming too large; None where there are not so many."""
    groups: dict[int, set[int]] = {place: {place} for pair in walls for place in pair}
    found: list[Pair] = []
    for a, b in chance.sample(walls, len(walls)):
        both = groups[a] | groups[b]
        if len(found) < count and len(both) <= LARGEST:
            found.append((a, b))
            groups |= dict.fromkeys(both, both)
    return sorted(found) if len(found) == count else None


def _hung(
    chance: random.Random, spots: Collection[Pair], rooms: list[int], colours: list[Colour]
) -> dict[Pair, Colour] | None:
    """Colours of doors between rooms: a tree, and a loop for every four rooms; None where the tree is not whole."""
    group = {room: room for room in rooms}  # rooms that are connected share a number
    used: dict[int, set[Colour]] = {room: set() for room in rooms}
    hung: dict[Pair, Colour] = {}
    order = chance.sample(sorted(spots), len(spots))
    for most in (len(rooms) - 1, len(rooms) - 1 + len(rooms) // 4):
        for a, b in order:
            free = [colour for colour in colours if colour not in used[a] | used[b]]
            is_new = (a, b) not in hung and (group[a] != group[b] or most >= len(rooms))
            if free and is_new and len(hung) < most:
                hung[a, b] = chance.choice(free)
                used[a].add(hung[a, b])
                used[b].add(hung[a, b])
                group = {room: group[a] if number == group[b] else number for room, number in group.items()}
        if len(set(group.values())) > 1:
            return None
    return hung


def _furnished(chance: random.Random, plan: Plan, density: int, seed: int) -> Layout | None:
    """The map with things, agent and missions; None where put-next-to has no thing outside the locked rooms."""
    grid, count = plan.grid, len(plan.locked)
    keys: list[Name] = [("key", lock.colour) for lock in plan.doors[:count]]
    rare = chance.choice([name for name in NAMES if name not in keys])
    common = [name for name in NAMES if name not in (*keys, rare)]
    kept = dict(zip([plan.home, *plan.locked], [*keys, rare], strict=True))
    doors = {(door.x, door.y) for door in plan.doors}
    objects: list[layouts.Thing] = []
    for room, floor in grid.floors.items():
        names = [kept.get(room) or chance.choice(common), *(chance.choice(common) for _ in range(density - 1))]
        spots = _spots(chance, floor, doors, density)
        objects += [
            layouts.Thing(x=x, y=y, type=kind, colour=c) for (x, y), (kind, c) in zip(spots, names, strict=True)
        ]
    last = {(t.type, t.colour) for t in objects if grid.rooms[t.x, t.y] == plan.locked[-1]}
    outside = {(t.type, t.colour) for t in objects if grid.rooms[t.x, t.y] not in plan.locked}
    others = sorted(outside - last - {*keys})
    if not others:
        return None
    move, fixed = (f"{colour} {kind}" for kind, colour in chance.sample([rare, chance.choice(others)], 2))
    return Layout(
        id=f"{grid.size}x{grid.size}-d{density}-l{count}-m{len(grid.merged or ())}-{seed}",
        generator=VERSION,
        seed=seed,
        size=grid.size,
        merged=grid.merged,
        doors=sorted(plan.doors, key=lambda door: (door.y, door.x)),
        objects=sorted(objects, key=lambda thing: (thing.y, thing.x)),
        agent=start_in(chance, grid.floors[plan.start], {(t.x, t.y) for t in objects} | doors),
        missions=layouts.Missions(
            open_door=OpenDoor(door=plan.doors[count - 1].colour), put_next_to=PutNextTo(move=move, fixed=fixed)
        ),
    )


def _spots(chance: random.Random, floor: list[Cell], doors: set[Cell], count: int) -> list[Cell]:
    """Cells of a room for things, none before a door: the free ones hang together and reach each of them."""
    allowed = [cell for cell in floor if not doors & set(_beside(cell))]
    while True:
        spots = chance.sample(allowed, count)
        free = set(floor) - set(spots)
        stack = [min(free)]
        while stack:
            cell = stack.pop()
            if cell in free:
                free.remove(cell)
                stack += _beside(cell)
        if not free and all(set(_beside(spot)) & set(floor) - set(spots) for spot in spots):
            return spots


def _beside(cell: Cell) -> list[Cell]:
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in VECTORS]

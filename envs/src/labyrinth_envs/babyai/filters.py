"""The paper's conditions on a layout, each with the reason for a refusal.

A map that passes has exactly one locked door, whose key is the only one of its colour, and behind it a single room that
no other door leads to. With R the graph of rooms and doors:

- key gate: open-door's door is locked; of all pairs that put-next-to allows, each has one end behind the lock
- key room: it is not behind the lock, and no neighbour in the grid of the locked room
- rooms: the two ends of put-next-to lie in different rooms; for both missions the fewest rooms to be entered, the
  smallest connected part of R that holds all that is needed, are at least 4 from 3 × 3 rooms on
- near: from 4 × 4 rooms on they are at most 7, as on 3 × 3: longer ways would not fit the means of Table 4
- clear: every thing and door can be reached without moving another thing, and no cell before a door is taken
- solvable: the oracle reaches the goal within the step limit
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, product

from labyrinth_envs.babyai.layouts import (
    LARGE,
    Cell,
    DoorSpot,
    Layout,
    MissionName,
    OpenDoor,
    PutNextTo,
    room_at,
    rooms_of_door,
)
from labyrinth_envs.babyai.names import VECTORS, object_of

MIN_ROOMS = 4
"""Fewest rooms that a mission must lead through from 3 × 3 rooms on (§4)."""
MAX_ROOMS = 7
"""Most rooms that it may need from 4 × 4 rooms on; ours."""


def refusal(layout: Layout, missions: Collection[MissionName]) -> str | None:
    """Why the map or one of its missions does not pass; None where all do. The oracle is asked elsewhere."""
    reason = _map_refusal(layout) or _blocked(layout)
    for name in missions if reason is None else ():
        task = layout.mission(name)
        reason = reason or _mission_refusal(layout, task)
        rooms = 0 if reason else fewest_rooms(layout, task)
        if reason is None and layout.size >= 3 and rooms < MIN_ROOMS:
            reason = f"{name} leads through {rooms} rooms, fewer than {MIN_ROOMS}"
        if reason is None and layout.size >= LARGE and rooms > MAX_ROOMS:
            reason = f"{name} leads through {rooms} rooms, more than {MAX_ROOMS}"
    return reason


def fewest_rooms(layout: Layout, task: OpenDoor | PutNextTo) -> int:
    """The fewest rooms that have to be entered to do the task, the first one included; exact for maps that pass.

    The locked room is a leaf of R. A walk that does the task enters a connected set of rooms which holds the start,
    the key's room and the ends of the task; and any such set can be walked: first without the locked room, to the key.
    """
    near = neighbours(layout.size, layout.doors)
    locked, front = _locked_room(layout)
    start = _room(layout, (layout.agent.x, layout.agent.y))
    key = _room(layout, _key_cell(layout))
    if isinstance(task, OpenDoor):
        return smallest_tree(near, {start, key, front})
    pairs = product(*(_rooms_of(layout, name) for name in (task.move, task.fixed)))
    return min(smallest_tree(near, {start, *pair, *({key} if locked in pair else ())}) for pair in pairs)


def far_apart(size: int, doors: Collection[DoorSpot], rooms: Collection[int]) -> bool:
    """Whether a large map's mission that needs these rooms leads through too many."""
    return size >= LARGE and smallest_tree(neighbours(size, doors), rooms) > MAX_ROOMS


def smallest_tree(near: Mapping[int, Collection[int]], terminals: Collection[int]) -> int:
    """Rooms in the smallest connected part of a room graph that holds all terminals (Dreyfus and Wagner 1971)."""
    ends = sorted(terminals)
    everything = frozenset(ends)
    doors: dict[tuple[frozenset[int], int], int] = {}
    for end in ends:
        for room, far in _distances(near, {end: 0}).items():
            doors[frozenset([end]), room] = far
    for count in range(2, len(ends) + 1):
        for some in map(frozenset, combinations(ends, count)):
            joined = {}
            for room in near:
                splits = [(part, some - part) for part in _parts(some) if (part, room) in doors]
                sums = [doors[part, room] + doors[rest, room] for part, rest in splits if (rest, room) in doors]
                if sums:
                    joined[room] = min(sums)
            for room, far in _distances(near, joined).items():
                doors[some, room] = far
    return 1 + min(doors[everything, room] for room in near if (everything, room) in doors)


def neighbours(size: int, doors: Collection[DoorSpot], owners: Sequence[int] | None = None) -> dict[int, set[int]]:
    """R: each room and those behind its doors; `owners` says which rooms of the grid are one."""
    owners = owners or range(size * size)
    near: dict[int, set[int]] = {room: set() for room in owners}
    for door in doors:
        ends = [owners[end] for end in rooms_of_door(door.x, door.y, size) or ()]
        near[ends[0]].add(ends[1])
        near[ends[1]].add(ends[0])
    return near


def unlocking(layout: Layout) -> list[DoorSpot]:
    """The locked doors in an order in which they can be opened, without those whose key can never be had."""
    order: list[DoorSpot] = []
    while True:
        shut = [door for door in layout.doors if door.state == "locked" and door not in order]
        near = neighbours(layout.size, [door for door in layout.doors if door not in shut], layout.owners)
        reached = _distances(near, {layout.rooms[layout.agent.x, layout.agent.y]: 0}).keys()
        keys = {t.colour for t in layout.objects if t.type == "key" and layout.rooms[t.x, t.y] in reached}
        more = [door for door in shut if door.colour in keys and reached & set(layout.sides(door.x, door.y) or ())]
        if not more:
            return order
        order += more


def _map_refusal(layout: Layout) -> str | None:
    locks = [door for door in layout.doors if door.state == "locked"]
    if len(locks) != 1:
        return f"{len(locks)} doors are locked, not one"
    if sum(door.colour == locks[0].colour for door in layout.doors) != 1:
        return "another door has the locked one's colour"
    if sum((thing.type, thing.colour) == ("key", locks[0].colour) for thing in layout.objects) != 1:
        return "there is not one key to the locked door"
    near = neighbours(layout.size, layout.doors)
    if len(_distances(near, {0: 0})) != len(near):
        return "some rooms cannot be reached"
    locked, _ = _locked_room(layout)
    start, key = _room(layout, (layout.agent.x, layout.agent.y)), _room(layout, _key_cell(layout))
    if len(near[locked]) != 1 or locked in (start, key):
        return "no side of the locked door is a room with that door alone, without the agent and the key"
    apart = [abs(a - b) for a, b in zip(divmod(key, layout.size), divmod(locked, layout.size), strict=True)]
    return "the key lies beside the locked room" if sum(apart) == 1 else None


def _mission_refusal(layout: Layout, task: OpenDoor | PutNextTo) -> str | None:
    locked, _ = _locked_room(layout)
    if isinstance(task, OpenDoor):
        lock = next(door for door in layout.doors if door.state == "locked")
        return None if task.door == lock.colour else "the door to open is not locked"
    if (lock_key := next(d.colour for d in layout.doors if d.state == "locked")) in (
        colour for kind, colour in map(object_of, (task.move, task.fixed)) if kind == "key"
    ):
        return f"the mission is about the {lock_key} key itself"
    pairs = list(product(*(_rooms_of(layout, name) for name in (task.move, task.fixed))))
    if any(a == b for a, b in pairs):
        return "both things lie in one room"
    return None if all(locked in pair for pair in pairs) else "the things can be had without the key"


def _blocked(layout: Layout) -> str | None:
    """Floods from the agent through doors of any state but not through things."""
    things = {(thing.x, thing.y) for thing in layout.objects}
    doors = {(door.x, door.y) for door in layout.doors}
    if any(cell in things for door in doors for cell in _beside(door)):
        return "a thing lies right before a door"
    reached: set[Cell] = set()
    stack = [(layout.agent.x, layout.agent.y)]
    while stack:
        cell = stack.pop()
        floor = room_at(*cell, layout.size) is not None or cell in doors
        if floor and cell not in reached:
            reached.add(cell)
            stack += [] if cell in things else list(_beside(cell))
    return None if things | doors <= reached else "a thing or door is out of reach"


def _locked_room(layout: Layout) -> tuple[int, int]:
    """The room behind the lock, and the one before it: the first has one door only."""
    lock = next(door for door in layout.doors if door.state == "locked")
    a, b = rooms_of_door(lock.x, lock.y, layout.size) or (0, 0)
    start = _room(layout, (layout.agent.x, layout.agent.y))
    inside = a if len(neighbours(layout.size, layout.doors)[a]) == 1 and start != a else b
    return inside, b if inside == a else a


def _key_cell(layout: Layout) -> Cell:
    lock = next(door for door in layout.doors if door.state == "locked")
    return next((t.x, t.y) for t in layout.objects if (t.type, t.colour) == ("key", lock.colour))


def _rooms_of(layout: Layout, name: str) -> set[int]:
    wanted = object_of(name)
    return {_room(layout, (t.x, t.y)) for t in layout.objects if (t.type, t.colour) == wanted}


def _room(layout: Layout, cell: Cell) -> int:
    room = room_at(*cell, layout.size)
    assert room is not None
    return room


def _beside(cell: Cell) -> Iterator[Cell]:
    return ((cell[0] + dx, cell[1] + dy) for dx, dy in VECTORS)


def _parts(some: frozenset[int]) -> Iterator[frozenset[int]]:
    """Every way to split off a part that holds the first member, except all of it."""
    first, *others = sorted(some)
    return (frozenset([first, *more]) for count in range(len(others)) for more in combinations(others, count))


def _distances(near: Mapping[int, Collection[int]], known: dict[int, int]) -> dict[int, int]:
    """Fewest doors from rooms with known distances to all that can be reached, rooms in the order of distance."""
    found: dict[int, int] = {}
    front = dict(known)
    while front:
        room = min(front, key=lambda room: (front[room], room))
        found[room] = far = front.pop(room)
        for other in near[room]:
            if other not in found:
                front[other] = min(far + 1, front.get(other, far + 1))
    return found

"""The fewest rooms of a mission by an exhaustive search, beside which those of the drawn layouts are held."""

from __future__ import annotations

import heapq

from labyrinth_envs.babyai import layouts
from labyrinth_envs.babyai.layouts import Layout, MissionName


def searched(layout: Layout, mission: MissionName) -> int:
    """Dijkstra over (room, locks open, what is held, rooms entered) by the number of rooms entered."""
    locks = [door for door in layout.doors if door.state == "locked"]
    task = layout.mission(mission)
    items = [(f"{item.colour} {item.type}", layout.rooms[item.x, item.y]) for item in layout.objects]
    start = layout.rooms[layout.agent.x, layout.agent.y]
    queue: list[tuple[int, int, tuple[str, ...], str, tuple[int, ...]]] = [(1, start, (), "", (start,))]
    done = set()
    while queue:
        count, room, unlocked, held, entered = heapq.heappop(queue)
        if (room, unlocked, held, entered) in done:
            continue
        done.add((room, unlocked, held, entered))
        here = {label for label, where in items if where == room}
        opens = {lock.colour for lock in locks if room in sides(layout, lock) and held == f"{lock.colour} key"}
        if isinstance(task, layouts.OpenDoor):
            if task.door in opens:
                return count
        elif held == task.move and task.fixed in here:
            return count
        wanted = {f"{lock.colour} key" for lock in locks}
        for label in here & (wanted if isinstance(task, layouts.OpenDoor) else {*wanted, task.move}):
            heapq.heappush(queue, (count, room, unlocked, label, entered))
        if held:  # the key may be left behind at the lock
            heapq.heappush(queue, (count, room, tuple(sorted({*unlocked, *opens})), held, entered))
        for door in layout.doors:
            if room in sides(layout, door) and (door not in locks or door.colour in unlocked):
                far = next(side for side in sides(layout, door) if side != room)
                more = tuple(sorted({*entered, far}))
                heapq.heappush(queue, (len(more), far, unlocked, held, more))
    raise AssertionError("the mission cannot be done")


def sides(layout: Layout, door: layouts.DoorSpot) -> tuple[int, ...]:
    """The rooms beside a door, from the cells around it."""
    around = ((door.x + 1, door.y), (door.x - 1, door.y), (door.x, door.y + 1), (door.x, door.y - 1))
    return tuple(layout.rooms[cell] for cell in around if cell in layout.rooms)

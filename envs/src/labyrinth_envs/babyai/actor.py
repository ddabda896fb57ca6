"""The heuristic actor: carries out the calls of the paper's language in the current room, step by step.

It knows what the agent has seen of the room it is in (the last one whose floor it stood on) and nothing else; with the
scope `global` it also goes to rooms that it knows and looks into those behind unlocked doors, but fetches no keys.
Every plan is a generator of minigrid's action numbers whose return value is `done` or why it is not.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable
from typing import Literal

from minigrid.core.world_object import Door, WorldObj

from labyrinth_envs.babyai.dsl import Call
from labyrinth_envs.babyai.layouts import ROOM, room_at, rooms_of_door
from labyrinth_envs.babyai.level import Cell, Level, Sight
from labyrinth_envs.babyai.names import VECTORS, Entity
from labyrinth_envs.babyai.sight import view_cells
from labyrinth_envs.babyai.texts import door_state, name

Scope = Literal["room", "global"]
Plan = Generator[int, None, str]
Pose = tuple[int, int, int]

LEFT, RIGHT, FORWARD, PICKUP, DROP, TOGGLE = range(6)
DONE = "done"
_RING = ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))


class Actor:
    """One actor for one episode; `look` has to be called with every new sight, `plan` for every call."""

    NOWHERE = -1

    def __init__(self, level: Level, scope: Scope = "room") -> None:
        self._level = level
        self._scope = scope
        self._seen: set[Cell] = set()
        self._visited: set[int] = set()
        self._shown: dict[int, list[Cell]] = {}
        self._last: Cell | None = None
        self.room = self.NOWHERE
        """The last room whose floor the agent stood on."""

    def look(self, sight: Sight) -> None:
        """Takes in what the agent sees now; the door that it has just come through counts as found."""
        self._seen.update(cell[0] for row in sight for cell in row if cell is not None)
        here = room_at(*self._level.place, self._level.layout.size)
        if here is not None and here != self.room:
            self.room = here
            self._visited.add(here)
            self._shown.setdefault(here, []).extend(door for door in self._known_doors() if door == self._last)
        self._last = self._level.place

    def plan(self, call: Call) -> Plan:
        """The steps of a call, decided as it goes."""
        match call.name, call.entities:
            case "find_door", ():
                return self._find_door()
            case "pass_door", (x,):
                return self._pass_door(x)
            case "go_to_entity", (x,):
                return self._go_to(x)
            case "pick_up_entity", (x,):
                return self._pick_up(x)
            case "drop_entity", (x,):
                return self._drop(x)
            case "drop_next_to_entity", (x, y):
                return self._drop_next_to(x, y)
        raise ValueError(f"no plan for {call}")

    def offers(self) -> list[str]:
        """The calls that make sense by what has been seen of this room, in a fixed order."""
        known = [(cell, thing) for cell in sorted(self._region()) if (thing := self._thing(cell)) is not None]
        doors = _unlike(name(thing) for _, thing in known if thing.type == "door")
        things = _unlike(name(thing) for _, thing in known if thing.type in ("key", "ball", "box"))
        held = self._level.carrying
        calls = ["find_door()", *(f"pass_door({door})" for door in doors)]
        calls += [f"go_to_entity({label})" for label in [*doors, *things]]
        if held is None:
            return calls + [f"pick_up_entity({label})" for label in things]
        calls.append(f"drop_entity({name(held)})")
        return calls + [f"drop_next_to_entity({name(held)}, {label})" for label in things]

    # the six calls

    def _find_door(self) -> Plan:
        shown = self._shown.setdefault(self.room, [])
        if (yield from self._look_around(lambda: any(door not in shown for door in self._doors_in_view()), walls=True)):
            found = [door for door in self._doors_in_view() if door not in shown]
            shown += found
            return DONE
        known = self._known_doors()
        if not known:
            return "there is no door in this room"
        oldest = min(known, key=lambda door: shown.index(door) if door in shown else -1)
        yield from self._walk(lambda pose: any(oldest in row for row in view_cells(*pose))) or []
        if oldest in shown:
            shown.remove(oldest)
        shown.append(oldest)
        return DONE

    def _go_to(self, wanted: Entity) -> Plan:
        held = self._level.carrying
        faced = yield from self._face(wanted)
        if isinstance(faced, str) and held is not None and _fits(held, wanted):
            return f"you carry the {name(held)}"
        return faced if isinstance(faced, str) else DONE

    def _pick_up(self, wanted: Entity) -> Plan:
        if wanted.type == "door":
            return f"the {wanted} cannot be picked up"
        held = self._level.carrying
        if held is not None:
            return f"your hands are full: you carry the {name(held)}"
        faced = yield from self._face(wanted)
        if isinstance(faced, str):
            return faced
        yield PICKUP
        return DONE

    def _drop(self, wanted: Entity) -> Plan:
        refusal = self._not_held(wanted)
        return refusal or (yield from self._put_aside(set()))

    def _drop_next_to(self, wanted: Entity, other: Entity) -> Plan:
        refusal = self._not_held(wanted)
        if refusal:
            return refusal
        near = yield from self._find(other)
        if isinstance(near, str):
            return near
        beside = {cell for place in near for cell in _neighbours(place) if self._free(cell)}
        good = {cell for cell in beside if self._harmless(cell)}
        path = self._walk(_faces(good)) if good else None
        path = path or (self._walk(_faces(beside)) if path is None else path)
        if path is None:
            return f"there is no free cell next to the {other}"
        yield from path
        yield DROP
        return DONE

    def _pass_door(self, wanted: Entity) -> Plan:
        if wanted.type != "door":
            return f"the {wanted} is no door"
        cell = self._level.place
        under = self._thing(cell)
        if under is None or not _fits(under, wanted):
            faced = yield from self._face(wanted)
            if isinstance(faced, str):
                return faced
            cell = faced
        return (yield from self._cross(cell))

    # what they are made of

    def _cross(self, cell: Cell) -> Plan:
        """From in front of a door or from its doorway to the other room's floor."""
        level = self._level
        door = self._door(cell)
        if level.place != cell:
            if door_state(door) == "locked" and not self._opens(door):
                return f"the {name(door)} is locked and you do not carry the {door.color} key"
            if door_state(door) != "open":
                yield TOGGLE
            yield FORWARD
        far = next(spot for spot in _neighbours(cell) if self._room_of(spot) not in (None, self.room))
        yield from self._walk(_faces({far}), {cell}) or []
        yield FORWARD
        if level.place == far:
            return DONE
        blocker = level.grid.get(*far)
        if level.carrying is None:
            yield PICKUP
            yield FORWARD
            return (yield from self._put_aside(set()))
        yield from (RIGHT, RIGHT, FORWARD)
        return f"the way behind the {name(door)} is blocked by the {name(blocker)}"

    def _face(self, wanted: Entity) -> Generator[int, None, Cell | str]:
        """Walks up to the nearest match; returns its place."""
        cells = yield from self._find(wanted)
        return cells if isinstance(cells, str) else (yield from self._approach(cells))

    def _find(self, wanted: Entity) -> Generator[int, None, set[Cell] | str]:
        """Where matches have been seen in this room, after a look around if need be."""
        if not self._matches(wanted):
            yield from self._look_around(lambda: bool(self._matches(wanted)), walls=wanted.type == "door")
        if not self._matches(wanted) and self._scope == "global":
            yield from self._seek(wanted)
        return self._matches(wanted) or f"no {wanted} is to be seen in this room"

    def _approach(self, cells: Collection[Cell]) -> Generator[int, None, Cell | str]:
        """Faces the nearest of the cells; what stands in the only way is put aside."""
        for _ in range(4):
            path = self._walk(_faces(cells))
            if path is not None:
                yield from path
                return self._level.ahead
            through = self._walk(_faces(cells), objects=True)
            if through is None:
                if not (yield from self._look_around(lambda: self._walk(_faces(cells), objects=True) is not None)):
                    break
                continue
            for action in through:
                blocker = self._thing(self._level.ahead)
                if action == FORWARD and blocker is not None and blocker.type != "door":
                    if self._level.carrying is not None:
                        return f"the way is blocked by the {name(blocker)} and your hands are full"
                    yield PICKUP
                    yield from self._put_aside(self._trail(through))
                    break
                yield action
        return "there is no way to reach it"

    def _put_aside(self, spare: Collection[Cell]) -> Plan:
        """Drops what is carried where it blocks nothing, least of all the cells to spare."""
        free = {cell for cell in self._region() if self._free(cell) and cell not in spare}
        for cells in ({cell for cell in free if self._harmless(cell)}, free - self._thresholds(), free):
            path = self._walk(_faces(cells))
            if path is not None:
                yield from path
                yield DROP
                return DONE
        return "there is no free cell to drop it on"

    def _look_around(self, found: Callable[[], bool], *, walls: bool = False) -> Generator[int, None, bool]:
        """Turns and walks until it is found or all of the room's floor, and with `walls` its walls, has been seen."""
        useless: set[Pose] = set()
        while not found():
            unseen = {cell for cell in self._cells(walls=walls) if cell not in self._seen}
            path = self._walk(
                lambda pose, unseen=unseen: (
                    pose not in useless  # type: ignore[misc]
                    and any(cell in unseen for row in view_cells(*pose) for cell in row)
                )
            )
            if not unseen or path is None:
                return False
            for action in path:
                yield action
                if found():
                    return True
            if not path or not unseen & self._seen:
                useless.add(self._pose())
        return True

    def _seek(self, wanted: Entity) -> Generator[int, None, None]:
        """Goes where a match has been seen, or looks into one room after the other, the nearest first."""
        while not self._matches(wanted):
            ways = self._ways()
            known = {room for cell in self._seen if _is(self._thing(cell), wanted) for room in self._rooms_of(cell)}
            known &= ways.keys()
            ends = [room for room in ways if (room in known if known else room not in self._visited)]
            if not ends:
                return
            for door in ways[ends[0]]:
                faced = yield from self._approach({door})
                if isinstance(faced, str) or (yield from self._cross(door)) != DONE:
                    return
            yield from self._look_around(lambda: bool(self._matches(wanted)), walls=wanted.type == "door")

    def _ways(self) -> dict[int, list[Cell]]:
        """Rooms that can be reached through doors that have been seen, the nearest first, and the doors to each."""
        ways: dict[int, list[Cell]] = {self.room: []}
        queue = deque([self.room])
        doors = [(cell, door) for cell in sorted(self._seen) if isinstance(door := self._thing(cell), Door)]
        while queue:
            room = queue.popleft()
            for cell, door in doors:
                ends = rooms_of_door(*cell, self._level.layout.size)
                if ends and room in ends and (door_state(door) != "locked" or self._opens(door)):
                    far = ends[0] if ends[1] == room else ends[1]
                    if far not in ways:
                        ways[far] = [*ways[room], cell]
                        queue.append(far)
        return {room: way for room, way in ways.items() if way}

    def _walk(
        self, goal: Callable[[Pose], bool], within: Collection[Cell] | None = None, *, objects: bool = False
    ) -> list[int] | None:
        """Fewest turns and steps over seen free cells of this room to a pose, with `objects` also through things."""
        region = self._region() if within is None else within
        start = self._pose()
        came: dict[Pose, tuple[Pose, int] | None] = {start: None}
        queue = deque([start])
        while queue:
            pose = queue.popleft()
            if goal(pose):
                return _actions(came, pose)
            x, y, d = pose
            ahead = (x + VECTORS[d][0], y + VECTORS[d][1])
            steps = [((*ahead, d), FORWARD)] if ahead in region and self._passable(ahead, objects) else []
            for after, action in [*steps, ((x, y, (d - 1) % 4), LEFT), ((x, y, (d + 1) % 4), RIGHT)]:
                if after not in came:
                    came[after] = (pose, action)
                    queue.append(after)
        return None

    # what it knows

    def _thing(self, cell: Cell) -> WorldObj | None:
        """What is in a cell that has been seen."""
        return self._level.grid.get(*cell) if cell in self._seen else None

    def _door(self, cell: Cell) -> Door:
        door = self._thing(cell)
        assert isinstance(door, Door)
        return door

    def _pose(self) -> Pose:
        return (*self._level.place, int(self._level.agent_dir))

    def _room_of(self, cell: Cell) -> int | None:
        return room_at(*cell, self._level.layout.size)

    def _rooms_of(self, cell: Cell) -> Iterable[int]:
        """The room of a floor cell, the two of a doorway."""
        room = self._room_of(cell)
        return (rooms_of_door(*cell, self._level.layout.size) or ()) if room is None else (room,)

    def _cells(self, *, walls: bool) -> list[Cell]:
        """The floor of this room, with `walls` also the places where doors may be."""
        n = self._level.layout.size
        left, top = ROOM * (self.room % n), ROOM * (self.room // n)
        inside = range(1, ROOM)
        floor = [(left + x, top + y) for y in inside for x in inside]
        edge = [(left + x, top + y) for x in inside for y in (0, ROOM)]
        return floor + edge + [(left + x, top + y) for y in inside for x in (0, ROOM)] if walls else floor

    def _region(self) -> set[Cell]:
        """What has been seen of this room's floor, and its doors."""
        return {cell for cell in self._cells(walls=False) if cell in self._seen} | set(self._known_doors())

    def _known_doors(self) -> list[Cell]:
        return [cell for cell in self._cells(walls=True) if (door := self._thing(cell)) and door.type == "door"]

    def _doors_in_view(self) -> list[Cell]:
        view = {cell[0] for row in self._level.sight() for cell in row if cell is not None}
        return [door for door in self._known_doors() if door in view]

    def _matches(self, wanted: Entity) -> set[Cell]:
        """Where things of this name have been seen here; of doors those in the named state, if there are any."""
        found = {cell for cell in self._region() if _is(self._thing(cell), wanted)}
        exact = {cell for cell in found if wanted.state and door_state(self._door(cell)) == wanted.state}
        return exact or found

    def _passable(self, cell: Cell, objects: bool) -> bool:
        thing = self._thing(cell)
        return thing is None or thing.can_overlap() or (objects and thing.can_pickup())

    def _free(self, cell: Cell) -> bool:
        """Seen, empty, on the floor of this room, and not under the agent unless it can step back."""
        return self._room_of(cell) == self.room and cell in self._seen and self._thing(cell) is None

    def _thresholds(self) -> set[Cell]:
        """The cells in front of this room's doors."""
        return {cell for door in self._known_doors() for cell in _neighbours(door)}

    def _harmless(self, cell: Cell) -> bool:
        """Whether a thing there leaves the cells around it connected, doors free and other things within reach."""
        ring = [self._free((cell[0] + dx, cell[1] + dy)) for dx, dy in _RING]
        pieces = sum(ring[i] != ring[i - 1] for i in range(len(ring)))
        if pieces > 2 or cell in self._thresholds():
            return False
        things = [spot for spot in _neighbours(cell) if (thing := self._thing(spot)) and thing.can_pickup()]
        return all(any(self._free(side) and side != cell for side in _neighbours(spot)) for spot in things)

    def _opens(self, door: WorldObj) -> bool:
        held = self._level.carrying
        return held is not None and (held.type, held.color) == ("key", door.color)

    def _not_held(self, wanted: Entity) -> str | None:
        held = self._level.carrying
        if held is not None and _fits(held, wanted):
            return None
        return f"you do not carry the {wanted}" + (f" but the {name(held)}" if held is not None else "")

    def _trail(self, actions: Iterable[int]) -> set[Cell]:
        """The cells that these actions lead over from here."""
        x, y, d = self._pose()
        trail = {(x, y)}
        for action in actions:
            d = (d + {LEFT: -1, RIGHT: 1}.get(action, 0)) % 4
            if action == FORWARD:
                x, y = x + VECTORS[d][0], y + VECTORS[d][1]
            trail.add((x, y))
        return trail


def _actions(came: dict[Pose, tuple[Pose, int] | None], pose: Pose) -> list[int]:
    actions: list[int] = []
    while (step := came[pose]) is not None:
        pose, action = step
        actions.append(action)
    return actions[::-1]


def _faces(cells: Collection[Cell]) -> Callable[[Pose], bool]:
    return lambda pose: (pose[0] + VECTORS[pose[2]][0], pose[1] + VECTORS[pose[2]][1]) in cells


def _neighbours(cell: Cell) -> list[Cell]:
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in VECTORS]


def _fits(thing: WorldObj, wanted: Entity) -> bool:
    return bool((thing.type, thing.color) == (wanted.type, wanted.colour))


def _is(thing: WorldObj | None, wanted: Entity) -> bool:
    return thing is not None and _fits(thing, wanted)


def _unlike(labels: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(labels))

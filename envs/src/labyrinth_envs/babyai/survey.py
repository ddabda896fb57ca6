"""The heuristic actor's knowledge of its room, and its paths there."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator

from minigrid.core.world_object import Door, WorldObj

from labyrinth_envs.babyai.layouts import ROOM, Cell
from labyrinth_envs.babyai.level import Level, Sight
from labyrinth_envs.babyai.names import VECTORS, Entity
from labyrinth_envs.babyai.texts import door_state, name

Pose = tuple[int, int, int]
"""x, y and direction (0 east, 1 south, 2 west, 3 north)."""

LEFT, RIGHT, FORWARD, PICKUP, DROP, TOGGLE = range(6)
_RING = ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))


class Survey:
    """The cells that an agent has seen; the current room is the last one whose floor it stood on."""

    NOWHERE = -1

    def __init__(self, level: Level) -> None:
        self._level = level
        self._seen: set[Cell] = set()
        self._visited: set[int] = set()
        self._shown: dict[int, list[Cell]] = {}
        self._last: Cell | None = None
        self.room = self.NOWHERE
        """The last room whose floor the agent stood on."""

    def look(self, sight: Sight) -> None:
        """Takes in what the agent sees now; the door that it has just come through counts as found."""
        self._seen.update(cell[0] for row in sight for cell in row if cell is not None)
        here = self._room_of(self._level.place)
        if here is not None and here != self.room:
            self.room = here
            self._visited.add(here)
            self._shown.setdefault(here, []).extend(door for door in self._known_doors() if door == self._last)
        self._last = self._level.place

    def reveal(self) -> None:
        """Takes in the whole map, as the oracle does."""
        side = range(self._level.layout.side)
        self._seen.update((x, y) for x in side for y in side)

    def _ways(self) -> dict[int, list[Cell]]:
        """Rooms that can be reached through doors that have been seen, the nearest first, and the doors to each."""
        ways: dict[int, list[Cell]] = {self.room: []}
        queue = deque([self.room])
        doors = [(cell, door) for cell in sorted(self._seen) if isinstance(door := self._thing(cell), Door)]
        while queue:
            room = queue.popleft()
            for cell, door in doors:
                ends = self._level.layout.sides(*cell)
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

    def _thing(self, cell: Cell) -> WorldObj | None:
        """The content of a cell that has been seen."""
        return self._level.grid.get(*cell) if cell in self._seen else None

    def _door(self, cell: Cell) -> Door:
        door = self._thing(cell)
        assert isinstance(door, Door)
        return door

    def _pose(self) -> Pose:
        return (*self._level.place, int(self._level.agent_dir))

    def _room_of(self, cell: Cell) -> int | None:
        return self._level.layout.rooms.get(cell)

    def _rooms_of(self, cell: Cell) -> Iterable[int]:
        """The room of a floor cell, the two of a doorway."""
        room = self._room_of(cell)
        return (self._level.layout.sides(*cell) or ()) if room is None else (room,)

    def _cells(self, *, walls: bool) -> list[Cell]:
        """The floor of this room, with `walls` also the places where doors may be."""
        floor = self._level.layout.floors[self.room]
        return floor + [cell for cell in self._edges() if self._room_of(cell) is None] if walls else floor

    def _edges(self) -> Iterator[Cell]:
        """The walls around each room of the grid that this room is made of, without corners."""
        inside = range(1, ROOM)
        for left, top, width, height in self._level.layout.areas[self.room]:
            if width == height:
                yield from ((left - 1 + x, top - 1 + y) for x in inside for y in (0, ROOM))
                yield from ((left - 1 + x, top - 1 + y) for y in inside for x in (0, ROOM))

    def _region(self) -> set[Cell]:
        """The seen cells of this room's floor and doors."""
        return {cell for cell in self._cells(walls=False) if cell in self._seen} | set(self._known_doors())

    def _known_doors(self) -> list[Cell]:
        return [cell for cell in self._cells(walls=True) if (door := self._thing(cell)) and door.type == "door"]

    def _doors_in_view(self) -> list[Cell]:
        view = {cell[0] for row in self._level.sight() for cell in row if cell is not None}
        return [door for door in self._known_doors() if door in view]

    def _matches(self, wanted: Entity) -> set[Cell]:
        """The cells where things of this name were seen; of doors, those in the named state if there are any."""
        found = {cell for cell in self._region() if is_a(self._thing(cell), wanted)}
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
        return {cell for door in self._known_doors() for cell in neighbours(door)}

    def _harmless(self, cell: Cell) -> bool:
        """Whether a thing there leaves the cells around it connected, doors free and other things within reach."""
        ring = [self._free((cell[0] + dx, cell[1] + dy)) for dx, dy in _RING]
        pieces = sum(ring[i] != ring[i - 1] for i in range(len(ring)))
        if pieces > 2 or cell in self._thresholds():
            return False
        things = [spot for spot in neighbours(cell) if (thing := self._thing(spot)) and thing.can_pickup()]
        return all(any(self._free(side) and side != cell for side in neighbours(spot)) for spot in things)

    def _opens(self, door: WorldObj) -> bool:
        held = self._level.carrying
        return held is not None and (held.type, held.color) == ("key", door.color)

    def _not_held(self, wanted: Entity) -> str | None:
        held = self._level.carrying
        if held is not None and fits(held, wanted):
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


def faces(cells: Collection[Cell]) -> Callable[[Pose], bool]:
    """Whether a pose has one of the cells right ahead."""
    return lambda pose: (pose[0] + VECTORS[pose[2]][0], pose[1] + VECTORS[pose[2]][1]) in cells


def neighbours(cell: Cell) -> list[Cell]:
    """The four cells beside it."""
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in VECTORS]


def fits(thing: WorldObj, wanted: Entity) -> bool:
    """Whether its colour and type are those."""
    return bool((thing.type, thing.color) == (wanted.type, wanted.colour))


def is_a(thing: WorldObj | None, wanted: Entity) -> bool:
    """Whether there is something and it fits."""
    return thing is not None and fits(thing, wanted)

"""A layout as a minigrid game whose doors hide what lies behind them."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Literal

import numpy as np
from minigrid.core.grid import Grid
from minigrid.core.roomgrid import RoomGrid
from minigrid.core.world_object import Ball, Box, Door, Key, Wall, WorldObj
from minigrid.envs.babyai.core.roomgrid_level import RoomGridLevel
from minigrid.envs.babyai.core.verifier import ObjDesc, OpenInstr, PutNextInstr

from labyrinth_envs.babyai.layouts import ROOM, Cell, Layout, MissionName, OpenDoor, Start, rooms_of_door
from labyrinth_envs.babyai.names import DIRECTIONS, object_of
from labyrinth_envs.babyai.sight import VIEW, view_cells, visible

DoorwayView = Literal["clear", "blind"]
Sight = list[list[tuple[Cell, WorldObj | None] | None]]
"""A view: rows from the farthest, each cell with its place and what is there, None where it is not seen."""

_THINGS = {"key": Key, "ball": Ball, "box": Box}
_WALL = Wall()
_Described: Any = ObjDesc  # what minigrid leaves untyped
_Open: Any = OpenInstr
_PutNext: Any = PutNextInstr


class Level(RoomGridLevel):
    """One mission of one layout. `doors` and `things` have the layout's order and their current state."""

    def __init__(
        self,
        layout: Layout,
        mission: MissionName,
        max_steps: int,
        doorway_view: DoorwayView = "clear",
        start: Start | None = None,
    ) -> None:
        self.layout = layout
        self.task = layout.mission(mission)
        self.doorway_view = doorway_view
        self.start = start or layout.agent
        self.doors: list[Door] = []
        self.things: list[WorldObj] = []
        super().__init__(room_size=ROOM + 1, num_rows=layout.size, num_cols=layout.size, max_steps=max_steps)

    def begin(self) -> None:
        """Puts everything where it is at the start."""
        self.reset(seed=0)  # type: ignore[no-untyped-call]

    @property
    def place(self) -> Cell:
        """The agent's cell."""
        return int(self.agent_pos[0]), int(self.agent_pos[1])

    @property
    def ahead(self) -> Cell:
        """The cell that the agent faces."""
        x, y = self.front_pos
        return int(x), int(y)

    def sight(self) -> Sight:
        """The agent's current view."""
        cells = view_cells(*self.place, int(self.agent_dir))
        found = [[self._at(cell) for cell in row] for row in cells]
        opaque = [[thing is not None and thing.type in ("wall", "door") for thing in row] for row in found]
        if self.doorway_view == "clear":
            opaque[-1][VIEW // 2] = False
        seen = visible(opaque)
        return [[(cells[r][c], found[r][c]) if seen[r][c] else None for c in range(VIEW)] for r in range(VIEW)]

    def gen_obs_grid(self, agent_view_size: int | None = None) -> tuple[Grid, Any]:
        """Overrides minigrid's method: returns the view as a grid, and which of its cells are visible."""
        grid, mask = Grid(VIEW, VIEW), np.zeros((VIEW, VIEW), dtype=bool)
        for r, row in enumerate(self.sight()):
            for c, cell in enumerate(row):
                if cell is not None:
                    grid.grid[r * VIEW + c] = cell[1]
                    mask[c, r] = True
        grid.set(VIEW // 2, VIEW - 1, self.carrying)
        return grid, mask

    def gen_obs(self) -> dict[str, Any]:
        """Nothing: the world shows the view itself, and only once a step."""
        return {}

    def digest(self) -> str:
        """SHA-256 over all that is in the grid, the agent's pose and the mission's text."""
        content = [self.grid.encode().tolist(), [*self.place, int(self.agent_dir)], self.mission]
        return hashlib.sha256(json.dumps(content, separators=(",", ":")).encode()).hexdigest()

    def _gen_grid(self, width: int, height: int) -> None:
        RoomGrid._gen_grid(self, width, height)  # type: ignore[no-untyped-call]
        layout = self.layout
        for a, b in layout.merged or ():
            self.remove_wall(a % layout.size, a // layout.size, 0 if b == a + 1 else 1)
        self.doors, self.things = [], []
        for spot in layout.doors:
            door = Door(spot.colour, is_open=spot.state == "open", is_locked=spot.state == "locked")
            self._hang(door, spot.x, spot.y)
        for thing in layout.objects:
            made = _THINGS[thing.type](thing.colour)
            self.put_obj(made, thing.x, thing.y)
            self.things.append(made)
        self.agent_pos = (self.start.x, self.start.y)
        self.agent_dir = DIRECTIONS.index(self.start.direction)
        self.instrs = self._instruction()
        self.surface = str(self.instrs.surface(self))
        self.mission = f"{self.surface[0].upper()}{self.surface[1:]}."

    def _hang(self, door: Door, x: int, y: int) -> None:
        ends = rooms_of_door(x, y, self.layout.size)
        assert ends is not None  # the layout has been checked
        side = 0 if x % ROOM == 0 else 1  # minigrid's order of walls: east, south, west, north
        rooms = [self.room_grid[end // self.layout.size][end % self.layout.size] for end in ends]
        for room, wall in zip(rooms, (side, side + 2), strict=True):
            room.door_pos[wall] = (x, y)
            room.doors[wall] = door
            room.locked = room.locked or door.is_locked
        self.put_obj(door, x, y)
        self.doors.append(door)

    def _instruction(self) -> Any:
        if isinstance(self.task, OpenDoor):
            return _Open(_Described("door", self.task.door))
        move, fixed = (_Described(*object_of(name)) for name in (self.task.move, self.task.fixed))
        return _PutNext(move, fixed)

    def _at(self, cell: Cell) -> WorldObj | None:
        x, y = cell
        inside = 0 <= x < self.width and 0 <= y < self.height
        return self.grid.grid[y * self.width + x] if inside else _WALL

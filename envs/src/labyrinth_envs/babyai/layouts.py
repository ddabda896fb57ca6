"""Layouts: a map with its missions as JSON, frozen beside this file or written by a user, checked before it is played.

Rooms lie in n × n, have 5 × 5 free cells and share their walls: room (i, j) has the cells x in 6i+1…6i+5 and y in
6j+1…6j+5 and the number j·n + i. A door stands in a wall between two rooms. Where a wall is taken away (`merged`, done
by minigrid's `RoomGrid.remove_wall`), the rooms of the grid on both sides are one, with the lower of their numbers.
"""

from __future__ import annotations

import json
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, ValidationError

from labyrinth_envs.babyai.names import Colour, Direction, DoorState, Kind, object_of
from labyrinth_envs.error_messages import did_you_mean
from labyrinth_envs.world import Wire, WorldError, client_path

ROOM = 6
"""Cells from one wall to the next: five free ones and a wall."""

LARGE = 4
"""Rooms a side of the smaller of the two large maps of Table 4."""

MissionName = Literal["open-door", "put-next-to"]
Coordinate = Annotated[int, Field(ge=0, le=60)]
Cell = tuple[int, int]
Area = tuple[int, int, int, int]
"""x and y of the corner to the north-west, width and height, in cells."""


class DoorSpot(Wire):
    """A door and its state at the start."""

    x: Coordinate
    y: Coordinate
    colour: Colour
    state: DoorState


class Thing(Wire):
    """A key, ball or box and where it lies at the start."""

    x: Coordinate
    y: Coordinate
    type: Kind
    colour: Colour


class Start(Wire):
    """The agent's cell and direction at the start."""

    x: Coordinate
    y: Coordinate
    direction: Direction


class Solved(Wire):
    """The measures of a mission, taken when its layout was drawn."""

    oracle: str = ""
    """Actions of the oracle, one letter each: l(eft), r(ight), f(orward), p(ickup), d(rop), t(oggle)."""
    min_rooms: int = 0
    """Fewest rooms that have to be entered, the first one included."""


class OpenDoor(Solved):
    """Open the door of this colour."""

    door: Colour


class PutNextTo(Solved):
    """Put the one next to the other; both are named as `red ball`."""

    move: str
    fixed: str


class Missions(Wire):
    """The missions of a layout; a layout may lack one."""

    model_config = ConfigDict(alias_generator=lambda name: name.replace("_", "-"))

    open_door: OpenDoor | None = None
    put_next_to: PutNextTo | None = None

    def names(self) -> list[MissionName]:
        """The missions that the layout has."""
        have: list[MissionName] = ["open-door"] if self.open_door else []
        return [*have, "put-next-to"] if self.put_next_to else have


class Layout(Wire):
    """A map, its things and its missions."""

    id: Annotated[str, Field(min_length=1, max_length=100)]
    generator: str = "by hand"
    """The versions of the generator and of minigrid that drew the layout."""
    seed: int | None = None
    """The seed it was drawn with."""
    size: Annotated[int, Field(ge=1, le=10)]
    """Rooms a side."""
    merged: list[tuple[int, int]] | None = None
    """Pairs of rooms of the grid, the lower number first, with no wall between them."""
    doors: list[DoorSpot]
    objects: list[Thing]
    agent: Start
    missions: Missions
    hash: dict[MissionName, str] = Field(default_factory=dict)
    """Mission → SHA-256 of what the game holds when it has been loaded; checked where it is given."""

    @property
    def side(self) -> int:
        """Cells a side, outer walls included."""
        return ROOM * self.size + 1

    @cached_property
    def owners(self) -> list[int]:
        """The room that each room of the grid belongs to."""
        owners = list(range(self.size**2))
        for pair in self.merged or ():
            low, high = sorted(owners[place] for place in pair)
            owners = [low if owner == high else owner for owner in owners]
        return owners

    @cached_property
    def areas(self) -> dict[int, list[Area]]:
        """Room → the parts of its floor: its rooms of the grid, then the walls that are taken away between them."""
        areas: dict[int, list[Area]] = {}
        corners = [(ROOM * (place % self.size), ROOM * (place // self.size)) for place in range(self.size**2)]
        for owner, (x, y) in zip(self.owners, corners, strict=True):
            areas.setdefault(owner, []).append((x + 1, y + 1, ROOM - 1, ROOM - 1))
        for a, b in self.merged or ():
            x, y = corners[b]
            gap = (x, y + 1, 1, ROOM - 1) if b == a + 1 else (x + 1, y, ROOM - 1, 1)
            areas[self.owners[b]].append(gap)
        return areas

    @cached_property
    def floors(self) -> dict[int, list[Cell]]:
        """Room → its free cells."""
        return {
            room: [(x, y) for left, top, w, h in areas for y in range(top, top + h) for x in range(left, left + w)]
            for room, areas in self.areas.items()
        }

    @cached_property
    def rooms(self) -> dict[Cell, int]:
        """Free cell → its room."""
        return {cell: room for room, cells in self.floors.items() for cell in cells}

    def sides(self, x: int, y: int) -> tuple[int, int] | None:
        """The rooms that a door at this place joins, that to the west or north first; None where no door may stand."""
        ends = rooms_of_door(x, y, self.size)
        a, b = (self.owners[end] for end in ends) if ends else (0, 0)
        return None if a == b else (a, b)

    def mission(self, name: MissionName) -> OpenDoor | PutNextTo:
        """The mission of this name; raises `bad-parameter` where the layout has none."""
        found = self.missions.open_door if name == "open-door" else self.missions.put_next_to
        if found is None:
            raise WorldError("bad-parameter", f'layout {self.id} has no mission "{name}"; choose its other one')
        return found


def room_at(x: int, y: int, size: int) -> int | None:
    """The room of the grid whose free cell this is; None for walls and doorways."""
    inside = x % ROOM and y % ROOM and 0 < x < ROOM * size and 0 < y < ROOM * size
    return (y // ROOM) * size + x // ROOM if inside else None


def rooms_of_door(x: int, y: int, size: int) -> tuple[int, int] | None:
    """The rooms of the grid on the two sides of this place, the lower number first; None where no door may stand."""
    if x % ROOM == 0 and y % ROOM and 0 < x < ROOM * size and 0 < y < ROOM * size:
        ends = room_at(x - 1, y, size), room_at(x + 1, y, size)
    else:
        ends = room_at(x, y - 1, size), room_at(x, y + 1, size)
        if y % ROOM or not x % ROOM:
            return None
    return None if ends[0] is None or ends[1] is None else (ends[0], ends[1])


def load(layout: str) -> Layout:
    """The frozen layout of this id, or the file at this path (which names a folder or ends in `.json`)."""
    if "/" in layout or layout.endswith(".json"):
        return read(client_path(layout))
    if layout not in frozen():
        known = f"{did_you_mean(layout, frozen())}; there are {', '.join(frozen())}, or give a path"
        raise WorldError("bad-parameter", f'unknown layout "{layout}"{known}')
    return parse((_FOLDER / f"{layout}.json").read_text(), layout)


def read(path: Path) -> Layout:
    """Reads a layout file; raises `bad-game` with the reason in one line."""
    if path.exists() and not path.is_file():
        raise WorldError("bad-game", f"cannot read the layout {path}: it is not a regular file")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise WorldError("bad-game", f"cannot read the layout {path}: {reason}") from None
    return parse(text, str(path))


def frozen() -> list[str]:
    """Ids of the layouts that come with Labyrinth, sorted."""
    return sorted(entry.name.removesuffix(".json") for entry in _FOLDER.iterdir() if entry.name.endswith(".json"))


def parse(text: str, name: str) -> Layout:
    """A layout from JSON text; `name` is for error messages."""
    try:
        layout = Layout.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        message = f"{place}: {first['msg']}".replace("\n", " ")[:200]
        raise WorldError("bad-game", f"layout {name} is malformed: {message}") from None
    try:
        check(layout)
    except WorldError as error:
        raise WorldError("bad-game", f"layout {name} cannot be played: {error.message}") from None
    return layout


def written(layout: Layout) -> str:
    """A layout as the text of its file: one line for each door, thing and other field."""
    lines = []
    for key, value in layout.model_dump(mode="json", by_alias=True, exclude_none=True).items():
        text = json.dumps(value)
        if isinstance(value, list) and value:
            text = "[\n" + ",\n".join(f"    {json.dumps(item)}" for item in value) + "\n  ]"
        elif key == "missions":
            text = "{\n" + ",\n".join(f"    {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()) + "\n  }"
        lines.append(f"  {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def check(layout: Layout) -> None:
    """Raises `bad-game` where things do not stand where they may, or a mission speaks of what is not there."""
    taken: dict[Cell, str] = {}
    merged = layout.merged or []
    if twice := [f"{a} and {b}" for at, (a, b) in enumerate(merged) if (a, b) in merged[:at]]:
        raise _bad(f"the rooms {twice[0]} are merged twice; name them once")
    for a, b in merged:
        is_east, is_south = b == a + 1 and b % layout.size, b == a + layout.size
        if not (0 <= a and b < layout.size**2 and (is_east or is_south)):
            raise _bad(f"no wall is between the rooms {a} and {b} to be merged; name two neighbours, the lower first")
    for door in layout.doors:
        label = f"the {door.colour} door at ({door.x}, {door.y})"
        if layout.sides(door.x, door.y) is None:
            raise _bad(f"{label} is in no wall between two rooms")
        _claim(taken, (door.x, door.y), label)
    for thing in layout.objects:
        label = f"the {thing.colour} {thing.type} at ({thing.x}, {thing.y})"
        if (thing.x, thing.y) not in layout.rooms:
            raise _bad(f"{label} is in a wall or outside; put it on a free cell of a room")
        _claim(taken, (thing.x, thing.y), label)
    if (layout.agent.x, layout.agent.y) not in layout.rooms:
        raise _bad(f"the agent at ({layout.agent.x}, {layout.agent.y}) is in a wall or outside")
    _claim(taken, (layout.agent.x, layout.agent.y), "the agent")
    _check_missions(layout)


def _check_missions(layout: Layout) -> None:
    opening, putting = layout.missions.open_door, layout.missions.put_next_to
    if opening is None and putting is None:
        raise _bad("it has no mission")
    if opening and opening.door not in {door.colour for door in layout.doors}:
        raise _bad(f"the mission's {opening.door} door is not there")
    if putting:
        pair = object_of(putting.move), object_of(putting.fixed)
        if pair[0] == pair[1]:
            raise _bad(f"the mission puts a {putting.move} next to a thing of the same name")
        cells = [{(t.x, t.y) for t in layout.objects if (t.type, t.colour) == name} for name in pair]
        for name, found in zip((putting.move, putting.fixed), cells, strict=True):
            if not found:
                raise _bad(f"the mission's {name} is not there")
        if any(abs(x - u) + abs(y - v) == 1 for x, y in cells[0] for u, v in cells[1]):
            raise _bad(f"a {putting.move} is next to a {putting.fixed} already")


def _claim(taken: dict[Cell, str], cell: Cell, label: str) -> None:
    if cell in taken:
        raise _bad(f"{label} is where {taken[cell]} is")
    taken[cell] = label


def _bad(message: str) -> WorldError:
    return WorldError("bad-game", message)


_FOLDER = files(__package__) / "layouts"

"""The heuristic actor: carries out the calls of the paper's language in the current room, step by step.

It knows what the agent has seen of the room it is in (the last one whose floor it stood on) and nothing else; with the
scope `global` it also goes to rooms that it knows and looks into those behind unlocked doors, but fetches no keys.
Every plan is a generator of minigrid's action numbers whose return value is `done` or why it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable
from typing import Literal

from labyrinth_envs.babyai.dsl import Call
from labyrinth_envs.babyai.layouts import Cell
from labyrinth_envs.babyai.level import Level
from labyrinth_envs.babyai.names import Entity
from labyrinth_envs.babyai.sight import view_cells
from labyrinth_envs.babyai.survey import (
    DROP,
    FORWARD,
    PICKUP,
    RIGHT,
    TOGGLE,
    Pose,
    Survey,
    faces,
    fits,
    is_a,
    neighbours,
)
from labyrinth_envs.babyai.texts import door_state, name

Scope = Literal["room", "global"]
Plan = Generator[int, None, str]

DONE = "done"


class Actor(Survey):
    """The heuristic actor of one episode; call `look` with every new view and `plan` for every call."""

    def __init__(self, level: Level, scope: Scope = "room") -> None:
        super().__init__(level)
        self._scope = scope

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
        if isinstance(faced, str) and held is not None and fits(held, wanted):
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
        held = self._level.carrying
        if held is not None:  # it was in the way, and no cell was free for it
            return f"your hands are full: you carry the {name(held)}"
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
        beside = {cell for place in near for cell in neighbours(place) if self._free(cell)}
        good = {cell for cell in beside if self._harmless(cell)}
        path = self._walk(faces(good)) if good else None
        path = path or (self._walk(faces(beside)) if path is None else path)
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
        if under is None or not fits(under, wanted):
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
        far = next(spot for spot in neighbours(cell) if self._room_of(spot) not in (None, self.room))
        yield from self._walk(faces({far}), {cell}) or []
        yield FORWARD
        if level.place == far:
            return DONE
        blocker = level.grid.get(*far)
        if level.carrying is None:
            yield PICKUP
            yield FORWARD
            yield from self._put_aside({far})  # where no other cell is free it stays in hand
            return DONE
        yield from (RIGHT, RIGHT, FORWARD)
        return f"the way behind the {name(door)} is blocked by the {name(blocker)}"

    def _face(self, wanted: Entity) -> Generator[int, None, Cell | str]:
        """Walks up to the nearest match; returns its place."""
        cells = yield from self._find(wanted)
        return cells if isinstance(cells, str) else (yield from self._approach(cells))

    def _find(self, wanted: Entity) -> Generator[int, None, set[Cell] | str]:
        """Finds the matches seen in this room; looks around first if there are none."""
        if not self._matches(wanted):
            yield from self._look_around(lambda: bool(self._matches(wanted)), walls=wanted.type == "door")
        if not self._matches(wanted) and self._scope == "global":
            yield from self._seek(wanted)
        return self._matches(wanted) or f"no {wanted} is to be seen in this room"

    def _approach(self, cells: Collection[Cell]) -> Generator[int, None, Cell | str]:
        """Faces the nearest of the cells; what stands in the only way is put aside."""
        for _ in range(4):
            path = self._walk(faces(cells))
            if path is not None:
                yield from path
                return self._level.ahead
            through = self._walk(faces(cells), objects=True)
            if through is None:
                if not (yield from self._look_around(lambda: self._walk(faces(cells), objects=True) is not None)):
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
            path = self._walk(faces(cells))
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
            known = {room for cell in self._seen if is_a(self._thing(cell), wanted) for room in self._rooms_of(cell)}
            known &= ways.keys()
            ends = [room for room in ways if (room in known if known else room not in self._visited)]
            if not ends:
                return
            for door in ways[ends[0]]:
                faced = yield from self._approach({door})
                if isinstance(faced, str) or (yield from self._cross(door)) != DONE:
                    return
            yield from self._look_around(lambda: bool(self._matches(wanted)), walls=wanted.type == "door")


def _unlike(labels: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(labels))

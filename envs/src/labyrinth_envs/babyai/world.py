"""BabyAI behind the contract of a world."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from minigrid import __version__ as minigrid_version
from minigrid.core.world_object import Door

from labyrinth_envs.babyai import art, texts
from labyrinth_envs.babyai.actor import DONE, Actor, Plan
from labyrinth_envs.babyai.dsl import ACTIONS, InvalidCall, Primitive, parse
from labyrinth_envs.babyai.layouts import LARGE, Layout, MissionName, Start, load
from labyrinth_envs.babyai.level import Level
from labyrinth_envs.babyai.names import DIRECTIONS, PRIMITIVES, VECTORS
from labyrinth_envs.babyai.parameters import BabyAIParameters, PlayParameters
from labyrinth_envs.babyai.truth import Record
from labyrinth_envs.world import EnvSpec, Frame, Turn, WorldError

VERSION = f"2 (minigrid {minigrid_version})"
"""Raised whenever the same calls may be shown another outcome."""
SECTIONS = ["facing", "inventory", "door_change", "inventory_change", "passed_door", "result", "step"]
LARGE_STEPS = 400
"""The paper's limit for 4 × 4 and 7 × 7 rooms; ours to read as agent steps (GraphMind, D28)."""


class BabyAI:
    """BabyAI with doors that hide what lies behind them: open a locked door, or put one thing next to another."""

    id: ClassVar[str] = "babyai"
    Parameters: ClassVar[type[PlayParameters]] = BabyAIParameters

    def __init__(self, parameters: BabyAIParameters) -> None:
        layout = load(parameters.layout)
        limit = parameters.max_steps or horizon(layout.size, parameters.mission)
        start = layout.agent if parameters.seed == 0 else _other_start(layout, parameters.seed)
        self._open(parameters, Level(layout, parameters.mission, limit, parameters.doorway_view, start), VERSION)
        self._check_hash(layout)
        self._step_limit = parameters.step_limit or (LARGE_STEPS if layout.size >= LARGE else 0)

    def _open(self, parameters: PlayParameters, level: Level, version: str) -> None:
        self._parameters = parameters
        self._level = level
        self._level.begin()
        self._digest = self._level.digest()
        self._spec = EnvSpec(
            id=self.id,
            version=version,
            parameters=parameters.model_dump(mode="json", by_alias=True),
            sections=SECTIONS,
            actions=ACTIONS,
            fallback="find_door()",
            identity=self._digest,
        )
        self._begun = False
        self._end: Literal["won", "limit"] | None = None
        self._passed: list[str] = []
        self._taken = 0
        self._step_limit = parameters.step_limit

    @property
    def spec(self) -> EnvSpec:
        """The specification of the opened layout."""
        return self._spec

    def reset(self) -> Turn:
        """Begins the episode anew."""
        self._level.begin()
        self._begun, self._end, self._taken = True, None, 0
        self._actor = Actor(self._level, self._parameters.actor_scope)
        self._record = Record(self._level)
        self._look()
        self._passed = []
        return self._turn([], "", "", [])

    def step(self, action: str) -> Turn:
        """Executes one call by the heuristic actor, or one primitive; an invalid call costs no primitive step."""
        if not self._begun:
            raise WorldError("out-of-order", "Cannot step: the episode has not begun; reset it first")
        if self._end is not None:
            raise WorldError("ended", f"Cannot step: the episode has ended ({self._end}); reset it to play again")
        asked = parse(action)
        held, doors = self._level.carrying, [texts.door_state(door) for door in self._level.doors]
        self._record.forget_trace()
        self._passed = []
        frames: list[Frame] = []
        if isinstance(asked, InvalidCall):
            result = asked.why
        else:
            plan = _primitive(asked.number, self._level) if isinstance(asked, Primitive) else self._actor.plan(asked)
            result = self._run(plan, frames)
        self._taken += 1
        if self._end is None and self._taken == self._step_limit:
            self._end = "limit"
        changed = [
            f"The {texts.name(door)} changed from {before} to {after}."
            for door, before in zip(self._level.doors, doors, strict=True)
            if (after := texts.door_state(door)) != before
        ]
        return self._turn(frames, result, _exchange(held, self._level.carrying), changed)

    def valid_actions(self) -> list[str] | None:
        """The calls that make sense by what has been seen of the room; primitives may be sent as well."""
        if not self._begun:
            return None
        return [] if self._end is not None else self._actor.offers()

    def truth(self) -> dict[str, Any]:
        """The map as it is, and what has been seen of it.

        - `step`: primitive steps so far
        - `grid`: `{size, side, pitch}`: rooms a side, cells a side, cells from wall to wall; y grows to the south
        - `rooms`: `{id, visited}`: id is row · size + column, visited when the agent stood on its floor; a room that is
          merged from several of the grid has the lowest of their ids, and `areas`: `[x, y, width, height]` of its parts
        - `doors`: `{id, a, b, direction, colour, state, seen, x, y}`: direction is that from room a to room b
        - `objects`: `{id, colour, type, label, room, seen, x, y}`: room, x and y are null for the carried one
        - `agent`: `{x, y, direction, room, carrying}`: room is null in a doorway, carrying the object's id or null
        - `trace`: `[x, y, direction]` after each primitive of the last agent step (0 east, 1 south, 2 west, 3 north);
          after a reset the start alone
        - `mission`: its door, or the things to move and to stay, and the fewest rooms to be entered
        - `goldPath`: before the first step, the primitives by which the oracle reached the goal from where the layout
          starts, and empty for another start
        """
        if not self._begun:
            self.reset()
            self._begun = False
        gold = self._level.task.oracle if self._level.start == self._level.layout.agent else ""
        return self._record.truth([PRIMITIVES["lrfpdt".index(letter)] for letter in gold])

    def close(self) -> None:
        """Lets go of minigrid's game."""
        self._level.close()  # type: ignore[no-untyped-call]

    def _run(self, plan: Plan, frames: list[Frame]) -> str:
        """Plays a plan to its end, the episode's end or the cap; returns how it ended."""
        actions = _Returning(plan)
        for number in actions:
            if len(frames) >= self._parameters.macro_cap:
                return f"incomplete: given up after {len(frames)} steps"
            _, _, won, over, _ = self._level.step(number)  # type: ignore[no-untyped-call]
            self._look()
            frames.append(self._frame(PRIMITIVES[number]))
            if won or over:
                self._end = "won" if won else "limit"
                return DONE if won else "incomplete: the episode's last step has been taken"
        return actions.value

    def _look(self) -> None:
        left = self._actor.room
        self._sight = self._level.sight()
        self._actor.look(self._sight)
        self._record.look(self._sight)
        if left not in (Actor.NOWHERE, self._actor.room):
            self._passed.append(self._passage())

    def _frame(self, action: str) -> Frame:
        return Frame(
            action=action,
            observation=texts.observation(self._sight),
            sections={"facing": texts.facing(self._level), "inventory": texts.inventory(self._level)},
            image=self._image(),
        )

    def _turn(self, frames: list[Frame], result: str, exchange: str, changed: list[str]) -> Turn:
        return Turn(
            goal=self._level.mission,
            observation=texts.observation(self._sight),
            sections={
                "facing": texts.facing(self._level),
                "inventory": texts.inventory(self._level),
                "door_change": " ".join(changed),
                "inventory_change": exchange,
                "passed_door": "; ".join(self._passed),
                "result": result,
                "step": str(self._level.step_count),
            },
            frames=frames,
            score=float(self._end == "won"),
            max_score=1,
            end=self._end,
            image=frames[-1].image if frames else self._image(),
        )

    def _image(self) -> bytes | None:
        return art.view(self._sight, self._level.carrying) if self._parameters.image else None

    def _passage(self) -> str:
        """`red door, north`: the door that the last step led out of, and the side of the room left where it is."""
        (x, y), d = self._level.place, int(self._level.agent_dir)
        door = self._level.grid.get(x - VECTORS[d][0], y - VECTORS[d][1])
        assert door is not None
        return f"{texts.name(door)}, {DIRECTIONS[d]}"

    def _check_hash(self, layout: Layout) -> None:
        """Raises `bad-game` where the layout, with the start that stands in it, is not the one that was frozen."""
        mission = self._parameters.mission
        wanted = layout.hash.get(mission)
        if not wanted:
            return
        as_frozen = self._level
        if as_frozen.start != layout.agent:
            as_frozen = Level(layout, mission, 1)
            as_frozen.begin()
        found = as_frozen.digest()
        if found != wanted:
            raise WorldError(
                "bad-game",
                f"layout {layout.id} has changed since it was frozen ({mission}: SHA-256 {found[:12]}…, not"
                f" {wanted[:12]}…); restore its file, or draw it again with this minigrid",
            )


def horizon(size: int, mission: MissionName) -> int:
    """BabyAI's own limit, primitive steps: 49 for each walk needed and each room."""
    return 49 * size * size * (1 if mission == "open-door" else 2)


class _Returning:
    """Iterates over a generator and keeps what it returns."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.value = ""

    def __iter__(self) -> Iterator[int]:
        self.value = yield from self._plan


def _primitive(number: int, level: Level) -> Plan:
    before = _state(level)
    yield number
    return DONE if _state(level) != before else "nothing changed"


def _state(level: Level) -> object:
    thing = level.grid.get(*level.ahead)
    opened = texts.door_state(thing) if isinstance(thing, Door) else None
    return level.place, int(level.agent_dir), id(level.carrying), id(thing), opened


def _exchange(before: Any, after: Any) -> str:
    if before is after:
        return ""
    parts = [f"You dropped the {texts.name(before)}."] if before is not None else []
    return " ".join([*parts, *([f"You picked up the {texts.name(after)}."] if after is not None else [])])


def _other_start(layout: Layout, seed: int) -> Start:
    """Another free cell and direction in the room where the layout starts; it faces an empty cell or a wall."""
    taken = {(thing.x, thing.y) for thing in layout.objects} | {(door.x, door.y) for door in layout.doors}
    home = layout.rooms[layout.agent.x, layout.agent.y]
    cells = [(x, y) for y in range(layout.side) for x in range(layout.side)]
    poses = [
        Start(x=x, y=y, direction=DIRECTIONS[d])
        for x, y in cells
        if layout.rooms.get((x, y)) == home and (x, y) not in taken
        for d, (dx, dy) in enumerate(VECTORS)
        if (x + dx, y + dy) not in taken
    ]
    return random.Random(seed).choice(poses or [layout.agent])

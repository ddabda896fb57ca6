"""The view and the changes of a step in words.

`Wall`, `Yellow_Closed_Door` and `Blue_Box` are the paper's tokens; `Unseen`, `Empty` and `Agent` are ours.
"""

from __future__ import annotations

from minigrid.core.world_object import Door, WorldObj

from labyrinth_envs.babyai.level import Level, Sight
from labyrinth_envs.babyai.names import DIRECTIONS
from labyrinth_envs.babyai.sight import VIEW


def observation(sight: Sight) -> str:
    """The view as 7 lines from the farthest to the nearest, each of 7 cells from left to right with `; ` between."""
    rows = [["Unseen" if cell is None else token(cell[1]) for cell in row] for row in sight]
    rows[-1][VIEW // 2] = "Agent"
    return "\n".join("; ".join(row) for row in rows)


def token(thing: WorldObj | None) -> str:
    """Names the content of a cell: `Empty`, `Wall`, `Red_Locked_Door`, `Grey_Ball`."""
    if thing is None:
        return "Empty"
    if thing.type == "wall":
        return "Wall"
    return "_".join(word.capitalize() for word in name(thing, state=True).split())


def name(thing: WorldObj, *, state: bool = False) -> str:
    """`red ball`, `red door`, or with its state `red locked door`."""
    between = f" {door_state(thing)} " if state and isinstance(thing, Door) else " "
    return f"{thing.color}{between}{thing.type}"


def door_state(door: Door) -> str:
    """`open`, `closed` or `locked`."""
    return "open" if door.is_open else "locked" if door.is_locked else "closed"


def facing(level: Level) -> str:
    """`north`."""
    return DIRECTIONS[int(level.agent_dir)]


def inventory(level: Level) -> str:
    """`red key`, or `nothing`."""
    return "nothing" if level.carrying is None else name(level.carrying)

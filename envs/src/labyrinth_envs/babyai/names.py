"""Names of directions, colours and things, and the entities that actions speak of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, cast

from labyrinth_envs.world import WorldError

Direction = Literal["east", "south", "west", "north"]
Colour = Literal["blue", "green", "grey", "purple", "red", "yellow"]
Kind = Literal["key", "ball", "box"]
DoorState = Literal["open", "closed", "locked"]

DIRECTIONS: tuple[Direction, ...] = ("east", "south", "west", "north")
"""By minigrid's number; y grows to the south."""
VECTORS: tuple[tuple[int, int], ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))
COLOURS: tuple[Colour, ...] = ("blue", "green", "grey", "purple", "red", "yellow")
KINDS: tuple[Kind, ...] = ("key", "ball", "box")
STATES: tuple[DoorState, ...] = ("open", "closed", "locked")
PRIMITIVES = ("left", "right", "forward", "pickup", "drop", "toggle")
"""By minigrid's number."""

_ENTITY = re.compile(
    rf"(?:(?P<before>{'|'.join(STATES)}) )?(?P<colour>{'|'.join(COLOURS)}) "
    rf"(?:(?P<state>{'|'.join(STATES)}) )?(?P<type>{'|'.join(KINDS)}|door)"
)


@dataclass(frozen=True)
class Entity:
    """The thing that an action names: a colour, a type and optionally the state of a door."""

    colour: str
    type: str
    state: str | None = None

    def __str__(self) -> str:
        """`red ball`, `red locked door`."""
        return " ".join(word for word in (self.colour, self.state, self.type) if word)


def entity(text: str) -> Entity | None:
    """The entity that a text names, in underscores or spaces, any case, with or without an article; else None."""
    plain = " ".join(text.replace("_", " ").lower().split()).strip("'\"` ").replace("gray", "grey")
    found = _ENTITY.fullmatch(re.sub(r"^(?:an?|the) ", "", plain))
    if found is None or (found["before"] and found["state"]):
        return None
    state = found["before"] or found["state"]
    return None if state and found["type"] != "door" else Entity(found["colour"], found["type"], state)


def object_of(name: str) -> tuple[Kind, Colour]:
    """Type and colour of `red ball`, as layouts name the things of a mission."""
    found = entity(name)
    if found is None or found.type == "door":
        raise WorldError("bad-game", f'"{name}" names nothing; write a colour and a type, for example "red ball"')
    return cast("Kind", found.type), cast("Colour", found.colour)

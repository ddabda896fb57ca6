"""Reads an action: a call of the paper's language (Table 1) or a primitive of minigrid."""

from __future__ import annotations

import re
from dataclasses import dataclass

from labyrinth_envs.babyai.names import PRIMITIVES, Entity, entity
from labyrinth_envs.world import ActionSpec, WorldError

MAX_LENGTH = 200
"""Longest action, characters."""

CALLS: dict[str, tuple[str, ...]] = {
    "find_door": (),
    "pass_door": ("x",),
    "go_to_entity": ("x",),
    "pick_up_entity": ("x",),
    "drop_entity": ("x",),
    "drop_next_to_entity": ("x", "y"),
}
"""Name → parameters."""

ACTIONS = [
    ActionSpec(name="find_door()", description="look for a door of the current room", explores=True),
    ActionSpec(name="pass_door({x})", params=["x"], description="go through door x into the next room", explores=True),
    ActionSpec(name="go_to_entity({x})", params=["x"], description="walk to entity x and face it"),
    ActionSpec(name="pick_up_entity({x})", params=["x"], description="pick up entity x"),
    ActionSpec(name="drop_entity({x})", params=["x"], description="put the carried entity x on a free cell"),
    ActionSpec(
        name="drop_next_to_entity({x}, {y})",
        params=["x", "y"],
        description="put the carried entity x next to entity y",
    ),
    ActionSpec(name="left", description="turn left"),
    ActionSpec(name="right", description="turn right"),
    ActionSpec(name="forward", description="go one cell forward", explores=True),
    ActionSpec(name="pickup", description="pick up the thing ahead"),
    ActionSpec(name="drop", description="put the carried thing on the cell ahead"),
    ActionSpec(name="toggle", description="open, close or unlock the door ahead"),
]

_SYNONYMS = {
    "turn left": "left",
    "turn right": "right",
    "go forward": "forward",
    "move forward": "forward",
    "pick up": "pickup",
}


@dataclass(frozen=True)
class Call:
    """A call that makes sense as such, whether or not what it names is there."""

    name: str
    entities: tuple[Entity, ...]


@dataclass(frozen=True)
class Primitive:
    """A primitive step of minigrid: the number of its action."""

    number: int


@dataclass(frozen=True)
class InvalidCall:
    """An action that is neither a call nor a primitive; `why` is the error message for the planner."""

    why: str


def parse(action: str) -> Call | Primitive | InvalidCall:
    """Reads one action; raises `WorldError("bad-action")` for what is no single line of at most 200 characters."""
    text = action.strip(" ")
    if not text:
        raise _bad("the action is empty", "send one call, for example: find_door()")
    if len(text) > MAX_LENGTH:
        raise _bad(f"the action has {len(text)} characters", f"send one call of at most {MAX_LENGTH}")
    if not text.isprintable():
        raise _bad("the action holds a line break or a control character", "send one line of plain text")
    plain = " ".join(text.lower().replace("_", " ").split())
    primitive = _SYNONYMS.get(plain, plain)
    if primitive in PRIMITIVES:
        return Primitive(PRIMITIVES.index(primitive))
    found = re.fullmatch(r"([\w ]+?) ?\((.*)\)", text)
    name = "_".join(found[1].lower().replace("_", " ").split()) if found else ""
    if found is None or name not in CALLS:
        return InvalidCall(f"unknown action: write one of {', '.join(_signature(call) for call in CALLS)}")
    words = found[2].split(",") if found[2].strip() else []
    if len(words) != len(CALLS[name]):
        return InvalidCall(f"wrong number of arguments: {_signature(name)} takes {len(CALLS[name])}, not {len(words)}")
    entities = [entity(word) for word in words]
    for word, named in zip(words, entities, strict=True):
        if named is None:
            return InvalidCall(f'unknown entity "{word.strip()}": write a colour and a type, for example red ball')
    return Call(name, tuple(named for named in entities if named is not None))


def _signature(name: str) -> str:
    return f"{name}({', '.join(CALLS[name])})"


def _bad(what: str, remedy: str) -> WorldError:
    return WorldError("bad-action", f"Cannot take the action: {what}; {remedy}")

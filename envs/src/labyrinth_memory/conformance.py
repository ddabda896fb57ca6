"""A check that a class keeps to what Labyrinth relies on: `assert check(MyMemory) == []` in a test of yours."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from labyrinth_memory.types import Cue, Perception, Recollection

GOAL = "Open the chest."
WALK = (
    Perception(1, GOAL, "You are in a hall. There is a chest. A door leads north.", "nothing", "hall"),
    Perception(2, GOAL, "You are in a kitchen. There is a key on the table.", "nothing", "kitchen", "go north"),
    Perception(3, GOAL, "You take the key.", "a key", "kitchen", "take key"),
    Perception(4, GOAL, "You are in a hall. There is a chest.", "a key", "hall", "go south"),
    Perception(5, GOAL, "Nothing happens: <b>&\u00e9\u65e5\u672c</b>"),
)


def check(create: Callable[[], Any]) -> list[str]:
    """Plays a short walk and returns what does not fit, a line each; none of it may ask a model."""
    problems: list[str] = []

    def walked(memory: Any) -> list[Recollection]:
        found = []
        for seen in WALK:
            if memory.observe(seen) is not None:
                problems.append("observe must return None")
            cue = Cue(seen.step, seen.goal, seen.observation, seen.inventory, seen.location, "Find the key.")
            found.append(memory.recall(cue))
        return found

    first = create()
    found = walked(first)
    for recollection in found:
        problems += _problems_of(recollection)
    if walked(create()) != found:
        problems.append("two memories that saw the same recall different things")
    if hasattr(first, "save") != hasattr(first, "load"):
        problems.append("save and load come together or not at all")
    elif hasattr(first, "save"):
        last = WALK[-1]
        cue = Cue(last.step, last.goal, last.observation, plan="Find the key.")
        before = first.recall(cue)
        copy = create()
        copy.load(json.loads(json.dumps(first.save())))
        if copy.recall(cue) != before:
            problems.append("a memory that loaded what another one saved recalls something else")
        if first.recall(cue) != before:
            problems.append("recalling or saving changes the memory")
    return list(dict.fromkeys(problems))


def _problems_of(recollection: object) -> list[str]:
    if not isinstance(recollection, Recollection):
        return [f"recall must return a Recollection, not {type(recollection).__name__}"]
    wrong = [f"no title: {title!r}" for title in recollection.sections if not re.fullmatch(r"[A-Z][^\n#]{0,79}", title)]
    wrong += [
        f"the text of {title} is no string" for title, text in recollection.sections.items() if type(text) is not str
    ]
    return wrong

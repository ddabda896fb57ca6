"""The true state of a household as names and triplets, for measuring memories; no agent ever sees it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from labyrinth_envs.alfworld.engine import Fact

_STATES = {"isclean": "clean", "ishot": "hot", "iscool": "cool", "issliced": "sliced", "istoggled": "on"}


def truth_of(facts: Iterable[Fact]) -> dict[str, Any]:
    """`{receptacles, location, facts}`.

    - `receptacles`: names, sorted
    - `location`: the receptacles where the agent stands; none at first
    - `facts`: `[subject, relation, object]`, sorted: where things are (`in` what can be opened, else `on`; what is
      held is in the inventory), and states (`is` open, closed, clean, hot, cool, sliced, on)
    """
    known = set(facts)
    openable = {fact[1] for fact in known if fact[0] == "openable"}
    opened = {fact[1] for fact in known if fact[0] == "opened"}
    stands = {fact[2] for fact in known if fact[0] == "atlocation"}
    found = [[name, "is", "open" if name in opened else "closed"] for name in openable]
    for predicate, *names in known:
        if predicate == "inreceptacle":
            found.append([names[0], "in" if names[1] in openable else "on", names[1]])
        elif predicate == "holds":
            found.append([names[1], "in", "inventory"])
        elif predicate in _STATES:
            found.append([names[0], "is", _STATES[predicate]])
    return {
        "receptacles": sorted({fact[1] for fact in known if fact[0] == "receptacletype"}),
        "location": sorted({fact[1] for fact in known if fact[0] == "receptacleatlocation" and fact[2] in stands}),
        "facts": sorted(found),
    }

"""The true state of a game as names and triplets, for measuring memories; no agent ever sees it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from labyrinth_envs.textworld.engine import Fact
from labyrinth_envs.textworld.texts import display

_COMPASS = ("north_of", "east_of", "south_of", "west_of")
_BOOKKEEPING = frozenset({"free", "link", "base", "cooking_location", "out", "used", "P"})
_RELATIONS = {"at": "in", "in": "in", "on": "on", "match": "unlocks"}


def truth_of(facts: Iterable[Fact]) -> dict[str, Any]:
    """`{rooms, exits, location, facts}`.

    - `rooms`: names as in the headers of observations, sorted
    - `exits`: `{from, direction, to, door}` for every way out of every room; `door` is null where there is none
    - `location`: the player's room
    - `facts`: `[subject, relation, object]`, sorted: where things are (`in`, `on`; held things are in the inventory),
      what unlocks what, states (`is` closed, locked, open, raw, …) and the map (`is north of`, …)
    """
    known = _named_as_headers(sorted(set(map(_shown, facts))))
    doors = {(fact[1], fact[3]): fact[2] for fact in known if fact[0] == "link"}
    exits = [
        {"from": fact[2], "direction": fact[0][:-3], "to": fact[1], "door": doors.get((fact[2], fact[1]))}
        for fact in known
        if fact[0] in _COMPASS
    ]
    location = next((fact[2] for fact in known if fact[:2] == ("at", "P")), "")
    rooms = {end for fact in known if fact[0] in _COMPASS for end in fact[1:]} | ({location} - {""})
    triplets = (_triplet(fact) for fact in known)
    return {
        "rooms": sorted(rooms),
        "exits": sorted(exits, key=lambda way: (way["from"], way["direction"])),
        "location": location,
        "facts": sorted(triplet for triplet in triplets if triplet is not None),
    }


def _named_as_headers(known: list[Fact]) -> list[Fact]:
    """The facts with rooms named as headers and `location` name them: `Living room`, where facts say `living room`."""
    rooms = {end for fact in known if fact[0] in _COMPASS for end in fact[1:]}
    rooms |= {fact[2] for fact in known if fact[:2] == ("at", "P")}
    headed = {room: room[:1].upper() + room[1:] for room in rooms}
    return sorted((fact[0], *(headed.get(part, part) for part in fact[1:])) for fact in known)


@lru_cache(maxsize=10_000)
def _shown(fact: Fact) -> Fact:
    return tuple(display(part) for part in fact)


def _triplet(fact: Fact) -> list[str] | None:
    predicate, *names = fact
    if predicate in _BOOKKEEPING or "P" in names or any(not name for name in names):
        return None
    if predicate in _COMPASS:
        return [names[0], f"is {predicate[:-3]} of", names[1]]
    if predicate in _RELATIONS and len(names) == 2:
        return [names[0], _RELATIONS[predicate], "inventory" if names[1] == "I" else names[1]]
    return [names[0], "is", predicate] if len(names) == 1 else None

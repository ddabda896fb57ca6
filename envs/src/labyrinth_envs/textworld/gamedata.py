"""A TextWorld game as plain data: the JSON that TextWorld writes beside a compiled game, and its identity."""

from __future__ import annotations

import hashlib
import json
from typing import Any, TypeAlias

from textworld import Game, GameOptions

import labyrinth_envs.textworld.grammars  # noqa: F401  (TextWorld reads its grammars by it)
from labyrinth_envs.textworld.rules import plain_rules

GameData: TypeAlias = dict[str, Any]
"""TextWorld's serialised game. What only Labyrinth knows of it stands in `metadata["labyrinth"]`."""


def options(seed: int) -> GameOptions:
    """Options whose four random streams (map, objects, quest, grammar) all follow from one seed."""
    made = GameOptions()
    made.seeds = seed
    made.kb = plain_rules()
    return made


def to_data(game: Game, **about: object) -> GameData:
    """The game's data with `about` under `metadata["labyrinth"]`; independent of the process's hash seed."""
    data: GameData = json.loads(json.dumps(game.serialize()))
    data["metadata"]["labyrinth"] = about
    return canonical(data)


def canonical(data: GameData) -> GameData:
    """The same game with everything that is a set in TextWorld put in a fixed order."""
    quests = [
        {**quest, "win_events": _ordered(quest["win_events"]), "fail_events": _ordered(quest["fail_events"])}
        for quest in data["quests"]
    ]
    grammar = dict(data["grammar"])
    if "names_to_exclude" in grammar:
        grammar["names_to_exclude"] = _ordered(list(set(grammar["names_to_exclude"])))
    return {
        **data,
        "world": _ordered(data["world"]),
        "infos": _ordered(data["infos"]),
        "quests": quests,
        "grammar": grammar,
        # a path on the machine that made the game; nothing reads it again
        "KB": {**data["KB"], "text_grammars_path": ""},
    }


def identity(data: GameData) -> str:
    """SHA-256 (hex) of what decides play: world, names and texts, quests, rules, objective.

    The rules of the knowledge base are written by TextWorld in an order that varies with the process's hash seed, so
    they enter the hash as a sorted set.
    """
    whole = canonical(data)
    content = {key: whole[key] for key in ("world", "infos", "quests", "objective")}
    content["KB"] = _ordered(_flat(whole["KB"]))
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def named_facts(data: GameData) -> list[tuple[str, ...]]:
    """The facts at the start, in the game's names: `("in", "Key 2", "White locker")`; sorted."""
    names = {id_: info["name"] or id_ for id_, info in data["infos"]}
    return sorted(
        (fact["name"], *(names.get(argument["name"], argument["name"]) for argument in fact["arguments"]))
        for fact in data["world"]
    )


def _ordered(items: list[Any]) -> list[Any]:
    return sorted(items, key=lambda item: json.dumps(item, sort_keys=True))


def _flat(value: object) -> list[object]:
    """The lines of every text below `value`, or the value itself."""
    if isinstance(value, dict):
        return [[key, line] for key, below in value.items() for line in _flat(below)]
    if isinstance(value, list):
        return [line for below in value for line in _flat(below)]
    return list(value.splitlines()) if isinstance(value, str) else [value]

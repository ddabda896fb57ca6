"""Games in words that nobody has seen: every room, colour, thing, food and piece of furniture is called something else.

The same word becomes the same invented word wherever it stands in a name ("red onion", "red apple"), so what is alike
stays alike. Sentences, mechanics, compass words and numbers stay, and so do the words that an action or the task needs:
locker, key, note, treasure, door; stove, oven, BBQ, knife, cookbook and meal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from labyrinth_envs.textworld.gamedata import GameData, canonical

KEPT = frozenset("locker key note treasure door stove oven bbq knife cookbook meal of for and the a".split())

_ONSETS = "b bl br d dr f fl g gl gr h k kl kr l m n p pl pr r s sk sl sm t tr v w y z".split()
_VOWELS = "a e i o u".split()
_MIDDLES = "b bl d dr g k lm lv m mb nd ng nt r rk rv sk t v x z".split()
_ENDS = "b f g k l m n nt p rk sh sk t x z".split()
LONGEST_WORD = 8
"""Letters; the Z-machine tells words apart by their first nine."""


def rename(data: GameData, seed: int) -> GameData:
    """The game with its names invented from the seed."""
    renamed = renaming(data, seed)
    infos = [[id_, _renamed_info(info, renamed)] for id_, info in data["infos"]]
    quests = [_deep(quest, renamed, keys=("desc", "commands")) for quest in data["quests"]]
    metadata = _everywhere(data["metadata"], renamed)
    objective = renamed(data["objective"] or "")
    return canonical({**data, "infos": infos, "quests": quests, "metadata": metadata, "objective": objective})


def renaming(data: GameData, seed: int) -> Callable[[str], str]:
    """Replaces the game's names in a text by the invented ones."""
    entities = [(info["name"], info["type"]) for _, info in data["infos"] if info["name"] and info["type"] not in "PI"]
    words = _word_map(entities, _vocabulary(data), seed)
    names = sorted({name for name, _ in entities}, key=lambda name: (-len(name), name))
    rooms = {name.lower() for name, type_ in entities if type_ == "r"}
    pattern = re.compile(
        rf"(?:\b(an?) )?(?<![\w-])({'|'.join(map(re.escape, names))})(?![\w-])" if names else r"(?!)()()", re.IGNORECASE
    )

    def new_name(old: str) -> str:
        if old.lower() in rooms:
            return _like(old, words[old.lower()])
        return " ".join(_like(word, words.get(word.lower(), word)) for word in old.split(" "))

    def replaced(match: re.Match[str]) -> str:
        article, old = match[1], match[2]
        new = new_name(old)
        if not article:
            return new
        return f"{article if new == old else article[0]} {new}"

    def outside_brackets(text: str) -> str:
        parts = re.split(r"(\[[^]]*\])", text)
        return "".join(part if part.startswith("[") else pattern.sub(replaced, part) for part in parts)

    return outside_brackets


def _word_map(entities: Iterable[tuple[str, str]], known: set[str], seed: int) -> dict[str, str]:
    """Lower-case word (a room's whole name) → invented word."""
    olds: set[str] = set()
    for name, type_ in entities:
        parts = [name.lower()] if type_ == "r" else name.lower().split(" ")
        olds |= {part for part in parts if part not in KEPT and not re.fullmatch(r"\W*\d*\W*", part)}
    rng = np.random.RandomState(seed)
    taken = set(known)
    words = {}
    for old in sorted(olds):
        words[old] = _invent(rng, taken)
        taken.add(words[old])
    return words


def _invent(rng: np.random.RandomState, taken: set[str]) -> str:
    def pick(parts: list[str]) -> str:
        return parts[rng.randint(len(parts))]

    while True:
        word = pick(_ONSETS) + pick(_VOWELS) + pick(_MIDDLES) + pick(_VOWELS) + pick(_ENDS)
        if word not in taken and len(word) <= LONGEST_WORD:
            return word


def _vocabulary(data: GameData) -> set[str]:
    return set(re.findall(r"[a-z]+", json.dumps([data["infos"], data["objective"], data["metadata"]]).lower()))


def _like(old: str, new: str) -> str:
    """`new` with a capital where `old` has one."""
    return new.capitalize() if new != old and old[:1].isupper() else new


def _renamed_info(info: dict[str, Any], renamed: Callable[[str], str]) -> dict[str, Any]:
    changed = {key: renamed(info[key]) for key in ("name", "noun", "desc") if isinstance(info[key], str)}
    return {**info, **changed, "adj": None, "synonyms": _everywhere(info["synonyms"], renamed)}


def _deep(value: Any, renamed: Callable[[str], str], keys: tuple[str, ...]) -> Any:
    """Renames only what stands under one of the keys."""
    if isinstance(value, dict):
        return {k: _everywhere(v, renamed) if k in keys else _deep(v, renamed, keys) for k, v in value.items()}
    return [_deep(below, renamed, keys) for below in value] if isinstance(value, list) else value


def _everywhere(value: Any, renamed: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {renamed(key): _everywhere(below, renamed) for key, below in value.items()}
    if isinstance(value, list):
        return [_everywhere(below, renamed) for below in value]
    return renamed(value) if isinstance(value, str) else value

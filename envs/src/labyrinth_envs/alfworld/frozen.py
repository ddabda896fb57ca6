"""The 134 frozen households: drawn once, kept in `households.jsonl`, one a line with the SHA-256 of its game.

`python -m labyrinth_envs.alfworld.frozen` prints that file anew.
"""

from __future__ import annotations

import random
from functools import cache
from importlib.resources import files

from labyrinth_envs.alfworld.files import identity
from labyrinth_envs.alfworld.generate import household
from labyrinth_envs.alfworld.household import Household, TaskType

SHARES: dict[TaskType, int] = {"put": 24, "examine": 18, "clean": 31, "heat": 23, "cool": 21, "puttwo": 17}
"""Games of each type among ALFWorld's 134 unseen ones."""

FIRST_SEED = 1_000_000
"""Seed of the first frozen household; those of the others follow. Fresh ones have smaller seeds by custom."""


class Frozen(Household):
    """A line of the file."""

    sha256: str


@cache
def households() -> list[Frozen]:
    """The frozen set, by index."""
    text = files(__package__).joinpath("households.jsonl").read_text(encoding="utf-8")
    return [Frozen.model_validate_json(line) for line in text.splitlines()]


def drawn() -> list[Frozen]:
    """The set as the generator draws it: the types in an order of their own, so that any first n games have several."""
    types = [type for type, count in SHARES.items() for _ in range(count)]
    random.Random("frozen households").shuffle(types)
    made = [household(type, FIRST_SEED + index) for index, type in enumerate(types)]
    return [Frozen(**one.model_dump(), sha256=identity(one.game())) for one in made]


if __name__ == "__main__":
    for one in drawn():
        print(one.model_dump_json(by_alias=True))

"""Cooking and the RL benchmark: TextWorld's own cooking generator with the settings of the papers.

Cooking (AriGraph §4): a recipe of 3, 4 or 5 ingredients in a house of 9 or 12 rooms; in Hardest doors and containers
are closed and the hands hold only as many things as the recipe has. RL benchmark: levels 1–4 of Adhikari et al. 2021
(GATA), as AriGraph plays them (`open` false: doors and containers stand open, any food) or as GATA generated them
(`open` true: closed, foods and preparations of its training split). With the published seeds the generator gives the
published games.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import SimpleNamespace
from typing import Any

from textworld import GameMaker
from textworld.challenges.tw_cooking import cooking as generator
from textworld.generator.data import KnowledgeBase

from labyrinth_envs.textworld.gamedata import GameData, options, to_data
from labyrinth_envs.textworld.rules import remember

SETTINGS: dict[str, dict[str, Any]] = {
    "cooking": {"recipe": 3, "take": 3, "go": 9, "cook": True, "cut": True},
    "cooking-hard": {"recipe": 4, "take": 4, "go": 12, "cook": True, "cut": True},
    "cooking-hardest": {"recipe": 5, "take": 5, "go": 12, "open": True, "cook": True, "cut": True, "drop": True},
}

SEEDS = {"cooking": 10318, "cooking-hard": 34954, "cooking-hardest": 37162}
"""Seeds of the paper's games (metadata of the published files)."""

LEVELS: dict[int, dict[str, Any]] = {
    1: {"recipe": 1, "take": 1, "go": 1, "cut": True},
    2: {"recipe": 1, "take": 1, "go": 1, "cook": True, "cut": True},
    3: {"recipe": 1, "take": 1, "go": 9},
    4: {"recipe": 3, "take": 3, "go": 6, "cook": True, "cut": True},
}

LEVEL_SEEDS = {
    1: (57137, 34521, 35644),
    2: (15457, 36670, 42157),
    3: (51550, 49224, 54307),
    4: (44732, 29172, 60954),
}
"""Seeds of AriGraph's three games a level (metadata of the published files)."""

_EVERY = {"open": False, "cook": False, "cut": False, "drop": False, "recipe_seed": 0, "split": None}

GOAL = "Find the recipe in the cookbook, prepare the meal as it says and eat it."

TASK = (
    "Your task is to cook the meal of the recipe in the cookbook, and to eat it. Keep in mind what the recipe says once"
    " you have read it. Fry with the stove only, roast with the oven only and grill with the BBQ only. When each"
    " ingredient is fetched and treated as the recipe says, prepare the meal in the kitchen, then eat it."
)


def make(name: str, seed: int) -> GameData:
    """The game `cooking`, `cooking-hard` or `cooking-hardest`; seed 0 is the paper's, any other draws a new one."""
    return build(SETTINGS[name], SEEDS[name] if seed == 0 else seed)


def make_level(level: int, game: int, seed: int, *, open: bool) -> GameData:
    """Game 0–2 of level 1–4 of the RL benchmark; seed 0 gives AriGraph's, any other draws new ones."""
    settings = LEVELS[level] | ({"open": True, "split": "train"} if open else {})
    drawn = int.from_bytes(hashlib.sha256(f"{seed}/{level}/{game}".encode()).digest()[:4], "big") >> 1
    return build(settings, LEVEL_SEEDS[level][game] if seed == 0 else drawn)


def build(settings: dict[str, Any], seed: int) -> GameData:
    """The generator's game for these settings: the seed decides map, foods, recipe and wording."""
    with _quick_generator():
        game = generator.make(_EVERY | settings, options(seed))
    return to_data(game, kind="cooking", goal=GOAL, task=TASK)


@contextmanager
def _quick_generator() -> Iterator[None]:
    """Spares the generator two things that take longer than all the rest.

    It would compile each game and play its walkthrough, to store a winning policy that nothing here reads, and write
    outside the laboratory's folders for it; and it would parse the rules of cooking again for each game.
    """
    played, parsed = GameMaker.set_walkthrough, generator.KnowledgeBase
    GameMaker.set_walkthrough = lambda maker, commands: None
    generator.KnowledgeBase = SimpleNamespace(load=_rules)
    try:
        yield
    finally:
        GameMaker.set_walkthrough, generator.KnowledgeBase = played, parsed


def parse_rules() -> None:
    """Spares the processes that are forked from this one to parse the rules of all games but the hardest."""
    _rules(logic_path=generator.KB_LOGIC_PATH, grammar_path=generator.KB_GRAMMAR_PATH)


@cache
def _rules(logic_path: str, grammar_path: str) -> object:
    return remember(KnowledgeBase.load(logic_path=logic_path, grammar_path=grammar_path))

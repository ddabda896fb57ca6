"""Games of others: `.tw-pddl` files, and the folders of the official ones."""

from __future__ import annotations

import hashlib
import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from labyrinth_envs.alfworld.engine import Game, bad_game
from labyrinth_envs.alfworld.household import OFFICIAL, TaskType
from labyrinth_envs.world import WorldError, given_path

MAX_BYTES = 8 * 2**20
"""Largest game file."""

OFFICIAL_GAMES = {"train": 3553, "valid_seen": 140, "valid_unseen": 134}
"""Games of each official set."""

REACT_SEED = 1234
"""Of the shuffle that TextWorld's gym does, and with it the evaluations that go through it."""

_TYPES: dict[str, TaskType] = {official: type for type, official in OFFICIAL.items()}


@dataclass(frozen=True)
class Opened:
    """A game, and what else is known of it."""

    game: Game
    type: TaskType | None = None
    plan: list[str] = field(default_factory=list)
    """Commands that solve it, where they are known."""


def identity(game: Game) -> str:
    """SHA-256 (hex) of what decides play."""
    content = {"pddl_domain": game.domain, "grammar": game.grammar, "pddl_problem": game.problem}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def read_game(path: Path, type: TaskType | None = None) -> Opened:
    """A `.tw-pddl` file; raises `WorldError("bad-game")` for one that holds no game."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise bad_game(str(path), f"it is larger than {MAX_BYTES >> 20} MiB; give a smaller game")
        data: Any = json.loads(path.read_text(encoding="utf-8"))
        texts = [data[key] for key in ("pddl_domain", "grammar", "pddl_problem")]
        plan = data.get("walkthrough") or []
    except OSError as error:
        what = (error.strerror or str(error)).lower()
        raise bad_game(str(path), f"{what}; give a .tw-pddl file of ALFWorld") from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        what = f"it is no .tw-pddl file ({type_name(error)})"
        raise bad_game(str(path), f"{what}; it wants the texts pddl_domain, grammar and pddl_problem") from error
    if not all(isinstance(text, str) for text in texts):
        raise bad_game(str(path), "pddl_domain, grammar and pddl_problem are not all texts; check the file")
    domain, grammar, problem = texts
    known = [str(action) for action in plan] if isinstance(plan, list) else []
    return Opened(Game(domain=domain, grammar=grammar, problem=problem, name=str(path)), type or _type_in(path), known)


def type_name(error: BaseException) -> str:
    """What an error is called."""
    return error.__class__.__name__


def official_game(root: str | None, split: str, index: int, order: Literal["sorted", "shuffled"]) -> Opened:
    """The game with this index of an official set below `root` (or `ALFWORLD_DATA`)."""
    paths = official_games(root, split)
    if index >= len(paths):
        raise WorldError("bad-parameter", f"there is no game {index} in {split}, which has {len(paths)}; count from 0")
    if order == "shuffled":
        paths = [paths[number] for number in np.random.RandomState(REACT_SEED).permutation(len(paths))]
    return read_game(paths[index])


def official_games(root: str | None, split: str) -> list[Path]:
    """The playable games of a set, sorted by path: of a known type, solvable, without slices or movable receptacles.

    A game file that is missing or says nothing of being solvable is passed over, as ALFWorld does, while the set has
    all the games that it should have; in a set that lacks some, it is a fault of the download.
    """
    folder = _split_folder(root, split)
    games, faults = [], []
    for found in sorted(folder.rglob("traj_data.json")):
        game = found.with_name("game.tw-pddl")
        if "movable" in str(found.relative_to(folder)) or "Sliced" in str(found.relative_to(folder)):
            continue
        try:
            if _type_in(game) is None:
                continue
            solvable = re.search(rb'"solvable"\s*:\s*(true|false)', game.read_bytes())
        except FileNotFoundError:
            faults.append(f"{game} is missing")
            continue
        except OSError as error:
            raise bad_game(str(game), f"{(error.strerror or str(error)).lower()}; mend the permissions") from error
        if solvable is None:
            faults.append(f"{game} does not say whether it is solvable")
        elif solvable[1] == b"true":
            games.append(game)
    if len(games) < OFFICIAL_GAMES[split] and faults:
        raise bad_game(
            split, f"{faults[0]}, so that the games would be numbered otherwise; run alfworld-download again"
        )
    if not games:
        raise bad_game(split, f"{folder} holds no games (traj_data.json and game.tw-pddl); run alfworld-download")
    return games


def _split_folder(root: str | None, split: str) -> Path:
    told = root or os.environ.get("ALFWORLD_DATA") or str(Path.home() / ".cache" / "alfworld")
    folder = given_path(told) / "json_2.1.1" / split
    if not folder.is_dir():
        where = "the folder that alfworld-download has filled"
        raise bad_game(split, f"there is no folder {folder}; set ALFWORLD_DATA, or give as path, {where}")
    return folder


def _type_in(game: Path) -> TaskType | None:
    """The task type that the `traj_data.json` beside a game tells."""
    beside = game.with_name("traj_data.json")
    if not beside.is_file():
        return None
    try:
        return _TYPES.get(json.loads(beside.read_text(encoding="utf-8"))["task_type"])
    except (ValueError, KeyError, TypeError) as error:
        raise bad_game(str(game), f"{beside} is broken ({type_name(error)}); run alfworld-download again") from error

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
from labyrinth_envs.world import WorldError, client_path, given_path

MAX_BYTES = 8 * 2**20
"""Largest game file."""

OFFICIAL_GAMES = {"train": 3553, "valid_seen": 140, "valid_unseen": 134}
"""Games of each official set."""

AGAIN = "run alfworld-download again"
"""The remedy where files of the official sets are missing or broken."""

REACT_SEED = 1234
"""Seed of the shuffle in TextWorld's gym, which published evaluations use."""

NOT_TOLD = (ValueError, KeyError, TypeError, RecursionError)
"""The exceptions raised by reading a file that is no JSON or has another shape."""

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
    """Names an error for a message."""
    return error.__class__.__name__


def official_game(root: str | None, split: str, index: int, order: Literal["sorted", "shuffled"]) -> Opened:
    """The game with this index of an official set below `root` (or `ALFWORLD_DATA`).

    Raises:
        WorldError: `bad-game` if it is this one that cannot be played, `bad-parameter` if there is no such game, or no
            such set.
    """
    found = _numbered(root, split)
    if index >= len(found):
        raise WorldError("bad-parameter", f"there is no game {index} in {split}, which has {len(found)}; count from 0")
    if order == "shuffled":
        found = [found[number] for number in np.random.RandomState(REACT_SEED).permutation(len(found))]
    chosen = found[index]
    if chosen.fault is not None:
        raise bad_game(str(chosen.path), chosen.fault)
    return read_game(chosen.path)


@dataclass(frozen=True)
class _Found:
    """A game file of a set, and what is wrong with it, with the remedy, where something is."""

    path: Path
    fault: str | None = None


def official_state(split: str) -> tuple[Path, int]:
    """The folder of an official set, and how many whole games of it are there."""
    folder = _official_folder(None, split)
    return folder, sum(found.fault is None for found in _games_in(folder)) if folder.is_dir() else 0


def _numbered(root: str | None, split: str) -> list[_Found]:
    """The games of a set, sorted by path: of a known type, solvable, without slices or movable receptacles.

    A game file that is missing or says nothing of being solvable is passed over, as ALFWorld does, while the set has
    all the games that it should have. In a set that lacks some it is a fault of the download: it keeps its number where
    the faulty ones are as many as are lacking, and where they are not, nobody knows which game has which number.
    """
    folder = _split_folder(root, split)
    found = _games_in(folder)
    whole = [one for one in found if one.fault is None]
    there = [one for one in found if one.fault is None or one.path.exists()]
    if len(whole) >= OFFICIAL_GAMES[split]:
        return whole
    for kept in (there, found):  # a file that is missing may be one that ALFWorld never made
        if len(kept) == OFFICIAL_GAMES[split]:
            return kept
    first = next((one for one in found if one.fault is not None), None)
    if first is not None:
        what = f"it has {len(whole)} whole games of {OFFICIAL_GAMES[split]}, and their numbers cannot be told"
        raise _bad_set(split, f"{what}: of {first.path}, {first.fault}")
    if not whole:
        raise _bad_set(split, f"{folder} holds no games (traj_data.json and game.tw-pddl); run alfworld-download")
    return whole


def _games_in(folder: Path) -> list[_Found]:
    """The games of a folder that ALFWorld does not pass over, sorted by path."""
    beside = {found.parent for name in ("traj_data.json", "game.tw-pddl") for found in folder.rglob(name)}
    seen = [_looked_at(trial / "game.tw-pddl") for trial in sorted(beside) if _is_played(trial.relative_to(folder))]
    return [one for one in seen if one is not None]


def _is_played(trial: Path) -> bool:
    return "movable" not in str(trial) and "Sliced" not in str(trial)


def _looked_at(game: Path) -> _Found | None:
    """`None` for a game that ALFWorld passes over: of another type, or known to be unsolvable."""
    beside = game.with_name("traj_data.json")
    if not beside.exists():
        return _Found(game, f"{beside.name} beside it is missing; {AGAIN}")
    try:
        if _type_told(beside) is None:
            return None
        solvable = re.search(rb'"solvable"\s*:\s*(true|false)', game.read_bytes())
    except NOT_TOLD as error:
        return _Found(game, f"{beside.name} beside it is broken ({type_name(error)}); {AGAIN}")
    except FileNotFoundError:
        return _Found(game, f"it is missing; {AGAIN}")
    except OSError as error:
        return _Found(game, f"{(error.strerror or str(error)).lower()}; mend the permissions")
    if solvable is None:
        return _Found(game, f"it does not say whether it is solvable; {AGAIN}")
    return _Found(game) if solvable[1] == b"true" else None


def _bad_set(split: str, what: str) -> WorldError:
    """The refusal of a whole set: no game of it can be played, unlike `bad-game`."""
    return WorldError("bad-parameter", f"Cannot play {split}: {what}")


def _official_folder(root: str | None, split: str) -> Path:
    told = os.environ.get("ALFWORLD_DATA") or str(Path.home() / ".cache" / "alfworld")
    return (client_path(root) if root else given_path(told)) / "json_2.1.1" / split


def _split_folder(root: str | None, split: str) -> Path:
    folder = _official_folder(root, split)
    if not folder.is_dir():
        where = "the folder that alfworld-download has filled"
        raise _bad_set(split, f"there is no folder {folder}; set ALFWORLD_DATA, or give as path, {where}")
    return folder


def _type_in(game: Path) -> TaskType | None:
    """The task type that the `traj_data.json` beside a game tells."""
    beside = game.with_name("traj_data.json")
    if not beside.is_file():
        return None
    try:
        return _type_told(beside)
    except NOT_TOLD as error:
        raise bad_game(str(game), f"{beside} is broken ({type_name(error)}); {AGAIN}") from error


def _type_told(beside: Path) -> TaskType | None:
    """Raises one of `NOT_TOLD` for a file that tells no type; `None` for a type that ALFWorld does not play."""
    return _TYPES.get(json.loads(beside.read_text(encoding="utf-8"))["task_type"])

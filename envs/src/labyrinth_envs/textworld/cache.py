"""Compiled games, kept by the SHA-256 of their content, so that each is compiled once on a machine.

The folder is `LABYRINTH_CACHE` or `<working folder>/.lab/games`. An entry is a folder `<identity>/` with `game.json`
and `game.z8`; it is built under another name and renamed into place, so several processes may ask for one game at once.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from textworld import Game, GameOptions
from textworld.generator import compile_game
from textworld.generator.inform7.world2inform7 import I7_DEFAULT_PATH

from labyrinth_envs.story_file import is_story_file
from labyrinth_envs.textworld.gamedata import GameData, canonical, identity
from labyrinth_envs.world import WorldError, cache_folder

ROOM_NEEDED = 16 * 2**20
"""Bytes that must still be writable after a failed compilation, or it is put down to a full disk."""


def compiled(data: GameData, name: str) -> Path:
    """Path of the game's `.z8` (its `.json` beside it), compiled if it is not there: 0.7 s of processor time, then 0.

    Raises `WorldError`: `bad-game` where TextWorld cannot compile it, `disk` where the folder cannot be written.
    """
    game = story_of(identity(data))
    entry, root = game.parent, game.parents[1]
    try:
        if is_story_file(game):
            return game
        root.mkdir(parents=True, exist_ok=True)
        with (
            tempfile.TemporaryDirectory(prefix="building-", dir=root) as folder,
            tempfile.TemporaryDirectory(prefix="labyrinth-", dir=_plain(folder)) as scratch,
        ):
            made = Path(scratch) / "entry"
            made.mkdir()
            _compile(canonical(data), made, name)
            built = Path(folder) / "built"
            shutil.copytree(made, built)
            _put(built, entry)
    except OSError as error:
        raise WorldError(
            "disk",
            f"Cannot write the compiled game {name} to {root}: {error.strerror or error};"
            " free some space or set LABYRINTH_CACHE to a folder that can be written",
        ) from error
    return game


def story_of(identity: str) -> Path:
    """Path of the `.z8` of the game of that identity."""
    return cache_folder() / identity / "game.z8"


def _plain(folder: str) -> str:
    """The folder, or one for temporary files where its path has characters that the Inform compiler cannot read."""
    for candidate in (folder, tempfile.gettempdir(), "/tmp", "/var/tmp"):
        if _PLAIN.fullmatch(candidate) and os.path.isdir(candidate):
            return candidate
    raise OSError(
        errno.EINVAL, "the Inform compiler needs a folder whose path is of plain letters and digits: set TMPDIR"
    )


_PLAIN = re.compile(r"[A-Za-z0-9/._+-]+")


def _compile(data: GameData, folder: Path, name: str) -> None:
    try:
        game = Game.deserialize(json.loads(json.dumps(data)))
        wanted = GameOptions()
        wanted.path = str(folder / "game.z8")
        wanted.force_recompile = True
        with _nothing_outside(folder.parent):
            compile_game(game, wanted)
    except OSError:
        raise
    except Exception as error:  # TextWorld raises whatever its data leads to
        _check_room(folder)  # the compiler's messages do not tell a full disk from a faulty game
        raise WorldError(
            "bad-game",
            f"Cannot compile the game {name}: {_first_line(error)};"
            " check the file, or make the game smaller (a .z8 holds 512 KB)",
        ) from error
    if not is_story_file(folder / "game.z8"):
        raise OSError(errno.ENOSPC, "the compiled file came out incomplete")
    # the JSON that TextWorld wrote is the one that belongs to the story; the source is of no further use
    (folder / "game.ni").unlink(missing_ok=True)


def _check_room(folder: Path) -> None:
    """Raises `OSError` where so much cannot be written: no space, a quota, a limit on the size of files."""
    probe = folder / "probe"
    try:
        probe.write_bytes(bytes(ROOM_NEEDED))
    finally:
        probe.unlink(missing_ok=True)


def _put(built: Path, entry: Path) -> None:
    """Renames into place; where another process was first its entry is as good, and a broken one is replaced."""
    try:
        built.rename(entry)
    except OSError:
        if is_story_file(entry / "game.z8"):
            return
        shutil.rmtree(entry, ignore_errors=True)
        built.rename(entry)


@contextmanager
def _nothing_outside(folder: Path) -> Iterator[None]:
    """The Inform compiler keeps a work folder among the temporary files and another at home: both go in here.

    So do links to the compiler's own files, which may lie at a path that it does not understand. It is called without
    its index, HTML pages about the game that take it two thirds of its time; the story file is the same.
    """
    before, environment = tempfile.tempdir, dict(os.environ)
    home = Path(os.environ.get("INFORM_HOME") or I7_DEFAULT_PATH).absolute() / "share" / "inform7"
    inform = folder / "inform"
    compilers = inform / "share" / "inform7" / "Compilers"
    compilers.mkdir(parents=True)
    (compilers.parent / "Internal").symlink_to(home / "Internal")
    (compilers / "inform6").symlink_to(home / "Compilers" / "inform6")
    ni = compilers / "ni"
    ni.write_text(f'#!/bin/sh\nexec {shlex.quote(str(home / "Compilers" / "ni"))} --noindex "$@"\n')
    ni.chmod(0o700)
    tempfile.tempdir = os.environ["HOME"] = str(folder)
    os.environ["INFORM_HOME"] = str(inform)
    try:
        yield
    finally:
        tempfile.tempdir = before
        for name in ("HOME", "INFORM_HOME"):
            if name in environment:
                os.environ[name] = environment[name]
            else:
                del os.environ[name]


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0] if lines else 'no reason given'}"[:200]

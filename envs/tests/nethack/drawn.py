"""Levels drawn as text, for rules that need no game."""

from __future__ import annotations

from itertools import count

from labyrinth_envs.nethack import glyphs
from labyrinth_envs.nethack.rooms import RoomGraph
from labyrinth_envs.nethack.screen import COLUMNS, ROWS

_SYMBOLS = {
    " ": glyphs.STONE,
    "|": 1,
    "-": 2,
    ".": 19,
    "#": 21,
    "o": glyphs.DOORWAY,
    "'": 13,
    "+": 15,
    ">": 24,
    "<": 23,
    "^": 48,
    "}": 32,
    "?": glyphs.UNKNOWN,
}


def level(drawing: str) -> list[list[int]]:
    """Features of a drawing whose upper left corner is (0, 0)."""
    lines = drawing.strip("\n").splitlines()
    rows = [[_SYMBOLS[symbol] for symbol in line.ljust(COLUMNS)] for line in lines]
    return rows + [[glyphs.STONE] * COLUMNS for _ in range(ROWS - len(rows))]


def graph() -> RoomGraph:
    """A graph that numbers its rooms from 1."""
    numbers = count(1)
    return RoomGraph(lambda: next(numbers))

"""The meaning of a glyph: a feature of the level, an object or a monster. Feature numbers are NetHack's symbols."""

from __future__ import annotations

import numpy as np
from nle import nethack
from numpy.typing import NDArray

UNKNOWN, STONE = -1, 0
"""`UNKNOWN` lies under a thing whose cell was never seen without it; `STONE` is solid or unseen rock."""

DOORWAY = 12
OPEN_DOORS, CLOSED_DOORS = frozenset({13, 14}), frozenset({15, 16})
DOORS = OPEN_DOORS | CLOSED_DOORS
EXITS = DOORS | {DOORWAY}
FLOORS, CORRIDORS = frozenset({19, 20}), frozenset({21, 22})
UP, DOWN = frozenset({23, 25}), frozenset({24, 26})
LAST_FEATURE = 64
TRAPS = frozenset(range(42, LAST_FEATURE + 1))
SOLID = frozenset(range(12)) | {17, 18, 37, 38}
"""Rock, walls, bars, trees, raised drawbridges."""
WALKABLE = frozenset({UNKNOWN, DOORWAY, 33, 35, 36, 39, 40}) | OPEN_DOORS | frozenset(range(19, 32))
"""Neither traps, water nor lava."""

FEATURES: dict[int, str] = {
    13: "open door",
    14: "open door",
    15: "closed door",
    16: "closed door",
    17: "iron bars",
    23: "stairs up",
    24: "stairs down",
    25: "ladder up",
    26: "ladder down",
    27: "altar",
    28: "grave",
    29: "throne",
    30: "sink",
    31: "fountain",
    35: "lowered drawbridge",
    36: "lowered drawbridge",
    37: "raised drawbridge",
    38: "raised drawbridge",
    **{trap: nethack.symdef.from_idx(trap).explanation for trap in TRAPS},
}
"""Features worth naming."""
BY_WORDS: dict[str, int] = {
    **{"doorway": 12, "door": 12, "open door": 13, "staircase up": 23, "staircase down": 24, "ladder up": 25},
    **{"ladder down": 26, "altar": 27, "grave": 28, "throne": 29, "sink": 30, "fountain": 31},
}
"""The game's words for the ground under the hero."""
SYMBOLS: dict[int, str] = {
    **dict.fromkeys([STONE, UNKNOWN], " "),
    **dict.fromkeys(range(1, 12), "X"),
    **dict.fromkeys(CLOSED_DOORS, "+"),
    **dict.fromkeys(OPEN_DOORS, "'"),
    **dict.fromkeys(CORRIDORS, "#"),
    **dict.fromkeys(UP, "<"),
    **dict.fromkeys(DOWN, ">"),
    **dict.fromkeys(TRAPS, "^"),
    **{27: "_", 28: "|", 29: "\\", 30: "#", 31: "{", 32: "}", 34: "}", 41: "}"},
}
"""Symbols of features on the maps of the ground truth; all others are ground, `.`."""
NEWS = frozenset({24, 26, 27, 31})
"""Features whose first sight interrupts a skill."""

BOULDER: int = nethack.GLYPH_OBJ_OFF + next(
    kind for kind in range(nethack.NUM_OBJECTS) if nethack.OBJ_NAME(nethack.objclass(kind)) == "boulder"
)

Grid = NDArray[np.int16]
Mask = NDArray[np.bool_]


def opened(feature: int) -> int:
    """The feature of a cell that holds an object or the hero: a door there is open."""
    return feature - 2 if feature in CLOSED_DOORS else feature


def features(glyphs: Grid) -> tuple[Grid, Mask]:
    """The features shown, and where one is shown at all."""
    symbols = glyphs - nethack.GLYPH_CMAP_OFF
    return symbols.astype(np.int16), (symbols >= STONE) & (symbols <= LAST_FEATURE)


def objects(glyphs: Grid) -> Mask:
    """Whether each cell shows an object (corpses, statues and boulders included)."""
    return np.asarray(nethack.glyph_is_object(glyphs), dtype=np.bool_)


def monsters(glyphs: Grid) -> Mask:
    """Whether each cell shows a monster, seen, sensed or remembered (the hero included)."""
    shown = nethack.glyph_is_monster(glyphs) | nethack.glyph_is_warning(glyphs) | nethack.glyph_is_invisible(glyphs)
    return np.asarray(shown, dtype=np.bool_)


def is_pet(glyph: int) -> bool:
    """Whether the monster is shown as a pet."""
    return bool(nethack.glyph_is_pet(glyph))

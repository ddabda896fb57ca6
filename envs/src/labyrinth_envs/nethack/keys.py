"""The keys of NetHack, with the letters hjklyubn for directions."""

from __future__ import annotations

import re
from typing import Literal, get_args

ESC, ENTER, SPACE, BACKSPACE = 27, 13, 32, 8

Direction = Literal["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
Aim = Literal[
    "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest", "up", "down", "self"
]
"""The directions of a wand, a spell or a throw."""

STEPS: dict[tuple[int, int], str] = {
    (0, -1): "k",
    (1, 0): "l",
    (0, 1): "j",
    (-1, 0): "h",
    (1, -1): "u",
    (1, 1): "n",
    (-1, 1): "b",
    (-1, -1): "y",
}
"""(dx, dy) → key; y grows to the south. Straight steps come first: paths prefer them."""

ORTHOGONAL = tuple(list(STEPS)[:4])

_AIMS = dict(zip(get_args(Aim), "kulnjbhy<>.", strict=True))
_NAMED = {"ESC": ESC, "ENTER": ENTER, "SPACE": SPACE, "BACKSPACE": BACKSPACE}


def step_key(dx: int, dy: int) -> int:
    """The key for one step."""
    return ord(STEPS[dx, dy])


def aim_key(aim: Aim) -> int:
    """The key that answers "In what direction?"."""
    return ord(_AIMS[aim])


def meta(letter: str) -> int:
    """Alt and a letter: most extended commands (`meta("p")` prays)."""
    return ord(letter) | 0x80


def control(letter: str) -> int:
    """Ctrl and a letter (`control("d")` kicks)."""
    return ord(letter) & 0x1F


def key_of(name: str) -> int | None:
    """The key that an agent names: ESC, ENTER, SPACE, BACKSPACE, `ctrl-d`, `alt-p` or one printable character."""
    if name.upper() in _NAMED:
        return _NAMED[name.upper()]
    held = re.fullmatch(r"(ctrl|alt)-([a-z])", name.lower())
    if held:
        return control(held[2]) if held[1] == "ctrl" else meta(held[2])
    return ord(name) if len(name) == 1 and " " <= name <= "~" else None


def name_of(key: int) -> str:
    """The name under which `key_of` knows the key."""
    for name, code in _NAMED.items():
        if key == code:
            return name
    if key >= 0x80:
        return f"alt-{chr(key & 0x7F)}"
    return f"ctrl-{chr(key | 0x60)}" if key < 32 else chr(key)

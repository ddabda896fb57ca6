"""The game's screen as a PNG: message, map in its colours with the hero marked, bottom lines."""

from __future__ import annotations

from functools import cache
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from labyrinth_envs.nethack.screen import COLUMNS, ROWS, Screen

TILE = (8, 15)
"""Width and height of a character, pixels."""

_BACKGROUND = (16, 16, 20)
_HERO = (70, 60, 10)
_TEXT = 7
_COLORS = (
    *((96, 96, 104), (214, 72, 72), (88, 180, 88), (190, 140, 70), (98, 128, 240), (200, 100, 200), (80, 190, 190)),
    *((204, 204, 204), (128, 128, 128), (255, 160, 80), (130, 240, 130), (250, 240, 110), (140, 170, 255)),
    *((255, 140, 255), (130, 245, 245), (255, 255, 255)),
)
"""NetHack's sixteen colours; black is drawn grey to be seen."""


def draw(screen: Screen) -> bytes:
    """A PNG of 80 × 24 characters. The map is what the hero sees and remembers, also where a window covers it."""
    rows = [_line(screen.message or (screen.prompt.text if screen.prompt else ""))]
    hero_x, hero_y = screen.position
    for y in range(ROWS):
        tiles = [
            _tile(int(screen.chars[y, x]), int(screen.colors[y, x]) & 15, (x, y) == (hero_x, hero_y))
            for x in range(COLUMNS)
        ]
        rows.append(np.concatenate([*tiles, _tile(32, 0, False)], axis=1))
    rows += [_line(line) for line in screen.lines[-2:]]
    buffer = BytesIO()
    Image.fromarray(np.concatenate(rows, axis=0)).save(buffer, "png")
    return buffer.getvalue()


def _line(text: str) -> NDArray[np.uint8]:
    shown = " ".join(text.split("\n"))[: COLUMNS + 1].ljust(COLUMNS + 1)
    return np.concatenate([_tile(ord(letter), _TEXT, False) for letter in shown], axis=1)


@cache
def _tile(code: int, color: int, hero: bool) -> NDArray[np.uint8]:
    image = Image.new("RGB", TILE, _HERO if hero else _BACKGROUND)
    if 32 < code < 127:
        # The font is not monospaced: each character stands in the middle of its tile, and wide ones shrink.
        size = next(size for size in range(13, 0, -1) if _font(size).getlength(chr(code)) <= TILE[0] + 1)
        ImageDraw.Draw(image).text((TILE[0] / 2, 12), chr(code), _COLORS[color], _font(size), anchor="ms")
    return np.asarray(image)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)

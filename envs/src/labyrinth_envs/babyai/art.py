"""Pictures: the view as a PNG of 224 × 224 pixels, and a whole map; art of our own.

What a model must tell apart differs in shape, outline and colour: a key has a round bow, a long shaft and teeth, a ball
is round with a highlight, a box is a crate with a lid and bands; closed doors are panelled with a knob, locked ones
barred with a padlock, open ones a frame with the leaf swung aside. Unseen cells are hatched, floor is light.
"""

from __future__ import annotations

from functools import cache
from io import BytesIO

from minigrid.core.world_object import Door, WorldObj
from PIL import Image, ImageDraw

from labyrinth_envs.babyai.level import Level, Sight
from labyrinth_envs.babyai.sight import VIEW
from labyrinth_envs.babyai.texts import door_state

TILE = 32
"""Pixels a side of a cell."""
_SCALE = 8
"""Tiles are drawn this much larger and made smaller, for smooth edges."""

_INKS = {
    "red": (214, 31, 38),
    "green": (30, 148, 62),
    "blue": (32, 92, 214),
    "purple": (142, 36, 170),
    "yellow": (250, 202, 20),
    "grey": (128, 134, 142),
}
_FLOOR, _GRID, _WALL, _MORTAR = (244, 240, 230), (218, 212, 198), (70, 66, 64), (104, 98, 94)
_UNSEEN, _HATCH, _LINE = (24, 26, 32), (48, 52, 62), (26, 24, 24)
_AGENT = (255, 112, 0)

Spot = tuple[str, str, str]
"""Type, colour and state of what is in a cell; the type may also be `empty`, `unseen` or `agent` (state: direction)."""


def view(sight: Sight, held: WorldObj | None) -> bytes:
    """The view, with the agent looking up in the middle of the last row and what it carries in its corner."""
    spots = [[_spot(None if cell is None else cell[1], seen=cell is not None) for cell in row] for row in sight]
    spots[-1][VIEW // 2] = ("agent", "", "3")
    image = _mosaic(spots)
    if held is not None:
        image.paste(
            _tile(_spot(held)).resize((TILE // 2, TILE // 2)), (VIEW // 2 * TILE, (VIEW - 1) * TILE + TILE // 2)
        )
    return _png(image)


def whole(level: Level) -> bytes:
    """The whole map as it is, with the agent."""
    grid = level.grid
    spots = [[_spot(grid.get(x, y)) for x in range(grid.width)] for y in range(grid.height)]
    x, y = level.place
    spots[y][x] = ("agent", "", str(int(level.agent_dir)))
    return _png(_mosaic(spots))


def _spot(thing: WorldObj | None, *, seen: bool = True) -> Spot:
    if thing is None:
        return ("empty" if seen else "unseen", "", "")
    return thing.type, thing.color, door_state(thing) if isinstance(thing, Door) else ""


def _mosaic(spots: list[list[Spot]]) -> Image.Image:
    image = Image.new("RGB", (TILE * len(spots[0]), TILE * len(spots)))
    for y, row in enumerate(spots):
        for x, spot in enumerate(row):
            image.paste(_tile(spot), (x * TILE, y * TILE))
    return image


def _png(image: Image.Image) -> bytes:
    buffer = BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


@cache
def _tile(spot: Spot) -> Image.Image:
    """Draws one cell on a square of 32 units."""
    kind, colour, state = spot
    side = TILE * _SCALE
    image = Image.new("RGB", (side, side), _FLOOR)
    pen = _Pen(ImageDraw.Draw(image), _INKS.get(colour, _LINE))
    pen.box(0, 0, 32, 32, _FLOOR, _GRID, 1)
    if kind == "door":
        {"open": _open, "closed": _closed, "locked": _locked}[state](pen)
    elif kind == "agent":
        _agent(pen, int(state))
    elif kind != "empty":
        {"unseen": _unseen, "wall": _wall, "key": _key, "ball": _ball, "box": _crate}[kind](pen)
    return image.resize((TILE, TILE), Image.Resampling.LANCZOS)


class _Pen:
    """Draws in units of a 32nd of the cell."""

    def __init__(self, draw: ImageDraw.ImageDraw, ink: tuple[int, int, int]) -> None:
        self._draw = draw
        self.ink = ink
        self.dark = (ink[0] * 55 // 100, ink[1] * 55 // 100, ink[2] * 55 // 100)
        self.pale = (
            ink[0] + (255 - ink[0]) * 6 // 10,
            ink[1] + (255 - ink[1]) * 6 // 10,
            ink[2] + (255 - ink[2]) * 6 // 10,
        )

    def box(self, x0: float, y0: float, x1: float, y1: float, fill: _Ink, line: _Ink = None, width: float = 0) -> None:
        self._draw.rectangle(self._at(x0, y0, x1, y1), fill, line, round(width * _SCALE))

    def disc(self, x: float, y: float, r: float, fill: _Ink, line: _Ink = None, width: float = 0) -> None:
        self._draw.ellipse(self._at(x - r, y - r, x + r, y + r), fill, line, round(width * _SCALE))

    def line(self, *points: float, fill: _Ink, width: float) -> None:
        self._draw.line([value * _SCALE for value in points], fill, round(width * _SCALE), joint="curve")

    def shape(self, *points: float, fill: _Ink, line: _Ink, width: float) -> None:
        self._draw.polygon([value * _SCALE for value in points], fill, line, round(width * _SCALE))

    def _at(self, *values: float) -> list[float]:
        return [value * _SCALE - (1 if number > 1 else 0) for number, value in enumerate(values)]


_Ink = tuple[int, int, int] | None


def _unseen(pen: _Pen) -> None:
    pen.box(0, 0, 32, 32, _UNSEEN)
    for start in range(-32, 32, 8):
        pen.line(start, 32, start + 32, 0, fill=_HATCH, width=1.5)


def _wall(pen: _Pen) -> None:
    pen.box(0, 0, 32, 32, _WALL)
    for row in range(4):
        pen.line(0, row * 8, 32, row * 8, fill=_MORTAR, width=1.2)
        for column in range(2):
            x = column * 16 + (row % 2) * 8
            pen.line(x, row * 8, x, row * 8 + 8, fill=_MORTAR, width=1.2)


def _key(pen: _Pen) -> None:
    for grow, ink in ((1.2, _LINE), (0.0, pen.ink)):
        pen.box(14 - grow, 14, 18 + grow, 29 + grow, ink)
        pen.box(18, 20 - grow, 24 + grow, 23 + grow, ink)
        pen.box(18, 26 - grow, 24 + grow, 29 + grow, ink)
        pen.disc(16, 9.5, 7 + grow, ink)
    pen.disc(16, 9.5, 4.2, _LINE)
    pen.disc(16, 9.5, 3, _FLOOR)


def _ball(pen: _Pen) -> None:
    pen.disc(16, 16, 11.5, pen.ink, _LINE, 1.4)
    pen.disc(12.2, 11.8, 3.2, pen.pale)


def _crate(pen: _Pen) -> None:
    pen.box(4, 5, 28, 28, pen.ink, _LINE, 1.4)
    pen.box(4, 5, 28, 12, pen.pale, _LINE, 1.4)
    for x in (9, 20):
        pen.box(x, 12, x + 3, 27, pen.dark)
    pen.box(13.5, 9.5, 18.5, 15, _LINE)


def _closed(pen: _Pen) -> None:
    pen.box(0, 0, 32, 32, pen.dark)
    pen.box(3, 3, 29, 29, pen.ink, _LINE, 1)
    for x in (6.5, 17.5):
        for y in (6.5, 17.5):
            pen.box(x, y, x + 8, y + 8, pen.ink, pen.dark, 1.4)
    pen.disc(25.8, 16, 2.2, _FLOOR, _LINE, 0.8)


def _locked(pen: _Pen) -> None:
    pen.box(0, 0, 32, 32, pen.dark)
    pen.box(3, 3, 29, 29, pen.ink, _LINE, 1)
    pen.line(4, 4, 28, 28, fill=pen.dark, width=2.6)
    pen.line(28, 4, 4, 28, fill=pen.dark, width=2.6)
    pen.disc(16, 12.5, 5.2, None, _LINE, 2.4)
    pen.box(8.5, 13.5, 23.5, 24.5, _FLOOR, _LINE, 1.4)
    pen.disc(16, 18, 1.8, _LINE)
    pen.box(15.2, 18, 16.8, 22, _LINE)


def _open(pen: _Pen) -> None:
    pen.box(0, 0, 32, 32, pen.ink)
    pen.box(4, 4, 28, 28, (252, 250, 246), _LINE, 1)
    pen.shape(4, 4, 11, 8, 11, 24, 4, 28, fill=pen.ink, line=_LINE, width=1)
    pen.disc(9.2, 16.5, 1.2, _FLOOR)


def _agent(pen: _Pen, direction: int) -> None:
    points = [(27.0, 16.0), (6.0, 5.5), (11.0, 16.0), (6.0, 26.5)]
    for _ in range(direction):  # a quarter turn to the right each
        points = [(32 - y, x) for x, y in points]
    pen.shape(*(value for point in points for value in point), fill=_AGENT, line=_LINE, width=1.2)

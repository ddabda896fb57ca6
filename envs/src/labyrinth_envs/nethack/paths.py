"""Shortest ways on foot over one level, each step counting one."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable

from labyrinth_envs.nethack import glyphs
from labyrinth_envs.nethack.keys import ORTHOGONAL, STEPS
from labyrinth_envs.nethack.rooms import Cell
from labyrinth_envs.nethack.screen import COLUMNS, ROWS

Edge = tuple[Cell, Cell]


class Paths:
    """All shortest paths from `start`. Doors are never passed diagonally; `stuck` are steps that failed."""

    def __init__(
        self,
        features: list[list[int]],
        start: Cell,
        avoid: Collection[Cell] = (),
        stuck: Collection[Edge] = (),
    ) -> None:
        self._features = features
        self._stuck = stuck
        self._from: dict[Cell, Cell] = {start: start}
        self.steps: dict[Cell, int] = {start: 0}
        """Cell → length of the way there; cells out of reach are absent. Nearest cells come first."""
        queue = deque([start])
        while queue:
            here = queue.popleft()
            for cell in self._around(here):
                if cell in self.steps or cell in avoid or features[cell[1]][cell[0]] not in glyphs.WALKABLE:
                    continue
                self.steps[cell] = self.steps[here] + 1
                self._from[cell] = here
                queue.append(cell)

    def to(self, cell: Cell) -> list[Cell] | None:
        """The cells to step on one after the other, `cell` last; empty when already there, None when out of reach."""
        if cell not in self._from:
            return None
        way = []
        while self._from[cell] != cell:
            way.append(cell)
            cell = self._from[cell]
        return way[::-1]

    def beside(self, cell: Cell, *, straight: bool = False) -> Cell | None:
        """The nearest cell from which one step, if need be a straight one, leads to `cell`."""
        ways = ORTHOGONAL if straight else STEPS
        near = ((cell[0] + dx, cell[1] + dy) for dx, dy in ways)
        reached = [(self.steps[place], order, place) for order, place in enumerate(near) if place in self.steps]
        return min(reached)[2] if reached else None

    def bump(self, cell: Cell) -> list[Cell] | None:
        """The way to `cell` though it may not be walked on: all but the last step are sure."""
        doors = self._features[cell[1]][cell[0]] in glyphs.DOORS
        reached = [
            (self.steps[place], order, place)
            for order, place in enumerate((cell[0] + dx, cell[1] + dy) for dx, dy in (ORTHOGONAL if doors else STEPS))
            if place in self.steps and cell in self._around(place)
        ]
        way = self.to(min(reached)[2]) if reached else None
        return None if way is None else [*way, cell]

    def _around(self, here: Cell) -> list[Cell]:
        straight, aslant = _NEAR[here]
        features = self._features
        found = straight
        if features[here[1]][here[0]] not in glyphs.DOORS:
            found = straight + [cell for cell in aslant if features[cell[1]][cell[0]] not in glyphs.DOORS]
        return [cell for cell in found if (here, cell) not in self._stuck] if self._stuck else found


def _near(here: Cell, ways: Iterable[tuple[int, int]]) -> list[Cell]:
    near = [(here[0] + dx, here[1] + dy) for dx, dy in ways]
    return [(x, y) for x, y in near if 0 <= x < COLUMNS and 0 <= y < ROWS]


_NEAR: dict[Cell, tuple[list[Cell], list[Cell]]] = {
    (x, y): (_near((x, y), ORTHOGONAL), _near((x, y), [step for step in STEPS if step not in ORTHOGONAL]))
    for x in range(COLUMNS)
    for y in range(ROWS)
}
"""Cell → its neighbours straight and aslant."""

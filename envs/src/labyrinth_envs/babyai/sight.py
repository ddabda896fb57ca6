"""The agent's view: the 7 × 7 cells ahead; walls and doors, even open ones, hide the cells behind them."""

from __future__ import annotations

from collections.abc import Sequence

VIEW = 7
"""Cells a side of the view; the agent stands in the middle of its last row and looks up."""


def visible(opaque: Sequence[Sequence[bool]]) -> list[list[bool]]:
    """Which cells of a view are seen: `opaque[row][column]`, the last row nearest; the agent's own cell may be opaque.

    As in minigrid, sight spreads sideways within a row over cells that let it through, and each of those that is seen
    shows the three cells ahead of it.
    """
    rows, columns = len(opaque), len(opaque[0])
    seen = [[False] * columns for _ in range(rows)]
    seen[-1][columns // 2] = True
    for row in range(rows - 1, -1, -1):
        here, blocked = seen[row], opaque[row]
        for order, step in ((range(columns - 1), 1), (range(columns - 1, 0, -1), -1)):
            for column in order:
                if here[column] and not blocked[column]:
                    here[column + step] = True
        if row:
            for column in range(columns):
                if here[column] and not blocked[column]:
                    for ahead in range(max(0, column - 1), min(columns, column + 2)):
                        seen[row - 1][ahead] = True
    return seen


def view_cells(x: int, y: int, direction: int) -> list[list[tuple[int, int]]]:
    """The places in the grid (some outside it) that the view's cells show, rows from the farthest to the nearest."""
    (dx, dy), (rx, ry) = ((1, 0), (0, 1), (-1, 0), (0, -1))[direction], ((0, 1), (-1, 0), (0, -1), (1, 0))[direction]
    return [
        [(x + dx * ahead + rx * aside, y + dy * ahead + ry * aside) for aside in range(-(VIEW // 2), VIEW // 2 + 1)]
        for ahead in range(VIEW - 1, -1, -1)
    ]

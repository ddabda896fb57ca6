"""Which type errors of a cell are worth a word before it runs.

Shown is what TypeScript says is wrong with the cell itself, not what it says only of the module that stands for the
notebook (names declared twice), nor what could go wrong (a value that may be missing, a type not written down).
"""

from __future__ import annotations

import re
from typing import Any

from labyrinth_kernel.document import Document

TWICE = {2300, 2395, 2440, 2448, 2451, 2454, 2481}
"""A name declared or used across cells: the module's affair."""
PERHAPS = {2531, 2532, 2533, 2721, 2722, 2723, 18046, 18047, 18048, 18049}
"""A value that may be missing, or of a type that is not known."""
NO_NAME = {2304, 2503, 2552, 2580, 2581, 2582, 2584, 2686, 2693, 18004}
"""A name that is not found; a cell that failed, or `globalThis`, may have made it."""
ABSENT = {2307, 2792}
"""A module that is not found; those of a registry the kernel fetches when the cell runs."""
MOST = 5
"""Errors that are shown of one cell."""


class Words:
    """The words of all cells that ran, whatever they came to."""

    def __init__(self) -> None:
        """Knows what Deno's kernel itself declares."""
        self._seen = {"_", "_error"}

    def add(self, code: str) -> None:
        """Notes a cell."""
        self._seen.update(re.findall(r"[\w$]+", code))

    def __contains__(self, word: str) -> bool:
        """Whether a cell has named it."""
        return word in self._seen


def problems(found: Any, document: Document, code: str, words: Words) -> list[str]:
    """The type errors of a cell, each with its line and the place in it; none where the cell does not parse."""
    shown = []
    for one in (found or {}).get("items", []):
        number = one.get("code")
        if one.get("source") != "deno-ts" or one.get("severity") != 1 or not isinstance(number, int):
            continue
        start = document.offset(one["range"]["start"])
        if 1000 <= number < 2000:  # a cell of before that is no block, or this one: Deno says what it cannot parse
            return []
        if start is None or not (2000 <= number < 3000 or number >= 18000) or number in TWICE | PERHAPS:
            continue
        message = str(one["message"])
        quoted = re.search(r"'([^']+)'", message)
        if number in NO_NAME and quoted and quoted[1] in words:
            continue
        if number in ABSENT and quoted and re.match(r"(npm|jsr|https?):", quoted[1]):
            continue
        shown.append(_with_place(message, code, start, document.offset(one["range"]["end"])))
    more = [f"and {len(shown) - MOST} more"] if len(shown) > MOST else []
    return [*shown[:MOST], *more]


def _with_place(message: str, code: str, start: int, end: int | None) -> str:
    first = code.rfind("\n", 0, start) + 1
    line = code[first:].split("\n", 1)[0]
    width = max(1, min(end or start, first + len(line)) - start)
    return f"line {code.count(chr(10), 0, start) + 1}: {message}\n  {line}\n  {' ' * (start - first)}{'^' * width}"

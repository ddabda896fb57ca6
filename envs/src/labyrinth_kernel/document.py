"""The cells that ran and the one at hand as one TypeScript module, which a language server can read.

A later cell may declare a name of an earlier one anew, and then its own holds. So each cell stands in a block inside
that of the cell before it; imports, which no block can hold, stand on top. Where an import and a cell's own declaration
share a name, the declaration holds, whichever came later.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from labyrinth_kernel.wire import Json

IMPORT = re.compile(
    r"""(?:^|(?<=;))[ \t]*import\b(?!\s*[(.])(?:([^'"`;()]*?)\bfrom)?\s*"""
    r"""["'][^"'\n]*["'](?:\s*with\s*\{[^}]*\})?[ \t]*;?""",
    re.MULTILINE,
)
"""An import declaration; its first group is what it imports."""
BOUND = re.compile(r"([\w$]+)\s*(?=,|\}|$)")
"""A name that an import declares: the last word of each of its parts."""
ALWAYS = 'import "labyrinth";\nimport "labyrinth/papers";\n'
"""What every document imports, so that the library's types are loaded before a cell needs them."""
MOST = 200
"""Cells that are kept: of more, those that ran first are left out."""


@dataclass
class Cells:
    """The cells that ran, in order. A cell that ran twice counts twice: the second may see what came between."""

    sources: list[str] = field(default_factory=list)

    def add(self, source: str) -> None:
        """Notes that a cell ran."""
        self.sources = [*self.sources, source][-MOST:]

    def document(self, cell: str) -> Document:
        """The module in which `cell` comes last."""
        later = bound_names(cell)
        imports: list[str] = []
        for source in reversed(self.sources):
            for found in reversed(list(IMPORT.finditer(source))):
                names = set(BOUND.findall(found[1] or ""))
                if not names or not names <= later:
                    imports.insert(0, found[0].strip())
                later |= names
        text = ALWAYS + "".join(f"{one};\n" for one in imports)
        moved = []
        for found in IMPORT.finditer(cell):
            moved.append((found.start(), found.end(), len(text)))
            text += found[0] + ";\n"
        text += "".join(f";{{\n{without_imports(source)}\n" for source in self.sources) + ";{\n"
        start = len(text)
        text += without_imports(cell) + "\n" + "}" * (len(self.sources) + 1) + "\nexport {};\n"
        return Document(text, start, len(cell), tuple(moved))


@dataclass(frozen=True)
class Document:
    """A module's text, where the last cell's begins, and where its imports went: from, to, and their new place."""

    text: str
    start: int
    length: int
    moved: tuple[tuple[int, int, int], ...]

    def position(self, offset: int) -> Json:
        """The place of an offset of the cell, as the protocol counts: lines, and UTF-16 units within one."""
        place = next((to + offset - a for a, b, to in self.moved if a <= offset < b), self.start + offset)
        line = self.text.rfind("\n", 0, place) + 1
        units = len(self.text[line:place].encode("utf-16-le")) // 2
        return {"line": self.text.count("\n", 0, place), "character": units}

    def offset(self, position: Json) -> int | None:
        """The offset in the cell of a place in the module; None for one in another cell."""
        line = 0
        for _ in range(position["line"]):
            line = self.text.find("\n", line) + 1
        units = position["character"]
        row = self.text[line : line + units].encode("utf-16-le")[: 2 * units]
        place = line + len(row.decode("utf-16-le", "ignore"))
        for a, b, to in self.moved:
            if to <= place <= to + b - a:
                return a + place - to
        return place - self.start if self.start <= place <= self.start + self.length else None


def bound_names(cell: str) -> set[str]:
    """The names that the imports of a cell declare."""
    return {name for found in IMPORT.finditer(cell) for name in BOUND.findall(found[1] or "")}


def without_imports(cell: str) -> str:
    """The cell with blanks for its imports, so that all else keeps its place."""
    return IMPORT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), cell)

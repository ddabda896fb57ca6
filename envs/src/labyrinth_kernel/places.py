"""Places in the stacks of errors: the cell's number, and its own lines in place of those of the JavaScript made of it.

Deno names no cell in a stack, and counts the lines of what it has made of the cell: without types and blank lines. So
each cell is sent with a name (`sourceURL`), which stacks show by `PRELUDE`; where such a name comes out, the cell is
made into JavaScript once more, with a source map.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from labyrinth_kernel.deno import program
from labyrinth_kernel.document import IMPORT
from labyrinth_kernel.wire import Message

NAME = "labyrinth-cell-"
PRELUDE = """Error.prepareStackTrace = (error, sites) => {
  const place = (site) => String(site).replace("<anonymous>:", `${site.getScriptNameOrSourceURL() ?? "<anonymous>"}:`);
  let head = "Error";
  try { head = String(error); } catch {}
  return [head, ...sites.map((site) => `    at ${place(site)}`)].join("\\n");
};"""
"""Runs before the first cell: stacks name cells as their sources do."""
STRICT = len("'use strict'; void 0;")
"""Columns that Deno sets before a cell."""
FOUND = re.compile(rb"%b(\d+):(\d+):(\d+)" % NAME.encode())
SHOWN = {"error", "stream", "display_data", "update_display_data", "execute_result", "execute_reply"}
DIGITS = {digit: n for n, digit in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}

Segment = tuple[int, int, int]
"""A column of the JavaScript, and the line and column of the cell that it comes from, all from 0."""


class Places:
    """The cells that ran, by the number that front ends show."""

    def __init__(self) -> None:
        """Knows no cell."""
        self._codes: dict[int, str] = {}
        self._maps: dict[int, list[list[Segment]]] = {}
        self._next = 1

    def named(self, request: Message) -> Message:
        """The request with the cell's name in its code. An object literal as a cell keeps its last bracket last."""
        code = str(request.content.get("code", ""))
        self._codes[self._next] = code
        self._maps.pop(self._next, None)
        if not code.strip() or code.strip().startswith("{"):
            return request
        return request.with_content({**request.content, "code": f"{code}\n//# sourceURL={NAME}{self._next}"})

    def ran(self, number: int) -> None:
        """Notes the number that a cell was given."""
        self._next = number + 1

    def told(self, message: Message) -> Message:
        """A message with the places in it as the user knows them: `In [3], line 2, column 7`."""
        if message.type not in SHOWN or NAME.encode() not in message.content_json:
            return message
        return replace(message, content_json=FOUND.sub(self._own, message.content_json))

    def _own(self, found: re.Match[bytes]) -> bytes:
        cell, line, column = map(int, found.groups())
        own = self._find(cell, line - 1, column - 1 - (STRICT if line == 1 else 0))
        where = f", line {own[0] + 1}, column {own[1] + 1}" if own else ""
        return f"In [{cell}]{where}".encode()

    def _find(self, cell: int, line: int, column: int) -> tuple[int, int] | None:
        if cell not in self._maps:
            self._maps[cell] = source_map(self._codes.get(cell, ""))
        lines = self._maps[cell]
        before = [segment for segment in (lines[line] if line < len(lines) else []) if segment[0] <= column]
        return before[-1][1:] if before else None


def source_map(code: str) -> list[list[Segment]]:
    """The segments of each line of the JavaScript that Deno makes of a cell; none where it makes none."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cell.ts"
        path.write_text(IMPORT.sub(lambda found: _as_declaration(found[0], found[1]), code))
        command = [program(), "transpile", "--no-config", "--no-lock", "--source-map", "inline", str(path)]
        try:
            made = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True, cwd=folder)
            encoded = made.stdout.rpartition("base64,")[2]
            mappings: str = json.loads(base64.b64decode(encoded))["mappings"]
        except (OSError, subprocess.SubprocessError, ValueError, KeyError):
            return []
    return list(_segments(mappings))


def _as_declaration(declared: str, names: str | None) -> str:
    """An import as Deno's kernel makes it: a declaration of as many lines."""
    if names is None:
        return "void 0;"
    if names.lstrip().startswith("type "):
        return re.sub(r"[^\n]", " ", declared)
    _, brace, listed = names.partition("{")
    values = re.sub(r"\btype\s+[\w$]+(?:\s+as\s+[\w$]+)?[ \t]*,?", "", listed)
    pattern = "{" + re.sub(r"\s\bas\b\s", ": ", values) if brace else "all"
    return f"const {pattern} = await import('');"


def _segments(mappings: str) -> Iterator[list[Segment]]:
    """The mappings of a source map (revision 3): Base64 VLQ, each number relative to the one before it."""
    line = column = 0
    for row in mappings.split(";"):
        segments, at = [], 0
        for text in filter(None, row.split(",")):
            numbers = list(_numbers(text))
            at += numbers[0]
            if len(numbers) >= 4:
                line, column = line + numbers[2], column + numbers[3]
                segments.append((at, line, column))
        yield segments


def _numbers(text: str) -> Iterator[int]:
    value = shift = 0
    for digit in map(DIGITS.__getitem__, text):
        value |= (digit & 31) << shift
        shift += 5
        if not digit & 32:
            yield -(value >> 1) if value & 1 else value >> 1
            value = shift = 0

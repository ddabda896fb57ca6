"""What the library's own documentation says of a name, for questions that come before the language server is ready.

The server reads all types first, which takes seconds. `deno doc` prints the public signatures and doc comments once for
a state of the library; read from that file, the first answers take milliseconds. It knows the library alone: exported
names, the modules, and the keys and values of options. All else waits for the server.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import textwrap
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from labyrinth_kernel.child import Child
from labyrinth_kernel.deno import program

FILE = Path(".lab", "surface.txt")
"""Where `deno doc`'s text is kept, below the project's folder."""
NICENESS = 5
PLACE = re.compile(r"^Defined in file://(\S+):\d+:\d+\n\n", re.MULTILINE)
"""What stands before a declaration: the file that declares it."""
NAME = re.compile(r"(?:async )?(?:abstract )?(?:function\*?|const|class|interface|type|enum|namespace) ([\w$]+)")
MEMBER = re.compile(r"  (?:(?:readonly|static|get|set|abstract|async) )*([\w$]+)\??[:(<]")
"""A property or method of a declaration, as `deno doc` prints it."""
INLINE = re.compile(r"(?<=[{;]) (?:readonly )?([\w$]+)\??: ([^;]*);")
"""A property of a type that is written out: `{ a: string; }`."""
TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|`(?:\\.|[^`\\])*`?|[()\[\]{},]""", re.DOTALL
)
"""A comment, a string, closed or not, or what separates the parts of a call."""
CALLEE = re.compile(r"(?<![\w$.])([\w$]+)\s*(?:<[^()]*>)?\s*\Z")
DECLARES = r"\b(?:const|let|var|function|class) "
MODULE = re.compile(r"""\bfrom\s*\Z|\bimport\s*\(?\s*\Z""")


@dataclass(frozen=True)
class Entry:
    """A declaration: its head, its doc comment, its members by name (each with its own comment), and its file."""

    head: str
    comment: str
    members: dict[str, str]
    file: str


@dataclass
class Level:
    """An open bracket of a cell: its offset, commas since, and where the part at hand begins."""

    bracket: str
    offset: int
    part: int
    commas: int = 0


@dataclass
class Place:
    """Where the cursor is: the open brackets, and the start of the text of an open string, if it is in one."""

    levels: list[Level] = field(default_factory=list)
    string: int | None = None
    comment: bool = False


class Surface:
    """The public surface of the library of the project at `root`, as last printed; empty where it never was."""

    def __init__(self, root: Path) -> None:
        """Reads nothing yet."""
        self._root = root

    @cached_property
    def _entries(self) -> dict[str, Entry]:
        try:
            return dict(entries((self._root / FILE).read_text()))
        except OSError:
            return {}

    @cached_property
    def _modules(self) -> dict[str, str]:
        imports = json.loads((self._root / "deno.json").read_text()).get("imports", {}) if self._entries else {}
        return {name: file for name, file in imports.items() if name.split("/")[0] == "labyrinth"}

    def explain(self, code: str, cursor: int) -> str:
        """Markdown about the name at the cursor, or else about the call around it; empty where it is not known.

        A name that the cell itself declares is not the library's.
        """
        start = word_start(code, cursor)
        name = re.split(r"[^\w$]", code[start:], maxsplit=1)[0]
        place = place_at(code[:start])
        if place.comment or place.string is not None or code[:start].endswith("."):
            return ""
        key = is_key(code, place, start)
        if key and (member := self._members(code, place).get(name)):
            head, _, comment = member.partition("\n")
            return markdown(head, comment)
        if name and not key and (name not in self._entries or re.search(DECLARES + re.escape(name) + r"\b", code)):
            return ""
        around = [callee(code, level) for level in reversed(place.levels)]
        entry = next((self._entries[one] for one in (name, *around) if one in self._entries), None)
        return markdown(entry.head, entry.comment) if entry else ""

    def complete(self, code: str, cursor: int) -> tuple[int, list[str]]:
        """Where the text to complete begins, and what it may become: modules and their names, keys and values."""
        place = place_at(code[:cursor])
        start = word_start(code, cursor) if place.string is None else place.string
        return start, [one for one in self._fitting(code, place, start, cursor) if one.startswith(code[start:cursor])]

    def _fitting(self, code: str, place: Place, start: int, cursor: int) -> list[str]:
        if place.comment:
            return []
        if place.string is not None:
            if MODULE.search(code[: start - 1]):
                return list(self._modules)
            return self._values(code, place, start - 1)
        if place.levels and re.search(r"\bimport\s*(?:type\s*)?\Z", code[: place.levels[-1].offset]):
            module = re.match(r"""[^;'"]*\}\s*from\s*["']([^"']*)["']""", code[cursor:])
            return self._exports(module[1]) if module else []
        return list(self._members(code, place)) if is_key(code, place, start) else []

    def _exports(self, module: str) -> list[str]:
        """The names that a module exports: of the library's own those it lists, else what its folder declares."""
        file = self._root / self._modules.get(module, "")
        if file.suffix != ".ts":
            return []
        if module == "labyrinth":
            listed = set(re.findall(r"[\w$]+", file.read_text()))
            return [name for name in self._entries if name in listed]
        return [name for name, one in self._entries.items() if one.file.startswith(f"{file.parent}/")]

    def _values(self, code: str, place: Place, start: int) -> list[str]:
        """The texts that an option takes, for a string that begins at `start`."""
        key = re.search(r"([\w$]+)\s*:\s*\Z", code[place.levels[-1].part : start]) if place.levels else None
        declared = self._members(code, place).get(key[1], "") if key else ""
        kind = declared.split("\n", 1)[0].partition(":")[2]
        kind += "".join(one.head for name in re.findall(r"\b[A-Z][\w$]*", kind) if (one := self._entries.get(name)))
        return re.findall(r'"([^"]*)"', kind)

    def _members(self, code: str, place: Place) -> dict[str, str]:
        """The keys of the object literal at hand, by the declaration of the function to whose call it belongs."""
        levels = place.levels
        depth = next((i for i in reversed(range(len(levels))) if callee(code, levels[i]) in self._entries), None)
        if depth is None or levels[-1].bracket != "{":
            return {}
        entry = self._entries[str(callee(code, levels[depth]))]
        parameters = parts(entry.head[entry.head.find("(") + 1 :])
        kind = parameters[levels[depth].commas].partition(":")[2] if levels[depth].commas < len(parameters) else ""
        for level in levels[depth + 1 :]:
            if key := re.search(r"([\w$]+)\s*:\s*\Z", code[levels[levels.index(level) - 1].part : level.offset]):
                kind = self._keys(kind).get(key[1], "").split("\n", 1)[0].partition(":")[2]
        return self._keys(kind)

    def _keys(self, kind: str, seen: frozenset[str] = frozenset()) -> dict[str, str]:
        """The properties of a type: of those it names, as far as it picks them, and of those it writes out."""
        found: dict[str, str] = {}
        for how, name, names in re.findall(r'\b(Pick<|Omit<|)([A-Z][\w$]*)((?:, "[\w$]+"(?: \| "[\w$]+")*)?)', kind):
            if name in seen or not (entry := self._entries.get(name)):
                continue
            base = entry.head.partition(" extends ")[2] or entry.head.partition(" = ")[2]
            members = {**self._keys(base, seen | {name}), **entry.members}
            chosen = re.findall(r'"([\w$]+)"', names)
            found |= {
                key: text
                for key, text in members.items()
                if not how or not chosen or (key in chosen) == (how == "Pick<")
            }
        return found | {name: f"{name}: {of}" for name, of in INLINE.findall(kind)}


def renew(root: Path) -> bool:
    """Prints the surface anew where the library has changed since; False where it is as it was, or `deno doc` fails."""
    file = root / FILE
    sources = [root / "deno.json", *root.glob("lib/**/*.ts")]
    newest = max((one.stat().st_mtime for one in sources if one.exists()), default=0)
    if not newest or (file.exists() and file.stat().st_mtime > newest):
        return False
    with suppress(OSError, ValueError, subprocess.SubprocessError):
        modules = json.loads((root / "deno.json").read_text())["exports"].values()
        options = [
            "--quiet",
            "--node-modules-dir=manual",
            "--config",
            str(root / "deno.json"),
        ]  # waits for no other Deno
        command = ["env", "NO_COLOR=1", program(), "doc", *options, *(str(root / one) for one in modules)]
        child = Child.start(command, niceness=NICENESS, piped=True)
        text, _ = child.process.communicate()
        if child.stop() == 0:
            file.parent.mkdir(exist_ok=True)
            own = file.with_name(f".{file.name}.{os.getpid()}")
            own.write_bytes(text)
            own.replace(file)
            return True
    return False


def entries(text: str) -> Iterator[tuple[str, Entry]]:
    """The declarations in what `deno doc` prints."""
    _, *pieces = PLACE.split(text)
    for file, piece in zip(pieces[::2], pieces[1::2], strict=True):
        head, _, body = piece.partition("\n")
        if name := NAME.match(head):
            alone = re.match(r"(?:async )?function|const", head)
            comment, members = (textwrap.dedent(body).strip(), {}) if alone else parted(body)
            yield name[1], Entry(head, comment, members, file)


def parted(body: str) -> tuple[str, dict[str, str]]:
    """The doc comment of a declaration, and its members: a line of their own each, their comments below."""
    comment: list[str] = []
    members: dict[str, list[str]] = {}
    current = comment
    for line in body.splitlines():
        name = MEMBER.match(line)
        if name and (current is not comment or not comment or "" in comment):
            current = members.setdefault(name[1], [])
        current.append(line)
    own = {name: "\n".join(line.strip() for line in lines).strip() for name, lines in members.items()}
    return textwrap.dedent("\n".join(comment)).strip(), own


def place_at(code: str) -> Place:
    """The place at the end of `code`."""
    place = Place()
    for token in TOKEN.finditer(code):
        text, open_end = token[0], token.end() == len(code)
        if text[0] == "/":
            place.comment = open_end and not text.endswith("*/")
        elif text[0] in "\"'`":
            place.string = token.start() + 1 if open_end and (len(text) == 1 or text[-1] != text[0]) else None
        elif text in "([{":
            place.levels.append(Level(text, token.start(), token.end()))
        elif text == ",":
            if place.levels:
                place.levels[-1].commas += 1
                place.levels[-1].part = token.end()
        elif place.levels:
            place.levels.pop()
    return place


def markdown(head: str, comment: str) -> str:
    """As a hover shows it."""
    return f"```ts\n{head}\n```\n{comment}"


def word_start(code: str, cursor: int) -> int:
    """Where the name begins that ends at the cursor, or that it stands in."""
    return len(re.sub(r"[\w$]*\Z", "", code[:cursor]))


def is_key(code: str, place: Place, start: int) -> bool:
    """Whether a word that begins at `start` is a key of an object literal."""
    return bool(place.levels) and place.levels[-1].bracket == "{" and not code[place.levels[-1].part : start].strip()


def callee(code: str, level: Level) -> str | None:
    """The name of the function whose arguments a bracket opens."""
    name = CALLEE.search(code[: level.offset]) if level.bracket == "(" else None
    return name[1] if name else None


def parts(text: str) -> list[str]:
    """What stands between the commas of a list of parameters, up to its end."""
    found, depth = [""], 0
    for one in text:
        depth += (one in "([{<") - (one in ")]}")
        if depth < 0:
            break
        if one == "," and depth == 0:
            found.append("")
        else:
            found[-1] += one
    return found

"""The observation text: in `level` mode all that is known of the level, in `room` mode only the current room.

Skills are the same in both modes: only the text is restricted, as in the paper.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from labyrinth_envs.nethack import glyphs
from labyrinth_envs.nethack.level import Level, Monster
from labyrinth_envs.nethack.paths import Paths
from labyrinth_envs.nethack.rooms import Cell, Room
from labyrinth_envs.nethack.skills.base import Hero
from labyrinth_envs.nethack.tracker import Event, state_of

Mode = Literal["level", "room"]

CLOSE = 10
"""Steps within which a monster is close."""


class Describer:
    """Describes one moment of the game."""

    def __init__(self, hero: Hero, mode: Mode) -> None:
        self._hero, self._mode = hero, mode
        self._level: Level = hero.level
        self._here = self._level.rooms.current
        self._paths: Paths = self._level.paths(hero.position, fight=True)
        self._region = self._here.region if self._here else set()
        x, y = hero.position
        self._region |= {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}

    def location(self) -> str:
        """The room's name."""
        return self._here.name if self._here else "a place unknown"

    def surroundings(self) -> str:
        """Lists the content of the room, and in `level` mode of every other room."""
        contents, strays = self._contents(self._here), self._list(self._strays())
        if self._mode == "room":
            contents += strays
        parts = [f"You are in {self.location()}, which contains:", *(contents or ["- nothing of note"])]
        if self._mode == "level":
            for room in self._level.rooms.rooms:
                if room is not self._here and (contents := self._contents(room)):
                    parts.append(f"{room.name[0].upper()}{room.name[1:]}, {self._reach(room)}, contains:")
                    parts += contents
            others = [
                f"{room.name} ({self._reach(room)})"
                for room in self._level.rooms.rooms
                if room is not self._here and not self._contents(room)
            ]
            if others:
                parts.append(f"Nothing of note is in {', '.join(others)}.")
            if strays:
                parts += ["Elsewhere, out of reach now, contains:", *strays]
        return "\n".join(parts)

    def exits(self) -> str:
        """The doors and doorways of the room, and whether they were ever walked through."""
        if self._here is None:
            return ""
        lines = []
        for cell in sorted(self._here.exits):
            kind = glyphs.FEATURES.get(self._level.feature(cell), "doorway")
            locked = "locked " if cell in self._level.locked else ""
            passed = "passed before" if cell in self._level.visited else "not passed yet"
            lines.append(f"- {locked}{kind} at {_at(cell)}, {passed}, {self._steps(cell)}")
        return "\n".join(lines)

    def monsters(self) -> str:
        """Close and distant monsters; in `room` mode those in the room or beside the hero."""
        shown = [m for m in self._level.monsters if self._mode == "level" or (m.x, m.y) in self._region]
        near: list[str] = []
        far: list[str] = []
        for monster in sorted(shown, key=lambda m: (self._distance((m.x, m.y)), m.x, m.y)):
            (near if self._distance((monster.x, monster.y)) <= CLOSE else far).append(self._creature(monster))
        parts = []
        if near:
            parts += ["Close monsters:", *near]
        if far:
            parts += ["Distant monsters:", *far]
        return "\n".join(parts)

    def exploration(self) -> str:
        """Lists what is left to explore, and the obstacles."""
        frontier = self._level.frontier() & self._paths.steps.keys()
        doors = set(self._level.find(glyphs.CLOSED_DOORS))
        boulders = self._level.boulders()
        lines = []
        for room in self._level.rooms.rooms:
            if self._mode == "room" and room is not self._here:
                continue
            name = room.name[0].upper() + room.name[1:]
            if frontier & room.cells:
                lines.append(f"{name} can be explored further.")
            for cell in sorted((doors & room.exits) | (boulders & room.cells)):
                what = "boulder" if cell in boulders else "locked door" if cell in self._level.locked else "closed door"
                lines.append(f"A {what} at {_at(cell)} blocks the way out of {room.name}.")
        return "\n".join(lines) or "Nothing is left to explore here but what is hidden: search for it."

    def events(self, events: list[Event]) -> list[str]:
        """Describes the events without the game's messages; in `room` mode only those in the room."""
        texts = [event.text for event in events if event.kind != "message" and self._shows(event)]
        return list(dict.fromkeys(texts))

    def _shows(self, event: Event) -> bool:
        if self._mode == "level":
            return True
        if event.kind == "room":
            return self._here is not None and event.room == self._here.id
        return event.kind != "sight" or event.cell in self._region

    def inventory(self) -> str:
        """`a: a +1 long sword (weapon in hand)`, a line each."""
        return "\n".join(f"{item.letter}: {item.text}" for item in self._hero.screen.inventory)

    def stats(self) -> str:
        """The bottom lines in words."""
        stats = self._hero.screen.stats
        state = state_of(self._hero.screen)
        prayer = self._hero.last_prayer
        return "\n".join(
            [
                f"Depth {stats.depth}, turn {stats.turn}, score {stats.score}, gold {stats.gold}",
                f"Hit points {stats.hp} of {stats.max_hp}, energy {stats.energy} of {stats.max_energy}, "
                f"armour class {stats.armor_class}",
                f"Experience level {stats.experience_level} with {stats.experience} points",
                f"Strength {_strength(stats.strength)}, dexterity {stats.dexterity}, "
                f"constitution {stats.constitution}, intelligence {stats.intelligence}, wisdom {stats.wisdom}, "
                f"charisma {stats.charisma}",
                f"State: {', '.join(state) if state else 'normal'}",
                f"Last prayer: {'never' if prayer is None else f'turn {prayer}'}",
                f"Walking {'avoids monsters' if self._hero.avoids_monsters else 'may lead through monsters'}",
            ]
        )

    def _contents(self, room: Room | None) -> list[str]:
        if room is None:
            return []
        return self._list(room.cells, room.exits if self._mode == "room" else ())

    def _strays(self) -> set[Cell]:
        """Cells of interest that are part of no room, such as doors seen from afar, and iron bars."""
        everywhere = {*self._level.objects, *self._level.find(frozenset(glyphs.FEATURES))}
        strays = everywhere.difference(*(room.cells for room in self._level.rooms.rooms))
        return strays if self._mode == "level" else strays & self._region

    def _list(self, cells: set[Cell], unnamed: Collection[Cell] = ()) -> list[str]:
        """Lists what lies at the cells, nearest first; unnamed features are listed elsewhere."""
        found: dict[Cell, list[str]] = {}
        for cell in cells:
            feature = glyphs.FEATURES.get(self._level.feature(cell))
            if feature is not None and cell not in unnamed:
                found.setdefault(cell, []).append(feature)
            if cell in self._level.objects:
                found.setdefault(cell, []).append(self._level.objects[cell].name)
        return [
            f"- {' and '.join(names)} at {_at(cell)}, {self._steps(cell)}"
            for cell, names in sorted(found.items(), key=lambda entry: (self._distance(entry[0]), entry[0]))
        ]

    def _creature(self, monster: Monster) -> str:
        return f"- {monster.name} at {_at((monster.x, monster.y))}, {self._steps((monster.x, monster.y))}"

    def _reach(self, room: Room) -> str:
        nearest = min((self._paths.steps[cell] for cell in room.cells if cell in self._paths.steps), default=None)
        return "out of reach now" if nearest is None else f"{_count(nearest)} away"

    def _steps(self, cell: Cell) -> str:
        if cell == self._hero.position:
            return "where you stand"
        way = self._paths.to(cell) or self._paths.bump(cell)
        return "out of reach now" if way is None else f"{_count(len(way))} away"

    def _distance(self, cell: Cell) -> int:
        way = self._paths.to(cell)
        if way is None:
            way = self._paths.bump(cell)
        return 10_000 if way is None else len(way)


def _at(cell: Cell) -> str:
    return f"({cell[0]}, {cell[1]})"


def _strength(number: int) -> str:
    """NetHack counts 18/01 to 18/100 as 19 to 118, and 19 to 25 as 119 to 125."""
    if number <= 18:
        return str(number)
    return f"18/{number - 18:02d}" if number <= 118 else str(number - 100)


def _count(steps: int) -> str:
    return f"{steps} step{'' if steps == 1 else 's'}"

"""Follows the whole dungeon, and says what happened between two screens."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Literal

from nle import nethack

from labyrinth_envs.nethack import glyphs
from labyrinth_envs.nethack.level import Level
from labyrinth_envs.nethack.rooms import Cell
from labyrinth_envs.nethack.screen import Screen

LOW_HEALTH = 0.4
"""Share of the hit points whose undercutting is an event."""
MEMORY_TURNS = 10
"""Game turns after which a glyph that comes back is new again."""

HUNGER = ("Satiated", "", "Hungry", "Weak", "Fainting", "Fainted", "Starved")
BURDEN = ("", "Burdened", "Stressed", "Strained", "Overtaxed", "Overloaded")
_CONDITIONS = {
    nethack.BL_MASK_STONE: "turning to stone",
    nethack.BL_MASK_SLIME: "turning to slime",
    nethack.BL_MASK_STRNGL: "being strangled",
    nethack.BL_MASK_FOODPOIS: "food poisoned",
    nethack.BL_MASK_TERMILL: "terminally ill",
    nethack.BL_MASK_BLIND: "blind",
    nethack.BL_MASK_DEAF: "deaf",
    nethack.BL_MASK_STUN: "stunned",
    nethack.BL_MASK_CONF: "confused",
    nethack.BL_MASK_HALLU: "hallucinating",
    nethack.BL_MASK_LEV: "levitating",
    nethack.BL_MASK_FLY: "flying",
    nethack.BL_MASK_RIDE: "riding",
}

Kind = Literal["message", "level", "teleport", "health", "state", "sight", "room"]
INTERRUPTS: frozenset[Kind] = frozenset({"level", "teleport", "health", "sight"})
"""Events that stop a long skill."""


@dataclass(frozen=True)
class Event:
    """Something that happened; `cell` is set where it has a place, `room` where it concerns one."""

    kind: Kind
    text: str
    cell: Cell | None = None
    room: int | None = None


def state_of(screen: Screen) -> list[str]:
    """Hunger, burden and conditions other than normal."""
    stats = screen.stats
    conditions = [name for bit, name in _CONDITIONS.items() if stats.condition & bit]
    inside = "swallowed" if screen.swallowed else ""
    return [word for word in (HUNGER[stats.hunger], BURDEN[stats.burden], inside, *conditions) if word]


def far(cell: Cell, other: Cell) -> bool:
    """Whether no single step leads from one to the other."""
    return max(abs(cell[0] - other[0]), abs(cell[1] - other[1])) > 1


class Tracker:
    """Everything known of a game since its start."""

    def __init__(self, screen: Screen) -> None:
        numbers = count(1)
        self._next_id = lambda: next(numbers)
        self.levels: dict[tuple[int, int], Level] = {}
        self._seen_lately: dict[int, list[tuple[int, set[Cell]]]] = {}
        self.screen = self._map = screen
        self.level = self._enter(screen)
        self.level.update(screen)
        self._sights(screen)

    def update(self, screen: Screen) -> list[Event]:
        """Takes in a screen."""
        self.screen = screen
        events = [Event("message", screen.message)] if screen.message else []
        if screen.prompt is not None and screen.prompt.kind != "question":
            return events  # windows hide the map, and a text may be asked for in the midst of a fall
        before, self._map = self._map, screen
        here = (screen.stats.dungeon, screen.stats.level)
        arrived = here != (self.level.dungeon, self.level.number)
        if arrived:
            self.level = self._enter(screen)
            self._seen_lately.clear()
            events.append(Event("level", f"You are on another level now, at depth {screen.stats.depth}."))
        elif far(screen.position, before.position):
            events.append(Event("teleport", f"You were moved to {screen.position}.", screen.position))
        events += _changes(before, screen)
        if screen.swallowed:
            self.level.monsters = []
            return events
        for change in self.level.update(screen):
            was = f", which was taken for {' and '.join(map(str, change.old))}" if change.old else ""
            text = f"{change.room.name} is one{was}." if change.old else f"{change.room.name} came into view."
            events.append(Event("room", text[0].upper() + text[1:], room=change.room.id))
        sights = self._sights(screen)
        if arrived:  # what lies there is told by the description
            here_now = {(monster.x, monster.y) for monster in self.level.monsters}
            sights = [event for event in sights if event.cell in here_now]
        return events + sights

    def _enter(self, screen: Screen) -> Level:
        key = (screen.stats.dungeon, screen.stats.level)
        return self.levels.setdefault(key, Level.first_seen(screen, self._next_id))

    def _sights(self, screen: Screen) -> list[Event]:
        """The kinds of things that became fewer lately: monsters but pets, objects, ways down, altars, fountains."""
        if screen.stats.condition & nethack.BL_MASK_HALLU:
            return []  # nothing is what it seems
        turn = screen.stats.turn
        shown: dict[int, dict[Cell, str]] = {}
        for monster in self.level.monsters:
            if not monster.pet:
                shown.setdefault(monster.glyph, {})[monster.x, monster.y] = monster.name
        for cell, thing in self.level.objects.items():
            if thing.glyph >= 0:
                shown.setdefault(thing.glyph, {})[cell] = thing.name
        for cell in self.level.find(glyphs.NEWS):
            feature = self.level.feature(cell)
            shown.setdefault(nethack.GLYPH_CMAP_OFF + feature, {})[cell] = glyphs.FEATURES[feature]
        events = []
        for glyph in sorted(shown.keys() | self._seen_lately.keys()):
            names = shown.get(glyph, {})
            lately = self._seen_lately.setdefault(glyph, [])
            lately[:] = [entry for entry in lately[:-1] if entry[0] >= turn - MEMORY_TURNS] + lately[-1:]
            known = {cell for _, cells in lately for cell in cells}
            more = len(names) - max((len(cells) for _, cells in lately), default=0)  # what only moved is not new
            for cell in sorted(names.keys() - known)[: max(more, 0)]:
                name = names[cell]
                events.append(Event("sight", f"{name[:1].upper()}{name[1:]} came into view at {cell}.", cell))
            if not lately or lately[-1][1] != names.keys():
                lately.append((turn, set(names)))
            else:
                lately[-1] = (turn, lately[-1][1])
        return events


def _changes(before: Screen, now: Screen) -> list[Event]:
    events = []
    limit = LOW_HEALTH * now.stats.max_hp
    if now.stats.hp < limit and before.stats.hp >= LOW_HEALTH * before.stats.max_hp:
        events.append(Event("health", f"Your health is low: {now.stats.hp} of {now.stats.max_hp} hit points."))
    if now.stats.experience_level != before.stats.experience_level:
        events.append(Event("state", f"Your experience level is {now.stats.experience_level} now."))
    old, new = state_of(before), state_of(now)
    events += [Event("state", f"You are {word} now.") for word in new if word not in old]
    return events + [Event("state", f"You are no longer {word}.") for word in old if word not in new]

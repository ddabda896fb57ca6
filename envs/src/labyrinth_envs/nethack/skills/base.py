"""What a skill is: a generator of keys that looks at the game between them.

It yields the keys to send next as one tuple that belongs together, and goes on after they were sent; it may be left
for good between two tuples (an interrupt), or go on much later. What it returns says what was done; `Failed` why not.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from labyrinth_envs.nethack import glyphs
from labyrinth_envs.nethack.keys import ESC, step_key
from labyrinth_envs.nethack.level import Level, Monster
from labyrinth_envs.nethack.paths import Paths
from labyrinth_envs.nethack.rooms import Cell
from labyrinth_envs.nethack.screen import COLUMNS, ROWS, Screen
from labyrinth_envs.nethack.tracker import Tracker, far

Keys = Generator[tuple[int, ...], None, str]
Walk = Generator[tuple[int, ...], None, None]


class Failed(Exception):
    """The skill cannot be carried out; the message says why."""


class Asked(Exception):
    """The game asks a question that the agent has to answer, not the skill."""


class Interrupted(Exception):
    """A step led to another cell than planned (by a trap door or a teleporter), so that the skill ends."""


class Params(BaseModel):
    """Base of all parameters. Numbers may come as text: models write them so."""

    model_config = ConfigDict(extra="forbid")


class Nothing(Params):
    """No parameters."""


class At(Params):
    """A cell of the level."""

    x: int = Field(ge=0, lt=COLUMNS, description="column")
    y: int = Field(ge=0, lt=ROWS, description="row")

    @property
    def cell(self) -> Cell:
        """(x, y)."""
        return self.x, self.y


class MaybeAt(Params):
    """A cell of the level, or where the skill finds best."""

    x: int | None = Field(default=None, ge=0, lt=COLUMNS, description="column")
    y: int | None = Field(default=None, ge=0, lt=ROWS, description="row")

    @property
    def cell(self) -> Cell | None:
        """(x, y), or None; one number alone is a failure."""
        if self.x is None and self.y is None:
            return None
        if self.x is None or self.y is None:
            raise Failed("x and y go together: give both or neither")
        return self.x, self.y


@dataclass(frozen=True)
class Skill:
    """A skill of the catalogue."""

    name: str
    description: str
    run: Callable[[Hero, Any], Keys]
    parameters: type[Params] = Nothing
    long: bool = False
    """Takes many turns: what comes into view and the like interrupts it."""
    explores: bool = False
    answers: bool = False
    """May be used while the game waits for an answer."""


@dataclass
class Hero:
    """What skills look at and remember."""

    tracker: Tracker
    avoids_monsters: bool = False
    last_prayer: int | None = None
    """Game turn."""
    said: str = field(default="", repr=False)
    """All messages since the keys that the skill yielded last."""

    @property
    def screen(self) -> Screen:
        """What is shown now."""
        return self.tracker.screen

    @property
    def level(self) -> Level:
        """Where the hero is."""
        return self.tracker.level

    @property
    def position(self) -> Cell:
        """Where the hero stands."""
        return self.screen.position

    def asks(self, *words: str) -> bool:
        """Whether the game asks a question that holds one of the words."""
        prompt = self.screen.prompt
        return prompt is not None and any(word in prompt.text for word in words)

    def paths(self) -> Paths:
        """The ways from here."""
        return self.level.paths(self.position)

    def choices(self) -> Iterator[Paths]:
        """The ways around monsters, then, unless they are to be avoided, those through such as mean harm."""
        for fight in (False,) if self.avoids_monsters else (False, True):
            yield self.level.paths(self.position, fight=fight)

    def way(self, cell: Cell) -> list[Cell] | None:
        """The way to a cell, by the first choice that has one."""
        for paths in self.choices():
            way = paths.to(cell)
            if way is None:
                way = paths.bump(cell)
            if way is not None:
                return way
        return None

    def monster(self, cell: Cell) -> Monster | None:
        """The creature shown at a cell."""
        return next((monster for monster in self.level.monsters if (monster.x, monster.y) == cell), None)


def calm(hero: Hero) -> None:
    """Raises `Asked` when a question is open."""
    if hero.screen.prompt is not None or hero.screen.points:
        raise Asked


def step(hero: Hero, cell: Cell) -> Walk:
    """Takes one step to a neighbouring cell and remembers it if it leads nowhere.

    Raises:
        Interrupted: the step led to another cell.
    """
    start, level, turn = hero.position, hero.level, hero.screen.stats.turn
    yield (step_key(cell[0] - start[0], cell[1] - start[1]),)
    if hero.asks("Really attack"):
        yield (ESC,)
        raise Failed(f"a peaceful creature is in the way at {cell}")
    calm(hero)
    if hero.position != start or hero.level is not level or "door opens" in hero.said:
        level.tried((start, cell), failed=False)
    elif hero.screen.stats.turn == turn and "in the way" not in hero.said:
        # What is impossible takes no time. Blows, traps and doors that resist take some and may yield; a pet moves.
        level.tried((start, cell), failed=True)
    if "door is locked" in hero.said:
        level.locked.add(cell)
    if hero.level is not level or far(start, hero.position):
        raise Interrupted


def no_way(hero: Hero, goal: str, cells: Iterable[Cell]) -> Failed:
    """The failure to reach any of the cells, with what is in the way, where it is a creature or a boulder."""
    obstacle = hero.level.obstacle(hero.position, cells)
    return Failed(f"no known way leads to {goal}" + (f" but past {obstacle}" if obstacle else ""))


def walk(hero: Hero, target: Cell) -> Walk:
    """Goes to a cell, looking for the way anew before each step; ends beside it where it cannot be entered."""
    misses = 0
    while hero.position != target:
        way = hero.way(target)
        if not way:
            raise no_way(hero, f"{target}", [target])
        before, turn = hero.position, hero.screen.stats.turn
        yield from step(hero, way[0])
        if hero.position != before:
            misses = 0
            continue
        misses += hero.screen.stats.turn == turn
        last = len(way) == 1
        enterable = hero.level.feature(target) in glyphs.WALKABLE and hero.monster(target) is None
        if last and (not enterable or target in hero.level.boulders()):
            return
        if misses >= 4:
            raise Failed(f"the way to {target} is blocked at {way[0]}")


def be_at(hero: Hero, target: Cell | None) -> Walk:
    """Goes to a cell if one is given, and fails when it cannot be entered."""
    if target is not None:
        yield from walk(hero, target)
        if hero.position != target:
            raise Failed(f"{target} cannot be entered")


def be_beside(hero: Hero, target: Cell, *, straight: bool = False) -> Walk:
    """Goes to a cell that touches `target`."""
    for _ in range(200):
        dx, dy = abs(hero.position[0] - target[0]), abs(hero.position[1] - target[1])
        if dx + dy == 1 or (dx == dy == 1 and not straight):
            return
        place = hero.paths().beside(target, straight=straight)
        way = hero.way(place) if place is not None else None
        if not way:
            raise no_way(hero, f"a place beside {target}", [target])
        yield from step(hero, way[0])
    raise Failed(f"{target} could not be come near")


def direction(hero: Hero, cell: Cell) -> int:
    """The key for the direction of a neighbouring cell."""
    return step_key(cell[0] - hero.position[0], cell[1] - hero.position[1])

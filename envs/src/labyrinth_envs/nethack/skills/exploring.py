"""Exploring a level: unseen places and closed doors first, then searching for what is hidden.

Where nothing is left to see, places to search are ranked: dead ends and doors between rocks first, each search from a
place makes it less promising, and far places count less.
"""

from __future__ import annotations

from pydantic import Field

from labyrinth_envs.nethack import glyphs
from labyrinth_envs.nethack.keys import ORTHOGONAL, STEPS
from labyrinth_envs.nethack.rooms import Cell
from labyrinth_envs.nethack.screen import COLUMNS, ROWS
from labyrinth_envs.nethack.skills.base import Failed, Hero, Keys, MaybeAt, Nothing, Skill, Walk, be_at, calm, step

DOOR_TRIES = 4
SEARCHES = 5
"""Turns of one search."""
PROMISING = 250.0
"""What a dead end, and a door among rocks, is worth."""
AGAIN = 2.0
"""What each search from a place takes off, times their number squared."""
FAR = 4.0
"""What each step there takes off."""


class Search(MaybeAt):
    """Where, and how long."""

    count: int = Field(default=SEARCHES, ge=1, le=100, description="turns")


def explore_level(hero: Hero, _: Nothing) -> Keys:
    """Explores until it is interrupted or nothing is left that can be reached."""
    stays = 0
    while True:
        door = next((cell for cell in _around(hero.position) if _openable(hero, cell)), None)
        if door is not None:
            yield from _open(hero, door)
            continue
        start = hero.position, hero.screen.stats.turn
        target, search = _choose(hero)
        yield from _towards(hero, target)
        if search and hero.position == target:
            yield from _search(hero, SEARCHES)
        stays = stays + 1 if (hero.position, hero.screen.stats.turn) == start else 0
        if stays >= 8:
            raise Failed("every way on is blocked")


def search(hero: Hero, params: Search) -> Keys:
    """Searches the eight cells around a place."""
    yield from be_at(hero, params.cell)
    yield from _search(hero, params.count)
    return f"you searched for {params.count} turns"


def _around(cell: Cell) -> list[Cell]:
    near = [(cell[0] + dx, cell[1] + dy) for dx, dy in ORTHOGONAL]
    return [(x, y) for x, y in near if 0 <= x < COLUMNS and 0 <= y < ROWS]


def _openable(hero: Hero, door: Cell) -> bool:
    closed = hero.level.feature(door) in glyphs.CLOSED_DOORS
    return closed and door not in hero.level.locked and hero.level.tries.get(door, 0) < DOOR_TRIES


def _open(hero: Hero, door: Cell) -> Walk:
    hero.level.tries[door] = hero.level.tries.get(door, 0) + 1
    yield from step(hero, door)


def _towards(hero: Hero, target: Cell) -> Walk:
    """One step: what it shows may change the plan."""
    way = hero.paths().to(target)
    if way:
        yield from step(hero, way[0])


def _search(hero: Hero, turns: int) -> Walk:
    place, level = hero.position, hero.level
    level.searches[place] = level.searches.get(place, 0) + 1
    for _ in range(turns):
        yield (ord("s"),)
        calm(hero)


def _choose(hero: Hero) -> tuple[Cell, bool]:
    """Where to go next, and whether only to search there."""
    paths = hero.paths()
    visit = {cell for cell in hero.level.frontier() if cell != hero.position}
    visit |= {near for door in hero.level.find(glyphs.CLOSED_DOORS) if _openable(hero, door) for near in _around(door)}
    near_first = sorted(paths.steps, key=paths.steps.__getitem__)
    ranks: dict[Cell, float] = {}
    for cell in near_first:
        if cell in visit:
            return cell, False
        rank = _rank(hero, cell)
        if rank is not None:
            ranks[cell] = rank
            if rank >= 0:
                return cell, True
    if not ranks:
        raise Failed("nothing is left to explore or to search here")
    return max(ranks, key=lambda cell: (ranks[cell] - FAR * paths.steps[cell], cell)), True


def _rank(hero: Hero, cell: Cell) -> float | None:
    """How much a search from this cell promises; None beside no wall and no rock."""
    level = hero.level
    x, y = cell
    near = [level.features[y + dy][x + dx] for dx, dy in STEPS if 0 <= x + dx < COLUMNS and 0 <= y + dy < ROWS]
    rocks = sum(feature in range(12) for feature in near)
    if not rocks:
        return None
    rank = -1.0 - AGAIN * level.searches.get(cell, 0) ** 2
    if sum(level.feature(place) in glyphs.WALKABLE for place in _around(cell)) <= 1:
        rank += PROMISING
    if level.feature(cell) in glyphs.EXITS and sum(feature == glyphs.STONE for feature in near) > 3:
        rank += PROMISING
    return rank


SKILLS = (
    Skill(
        "explore_level", "explore this level: see new places, open doors, search", explore_level, Nothing, True, True
    ),
    Skill("search", "search around for hidden doors and passages, here or at a cell", search, Search, True, True),
)

"""Skills that go somewhere: to a cell, to a room, up and down."""

from __future__ import annotations

from pydantic import Field

from labyrinth_envs.nethack import glyphs
from labyrinth_envs.nethack.rooms import Cell
from labyrinth_envs.nethack.skills.base import At, Failed, Hero, Keys, MaybeAt, Params, Skill, be_at, calm, no_way, walk


class RoomId(Params):
    """A room or corridor."""

    room_id: int = Field(ge=1, le=1_000_000, description="number of a room or corridor")


def move_to(hero: Hero, at: At) -> Keys:
    """Walks to a cell."""
    if hero.position == at.cell:
        return f"you are at {at.cell} already"
    yield from walk(hero, at.cell)
    return f"you are at {hero.position}" if hero.position == at.cell else f"you stand beside {at.cell}"


def go_to(hero: Hero, room_id: RoomId) -> Keys:
    """Walks to the nearest cell of a room."""
    for _ in range(500):
        room = hero.level.rooms.get(room_id.room_id)
        if room is None:
            raise Failed(f"no room or corridor of this level has the number {room_id.room_id}")
        if hero.position in room.cells:
            hero.level.rooms.current = room
            return f"you are in {room.name}"
        near = None
        for steps in (paths.steps for paths in hero.choices()):
            near = next((cell for part in (room.inside, room.exits) for cell in steps if cell in part), None)
            if near is not None:
                break
        if near is None:
            raise no_way(hero, room.name, sorted(room.cells))
        way = hero.way(near)
        assert way
        yield from walk(hero, way[0])
    raise Failed("the way is blocked")


def down(hero: Hero, at: MaybeAt) -> Keys:
    """Goes to a way down and takes it."""
    return (yield from _climb(hero, at.cell, glyphs.DOWN, ">", "down"))


def up(hero: Hero, at: MaybeAt) -> Keys:
    """Goes to a way up and takes it."""
    return (yield from _climb(hero, at.cell, glyphs.UP, "<", "up"))


def _climb(hero: Hero, cell: Cell | None, kinds: frozenset[int], key: str, word: str) -> Keys:
    if cell is None and hero.level.feature(hero.position) == glyphs.UNKNOWN:
        yield (ord(":"),)  # takes no time, and names the ground
    if cell is None and hero.level.feature(hero.position) not in kinds:
        ways = [way for place in hero.level.find(kinds) if (way := hero.way(place))]
        if not ways:
            raise Failed(f"no way {word} is known that can be reached; explore the level or give a place")
        cell = min(ways, key=len)[-1]
    yield from be_at(hero, cell)
    level = hero.level
    yield (ord(key),)
    calm(hero)
    if hero.level is level:
        raise Failed(f"there is no way {word} here" if not hero.said else hero.said)
    return f"you went {word} to depth {hero.screen.stats.depth}"


SKILLS = (
    Skill("move_to", "walk to a cell of this level", move_to, At, long=True),
    Skill("go_to", "walk to a room or corridor of this level", go_to, RoomId, long=True),
    Skill("down", "walk to a way down (the nearest, or the given one) and take it", down, MaybeAt, True, True),
    Skill("up", "walk to a way up (the nearest, or the given one) and take it", up, MaybeAt, True),
)

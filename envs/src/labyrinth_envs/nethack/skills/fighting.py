"""Skills against what stands in the way: monsters and doors."""

from __future__ import annotations

from nle import nethack

from labyrinth_envs.nethack import glyphs
from labyrinth_envs.nethack.keys import STEPS, control
from labyrinth_envs.nethack.rooms import Cell
from labyrinth_envs.nethack.skills.base import (
    At,
    Failed,
    Hero,
    Keys,
    Skill,
    Walk,
    be_beside,
    calm,
    direction,
    no_way,
    step,
)


def melee_attack(hero: Hero, at: At) -> Keys:
    """Fights the monster at a cell until it is gone, following it for a step."""
    monster = hero.monster(at.cell)
    if monster is None:
        raise Failed(f"no monster is to be seen at {at.cell}")
    if monster.peaceful:
        raise Failed(f"the {monster.name} wishes you no harm; to strike it, press F and a direction")
    target, blows = at.cell, 0
    for _ in range(200):
        here = hero.monster(target)
        dreams = bool(hero.screen.stats.condition & nethack.BL_MASK_HALLU)  # all change their looks at each glance
        if here is None or (here.glyph != monster.glyph and not dreams):
            near = [] if dreams else _neighbours(target)
            moved = [cell for cell in near if (m := hero.monster(cell)) and m.glyph == monster.glyph]
            if not moved:
                if blows:
                    return f"the {monster.name} is gone"
                raise Failed(f"the {monster.name} is out of sight")
            target = moved[0]
        if target not in _neighbours(hero.position):
            yield from _approach(hero, target)
            continue
        yield (ord("F"), direction(hero, target))
        blows += 1
        calm(hero)
    raise Failed(f"the {monster.name} does not fall")


def _approach(hero: Hero, target: Cell) -> Walk:
    """One step towards a monster."""
    place = hero.paths().beside(target)
    way = hero.paths().to(place) if place is not None else None
    if not way:
        raise no_way(hero, f"a place beside {target}", [target])
    yield from step(hero, way[0])


def kick(hero: Hero, at: At) -> Keys:
    """Kicks what is at a cell: a locked door, say."""
    if at.cell == hero.position:
        raise Failed("you cannot kick where you stand; give a cell beside you")
    feature = hero.level.feature(at.cell)
    door = feature in glyphs.DOORS
    yield from be_beside(hero, at.cell, straight=door)
    yield (control("d"),)
    if hero.asks("direction"):
        yield (direction(hero, at.cell),)
    if hero.level.feature(at.cell) not in glyphs.CLOSED_DOORS:
        hero.level.locked.discard(at.cell)
    return hero.said or "you kicked"


def _neighbours(cell: Cell) -> list[Cell]:
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in STEPS]


SKILLS = (
    Skill("melee_attack", "walk to the monster at a cell and fight it hand to hand", melee_attack, At, long=True),
    Skill("kick", "walk beside a cell and kick what is there, such as a locked door", kick, At, long=True),
)

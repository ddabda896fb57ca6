"""Skills with things, and those that are one command of the game.

Without a letter the game's own question stays open, as a prompt to answer with press_key.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated

from pydantic import Field

from labyrinth_envs.nethack.keys import ENTER, ESC, Aim, aim_key, meta
from labyrinth_envs.nethack.skills.base import (
    Asked,
    Failed,
    Hero,
    Keys,
    MaybeAt,
    Nothing,
    Params,
    Skill,
    Walk,
    be_at,
    calm,
)

Letter = Annotated[str, Field(pattern=r"^[a-zA-Z$#]$", description="letter of the inventory")]


class MaybeItem(Params):
    """Something carried."""

    item_letter: Letter | None = Field(default=None, description="letter of the inventory")


class Aimed(Params):
    """Something carried, and where it goes."""

    item_letter: Letter
    direction: Aim = Field(description="where to")


class Spell(Params):
    """A known spell."""

    spell_letter: Letter = Field(description="letter in the list of spells")
    direction: Aim | None = Field(default=None, description="where to, if the spell asks")


class PickUp(MaybeAt):
    """Where to take things."""

    choose: bool = Field(default=False, description="leave the list open to choose from, instead of taking all")


def pickup(hero: Hero, params: PickUp) -> Keys:
    """Takes what lies here or at a cell."""
    yield from be_at(hero, params.cell)
    place, level = hero.position, hero.level
    before = hero.screen.inventory, hero.screen.stats.gold
    yield (ord(","),)
    if hero.screen.prompt is not None and hero.screen.prompt.kind == "window" and not params.choose:
        yield (ord(","), ENTER)  # all of it
    calm(hero)
    if before == (hero.screen.inventory, hero.screen.stats.gold):
        raise Failed(hero.said or "nothing was picked up")
    level.objects.pop(place, None)  # the hero hides what is left; it is noticed on leaving
    return hero.said


def with_item(key: int, verb: str, hero: Hero, params: MaybeItem) -> Keys:
    """One command that asks for a thing."""
    yield from _choose(key, verb, hero, params.item_letter)
    return _said(hero)


def _choose(key: int, verb: str, hero: Hero, letter: str | None) -> Walk:
    """Begins a command and names the thing that it asks for."""
    yield (key,)
    if hero.screen.prompt is None:
        raise Failed(hero.said or f"there is nothing to {verb}")
    if letter is None:
        raise Asked
    while hero.asks("[yn"):  # about what lies here
        yield (ord("n"),)
    if not hero.asks("What do you want to"):
        raise Failed(hero.said or f"there is nothing to {verb}")
    yield (ord(letter),)
    if hero.asks("What do you want to"):
        yield (ESC, ESC)
        raise Failed(f"item {letter} is nothing to {verb}")


def zap(hero: Hero, params: Aimed) -> Keys:
    """Zaps a wand."""
    return (yield from _aim(hero, "z", "zap", params))


def throw(hero: Hero, params: Aimed) -> Keys:
    """Throws a thing."""
    return (yield from _aim(hero, "t", "throw", params))


def _aim(hero: Hero, key: str, verb: str, params: Aimed) -> Keys:
    yield from _choose(ord(key), verb, hero, params.item_letter)
    if hero.asks("direction"):
        yield (aim_key(params.direction),)
    return _said(hero)


def cast(hero: Hero, params: Spell) -> Keys:
    """Casts a spell."""
    yield (ord("Z"),)
    if hero.screen.prompt is None:
        raise Failed(hero.said or "you know no spells")
    yield (ord(params.spell_letter),)
    if hero.screen.prompt is not None and hero.screen.prompt.kind == "window":
        yield (ESC,)
        raise Failed(f"there is no spell {params.spell_letter}")
    if hero.asks("direction"):
        yield (aim_key(params.direction or "self"),)
    return _said(hero)


def at_place(key: int, hero: Hero, params: MaybeAt) -> Keys:
    """One command of the game, here or at a cell."""
    yield from be_at(hero, params.cell)
    return (yield from command(key, hero, Nothing()))


def command(key: int, hero: Hero, _: Nothing) -> Keys:
    """One command of the game."""
    yield (key,)
    return _said(hero)


def pray(hero: Hero, _: Nothing) -> Keys:
    """Prays, and says yes when asked whether to."""
    yield (meta("p"),)
    if hero.asks("pray"):
        hero.last_prayer = hero.screen.stats.turn
        yield (ord("y"),)
    return hero.said or "you prayed"


_THINGS: tuple[tuple[str, int, str, str], ...] = (
    ("eat", ord("e"), "eat", "eat something carried; without a letter the game asks, first about what lies here"),
    ("drink", ord("q"), "drink", "drink a potion, or from a fountain or sink"),
    ("read", ord("r"), "read", "read a scroll or a book"),
    ("wield", ord("w"), "wield", "take a weapon in hand"),
    ("wear", ord("W"), "wear", "put on armour"),
    ("take_off", ord("T"), "take off", "take off armour"),
    ("put_on", ord("P"), "put on", "put on a ring or an amulet"),
    ("remove", ord("R"), "remove", "take off a ring or an amulet"),
    ("drop", ord("d"), "drop", "drop something carried"),
    ("apply", ord("a"), "use", "use a tool"),
    ("tip", meta("T"), "tip", "empty a container"),
    ("dip", meta("d"), "dip", "dip something carried into something else; the game asks into what"),
)
_AT: tuple[tuple[str, int, str], ...] = (
    ("loot", meta("l"), "open a box that lies here or at a cell"),
    ("offer", meta("o"), "sacrifice at the altar here or at a cell; the game asks what"),
)
_PLAIN: tuple[tuple[str, int, str], ...] = (
    ("pay", ord("p"), "pay the shopkeeper"),
    ("look", ord(":"), "look at what lies here; takes no time"),
)


def _said(hero: Hero) -> str:
    calm(hero)
    return hero.said or "done"


def _bound(run: Callable[..., Keys], *first: object) -> Callable[[Hero, object], Keys]:
    return partial(run, *first)


SKILLS = (
    Skill("pickup", "take what lies here or at a cell", pickup, PickUp, long=True),
    *(Skill(name, text, _bound(with_item, key, verb), MaybeItem) for name, key, verb, text in _THINGS),
    Skill("zap", "zap a wand", zap, Aimed),
    Skill("throw", "throw something carried", throw, Aimed),
    Skill("cast", "cast a spell", cast, Spell),
    *(Skill(name, text, _bound(at_place, key), MaybeAt, long=True) for name, key, text in _AT),
    *(Skill(name, text, _bound(command, key)) for name, key, text in _PLAIN),
    Skill("pray", "pray to your god for help; wait about 1000 turns between prayers", pray),
)

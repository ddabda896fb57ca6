"""Skills with things, and those that are one command of the game.

Without a letter the game's own question stays open, as a prompt to answer with press_key.
"""

from __future__ import annotations

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


class Dip(MaybeItem):
    """Something carried, and what it is dipped into."""

    into_letter: Letter | None = Field(default=None, description="letter of a potion")


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


def dip(hero: Hero, params: Dip) -> Keys:
    """Dips one thing into another."""
    yield from _choose(meta("d"), "dip", hero, params.item_letter)
    if params.into_letter is not None:
        yield from _name(hero, "dip into", params.into_letter)
    return _said(hero)


def _choose(key: int, verb: str, hero: Hero, letter: str | None) -> Walk:
    """Begins a command and names the thing that it asks for."""
    before = hero.screen
    yield (key,)
    if hero.screen.prompt is None:
        # With one thing to choose the game does not ask.
        if (before.inventory, before.stats.turn) == (hero.screen.inventory, hero.screen.stats.turn):
            raise Failed(hero.said or f"there is nothing to {verb}")
    elif hero.asks("[*]"):
        yield (ESC, ESC)
        raise Failed(f"there is nothing to {verb}")
    elif letter is None:
        raise Asked
    else:
        yield from _name(hero, verb, letter)


def _name(hero: Hero, verb: str, letter: str) -> Walk:
    """Answers the game's question for a thing."""
    while hero.asks("[yn"):  # about what lies or stands here
        yield (ord("n"),)
    if not hero.asks("want to"):
        raise Failed(hero.said or f"there is nothing to {verb}")
    question = hero.screen.prompt
    yield (ord(letter),)
    if hero.screen.prompt == question:
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


def loot(hero: Hero, at: MaybeAt) -> Keys:
    """Opens a box, and leaves what to do with it to the agent."""
    yield from be_at(hero, at.cell)
    yield (meta("l"),)
    if hero.asks("direction"):  # it would loot a saddle
        yield (ESC,)
        raise Failed("there is nothing to open here")
    if hero.asks("loot it?"):
        yield (ord("y"),)
    elif hero.screen.prompt is None:
        raise Failed(hero.said or "there is nothing to open here")
    return _said(hero)


def offer(hero: Hero, at: MaybeAt) -> Keys:
    """Begins a sacrifice, and leaves of what to the agent."""
    yield from be_at(hero, at.cell)
    yield (meta("o"),)
    if hero.screen.prompt is None:
        raise Failed(hero.said or "nothing can be offered here")
    return _said(hero)


def pay(hero: Hero, _: Nothing) -> Keys:
    """Pays the shopkeeper."""
    gold = hero.screen.stats.gold
    yield (ord("p"),)
    if hero.screen.prompt is None and hero.screen.stats.gold == gold:
        raise Failed(hero.said or "there is nobody to pay")
    return _said(hero)


def look(hero: Hero, _: Nothing) -> Keys:
    """Looks at what lies here; takes no time."""
    yield (ord(":"),)
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
)


def _said(hero: Hero) -> str:
    calm(hero)
    return hero.said or "done"


SKILLS = (
    Skill("pickup", "take what lies here or at a cell", pickup, PickUp, long=True),
    *(Skill(name, text, partial(with_item, key, verb), MaybeItem) for name, key, verb, text in _THINGS),
    Skill("dip", "dip something carried into a potion; without a letter the game asks", dip, Dip),
    Skill("zap", "zap a wand", zap, Aimed),
    Skill("throw", "throw something carried", throw, Aimed),
    Skill("cast", "cast a spell", cast, Spell),
    Skill("loot", "open a box that lies here or at a cell; the game asks what to do with it", loot, MaybeAt, long=True),
    Skill("offer", "sacrifice at the altar here or at a cell; the game asks what", offer, MaybeAt, long=True),
    Skill("pay", "pay the shopkeeper", pay),
    Skill("look", "look at what lies here; takes no time", look),
    Skill("pray", "pray to your god for help; wait about 1000 turns between prayers", pray),
)

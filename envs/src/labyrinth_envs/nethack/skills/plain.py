"""Skills that wait, type, or set a rule for the others."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from labyrinth_envs.nethack.keys import key_of
from labyrinth_envs.nethack.skills.base import Failed, Hero, Keys, Params, Skill, calm


def _known_key(name: str) -> str:
    if key_of(name) is None:
        raise ValueError(
            "a key is one printable character, ESC, ENTER, SPACE, BACKSPACE, ctrl-<letter> or alt-<letter>"
        )
    return name


class Key(Params):
    """One key."""

    key: Annotated[str, AfterValidator(_known_key)] = Field(
        max_length=12, description="a character, ESC, ENTER, SPACE, BACKSPACE, ctrl-d, alt-p and so on"
    )


class Text(Params):
    """Some letters."""

    text: str = Field(min_length=1, max_length=60, pattern=r"^[ -~]+$", description="typed letter by letter; no ENTER")


class Flag(Params):
    """Yes or no."""

    value: bool = Field(description="true or false")


class Rest(Params):
    """How long."""

    count: int = Field(default=5, ge=1, le=100, description="turns")


def press_key(hero: Hero, params: Key) -> Keys:
    """Presses a key."""
    key = key_of(params.key)
    assert key is not None
    _no_count(hero, params.key)
    yield (key,)
    return f"pressed {params.key}"


def type_text(hero: Hero, params: Text) -> Keys:
    """Types letters."""
    for letter in params.text:
        _no_count(hero, letter)
        yield (ord(letter),)
    return "typed"


def _no_count(hero: Hero, key: str) -> None:
    """A digit before a command would repeat it past the limit of turns."""
    if key.isdecimal() and hero.screen.prompt is None:
        raise Failed(f"{key} would begin a count, which is switched off; use search(count=...) or rest(count=...)")


def set_avoid_monster_flag(hero: Hero, params: Flag) -> Keys:
    """Whether walking goes around monsters or through them."""
    hero.avoids_monsters = params.value
    return f"walking {'avoids monsters' if params.value else 'may lead through monsters'} now"
    yield ()


def rest(hero: Hero, params: Rest) -> Keys:
    """Does nothing for some turns."""
    for _ in range(params.count):
        yield (ord("."),)
        calm(hero)
    return f"you rested for {params.count} turns"


SKILLS = (
    Skill("rest", "do nothing for some turns", rest, Rest, long=True),
    Skill("press_key", "press one key; answers the game's questions", press_key, Key, answers=True),
    Skill("type_text", "type a text; answers the game's questions for one", type_text, Text, answers=True),
    Skill("set_avoid_monster_flag", "whether walking keeps clear of monsters", set_avoid_monster_flag, Flag),
)

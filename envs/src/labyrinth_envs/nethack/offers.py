"""The calls that make sense now, for agents that choose among valid actions. Free text may name others."""

from __future__ import annotations

import json
import re

from nle import nethack

from labyrinth_envs.nethack import glyphs
from labyrinth_envs.nethack.describer import Mode
from labyrinth_envs.nethack.skills.base import Hero

_USES: tuple[tuple[str, frozenset[int]], ...] = (
    ("eat", frozenset({nethack.FOOD_CLASS})),
    ("drink", frozenset({nethack.POTION_CLASS})),
    ("read", frozenset({nethack.SCROLL_CLASS, nethack.SPBOOK_CLASS})),
    ("wield", frozenset({nethack.WEAPON_CLASS})),
    ("wear", frozenset({nethack.ARMOR_CLASS})),
    ("put_on", frozenset({nethack.RING_CLASS, nethack.AMULET_CLASS})),
    ("apply", frozenset({nethack.TOOL_CLASS})),
)


def offers(hero: Hero, mode: Mode) -> list[str]:
    """Calls, in the catalogue's order; in `room` mode none speaks of another room."""
    if hero.screen.prompt is not None:
        return _answers(hero)
    level, here = hero.level, hero.level.rooms.current
    shown = here.region if here else set()
    steps = hero.paths().steps
    anywhere = mode == "level"
    calls = ["explore_level()", "search()"]
    for cell in sorted({*level.objects, *level.find(glyphs.EXITS | glyphs.NEWS)}):
        if cell in steps and cell != hero.position and (anywhere or cell in shown):
            calls.append(f"move_to(x={cell[0]}, y={cell[1]})")
    if anywhere:
        calls += [
            f"go_to(room_id={room.id})" for room in level.rooms.rooms if room is not here and room.cells & steps.keys()
        ]
    for word, kinds in (("down", glyphs.DOWN), ("up", glyphs.UP)):
        calls += (
            [f"{word}()"] if any(cell in steps and (anywhere or cell in shown) for cell in level.find(kinds)) else []
        )
    foes = [m for m in level.monsters if not m.peaceful and (anywhere or (m.x, m.y) in shown)]
    calls += [f"melee_attack(x={m.x}, y={m.y})" for m in foes]
    doors = level.locked & (shown if not anywhere else level.locked)
    calls += [f"kick(x={x}, y={y})" for x, y in sorted(doors) if level.feature((x, y)) in glyphs.CLOSED_DOORS]
    if hero.position in level.objects:
        calls.append("pickup()")
    for name, kinds in _USES:
        calls += [
            f"{name}(item_letter={json.dumps(item.letter)})" for item in hero.screen.inventory if item.kind in kinds
        ]
    if any("unpaid" in item.text for item in hero.screen.inventory):
        calls.append("pay()")
    return [*calls, "pray()", "look()", "rest()"]


def _answers(hero: Hero) -> list[str]:
    prompt = hero.screen.prompt
    assert prompt is not None
    choices = re.search(r"\[([^\]]+)\]", prompt.text)
    letters = "" if choices is None else choices[1].split(" or ")[0]
    spans = re.sub(r"(\w)-(\w)", lambda span: "".join(map(chr, range(ord(span[1]), ord(span[2]) + 1))), letters)
    keys = [letter for letter in dict.fromkeys(spans) if letter.isalpha()] if prompt.kind == "question" else []
    return [f"press_key(key={json.dumps(key)})" for key in [*keys, "ENTER", "SPACE", "ESC"]]

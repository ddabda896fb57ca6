"""Whatever is called, the session lives, limits hold and every call ends with a message."""

from __future__ import annotations

import random

import pytest

from labyrinth_envs.nethack.calls import form
from labyrinth_envs.nethack.runner import KEYS_PER_CALL
from labyrinth_envs.nethack.screen import COLUMNS, ROWS, Game, Screen
from labyrinth_envs.nethack.skills import CATALOGUE
from labyrinth_envs.nethack.world import NetHack, NetHackParameters
from tests.support import many

SEEDS, CALLS = many(50, 4, "seeds"), many(200, 50, "calls")
TURNS = 20
KEYS = ["ESC", "ENTER", "SPACE", "BACKSPACE", "ctrl-d", "ctrl-c", "ctrl-z", "alt-p", *map(chr, range(33, 127))]
AIMS = ["north", "southeast", "up", "self"]
ROLES = ["valkyrie", "wizard", "samurai", "priest", "archeologist", "tourist", "healer", "caveman"]


def drawn(chance: random.Random, world: NetHack) -> str:
    """Any call at all; now and then one that the world offers."""
    offered = world.valid_actions()
    if offered and chance.random() < 0.4:
        return chance.choice(offered)
    skill = chance.choice(list(CATALOGUE.values()))
    letter = chance.choice("abcdefghijkz$")
    values = {
        "x": chance.randrange(COLUMNS),
        "y": chance.randrange(ROWS),
        "room_id": chance.randrange(1, 30),
        "count": chance.randrange(1, 101),
        "key": repr(chance.choice(KEYS)),
        "text": repr(chance.choice(["quit", "save", "pray", "y", "20s", "terrain", "\\x7e?"])),
        "value": chance.choice(["true", "false"]),
        "choose": chance.choice(["true", "false"]),
        "direction": repr(chance.choice(AIMS)),
    }
    given = list(skill.parameters.model_fields)
    optional = all(not field.is_required() for field in skill.parameters.model_fields.values())
    if optional and chance.random() < 0.5:
        given = []
    assert all(name in values or name.endswith("letter") for name in given), form(skill)
    return f"{skill.name}({', '.join(f'{name}={values.get(name, repr(letter))}' for name in given)})"


@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_calls(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    pressed: list[int] = []
    press = Game.press

    def watched(game: Game, key: int) -> Screen:
        pressed.append(game.screen.stats.turn)
        return press(game, key)

    monkeypatch.setattr(Game, "press", watched)
    chance = random.Random(seed)
    parameters = {"seed": seed, "role": ROLES[seed % len(ROLES)], "mode": chance.choice(["level", "room"])}
    world = NetHack(NetHackParameters.model_validate(parameters | {"idleCalls": 0, "turnsPerCall": TURNS}))
    first = world.reset()
    turn = first
    for _ in range(CALLS):
        if turn.end is not None:
            turn = world.reset()
            assert turn == first
        call = drawn(chance, world)
        pressed.clear()
        turn = world.step(call)
        assert turn.sections["outcome"] in ("done", "failed", "interrupted"), call
        assert turn.sections["result"].startswith(call.partition("(")[0]), call
        assert turn.sections["result"].replace("\n", " ").isprintable(), call
        # The last key may take many turns (a prayer, a faint), but none follows once the limit is reached.
        assert all(when - pressed[0] < TURNS for when in pressed), (call, pressed)
        assert len(pressed) <= KEYS_PER_CALL + 60, call
        assert turn.max_score >= turn.score >= 0, call
        assert world.truth()["deepest"] == int(turn.sections["deepest"])
    world.close()

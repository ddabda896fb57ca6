"""Calls of skills as text: what is understood, and what is refused with a typed message."""

from __future__ import annotations

import pytest

from labyrinth_envs.nethack.calls import form, parse, spec_of
from labyrinth_envs.nethack.skills import CATALOGUE
from labyrinth_envs.world import WorldError
from tests.nethack.play import Play


@pytest.mark.parametrize(
    ("action", "meant"),
    [
        ("move_to(x=12, y=5)", "move_to(x=12, y=5)"),
        ("move_to(12, 5)", "move_to(x=12, y=5)"),
        ('  move_to(x="12", y=5) ', "move_to(x=12, y=5)"),
        ('{"name": "move_to", "params": {"x": 12, "y": 5}}', "move_to(x=12, y=5)"),
        ('{"name": "explore_level"}', "explore_level()"),
        ("explore_level", "explore_level()"),
        ("explore_level()", "explore_level()"),
        ("down(x=null, y=null)", "down()"),
        ("set_avoid_monster_flag(value=true)", "set_avoid_monster_flag(value=true)"),
        ("press_key(key='ESC')", 'press_key(key="ESC")'),
        ('press_key("\\"")', 'press_key(key="\\"")'),
        ('zap(item_letter="c", direction="northwest")', 'zap(item_letter="c", direction="northwest")'),
    ],
)
def test_what_is_understood(action: str, meant: str) -> None:
    assert str(parse(action)) == meant
    assert str(parse(meant)) == meant


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("", "is empty"),
        ("fly(x=1)", 'no skill "fly"'),
        ("move_to(x=1)", "move_to: y: is missing"),
        ("move_to(x=1, y=2, z=3)", "move_to: z: is unknown"),
        ("move_to(1, 2, 3)", "2 parameters at most"),
        ("move_to(1, x=2, y=3)", "given twice"),
        ("move_to(x=79, y=0)", "x: Input should be less than 79"),
        ("move_to(x=0, y=21)", "y: Input should be less than 21"),
        ("move_to(x=-1, y=0)", "x: Input should be greater than or equal to 0"),
        ('move_to(x="far", y=0)', "x: Input should be a valid integer"),
        ("move_to(x=1.5, y=0)", "x: Input should be a valid integer"),
        ("move_to(x=1+1, y=0)", "a parameter is a number"),
        ("move_to(**{})", "has no name"),
        ("rest(count=101)", "count: Input should be less than or equal to 100"),
        ('press_key(key="F13")', "a key is one printable character"),
        ('press_key(key="\\n")', "a key is one printable character"),
        ('type_text(text="a\\u0007")', "text: String should match pattern"),
        ('eat(item_letter="")', "item_letter: String should match pattern"),
        ('zap(item_letter="a", direction="left")', "direction: Input should be 'north'"),
        ("explore_level()\x1b", "control character"),
        ("explore_level()\nrest()", "line break"),
        ("explore_level(); rest()", "no call of a skill"),
        ("go north", "no call of a skill"),
        ("a.b()", "no call of a skill"),
        ("(" * 2000, "no call of a skill"),
        ("rest(" + "9" * 4000 + ")", "Cannot take the action"),
        ("{", "is no JSON"),
        ("[" * 3000, "no call of a skill"),
        ('{"params": {}}', 'a call in JSON has "name"'),
        ('{"name": "rest", "params": [1]}', 'a call in JSON has "name"'),
        ('{"name": "rest", "count": 3}', 'a call in JSON has "name"'),
        ('{"name": "rest", "params": {"count": NaN}}', "count: Input should be"),
    ],
)
def test_what_is_refused(action: str, words: str) -> None:
    with pytest.raises(WorldError) as refused:
        parse(action)
    assert refused.value.code == "bad-action"
    assert words in refused.value.message and refused.value.message.isprintable()


def test_a_refused_call_changes_nothing_and_the_session_lives() -> None:
    with Play(3) as play:
        for action in ("fly()", "move_to(x=999, y=0)", "\x00", "rest(count=0)"):
            with pytest.raises(WorldError, match="Cannot take the action"):
                play.do(action)
        after = play.do("rest(count=1)")
    with Play(3) as other:
        assert other.do("rest(count=1)") == after


def test_the_spec_tells_of_every_skill() -> None:
    specs = {spec.name: spec for spec in map(spec_of, CATALOGUE.values())}
    assert len(specs) == len(CATALOGUE) >= 30
    walk = specs["move_to(x={x}, y={y})"]
    assert walk.params == ["x", "y"] and walk.description.endswith("(x: integer from 0 to 78, y: integer from 0 to 20)")
    assert specs["down(x={x}, y={y})"].description.endswith("(x?: integer from 0 to 78, y?: integer from 0 to 20)")
    assert "count?: integer from 1 to 100, else 5" in specs[form(CATALOGUE["rest"])].description
    assert {name.partition("(")[0] for name, spec in specs.items() if spec.explores} == {
        "explore_level",
        "search",
        "down",
    }

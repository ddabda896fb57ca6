"""The world of the guide `docs/how-to/add-a-world.md` meets the contract that the guide states."""

import re
from pathlib import Path
from typing import Any

import pytest

from labyrinth_envs.world import WorldError

GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "add-a-world.md"


def guide_world() -> Any:
    """The class that the guide's Python block defines."""
    (code,) = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(encoding="utf8"), flags=re.M | re.S)
    names: dict[str, Any] = {"__name__": "guide"}
    exec(compile(code, str(GUIDE), "exec"), names)
    return names["Lever"]


def test_guide_world_plays_an_episode_to_its_end() -> None:
    Lever = guide_world()
    world = Lever(Lever.Parameters(pulls=2))
    first = world.reset()
    turns = [world.step(action) for action in ["look", "pull", "pull"]]
    assert [turn.score for turn in turns] == [0, 1, 2]
    assert [turn.end for turn in turns] == [None, None, "won"]
    assert world.truth() == {"pulled": 2}
    with pytest.raises(WorldError, match="ended"):
        world.step("pull")
    assert world.reset() == first


def test_guide_world_has_one_identity_for_each_game() -> None:
    Lever = guide_world()
    identities = [Lever(Lever.Parameters(pulls=pulls)).spec.identity for pulls in (2, 2, 3)]
    assert identities[0] == identities[1] != identities[2]
    assert all(re.fullmatch(r"[0-9a-f]{64}", identity) for identity in identities)

"""The worlds by Gymnasium: its own checker passes each, and a turn becomes what its interface says."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from labyrinth_envs.gym import NAMES, WorldEnv
from labyrinth_envs.textworld import cooking
from labyrinth_envs.textworld.base import prepared
from labyrinth_envs.world import WorldError
from labyrinth_envs.worlds import WORLDS
from tests.support import TINY, some
from tests.tiny_world import PNG

OF_FILES = ("jericho", "textworld/file")
QUICK = ["babyai", "nethack", "textworld/long-hunt", "textworld/rl-benchmark"]


def make(name: str, **params: object) -> Any:
    made: Any = gymnasium.make
    return made(f"labyrinth/{name}-v0", **params)


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    for id, target in TINY.items():
        monkeypatch.setitem(WORLDS, id, target)


@pytest.fixture(scope="session")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    game = prepared(cooking.make("cooking", 0), None, "cooking").story
    assert isinstance(game, Path)
    path = tmp_path_factory.mktemp("story") / "cooking.z8"
    path.write_bytes(game.read_bytes())
    return path


def test_every_world_has_a_name() -> None:
    assert set(NAMES) == set(WORLDS) and len(set(NAMES.values())) == len(NAMES)


@pytest.mark.parametrize("world", some([*QUICK, *(id for id in NAMES if id not in QUICK)], len(QUICK)))
def test_gymnasium_s_checker_passes(world: str, story: Path) -> None:
    params = {"path": str(story)} if world in OF_FILES else {}
    env = make(NAMES[world], **params)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    env.close()


def test_parameters_choose_the_game_and_a_seed_of_reset_does_not() -> None:
    def seen(reset: dict[str, Any], **params: object) -> tuple[str, dict[str, Any]]:
        env = make("TreasureHunt", **params)
        env.reset()
        observation, info = env.reset(**reset)
        truth = env.unwrapped.truth()
        env.close()
        return observation + str(sorted(truth.items())), info

    first = seen({}, rooms=12, seed=3)
    assert seen({"seed": 9}, rooms=12, seed=3) == first
    assert seen({}, rooms=12, seed=4)[0] != first[0]
    assert seen({"options": {"seed": 3}}, rooms=12, seed=4) == first
    with pytest.raises(WorldError, match="rooms is integer from 4"):
        make("TreasureHunt", rooms=1)


def test_options_that_a_world_refuses_leave_the_game_as_it_was() -> None:
    env = make("TreasureHunt", rooms=12, seed=3)
    first, _ = env.reset()
    for options in ({"rooms": 1}, {"windows": 2}):
        with pytest.raises(WorldError, match="its parameters are|rooms is integer"):
            env.reset(options=options)
    assert env.reset()[0] == first
    env.close()


def test_several_worlds_are_played_at_once() -> None:
    games = [lambda seed=seed: make("TreasureHuntMedium", seed=seed) for seed in (1, 2)]
    worlds: Any = gymnasium.vector.AsyncVectorEnv(games, shared_memory=False)
    observations, _ = worlds.reset()
    assert [text[:9] for text in observations] == ["-= Room A"] * 2
    assert worlds.step(["look", "look"])[1].tolist() == [0, 0]
    worlds.close()


def test_a_win_terminates_and_a_limit_truncates(tiny: None) -> None:
    env = WorldEnv("tiny/counter", goalSize=2)
    env.reset()
    observation, reward, *ends, info = env.step("count")
    assert (observation, reward, ends, info["score"], info["max_score"]) == ("did count", 1, [False, False], 1, 2)
    assert env.step("count")[2:4] == (True, False)
    with pytest.raises(WorldError, match="ended"):
        env.step("count")
    hunt = make("TreasureHuntMedium", step_limit=1)
    _, info = hunt.reset()
    assert "look" in info["valid_actions"] and info["goal"] == "Find the treasure."
    assert hunt.step("look")[2:4] == (False, True)
    hunt.close()


def test_a_refused_action_changes_nothing_and_says_why(tiny: None) -> None:
    env = WorldEnv("tiny/counter", valid_actions=False)
    before, _ = env.reset()
    observation, reward, terminated, truncated, info = env.step("refuse")
    assert (observation, reward, terminated, truncated) == (before, 0, False, False)
    assert (info["refused"], info["valid_actions"]) == ("not that; try count", None)
    assert env.step("picture")[4]["image"] == PNG + b"turn"
    with pytest.raises(RuntimeError):
        env.step("raise")


def test_the_truth_is_for_graders_alone(tiny: None) -> None:
    env: Any = gymnasium.wrappers.OrderEnforcing(WorldEnv("tiny/counter", mood="wild"))
    with pytest.raises(WorldError, match="reset"):
        env.unwrapped.truth()
    assert env.reset()[1].keys() == {"goal", "score", "max_score", "end", "sections", "valid_actions"}
    assert env.unwrapped.truth() == {"count": 0}
    assert not hasattr(env, "truth")


def test_an_unknown_world_is_named() -> None:
    with pytest.raises(WorldError, match="unknown world"):
        WorldEnv("textworld/hnt")

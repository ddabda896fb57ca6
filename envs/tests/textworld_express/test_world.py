"""TextWorld-Express: real Java, real games."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from typing import get_args

import pytest

from labyrinth_envs.textworld_express.world import TextWorldExpress, TextWorldExpressParameters
from labyrinth_envs.world import Turn, WorldError
from tests.support import alive, opening, some

Open = Callable[..., TextWorldExpress]
GAMES: tuple[str, ...] = get_args(TextWorldExpressParameters.model_fields["game"].annotation)


@pytest.fixture
def open_world() -> Iterator[Open]:
    with opening(TextWorldExpress) as make:
        yield make


def gold(world: TextWorldExpress) -> list[str]:
    path = world.truth()["goldPath"]
    assert isinstance(path, list)
    return path


@pytest.mark.parametrize("game", some(GAMES))
def test_the_gold_path_is_made_of_valid_actions_and_wins(open_world: Open, game: str) -> None:
    world = open_world(game=game, fold="test", seed=3)
    turn = world.reset()
    assert turn.goal != "" and (turn.score, turn.max_score, turn.end) == (0, 100, None)
    for action in gold(world):
        assert action in (world.valid_actions() or [])
        turn = world.step(action)
        if turn.end:  # paths may walk on
            break
    assert (turn.score, turn.end) == (100, "won")
    assert world.valid_actions() == [] and world.truth() == {}
    with pytest.raises(WorldError, match="has ended"):
        world.step("inventory")


def test_two_processes_and_a_reset_show_the_same(open_world: Open) -> None:
    one, two = open_world(game="twc", seed=5, stepLimit=8), open_world(game="twc", seed=5, stepLimit=8)
    first = one.reset()
    shown: list[tuple[Turn, list[str] | None]] = []
    taken: list[str] = []
    for step in range(8):
        actions = one.valid_actions() or []
        taken.append(actions[(5 * step) % len(actions)])
        shown.append((one.step(taken[-1]), one.valid_actions()))
    assert shown[-1][0].end == "limit"
    for _ in range(2):
        assert two.reset() == first
        assert [(two.step(action), two.valid_actions()) for action in taken] == shown


def test_the_score_is_the_share_of_the_task_in_whole_percent(open_world: Open) -> None:
    world = open_world(game="sorting", seed=3)  # three heaps of fruit, in order of size
    assert "sort objects by quantity" in world.reset().goal
    world.step("take 4 grapes")
    turn = world.step("put 4 grapes in box")
    assert (turn.score, turn.end) == (33, None)
    assert turn.sections["location"] == "bathroom"
    world.step("take 35 strawberries")
    turn = world.step("put 35 strawberries in box")  # the apples come before
    assert (turn.score, turn.end) == (0, "lost")


def test_properties_shape_the_game_and_wrong_ones_are_refused_in_one_line(open_world: Open) -> None:
    small = open_world(game="coin", properties={"numLocations": 1})
    assert "take coin" in (small.reset() and small.valid_actions() or [])
    assert small.spec.identity != open_world(game="coin").spec.identity
    for properties in ({"numLocations": 99}, {"planets": 1}):
        with pytest.raises(WorldError) as caught:
            open_world(game="coin", properties=properties).reset()
        assert caught.value.code == "bad-parameter" and "\n" not in caught.value.message
        assert next(iter(properties)) in caught.value.message or "locations" in caught.value.message


@pytest.mark.parametrize("action", ["", "look\naround"])
def test_what_is_no_command_is_refused_and_what_is_unknown_is_answered(open_world: Open, action: str) -> None:
    world = open_world(game="coin")
    with pytest.raises(WorldError, match="reset it first"):
        world.step("look around")
    world.reset()
    with pytest.raises(WorldError, match="Cannot take the action"):
        world.step(action)
    assert "Unknown action" in world.step("dance").observation


def test_a_java_that_is_killed_is_told_and_started_anew(open_world: Open) -> None:
    world = open_world(game="coin")
    first = world.reset()
    assert world._simulator is not None
    killed = world._simulator.pid
    os.kill(killed, signal.SIGKILL)
    with pytest.raises(WorldError, match="Java process of TextWorld-Express has ended") as caught:
        world.step("look around")
    assert caught.value.code == "worker-died"
    assert world.reset() == first and not alive(killed)

"""MiniHack: its own levels, compiled and played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import get_args

import pytest

from labyrinth_envs.minihack.world import Level, MiniHack
from labyrinth_envs.world import Turn, WorldError
from tests.support import opening, some

Open = Callable[..., MiniHack]


@pytest.fixture
def open_world() -> Iterator[Open]:
    with opening(MiniHack) as make:
        yield make


def explore(world: MiniHack, calls: int) -> list[Turn]:
    turns = [world.reset()]
    while len(turns) <= calls and turns[-1].end is None:
        turns.append(world.step("explore_level()"))
    return turns


def test_corridors_with_a_hidden_door_lead_to_the_stairs_and_win(open_world: Open) -> None:
    turns = explore(open_world(level="Corridor-R3", seed=1), 12)
    assert "staircase" in turns[0].goal and (turns[0].score, turns[0].max_score) == (0, 1)
    assert any("hidden" in turn.sections["message"] for turn in turns)
    assert (turns[-1].score, turns[-1].max_score, turns[-1].end) == (1, 1, "won")
    assert turns[-1].sections["depth"] == "1"  # standing on the stairs is enough


def test_a_trap_of_memento_loses(open_world: Open) -> None:
    world = open_world(level="Memento-F2", seed=2)
    turn = explore(world, 12)[-1]
    assert (turn.score, turn.end, world.truth()["cause"]) == (0, "lost", "task failed")
    with pytest.raises(WorldError, match="has ended"):
        world.step("look()")


def test_the_key_of_a_room_is_seen_and_taken(open_world: Open) -> None:
    world = open_world(level="KeyRoom-Fixed-S5", seed=3)
    key = next(line for line in world.reset().observation.splitlines() if "a key at" in line)
    x, y = (int(number) for number in key.partition("(")[2].partition(")")[0].split(","))
    world.step(f"move_to(x={x}, y={y})")
    turn = world.step(next(action for action in world.valid_actions() or [] if action.startswith("pickup")))
    assert "Master Key of Thievery" in turn.sections["inventory"]


def test_the_seed_makes_the_level(open_world: Open) -> None:
    shown = [explore(open_world(level="Corridor-R5", seed=seed), 3) for seed in (4, 4, 5)]
    assert shown[0] == shown[1]
    assert shown[0][0].observation != shown[2][0].observation
    again = open_world(level="Corridor-R5", seed=4)
    assert explore(again, 3) == explore(again, 3) == shown[0]


@pytest.mark.parametrize("level", some(get_args(Level)))
def test_every_level_of_the_catalogue_compiles_and_tells_its_task(open_world: Open, level: str) -> None:
    turn = open_world(level=level).reset()
    assert turn.goal != "" and turn.end is None and turn.sections["location"] is not None


def test_a_level_that_cannot_be_compiled_is_told(monkeypatch: pytest.MonkeyPatch, open_world: Open) -> None:
    monkeypatch.setattr("minihack.base.HACKDIR", "/nowhere")
    with pytest.raises(WorldError, match="Room-5x5 was not compiled") as caught:
        open_world(level="Room-5x5")
    assert caught.value.code == "internal"

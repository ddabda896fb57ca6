"""What is seen: minigrid's own spreading of sight, but for doors, which hide what lies behind them even when open."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from minigrid.core.grid import Grid
from minigrid.core.world_object import Wall

from labyrinth_envs.babyai.sight import VIEW, visible
from tests.babyai.script import layout_file, opened, play

DOORWAY = ("right", "forward", "forward", "toggle", "forward")
"""Into the doorway between the rooms 0 and 2, looking south."""


def test_sight_spreads_as_in_minigrid() -> None:
    draw = random.Random(4)
    for _ in range(300):
        share = draw.random()
        opaque = [[draw.random() < share for _ in range(VIEW)] for _ in range(VIEW)]
        opaque[-1][VIEW // 2] = False
        grid = Grid(VIEW, VIEW)
        for y, row in enumerate(opaque):
            for x, wall in enumerate(row):
                grid.set(x, y, Wall() if wall else None)
        mask = grid.process_vis((VIEW // 2, VIEW - 1))
        assert np.array_equal(np.array(visible(opaque)).T, mask)


def test_an_open_door_hides_the_next_room(tmp_path: Path) -> None:
    world = opened(layout_file(tmp_path))
    turn = play(world, *DOORWAY[:-1])
    assert rows(turn.observation)[-2:] == [
        "Wall; Wall; Wall; Blue_Open_Door; Wall; Wall; Wall",
        "Wall; Empty; Empty; Agent; Empty; Empty; Wall",
    ]
    assert set("; ".join(rows(turn.observation)[:-2]).split("; ")) == {"Unseen"}


def test_in_a_doorway_the_next_room_is_seen(tmp_path: Path) -> None:
    world = opened(layout_file(tmp_path))
    turn = play(world, *DOORWAY)
    assert rows(turn.observation) == [
        "Wall; Wall; Wall; Wall; Wall; Wall; Wall",
        "Wall; Empty; Empty; Empty; Empty; Empty; Wall",
        "Wall; Empty; Empty; Empty; Empty; Empty; Wall",
        "Green_Closed_Door; Empty; Empty; Empty; Empty; Empty; Wall",
        "Wall; Empty; Empty; Empty; Empty; Empty; Wall",
        "Wall; Empty; Empty; Empty; Empty; Empty; Wall",
        "Unseen; Unseen; Wall; Agent; Wall; Unseen; Unseen",
    ]
    along = play(world, "left")
    assert rows(along.observation) == [
        *["; ".join(["Unseen"] * VIEW)] * 3,
        "Red_Locked_Door; Wall; Wall; Wall; Wall; Wall; Green_Closed_Door",
        *["Empty; Empty; Empty; Wall; Empty; Empty; Empty"] * 2,
        "Empty; Empty; Empty; Agent; Empty; Empty; Empty",
    ]


def test_a_blind_doorway_shows_nothing(tmp_path: Path) -> None:
    world = opened(layout_file(tmp_path), doorwayView="blind")
    turn = play(world, *DOORWAY)
    assert set(turn.observation.replace("\n", "; ").split("; ")) == {"Unseen", "Agent"}
    assert "Empty" in play(world, "forward").observation


@pytest.mark.parametrize("view", ["clear", "blind"])
def test_minigrid_is_shown_the_same_view(tmp_path: Path, view: str) -> None:
    """Its oracle, its own texts and its pictures ask the game for the view."""
    world = opened(layout_file(tmp_path), doorwayView=view)
    play(world, *DOORWAY)
    grid, mask = world._level.gen_obs_grid()
    assert grid.get(VIEW // 2, VIEW - 1) is None and mask[VIEW // 2, VIEW - 1]
    assert int(mask.sum()) == (7 * 6 + 3 if view == "clear" else 1)


def rows(observation: str) -> list[str]:
    return observation.split("\n")

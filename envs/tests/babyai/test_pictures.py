"""The pictures of a room, tile by tile."""

from __future__ import annotations

from io import BytesIO
from itertools import combinations
from pathlib import Path

import numpy as np
from PIL import Image

from labyrinth_envs.babyai import art
from labyrinth_envs.babyai.names import COLOURS, KINDS
from tests.babyai.script import layout_file, opened, play, thing


def test_pictures_show_what_the_text_says(tmp_path: Path) -> None:
    things = [thing("red key", 5, 3), thing("blue ball", 5, 2), thing("yellow box", 5, 4)]
    world = opened(layout_file(tmp_path, objects=things), image=True)
    tiles: dict[str, set[bytes]] = {}
    for action in ("left", "right", "right", "right", "right", "forward", "right", "left"):
        turn = world.step(action)
        assert turn.image is not None and turn.frames[0].image == turn.image
        image = Image.open(BytesIO(turn.image))
        assert image.size == (224, 224)
        for y, row in enumerate(turn.observation.split("\n")):
            for x, cell in enumerate(row.split("; ")):
                box = (x * 32, y * 32, x * 32 + 32, y * 32 + 32)
                tiles.setdefault(cell, set()).add(image.crop(box).tobytes())
    assert {"Red_Key", "Blue_Ball", "Yellow_Box", "Red_Locked_Door", "Blue_Closed_Door", "Wall"} <= tiles.keys()
    assert all(len(pictures) == 1 for pictures in tiles.values())
    assert len(set.union(*tiles.values())) == len(tiles), "no two kinds of cell look alike"
    alone = opened(layout_file(tmp_path, objects=things), image=True)
    held = play(alone, "pick_up_entity(red key)").image
    assert held is not None
    assert Image.open(BytesIO(held)).crop((96, 192, 128, 224)).tobytes() not in tiles["Agent"], "what is carried shows"


def test_no_two_tiles_look_alike() -> None:
    """Every two differ by a tenth of the range at a tenth of their pixels or more."""
    states = {"door": ("open", "closed", "locked"), "agent": ("0", "1", "2", "3")}
    spots: list[art.Spot] = [
        (kind, colour, state) for kind in (*KINDS, "door") for colour in COLOURS for state in states.get(kind, ("",))
    ]
    spots += [("agent", "", state) for state in states["agent"]] + [
        (kind, "", "") for kind in ("empty", "wall", "unseen")
    ]
    tiles = [(spot, np.asarray(art._tile(spot), dtype=int)) for spot in spots]
    for (one, a), (other, b) in combinations(tiles, 2):
        assert (np.abs(a - b).max(axis=2) > 25).mean() > 0.1, (one, other)

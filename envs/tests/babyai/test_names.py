"""The names of things, as models write them."""

from __future__ import annotations

import pytest

from labyrinth_envs.babyai.names import Entity, entity


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("red ball", Entity("red", "ball")),
        ("Grey_Box", Entity("grey", "box")),
        (" the gray  key ", Entity("grey", "key")),
        ("Yellow_Closed_Door", Entity("yellow", "door", "closed")),
        ("locked yellow door", Entity("yellow", "door", "locked")),
        ('"a blue door"', Entity("blue", "door")),
        ("ball", None),
        ("red", None),
        ("open red ball", None),
        ("red open locked door", None),
        ("open red closed door", None),
        ("pink ball", None),
        ("", None),
    ],
)
def test_entities_are_read_in_any_dress(text: str, wanted: Entity | None) -> None:
    assert entity(text) == wanted

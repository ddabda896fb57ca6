"""Households end to end: through the server and a process of their own."""

from __future__ import annotations

import pytest

from tests.support import Serve

pytest.importorskip("alfworld", reason="the alfworld packages are not installed")
pytest.importorskip("fast_downward", reason="the alfworld packages are not installed")

ALFWORLD = {"alfworld": "labyrinth_envs.alfworld.worlds:Alfworld"}


def test_a_household_is_played_through_the_server(serve: Serve) -> None:
    client = serve(ALFWORLD)
    session = client.open("alfworld", game=2)
    turn = client.call("reset", session=session)
    assert turn["goal"] == "put a cool bread in garbagecan."
    assert turn["observation"].startswith(
        "You are in the middle of a room. Looking quickly around you, you see a cabinet 3"
    )
    plan = client.call("truth", session=session)["truth"]["plan"]
    for number, action in enumerate(plan, start=1):
        assert action in client.call("validActions", session=session)["actions"]
        turn = client.call("step", session=session, step=number, action=action)
    assert (turn["end"], turn["score"], turn["maxScore"]) == ("won", 1, 1)
    assert client.refusal("step", session=session, step=len(plan) + 1, action="look").code == "ended"

"""The world through the real server."""

from __future__ import annotations

from labyrinth_envs.worlds import WORLDS
from tests.support import Serve

NETHACK = {"nethack": WORLDS["nethack"]}


def test_the_game_is_played_and_refuses_what_is_no_call(serve: Serve) -> None:
    client = serve(NETHACK)
    session = client.open("nethack", seed=3, mode="room", image=True)
    first = client.call("reset", session=session)
    assert first["sections"]["location"] == "room 1" and client.images[0].startswith(b"\x89PNG")
    refused = client.refusal("step", session=session, step=1, action="fly(x=1)")
    assert refused.code == "bad-action" and "explore_level" in refused.message
    explored = client.call("step", session=session, step=1, action="explore_level()")
    assert int(explored["sections"]["turn"]) > 1 and explored["sections"]["outcome"] == "interrupted"
    back = '{"name": "move_to", "params": {"x": 76, "y": 14}}'
    moved = client.call("step", session=session, step=2, action=back)
    assert moved["sections"]["position"] == "(76, 14)"
    assert client.call("truth", session=session)["truth"]["deepest"] == 1

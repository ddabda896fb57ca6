"""The world end to end: calls and primitives, what a turn tells, and the same frames in any process."""

from __future__ import annotations

from labyrinth_envs.worlds import WORLDS
from tests.support import Serve

OPENING = [
    "find_door()",
    "pass_door(blue door)",
    "pass_door(Green_Closed_Door)",
    "pick_up_entity(red_key)",
    "pass_door(green door)",
    "pass_door(blue door)",
    "pass_door(red door)",
]


def test_a_mission_through_the_server(serve: Serve) -> None:
    client = serve(WORLDS)
    session = client.open("babyai", layout="2x2-d1-0", mission="open-door")
    client.call("reset", session=session)
    for number, action in enumerate(OPENING, 1):
        reply = client.call("step", session=session, step=number, action=action)
    print(reply)

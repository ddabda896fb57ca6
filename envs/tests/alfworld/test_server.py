"""Households end to end: through the server and a process of their own."""

from __future__ import annotations

from pathlib import Path

from tests.alfworld.play import generate, write
from tests.support import Serve

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


def test_a_broken_game_is_refused_and_the_server_goes_on(serve: Serve, tmp_path: Path) -> None:
    client = serve(ALFWORLD)
    path = write(tmp_path, generate.household("put", 3).game(), pddl_problem="(define (problem")
    refusal = client.refusal("open", world="alfworld", params={"set": "file", "path": str(path)})
    assert refusal.code == "bad-game" and str(path) in refusal.message
    assert client.refusal("open", world="alfworld", params={"type": "heat"}).code == "bad-parameter"
    session = client.open("alfworld", set="fresh", type="heat", seed=1)
    assert client.call("reset", session=session)["goal"].startswith(("heat some ", "put a hot "))

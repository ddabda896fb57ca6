"""The world end to end: what a turn tells, limits, refusals, the truth, pictures, and the same frames anywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from labyrinth_envs.babyai.dsl import CALLS
from labyrinth_envs.babyai.parameters import BabyAIParameters
from labyrinth_envs.babyai.world import BabyAI, horizon
from labyrinth_envs.world import WorldError
from labyrinth_envs.worlds import WORLDS
from tests.babyai.script import layout_file, opened, play, solve, thing
from tests.support import Serve


def test_a_mission_through_the_server_is_the_same_as_in_process(serve: Serve) -> None:
    world = opened("2x2-d1-1", mission="put-next-to", image=True)
    _, calls = solve(world)
    world.reset()
    client = serve(WORLDS)
    params = {"layout": "2x2-d1-1", "mission": "put-next-to", "image": True}
    session = client.call("open", world="babyai", params=params)["session"]
    first = client.call("reset", session=session)
    assert first["goal"].startswith("Put the ") and first["goal"].endswith(".")
    for number, action in enumerate(calls, 1):
        there = client.call("step", session=session, step=number, action=action)
        pictures = list(client.images)
        here = world.step(action)
        assert {k: there[k] for k in ("observation", "sections", "end")} == here.model_dump(
            include={"observation", "sections", "end"}
        )
        assert [frame["action"] for frame in there["frames"]] == [frame.action for frame in here.frames]
        assert set(pictures) == {here.image, *(frame.image for frame in here.frames)}
    assert (there["end"], there["score"], there["maxScore"]) == ("won", 1, 1)
    truth = client.call("truth", session=session)["truth"]
    assert truth == world.truth()


SCRIPT = """
import hashlib, random
from labyrinth_envs.babyai.names import COLOURS, KINDS
from labyrinth_envs.babyai.world import BabyAI, BabyAIParameters
for layout, seed in (("3x3-d3-2", 0), ("2x2-d3-1", 5), ("4x4-d1-1", 0)):
    world = BabyAI(BabyAIParameters(layout=layout, mission="put-next-to", seed=seed, image=True, actorScope="global"))
    chance, seen = random.Random(3), hashlib.sha256()
    turn = world.reset()
    for _ in range(60):
        actions = [*world.valid_actions(), "left", "forward", "toggle", "pickup", "drop"]
        turn = world.step(chance.choice(actions))
        for part in (turn, *turn.frames):
            seen.update(part.model_dump_json().encode() + part.image)
        seen.update(f"{actions}{world.truth()}".encode())
        if turn.end: world.reset()
    print(layout, world.spec.identity, seen.hexdigest())
"""


def test_two_processes_show_the_same_frames_and_print_nothing_else() -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT],
            env=os.environ | {"PYTHONHASHSEED": str(number)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in (1, 2)
    ]
    first, second = (process.communicate(timeout=200)[0] for process in processes)
    assert first == second
    assert [line.split()[0] for line in first.splitlines()] == ["3x3-d3-2", "2x2-d3-1", "4x4-d1-1"]


def test_a_call_tells_each_of_its_steps() -> None:
    world = opened("2x2-d1-0")
    turn = world.step("pass_door(green door)")
    assert turn.sections["step"] == str(len(turn.frames)) and len(turn.frames) > 2
    assert turn.frames[-1].observation == turn.observation
    for frame in turn.frames:
        assert frame.sections.keys() == {"facing", "inventory"} and frame.image is None
        assert [len(row.split("; ")) for row in frame.observation.split("\n")] == [7] * 7
    assert turn.image is None and set(turn.sections) == set(world.spec.sections)


def test_primitives_tell_whether_they_did_anything(tmp_path: Path) -> None:
    world = opened(layout_file(tmp_path, objects=[thing("red key", 4, 3)]))
    turn = world.step("forward")
    assert (turn.sections["result"], turn.sections["step"]) == ("nothing changed", "1")
    turn = world.step("pick up")
    assert (turn.sections["result"], turn.sections["inventory_change"]) == ("done", "You picked up the red key.")
    turn = play(world, "Forward", "turn_left", "right", "forward", "toggle")
    assert (turn.end, turn.score) == ("won", 1)
    assert turn.sections["door_change"] == "The red door changed from locked to open."


def test_walking_through_a_door_is_told_step_by_step(tmp_path: Path) -> None:
    world = opened(layout_file(tmp_path))
    turns = [world.step(action) for action in ("right", "forward", "forward", "toggle", "forward", "forward")]
    assert [turn.sections["passed_door"] for turn in turns] == [""] * 5 + ["blue door, south"]
    back = [world.step(action) for action in ("left", "left", "forward", "left", "left", "forward")]
    assert [turn.sections["passed_door"] for turn in back] == [""] * 6, "into the doorway and back is no passage"


SENSELESS = {
    "jump()": "unknown action: write one of find_door(), pass_door(x)",
    "find_door": "unknown action",
    "pass_door(red door": "unknown action",
    "pass_door[red door]": "unknown action",
    "I would go to the red door": "unknown action",
    "done": "unknown action",
    "find_door(red door)": "wrong number of arguments: find_door() takes 0, not 1",
    "pass_door()": "wrong number of arguments: pass_door(x) takes 1, not 0",
    "pick_up_entity(red ball, blue key)": "takes 1, not 2",
    "drop_next_to_entity(red ball)": "drop_next_to_entity(x, y) takes 2, not 1",
    "go_to_entity(lamp)": 'unknown entity "lamp": write a colour and a type',
    "drop_next_to_entity(red ball, )": 'unknown entity ""',
    "go_to_entity(Schlüssel)": 'unknown entity "Schlüssel"',
}


@pytest.mark.parametrize("action", SENSELESS)
def test_what_makes_no_sense_is_a_turn_without_a_step(action: str) -> None:
    world = opened("2x2-d1-0")
    before = world.truth()
    turn = world.step(action)
    assert SENSELESS[action] in turn.sections["result"]
    assert (turn.frames, turn.sections["step"], turn.end) == ([], "0", None)
    assert world.truth() | {"trace": None} == before | {"trace": None}


BAD_ACTIONS = {
    "empty": "",
    "blank": "   ",
    "line break": "find_door()\n",
    "tab": "left\tright",
    "NUL": "find_door(\0)",
    "escape": "\x1b[A",
    "201 characters": "x" * 201,
    "1 MB": "x" * 10**6,
    "line separator": "a\u2028b",
    "lone surrogate": "\udc80",
}


@pytest.mark.parametrize("action", BAD_ACTIONS.values(), ids=BAD_ACTIONS)
def test_bad_actions_are_refused_in_one_line(action: str) -> None:
    world = opened("2x2-d1-0")
    with pytest.raises(WorldError, match="Cannot take the action") as refusal:
        world.step(action)
    assert refusal.value.code == "bad-action"
    assert "\n" not in refusal.value.message and len(refusal.value.message) < 200


def test_limits_of_primitives_and_of_agent_steps() -> None:
    assert [horizon(n, "open-door") for n in (2, 3)] == [196, 441]
    assert [horizon(n, "put-next-to") for n in (2, 3)] == [392, 882]
    world = opened("2x2-d1-0", maxSteps=4)
    turn = world.step("pass_door(green door)")
    assert (len(turn.frames), turn.end, turn.score) == (4, "limit", 0)
    assert turn.sections["result"] == "incomplete: the episode's last step has been taken"
    with pytest.raises(WorldError, match="has ended") as refusal:
        world.step("left")
    assert refusal.value.code == "ended" and world.valid_actions() == []
    assert world.reset().end is None
    world = opened("2x2-d1-0", stepLimit=2)
    assert [world.step("jump()").end for _ in range(2)] == [None, "limit"]
    world = opened("4x4-d1-0", mission="put-next-to")
    assert [world.step("jump()").end for _ in range(400)] == [None] * 399 + ["limit"]


def test_a_mission_done_at_the_limit_is_won() -> None:
    path = opened("2x2-d1-2").truth()["goldPath"]
    assert play(opened("2x2-d1-2", maxSteps=len(path), stepLimit=len(path)), *path).end == "won"
    assert play(opened("2x2-d1-2", maxSteps=len(path) - 1), *path[:-1]).end == "limit"


def test_a_step_needs_a_reset() -> None:
    world = BabyAI(BabyAIParameters())
    with pytest.raises(WorldError, match="reset it first"):
        world.step("left")
    assert world.valid_actions() is None


def test_only_the_right_thing_at_the_right_one_counts(tmp_path: Path) -> None:
    """The fixed thing brought to the other does not, nor does another thing of that place; a look-alike does."""
    mission = {"put-next-to": {"move": "red ball", "fixed": "blue box"}}
    things = [thing("red ball", 1, 1), thing("red ball", 5, 1), thing("blue box", 1, 5), thing("grey key", 5, 5)]
    world = opened(layout_file(tmp_path, objects=things, missions=mission), mission="put-next-to")
    assert world.reset().goal == "Put a red ball next to the blue box."
    assert play(world, "pick_up_entity(grey key)", "drop_next_to_entity(grey key, blue box)").end is None
    assert play(world, "pick_up_entity(blue box)", "drop_next_to_entity(blue box, red ball)").end is None
    assert play(world, "pick_up_entity(red ball)", "drop_next_to_entity(red ball, blue box)").end == "won"


def test_offered_calls_name_only_what_has_been_seen(tmp_path: Path) -> None:
    things = [thing("red ball", 5, 1), thing("blue key", 1, 1), thing("grey box", 9, 9)]
    world = opened(layout_file(tmp_path, objects=things))
    assert world.valid_actions() == [
        "find_door()",
        "pass_door(blue door)",
        "pass_door(red door)",
        "go_to_entity(blue door)",
        "go_to_entity(red door)",
        "go_to_entity(red ball)",
        "pick_up_entity(red ball)",
    ]
    play(world, "pick_up_entity(red ball)", "go_to_entity(blue key)")
    offered = world.valid_actions() or []
    assert offered[-2:] == ["drop_entity(red ball)", "drop_next_to_entity(red ball, blue key)"]
    assert not any("grey" in action or action.startswith("pick_up") for action in offered)
    for action in offered:
        world.reset()
        play(world, "pick_up_entity(red ball)", "go_to_entity(blue key)")
        assert not world.step(action).sections["result"].startswith(("unknown", "wrong"))


def test_the_truth_follows_doors_things_and_the_agent(tmp_path: Path) -> None:
    things = [thing("red key", 4, 3), thing("grey box", 9, 9)]
    world = opened(layout_file(tmp_path, objects=things, missions={"open-door": {"door": "green"}}))
    truth = world.truth()
    assert truth["grid"] == {"size": 2, "side": 13, "pitch": 6}
    assert [room["visited"] for room in truth["rooms"]] == [True, False, False, False]
    assert truth["doors"][0] == {
        "id": 0,
        "a": 0,
        "b": 1,
        "direction": "east",
        "colour": "red",
        "state": "locked",
        "seen": True,
        "x": 6,
        "y": 3,
    }
    assert [(door["direction"], door["seen"]) for door in truth["doors"][1:]] == [
        ("south", True),
        ("east", False),
        ("south", False),
    ]
    assert [(item["label"], item["room"], item["seen"]) for item in truth["objects"]] == [
        ("red key", 0, True),
        ("grey box", 3, False),
    ]
    assert truth["agent"] == {"x": 3, "y": 3, "direction": "east", "room": 0, "carrying": None}
    assert truth["trace"] == [[3, 3, 0]] and truth["mission"] == {"door": "green", "minRooms": 0}
    play(world, "pick_up_entity(red key)")
    truth = world.truth()
    assert truth["agent"]["carrying"] == 0 and truth["objects"][0]["room"] is None
    turn = world.step("pass_door(red door)")
    truth = world.truth()
    assert [room["visited"] for room in truth["rooms"]] == [True, True, False, False]
    assert len(truth["trace"]) == len(turn.frames) and truth["trace"][-1] == [7, 3, 0]
    assert (truth["doors"][0]["state"], truth["step"]) == ("open", 1 + len(turn.frames))
    play(world, "drop_entity(red key)")
    assert world.truth()["objects"][0]["room"] == 1
    assert not world.truth()["objects"][1]["seen"], "through an open door nothing is seen"


def test_an_opened_box_is_gone(tmp_path: Path) -> None:
    world = opened(layout_file(tmp_path, objects=[thing("grey box", 4, 3), thing("red ball", 1, 1)]))
    play(world, "toggle")
    assert [item["label"] for item in world.truth()["objects"]] == ["red ball"]


@pytest.mark.parametrize(
    "raw",
    [
        {"seed": -1},
        {"maxSteps": -1},
        {"macroCap": 0},
        {"mission": "go-to"},
        {"doorwayView": "half"},
        {"actorScope": "house"},
        {"image": "yes"},
        {"layout": ""},
        {"unknown": 1},
    ],
    ids=str,
)
def test_parameters_out_of_range_are_refused(raw: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        BabyAIParameters.model_validate(raw, strict=True)


def test_the_catalogue_names_every_call() -> None:
    actions = [action.name.split("(")[0] for action in BabyAI(BabyAIParameters()).spec.actions]
    assert actions[: len(CALLS)] == list(CALLS)
    assert actions[len(CALLS) :] == ["left", "right", "forward", "pickup", "drop", "toggle"]

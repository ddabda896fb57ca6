"""The heuristic actor: what each call does, when it is done, and what it answers when it cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from labyrinth_envs.babyai.world import BabyAI
from labyrinth_envs.world import Turn
from tests.babyai.script import layout_file, opened, play, solve, thing


@pytest.fixture
def room(tmp_path: Path) -> Any:
    """Opens a world on the hand-made layout with changes; `parameters` are the world's."""

    def start(*things: tuple[str, int, int], parameters: dict[str, Any] | None = None, **changes: Any) -> BabyAI:
        objects = [thing(*item) for item in things]
        return opened(layout_file(tmp_path, **{"objects": objects}, **changes), **(parameters or {}))

    return start


def told(turn: Turn) -> tuple[str, int]:
    return turn.sections["result"], len(turn.frames)


def names(turn: Turn) -> list[str]:
    return [frame.action for frame in turn.frames]


def ahead(turn: Turn) -> str:
    return turn.observation.split("\n")[-2].split("; ")[3]


def lying(world: BabyAI, label: str) -> tuple[Any, Any]:
    objects: Any = world.truth()["objects"]
    return next((item["x"], item["y"]) for item in objects if item["label"] == label)


# find_door


def test_find_door_stops_where_a_door_is_in_view(room: Any) -> None:
    turn = room().step("find_door()")
    assert told(turn) == ("done", 0)
    assert "Red_Locked_Door" in turn.observation


def test_find_door_goes_on_to_one_not_yet_found_and_then_round(room: Any) -> None:
    world = room(agent={"x": 3, "y": 2, "direction": "east"})
    assert "Blue" not in world.step("find_door()").observation
    second = world.step("find_door()")
    assert set(names(second)) <= {"left", "right"} and "Blue_Closed_Door" in second.observation
    third = world.step("find_door()")
    assert third.sections["result"] == "done" and "Red_Locked_Door" in third.observation


def test_the_door_just_passed_is_found_last(room: Any) -> None:
    world = room()
    play(world, "pass_door(blue door)", "left")
    assert "Blue_Open_Door" in play(world, "left").observation
    assert "Green_Closed_Door" in world.step("find_door()").observation
    assert "Blue_Open_Door" in world.step("find_door()").observation


def test_find_door_looks_at_the_whole_room_before_it_gives_up(room: Any) -> None:
    world = room(doors=[{"x": 9, "y": 6, "colour": "red", "state": "closed"}])
    turn = world.step("find_door()")
    assert turn.sections["result"] == "there is no door in this room"
    assert 0 < len(turn.frames) < 20
    assert told(world.step("find_door()")) == ("there is no door in this room", 0)
    assert told(world.step("pass_door(red door)")) == ("no red door is to be seen in this room", 0)


# go_to_entity


def test_go_to_entity_faces_the_nearest(room: Any) -> None:
    world = room(("red ball", 5, 5), ("red ball", 4, 1), ("blue key", 1, 1))
    turn = world.step("go_to_entity(red ball)")
    assert (turn.sections["result"], ahead(turn)) == ("done", "Red_Ball")
    assert world.truth()["agent"]["y"] <= 2


def test_go_to_entity_turns_to_what_is_behind(room: Any) -> None:
    turn = room(("red ball", 1, 3)).step("go_to_entity(red ball)")
    assert (turn.sections["result"], ahead(turn), len(turn.frames)) == ("done", "Red_Ball", 3)


def test_a_doors_state_chooses_among_doors_of_a_colour_but_is_not_insisted_on(room: Any) -> None:
    doors = [
        {"x": 6, "y": 2, "colour": "red", "state": "closed"},
        {"x": 3, "y": 6, "colour": "red", "state": "locked"},
    ]
    assert ahead(room(doors=doors).step("go_to_entity(red locked door)")) == "Red_Locked_Door"
    assert ahead(room(doors=doors).step("go_to_entity(Red_Closed_Door)")) == "Red_Closed_Door"
    assert ahead(room().step("go_to_entity(blue open door)")) == "Blue_Closed_Door"


def test_what_is_not_in_this_room_is_looked_for_once(room: Any) -> None:
    world = room(("red ball", 9, 3))
    turn = world.step("go_to_entity(red ball)")
    assert turn.sections["result"] == "no red ball is to be seen in this room" and turn.frames
    assert told(world.step("go_to_entity(red ball)")) == ("no red ball is to be seen in this room", 0)
    assert world.truth()["agent"]["room"] == 0


def test_what_is_carried_need_not_be_gone_to(room: Any) -> None:
    world = room(("red ball", 5, 3))
    play(world, "pick_up_entity(red ball)")
    assert world.step("go_to_entity(red ball)").sections["result"] == "you carry the red ball"


# pick_up_entity


def test_pick_up_entity(room: Any) -> None:
    turn = room(("red key", 5, 3)).step("pick_up_entity(Red_Key)")
    assert names(turn) == ["forward", "pickup"]
    sections = turn.sections
    assert (sections["result"], sections["inventory"]) == ("done", "red key")
    assert sections["inventory_change"] == "You picked up the red key."


def test_hands_hold_one_thing_and_no_door(room: Any) -> None:
    world = room(("red key", 5, 3), ("blue box", 1, 1))
    assert told(world.step("pick_up_entity(red door)")) == ("the red door cannot be picked up", 0)
    play(world, "pick_up_entity(red key)")
    assert told(world.step("pick_up_entity(blue box)")) == ("your hands are full: you carry the red key", 0)


# drop_entity and drop_next_to_entity


def test_drop_entity_keeps_doors_free(room: Any) -> None:
    world = room(("red key", 5, 3))
    play(world, "pick_up_entity(red key)")
    turn = world.step("drop_entity(red key)")
    assert (turn.sections["result"], turn.sections["inventory"]) == ("done", "nothing")
    assert turn.sections["inventory_change"] == "You dropped the red key."
    assert lying(world, "red key") not in {(5, 3), (3, 5)}
    assert world.step("pass_door(blue door)").sections["passed_door"] == "blue door, south"


def test_only_what_is_carried_can_be_dropped(room: Any) -> None:
    world = room(("red key", 5, 3), ("blue box", 1, 1))
    assert told(world.step("drop_entity(red key)")) == ("you do not carry the red key", 0)
    play(world, "pick_up_entity(red key)")
    assert told(world.step("drop_entity(blue box)")) == ("you do not carry the blue box but the red key", 0)
    message = "you do not carry the blue box but the red key"
    assert told(world.step("drop_next_to_entity(blue box, red key)")) == (message, 0)


def test_drop_next_to_entity(room: Any) -> None:
    world = room(("red key", 5, 2), ("blue box", 1, 1))
    turn = play(world, "pick_up_entity(red key)", "drop_next_to_entity(red key, blue box)")
    assert turn.sections["result"] == "done"
    assert lying(world, "red key") in {(1, 2), (2, 1)}
    play(world, "pick_up_entity(red key)")
    assert "no grey ball" in world.step("drop_next_to_entity(red key, grey ball)").sections["result"]


def test_drop_next_to_entity_takes_a_doors_threshold_if_it_must(room: Any) -> None:
    around = (("blue box", 5, 4), ("green ball", 4, 4), ("green ball", 5, 5))
    world = room(("red key", 1, 1), *around)
    turn = play(world, "pick_up_entity(red key)", "drop_next_to_entity(red key, blue box)")
    assert (turn.sections["result"], lying(world, "red key")) == ("done", (5, 3))


def test_no_free_cell_beside_it(room: Any) -> None:
    around = (("blue box", 5, 5), ("green ball", 4, 5), ("green ball", 5, 4))
    turn = play(room(("red key", 1, 1), *around), "pick_up_entity(red key)", "drop_next_to_entity(red key, blue box)")
    assert turn.sections["result"] == "there is no free cell next to the blue box"


# pass_door


def test_pass_door_ends_on_the_other_rooms_floor(room: Any) -> None:
    world = room()
    turn = world.step("pass_door(blue door)")
    assert names(turn)[-3:] == ["toggle", "forward", "forward"]
    assert turn.sections["door_change"] == "The blue door changed from closed to open."
    assert (turn.sections["passed_door"], world.truth()["agent"]["room"]) == ("blue door, south", 2)
    back = world.step("pass_door(blue door)")
    assert "toggle" not in names(back) and back.sections["passed_door"] == "blue door, north"


def test_a_locked_door_needs_its_key(room: Any) -> None:
    world = room(("red key", 1, 1), ("blue key", 1, 5), parameters={"maxSteps": 500})
    message = "the red door is locked and you do not carry the red key"
    assert world.step("pass_door(red door)").sections["result"] == message
    play(world, "pick_up_entity(blue key)")
    assert world.step("pass_door(red door)").sections["result"] == message
    turn = play(world, "drop_entity(blue key)", "pick_up_entity(red key)", "pass_door(red door)")
    assert (turn.end, turn.sections["door_change"]) == ("won", "The red door changed from locked to open.")


def test_pass_door_from_a_doorway(room: Any) -> None:
    world = room()
    play(world, "right", "forward", "forward", "toggle", "forward")
    assert world.truth()["agent"]["room"] is None
    turn = world.step("pass_door(blue door)")
    assert (names(turn), turn.sections["passed_door"]) == (["forward"], "blue door, south")


def test_a_thing_before_the_door_on_the_other_side_is_put_aside(room: Any) -> None:
    world = room(("green ball", 3, 7))
    turn = world.step("pass_door(blue door)")
    assert (turn.sections["result"], turn.sections["inventory"]) == ("done", "nothing")
    assert world.truth()["agent"]["room"] == 2 and lying(world, "green ball") != (3, 7)


def test_a_door_is_passed_with_what_lay_behind_it_where_the_room_is_full(room: Any) -> None:
    rows = [("grey box", x, y) for y in range(7, 12) for x in range(1, 6) if (x, y) != (3, 7)]
    world = room(("green ball", 3, 7), *rows)
    turn = world.step("pass_door(blue door)")
    assert (turn.sections["result"], turn.sections["inventory"]) == ("done", "green ball")
    assert world.truth()["agent"]["room"] == 2


@pytest.mark.parametrize("view", ["clear", "blind"])
def test_with_full_hands_it_blocks_the_way(room: Any, view: str) -> None:
    world = room(("red key", 1, 1), ("green ball", 3, 7), parameters={"doorwayView": view})
    turn = play(world, "pick_up_entity(red key)", "pass_door(blue door)")
    assert turn.sections["result"] == "the way behind the blue door is blocked by the green ball"
    assert world.truth()["agent"]["room"] == 0


def test_only_doors_can_be_passed(room: Any) -> None:
    assert told(room(("red ball", 5, 1)).step("pass_door(red ball)")) == ("the red ball is no door", 0)


# what is in the way, caps and scopes


WALL = tuple(("grey box", x, 4) for x in range(1, 6))


def test_what_blocks_the_only_way_is_put_aside(room: Any) -> None:
    world = room(("red ball", 2, 5), *WALL)
    turn = world.step("pick_up_entity(red ball)")
    assert (turn.sections["result"], turn.sections["inventory"]) == ("done", "red ball")


def test_nothing_is_picked_up_with_what_was_in_the_way_still_in_hand(room: Any) -> None:
    cells = [(x, y) for x in range(1, 6) for y in range(1, 6) if (x, y) not in ((3, 3), (3, 5))]
    world = room(("red ball", 3, 5), *(("grey box", *cell) for cell in cells))
    turn = world.step("pick_up_entity(red ball)")
    assert (turn.sections["result"], turn.sections["inventory"]) == (
        "your hands are full: you carry the grey box",
        "grey box",
    )
    assert turn.frames[-1].action != "pickup"


def test_what_blocks_the_only_way_is_told_when_hands_are_full(room: Any) -> None:
    world = room(("blue key", 3, 1), ("red ball", 2, 5), *WALL)
    turn = play(world, "pick_up_entity(blue key)", "go_to_entity(red ball)")
    assert turn.sections["result"] == "the way is blocked by the grey box and your hands are full"


def test_a_capped_call_is_incomplete_and_can_be_taken_up_again(room: Any) -> None:
    world = room(parameters={"macroCap": 3})
    assert told(world.step("pass_door(blue door)")) == ("incomplete: given up after 3 steps", 3)
    assert world.step("pass_door(blue door)").sections["passed_door"] == "blue door, south"


def test_the_room_actor_stays_in_its_room_and_the_global_one_explores(tmp_path: Path) -> None:
    far = [thing("red ball", 10, 10)]
    near = opened(layout_file(tmp_path, objects=far))
    assert "no red ball" in near.step("pick_up_entity(red ball)").sections["result"]
    world = opened(layout_file(tmp_path, objects=far), actorScope="global")
    turn = world.step("pick_up_entity(red ball)")
    assert (turn.sections["result"], turn.sections["inventory"]) == ("done", "red ball")
    assert turn.sections["passed_door"] == "blue door, south; green door, east"
    back = world.step("go_to_entity(blue door)")
    assert back.sections["result"] == "done" and world.truth()["agent"]["room"] == 2


def test_the_global_actor_fetches_no_key(tmp_path: Path) -> None:
    world = opened(layout_file(tmp_path, objects=[thing("red key", 1, 1)]), actorScope="global", macroCap=500)
    assert "is locked" in world.step("pass_door(red door)").sections["result"]
    turn = world.step("go_to_entity(purple box)")
    assert turn.sections["result"] == "no purple box is to be seen in this room"
    assert [item["visited"] for item in world.truth()["rooms"]] == [True] * 4


def test_blind_doorways_do_not_hinder_the_actor() -> None:
    for name in ("2x2-d3-1", "3x3-d3-4"):
        assert solve(opened(name, mission="put-next-to", doorwayView="blind"))[0].end == "won"

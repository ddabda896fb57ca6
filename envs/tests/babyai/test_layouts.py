"""The frozen layouts: complete, unchanged, as the paper's filters ask, solved; and bad files are refused by name."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from labyrinth_envs.babyai import __main__ as commands
from labyrinth_envs.babyai import layouts
from labyrinth_envs.babyai.layouts import Layout, MissionName, frozen, load, room_at, rooms_of_door, written
from labyrinth_envs.babyai.level import Level
from labyrinth_envs.babyai.names import PRIMITIVES
from labyrinth_envs.world import WorldError
from tests.babyai.fewest_rooms import searched
from tests.babyai.script import layout_file, opened, solve, thing
from tests.support import slow

GAMES = [(name, mission) for name in frozen() for mission in load(name).missions.names()]


def test_the_sets_of_the_paper_are_complete() -> None:
    counts = {2: 5, 3: 5, 4: 6, 7: 6}
    wanted = {f"{n}x{n}-d{density}-{i}" for n, count in counts.items() for density in (1, 3) for i in range(count)}
    assert set(frozen()) == wanted
    for name in frozen():
        layout = load(name)
        assert layout.id == name
        assert layout.missions.names() == (["open-door", "put-next-to"] if layout.size < 4 else ["put-next-to"])
        per_room = [0] * layout.size**2
        for item in layout.objects:
            per_room[place(layout, item)] += 1
        assert set(per_room) == {int(name[5])}, name


@pytest.mark.parametrize("name", frozen())
def test_a_frozen_layout_passes_the_filters(name: str) -> None:
    """Told from the files anew, without the code that drew them but for what minigrid itself finds reachable."""
    layout = load(name)
    [lock] = [door for door in layout.doors if door.state == "locked"]
    assert [door.colour for door in layout.doors].count(lock.colour) == 1
    [key] = [item for item in layout.objects if (item.type, item.colour) == ("key", lock.colour)]
    open_rooms = flood(layout, place(layout, layout.agent), {(lock.x, lock.y)})
    assert place(layout, key) in open_rooms
    ends = rooms_of_door(lock.x, lock.y, layout.size)
    assert ends is not None
    [locked] = set(ends) - open_rooms
    assert len(open_rooms) == layout.size**2 - 1
    apart = [
        abs(a - b) for a, b in zip(divmod(place(layout, key), layout.size), divmod(locked, layout.size), strict=True)
    ]
    assert sum(apart) >= 2, "the key lies beside the locked room"
    floor = {(item.x, item.y) for item in layout.objects}
    for door in layout.doors:
        assert not floor & {(door.x + 1, door.y), (door.x - 1, door.y), (door.x, door.y + 1), (door.x, door.y - 1)}
    for mission in layout.missions.names():
        level = Level(layout, mission, 1)
        level.begin()
        assert level.check_objs_reachable(raise_exc=False)  # type: ignore[no-untyped-call]
        task = layout.mission(mission)
        assert task.min_rooms >= (4 if layout.size >= 3 else 1)
        if isinstance(task, layouts.OpenDoor):
            assert task.door == lock.colour
            continue
        moves, stays = (
            {place(layout, item) for item in layout.objects if f"{item.colour} {item.type}" == label}
            for label in (task.move, task.fixed)
        )
        assert not moves & stays
        assert all(locked in pair for pair in product(moves, stays)), "the key is not needed"


def test_the_fewest_rooms_are_exact() -> None:
    """By a search over every state: room, key in hand, lock open, what has been fetched, rooms entered."""
    for name, mission in GAMES:
        if load(name).size <= 3:
            assert load(name).mission(mission).min_rooms == searched(load(name), mission), name


@slow("the fewest rooms of all frozen layouts")
def test_the_fewest_rooms_of_large_layouts_are_exact() -> None:
    for name, mission in GAMES:
        assert load(name).mission(mission).min_rooms == searched(load(name), mission), name


@pytest.mark.parametrize(("name", "mission"), GAMES)
def test_the_oracle_wins_with_its_last_action(name: str, mission: MissionName) -> None:
    layout = load(name)
    actions = layout.mission(mission).oracle
    assert 0 < len(actions) <= 49 * layout.size**2 * (1 if mission == "open-door" else 2)
    level = Level(layout, mission, 10_000)
    level.begin()
    ends = [level.step("lrfpdt".index(letter))[2] for letter in actions]  # type: ignore[no-untyped-call]
    assert ends == [False] * (len(actions) - 1) + [True]


@pytest.mark.parametrize(("name", "mission"), GAMES)
def test_calls_with_full_knowledge_win(name: str, mission: MissionName) -> None:
    turn, calls = solve(opened(name, mission=mission))
    assert (turn.end, turn.score) == ("won", 1), calls


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_seed_starts_elsewhere_in_the_same_room(seed: int) -> None:
    home = opened("3x3-d3-1").truth()["agent"]
    world = opened("3x3-d3-1", seed=seed)
    away = world.truth()["agent"]
    assert away["room"] == home["room"] and away != home
    assert world.truth()["goldPath"] == []
    assert solve(world)[0].end == "won"


def test_the_gold_path_is_the_oracles_and_shown_before_the_first_step_alone() -> None:
    world = opened("2x2-d3-2", mission="open-door")
    path = world.truth()["goldPath"]
    assert set(path) <= set(PRIMITIVES)
    for action in path:
        turn = world.step(action)
        assert "goldPath" not in world.truth()
    assert turn.end == "won"


@pytest.mark.parametrize("name", ["2x2-d1-3", "3x3-d3-2"])
def test_a_layout_is_drawn_again_from_its_seed(name: str) -> None:
    assert drawn(name) == (Path(layouts.__file__).parent / "layouts" / f"{name}.json").read_text()


@slow("drawing all frozen layouts again")
def test_every_layout_is_drawn_again_from_its_seed() -> None:
    for name in frozen():
        assert drawn(name) == (Path(layouts.__file__).parent / "layouts" / f"{name}.json").read_text()


@pytest.mark.parametrize("seed", [0, 2])
def test_a_layout_that_loads_otherwise_is_refused_by_name(seed: int, tmp_path: Path) -> None:
    layout = load("3x3-d1-2")
    layout.objects[0].colour = "red" if layout.objects[0].colour != "red" else "blue"
    (tmp_path / "3x3-d1-2.json").write_text(written(layout))
    with pytest.raises(WorldError, match="3x3-d1-2 has changed since it was frozen") as refusal:
        opened(str(tmp_path / "3x3-d1-2.json"), seed=seed)
    assert refusal.value.code == "bad-game" and "\n" not in refusal.value.message


def test_a_door_that_minigrid_encodes_otherwise_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minigrid.core.world_object.Door.encode", lambda self: (4, 0, 0))
    with pytest.raises(WorldError, match="2x2-d3-4 has changed"):
        opened("2x2-d3-4")


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "object in a wall": ({"objects": [thing("grey ball", 6, 1)]}, r"grey ball at \(6, 1\) is in a wall"),
    "object outside": ({"objects": [thing("grey ball", 13, 1)]}, "is in a wall or outside"),
    "object in a doorway": ({"objects": [thing("grey ball", 3, 6)]}, "is in a wall or outside"),
    "two objects": ({"objects": [thing("grey ball", 1, 1), thing("red key", 1, 1)]}, "is where the grey ball"),
    "object under the agent": ({"objects": [thing("grey ball", 3, 3)]}, "the agent is where the grey ball"),
    "agent in a wall": ({"agent": {"x": 0, "y": 0, "direction": "east"}}, "the agent at"),
    "agent's direction": ({"agent": {"x": 1, "y": 1, "direction": "up"}}, "agent.direction"),
    "door in an outer wall": ({"doors": [{"x": 0, "y": 3, "colour": "red", "state": "open"}]}, "is in no wall"),
    "door in a corner": ({"doors": [{"x": 6, "y": 6, "colour": "red", "state": "open"}]}, "is in no wall"),
    "door in a room": ({"doors": [{"x": 2, "y": 3, "colour": "red", "state": "open"}]}, "is in no wall"),
    "door below the map": ({"doors": [{"x": 3, "y": 12, "colour": "red", "state": "open"}]}, "is in no wall"),
    "door's state": ({"doors": [{"x": 6, "y": 3, "colour": "red", "state": "ajar"}]}, "doors.0.state"),
    "unknown colour": ({"objects": [thing("pink ball", 1, 1)]}, "objects.0.colour"),
    "unknown type": ({"objects": [thing("red lamp", 1, 1)]}, "objects.0.type"),
    "no mission": ({"missions": {}}, "has no mission"),
    "door of the mission": ({"missions": {"open-door": {"door": "grey"}}}, "grey door is not there"),
    "thing of the mission": (
        {"missions": {"put-next-to": {"move": "grey ball", "fixed": "red key"}}},
        "red key is not there",
    ),
    "nameless thing": ({"missions": {"put-next-to": {"move": "ball", "fixed": "red key"}}}, '"ball" names nothing'),
    "same name": ({"missions": {"put-next-to": {"move": "grey ball", "fixed": "grey ball"}}}, "of the same name"),
    "already together": (
        {
            "objects": [thing("grey ball", 1, 1), thing("red key", 1, 2)],
            "missions": {"put-next-to": {"move": "grey ball", "fixed": "red key"}},
        },
        "next to a red key already",
    ),
    "merged rooms across a corner": ({"merged": [[0, 3]]}, "no wall is between the rooms 0 and 3 to be merged"),
    "merged rooms in different rows": ({"merged": [[1, 2]]}, "no wall is between the rooms 1 and 2"),
    "merged rooms in the wrong order": ({"merged": [[1, 0]]}, "the lower first"),
    "merged rooms named twice": ({"merged": [[0, 2], [0, 2]]}, "the rooms 0 and 2 are merged twice; name them once"),
    "merged rooms outside": ({"merged": [[2, 4]]}, "no wall is between the rooms 2 and 4"),
    "door in a wall taken away": ({"merged": [[0, 1]]}, r"red door at \(6, 3\) is in no wall"),
    "size": ({"size": 11}, "size"),
    "unknown field": ({"rooms": 4}, "rooms"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_layout_file_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    changes, message = BAD[name]
    with pytest.raises(WorldError, match=message) as refusal:
        opened(layout_file(tmp_path, **changes))
    assert refusal.value.code == "bad-game"
    assert "hand.json" in refusal.value.message and "\n" not in refusal.value.message


@pytest.mark.parametrize("content", [b"", b"no json", b"[1]", b"\xff\xfe", b'{"id": "x"}'], ids=str)
def test_what_is_no_layout_at_all(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "odd.json").write_bytes(content)
    with pytest.raises(WorldError, match=r"odd\.json") as refusal:
        opened(str(tmp_path / "odd.json"))
    assert refusal.value.code == "bad-game" and "\n" not in refusal.value.message


def test_neither_a_folder_nor_a_device_is_a_layout(tmp_path: Path) -> None:
    for path in (str(tmp_path), "/dev/zero"):
        with pytest.raises(WorldError, match="is not a regular file") as refusal:
            opened(path)
        assert refusal.value.code == "bad-game"


def test_a_seed_in_a_room_without_a_free_pose_starts_where_the_layout_does(tmp_path: Path) -> None:
    cells = [(x, y) for x in range(1, 6) for y in range(1, 6) if (x, y) != (3, 3)]
    world = opened(layout_file(tmp_path, objects=[thing("grey ball", *cell) for cell in cells]), seed=9)
    assert world.truth()["trace"] == [[3, 3, 0]]


def test_unknown_layouts_and_missions() -> None:
    with pytest.raises(WorldError, match=r"no/such\.json: No such file") as refusal:
        opened("no/such.json")
    assert refusal.value.code == "bad-game"
    with pytest.raises(WorldError, match='"5x5-d1-0"; did you mean "[^"]+"[?]; there are 2x2-d1-0') as refusal:
        opened("5x5-d1-0")
    assert refusal.value.code == "bad-parameter"
    with pytest.raises(WorldError, match='4x4-d1-0 has no mission "open-door"') as refusal:
        opened("4x4-d1-0", mission="open-door")
    assert refusal.value.code == "bad-parameter"


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert commands.main(["draw", "--size", "2", "--density", "2", "--seed", "7"]) == 0
    path = tmp_path / "new.json"
    path.write_text(capsys.readouterr().out)
    assert commands.main(["check", str(path), "2x2-d1-0"]) == 0
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == ["2x2-d2-7", "2x2-d1-0"]
    assert commands.main(["check", layout_file(tmp_path)]) == 1
    assert capsys.readouterr().out == "hand: there is not one key to the locked door\n"
    assert commands.main(["picture", str(path), str(tmp_path / "map.png")]) == 0
    assert (tmp_path / "map.png").read_bytes()[:4] == b"\x89PNG"
    assert commands.main(["check", "nothing"]) == 2
    assert capsys.readouterr().err.startswith('labyrinth_envs.babyai: unknown layout "nothing"')


def drawn(name: str) -> str:
    return written(commands.frozen_one(int(name[0]), int(name[5]), int(name[7:])))


def place(layout: Layout, item: Any) -> int:
    room = room_at(item.x, item.y, layout.size)
    assert room is not None
    return room


def flood(layout: Layout, start: int, shut: set[tuple[int, int]]) -> set[int]:
    reached, stack = {start}, [start]
    while stack:
        room = stack.pop()
        for door in layout.doors:
            ends = rooms_of_door(door.x, door.y, layout.size) or ()
            new = set(ends) - reached if room in ends and (door.x, door.y) not in shut else set()
            reached |= new
            stack += new
    return reached

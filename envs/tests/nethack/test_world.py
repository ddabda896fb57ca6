"""The world's contract: the same game in any process, texts of both modes, ends and limits, truth and pictures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from io import BytesIO

import pytest
from PIL import Image

from labyrinth_envs.nethack.world import NetHack, NetHackParameters
from labyrinth_envs.world import WorldError
from tests.nethack.play import Play

TO_LEVEL_3 = [
    *["explore_level()"] * 2,
    "melee_attack(x=65, y=7)",
    *["explore_level()"] * 2,
    "down()",
    "explore_level()",
    "melee_attack(x=20, y=5)",
    *["explore_level()"] * 2,
    "melee_attack(x=37, y=4)",
    "melee_attack(x=38, y=5)",
    *["explore_level()"] * 2,
    "melee_attack(x=70, y=7)",
    *["explore_level()"] * 2,
    "down()",
]

SCRIPT = """
import hashlib, random, sys
from labyrinth_envs.nethack.world import NetHack, NetHackParameters

seen = []
for seed, role in ((3, "valkyrie"), (11, "wizard")):
    world = NetHack(NetHackParameters(seed=seed, role=role, image=True, maxCalls=60))
    chance = random.Random(seed)
    turn = world.reset()
    while turn.end is None:
        seen += [turn.model_dump_json(), str(turn.image), str(world.truth()), str(world.valid_actions())]
        turn = world.step(chance.choice([*world.valid_actions(), "explore_level()", "explore_level()"]))
    seen.append(turn.model_dump_json())
    world.close()
print(len(seen) > 100, hashlib.sha256("|".join(seen).encode()).hexdigest())
"""


def test_the_same_calls_show_the_same_screens_in_any_process() -> None:
    outputs = []
    for hash_seed, zone in (("1", "UTC0"), ("2", "AAA-13"), ("3", "AAA+11")):  # neither hashing nor the hour matters
        environment = os.environ | {"PYTHONHASHSEED": hash_seed, "TZ": zone}
        command = [sys.executable, "-c", SCRIPT]
        outputs.append(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
    assert outputs[0].startswith("True ") and set(outputs) == {outputs[0]}


def test_a_game_begins_anew_after_reset_also_after_death() -> None:
    with Play(3) as play:
        first = play.turn
        script = ["pickup(x=75, y=16)", "explore_level()", "rest(count=20)"]
        once = [play.do(call) for call in script]
        assert play.world.reset() == first and [play.do(call) for call in script] == once
        play.world.reset()
        play.do("up()")
        assert play.do('press_key(key="y")').end == "lost"
        assert play.world.reset() == first and [play.do(call) for call in script] == once


def test_seeds_and_roles_give_different_games() -> None:
    texts = set()
    for seed, role in ((3, "valkyrie"), (4, "valkyrie"), (3, "wizard")):
        with Play(seed, role=role) as play:
            texts.add((play.turn.observation, play.world.spec.identity))
    assert len({text for text, _ in texts}) == len({identity for _, identity in texts}) == 3


def test_scripted_calls_reach_the_third_level() -> None:
    with Play(3) as play:
        turn = play.do(*TO_LEVEL_3)
        assert (turn.sections["depth"], turn.sections["deepest"], turn.end) == ("3", "3", None)
        # NetHack's own rule: gold beyond what one started with, experience, and 50 for each level.
        points = int(play["stats"].partition("with ")[2].partition(" points")[0])
        assert turn.score == 4 * points + 2 * 50
        truth = play.world.truth()
        assert truth["levelsCompleted"] == 2 and [level["depth"] for level in truth["levels"]] == [1, 2, 3]  # type: ignore[attr-defined]


def test_room_mode_tells_of_the_room_alone() -> None:
    with Play(3) as level, Play(3, mode="room") as room:
        assert "doorway at (74, 14), not passed yet, 2 steps away" in room["exits"]
        assert "A gem came into view" in level.do("explore_level()").sections["result"]
        assert room.do("explore_level()").sections["interrupted_by"] == "something came into view elsewhere"
        assert "gem" in level["events"] and "gem" not in room["events"]
        for call in TO_LEVEL_3[1:5]:
            level.do(call)
            room.do(call)
        assert level["location"] == room["location"] and level["position"] == room["position"]
        assert level["stats"] == room["stats"] and level["inventory"] == room["inventory"]
        others = {r["name"] for r in level.world.truth()["levels"][0]["rooms"]} - {level["location"]}  # type: ignore[index]
        assert len(others) >= 3
        told = level["surroundings"].lower() + level["exploration"].lower()
        assert [name for name in others if f"{name} " in f"{told} " or f"{name}," in told]
        for name in others:
            assert f"{name} " not in f"{room.turn.observation.lower()} ".replace(",", " ").replace(".", " "), name
        assert "doorway at (74, 14), passed before" in room["exits"] and "Exits of this place" in room.turn.observation
        assert not [call for call in room.world.valid_actions() or [] if call.startswith("go_to")]
        assert [call for call in level.world.valid_actions() or [] if call.startswith("go_to")]


def test_sections_and_observation() -> None:
    with Play(3) as play:
        spec, turn = play.world.spec, play.turn
        assert set(turn.sections) == set(spec.sections)
        assert turn.goal.startswith("Go down as deep") and turn.max_score == 10_000
        assert (turn.sections["location"], turn.sections["turn"], turn.sections["depth"]) == ("room 1", "1", "1")
        assert "You are lucky!  Full moon tonight." in turn.sections["message"]  # the seed's moon, not today's
        for name in ("message", "surroundings", "monsters", "inventory", "stats", "exploration"):
            assert turn.sections[name] in turn.observation
        assert turn.frames == [] and turn.image is None
    with Play(3, task="Find a wand.", frames=True) as play:
        assert play.turn.goal == "Find a wand."
        assert [frame.action for frame in play.do("move_to(x=75, y=16)").frames] == ["j", "b"]


def test_ends_are_limits_and_death_and_stay() -> None:
    with Play(3, max_calls=2) as play:
        assert play.do("rest(count=1)").end is None
        with pytest.raises(WorldError):
            play.do("fly()")  # what is no call does not count
        assert play.do("rest(count=1)").end == "limit"
        with pytest.raises(WorldError, match="the episode has ended") as refused:
            play.do("rest(count=1)")
        assert refused.value.code == "ended" and play.world.valid_actions() == []
    with Play(3, max_turns=5) as play:
        assert play.do("rest(count=3)").end is None
        assert play.do("rest(count=3)").end == "limit"
    with Play(3, idle_calls=3) as play:
        assert [play.do("look()").end for _ in range(3)] == [None, None, "limit"]
    with Play(3, idle_calls=3) as play:
        play.do("look()", "look()", "rest(count=1)", "look()", "look()")
        assert play.turn.end is None


def test_death_keeps_the_last_score() -> None:
    with Play(3, turns_per_call=1000) as play:
        score = 0.0
        play.do("pickup(x=75, y=16)")
        while play.turn.end is None:  # it starves in the end, if nothing worse comes
            score = play.turn.score
            play.do("rest(count=100)" if play["popup"] == "" else 'press_key(key="ESC")')
        assert play.turn.end == "lost" and play.turn.score >= score > 0
        assert "The game is over" in play["message"] and play.world.truth()["cause"] in ("died", "starving", "choking")
        with pytest.raises(WorldError, match="the episode has ended"):
            play.do("rest()")


def test_no_step_before_reset() -> None:
    world = NetHack(NetHackParameters())
    with pytest.raises(WorldError, match="reset it first") as refused:
        world.step("rest()")
    assert refused.value.code == "out-of-order" and world.valid_actions() is None and world.truth() == {}
    world.close()


def test_truth_is_json_and_its_maps_have_the_size_of_a_level() -> None:
    with Play(3) as play:
        play.do("explore_level()")
        truth = json.loads(json.dumps(play.world.truth()))
        assert len(truth["map"]) == 21 and {len(line) for line in truth["map"]} == {79}
        (level,) = truth["levels"]
        assert len(level["map"]) == 21 and {len(line) for line in level["map"]} == {79}
        assert truth["map"][14][76] == "<" and level["map"][14][76] == "<"
        assert {room["kind"] for room in level["rooms"]} == {"room", "corridor"}


def test_the_picture_shows_the_map_and_marks_the_hero() -> None:
    with Play(3, image=True) as play:
        assert play.turn.image is not None
        image = Image.open(BytesIO(play.turn.image)).convert("RGB")
        assert image.size == (80 * 8, 24 * 15)
        marked = [
            (x, y - 1) for y in range(1, 22) for x in range(79) if image.getpixel((x * 8, y * 15)) == (70, 60, 10)
        ]
        assert marked == [(76, 14)]

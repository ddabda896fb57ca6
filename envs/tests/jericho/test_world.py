"""Jericho plays a game that TextWorld has compiled: a real story file, of which Jericho knows nothing beforehand."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
from jericho import FrotzEnv
from jericho.template_action_generator import TemplateActionGenerator

from labyrinth_envs.error_messages import check_parameters
from labyrinth_envs.jericho.game import Story, plain, valid_actions
from labyrinth_envs.jericho.world import Jericho
from labyrinth_envs.textworld import cooking
from labyrinth_envs.textworld.base import prepared
from labyrinth_envs.world import WorldError

GAME: dict[str, Any] = cooking.make("cooking", 0)["metadata"]
WALKTHROUGH: list[str] = GAME["walkthrough"]


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A compiled game of cooking, without the `.json` that tells TextWorld what is in it."""
    folder = tmp_path_factory.mktemp("stories")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LABYRINTH_CACHE", str(folder))
        game = prepared(cooking.make("cooking", 0), None, "cooking").story
        assert isinstance(game, Path)
        compiled = game.read_bytes()
    path = folder / "cooking.z8"
    path.write_bytes(compiled)
    return path


def opened(path: Path, **params: Any) -> Jericho:
    checked = check_parameters("jericho", Jericho.Parameters, {"path": str(path), **params})
    return Jericho(checked)  # type: ignore[arg-type]


def test_a_story_is_played_to_its_end_and_scored_by_its_own_command(story: Path) -> None:
    world = opened(story)
    turn = world.reset()
    assert (turn.score, turn.max_score, turn.end) == (0, GAME["max_score"], None)
    assert world.truth() == {"known": False, "goldPath": []} and world.valid_actions() is None
    scores = []
    for action in WALKTHROUGH:
        turn = world.step(action)
        scores.append(turn.score)
        if action == "go south" and len(scores) == 2:
            assert turn.sections["location"] == "Kitchen" and turn.sections["look"].startswith("-= Kitchen =-")
        if action.startswith("take knife"):
            assert "knife" in turn.sections["inventory"]
    assert (turn.score, turn.max_score, turn.end) == (GAME["max_score"], GAME["max_score"], "won")
    assert scores == sorted(scores) and 0 < scores[WALKTHROUGH.index("go west")] < GAME["max_score"]
    with pytest.raises(WorldError, match="has ended"):
        world.step("look")
    world.close()


def test_a_lost_story_is_lost(story: Path) -> None:
    world = opened(story)
    world.reset()
    fried = WALKTHROUGH.index("cook green bell pepper with stove")
    for action in WALKTHROUGH[: fried + 1]:
        turn = world.step(action)
    assert turn.end is None and turn.score > 0
    burned = world.step(WALKTHROUGH[fried])
    assert (burned.end, burned.score) == ("lost", turn.score)
    world.close()


def test_what_is_asked_beside_the_steps_leaves_no_trace(story: Path) -> None:
    actions = [*WALKTHROUGH[:6], "xyzzy", "wait", "look", "score"]  # which counts the turns
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        bare = FrotzEnv(str(story), seed=1)
    first = plain(bare.reset()[0])
    expected = [plain(bare.step(action)[0]) for action in actions]
    bare.close()
    world = opened(story, seed=1)
    for _ in range(2):
        assert world.reset().observation == first
        assert [world.step(action).observation for action in actions] == expected
    world.close()


def test_valid_actions_are_those_of_the_templates_that_change_the_state(story: Path) -> None:
    running = Story(story, 1)
    running.start()
    grammar = {"grammar": "", "max_word_length": 9, "name": "cooking"}  # the twelve directions and `take all` alone
    before = running.send("look")
    found = valid_actions(running._env, TemplateActionGenerator(grammar))
    assert "south" in found  # the first move of the walkthrough
    assert not {"up", "down"} & set(found)  # no stairs lead out of the first room
    assert running.send("look").text == before.text
    running.close()


@pytest.mark.parametrize(
    "action", ["quit", "SAVE", "restore", "north. south", "wait then wait", "x" * 191, "look\n", "é"]
)
def test_what_speaks_to_the_interpreter_is_refused(story: Path, action: str) -> None:
    world = opened(story)
    world.reset()
    with pytest.raises(WorldError, match="Cannot take the action") as caught:
        world.step(action)
    assert caught.value.code == "bad-action" and "\n" not in caught.value.message
    assert "carrying" in world.step("inventory").observation
    world.close()


def test_files_that_are_no_whole_story_are_refused_in_one_line(story: Path, tmp_path: Path) -> None:
    whole = story.read_bytes()
    files = {"text.z5": b"once upon a time", "cut.z8": whole[: len(whole) // 2], "bent.z8": whole[:-600] + bytes(600)}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    for name in [*files, "absent.z8"]:
        with pytest.raises(WorldError, match=name) as caught:
            opened(tmp_path / name)
        assert caught.value.code == "bad-game" and "\n" not in caught.value.message


def test_the_identity_is_that_of_the_content_and_the_seed(story: Path, tmp_path: Path) -> None:
    copy = tmp_path / "other-name.z8"
    copy.write_bytes(story.read_bytes())
    worlds = [opened(story), opened(copy), opened(copy, seed=2)]
    identities = [world.spec.identity for world in worlds]
    assert identities[0] == identities[1] and identities[2] != identities[1]
    for world in worlds:
        world.close()

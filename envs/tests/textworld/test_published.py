"""The AriGraph authors' game files: loaded, started, won by scripts, and matched by our own makers."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from labyrinth_envs.textworld import cooking, worlds
from labyrinth_envs.textworld.cache import compiled
from labyrinth_envs.textworld.files import read_game
from labyrinth_envs.textworld.gamedata import GameData, named_facts
from tests.support import some
from tests.textworld.walk import hunt_walk, play, published, tidy_walk, walk

HOMES = {  # the eleven misplaced things of the published house and where they belong
    "toothbrush": "bathroom sink",
    "dirty plate": "dishwasher",
    "dumbbell": "dumbbell stand",
    "raw meat": "refrigerator",
    "wet towel": "towel rack",
    "swimming fins": "pool equipment rack",
    "toy car": "toy storage cabinet",
    "fantasy book": "bookcase",
    "business suit": "wardrobe",
    "sleeping lamp": "bedside table",
    "elegant table runner": "dining table",
}


def opened(name: str, **more: Any) -> worlds.File:
    return worlds.File(worlds.FileParameters(path=str(published(name)), **more))


@pytest.mark.parametrize(
    ("name", "paper", "own"), [("hunt/hunt.json", 5, 7), ("hunt_hard/hunt_hard.json", 6, 8)], ids=["hunt", "hunt_hard"]
)
def test_the_published_hunts_reach_their_maximum_by_both_rules(name: str, paper: int, own: int) -> None:
    for rewards, points in (("paper", paper), ("game", own)):
        world = opened(name, rewards=rewards)
        assert world.reset().max_score == points
        last = play(world, hunt_walk(world.truth()))
        assert (last.score, last.end) == (points, "won")


@pytest.mark.parametrize("name", ["clean/clean_3x3_mess_1.json", "clean/clean_3x3_mess_2.json"])
def test_the_published_houses_are_tidied_with_22_points(name: str) -> None:
    world = opened(name)
    assert world.reset().max_score == 22
    last = play(world, tidy_walk(world.truth(), HOMES))
    assert (last.score, last.end) == (22, "won")


@pytest.mark.parametrize(
    ("name", "points"),
    some([("cook", 11), ("cook_1_9", 3), ("cook_1_1_cut", 4), ("cook_1_1_full", 5), ("cook_3_6_1", 11)]),
)
def test_the_published_meals_are_cooked(name: str, points: int) -> None:
    world = opened(f"{name}/game.json")
    first = world.reset()
    recipe = json.loads(published(f"{name}/game.json").read_text())["metadata"]["walkthrough"]
    last = play(world, recipe)
    assert (first.max_score, last.score, last.end) == (points, points, "won")


@pytest.mark.parametrize("name", some(["cook", "cook_1_1_cut", "cook_1_1_full", "cook_1_9", "cook_3_6_1"]))
def test_our_makers_give_the_published_meals(name: str) -> None:
    theirs: GameData = json.loads(published(f"{name}/game.json").read_text())
    settings = theirs["metadata"]["settings"]
    asked = {key: settings[key] for key in ("recipe", "take", "go", "cook", "cut", "open", "drop")}
    ours = cooking.build(asked, settings["seed"])
    if name == "cook":
        assert named_facts(ours) == named_facts(cooking.make("cooking", 0))
    else:
        seeds = [seed for level in cooking.LEVEL_SEEDS.values() for seed in level]
        assert settings["seed"] in seeds
    for key in ("recipe", "ingredients", "walkthrough", "uuid", "seeds", "entities"):
        assert ours["metadata"][key] == theirs["metadata"][key], key
    assert texts(ours) == texts(theirs)
    # TextWorld 1.7 gives the oven a lid; all else is where it was
    assert {fact for fact in named_facts(ours) if fact not in (("open", "oven"), ("closed", "oven"))} == set(
        named_facts(theirs)
    )


def test_the_first_observation_of_a_published_hunt_carries_our_task() -> None:
    first = opened("hunt/hunt.json").reset()
    assert first.observation.startswith("-= Room A =-\nYou find yourself in a Room A.")
    assert first.observation.endswith("it tells where to go next.")
    assert "Key 1, which lies in this room, opens the White locker" in first.observation
    assert (first.sections["location"], first.sections["inventory"]) == ("Room A", "You are carrying nothing.")


@pytest.mark.parametrize(
    ("log", "game", "steps"),
    [("hunt_arigraph", "hunt/hunt.json", 20), ("cook_arigraph", "cook/game.json", 20)],
    ids=["hunt", "cook"],
)
def test_verbatim_gives_the_published_logs_byte_for_byte(log: str, game: str, steps: int) -> None:
    text = (published(game).parents[2] / "logs" / f"{log}.txt").read_text()
    attempt = text.split("Attempt: ")[1]
    parts = re.split(r"^Step: \d+\n", attempt, flags=re.MULTILINE)[1:]
    world = opened(game, verbatim=True)
    world.reset()
    compared = 0
    for now, later in zip(parts, parts[1:], strict=False):
        action = re.findall(r'"action_to_take": "(.*)"', now)[-1]
        truth = world.truth()
        rooms = {str(room).lower(): room for room in truth["rooms"]}
        goal = rooms.get(action.removeprefix("go to ").lower())  # a macro of the agent's: it walks the known way
        seen = play(world, walk(truth, truth["location"], goal) if goal else [action])
        logged = re.search(r"Observation: \nGame step #\d+\n(.*?)\nInventory: (.*?)\nCrucial items", later, re.DOTALL)
        assert logged is not None
        assert (seen.observation, seen.sections["inventory"]) == (logged[1], logged[2])
        compared += 1
    assert compared >= steps


def test_verbatim_shows_the_uncut_text_too_and_takes_what_published_runs_sent() -> None:
    world = opened("hunt/hunt.json", verbatim=True)
    first = world.reset()
    assert first.sections["raw"].startswith(first.observation)
    assert first.sections["raw"].endswith("-= Room A =-0/1")
    assert "see whom" in world.step("Try Key 1, Key 2, or Key 3 on the locker").observation
    assert world.step("take Key 1").score == 1
    assert "raw" not in opened("hunt/hunt.json").reset().sections


def test_verbatim_goes_on_when_all_is_put_right() -> None:
    world = opened("clean/clean_3x3_mess_2.json", verbatim=True)
    world.reset()
    truth = world.truth()
    assert {thing: truth["homes"][thing] for thing in HOMES} == HOMES
    last = play(world, tidy_walk(truth, HOMES))
    assert (last.score, last.end) == (22, None)


def test_a_story_file_beside_its_json_and_alone(tmp_path: Any) -> None:
    source = published("hunt/hunt.json")
    story = tmp_path / "copy.z8"
    story.write_bytes(compiled(read_game(source), "hunt").read_bytes())
    alone = worlds.File(worlds.FileParameters(path=str(story)))
    first = alone.reset()
    assert (first.score, first.max_score, alone.valid_actions()) == (0, 0, None)
    assert "Key 1" in alone.step("take Key 1").observation

    story.with_suffix(".json").write_bytes(source.read_bytes())
    whole = worlds.File(worlds.FileParameters(path=str(story)))
    whole.reset()
    last = play(whole, hunt_walk(whole.truth()))
    assert (last.score, last.end) == (5, "won")
    assert alone.spec.identity != whole.spec.identity


def texts(data: GameData) -> dict[str, tuple[object, ...]]:
    """The names and texts of everything but the oven, whose text may speak of its lid."""
    return {id_: (info["type"], info["name"], info["desc"]) for id_, info in data["infos"] if info["name"] != "oven"}

"""The papers' rewards and the text rules, on running games and on small made-up facts."""

from __future__ import annotations

import pytest

from labyrinth_envs.textworld import texts, worlds
from labyrinth_envs.textworld.gamedata import GameData
from labyrinth_envs.textworld.rename import renaming
from tests.textworld.walk import play, recipe, walk


@pytest.fixture(scope="module")
def house() -> worlds.Cleaning:
    return worlds.Cleaning(worlds.Made())


@pytest.mark.parametrize(
    ("actions", "score"),
    [
        (["look", "inventory", "examine toothbrush", "go north", "open toy storage cabinet", "close it"], 0),
        (["take toothbrush from dining table"], 1),
        (["take toothbrush from dining table", "drop toothbrush"], 0),
        (["take toothbrush from dining table", "drop toothbrush", "take toothbrush"], 0),
        (["take toothbrush from dining table", "put toothbrush on dining table"] * 3, -2),
        (["take candlestick from dining table"], -1),
        (["take candlestick from dining table", "put candlestick on dining table"], -1),
        (["take candlestick from dining table", "drop candlestick", "take candlestick"], -2),
        (["take salt shaker", "get candlestick"], -2),
        (["take moon", "drop toothbrush", "dance"], 0),
    ],
    ids=lambda value: "; ".join(value) if isinstance(value, list) else None,
)
def test_cleaning_gives_the_papers_rewards(house: worlds.Cleaning, actions: list[str], score: int) -> None:
    house.reset()
    assert play(house, actions).score == score


def test_cleaning_pays_once_for_putting_right(house: worlds.Cleaning) -> None:
    house.reset()
    truth = house.truth()
    play(house, ["take toothbrush from dining table", *walk(truth, "Dining Room", "Bathroom")])
    scores = [
        house.step(action).score
        for action in (
            "put toothbrush on bathroom sink",
            "take toothbrush from bathroom sink",
            "put toothbrush on bathroom sink",
            "take deodorant from bathroom sink",
        )
    ]
    assert scores == [2, 1, 1, 0]


def test_cooking_is_told_as_fry_roast_grill_and_read_back() -> None:
    game = worlds.Cooking(worlds.CookingParameters())
    first = game.reset()
    for words in ("Fry with the stove", "roast with the oven", "grill with the BBQ", "-= Living room =-"):
        assert words in first.observation
    seen: set[str] = set()
    for action in recipe("cooking"):
        seen |= set(game.valid_actions() or [])
        shown = texts.shown_command(action)
        assert shown.split()[0] != "cook"
        turn = game.step(shown)
        assert "livingroom" not in turn.observation.lower() and "Recipe #1" not in turn.observation
    assert (turn.score, turn.end) == (11, "won")
    assert {action.split()[0] for action in seen} >= {"fry", "roast", "grill", "chop", "slice", "dice", "put", "take"}
    assert not any(action.startswith("cook ") for action in seen)


def test_full_hands_are_still_offered_the_foods_in_the_room() -> None:
    game = worlds.CookingHardest(worlds.CookingParameters(stepLimit=200))
    game.reset()
    for action in recipe("cooking-hardest"):
        held = game.step(action)
        takes = [valid for valid in game.valid_actions() or [] if valid.startswith("take ")]
        if takes and held.sections["inventory"].count(" and ") and all(" from " not in take for take in takes):
            refused = game.step(takes[0])
            if "too many" in refused.observation:
                assert refused.score == held.score
                assert takes == sorted(takes)
                return
    pytest.fail("the hands were never full beside a food")


def test_observations_lose_banner_prompt_and_generated_names() -> None:
    raw = "  ____ \n$$$$$$$ \n\n\n-= Livingroom =-\nYou are in the livingroom.\n\nRecipe #1\n> -= Livingroom =-0/1"
    assert texts.observation(raw) == "-= Living room =-\nYou are in the living room.\n\nRecipe"
    assert texts.observation(raw, verbatim=True).startswith("$ \n\n\n-= Living room =-")
    assert texts.raw(raw) == "$ \n\n\n" + raw.split("$ \n\n\n")[1]
    assert texts.location("-= Kitchen =-\nfoo\n-= Living room =-\nbar") == "Living room"
    assert texts.location("You cannot go that way.") is None


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("cook red onion with stove", "fry red onion with stove"),
        ("cook egg with oven", "roast egg with oven"),
        ("cook pork chop with BBQ", "grill pork chop with BBQ"),
        ("put cookbook on stove", "put cookbook on stove"),
        ("take red onion", "take red onion"),
    ],
)
def test_cooking_verbs_map_there_and_back(sent: str, shown: str) -> None:
    assert texts.shown_command(sent) == shown
    assert texts.game_command(shown) == sent


def test_takes_are_added_for_the_foods_in_the_room_where_none_is_admissible() -> None:
    placed = {"P": "kitchen", "fridge": "kitchen", "counter": "kitchen", "knife": "kitchen", "leek": "kitchen"}
    facts: list[tuple[str, ...]] = [
        ("at", thing, room) for thing, room in {**placed, "apple": "kitchen", "carrot": "garden"}.items()
    ]
    facts += [("in", "egg", "fridge"), ("on", "bread", "counter"), ("in", "onion", "I"), ("closed", "fridge")]
    foods = ["leek", "apple", "carrot", "egg", "bread", "onion"]
    assert texts.with_takes(["look"], facts, foods) == ["look", "take apple", "take leek"]
    assert texts.with_takes(["look"], facts, foods[2:]) == ["look"]
    assert texts.with_takes(["take knife"], facts, foods) == ["take knife"]


def test_invented_names_keep_likeness_case_articles_and_brackets() -> None:
    names = [("r", "Oval Room"), ("c", "Orange locker"), ("f", "red onion"), ("f", "red apple")]
    infos = [[name, {"name": name, "type": type_, "desc": ""}] for type_, name in names]
    data: GameData = {"infos": infos, "objective": "", "metadata": {}}
    renamed = renaming(data, 1)
    onion, apple = renamed("red onion").split(), renamed("red apple").split()
    assert onion[0] == apple[0] and onion[1] != apple[1] and "red" not in onion
    locker = renamed("Orange locker")
    assert locker.endswith(" locker") and locker[0].isupper()
    assert renamed("You see an Orange locker.") == f"You see a {locker}."
    assert renamed("the orange locker") == f"the {locker.lower()}"
    assert renamed("[if c_0 is open]red onion[end if]") == f"[if c_0 is open]{' '.join(onion)}[end if]"
    assert len(renamed("Oval Room").split()) == 1
    assert renamed("go north, hundred onions") == "go north, hundred onions"
    assert renamed("red onion") != renaming(data, 2)("red onion")


def test_the_truth_names_the_map_with_its_doors() -> None:
    game = worlds.CookingHardest(worlds.CookingParameters())
    game.reset()
    truth = game.truth()
    exits, rooms = truth["exits"], truth["rooms"]
    assert len(rooms) == 12 and "Living room" in rooms
    opposite = {"north": "south", "south": "north", "east": "west", "west": "east"}
    for way in exits:
        back = {**way, "from": way["to"], "to": way["from"], "direction": opposite[way["direction"]]}
        assert back in exits
    assert sum(way["door"] is not None for way in exits) >= 2
    facts = truth["facts"]
    assert any(fact[:2] == ["cookbook", "on"] for fact in facts)
    assert all(len(fact) == 3 and all(fact) for fact in facts)

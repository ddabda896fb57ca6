"""Every game that Labyrinth makes is won, at its maximum, by a script."""

from __future__ import annotations

from pathlib import Path

import pytest

from labyrinth_envs.textworld import cleaning, cooking, hunt, worlds
from labyrinth_envs.textworld.gamedata import identity, named_facts
from labyrinth_envs.textworld.rename import renaming
from labyrinth_envs.textworld.truth import truth_of
from tests.support import some
from tests.textworld.walk import hunt_walk, objects, play, recipe, tidy_walk, won_by_rules

HUNTS = [(worlds.Hunt, 12, 5), (worlds.HuntHard, 16, 6), (worlds.HuntHardest, 36, 8)]
COOKINGS = [(worlds.Cooking, 11), (worlds.CookingHard, 14), (worlds.CookingHardest, 17)]


@pytest.mark.parametrize(("world", "rooms", "points"), HUNTS, ids=lambda value: getattr(value, "id", None))
def test_the_papers_hunts_are_won(world: type[worlds.Hunt], rooms: int, points: int) -> None:
    game = world(worlds.HuntParameters())
    first = game.reset()
    truth = game.truth()
    assert len(truth["rooms"]) == rooms
    assert (first.score, first.max_score, first.end) == (0, points, None)
    last = play(game, hunt_walk(truth))
    assert (last.score, last.end) == (points, "won")


def test_the_hunts_own_reward_counts_the_treasure_three() -> None:
    game = worlds.Hunt(worlds.HuntParameters(rewards="game"))
    assert game.reset().max_score == 7
    assert play(game, hunt_walk(game.truth())).score == 7


def test_the_hunts_have_the_papers_maps_and_chains() -> None:
    game = worlds.HuntHard(worlds.HuntParameters())
    game.reset()
    truth = game.truth()
    joined = {tuple(sorted((way["from"][-1], way["to"][-1]))) for way in truth["exits"]}
    assert joined == {tuple(edge) for edge in "AB BC CD CE BF DG GH HI IJ IK GL GM MN LN NO MP".split()}
    assert objects(truth, "unlocks") == {
        "Key 1": "Bronze locker",
        "Key 2": "Red locker",
        "Key 3": "Cyan locker",
        "Key 4": "Black locker",
        "Golden key": "Golden locker",
    }


def test_every_room_of_the_hardest_hunt_holds_a_distractor() -> None:
    game = worlds.HuntHardest(worlds.HuntParameters())
    game.reset()
    truth = game.truth()
    loose = {place for thing, place in objects(truth, "in").items() if "locker" not in thing and thing != "Key 1"}
    assert set(truth["rooms"]) <= loose


def test_cleaning_is_won_with_every_point() -> None:
    game = worlds.Cleaning(worlds.Made())
    assert game.reset().max_score == 22
    homes = {thing: cleaning.HOMES[thing] for thing in cleaning.PAPER_MESS}
    last = play(game, tidy_walk(game.truth(), homes))
    assert (last.score, last.end) == (22, "won")


@pytest.mark.parametrize(("world", "points"), COOKINGS, ids=lambda value: getattr(value, "id", None))
def test_the_papers_meals_are_cooked(world: type[worlds.Cooking], points: int) -> None:
    game = world(worlds.CookingParameters(stepLimit=200))
    assert game.reset().max_score == points
    last = play(game, recipe(world.id.removeprefix("textworld/")))
    assert (last.score, last.end) == (points, "won")


@pytest.mark.parametrize(("level", "closed", "rooms", "points"), [(2, True, 1, 5), (3, False, 9, 3)])
def test_levels_of_the_rl_benchmark_are_won(level: int, closed: bool, rooms: int, points: int) -> None:
    world = worlds.RlBenchmark(worlds.RlParameters(level=level, game=1, open=closed))
    first = world.reset()
    assert len(world.truth()["rooms"]) == rooms
    assert any(fact[1:] == ["is", "closed"] for fact in world.truth()["facts"]) == closed
    last = play(world, cooking.make_level(level, 1, 0, open=closed)["metadata"]["walkthrough"])
    assert (first.max_score, last.score, last.end) == (points, points, "won")


@pytest.mark.parametrize(("level", "points"), [(1, 4), (2, 5), (3, 3), (4, 11)])
def test_a_level_has_three_games_that_can_be_won(level: int, points: int, tmp_path: Path) -> None:
    games = [cooking.make_level(level, game, 0, open=level % 2 == 1) for game in (0, 1, 2)]
    assert len({identity(game) for game in games}) == 3
    assert won_by_rules(games[2], tmp_path, games[2]["metadata"]["walkthrough"]) == (points, True)


HUNTS_AND_SEEDS = [("hunt-hardest", 1), ("hunt", 1), ("hunt-hard", 1), *(("hunt", seed) for seed in range(2, 6))]


@pytest.mark.parametrize(("name", "seed"), some(HUNTS_AND_SEEDS))
def test_fresh_hunts_are_won_within_the_limit(name: str, seed: int, tmp_path: Path) -> None:
    size, data = hunt.SIZES[name], hunt.make(name, seed)
    truth = truth_of(named_facts(data))
    assert len(truth["rooms"]) == size.rooms
    actions = hunt_walk(truth)
    assert len(actions) <= 90
    assert won_by_rules(data, tmp_path, actions) == (size.keys + 3, True)


@pytest.mark.parametrize("seed", some([1, 2, 3, 4, 5]))
def test_fresh_meals_are_cooked(seed: int, tmp_path: Path) -> None:
    data = cooking.make("cooking", seed)
    assert won_by_rules(data, tmp_path, data["metadata"]["walkthrough"])[1]


@pytest.mark.parametrize("seed", some([1, 2, 3, 4, 5]))
def test_fresh_houses_have_eleven_things_out_of_place(seed: int) -> None:
    truth = truth_of(named_facts(cleaning.make(seed)))
    places = objects(truth, "in") | objects(truth, "on")
    assert sum(places[thing] != home for thing, home in cleaning.HOMES.items()) == 11
    assert len(truth["rooms"]) == 9


def test_a_fresh_renamed_house_is_tidied_within_the_limit() -> None:
    house = worlds.Cleaning(worlds.Made(seed=9, rename=3))
    house.reset()
    truth = truth_of(named_facts(cleaning.make(9)))
    places = objects(truth, "in") | objects(truth, "on")
    homes = {thing: home for thing, home in cleaning.HOMES.items() if places[thing] != home}
    renamed = renaming(cleaning.make(9), 3)
    last = play(house, [renamed(action) for action in tidy_walk(truth, homes)])
    assert (last.score, last.end) == (22, "won")


def test_fresh_games_differ() -> None:
    for make in (lambda seed: hunt.make("hunt", seed), cleaning.make, lambda seed: cooking.make("cooking", seed)):
        assert identity(make(1)) != identity(make(2))


def test_a_renamed_hunt_is_won_by_the_renamed_walk() -> None:
    seed = 77
    plain = worlds.Hunt(worlds.HuntParameters())
    plain.reset()
    strange = worlds.Hunt(worlds.HuntParameters(rename=seed))
    renamed = renaming(hunt.make("hunt", 0), seed)
    first = strange.reset()
    for word in ("Room", "Golden", "White"):
        assert word not in first.observation
    last = play(strange, [renamed(action) for action in hunt_walk(plain.truth())])
    assert (last.score, last.end) == (5, "won")


def test_a_renamed_meal_is_cooked_by_the_renamed_walk() -> None:
    seed = 4
    data = cooking.make("cooking", 0)
    strange = worlds.Cooking(worlds.CookingParameters(rename=seed))
    renamed = renaming(data, seed)
    seen = strange.reset().observation
    for action in data["metadata"]["walkthrough"]:
        turn = strange.step(renamed(action))
        seen += turn.observation
    for word in ("kitchen", "bell pepper", "potato", "fridge", "counter", "corridor", "backyard"):
        assert word not in seen.lower()
    for word in ("Recipe", "Directions", "stove", "BBQ", "knife", "cookbook"):
        assert word in seen
    assert (turn.score, turn.end) == (11, "won")


@pytest.mark.parametrize(("rooms", "keys", "loops"), [(12, 4, 0), (16, 5, 1), (36, 7, 4)])
def test_a_long_hunt_has_the_papers_keys_and_loops_at_the_papers_rooms(rooms: int, keys: int, loops: int) -> None:
    size = hunt.size_of(rooms)
    assert (size.keys, size.loops, size.distractors) == (keys, loops, rooms == 36)


@pytest.mark.parametrize(
    ("rooms", "seed"), some([(36, 1), (hunt.MOST_COMPILED, 2), (16, 3), (4, 4), (hunt.MOST_COMPILED + 1, 5)])
)
def test_a_long_hunt_is_won_by_its_shortest_solution(rooms: int, seed: int) -> None:
    spare = 2 if rooms == 4 else 3
    renamed = 5 if rooms == 16 else None
    parameters = worlds.LongHuntParameters(
        rooms=rooms, seed=seed, spare_keys=spare, shuffled_notes=True, effort=1, rename=renamed
    )
    game = worlds.LongHunt(parameters)
    first, truth = game.reset(), game.truth()
    size = hunt.size_of(rooms, spare=spare, shuffled=True)
    assert len(truth["rooms"]) == rooms
    assert len(truth["exits"]) == 2 * (rooms - 1 + size.loops)
    unlocks = objects(truth, "unlocks")
    assert len(unlocks) == size.keys + min(spare, rooms - size.keys)
    last = play(game, hunt_walk(truth))
    assert (first.max_score, last.score, last.end) == (size.keys + 1, size.keys + 1, "won")


def test_a_long_hunt_ends_at_so_many_shortest_solutions() -> None:
    game = worlds.LongHunt(worlds.LongHuntParameters(rooms=9, seed=1, effort=1.5))
    game.reset()
    shortest = len(hunt_walk(game.truth()))
    steps = 0
    while game.step("look").end is None:
        steps += 1
    assert steps + 1 == -(-3 * shortest // 2)


def test_shuffled_notes_lie_no_later_than_their_keys_and_spare_keys_open_nothing_of_use() -> None:
    size = hunt.size_of(36, spare=5, shuffled=True)
    early = 0
    for seed in range(20):
        drawn = hunt.draw(size, seed, longest_win=1000)
        notes = drawn.notes or ()
        assert len(notes) == size.keys - 2
        assert all(place <= number - 1 for number, place in enumerate(notes, start=2))
        early += sum(place < number - 1 for number, place in enumerate(notes, start=2))
        assert len({room for _, room in drawn.spare} - set(drawn.chain)) == 5
    assert early > 20

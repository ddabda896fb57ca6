"""Our own households: drawn by type and seed, solvable, frozen once and for all."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from labyrinth_envs.world import WorldError
from tests.alfworld.play import Alfworld, Household, TaskType, files, frozen, generate, opened, package, solve
from tests.support import some

PLAYS = Path(__file__).with_name("plays.txt").read_text().split()
"""SHA-256 (hex) of each frozen household's play of its plan, as it was when the set was frozen."""
TYPES: tuple[TaskType, ...] = ("put", "examine", "clean", "heat", "cool", "puttwo")


@pytest.mark.parametrize("type", TYPES)
def test_a_fresh_household_of_each_type_is_won_by_its_plan(type: TaskType) -> None:
    world = opened(set="fresh", type=type, seed=11)
    *before, last = solve(world)
    assert (last.end, last.score, last.max_score) == ("won", 1, 1)
    assert {turn.score for turn in before} == {0}
    assert world.truth()["type"] == type
    assert world.valid_actions() == []


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (lambda plan: plan[:-1], "its plan does not solve it"),
        (lambda plan: ["fly away", *plan], 'its plan has "fly away", which cannot be done there'),
    ],
)
def test_a_fresh_household_that_its_plan_does_not_solve_is_refused(
    wrong: Callable[[list[str]], list[str]], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Household.plan
    monkeypatch.setattr(Household, "plan", lambda one: wrong(plan(one)))
    with pytest.raises(WorldError) as refused:
        opened(set="fresh", type="heat", seed=3)
    assert (refused.value.code, refused.value.message) == ("bad-game", f"Cannot play the household heat 3: {why}")


def play_of(world: Alfworld) -> str:
    """SHA-256 (hex) of all that is shown and offered while the known plan is played from a reset; it must win."""
    turn = world.reset()
    seen = [turn.model_dump_json(), *(world.valid_actions() or [])]
    for action in world.truth()["plan"]:
        turn = world.step(action)
        seen += [action, turn.model_dump_json(), *(world.valid_actions() or [])]
    assert turn.end == "won"
    return hashlib.sha256("\n".join(seen).encode()).hexdigest()


@pytest.mark.parametrize("game", some(range(134), 4))
def test_each_frozen_household_is_won_by_its_plan_as_ever(game: int) -> None:
    """All 134 want LAB_SLOW=1."""
    world = opened(game=game)
    assert play_of(world) == PLAYS[game]
    assert play_of(world) == PLAYS[game]  # and after a reset
    assert world.spec.identity == frozen.households()[game].sha256


def test_the_frozen_set_is_what_the_generator_draws() -> None:
    assert [one.model_dump() for one in frozen.drawn()] == [one.model_dump() for one in frozen.households()]
    assert Counter(one.type for one in frozen.households()) == frozen.SHARES
    assert sum(frozen.SHARES.values()) == 134
    assert len({one.sha256 for one in frozen.households()}) == 134


@pytest.mark.parametrize("type", TYPES)
def test_whatever_is_drawn_is_a_task_and_lies_where_it_may(type: TaskType) -> None:
    rooms = set()
    for seed in range(200):
        one = generate.household(type, seed)
        rooms.add(one.room)
        for kind, at in one.objects:
            assert kind == "DeskLamp" or kind in package.HOLDS[one.receptacles[at]]
        wanted = [at for kind, at in one.objects if kind == one.object]
        assert len(wanted) >= (2 if type == "puttwo" else 1)
        if type == "examine":
            (lamp,) = (at for kind, at in one.objects if kind == "DeskLamp")
            assert one.place == "DeskLamp" and one.receptacles[lamp] not in package.OPENABLE
        else:
            assert one.place not in {one.receptacles[at] for at in wanted}  # nothing is done before it begins
            assert one.object in package.HOLDS[one.place]
        station = {"clean": "SinkBasin", "heat": "Microwave", "cool": "Fridge"}.get(type)
        able = {"clean": "cleanable", "heat": "heatable", "cool": "coolable"}.get(type)
        if station and able:
            assert station in one.receptacles and one.object in package.DOES[able] and one.place != station
    assert (
        rooms
        == {
            "put": {"kitchen", "living room", "bedroom", "bathroom"},
            "puttwo": {"kitchen", "living room", "bedroom", "bathroom"},
            "clean": {"kitchen", "bathroom"},
            "heat": {"kitchen"},
            "cool": {"kitchen"},
            "examine": {"living room", "bedroom"},
        }[type]
    )


def test_type_and_seed_decide_the_household() -> None:
    assert generate.household("heat", 5) == generate.household("heat", 5)
    assert len({files.identity(generate.household(type, seed).game()) for type in TYPES for seed in range(5)}) == 30


def test_names_are_those_that_the_world_gives() -> None:
    one = Household(
        type="clean",
        seed=0,
        room="bathroom",
        object="SoapBar",
        place="Cabinet",
        wording=0,
        receptacles=["Cabinet", "Cabinet", "SinkBasin", "BathtubBasin", "Toilet"],
        objects=[("SoapBar", 4), ("SoapBar", 3)],
    )
    assert one.sentence == "put a clean soapbar in cabinet"
    assert one.plan() == [
        "go to toilet 1",
        "take soapbar 2 from toilet 1",
        "go to sinkbasin 1",
        "clean soapbar 2 with sinkbasin 1",
        "go to cabinet 2",
        "open cabinet 2",
        "move soapbar 2 to cabinet 2",
    ]


def test_truth_follows_play() -> None:
    world = opened(set="fresh", type="heat", seed=11)
    *_, last = solve(world)
    truth = world.truth()
    move = truth["plan"][-1].split()  # move X 1 to Y 1
    thing, place = " ".join(move[1:3]), " ".join(move[4:6])
    assert [thing, "is", "hot"] in truth["facts"]
    assert [thing, "in", place] in truth["facts"] or [thing, "on", place] in truth["facts"]
    assert truth["location"] == [place] and last.sections["location"] == place
    world.reset()
    assert world.truth()["location"] == [] and not any(fact[2] == "hot" for fact in world.truth()["facts"])

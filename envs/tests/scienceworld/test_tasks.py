"""The table of tasks against the package."""

from __future__ import annotations

import pytest
from scienceworld.constants import TASKS as PACKAGE_TASKS

from labyrinth_envs.error_messages import check_parameters
from labyrinth_envs.scienceworld.simulator import Simulator
from labyrinth_envs.scienceworld.tasks import ELECTRICAL, TASKS, VARIATIONS, Split, Task, place, splits
from labyrinth_envs.scienceworld.world import ScienceWorldParameters
from labyrinth_envs.world import WorldError
from tests.support import some


def test_the_table_says_what_the_package_says() -> None:
    assert list(TASKS) == [task["task_name"] for task in PACKAGE_TASKS]
    simulator = Simulator(256)
    java = simulator._java
    try:
        assert sorted(TASKS) == sorted(java.getTaskNames())
        for task in TASKS:
            assert VARIATIONS[task] == java.getTaskMaxVariations(task), task
        for task in some(list(TASKS), 6):
            java.load(task, 0, "", False)  # the package's lists are those of the loaded task
            of_package = {
                "train": java.getVariationsTrain(),
                "dev": java.getVariationsDev(),
                "test": java.getVariationsTest(),
            }
            assert {name: list(among) for name, among in splits(task).items()} == {
                name: list(among) for name, among in of_package.items()
            }, task
    finally:
        simulator.close()


def test_tasks_of_circuits_need_the_electrical_actions() -> None:
    assert ELECTRICAL == {
        "power-component",
        "power-component-renewable-vs-nonrenewable-energy",
        "test-conductivity",
        "test-conductivity-of-unknown-substances",
    }


@pytest.mark.parametrize(
    ("task", "given", "wanted"),
    [
        ("boil", (None, None, None), (0, "train", 0)),
        ("boil", (13, None, None), (13, "train", 13)),
        ("boil", (14, None, None), (14, "dev", 0)),
        ("boil", (21, "test", None), (21, "test", 0)),
        ("boil", (None, "test", 8), (29, "test", 8)),
        ("boil", (29, "test", 8), (29, "test", 8)),
        ("identify-life-stages-2", (None, "dev", None), (4, "dev", 0)),
        ("inclined-plane-friction-named-surfaces", (None, "test", 347), (1385, "test", 347)),
    ],
)
def test_a_variation_is_found_by_number_or_place(
    task: Task, given: tuple[int | None, Split | None, int | None], wanted: tuple[int, str, int]
) -> None:
    found = place(task, *given)
    assert (found.variation, found.split, found.index) == wanted


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((30, None, None), "boil has 30 variations, current value is variation 30; choose 0–29"),
        ((30, "test", None), "boil has 30 variations"),
        ((20, "test", None), "variation 20 of boil is in the split dev, not in test.*choose 21–29"),
        ((21, "train", None), "in the split test, not in train.*choose 0–13"),
        ((None, "test", 9), "boil has 9 variations in the split test, current value is index 9; choose 0–8"),
        ((None, None, 14), "14 variations in the split train"),
        ((21, "test", 1), "has the index 0 in the split test, current value is index 1"),
    ],
)
def test_a_variation_that_is_none_is_refused(given: tuple[int | None, Split | None, int | None], words: str) -> None:
    with pytest.raises(WorldError, match=words) as caught:
        place("boil", *given)
    assert caught.value.code == "bad-parameter"
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("given", "near"),
    [("meltt", "melt"), ("Find living things", "find-living-thing"), ("measure-melting-point", "melting")],
)
def test_an_unknown_task_is_refused_with_those_that_look_like_it(given: str, near: str) -> None:
    with pytest.raises(WorldError) as caught:
        check_parameters("scienceworld", ScienceWorldParameters, {"task": given})
    message = str(caught.value)
    assert "…" not in message
    assert len(message) < 300
    assert f'task = "{given}"' in message
    assert near in message.split("nearest")[1]
    assert "one of 30" in message

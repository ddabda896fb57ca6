"""The 30 tasks and how the package divides their variations, without asking Java.

A task is known by its name. The ids of the packages and the papers disagree: ReasonPlanner prints 6-1 and 6-2 swapped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from labyrinth_envs.world import WorldError

Task = Literal[
    "boil",
    "melt",
    "freeze",
    "change-the-state-of-matter-of",
    "use-thermometer",
    "measure-melting-point-known-substance",
    "measure-melting-point-unknown-substance",
    "power-component",
    "power-component-renewable-vs-nonrenewable-energy",
    "test-conductivity",
    "test-conductivity-of-unknown-substances",
    "find-living-thing",
    "find-non-living-thing",
    "find-plant",
    "find-animal",
    "grow-plant",
    "grow-fruit",
    "chemistry-mix",
    "chemistry-mix-paint-secondary-color",
    "chemistry-mix-paint-tertiary-color",
    "lifespan-longest-lived",
    "lifespan-shortest-lived",
    "lifespan-longest-lived-then-shortest-lived",
    "identify-life-stages-1",
    "identify-life-stages-2",
    "inclined-plane-determine-angle",
    "inclined-plane-friction-named-surfaces",
    "inclined-plane-friction-unnamed-surfaces",
    "mendelian-genetics-known-plant",
    "mendelian-genetics-unknown-plant",
]

_COUNTS = (
    *(30, 30, 30, 30),
    *(540, 436, 300),
    *(20, 20, 900, 600),
    *(300, 300, 300, 300),
    *(126, 126),
    *(32, 36, 36),
    *(125, 125, 125),
    *(14, 10),
    *(168, 1386, 162),
    *(120, 480),
)

TASKS: tuple[Task, ...] = get_args(Task)
"""In the order of the package's ids, 1-1 to 10-2."""

VARIATIONS: dict[Task, int] = dict(zip(TASKS, _COUNTS, strict=True))
"""Task → number of variations."""

ELECTRICAL = frozenset(task for task in TASKS if task.startswith(("power-component", "test-conductivity")))
"""Tasks that need the electrical actions."""

Split = Literal["train", "dev", "test"]


@dataclass(frozen=True)
class Place:
    """A variation, and where it stands in its split."""

    variation: int
    split: Split
    index: int


def splits(task: Task) -> dict[Split, range]:
    """Two quarters of the variations (rounded down) are for training, one for development, and the rest for testing."""
    count = VARIATIONS[task]
    quarter = count // 4
    return {"train": range(2 * quarter), "dev": range(2 * quarter, 3 * quarter), "test": range(3 * quarter, count)}


def place(task: Task, variation: int | None, split: Split | None, index: int | None) -> Place:
    """The variation that is meant: by its number, by a split and the index in it, or by both where they agree.

    Raises `WorldError("bad-parameter")` for a variation that the task does not have, or that is not in the split.
    """
    ranges = splits(task)
    if variation is None:
        split = split or "train"
        index = index or 0
        among = ranges[split]
        if index >= len(among):
            raise _bad(
                f"{task} has {len(among)} variations in the split {split}", f"index {index}", f"0–{len(among) - 1}"
            )
        return Place(among[index], split, index)
    count = VARIATIONS[task]
    if variation >= count:
        raise _bad(f"{task} has {count} variations", f"variation {variation}", f"0–{count - 1}")
    home = next(name for name, among in ranges.items() if variation in among)
    found = Place(variation, home, variation - ranges[home].start)
    if split not in (None, found.split):
        among = ranges[split or home]
        raise _bad(
            f"variation {variation} of {task} is in the split {found.split}, not in {split}",
            f"variation {variation}",
            f"{among.start}–{among.stop - 1}",
        )
    if index not in (None, found.index):
        raise _bad(
            f"variation {variation} of {task} has the index {found.index} in the split {found.split}",
            f"index {index}",
            f"{found.index}, or leave one of the two out",
        )
    return found


def _bad(why: str, given: str, wanted: str) -> WorldError:
    return WorldError("bad-parameter", f"Cannot open scienceworld: {why}, current value is {given}; choose {wanted}")

"""Official games, from a folder laid out like theirs that our own games fill."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from labyrinth_envs.world import WorldError
from tests.alfworld.play import OFFICIAL, TaskType, files, generate, opened, solve, write

TYPES: tuple[TaskType, ...] = ("put", "examine", "clean", "heat", "cool", "puttwo")


def add(root: Path, type: TaskType, seed: int, name: str = "", **more: object) -> Path:
    """One more game of the unseen split: `<task>-<object>-None-<place>-<scene>/trial_<seed>/`."""
    one = generate.household(type, seed)
    task = name or f"{OFFICIAL[type]}-{one.object}-None-{one.place}-{seed}"
    folder = root / "json_2.1.1" / "valid_unseen" / task / f"trial_{seed}"
    path = write(folder, one.game(), walkthrough=one.plan(), **more)
    (folder / "traj_data.json").write_text(json.dumps({"task_type": OFFICIAL[type]}))
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for seed, type in enumerate(TYPES):
        add(tmp_path, type, seed)
    return tmp_path


def refusal(**parameters: object) -> WorldError:
    with pytest.raises(WorldError) as caught:
        opened(**parameters)
    assert "\n" not in caught.value.message and ";" in caught.value.message
    return caught.value


def test_games_are_numbered_by_path(root: Path) -> None:
    found = [files.official_game(str(root), "valid_unseen", index, "sorted").type for index in range(6)]
    assert found == ["examine", "put", "clean", "cool", "heat", "puttwo"]  # the order of their official names


def test_the_shuffled_order_is_that_of_the_published_evaluations(tmp_path: Path) -> None:
    paths = [add(tmp_path, "put", 1, f"pick_and_place_simple-{number:03}") for number in range(134)]
    names = [
        Path(files.official_game(str(tmp_path), "valid_unseen", index, "shuffled").game.name) for index in range(10)
    ]
    assert [paths.index(name) for name in names] == [6, 131, 93, 62, 68, 78, 59, 61, 111, 32]


def test_an_official_game_is_played_with_its_walkthrough(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALFWORLD_DATA", str(root))
    world = opened(set="valid_unseen", game=2)
    assert solve(world)[-1].end == "won"
    assert world.truth()["type"] == "clean"
    assert world.spec.identity == files.identity(generate.household("clean", 2).game())


ALFWORLD = """
import json, os, sys
os.environ["ALFWORLD_DATA"] = sys.argv[1]
from alfworld.agents.environment.alfred_tw_env import AlfredTWEnv
config = {
    "env": {"goal_desc_human_anns_prob": 0, "task_types": [1, 2, 3, 4, 5, 6]},
    "dataset": {"eval_ood_data_path": sys.argv[1], "num_eval_games": 0},
}
print(json.dumps(sorted(AlfredTWEnv(config, "eval_out_of_distribution").game_files)))
"""


def test_what_alfworld_leaves_out_is_left_out(root: Path) -> None:
    """The oracle is ALFWorld's own collector, over the same folder."""
    whole = files.official_games(str(root), "valid_unseen")
    add(root, "put", 50, solvable=False)
    add(root, "put", 51, "pick_and_place_with_movable_recep-Mug-Plate-Shelf-1")
    add(root, "put", 52, "pick_and_place_simple-AppleSliced-None-Fridge-1")
    other = add(root, "put", 53).with_name("traj_data.json")
    other.write_text(json.dumps({"task_type": "pick_and_place_with_movable_recep"}))
    found = files.official_games(str(root), "valid_unseen")
    assert found == whole and len(whole) == 6
    command = [sys.executable, "-c", ALFWORLD, str(root / "json_2.1.1" / "valid_unseen")]
    printed = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    assert [str(game) for game in found] == json.loads(printed.splitlines()[-1])


def test_a_folder_with_missing_files_is_refused(root: Path) -> None:
    lost = add(root, "heat", 60)
    lost.unlink()
    error = refusal(set="valid_unseen", path=str(root))
    assert error.code == "bad-game" and f"{lost} is missing" in error.message and "alfworld-download" in error.message
    write(lost.parent, generate.household("heat", 60).game(), solvable=None)
    assert "does not say whether it is solvable" in refusal(set="valid_unseen", path=str(root)).message


def test_a_folder_with_all_games_may_hold_unfinished_ones(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(root, "heat", 60).unlink()
    monkeypatch.setitem(files.OFFICIAL_GAMES, "valid_unseen", 6)
    assert len(files.official_games(str(root), "valid_unseen")) == 6


def test_folders_and_numbers_that_are_not_there(root: Path, tmp_path: Path) -> None:
    error = refusal(set="valid_unseen", path=str(root), game=6)
    assert error.code == "bad-parameter" and "which has 6" in error.message
    error = refusal(set="valid_seen", path=str(root))
    assert error.code == "bad-game" and "valid_seen" in error.message and "ALFWORLD_DATA" in error.message
    (root / "json_2.1.1" / "train").mkdir()
    assert "holds no games" in refusal(set="train", path=str(root)).message
    add(root, "put", 0).with_name("traj_data.json").write_text("{")
    assert "traj_data.json is broken" in refusal(set="valid_unseen", path=str(root)).message

"""Official games, from a folder laid out like theirs that our own games fill."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Literal

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
    whole = games_of(str(root), "valid_unseen")
    add(root, "put", 50, solvable=False)
    add(root, "put", 51, "pick_and_place_with_movable_recep-Mug-Plate-Shelf-1")
    add(root, "put", 52, "pick_and_place_simple-AppleSliced-None-Fridge-1")
    other = add(root, "put", 53).with_name("traj_data.json")
    other.write_text(json.dumps({"task_type": "pick_and_place_with_movable_recep"}))
    found = games_of(str(root), "valid_unseen")
    assert found == whole and len(whole) == 6
    command = [sys.executable, "-c", ALFWORLD, str(root / "json_2.1.1" / "valid_unseen")]
    printed = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    assert [str(game) for game in found] == json.loads(printed.splitlines()[-1])


def games_of(root: str, split: str) -> list[Path]:
    """The whole games of a set, each at its number."""
    return [found.path for found in files._numbered(root, split) if found.fault is None]


def lose(game: Path) -> None:
    game.unlink()


def empty(game: Path) -> None:
    game.write_text("")


def cut_early(game: Path) -> None:
    text = game.read_text()
    game.write_text(text[: text.index('"solvable"')])


def cut_late(game: Path) -> None:
    game.write_text(game.read_text()[:-1])


def never_won(game: Path) -> None:
    data = json.loads(game.read_text())
    problem = re.sub(r"\(canContain [^)]*\)", "", data["pddl_problem"])
    assert problem != data["pddl_problem"]
    game.write_text(json.dumps(data | {"pddl_problem": problem}))


def lose_its_type(game: Path) -> None:
    game.with_name("traj_data.json").unlink()


def break_its_type(game: Path) -> None:
    game.with_name("traj_data.json").write_text("{")


BREAKS: dict[Callable[[Path], None], str] = {
    lose: "it is missing; run alfworld-download again",
    empty: "it does not say whether it is solvable; run alfworld-download again",
    cut_early: "it does not say whether it is solvable; run alfworld-download again",
    cut_late: r"it is no .tw-pddl file \(JSONDecodeError\)",
    never_won: "its goal can never be reached",
    lose_its_type: "traj_data.json beside it is missing; run alfworld-download again",
    break_its_type: r"traj_data.json beside it is broken \(JSONDecodeError\); run alfworld-download again",
}


@pytest.mark.parametrize("breaks", BREAKS, ids=lambda breaks: breaks.__name__)
def test_a_broken_game_of_a_set_leaves_the_others_their_numbers(
    breaks: Callable[[Path], None], root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(files.OFFICIAL_GAMES, "valid_unseen", 6)
    whole = games_of(str(root), "valid_unseen")
    breaks(whole[2])
    shuffled = [2, 1, 5, 0, 4, 3]  # numpy.random.RandomState(1234).permutation(6)
    numbers: list[tuple[Literal["sorted", "shuffled"], int, int]] = [
        ("sorted", 2, 3),
        ("shuffled", shuffled.index(2), shuffled.index(3)),
    ]
    for order, broken, other in numbers:
        error = refusal(set="valid_unseen", path=str(root), game=broken, order=order)
        assert error.code == "bad-game" and error.message.startswith(f"Cannot play {whole[2]}: ")
        assert re.search(BREAKS[breaks], error.message)
        one = files.official_game(str(root), "valid_unseen", other, order).game
        assert one.name == str(whole[3]) and opened(set="file", path=one.name).spec.identity == files.identity(one)


def test_what_was_never_finished_takes_no_number_of_a_broken_game(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(files.OFFICIAL_GAMES, "valid_unseen", 6)
    whole = games_of(str(root), "valid_unseen")
    add(root, "clean", 60).unlink()  # one that the download never had
    empty(whole[4])
    assert refusal(set="valid_unseen", path=str(root), game=4).message.startswith(f"Cannot play {whole[4]}: ")
    assert files.official_game(str(root), "valid_unseen", 5, "sorted").game.name == str(whole[5])
    lose(whole[0])  # or was it this one?
    error = refusal(set="valid_unseen", path=str(root), game=5)
    assert error.code == "bad-parameter" and "4 whole games of 6, and their numbers cannot be told" in error.message
    assert str(whole[0]) in error.message and error.message.endswith("run alfworld-download again")


def test_a_folder_with_all_games_may_hold_unfinished_ones(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(root, "heat", 60).unlink()
    monkeypatch.setitem(files.OFFICIAL_GAMES, "valid_unseen", 6)
    assert len(games_of(str(root), "valid_unseen")) == 6


def test_folders_and_numbers_that_are_not_there(root: Path, tmp_path: Path) -> None:
    error = refusal(set="valid_unseen", path=str(root), game=6)
    assert error.code == "bad-parameter" and "which has 6" in error.message
    error = refusal(set="valid_seen", path=str(root))
    assert error.code == "bad-parameter" and "valid_seen" in error.message and "ALFWORLD_DATA" in error.message
    (root / "json_2.1.1" / "train").mkdir()
    assert "holds no games" in refusal(set="train", path=str(root)).message
    add(root, "put", 0).with_name("traj_data.json").write_text("{")
    assert "traj_data.json beside it is broken" in refusal(set="valid_unseen", path=str(root)).message

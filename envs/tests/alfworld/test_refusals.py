"""Bad input is refused in one clear line, and the world is none the worse for it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pydantic import ValidationError

from labyrinth_envs.extras import remedy
from labyrinth_envs.world import WorldError
from tests.alfworld.play import Household, engine, generate, opened, write
from tests.support import some

HOUSE = generate.household("put", 3)
GAME = HOUSE.game()


def changed(old: str, new: str) -> str:
    assert old in GAME.problem
    return GAME.problem.replace(old, new)


RECEPTACLE = f"{HOUSE.receptacles[0]}Type"

PROBLEMS = {
    "empty": "",
    "no PDDL": "hello",
    "a bracket too few": GAME.problem[:-3],
    "cut in the middle": GAME.problem[: len(GAME.problem) // 2],
    "a thing twice": changed("agent1 - agent", "agent1 - agent agent1 - agent"),
    "a thing undeclared": changed("(atLocation agent1 loc_bar_00)", "(atLocation agent1 nowhere)"),
    "a type undeclared": changed(f"{RECEPTACLE} - rtype", ""),
    "another domain's goal": changed("inReceptacle ?o ?r", "inSpace ?o ?r"),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_broken_problem(name: str, tmp_path: Path) -> None:
    path = write(tmp_path, engine.Game(GAME.domain, GAME.grammar, PROBLEMS[name], "broken"))
    with pytest.raises(WorldError) as refusal:
        opened(set="file", path=str(path))
    assert refusal.value.code == "bad-game"
    assert str(path) in refusal.value.message and "check the file" in refusal.value.message
    assert "\n" not in refusal.value.message and len(refusal.value.message) < 600


def test_a_goal_that_cannot_be_reached(tmp_path: Path) -> None:
    nowhere = changed(f"(canContain {HOUSE.place}Type {HOUSE.object}Type)", "")
    with pytest.raises(WorldError, match="its goal can never be reached; give a game that can be solved") as refusal:
        opened(set="file", path=str(write(tmp_path, engine.Game(GAME.domain, GAME.grammar, nowhere, ""))))
    assert refusal.value.code == "bad-game"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # an alarm that Python has dropped
def test_a_huge_problem_is_given_up_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    huge = Household(
        type="put",
        seed=0,
        room="hall",
        object="Mug",
        place="Shelf",
        wording=0,
        receptacles=[*["Cabinet"] * 60, "Shelf"],
        objects=[("Mug", number % 60) for number in range(400)],
    )
    path, start = write(tmp_path, huge.game()), time.monotonic()
    with monkeypatch.context() as patch, pytest.raises(WorldError, match="not translated within 1 s") as refusal:
        patch.setattr(engine, "OPEN_SECONDS", 1)
        patch.setattr(sys, "unraisablehook", lambda _: None)  # pytest's own reads files, in which an alarm may come
        opened(set="file", path=str(path))
    assert refusal.value.code == "bad-game" and "make it smaller" in refusal.value.message
    assert time.monotonic() - start < 240
    assert opened(set="fresh", type="put", seed=3).reset().goal  # and the process goes on


def test_the_time_limit_holds_though_an_alarm_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sys, "unraisablehook", lambda _: None
    )  # pytest's own reads files, in which the next alarm may come

    class Tidying:
        def __del__(self) -> None:
            time.sleep(1)

    with pytest.raises(engine._TooLate), engine._time_limit(0.3):
        Tidying()
        time.sleep(5)


@pytest.mark.parametrize(
    "expression",
    ["__import__('os').getcwd()", "r.name.__class__", "r._id", "open('x', 'w')", "(lambda: 1)()"],
)
def test_texts_that_would_run_code(expression: str, tmp_path: Path) -> None:
    grammar = GAME.grammar.replace("{r.indefinite} {r.name or r.id}", f"{{{expression}}}")
    assert grammar != GAME.grammar
    with pytest.raises(WorldError) as refusal:
        opened(set="file", path=str(write(tmp_path, engine.Game(GAME.domain, grammar, GAME.problem, ""))))
    assert refusal.value.code == "bad-game" and "\n" not in refusal.value.message


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "null", "{}", '{"pddl_domain": 1, "grammar": 2, "pddl_problem": 3}', "\udcff", "[" * 100_000],
)
def test_a_file_that_is_no_game(content: str, tmp_path: Path) -> None:
    path = tmp_path / "game.tw-pddl"
    path.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(WorldError) as refusal:
        opened(set="file", path=str(path))
    assert refusal.value.code == "bad-game"
    assert str(path) in refusal.value.message and "\n" not in refusal.value.message


def test_no_file_a_folder_and_a_file_too_large(tmp_path: Path) -> None:
    large = tmp_path / "large.tw-pddl"
    large.write_text(json.dumps({"pddl_problem": "x" * 9 * 2**20}))
    for path, what in ((tmp_path / "none", "no such file"), (tmp_path, "is a directory"), (large, "larger than 8 MiB")):
        with pytest.raises(WorldError, match=what) as refusal:
            opened(set="file", path=str(path))
        assert refusal.value.code == "bad-game"


def test_parameters_out_of_range() -> None:
    with pytest.raises(WorldError, match="give 0 to 133") as refusal:
        opened(game=134)
    assert refusal.value.code == "bad-parameter"
    for wrong in (
        *({"game": -1}, {"game": "1"}, {"set": "mine"}, {"set": "file"}, {"set": "fresh", "type": "slice"}),
        *({"dialect": "drop"}, {"stepLimit": 0}, {"set": "fresh", "seed": 2**31}, {"moon": 1}),
        *({"type": "heat"}, {"seed": 3}, {"set": "fresh", "game": 3}, {"path": "x"}),
    ):
        with pytest.raises(ValidationError):
            opened(**wrong)


def test_actions_that_are_none() -> None:
    world = opened(set="fresh", type="put", seed=3)
    with pytest.raises(WorldError, match="reset it first"):
        world.step("look")
    world.reset()
    for action in ("", "   ", "look\ngo to shelf 1", "look\0", "\x1b[A"):
        with pytest.raises(WorldError) as refusal:
            world.step(action)
        assert refusal.value.code == "bad-action" and "\n" not in refusal.value.message
    unknown = ["look; inventory", "take", "put a in/on", "move to", "#look.feedback#", "{r.name}", "gehe zu Küche"]
    unknown += ["look \udc80", "put " * 1000, "move x to y " * 10_000]
    for action in unknown:
        assert world.step(action).observation == "Nothing happens."
    assert world.step("look").observation.startswith("You are in the middle")


MISSING = """
import json, sys
sys.modules[sys.argv[1]] = None
from labyrinth_envs.worker import WorkerConfig, attempt, catalogue, preload
from labyrinth_envs.worlds import WORLDS, load_world
preload()
(entry,) = [entry for entry in catalogue(WORLDS).worlds if entry.id == "alfworld"]
answer = attempt(lambda: load_world("alfworld", WORLDS["alfworld"])({}))
print(json.dumps([entry.problem, answer.error, answer.last]))
"""


@pytest.mark.parametrize("absent", some(["alfworld", "fast_downward", "tatsu"], 1))
def test_without_its_packages_the_world_says_how_to_get_them(absent: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", MISSING, absent]
    ended = subprocess.run(
        command, capture_output=True, text=True, timeout=120, env=os.environ | {"HOME": str(tmp_path)}
    )
    problem, (code, message), last = json.loads(ended.stdout.splitlines()[-1])
    assert code == "unknown-world" and message.startswith("Cannot open alfworld: ")
    assert message.endswith(remedy("alfworld")) and "run ./lab again" in message
    assert remedy("alfworld") in problem and not last
    assert list(tmp_path.iterdir()) == []  # no folder is made at home

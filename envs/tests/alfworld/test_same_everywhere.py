"""Equal games give equal walks in any process, and those of the packages as they are, without our improvements."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fast_downward.interface import pddl2sas

from labyrinth_envs.alfworld.engine import Game, _remembering
from labyrinth_envs.alfworld.generate import household
from labyrinth_envs.alfworld.package import DOMAIN
from labyrinth_envs.alfworld.translation import remembering
from labyrinth_envs.alfworld.worlds import Alfworld, AlfworldParameters
from tests.alfworld.play import frozen, opened, write
from tests.support import slow

OURS = """
import hashlib, random, sys
from labyrinth_envs.alfworld.worlds import Alfworld, AlfworldParameters
seen = []
for parameters in ({"game": 3}, {"set": "fresh", "type": "examine", "seed": 4}):
    world = Alfworld(AlfworldParameters(**parameters))
    chance = random.Random(7)
    seen += [world.spec.identity, world.reset().model_dump_json()]
    for _ in range(30):
        actions = world.valid_actions()
        turn = world.step(chance.choice(actions))
        seen += [*actions, turn.model_dump_json(), str(world.truth())]
        if turn.end: break
print(len(seen), hashlib.sha256("|".join(seen).encode()).hexdigest())
"""

WALK = """
import json, random
from textworld.envs.pddl import textgen
from labyrinth_envs.alfworld.worlds import Alfworld, AlfworldParameters
world = Alfworld(AlfworldParameters(game=15))
chance = random.Random(5)
walk = [world.reset().model_dump_json()]
for _ in range(6):
    walk += [world.step(chance.choice(world.valid_actions() or [])).model_dump_json(), *world.valid_actions()]
print(json.dumps([textgen.copy_context.__module__, walk]))
"""

PLAIN = """
import json, os, random, sys
os.environ["ALFWORLD_DATA"] = sys.argv[2]
import textworld
from textworld.envs.pddl import PddlEnv
from alfworld.agents.utils.misc import Demangler
env = PddlEnv(textworld.EnvInfos(admissible_commands=True, won=True))
env.load(sys.argv[1])
names = Demangler(game_infos=env._entity_infos)
for info in env._entity_infos.values():
    info.name = names.demangle_alfred_name(info.id)
chance = random.Random(3)
state = env.reset()
walk = [["", state.feedback, state.admissible_commands]]
for _ in range(15):
    command = chance.choice([known for known in state.admissible_commands if known != "help"])
    state, _, _ = env.step(command)
    walk.append([command, state.feedback, state.admissible_commands])
print(json.dumps(walk))
"""


def run(script: str, *arguments: str, hash_seed: int = 0, plain: bool = False) -> str:
    environment = os.environ | {"PYTHONHASHSEED": str(hash_seed), "LABYRINTH_PLAIN_ALFWORLD": str(int(plain))}
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=True).stdout


def test_two_processes_play_alike() -> None:
    first, second = (run(OURS, hash_seed=seed) for seed in (1, 2))
    assert first == second
    assert int(first.split()[0]) > 500


def test_the_packages_themselves_play_alike(tmp_path: Path) -> None:
    """The oracle is plain textworld with plain alfworld names, in a process that knows nothing of ours."""
    path = write(tmp_path / "game", frozen.households()[17].game())  # one of the smallest: the packages are slow
    walk = json.loads(run(PLAIN, str(path), str(tmp_path)))
    world = opened(set="file", path=str(path))
    first = world.reset()
    welcome, seen, task = walk[0][1].split("\n\n")
    assert (first.observation, f"Your task is to: {first.goal}") == (seen, task) and welcome.startswith("-=")
    assert world.valid_actions() == walk[0][2]
    for command, feedback, admissible in walk[1:]:
        assert world.step(command).observation == feedback
        assert world.valid_actions() == admissible


def test_a_problem_is_translated_once_on_a_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LABYRINTH_CACHE", str(tmp_path / "cache"))
    made: list[str] = []

    def counted(domain: str, problem: str) -> Any:
        made.append(problem)
        return pddl2sas(domain, problem)

    def read(game: Game) -> list[object]:  # by a process that has not asked before
        task, sas = remembering(counted)(game.domain, game.problem, verbose=False, optimize=True)
        actions = [(a.name, [(p.name, p.type_name) for p in a.parameters]) for a in task.actions]
        types = [(t.name, t.supertype_names) for t in task.types]
        return [sas, actions, types, [(o.name, o.type_name) for o in task.objects], [str(fact) for fact in task.init]]

    one, other = household("heat", 4).game(), household("put", 9).game()
    first = read(one)
    assert read(one) == first and read(other) != first and made == [one.problem, other.problem]
    kept = {place: place.read_bytes() for place in (tmp_path / "cache").iterdir()}
    assert len(kept) == 2
    for place, content in kept.items():  # the disk ran full, or a byte went bad
        place.write_bytes(content[:-100] if len(content) % 2 else content[:500] + b"!" + content[501:])
    assert read(one) == first and made == [one.problem, other.problem, one.problem]
    monkeypatch.setenv("LABYRINTH_CACHE", "/dev/null/cache")  # nothing can be kept there
    assert read(one) == first and len(made) == 4


@slow("playing without the improvements")
def test_improvements_can_be_left_out_to_measure_them() -> None:
    (ours, walk), (theirs, plain) = (json.loads(run(WALK, plain=plain)) for plain in (False, True))
    assert (ours, theirs) == ("labyrinth_envs.alfworld.engine", "textworld.envs.pddl.textgen")
    assert walk == plain and len(walk) > 100


def test_a_command_is_derived_once_unless_an_action_can_change_it() -> None:
    there, here = "go to [{r.name | receptacleatlocation(r, l)}]", "look at [{o.name | objectAtLocation (o, l)}]"
    starts = ["open {r}", there, here, "#look.feedback#"]
    assert derived(DOMAIN, starts) == [*starts, here, "#look.feedback#"]
    assert derived(f"{DOMAIN} (:derived (receptacleAtLocation ?r ?l))", starts) == [*starts, *starts[1:]]


def derived(domain: str, starts: list[str]) -> list[str]:
    """What a grammar derives of these when they are asked for twice."""
    asked: list[str] = []

    def derive(start: str, _: object) -> str:
        asked.append(start)
        return start

    remembering = _remembering(derive, domain)
    for start in starts * 2:
        remembering(start, {"mapping": {}})
    return asked


def test_households_played_in_turn_in_one_process_are_as_each_alone() -> None:
    def steps(games: tuple[int, ...]) -> dict[int, list[str]]:
        worlds = {game: Alfworld(AlfworldParameters(game=game)) for game in games}
        chances = {game: random.Random(game) for game in games}
        seen = {game: [world.reset().model_dump_json()] for game, world in worlds.items()}
        for _ in range(20):
            for game, world in worlds.items():
                seen[game].append(world.step(chances[game].choice(world.valid_actions() or [])).model_dump_json())
        return seen

    assert steps((2, 17)) == steps((2,)) | steps((17,))

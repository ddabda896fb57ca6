"""Equal parameters give the same game and the same steps in any process, and processes share the cache."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from textworld import Game, GameOptions
from textworld.generator import compile_game
from textworld.generator.inform7.world2inform7 import I7_DEFAULT_PATH

from labyrinth_envs.textworld import cooking, hunt, worlds
from labyrinth_envs.textworld.cache import compiled
from labyrinth_envs.textworld.gamedata import GameData
from labyrinth_envs.world import WorldError
from tests.support import many, some

SCRIPT = """
import hashlib, os, random, sys
from labyrinth_envs.textworld import worlds

def opened():
    shared = os.environ["LABYRINTH_CACHE"]
    os.environ["LABYRINTH_CACHE"] = sys.argv[1]
    yield worlds.Hunt(worlds.HuntParameters(seed=4, rename=2))
    yield worlds.LongCleaning(worlds.LongCleaningParameters(rooms=12, movedEvery=4, seed=2))
    os.environ["LABYRINTH_CACHE"] = shared
    yield worlds.CookingHardest(worlds.CookingParameters(stepLimit=150))

for world in opened():
    chance = random.Random(7)
    seen = [world.spec.identity, world.reset().model_dump_json()]
    for _ in range(int(sys.argv[2])):
        actions = world.valid_actions()
        seen += actions
        spoiling = ("eat", "fry", "roast", "grill", "chop", "slice", "dice")
        turn = world.step(chance.choice([action for action in actions if action.split()[0] not in spoiling]))
        seen.append(turn.model_dump_json())
        seen.append(str(world.truth()))
        if turn.end: break
    print(world.spec.identity, len(seen) > 2 * int(sys.argv[2]), hashlib.sha256("|".join(seen).encode()).hexdigest())
"""


def started(cache: Path, hash_seed: int) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONHASHSEED": str(hash_seed)}
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, cache, str(many(100, 25, "turns"))],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_processes_play_alike_whether_they_make_the_games_or_find_them(tmp_path: Path) -> None:
    caches = some([("one", 1), ("one", 2), ("other", 3)])
    makers = [started(tmp_path / cache, hash_seed) for cache, hash_seed in caches]
    outputs = [process.communicate(timeout=300)[0] for process in makers]
    finder = started(tmp_path / "one", 4)
    outputs.append(finder.communicate(timeout=300)[0])
    assert [process.returncode for process in (*makers, finder)] == [0] * len(outputs)
    assert len(set(outputs)) == 1
    lines = [line.split() for line in outputs[0].splitlines()]
    assert len(lines) == 3 and all(line[1] == "True" for line in lines)
    assert [entry.name for entry in (tmp_path / "one").iterdir() if entry.is_dir()] == [lines[0][0]]


def test_a_game_is_made_once_whoever_plays_it_how(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LABYRINTH_CACHE", str(tmp_path))
    built = []

    def build(plan: hunt.Hunt, seed: int) -> GameData:
        built.append(seed)
        return whole(plan, seed)

    whole = hunt.build
    monkeypatch.setattr(hunt, "build", build)
    first = worlds.LongHunt(worlds.LongHuntParameters(rooms=9, seed=4))
    again = worlds.LongHunt(worlds.LongHuntParameters(rooms=9, seed=4, effort=2, rewards="game"))
    assert (built, again.spec.identity) == ([4], first.spec.identity)
    assert again.reset().observation == first.reset().observation
    limits = [float(str(world.spec.parameters["stepLimit"])) for world in (first, again)]
    assert limits == [hunt.EFFORT / 2 * limits[1], limits[1]]
    patient = worlds.LongHunt(
        worlds.LongHuntParameters.model_validate({"rooms": 9, "seed": 4, "stepLimit": 2, "movesAStep": 3})
    )
    patient.reset()
    ends = [patient.step("look").end for _ in range(6)]
    assert (patient.spec.parameters["stepLimit"], ends) == (2, [None] * 5 + ["limit"])
    renamed = worlds.LongHunt(worlds.LongHuntParameters(rooms=9, seed=4, rename=1))
    assert (built, renamed.spec.identity != first.spec.identity) == ([4, 4], True)
    worlds.LongHunt(worlds.LongHuntParameters(rooms=9, seed=5))
    assert built == [4, 4, 5]
    for kept in tmp_path.glob("*.made.z"):
        kept.write_bytes(kept.read_bytes()[:-1] + b"?")
    worlds.LongHunt(worlds.LongHuntParameters(rooms=9, seed=4))
    shutil.rmtree(tmp_path / first.spec.identity)
    worlds.LongHunt(worlds.LongHuntParameters(rooms=9, seed=4)).reset()
    assert built == [4, 4, 5, 4, 4]
    shutil.rmtree(tmp_path / first.spec.identity)
    (tmp_path / first.spec.identity).touch()
    with pytest.raises(WorldError, match="Cannot write the compiled game") as caught:
        worlds.LongHunt(worlds.LongHuntParameters(rooms=9, seed=4)).reset()
    assert caught.value.code == "disk"
    large = worlds.LongHunt(worlds.LongHuntParameters(rooms=36))
    assert large.spec.parameters["stepLimit"] == 280  # of its effort alone, not of the 150 steps of the paper's hunts


def test_a_damaged_cache_entry_is_made_again(tmp_path: Path) -> None:
    data = hunt.make("hunt", 0)
    story = compiled(data, "hunt")
    whole = story.read_bytes()
    try:
        story.write_bytes(whole[:1000])
        assert compiled(data, "hunt").read_bytes() == whole
    finally:
        story.write_bytes(whole)


def test_a_game_compiled_without_the_index_is_the_same_story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = hunt.make("hunt-hard", 5)
    path = str(tmp_path / "plain.z8")
    options = GameOptions()
    options.path = path
    compile_game(Game.deserialize(json.loads(json.dumps(data))), options)
    inform, log = tmp_path / "inform", tmp_path / "log"
    shutil.copytree(I7_DEFAULT_PATH, inform, symlinks=True)
    ni = inform / "share" / "inform7" / "Compilers" / "ni"
    ni.rename(ni.with_name("real"))
    ni.write_text(f'#!/bin/sh\necho "$@" > "{log}"\nexec "{ni.with_name("real")}" "$@"\n')
    ni.chmod(0o755)
    monkeypatch.setenv("INFORM_HOME", str(inform))
    monkeypatch.setenv("LABYRINTH_CACHE", str(tmp_path / "games"))
    assert compiled(data, "hunt").read_bytes() == Path(path).read_bytes()
    assert "--noindex" in log.read_text().split()


def test_making_a_game_writes_into_the_cache_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("home", "temporary"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LABYRINTH_CACHE", str(tmp_path / "games"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    compiled(cooking.make("cooking", 3), "cooking")
    assert (list((tmp_path / "home").iterdir()), list((tmp_path / "temporary").iterdir())) == ([], [])
    assert len([entry for entry in (tmp_path / "games").iterdir() if not entry.name.endswith(".parse.z")]) == 1
    assert (os.environ["HOME"], tempfile.gettempdir()) == (str(tmp_path / "home"), str(tmp_path / "temporary"))

"""Equal parameters give the same game and the same hundred steps in any process, and processes share the cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import hashlib, random, sys
from labyrinth_envs.textworld import worlds
for world in (
    worlds.Hunt(worlds.HuntParameters(seed=4, rename=2)),
    worlds.CookingHardest(worlds.CookingParameters(stepLimit=150)),
    worlds.Cleaning(worlds.Made(seed=5)),
):
    chance = random.Random(7)
    seen = [world.spec.identity, world.reset().model_dump_json()]
    for _ in range(100):
        actions = world.valid_actions()
        seen += actions
        spoiling = ("eat", "fry", "roast", "grill", "chop", "slice", "dice")
        turn = world.step(chance.choice([action for action in actions if action.split()[0] not in spoiling]))
        seen.append(turn.model_dump_json())
        seen.append(str(world.truth()))
        if turn.end: break
    print(world.spec.identity, len(seen) > 200, hashlib.sha256("|".join(seen).encode()).hexdigest())
"""


def started(cache: Path, hash_seed: int) -> subprocess.Popen[str]:
    environment = os.environ | {"PYTHONHASHSEED": str(hash_seed), "LABYRINTH_CACHE": str(cache)}
    return subprocess.Popen([sys.executable, "-c", SCRIPT], env=environment, stdout=subprocess.PIPE, text=True)


def test_two_processes_play_alike_from_one_new_cache(tmp_path: Path) -> None:
    processes = [started(tmp_path / "games", hash_seed) for hash_seed in (1, 2)]
    first, second = (process.communicate(timeout=120)[0] for process in processes)
    assert [process.returncode for process in processes] == [0, 0]
    assert first == second
    lines = [line.split() for line in first.splitlines()]
    assert len(lines) == 3 and all(line[1] == "True" for line in lines)
    assert sorted(entry.name for entry in (tmp_path / "games").iterdir()) == sorted(line[0] for line in lines)


def test_a_damaged_cache_entry_is_made_again(tmp_path: Path) -> None:
    from labyrinth_envs.textworld import hunt
    from labyrinth_envs.textworld.cache import compiled

    data = hunt.make("hunt", 0)
    story = compiled(data, "hunt")
    whole = story.read_bytes()
    try:
        story.write_bytes(whole[:1000])
        assert compiled(data, "hunt").read_bytes() == whole
    finally:
        story.write_bytes(whole)


def test_compiling_leaves_nothing_at_home(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    code = "from labyrinth_envs.textworld import cache, cooking; cache.compiled(cooking.make('cooking', 3), 'cooking')"
    environment = os.environ | {
        "HOME": str(home),
        "TMPDIR": str(temporary),
        "LABYRINTH_CACHE": str(tmp_path / "games"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=60)
    assert (list(home.iterdir()), list(temporary.iterdir())) == ([], [])
    assert len(list((tmp_path / "games").iterdir())) == 1

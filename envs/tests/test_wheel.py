from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.support import slow

ENVS = Path(__file__).parents[1]

PLAY = """
import json
from labyrinth_envs.worker import catalogue
from labyrinth_envs.worlds import WORLDS, load_world
world = load_world("babyai", WORLDS["babyai"])
turn = world(world.Parameters()).reset()
print(json.dumps([turn.goal, {entry.id: entry.problem for entry in catalogue(WORLDS).worlds}]))
"""


@slow("installing the wheel")
def test_the_wheel_installs_with_one_extra_and_plays_that_world_alone(tmp_path: Path) -> None:
    def run(*command: str | Path) -> str:
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
        ended = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    python = tmp_path / "venv" / "bin" / "python"
    run("uv", "build", "--quiet", "--wheel", "--out-dir", tmp_path, ENVS)
    (wheel,) = tmp_path.glob("*.whl")
    run("uv", "venv", "--quiet", "--python", sys.executable, tmp_path / "venv")
    run("uv", "pip", "install", "--quiet", "--python", python, f"{wheel}[babyai]")
    goal, problems = json.loads(run(python, "-c", PLAY).splitlines()[-1])
    assert "door" in goal
    own = [problems.pop(id) for id in [*problems] if id.partition("/")[0] == "babyai"]
    assert own and not any(own)
    for id, problem in problems.items():
        assert f"pip install 'labyrinth-envs[{id.partition('/')[0]}]'" in problem

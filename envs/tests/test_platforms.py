from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from scripts import platforms
from tests.support import some

TARGETS = {
    "Linux x86_64": "x86_64-manylinux_2_28",
    "Linux arm64": "aarch64-manylinux_2_28",
    "macOS arm64": "aarch64-apple-darwin",
    "macOS x86_64": "x86_64-apple-darwin",
}
ENVS = Path(__file__).parents[1]
LOCK: dict[str, Any] = tomllib.loads((ENVS / "uv.lock").read_text(encoding="utf-8"))
EXTRAS = tomllib.loads((ENVS / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


def test_the_page_holds_the_table_of_the_lock() -> None:
    written = platforms.PAGE.read_text(encoding="utf-8").partition(platforms.BEGIN)[2].partition(platforms.END)[0]
    assert written == platforms.section(LOCK), "run: envs/.venv/bin/python envs/scripts/platforms.py --write"


@pytest.mark.skipif(shutil.which("uv") is None, reason="uv is not on the path")
@pytest.mark.parametrize("extra", some(list(EXTRAS)))
def test_a_cell_says_prebuilt_where_uv_needs_no_build(extra: str, tmp_path: Path) -> None:
    for name, target in TARGETS.items():
        options = ["--no-build", "--dry-run", "--no-install-project", "--no-default-groups", "--extra", extra]
        command = ["uv", "sync", "--frozen", "--offline", *options, "--python-platform", target]
        environment = os.environ | {"UV_PROJECT_ENVIRONMENT": str(tmp_path / "none")}
        ended = subprocess.run(command, cwd=ENVS, env=environment, capture_output=True, text=True, timeout=300)
        assert (ended.returncode == 0) == (platforms.cell(LOCK, extra, name) == "prebuilt"), (name, ended.stderr)


def test_a_package_without_wheels_and_without_named_tools_is_refused() -> None:
    packages = [{**package, "wheels": []} if package["name"] == "minigrid" else package for package in LOCK["package"]]
    with pytest.raises(LookupError, match="babyai builds minigrid on Linux arm64; say in TOOLS what that takes"):
        platforms.cell({"package": packages}, "babyai", "Linux arm64")

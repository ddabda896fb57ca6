"""The table of `docs/reference/platforms.md`, made from `envs/uv.lock`: which worlds install where, and from what.

`python envs/scripts/platforms.py` prints the table; `--write` puts it into the page between its two marks.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from packaging.markers import Marker
from packaging.tags import Tag
from packaging.utils import parse_wheel_filename

from labyrinth_envs.extras import TOOLS, X86_64_ONLY

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "platforms.md"
BEGIN, END = "<!-- platforms: made by envs/scripts/platforms.py -->", "<!-- end of platforms -->"

PROJECT = "labyrinth-envs"
SERVER = "the server alone"
PLATFORMS = {
    "Linux x86_64": ("linux", "x86_64"),
    "Linux arm64": ("linux", "aarch64"),
    "macOS arm64": ("darwin", "arm64"),
    "macOS x86_64": ("darwin", "x86_64"),
}
"""Name in the table → `sys.platform` and `platform.machine()`."""
PYTHONS = ("3.11", "3.12", "3.13")
"""A package counts as prebuilt if it has a wheel for each of these."""

Package = Mapping[str, Any]


def main(arguments: list[str]) -> int:
    """Prints the table, or writes it into the page."""
    with (ROOT / "envs" / "uv.lock").open("rb") as file:
        made = section(tomllib.load(file))
    if arguments == ["--write"]:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        PAGE.write_text(before + BEGIN + made + END + rest.partition(END)[2], encoding="utf-8")
    else:
        print(made)
    return 0


def section(lock: Package) -> str:
    """The table and the tools that its words "with a compiler" stand for, Markdown."""
    project = next(package for package in lock["package"] if package["name"] == PROJECT)
    extras = [None, *sorted(project["optional-dependencies"])]
    rows = [[f"`{extra}`" if extra else SERVER, *(cell(lock, extra, name) for name in PLATFORMS)] for extra in extras]
    table = [["", *PLATFORMS], ["---"] * (1 + len(PLATFORMS)), *rows]
    lines = ["| " + " | ".join(row) + " |" for row in table]
    tools = "; ".join(f"`{extra}` {TOOLS[extra]}" for extra in sorted(TOOLS))
    return "\n" + "\n".join(lines) + f"\n\nBuilding takes: {tools}.\n"


def cell(lock: Package, extra: str | None, name: str) -> str:
    """How an extra comes onto a platform: `prebuilt`, `builds` and the packages, under Rosetta, or `no`.

    Raises:
        LookupError: a package has to be built, and `TOOLS` does not say with what.
    """
    system, machine = PLATFORMS[name]
    built = sorted({package for python in PYTHONS for package in source_packages(lock, extra, name, python)})
    if not built:
        return "prebuilt"
    if extra is None or extra not in TOOLS:
        raise LookupError(f"{extra or SERVER} builds {', '.join(built)} on {name}; say in TOOLS what that takes")
    if extra in X86_64_ONLY and machine != "x86_64":
        return "as macOS x86_64, under Rosetta" if system == "darwin" else "no"
    return f"builds {', '.join(built)}"


def source_packages(lock: Package, extra: str | None, name: str, python: str) -> Iterator[str]:
    """The packages of an extra (with all that they need) for which a platform and a Python have no wheel."""
    system, machine = PLATFORMS[name]
    environment = {
        "extra": "",
        "implementation_name": "cpython",
        "os_name": "posix",
        "platform_machine": machine,
        "platform_python_implementation": "CPython",
        "platform_system": {"linux": "Linux", "darwin": "Darwin"}[system],
        "python_full_version": f"{python}.9",
        "python_version": python,
        "sys_platform": system,
    }
    packages = {(package["name"], package.get("version")): package for package in lock["package"]}
    by_name = {package["name"]: package for package in lock["package"]}
    waiting: list[tuple[Package, str | None]] = [(by_name[PROJECT], extra), (by_name[PROJECT], None)]
    seen = set()
    while waiting:
        package, of = waiting.pop()
        if (package["name"], of) in seen:
            continue
        seen.add((package["name"], of))
        if (
            package["name"] != PROJECT
            and of is None
            and not any(
                fits(tag, system, machine, python)
                for wheel in package.get("wheels", [])
                for tag in parse_wheel_filename(wheel["url"].rpartition("/")[2])[3]
            )
        ):
            yield package["name"]
        for need in package.get("optional-dependencies", {}).get(of, []) if of else package.get("dependencies", []):
            if "marker" in need and not Marker(need["marker"]).evaluate(environment):
                continue
            needed = packages.get((need["name"], need.get("version"))) or by_name[need["name"]]
            waiting += [(needed, more) for more in [None, *need.get("extra", [])]]


def fits(tag: Tag, system: str, machine: str, python: str) -> bool:
    """Whether a wheel of this tag installs there: on glibc 2.28 or newer, or on macOS 14 or newer."""
    version = python.replace(".", "")
    stable = tag.abi == "abi3" and tag.interpreter.startswith("cp3") and int(tag.interpreter[3:]) <= int(version[1:])
    if not (stable or tag.interpreter in (f"cp{version}", "py3", f"py{version}")) or tag.abi == f"cp{version}t":
        return False
    if tag.platform == "any":
        return True
    start, kinds = ("manylinux", (machine,)) if system == "linux" else ("macosx", (machine, "universal2"))
    return tag.platform.startswith(start) and tag.platform.endswith(kinds)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

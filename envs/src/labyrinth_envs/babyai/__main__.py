"""The command line of layouts: `python -m labyrinth_envs.babyai draw | freeze | check | picture`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import get_args

from labyrinth_envs.__main__ import Parser
from labyrinth_envs.babyai import art, filters, maze, oracle
from labyrinth_envs.babyai import draw as drawing
from labyrinth_envs.babyai.layouts import LARGE, Layout, MissionName, Missions, load, written
from labyrinth_envs.babyai.level import Level
from labyrinth_envs.babyai.world import horizon
from labyrinth_envs.world import WorldError

SETS: tuple[tuple[int, int], ...] = ((2, 5), (3, 5), (4, 6), (7, 6))
"""Rooms a side, and layouts of each density: 5 as §B.1 says; 2 × 6 × 3 trials make the 36 of Table 4."""
DENSITIES = (1, 3)


def main(arguments: list[str] | None = None) -> int:
    """Runs one command; returns the exit status."""
    options = parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        return status
    except WorldError as error:
        print(f"labyrinth_envs.babyai: {error}", file=sys.stderr)
        return 2


def parser() -> Parser:
    """Builds the parser of all commands and their options."""
    top = Parser(prog="labyrinth_envs.babyai", description="Layouts of the world babyai.")
    commands = top.add_subparsers(required=True, metavar="draw | freeze | check | picture", parser_class=Parser)
    draw = commands.add_parser("draw", help="print one new layout")
    draw.set_defaults(run=print_drawn)
    draw.add_argument("--size", type=int, default=3, choices=range(2, 11), metavar="N", help="rooms a side, 2 to 10")
    draw.add_argument("--density", type=int, default=1, choices=range(1, 9), metavar="N", help="things a room, 1 to 8")
    draw.add_argument("--seed", type=int, default=0)
    draw.add_argument("--locks", type=int, choices=range(1, 4), metavar="N", help="draw a maze with N locks")
    draw.add_argument(
        "--merged", type=int, default=0, choices=range(51), metavar="N", help="walls of a maze to take away; default 0"
    )
    draw.add_argument("--id", default="", help="its name; default NxN-dD-SEED")
    draw.add_argument("--mission", action="append", choices=get_args(MissionName), help="default: both")
    freeze = commands.add_parser("freeze", help="write the layouts that come with Labyrinth (minutes)")
    freeze.set_defaults(run=freeze_all)
    freeze.add_argument("folder", type=Path, metavar="DIR")
    freeze.add_argument("--size", type=int, choices=[size for size, _ in SETS], help="of this size alone")
    check = commands.add_parser("check", help="say whether layouts pass the paper's filters and the oracle solves them")
    check.set_defaults(run=check_all)
    check.add_argument("layouts", nargs="+", metavar="LAYOUT", help="an id or a file")
    picture = commands.add_parser("picture", help="draw the whole map of a layout")
    picture.set_defaults(run=draw_picture)
    picture.add_argument("layout", metavar="LAYOUT")
    picture.add_argument("file", type=Path, metavar="PNG")
    return top


def print_drawn(options: argparse.Namespace) -> int:
    """Prints one layout as JSON."""
    name = options.id or f"{options.size}x{options.size}-d{options.density}-{options.seed}"
    missions = options.mission or get_args(MissionName)
    if options.locks or options.merged:
        layout = maze.draw(options.size, options.density, options.locks or 1, options.merged, options.seed, missions)
        layout.id = options.id or layout.id
        if options.mission:
            layout.missions = Missions.model_validate({name: layout.mission(name) for name in missions})
    else:
        layout = drawing.draw(name, options.size, options.density, options.seed, missions)
    print(written(layout), end="")
    return 0


def freeze_all(options: argparse.Namespace) -> int:
    """Draws and writes the sets of the paper, and says how long the oracle's ways are."""
    for size, count in SETS:
        for density in DENSITIES if options.size in (None, size) else ():
            for seed in range(count):
                layout = frozen_one(size, density, seed)
                (options.folder / f"{layout.id}.json").write_text(written(layout), encoding="utf-8")
                print(_summary(layout), flush=True)
    return 0


def frozen_one(size: int, density: int, seed: int) -> Layout:
    """Draws one layout of the sets: with both missions up to 3 × 3 rooms, above with put-next-to alone (Table 4)."""
    missions = get_args(MissionName) if size < LARGE else ("put-next-to",)
    return drawing.draw(f"{size}x{size}-d{density}-{seed}", size, density, seed, missions)


def check_all(options: argparse.Namespace) -> int:
    """Says of each layout what it is or what is wrong with it; status 1 where something is."""
    wrong = 0
    for name in options.layouts:
        layout = load(name)
        missions = layout.missions.names()
        if layout.merged or sum(door.state == "locked" for door in layout.doors) > 1:
            reason = maze.refusal(layout)
            lost = [m for m in missions if oracle.guide(layout, m) is None]
        else:
            reason = filters.refusal(layout, missions)
            lost = [m for m in missions if oracle.solve(layout, m, horizon(layout.size, m)) is None]
        reason = reason or (f"the oracle does not solve {', '.join(lost)}" if lost else None)
        wrong += reason is not None
        print(f"{layout.id}: {reason}" if reason else _summary(layout))
    return 1 if wrong else 0


def draw_picture(options: argparse.Namespace) -> int:
    """Writes a PNG of the map at the start."""
    layout = load(options.layout)
    level = Level(layout, layout.missions.names()[0], 1)
    level.begin()
    options.file.write_bytes(art.whole(level))
    return 0


def _summary(layout: Layout) -> str:
    tasks = [(name, layout.mission(name)) for name in layout.missions.names()]
    ways = [f"{name} in {len(task.oracle)} steps through {task.min_rooms}+ rooms" for name, task in tasks]
    return f"{layout.id}: {'; '.join(ways)}"


if __name__ == "__main__":
    sys.exit(main())

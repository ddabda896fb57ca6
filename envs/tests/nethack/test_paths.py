"""Ways over drawn levels; lengths are counted by hand, and checked against networkx on noise."""

from __future__ import annotations

import random

import networkx

from labyrinth_envs.nethack import glyphs
from labyrinth_envs.nethack.level import Level, Monster, Thing
from labyrinth_envs.nethack.paths import Paths
from labyrinth_envs.nethack.screen import COLUMNS, ROWS
from tests.nethack.drawn import graph, level


def test_doors_are_passed_straight_on_and_doorways_aslant() -> None:
    door, doorway = "\n...\n.. \n 'x\n...".replace("x", " "), "\n...\n.. \n o \n..."
    assert Paths(level(door), (0, 1)).to((1, 2)) == [(1, 1), (1, 2)]
    assert Paths(level(doorway), (0, 1)).to((1, 2)) == [(1, 2)]
    assert Paths(level("'.\n.."), (0, 0)).steps[1, 1] == 2 and Paths(level("o.\n.."), (0, 0)).steps[1, 1] == 1


def test_walls_water_traps_and_closed_doors_are_not_walked_on() -> None:
    for barrier in "|-+^} ":
        assert Paths(level(f"..{barrier}.."), (0, 0)).to((3, 0)) is None
        assert Paths(level(f"..{barrier}.."), (0, 0)).bump((2, 0)) == [(1, 0), (2, 0)]
    for ground in ".#o'><?":
        assert Paths(level(f"..{ground}.."), (0, 0)).to((3, 0)) == [(1, 0), (2, 0), (3, 0)]


def test_a_closed_door_is_bumped_into_straight() -> None:
    paths = Paths(level("...\n.+.\n..."), (0, 0))
    assert paths.bump((1, 1)) in ([(1, 0), (1, 1)], [(0, 1), (1, 1)])
    assert paths.beside((1, 1)) == (0, 0) and paths.beside((1, 1), straight=True) in ((1, 0), (0, 1))


def test_what_is_avoided_and_what_led_nowhere_is_gone_around() -> None:
    ground = level("...\n...")
    assert Paths(ground, (0, 0)).to((2, 0)) == [(1, 0), (2, 0)]
    assert Paths(ground, (0, 0), avoid={(1, 0)}).to((2, 0)) == [(1, 1), (2, 0)]
    assert Paths(ground, (0, 0), stuck={((0, 0), (1, 0))}).to((2, 0)) == [(1, 1), (2, 0)]
    assert Paths(ground, (0, 0)).to((0, 0)) == []


def test_lengths_agree_with_networkx_on_random_ground() -> None:
    chance = random.Random(5)
    for _ in range(5):
        ground = [[chance.choice([glyphs.STONE, 19, 19, 21, 12]) for _ in range(COLUMNS)] for _ in range(ROWS)]
        ground[10][40] = 19
        cells = networkx.Graph()
        for y in range(ROWS):
            for x in range(COLUMNS):
                for near in ((x + 1, y), (x, y + 1), (x + 1, y + 1), (x - 1, y + 1)):
                    if 0 <= near[0] < COLUMNS and near[1] < ROWS and ground[y][x] and ground[near[1]][near[0]]:
                        cells.add_edge((x, y), near)
        wanted = networkx.single_source_shortest_path_length(cells, (40, 10)) if (40, 10) in cells else {(40, 10): 0}
        paths = Paths(ground, (40, 10))
        assert paths.steps == dict(wanted)
        way = paths.to(max(paths.steps, key=paths.steps.__getitem__))
        assert way is not None and len(way) == max(paths.steps.values())


def test_what_bars_a_way_is_the_first_creature_or_boulder_on_it_but_no_pet() -> None:
    place = Level(0, 1, 1, graph(), level("......\n |||| "))
    place.monsters = [Monster(1, 0, 0, "kitten", True), Monster(4, 0, 0, "newt", False)]
    assert place.obstacle((0, 0), [(5, 0)]) == "the newt at (4, 0)"
    assert place.obstacle((0, 0), [(4, 0)]) is None  # who is the goal is no obstacle
    place.objects[2, 0] = Thing(glyphs.BOULDER, "boulder")
    assert place.obstacle((0, 0), [(5, 0)]) == "the boulder at (2, 0)"
    assert place.obstacle((0, 0), [(5, 0), (1, 0)]) is None  # the nearer one is free
    assert place.obstacle((0, 0), [(2, 0), (3, 0)]) == "the boulder at (2, 0)"  # the free one is behind it
    assert place.obstacle((0, 0), [(9, 9)]) is None and place.obstacle((0, 0), []) is None

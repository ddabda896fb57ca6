"""Cleaning: a house of nine rooms in which eleven of 33 things are out of place (AriGraph, arXiv 2407.04363, §4).

The house is our own, on the paper's plan of rooms; with seed 0 the eleven misplaced things, where they lie and where
they belong are the paper's. Any other seed lays the rooms out anew and misplaces eleven other things. The game itself
has no quest: rewards are the world's (`scoring.TidyScore`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from textworld import GameMaker

from labyrinth_envs.textworld.gamedata import GameData, options, to_data

MISPLACED = 11

FURNITURE = {  # room → where things can lie; `!` marks what opens and closes
    "Bathroom": "bathroom sink, towel rack, toilet",
    "Kids Room": "kids bed, study table, !toy storage cabinet",
    "Living Room": "sofa, TV table, game cabinet",
    "Kitchen": "cook table, !dishwasher, !refrigerator",
    "Dining Room": "dining table",
    "Master Bedroom": "king size bed, bedside table, !wardrobe",
    "Gym": "dumbbell stand, treadmill, !gym locker",
    "Swimming Pool Area": "pool equipment rack, chemicals shelf",
    "Library": "bookcase, reading table",
}

HOMES = {  # thing → where it belongs
    "toothbrush": "bathroom sink",
    "deodorant": "bathroom sink",
    "wet towel": "towel rack",
    "toilet paper": "toilet",
    "toy car": "toy storage cabinet",
    "toy sword": "toy storage cabinet",
    "felt tip pens": "study table",
    "school notebook": "study table",
    "decorative pillow": "sofa",
    "remote control": "TV table",
    "game controller": "game cabinet",
    "dirty plate": "dishwasher",
    "raw meat": "refrigerator",
    "milk": "refrigerator",
    "cheese": "refrigerator",
    "cutting board": "cook table",
    "elegant table runner": "dining table",
    "candlestick": "dining table",
    "salt shaker": "dining table",
    "business suit": "wardrobe",
    "evening dress": "wardrobe",
    "sleeping lamp": "bedside table",
    "alarm clock": "bedside table",
    "dumbbell": "dumbbell stand",
    "yoga mat": "gym locker",
    "jump rope": "gym locker",
    "swimming fins": "pool equipment rack",
    "swimming goggles": "pool equipment rack",
    "life ring": "pool equipment rack",
    "chlorine": "chemicals shelf",
    "fantasy book": "bookcase",
    "detective book": "bookcase",
    "reading glasses": "reading table",
}

PAPER_MESS = {  # thing → where it lies in the paper's game; a room stands for its floor
    "toothbrush": "dining table",
    "dirty plate": "kids bed",
    "dumbbell": "study table",
    "raw meat": "sofa",
    "wet towel": "king size bed",
    "swimming fins": "reading table",
    "toy car": "Swimming Pool Area",
    "fantasy book": "Gym",
    "business suit": "cook table",
    "sleeping lamp": "toilet",
    "elegant table runner": "Bathroom",
}

_SOME = frozenset(
    (
        "deodorant,toilet paper,felt tip pens,raw meat,milk,cheese,swimming fins,swimming goggles,chlorine"
        ",reading glasses"
    ).split(",")
)
"""Things with the article "some" in place of "a"."""


@dataclass(frozen=True)
class House:
    """`rooms` fills a grid of three by three row by row from the north; `places`: where each thing lies at first."""

    rooms: tuple[str, ...]
    places: dict[str, str]
    start: str


def make(seed: int) -> GameData:
    """The paper's mess (seed 0) or a new one."""
    house = House(tuple(FURNITURE), HOMES | PAPER_MESS, "Dining Room") if seed == 0 else draw(seed)
    return build(house, seed)


def draw(seed: int) -> House:
    """Rooms in another order; eleven things on furniture or floors of rooms in which they do not belong."""
    rng = np.random.RandomState(seed)
    rooms = tuple(str(room) for room in rng.permutation(list(FURNITURE)))
    room_of = {place: room for room in FURNITURE for place in (room, *_furniture(room))}
    open_places = [place for place in room_of if place not in _closing()]
    places = dict(HOMES)
    for thing in (str(thing) for thing in rng.permutation(list(HOMES))[:MISPLACED]):
        elsewhere = [place for place in open_places if room_of[place] != room_of[HOMES[thing]]]
        places[thing] = elsewhere[rng.randint(len(elsewhere))]
    return House(rooms, places, rooms[4])


def build(house: House, seed: int) -> GameData:
    """The house as a TextWorld game; the seed words its room texts."""
    maker = GameMaker(options(seed))
    rooms = [maker.new_room(name) for name in house.rooms]
    for index, room in enumerate(rooms):
        if index % 3 < 2:
            maker.connect(room.east, rooms[index + 1].west)
        if index < 6:
            maker.connect(room.south, rooms[index + 3].north)
    holders = dict(zip(house.rooms, rooms, strict=True))
    for room in house.rooms:
        for name in _furniture(room):
            if name in _closing():
                holders[name] = maker.new(type="c", name=name)
                maker.add_fact("closed", holders[name])
            else:
                holders[name] = maker.new(type="s", name=name, desc=f"The {name} is sturdy.")
            holders[room].add(holders[name])
    for name, place in house.places.items():
        thing = maker.new(type="o", name=name, desc=_described(name))
        if name in _SOME:
            thing.infos.indefinite = "some"
        holders[place].add(thing)
    maker.set_player(holders[house.start])
    game = maker.build()
    game.objective = ""
    return to_data(game, kind="cleaning", homes=HOMES)


def _furniture(room: str) -> list[str]:
    return [name.removeprefix("!") for name in FURNITURE[room].split(", ")]


def _closing() -> frozenset[str]:
    return frozenset(name[1:] for line in FURNITURE.values() for name in line.split(", ") if name.startswith("!"))


def _described(thing: str) -> str:
    """Own words, since TextWorld's would call things out of place at random."""
    article = "some" if thing in _SOME else "an" if thing[0] in "aeiou" else "a"
    return f"It is {article} {thing}."

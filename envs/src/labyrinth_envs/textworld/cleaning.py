"""Cleaning: a house of nine rooms in which eleven of 33 things are out of place (AriGraph, arXiv 2407.04363, §4).

The house is our own, on the paper's plan of rooms; with seed 0 the eleven misplaced things, where they lie and where
they belong are the paper's. Any other seed lays the rooms out anew and misplaces eleven other things. The game itself
has no quest: rewards are the world's (`scoring.TidyScore`).

Of another number of rooms every kind comes as often as any other, or once more, with its furniture and its things, of
which a third are out of place. Where there are several rooms of a kind, they, their furniture and their things bear
numbers, and a thing belongs on any piece of furniture of its kind, since nothing tells which.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

import numpy as np
from textworld import Game, GameMaker

from labyrinth_envs.textworld.gamedata import GameData, options, to_data

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
    """`rooms` fills a grid as wide as long, row by row from the north; `places`: where each thing lies at first."""

    rooms: tuple[str, ...]
    places: dict[str, str]
    start: str
    homes: dict[str, list[str]] = field(default_factory=lambda: {thing: [home] for thing, home in HOMES.items()})
    """Thing → the places where it belongs."""


def make(seed: int) -> GameData:
    """The paper's mess (seed 0) or a new one."""
    house = House(tuple(FURNITURE), HOMES | PAPER_MESS, "Dining Room") if seed == 0 else draw(seed)
    return to_data(build(house, seed), kind="cleaning", homes=HOMES)


def draw(seed: int, rooms: int = len(FURNITURE)) -> House:
    """Rooms in another order; a third of the things on furniture or floors of rooms in which they do not belong."""
    rng = np.random.RandomState(seed)
    names = _room_names(rooms, rng)
    order = tuple(str(room) for room in rng.permutation(names))
    room_of = {place: room for room in names for place in (room, *furniture(room))}
    alike: dict[str, list[str]] = {}
    for place in room_of:
        alike.setdefault(kind_of(place), []).append(place)
    places = {thing + place.removeprefix(home): place for thing, home in HOMES.items() for place in alike.get(home, ())}
    homes = {thing: alike[kind_of(place)] for thing, place in places.items()}
    open_places = [place for place in room_of if not closes(place)]
    for thing in (str(thing) for thing in rng.permutation(list(places))[: len(places) // 3]):
        right = {room_of[home] for home in homes[thing]}
        elsewhere = [place for place in open_places if room_of[place] not in right]
        places[thing] = elsewhere[rng.randint(len(elsewhere))]
    return House(order, places, order[rooms // 2], homes)


def _room_names(count: int, rng: np.random.RandomState) -> list[str]:
    """Rooms of each kind, numbered where there are several of one."""
    each, rest = divmod(count, len(FURNITURE))
    once_more = set(rng.permutation(list(FURNITURE))[:rest]) if rest else set()
    copies = {kind: each + (kind in once_more) for kind in FURNITURE}
    return [kind if most == 1 else f"{kind} {n}" for kind, most in copies.items() for n in range(1, most + 1)]


def ways(house: House) -> dict[str, dict[str, str]]:
    """Room → compass word → room; neighbours on the grid are joined."""
    width = math.isqrt(len(house.rooms) - 1) + 1
    found: dict[str, dict[str, str]] = {room: {} for room in house.rooms}
    for index, room in enumerate(house.rooms):
        for way, back, other in (("east", "west", index + 1), ("south", "north", index + width)):
            if other < len(house.rooms) and (way == "south" or other % width):
                found[room][way] = house.rooms[other]
                found[house.rooms[other]][back] = room
    return found


def build(house: House, seed: int, *, validate: bool = True) -> Game:
    """The house as a TextWorld game; the seed words its room texts."""
    maker = GameMaker(options(seed))
    holders = {name: maker.new_room(name) for name in house.rooms}
    for name, passages in ways(house).items():
        for way, back in (("east", "west"), ("south", "north")):
            if way in passages:
                maker.connect(getattr(holders[name], way), getattr(holders[passages[way]], back))
    for room in house.rooms:
        for name in furniture(room):
            if closes(name):
                holders[name] = maker.new(type="c", name=name)
                maker.add_fact("closed", holders[name])
            else:
                holders[name] = maker.new(type="s", name=name, desc=f"The {name} is sturdy.")
            holders[room].add(holders[name])
    for name, place in house.places.items():
        thing = maker.new(type="o", name=name, desc=_described(name))
        if kind_of(name) in _SOME:
            thing.infos.indefinite = "some"
        holders[place].add(thing)
    maker.set_player(holders[house.start])
    game = maker.build(validate=validate)
    game.objective = ""
    return game


def kind_of(name: str) -> str:
    """A name without its number."""
    return re.sub(r" \d+$", "", name)


def furniture(room: str) -> list[str]:
    """What a room has for things to lie on or in, with the room's number."""
    kind = kind_of(room)
    return [name.removeprefix("!") + room.removeprefix(kind) for name in FURNITURE[kind].split(", ")]


def closes(place: str) -> bool:
    """Whether a place opens and closes."""
    return kind_of(place) in _CLOSING


_CLOSING = frozenset(name[1:] for line in FURNITURE.values() for name in line.split(", ") if name.startswith("!"))


def _described(thing: str) -> str:
    """Own words, since TextWorld's would call things out of place at random."""
    article = "some" if kind_of(thing) in _SOME else "an" if thing[0] in "aeiou" else "a"
    return f"It is {article} {thing}."

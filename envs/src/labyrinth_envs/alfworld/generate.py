"""Draws households: a room, what stands in it, what lies where, and a task that can be solved.

Everything follows from the task type and the seed. Rooms and their furniture are those that ALFWorld's scenes have, in
our own numbers; what may lie where, and what can be heated, cooled or cleaned, the package says (`HOLDS`, `DOES`).
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from labyrinth_envs.alfworld.household import STATIONS, Household, TaskType
from labyrinth_envs.alfworld.package import DOES, HOLDS

LAMP = "DeskLamp"


@dataclass(frozen=True)
class Room:
    """The contents of a kind of room: receptacle types with least and greatest number, and object types."""

    furniture: dict[str, tuple[int, int]]
    things: tuple[str, ...]
    tasks: frozenset[TaskType]


ROOMS: dict[str, Room] = {
    "kitchen": Room(
        {
            "Cabinet": (3, 12),
            "CoffeeMachine": (1, 1),
            "CounterTop": (1, 3),
            "DiningTable": (0, 1),
            "Drawer": (2, 9),
            "Fridge": (1, 1),
            "GarbageCan": (1, 1),
            "Microwave": (1, 1),
            "Shelf": (0, 3),
            "SideTable": (0, 1),
            "SinkBasin": (1, 1),
            "StoveBurner": (2, 4),
            "Toaster": (1, 1),
        },
        tuple(
            "Apple Bowl Bread ButterKnife CreditCard Cup DishSponge Egg Fork Glassbottle Kettle Knife Ladle Lettuce Mug"
            " Pan PepperShaker Plate Pot Potato SaltShaker SoapBottle Spatula Spoon Statue Tomato"
            " Vase WineBottle".split()
        ),
        frozenset({"put", "clean", "heat", "cool", "puttwo"}),
    ),
    "living room": Room(
        {
            "ArmChair": (1, 2),
            "Cabinet": (0, 4),
            "CoffeeTable": (1, 2),
            "DiningTable": (0, 1),
            "Drawer": (1, 6),
            "Dresser": (0, 1),
            "GarbageCan": (1, 1),
            "Ottoman": (0, 1),
            "Safe": (0, 1),
            "Shelf": (0, 6),
            "SideTable": (1, 3),
            "Sofa": (1, 2),
        },
        tuple(
            "Book Bowl Candle CellPhone CreditCard KeyChain Laptop Newspaper Pencil Pillow Plate RemoteControl Statue"
            " TissueBox Vase Watch WateringCan".split()
        ),
        frozenset({"put", "examine", "puttwo"}),
    ),
    "bedroom": Room(
        {
            "ArmChair": (0, 1),
            "Bed": (1, 1),
            "Cabinet": (0, 3),
            "Desk": (1, 2),
            "Drawer": (2, 8),
            "Dresser": (0, 1),
            "GarbageCan": (1, 1),
            "LaundryHamper": (0, 1),
            "Safe": (0, 1),
            "Shelf": (0, 6),
            "SideTable": (1, 2),
        },
        tuple(
            "AlarmClock BaseballBat BasketBall Book Bowl CD CellPhone Cloth CreditCard KeyChain Laptop Mug Pen Pencil"
            " Pillow RemoteControl TennisRacket TissueBox Vase Watch".split()
        ),
        frozenset({"put", "examine", "puttwo"}),
    ),
    "bathroom": Room(
        {
            "BathtubBasin": (0, 1),
            "Cabinet": (2, 6),
            "Cart": (0, 1),
            "CounterTop": (1, 1),
            "Drawer": (0, 4),
            "GarbageCan": (1, 1),
            "HandTowelHolder": (1, 2),
            "Shelf": (0, 2),
            "SinkBasin": (1, 2),
            "Toilet": (1, 1),
            "ToiletPaperHanger": (1, 1),
            "TowelHolder": (1, 2),
        },
        tuple(
            "Candle Cloth DishSponge HandTowel Plunger SoapBar SoapBottle SprayBottle TissueBox ToiletPaper"
            " ToiletPaperRoll Towel".split()
        ),
        frozenset({"put", "clean", "puttwo"}),
    ),
}

LAMP_STANDS = ("Desk", "SideTable")
"""Receptacle types for a lamp; it stands at the first one that the room has."""

LAMP_CHANCE = 0.5
"""Probability of a lamp in a room that may have one and whose task names none."""

MOST = 3
"""Most objects of a type."""


def household(type: TaskType, seed: int) -> Household:
    """The household that a task type and a seed name: the same on any machine."""
    rng = random.Random(f"household {type} {seed}")
    kind = rng.choice([name for name, room in ROOMS.items() if type in room.tasks])
    room = ROOMS[kind]
    receptacles = [place for place, (least, most) in room.furniture.items() for _ in range(rng.randint(least, most))]
    thing, place = rng.choice(_tasks(type, room, receptacles))
    objects = _lying(rng, type, room, receptacles, (thing, place))
    return Household(
        type=type,
        seed=seed,
        room=kind,
        object=thing,
        place=place,
        wording=rng.randrange(2),
        receptacles=receptacles,
        objects=objects,
    )


def _tasks(type: TaskType, room: Room, receptacles: list[str]) -> list[tuple[str, str]]:
    """Objects and places that a task of this type may name here: each object can also lie somewhere else at first."""
    able = DOES.get({"clean": "cleanable", "heat": "heatable", "cool": "coolable"}.get(type, ""), None)
    things = [thing for thing in room.things if able is None or thing in able]
    if type == "examine":
        return [(thing, LAMP) for thing in things if _homes(thing, receptacles)]
    places = sorted(set(receptacles) - {STATIONS.get(type, "")})
    return [
        (thing, place)
        for thing in things
        for place in places
        if thing in HOLDS.get(place, ()) and any(receptacles[home] != place for home in _homes(thing, receptacles))
    ]


def _lying(
    rng: random.Random, type: TaskType, room: Room, receptacles: list[str], task: tuple[str, str]
) -> list[tuple[str, int]]:
    """Places the objects: those of the task never at their goal, all others wherever they may lie."""
    thing, place = task
    away = [home for home in _homes(thing, receptacles) if receptacles[home] != place]
    objects = [(thing, rng.choice(away)) for _ in range(rng.randint(2 if type == "puttwo" else 1, MOST))]
    if "examine" in room.tasks and (type == "examine" or rng.random() < LAMP_CHANCE):
        objects.append((LAMP, next(receptacles.index(stand) for stand in LAMP_STANDS if stand in receptacles)))
    for other in room.things:
        homes = _homes(other, receptacles)
        if other != thing and homes:
            objects += [(other, rng.choice(homes)) for _ in range(rng.choice((0, 1, 1, 1, 2, MOST)))]
    rng.shuffle(objects)
    return sorted(objects, key=lambda lying: lying[0])


def _homes(thing: str, receptacles: list[str]) -> list[int]:
    return [number for number, kind in enumerate(receptacles) if thing in HOLDS.get(kind, ())]

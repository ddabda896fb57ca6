"""One household as plain data: objects, receptacles and task; the PDDL problem and the solution follow from it."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from labyrinth_envs.alfworld.engine import Game
from labyrinth_envs.alfworld.package import DOES, DOMAIN, HOLDS, OPENABLE, goal_of, grammar_of, names_of, sentences_of
from labyrinth_envs.world import Wire

TaskType = Literal["put", "examine", "clean", "heat", "cool", "puttwo"]

OFFICIAL: dict[TaskType, str] = {
    "put": "pick_and_place_simple",
    "examine": "look_at_obj_in_light",
    "clean": "pick_clean_then_place_in_recep",
    "heat": "pick_heat_then_place_in_recep",
    "cool": "pick_cool_then_place_in_recep",
    "puttwo": "pick_two_obj_and_place",
}
"""Task type → ALFWorld's own name of it."""

STATIONS: dict[str, str] = {"clean": "SinkBasin", "heat": "Microwave", "cool": "Fridge"}
"""Task type → the type of receptacle where it is done."""


class Household(Wire):
    """A room with receptacles and objects, and a task in it."""

    type: TaskType
    seed: int
    room: str
    object: str
    """Type of the objects that the task is about."""
    place: str
    """Type of the receptacles where they are to go; of the lamp, where one is to be examined."""
    wording: int
    """Which of the package's sentences tells the task."""
    receptacles: list[str]
    """Types."""
    objects: list[tuple[str, int]]
    """Types, and the number of the receptacle where each lies at first."""

    @property
    def sentence(self) -> str:
        """The task, without a full stop."""
        return sentences_of(OFFICIAL[self.type], self.object, self.place)[self.wording]

    def game(self) -> Game:
        """The game's PDDL problem and texts."""
        name = f"the household {self.type} {self.seed}"
        return Game(domain=DOMAIN, grammar=grammar_of(self.sentence), problem=self._problem(), name=name)

    def plan(self) -> list[str]:
        """Commands that solve the task straight away, from the knowledge of where everything is."""
        receptacles, objects = self._ids()
        names = names_of([*receptacles, *objects])
        actions: list[str] = []
        here, opened = -1, set[int]()

        def go(place: int) -> str:
            nonlocal here
            if here != place:
                actions.append(f"go to {names[receptacles[place]]}")
            here = place
            return names[receptacles[place]]

        def reach(place: int) -> str:
            name = go(place)
            if self.receptacles[place] in OPENABLE and place not in opened:
                actions.append(f"open {name}")
                opened.add(place)
            return name

        wanted = [number for number, (kind, _) in enumerate(self.objects) if kind == self.object]
        for number in wanted[: 2 if self.type == "puttwo" else 1]:
            thing = names[objects[number]]
            actions.append(f"take {thing} from {reach(self.objects[number][1])}")
            if self.type == "examine":
                lamp = next(other for other, (kind, _) in enumerate(self.objects) if kind == self.place)
                go(self.objects[lamp][1])
                actions.append(f"use {names[objects[lamp]]}")
                continue
            if self.type in STATIONS:
                actions.append(f"{self.type} {thing} with {go(self.receptacles.index(STATIONS[self.type]))}")
            actions.append(f"move {thing} to {reach(self.receptacles.index(self.place))}")
        return actions

    def _ids(self) -> tuple[list[str], list[str]]:
        return _numbered(self.receptacles), _numbered([kind for kind, _ in self.objects])

    def _problem(self) -> str:
        receptacles, objects = self._ids()
        places = [f"loc_bar_{number:02}" for number in range(1, len(receptacles) + 1)]
        things, kinds = sorted({kind for kind, _ in self.objects}), sorted(set(self.receptacles))
        declared = [
            "agent1 - agent",
            *(f"{place} - location" for place in ["loc_bar_00", *places]),
            *(f"{id_} - receptacle" for id_ in receptacles),
            *(f"{id_} - object" for id_ in objects),
            *(f"{kind}Type - rtype" for kind in kinds),
            *(f"{thing}Type - otype" for thing in things),
        ]
        facts = ["(atLocation agent1 loc_bar_00)"]
        for id_, kind, place in zip(receptacles, self.receptacles, places, strict=True):
            facts += [f"(receptacleType {id_} {kind}Type)", f"(receptacleAtLocation {id_} {place})"]
            facts += [f"(openable {id_})"] if kind in OPENABLE else []
        for id_, (kind, at) in zip(objects, self.objects, strict=True):
            facts += [f"(objectType {id_} {kind}Type)", f"(objectAtLocation {id_} {places[at]})"]
            facts += [f"(inReceptacle {id_} {receptacles[at]})"]
            facts += [f"({what} {id_})" for what in sorted(DOES) if kind in DOES[what]]
            facts += [f"(pickupable {id_})"] if kind not in DOES["toggleable"] else []
        facts += [
            f"(canContain {kind}Type {thing}Type)" for kind in kinds for thing in things if thing in HOLDS.get(kind, ())
        ]
        goal = " ".join(goal_of(OFFICIAL[self.type], self.object, self.place).split())
        objects_block, init_block = "\n  ".join(declared), "\n  ".join(facts)
        head = "(define (problem household)\n (:domain alfred)"
        return f"{head}\n (:objects\n  {objects_block})\n (:init\n  {init_block})\n {goal}\n"


def _numbered(types: list[str]) -> list[str]:
    """Ids that the package's rule of names reads as type and number; "basin" goes where it reads it once."""
    counts: Counter[str] = Counter()
    ids = []
    for kind in types:
        counts[kind] += 1
        stem = kind.lower()
        bare = stem.removesuffix("basin")
        ids.append(f"{bare}_bar_{counts[kind]:02}" + ("_basin" if bare != stem else ""))
    return ids

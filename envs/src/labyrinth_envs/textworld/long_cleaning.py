"""Cleaning in a house of any size, in which somebody else may carry things about: the game, and a way to solve it.

A Z-machine can neither hold a large house nor be changed from outside, so that all of them run by TextWorld's rules
alone (`logic_engine`), the small ones that nobody moves anything in included.
"""

from __future__ import annotations

from collections import deque

from labyrinth_envs.textworld.cleaning import FURNITURE, House, build, closes, furniture, ways
from labyrinth_envs.textworld.gamedata import GameData, to_data

MOST_ROOMS = 225
"""As in hunts."""

EFFORT = 4.0
"""Step limit, in solutions (`solution`)."""

_SEVERAL = "Where there are several rooms of a kind, any of them will do for the things that are kept there."
_MOVED = (
    "Somebody else is in the house, who takes things that are out of place to other places. What you have once put"
    " where it belongs counts, even if it is carried off again."
)


def make(house: House, seed: int, moved_every: int = 0) -> GameData:
    """The house as a game; `moved_every`: agent steps until something is moved (0: never), which the seed decides."""
    told = [*([_SEVERAL] if len(house.rooms) > len(FURNITURE) else []), *([_MOVED] if moved_every else [])]
    game = build(house, seed, validate=False)  # the search for contradictions takes minutes; `draw` makes none
    moves = {"every": moved_every, "seed": seed}
    length = len(solution(house))
    return to_data(game, kind="cleaning", homes=house.homes, task=" ".join(told), moves=moves, solution=length)


def solution(house: House) -> list[str]:
    """Commands that put everything in its place: it walks to the nearest room where something is to be taken or put.

    It stands for the shortest solution, which is a travelling salesman's: it, too, takes and puts each thing once and
    opens each container once, so that only its walks can be longer.
    """
    lies = {thing: place for thing, place in house.places.items() if place not in house.homes[thing]}
    room_of = {place: room for room in house.rooms for place in (room, *furniture(room))}
    passages = ways(house)
    here, held, opened = house.start, list[str](), set[str]()
    commands: list[str] = []
    while lies or held:
        goals = {room_of[place] for place in (*lies.values(), *(home for thing in held for home in house.homes[thing]))}
        walk, here = _nearest(passages, here, goals)
        commands += walk
        for thing, place in [(thing, place) for thing, place in lies.items() if room_of[place] == here]:
            commands.append(f"take {thing}" if place == here else f"take {thing} from {place}")
            held.append(thing)
            del lies[thing]
        for carried in list(held):
            for home in [home for home in house.homes[carried] if room_of[home] == here]:
                if closes(home) and home not in opened:
                    commands.append(f"open {home}")
                    opened.add(home)
                commands.append(f"insert {carried} into {home}" if closes(home) else f"put {carried} on {home}")
                held.remove(carried)
    return commands


def _nearest(passages: dict[str, dict[str, str]], start: str, goals: set[str]) -> tuple[list[str], str]:
    """The walk to the nearest goal, breadth first, and that goal."""
    walks: dict[str, list[str]] = {start: []}
    queue = deque([start])
    while True:
        room = queue.popleft()
        if room in goals:
            return walks[room], room
        for way, other in passages[room].items():
            if other not in walks:
                walks[other] = [*walks[room], f"go {way}"]
                queue.append(other)

"""Treasure Hunt: rooms with a locked locker each, every one of another colour, and a chain of keys through them.

Key 1 lies in the first room. It opens a locker that holds Key 2 and Note 2, which names the locker that Key 2 opens,
and so on; the last key is golden and opens the golden locker in the first room, where the treasure is
(AriGraph, arXiv 2407.04363, §4 and Appendix: 12 rooms and 4 keys; Hard 16 and 5; Hardest 36 and 7, with a thing of no
use in every room). The paper's maps of 12 and 16 rooms and their chains are `PAPER`; it does not publish the map of
36 rooms, so that of seed 0 is our own.

Of any other number of rooms there are √rooms + 1 keys and (rooms − 8) / 7 loops, both rounded, which are the paper's
numbers at 12, 16 and 36 (`size_of`); there are 40 things of no use, which lie in the first 40 rooms. Two things make
such a hunt harder than the paper's: spare keys, which lie about with a note each and whose lockers are empty, and
notes that lie in an earlier locker than the key they speak of.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass

import numpy as np
from textworld import GameMaker
from textworld.generator.game import Event, Quest
from textworld.generator.maker import WorldEntity

from labyrinth_envs.textworld.gamedata import GameData, options, to_data

ENDING_REWARD = 3
"""The game's own reward for the treasure; the paper counts 1."""

MOST_ROOMS = 225
"""As many lockers have a colour of their own."""

MOST_COMPILED = 49
"""Rooms that a Z-machine holds: its readable memory ends at 64 KB. Larger hunts run without one (`logic_engine`)."""

EFFORT = 4.0
"""Step limit of a hunt of any size, in shortest wins. The paper's 150 steps are 4.8, 3.4 and about 2.5 of them."""

LONGEST_WIN = 90
"""A hunt of the paper's sizes is kept if its shortest win takes at most this many commands: the step limit is 150."""

DIRECTIONS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}

COLOURS = (  # that of the golden locker first; a name that begins with P or I would be replaced by TextWorld
    "Golden Blue Red Yellow Grey Green White Orange Brown Cyan Crimson Silver Azure Emerald Bronze Black Amber Beige"
    " Burgundy Charcoal Cobalt Copper Coral Cream Jade Khaki Lavender Lilac Lime Magenta Maroon Mustard Navy Ochre"
    " Olive Rose Ruby Rust Sapphire Scarlet Tan Teal Turquoise Umber Vermilion Violet"
).split()

SHADES = "Dark Light Bright Deep Faded".split()
"""Before the colours, where there are more rooms than colours."""

DISTRACTORS = (
    "bent spoon, wool scarf, empty jar, wooden comb, rusty nail, chipped mug, broken clock, clay whistle, torn map,"
    " glass marble, leather glove, candle stub, tin cup, copper coin, dry sponge, folded fan, old newspaper,"
    " stone figurine, felt hat, short rope, cork stopper, small mirror, thimble, shoe horn, walnut shell,"
    " bicycle bell, fishing float, ribbon, chalk stick, seashell, hand brush, button box, garden trowel, rubber duck,"
    " sand timer, door knob, wicker basket, umbrella, horseshoe, feather duster"
).split(", ")


@dataclass(frozen=True)
class Hunt:
    """A hunt as a plan: rooms by letter, passages, the locker of each room, the rooms that the keys lead to."""

    rooms: tuple[str, ...]
    passages: tuple[tuple[str, str, str], ...]
    """(from, compass word, to)."""
    colours: dict[str, str]
    """Room → colour of its locker."""
    chain: tuple[str, ...]
    """Rooms of the lockers in the order of the keys; the last is the first room, the golden locker's."""
    distractors: tuple[str, ...] = ()
    spare: tuple[tuple[str, str], ...] = ()
    """(room of a spare key and its note, room of the locker that it opens); numbered after the chain's keys."""
    notes: tuple[int, ...] | None = None
    """For Key 2, Key 3 and so on but the golden one: where its note lies, 0 the first room, n the locker of Key n.
    Absent: with its key."""


@dataclass(frozen=True)
class Size:
    """The sizes of a kind of random hunt."""

    rooms: int
    keys: int
    """The golden one included."""
    loops: int
    """Passages beyond a tree."""
    distractors: bool = False
    spare: int = 0
    """Keys whose lockers are empty."""
    shuffled: bool = False
    """Whether a note lies in any locker up to that of its key."""


SIZES = {"hunt": Size(12, 4, 0), "hunt-hard": Size(16, 5, 1), "hunt-hardest": Size(36, 7, 4, distractors=True)}

_MAP_12 = (
    "A west B, B south C, C east D, C south E, B north F, D east G, G north H, H north I, I east J, I west K, G south L"
)
_MAP_16 = _MAP_12 + ", G east M, M south N, L east N, N east O, M north P"


def _paper(edges: str, rooms: int, chain: str) -> Hunt:
    names = letters(rooms)
    return Hunt(
        rooms=names,
        passages=tuple((a, way, b) for a, way, b in (edge.split() for edge in edges.split(", "))),
        colours=dict(zip(names, COLOURS, strict=False)),
        chain=tuple(chain),
    )


def letters(count: int) -> tuple[str, ...]:
    """Returns the given number of names: A to Z, then AA, AB and so on."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return tuple((alphabet[n // 26 - 1] if n >= 26 else "") + alphabet[n % 26] for n in range(count))


PAPER = {"hunt": _paper(_MAP_12, 12, "GCJA"), "hunt-hard": _paper(_MAP_16, 16, "OCJPA")}


def make(name: str, seed: int) -> GameData:
    """The hunt `hunt`, `hunt-hard` or `hunt-hardest`; seed 0 is the paper's, any other draws a new one."""
    return build(PAPER[name] if seed == 0 and name in PAPER else draw(SIZES[name], seed), seed)


def size_of(rooms: int, *, spare: int = 0, shuffled: bool = False) -> Size:
    """The paper's size at that number of rooms, from its three sizes: a thing of no use in every room from 36 on."""
    keys, loops = round(math.sqrt(rooms)) + 1, max(0, rooms - 8) // 7
    return Size(rooms, min(keys, rooms - 1), loops, rooms >= SIZES["hunt-hardest"].rooms, spare, shuffled)


def draw(size: Size, seed: int, longest_win: float = LONGEST_WIN) -> Hunt:
    """A random hunt of that size that can be won in at most so many commands."""
    rng = np.random.RandomState(seed)
    while True:
        hunt = _draw_once(size, rng)
        if shortest_win(hunt) <= longest_win:
            return hunt


def _draw_once(size: Size, rng: np.random.RandomState) -> Hunt:
    names = letters(size.rooms)
    colours = [COLOURS[0], *(str(c) for c in rng.permutation(_colours(size.rooms))[: size.rooms - 1])]
    chain = [str(room) for room in rng.permutation(names[1:])[: size.keys - 1]]
    things = [str(thing) for thing in rng.permutation(DISTRACTORS)[: size.rooms]] if size.distractors else []
    passages = _draw_map(names, size.loops, rng)
    empty = [str(room) for room in rng.permutation([room for room in names[1:] if room not in chain])[: size.spare]]
    return Hunt(
        rooms=names,
        passages=passages,
        colours=dict(zip(names, colours, strict=True)),
        chain=(*chain, names[0]),
        distractors=tuple(things),
        spare=tuple((names[rng.randint(len(names))], room) for room in empty),
        notes=tuple(int(rng.randint(number)) for number in range(2, size.keys)) if size.shuffled else None,
    )


def _colours(rooms: int) -> list[str]:
    """Colours for all lockers but the golden one, with shades where there are too few."""
    plain = COLOURS[1:]
    return plain if rooms <= len(COLOURS) else [f"{shade} {colour}" for shade in SHADES for colour in plain]


def _draw_map(names: tuple[str, ...], loops: int, rng: np.random.RandomState) -> tuple[tuple[str, str, str], ...]:
    """Rooms on a grid: each new one beside a random earlier one, then some more passages between neighbours."""
    cells = {(0, 0): names[0]}
    passages: list[tuple[str, str, str]] = []
    for name in names[1:]:
        free = [(at, way) for at in cells for way in DIRECTIONS if _beside(at, way) not in cells]
        at, way = free[rng.randint(len(free))]
        passages.append((cells[at], way, name))
        cells[_beside(at, way)] = name
    joined = {frozenset((a, b)) for a, _, b in passages}
    spare = [
        (cells[at], way, cells[_beside(at, way)])
        for at in cells
        for way in ("north", "east")
        if _beside(at, way) in cells and frozenset((cells[at], cells[_beside(at, way)])) not in joined
    ]
    chosen = rng.permutation(len(spare))[:loops]
    return (*passages, *(spare[index] for index in sorted(int(i) for i in chosen)))


def _beside(cell: tuple[int, int], way: str) -> tuple[int, int]:
    dx, dy = DIRECTIONS[way]
    return cell[0] + dx, cell[1] + dy


def shortest_win(hunt: Hunt) -> int:
    """Commands of the shortest win: take the first key, then for each locker walk, unlock, open, take."""
    stops = (hunt.rooms[0], *hunt.chain)
    return 1 + sum(_distance(hunt, a, b) + 3 for a, b in zip(stops, stops[1:], strict=False))


def _distance(hunt: Hunt, start: str, goal: str) -> int:
    near: dict[str, list[str]] = {room: [] for room in hunt.rooms}
    for a, _, b in hunt.passages:
        near[a].append(b)
        near[b].append(a)
    steps = {start: 0}
    queue = deque([start])
    while queue:
        room = queue.popleft()
        for other in near[room]:
            if other not in steps:
                steps[other] = steps[room] + 1
                queue.append(other)
    return steps[goal]


def build(hunt: Hunt, seed: int) -> GameData:
    """The plan as a TextWorld game; the seed words its room texts."""
    maker = GameMaker(options(seed))
    rooms = {room: maker.new_room(f"Room {room}") for room in hunt.rooms}
    for a, way, b in hunt.passages:
        maker.connect(getattr(rooms[a], way), getattr(rooms[b], OPPOSITE[way]))
    lockers = {}
    for room, colour in hunt.colours.items():
        lockers[room] = maker.new(type="c", name=f"{colour} locker")
        maker.add_fact("locked", lockers[room])
        rooms[room].add(lockers[room])
    quests = []
    holders = [rooms[hunt.rooms[0]], *(lockers[target] for target in hunt.chain)]
    for number, target in enumerate(hunt.chain, start=1):
        last = number == len(hunt.chain)
        key = _key(maker, "Golden key" if last else f"Key {number}", lockers[target])
        holders[number - 1].add(key)
        quests.append(_holding(maker, key, 1))
        if number > 1 and not last:
            note = _note(maker, number, hunt.colours[target])
            holders[number - 1 if hunt.notes is None else hunt.notes[number - 2]].add(note)
    treasure = maker.new(type="o", name="treasure")
    holders[-1].add(treasure)
    quests.append(_holding(maker, treasure, ENDING_REWARD))
    for number, (room, target) in enumerate(hunt.spare, start=len(hunt.chain)):
        rooms[room].add(_key(maker, f"Key {number}", lockers[target]))
        rooms[room].add(_note(maker, number, hunt.colours[target]))
    for room, thing in zip(hunt.rooms, hunt.distractors, strict=False):
        rooms[room].add(maker.new(type="o", name=thing))
    maker.set_player(rooms[hunt.rooms[0]])
    maker.quests = quests
    # the search for contradictions takes minutes in a large hunt; `draw` makes none
    game = maker.build(validate=len(hunt.rooms) <= MOST_COMPILED)
    game.objective = ""
    first = task(f"{hunt.colours[hunt.chain[0]]} locker")
    return to_data(game, kind="hunt", task=first, solution=shortest_win(hunt))


def task(first_locker: str, golden_key: str = "Golden key", golden_locker: str = "Golden locker") -> str:
    """The paragraph appended to the first observation."""
    return (
        f"Your task is to find the treasure. It lies in the {golden_locker}, which only the {golden_key} opens, and"
        " that key is hidden in one of the other lockers around here. Every locker is locked and has a key of its own."
        f" Key 1, which lies in this room, opens the {first_locker}."
        " Read each note you find: it tells where to go next."
    )


def _key(maker: GameMaker, name: str, locker: WorldEntity) -> WorldEntity:
    key = maker.new(type="k", name=name)
    maker.add_fact("match", key, locker)
    return key


def _note(maker: GameMaker, number: int, colour: str) -> WorldEntity:
    return maker.new(type="o", name=f"Note {number}", desc=f"Key {number} fits the {colour} locker.")


def _holding(maker: GameMaker, thing: object, reward: int) -> Quest:
    return Quest(win_events=[Event(conditions={maker.new_fact("in", thing, maker.inventory)})], reward=reward)

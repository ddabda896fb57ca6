"""A game without a compiled story is the compiled game: the same commands give the same texts, states and scores."""

from __future__ import annotations

import math
import random

from labyrinth_envs.textworld import cleaning, hunt, long_cleaning, texts, worlds
from labyrinth_envs.textworld.base import prepared
from labyrinth_envs.textworld.engine import Engine, Reply
from labyrinth_envs.textworld.gamedata import GameData, to_data
from labyrinth_envs.textworld.logic_engine import LogicEngine
from labyrinth_envs.textworld.truth import truth_of
from tests.support import slow
from tests.textworld.walk import hunt_walk, walk

REFUSED = (
    "take Golden locker|drop Golden locker|open Key 1|close Key 1|close Golden locker|open Golden locker|eat Key 1|go|"
    "unlock Golden locker with Key 1|lock Golden locker with Key 1|insert Key 1 into Golden locker|examine treasure|"
    "insert Key 1 into Key 1|put Key 1 on Golden locker|go up|dance|take all|take Key 1 from Golden locker|go Key 1|"
    "read Note 2|x the Key 1|golden|examine golden|wait|i|l|unlock Key 1 with Key 1"
).split("|")


REFUSED_AT_HOME = (
    "take bookcase|drop reading table|open bookcase|close bookcase|open reading glasses|put reading table on bookcase|"
    "take reading glasses from bookcase|insert reading glasses into bookcase|take reading glasses|x reading glasses|"
    "insert reading glasses into bookcase|put reading glasses on reading glasses|put reading glasses on bookcase|"
    "x bookcase|drop reading glasses|take all|go bookcase|lock bookcase with reading glasses"
).split("|")


def drawn(rooms: int, seed: int) -> GameData:
    size = hunt.size_of(rooms, spare=3, shuffled=True)
    return hunt.build(hunt.draw(size, seed, longest_win=math.inf), seed)


def seen(reply: Reply) -> dict[str, object]:
    return {**vars(reply), "feedback": texts.observation(reply.feedback)}


def both(data: GameData) -> tuple[Engine, LogicEngine]:
    """The same game compiled and by rules alone."""
    story = prepared(data, None, "game").story
    assert not isinstance(story, dict)
    compiled, plain = Engine(story), LogicEngine(data)
    assert (compiled.max_score, compiled.types) == (plain.max_score, plain.types)
    assert {frozenset(quest) for quest in compiled.quests} == {frozenset(quest) for quest in plain.quests}
    return compiled, plain


def play_both(compiled: Engine, plain: LogicEngine, commands: list[str], more: int, choice: random.Random) -> Reply:
    """Plays commands, then a walk over admissible ones, in which those that change something come often."""
    told, first = compiled.start(), plain.start()
    assert seen(told) == seen(first)
    for number in range(len(commands) + more):
        offered = [one for one in told.commands or [] if one != "put toilet paper on toilet"]  # refused if compiled
        changing = [one for one in offered if one.split()[0] not in ("look", "inventory", "examine")]
        walked = changing if number % 3 else offered
        command = commands[number] if number < len(commands) else choice.choice(walked)
        if told.end is None:
            told, same = compiled.send(command), plain.send(command)
            assert seen(told) == seen(same), command
    return told


def test_a_hunt_of_16_rooms_is_the_same_in_both_engines() -> None:
    compiled, plain = both(drawn(16, 7))
    play_both(compiled, plain, REFUSED, 150, random.Random(7))
    solution = hunt_walk(truth_of(compiled.start().facts))
    assert play_both(compiled, plain, [*REFUSED, *solution, "look"], 0, random.Random(7)).end == "won"


@slow("a house in both engines")
def test_a_house_of_ten_rooms_is_the_same_in_both_engines() -> None:
    house = cleaning.draw(7, 10)
    compiled, plain = both(to_data(cleaning.build(house, 7), kind="cleaning", homes=house.homes))
    library = walk(truth_of(compiled.first.facts), house.start, "Library")
    play_both(compiled, plain, [*library, *REFUSED_AT_HOME], 400, random.Random(7))
    last = play_both(compiled, plain, long_cleaning.solution(house), 100, random.Random(8))
    assert last.end is None


def test_a_hunt_of_100_rooms_has_no_story_and_is_won_by_its_shortest_solution() -> None:
    game = worlds.LongHunt(worlds.LongHuntParameters(rooms=100, seed=1, spare_keys=3, shuffled_notes=True, rename=4))
    first, truth = game.reset(), game.truth()
    assert (len(truth["rooms"]), first.max_score) == (100, hunt.size_of(100).keys + 1)
    for command in hunt_walk(truth):
        assert command in (game.valid_actions() or []), command
        last = game.step(command)
    assert (last.score, last.end) == (first.max_score, "won")
    assert "You scored" in last.observation

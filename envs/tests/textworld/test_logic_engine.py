"""A hunt without a compiled story is the compiled hunt: the same commands give the same texts, states and scores."""

from __future__ import annotations

import math
import random

from labyrinth_envs.textworld import hunt, texts, worlds
from labyrinth_envs.textworld.base import prepared
from labyrinth_envs.textworld.engine import Engine, Reply
from labyrinth_envs.textworld.gamedata import GameData
from labyrinth_envs.textworld.logic_engine import LogicEngine
from labyrinth_envs.textworld.truth import truth_of
from tests.textworld.walk import hunt_walk

REFUSED = (
    "take Golden locker|drop Golden locker|open Key 1|close Key 1|close Golden locker|open Golden locker|eat Key 1|go|"
    "unlock Golden locker with Key 1|lock Golden locker with Key 1|insert Key 1 into Golden locker|examine treasure|"
    "insert Key 1 into Key 1|put Key 1 on Golden locker|go up|dance|take all|take Key 1 from Golden locker|go Key 1|"
    "read Note 2|x the Key 1|golden|examine golden|wait|i|l|unlock Key 1 with Key 1"
).split("|")


def drawn(rooms: int, seed: int) -> GameData:
    size = hunt.size_of(rooms, spare=3, shuffled=True)
    return hunt.build(hunt.draw(size, seed, longest_win=math.inf), seed)


def seen(reply: Reply) -> dict[str, object]:
    return {**vars(reply), "feedback": texts.observation(reply.feedback)}


def test_a_hunt_of_16_rooms_is_the_same_in_both_engines() -> None:
    data = drawn(16, 7)
    story = prepared(data, None, "hunt").story
    assert not isinstance(story, dict)
    compiled, plain = Engine(story), LogicEngine(data)
    assert (compiled.max_score, compiled.types) == (plain.max_score, plain.types)
    assert {frozenset(quest) for quest in compiled.quests} == {frozenset(quest) for quest in plain.quests}
    choice = random.Random(7)
    told, first = compiled.start(), plain.start()
    assert seen(told) == seen(first)
    commands = list(REFUSED)
    for number in range(150):  # a walk over admissible commands, in which those that change something come often
        if not commands:
            changing = [one for one in told.commands or [] if one.split()[0] not in ("look", "inventory", "examine")]
            commands = [choice.choice(changing if number % 3 else told.commands or [])]
        command = commands.pop(0)
        told, same = compiled.send(command), plain.send(command)
        assert seen(told) == seen(same), command
    told, same = compiled.start(), plain.start()
    for command in [*REFUSED, *hunt_walk(truth_of(told.facts)), "look"]:
        if told.end is None:
            told, same = compiled.send(command), plain.send(command)
            assert seen(told) == seen(same), command
    assert told.end == "won"


def test_a_hunt_of_100_rooms_has_no_story_and_is_won_by_its_shortest_solution() -> None:
    game = worlds.LongHunt(worlds.LongHuntParameters(rooms=100, seed=1, spare_keys=3, shuffled_notes=True, rename=4))
    first, truth = game.reset(), game.truth()
    assert (len(truth["rooms"]), first.max_score) == (100, hunt.size_of(100).keys + 1)
    for command in hunt_walk(truth):
        assert command in (game.valid_actions() or []), command
        last = game.step(command)
    assert (last.score, last.end) == (first.max_score, "won")
    assert "You scored" in last.observation

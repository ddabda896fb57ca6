"""Houses of any size: their proportions, that they can be tidied, and what somebody else may move in them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from labyrinth_envs.textworld import cleaning, long_cleaning, scoring, worlds
from labyrinth_envs.textworld.engine import Fact, Reply
from labyrinth_envs.textworld.rename import renaming
from tests.support import some
from tests.textworld.walk import objects, play, walk


def house(rooms: int, **more: Any) -> worlds.LongCleaning:
    return worlds.LongCleaning(worlds.LongCleaningParameters(rooms=rooms, seed=3, **more))


def lies(game: worlds.LongCleaning) -> dict[str, str]:
    """Thing → the place where it is, the furniture included."""
    truth = game.truth()
    return objects(truth, "in") | objects(truth, "on")


@pytest.mark.parametrize(("rooms", "things", "misplaced"), [(9, 33, 11), (18, 66, 22), (100, 367, 122)])
def test_a_house_has_things_in_the_papers_proportion_and_names_that_tell_them_apart(
    rooms: int, things: int, misplaced: int
) -> None:
    drawn = cleaning.draw(7, rooms)
    assert len(set(drawn.rooms)) == rooms
    assert abs(len(drawn.places) - things) <= 6  # kinds of rooms have 3 to 5 things
    assert abs(sum(place not in drawn.homes[thing] for thing, place in drawn.places.items()) - misplaced) <= 2
    names = [place for room in drawn.rooms for place in (room, *cleaning.furniture(room))] + list(drawn.places)
    words = [frozenset(name.lower().split()) for name in names]
    assert len(set(words)) == len(words)
    assert all(len(drawn.homes[thing]) in (rooms // 9, rooms // 9 + 1) for thing in drawn.places)


def test_a_house_of_nine_rooms_is_the_papers_kind_of_house() -> None:
    assert cleaning.draw(5, 9) == cleaning.draw(5)
    assert cleaning.draw(5).homes == {thing: [home] for thing, home in cleaning.HOMES.items()}


@pytest.mark.parametrize(("rooms", "rename"), some([(9, None), (25, 5), (4, None), (100, None)]))
def test_a_house_is_tidied_by_its_solution_and_ends_at_so_many_of_them(rooms: int, rename: int | None) -> None:
    drawn = cleaning.draw(3, rooms)
    commands = long_cleaning.solution(drawn)
    if rename is not None:
        commands = list(map(renaming(long_cleaning.make(drawn, 3), rename), commands))
    game = house(rooms, rename=rename, effort=1)
    first = game.reset()
    assert first.max_score == 2 * (len(drawn.places) // 3)
    *_, last_but_one, _ = commands
    assert play(game, commands[:-1]).end is None, last_but_one
    last = game.step(commands[-1])
    assert (last.score, last.end) == (first.max_score, "won")
    game.reset()
    assert [game.step("look").end for _ in commands][-2:] == [None, "limit"]


def test_somebody_moves_what_was_out_of_place_to_wrong_rooms_and_never_in_sight() -> None:
    game = house(12, moved_every=2)
    assert "Somebody else is in the house" in game.reset().observation
    homes: dict[str, list[str]] = game.truth()["homes"]
    first, moved = lies(game), set[str]()
    mess = {thing for thing, places in homes.items() if first[thing] not in places}
    before, counts = first, []
    for step in range(1, 81):
        look = game.step("go south" if step % 9 == 4 else "go north" if step % 9 == 8 else "look")
        now, here = lies(game), look.sections["location"]
        changed = [thing for thing in homes if now[thing] != before[thing]]
        counts.append(len(changed))
        for thing in changed:
            old, new = (
                place if place in game.truth()["rooms"] else before[place] for place in (before[thing], now[thing])
            )
            assert here not in (old, new) and old != new
            assert (old == before[thing]) == (new == now[thing]), "from a floor to a floor"
            assert new not in {now[home] for home in homes[thing]}
        moved |= set(changed)
        before = now
    assert counts == [0, 1] * 40
    assert moved <= mess and len(moved) > 5
    game.reset()
    assert lies(game) == first


def test_two_players_meet_the_same_mover() -> None:
    one, other = house(12, moved_every=3), house(12, moved_every=3)
    one.reset()
    other.reset()
    for step in range(30):
        one.step("look")
        other.step("inventory" if step % 2 else "examine nothing")
    assert lies(one) == lies(other) != lies(house(12, moved_every=0))


def test_a_house_is_tidied_while_things_are_moved() -> None:
    game = house(9, moved_every=10)
    turn = game.reset()
    homes = game.truth()["homes"]
    mess = [thing for thing, places in homes.items() if lies(game)[thing] not in places]
    while mess and turn.end is None:  # after the nearest one, wherever it is by now
        truth, places = game.truth(), lies(game)
        here = truth["location"]
        room_of = {thing: places[thing] if places[thing] in truth["rooms"] else places[places[thing]] for thing in mess}
        thing = min(mess, key=lambda one: len(walk(truth, here, room_of[one])))
        if room_of[thing] != here:
            turn = game.step(walk(truth, here, room_of[thing])[0])
            continue
        place, home = places[thing], homes[thing][0]
        play(game, [f"take {thing}" if place == here else f"take {thing} from {place}"])
        actions = [
            *walk(truth, here, places[home]),
            f"open {home}",
            f"insert {thing} into {home}",
            f"put {thing} on {home}",
        ]
        for action in actions:
            if turn.end is None and action in (game.valid_actions() or []):
                turn = game.step(action)
        mess.remove(thing)
    assert (turn.score, turn.end) == (turn.max_score, "won")


def test_what_others_move_changes_no_score_and_what_is_put_right_pays_once() -> None:
    def reply(cup: str, hat: str) -> Reply:
        facts: set[Fact] = {("on", "cup", cup), ("on", "hat", hat)}
        return Reply("", facts=frozenset(("in", fact[1], "I") if fact[2] == "I" else fact for fact in facts))

    engine: Any = SimpleNamespace(first=reply("bed", "sofa"))
    score = scoring.TidyScore({"cup": ["shelf 1", "shelf 2"], "hat": "hook"}, engine)
    assert (score.maximum, score.score) == (4, 0)
    seen = []
    for cup, hat in [
        ("I", "sofa"),  # taken: 1
        ("shelf 2", "sofa"),  # put right: 1
        ("desk", "sofa"),  # carried off by another
        ("desk", "bath"),  # carried on by another
        ("I", "bath"),  # taken once more: 0
        ("desk", "bath"),  # put wrong: -1
        ("I", "bath"),
        ("shelf 1", "bath"),  # put right once more: 0
        ("bed", "I"),  # carried off again, while the hat is taken: 1
        ("bed", "hook"),  # put right: 1; the player has put both right
    ]:
        score.update(reply(cup, hat))
        seen.append(score.score)
    assert seen == [1, 2, 2, 2, 2, 1, 1, 1, 2, 3]
    assert score.won

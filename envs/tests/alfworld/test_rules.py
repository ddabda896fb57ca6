"""Texts in both dialects, sections and ends, by the texts that ALFWorld's versions are known to give."""

from __future__ import annotations

from pathlib import Path

import pytest

from labyrinth_envs.world import WorldError
from tests.alfworld.play import Household, engine, opened, write

KITCHEN = Household(
    type="cool",
    seed=0,
    room="kitchen",
    object="Mug",
    place="Shelf",
    wording=1,
    receptacles=["CounterTop", "Fridge", "Microwave", "Shelf", "SinkBasin"],
    objects=[("Knife", 0), ("Apple", 0), ("Mug", 1), ("Mug", 2)],
)
SEEN = (
    "You are in the middle of a room. Looking quickly around you, you see a countertop 1, a fridge 1, a microwave 1, "
    "a shelf 1, and a sinkbasin 1."
)

NEW = [
    ("look", "You are in the middle of a room. Looking quickly around you, you see nothing."),  # as the package has it
    ("go to fridge 1", "You arrive at fridge 1. The fridge 1 is closed."),
    ("open fridge 1", "You open the fridge 1. The fridge 1 is open. In it, you see a mug 2."),
    ("take mug 2 from fridge 1", "You pick up the mug 2 from the fridge 1."),
    ("inventory", "You are carrying: a mug 2."),
    ("cool mug 2 with fridge 1", "You cool the mug 2 using the fridge 1."),
    ("examine mug 2", "This is a cold mug 2."),
    ("examine fridge 1", "The fridge 1 is open. In it, you see nothing."),
    ("take apple 1 from countertop 1", "Nothing happens."),
    ("Look", "Nothing happens."),
    ("think: where is a shelf?", "Nothing happens."),
    ("move mug 2 to fridge 1", "You move the mug 2 to the fridge 1."),
    ("close fridge 1", "You close the fridge 1."),
    ("look", "You are facing the fridge 1. Next to it, you see nothing."),
    ("go to countertop 1", "You arrive at countertop 1. On the countertop 1, you see a apple 1, and a knife 1."),
    ("go to countertop 1", "Nothing happens."),
    ("take apple 1 from countertop 1", "You pick up the apple 1 from the countertop 1."),
    ("take knife 1 from countertop 1", "Nothing happens."),
    ("examine apple 1", "There's nothing special about apple 1."),
]
OLD = {
    "go to fridge 1": "You arrive at loc 4. The fridge 1 is closed.",
    "go to countertop 1": "You arrive at loc 5. On the countertop 1, you see a apple 1, and a knife 1.",
    "move mug 2 to fridge 1": "You put the mug 2 in/on the fridge 1.",
}


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(write(tmp_path, KITCHEN.game()))


def test_the_first_turn_tells_the_task_apart(path: str) -> None:
    turn = opened(set="file", path=path).reset()
    assert (turn.goal, turn.observation) == ("cool some mug and put it in shelf.", SEEN)
    assert turn.sections == {"inventory": "You are not carrying anything.", "location": "middle of the room"}
    assert (turn.score, turn.max_score, turn.end) == (0, 1, None)


@pytest.mark.parametrize("dialect", ["move", "put"])
def test_a_walk_in_either_dialect(path: str, dialect: str) -> None:
    world = opened(set="file", path=path, dialect=dialect)
    world.reset()
    said = []
    for action, _ in NEW:
        said.append(world.step(action).observation)
    wanted = [
        OLD.get(action, text) if dialect == "put" and text != "Nothing happens." else text for action, text in NEW
    ]
    assert said == wanted


@pytest.mark.parametrize(
    "command", ["move mug 2 to shelf 1", "put mug 2 in/on shelf 1", "put mug 2 on shelf 1", "put mug 2 in shelf 1"]
)
@pytest.mark.parametrize("dialect", ["move", "put"])
def test_both_commands_win_in_both_dialects(path: str, dialect: str, command: str) -> None:
    world = opened(set="file", path=path, dialect=dialect)
    world.reset()
    for action in ["go to fridge 1", "open fridge 1", "take mug 2 from fridge 1", "cool mug 2 with fridge 1"]:
        world.step(action)
    world.step("go to shelf 1")
    offered = [action for action in world.valid_actions() or [] if action.startswith(("move", "put"))]
    assert offered == ["move mug 2 to shelf 1" if dialect == "move" else "put mug 2 in/on shelf 1"]
    turn = world.step(command)
    assert (turn.end, turn.score) == ("won", 1)
    assert turn.observation == (
        "You move the mug 2 to the shelf 1." if dialect == "move" else "You put the mug 2 in/on the shelf 1."
    )


def test_a_game_with_older_texts_is_read_in_both_dialects(tmp_path: Path) -> None:
    """As files of older versions hold them: other words in the grammar, the same rules."""
    game = KITCHEN.game()
    older = (
        game.grammar.replace('"move {o} to {r}"', '"put {o} in/on {r}"')
        .replace("You move the {o.name} to the {r.name}.", "You put the {o.name} in/on the {r.name}.")
        .replace("You arrive at {r.name}.", "You arrive at {lend.name}.")
    )
    assert older != game.grammar
    path = write(tmp_path, engine.Game(domain=game.domain, grammar=older, problem=game.problem, name="older"))
    for dialect in ("move", "put"):
        world = opened(set="file", path=str(path), dialect=dialect)
        world.reset()
        for action, text in NEW:
            wanted = OLD.get(action, text) if dialect == "put" and text != "Nothing happens." else text
            assert world.step(action).observation == wanted


def test_sections_tell_what_is_held_and_where_one_stands(path: str) -> None:
    world = opened(set="file", path=path)
    world.reset()
    for action in ["go to shelf 1", "go to countertop 1", "take apple 1 from countertop 1", "go to nowhere 1"]:
        turn = world.step(action)
    assert turn.sections == {"inventory": "You are carrying: a apple 1.", "location": "countertop 1"}
    assert world.reset().sections["inventory"] == "You are not carrying anything."


def test_the_episode_ends_at_its_limit_and_stays_ended(path: str) -> None:
    world = opened(set="file", path=path, stepLimit=3)
    world.reset()
    assert [world.step("look").end for _ in range(3)] == [None, None, "limit"]
    with pytest.raises(WorldError, match="reset it") as refusal:
        world.step("look")
    assert refusal.value.code == "ended"
    assert world.reset().end is None and world.step("look").end is None


def test_after_a_reset_nothing_of_the_first_pass_is_left(path: str) -> None:
    world = opened(set="file", path=path)
    first, truth = world.reset(), world.truth()
    for action, _ in NEW:
        world.step(action)
    assert world.truth() != truth
    assert world.reset() == first
    assert world.truth() == truth
    assert [world.step(action).observation for action, _ in NEW] == [text for _, text in NEW]

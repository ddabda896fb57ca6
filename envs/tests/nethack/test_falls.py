"""Falls and other ways to another level, made in debug mode: what is told of them, and what is remembered.

With seed 3 a hero of the debug mode wakes at (3, 6) in room 1, alone with a pet.
"""

from __future__ import annotations

from typing import Any

import pytest

from labyrinth_envs.nethack.screen import Game, Screen
from tests.nethack.debug import Debug, cursor

FELL = "You are on another level now, at depth 2."


def at_trap(trap: str, **parameters: Any) -> Debug:
    """A hero at (5, 5), west of a trap at (6, 5) that was never seen."""
    play = Debug(3, **parameters)
    play.do("move_to(x=6, y=5)")
    play.wish(trap)
    assert trap in play["message"]
    play.do('press_key(key="h")')
    assert play["position"] == "(5, 5)"
    return play


@pytest.mark.parametrize("mode", ["level", "room"])
@pytest.mark.parametrize(
    "call", ["move_to(x=9, y=5)", "search(x=9, y=5, count=3)", "pickup(x=9, y=5)", "down(x=9, y=5)"]
)
def test_who_falls_on_the_way_is_told_so(call: str, mode: str) -> None:
    with at_trap("trap door", mode=mode) as play:
        (above,) = play.levels
        play.do(call)
        assert (play["outcome"], play["interrupted_by"]) == ("interrupted", FELL)
        assert play["result"] == f"{call} was interrupted: {FELL}"
        assert play["message"] == "A trap door opens up under you!"
        assert play["events"] == f"{FELL}\nRoom 2 came into view."
        assert (play["depth"], play["deepest"], play["location"], play["turn"]) == ("2", "2", "room 2", "6")
        assert "You are in room 2" in play["surroundings"] and "room 1" not in play.turn.observation.lower()
        truth = play.world.truth()
        assert (truth["depth"], truth["levelsCompleted"], truth["location"]) == (2, 1, "room 2")
        assert [level["depth"] for level in play.levels] == [1, 2] and play.levels[0] == above
        # The call is not gone on with: made again it is about the level where the hero is now.
        assert play.do(call).sections["outcome"] == "failed" and "no known way leads to (9, 5)" in play["result"]
        play.do("go_to(room_id=1)")
        assert play["result"].endswith("no room or corridor of this level has the number 1")
        assert play.do("explore_level()").sections["outcome"] != "failed" and int(play["turn"]) > 6


def test_who_falls_exploring_is_told_so_and_explores_on() -> None:
    with Debug(3) as play:
        play.do("explore_level()", "explore_level()", "move_to(x=40, y=3)")
        assert play["position"] == "(40, 3)"
        play.wish("trap door")
        play.do('press_key(key="h")', "explore_level()")
        assert play["result"] == f"explore_level() was interrupted: {FELL}" and play["location"] == "room 6"
        play.do("explore_level()")
        assert play["outcome"] == "interrupted" and "came into view" in play["interrupted_by"], play["result"]


def test_the_level_above_is_remembered_and_its_trap_door_walked_around_or_taken() -> None:
    with at_trap("trap door") as play:
        play.do("move_to(x=9, y=5)")
        play.jump(1)
        assert play["depth"] == "1" and play["deepest"] == "2" and play["location"] == "room 3"
        assert "Room 1, out of reach now, contains:" in play["surroundings"]
        assert "- trap door at (6, 5), out of reach now" in play["surroundings"]
        play.teleport(9, 5)
        assert play["location"] == "room 1"
        play.until("move_to(x=3, y=5)", "(3, 5)", "position", most=3)
        assert play["depth"] == "1"
        play.until("move_to(x=6, y=5)", "You are on another level now", "interrupted_by", most=3)
        assert play["depth"] == play["deepest"] and play["location"] != "room 1"


def test_a_hole_is_dug_and_fallen_through() -> None:
    with Debug(3) as play:
        play.do("move_to(x=6, y=5)")
        letter = play.wish("pick-axe")
        for _ in range(4):
            play.do(f'apply(item_letter="{letter}")')
            assert "In what direction do you want to dig?" in play["popup"]
            play.do('press_key(key=">")')
            if play["depth"] == "2":
                break
        assert "You dig a hole through the floor.  You fall through..." in play["message"]
        assert FELL in play["events"] and play["location"] == "room 2" and play["popup"] == ""


def test_levels_may_be_skipped_and_branches_keep_apart() -> None:
    with at_trap("level teleporter") as play:
        play.do("move_to(x=9, y=5)")
        assert play["result"].endswith("was interrupted: the game asks something")
        assert play["popup"] == "To what level do you want to teleport?"
        play.do("explore_level()")
        assert play["outcome"] == "failed" and "the game waits for an answer" in play["result"]
        play.do('type_text(text="7")', 'press_key(key="ENTER")')
        assert "You are on another level now, at depth 7." in play["events"]
        assert (play["depth"], play["deepest"], play.world.truth()["levelsCompleted"]) == ("7", "7", 6)
        assert [level["depth"] for level in play.levels] == [1, 7]
        play.answer("ctrl-v", "?")  # a menu of the branches' levels
        while "minetn" not in play["popup"]:
            play.do('press_key(key=">")')
        play.do('press_key(key="w")')
        # A town of the mines is as deep, but another level.
        assert "You are on another level now, at depth 7." in play["events"], play.turn
        assert [level["depth"] for level in play.levels] == [1, 7, 7]
        assert len({level["dungeon"] for level in play.levels}) == 2
        names = [room["name"] for level in play.levels for room in level["rooms"]]
        assert len(set(names)) == len(names)


def test_who_is_teleported_on_the_way_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    press = Game.press

    def chosen(game: Game, key: int) -> Screen:
        """The debug mode asks where to; otherwise the game would choose."""
        screen = press(game, key)
        if screen.points:
            for letter in cursor(screen.position, (9, 7)):
                screen = press(game, ord(letter))
        return screen

    with at_trap("teleportation trap") as play:
        monkeypatch.setattr(Game, "press", chosen)
        play.do("move_to(x=7, y=5)")
        assert play["position"] == "(9, 7)"
        assert play["result"] == "move_to(x=7, y=5) was interrupted: You were moved to (9, 7)."
        assert play.do("move_to(x=7, y=5)").sections["outcome"] == "done" and play["position"] == "(7, 5)"


def test_a_place_that_the_game_asks_for_is_left_to_the_agent() -> None:
    with at_trap("teleportation trap") as play:
        play.do("move_to(x=9, y=5)")
        assert play["result"].endswith("was interrupted: the game asks something")
        assert "Where do you want to be teleported?" in play["message"]
        play.do(f'type_text(text="{cursor((6, 5), (9, 7))}")')
        assert play["position"] == "(9, 7)" and "You were moved to (9, 7)." in play["events"]
    with Debug(3) as play:
        letter = play.wish("halberd")
        play.do(f'wield(item_letter="{letter}")', f'apply(item_letter="{letter}")')
        assert play["outcome"] == "interrupted" and "Where do you want to hit?" in play["message"]
        play.do("move_to(x=6, y=5)")  # the cursor is put away
        assert play["outcome"] == "done" and play["position"] == "(6, 5)"


def test_one_who_is_a_jackal_walks_on_and_is_told_what_jackals_cannot() -> None:
    with Debug(3) as play:
        play.do('press_key(key="#")', 'type_text(text="polyself")', 'press_key(key="ENTER")')
        play.do('type_text(text="jackal")', 'press_key(key="ENTER")')
        assert "You turn into a" in play["message"] and "jackal" in play["message"], play.turn
        play.do('wield(item_letter="a")')
        assert play["result"].endswith(" failed: Don't be ridiculous!")
        play.until("explore_level()", "You can't open anything -- you have no hands!", "message")
        assert play["location"] != "room 1" and play["outcome"] == "interrupted"

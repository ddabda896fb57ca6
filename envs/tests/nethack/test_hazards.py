"""What befalls a hero, made with the game's own debug mode, in which things and monsters can be wished for.

With seed 3 a hero of the debug mode wakes at (3, 6) in a room alone with a pet; a boulder lies in the corridor beyond.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from labyrinth_envs.nethack import glyphs
from labyrinth_envs.nethack.level import Monster
from tests.nethack.debug import Debug
from tests.nethack.play import Play


def test_boulders_are_walked_around_and_pushed_when_asked_to() -> None:
    with Debug(3) as play:
        play.until("explore_level()", "A boulder came into view at (22, 10)")
        assert "A boulder at (22, 10) blocks the way out of corridor 2." in play["exploration"]
        play.do("move_to(x=22, y=10)")
        assert play["position"] == "(22, 10)" and "boulder at (23, 10)" in play["surroundings"]


def test_a_trap_holds_only_for_a_while() -> None:
    with Debug(3) as play:
        play.do("move_to(x=6, y=5)", f'apply(item_letter="{play.wish("bear trap")}")', "rest(count=10)")
        play.do('press_key(key="l")', 'press_key(key="h")')
        assert "closes on your foot" in play["message"]
        play.until("move_to(x=9, y=5)", "caught in a bear trap", "message", most=2)
        while play["outcome"] != "done":
            assert play["outcome"] == "interrupted", play["result"]
            play.do("move_to(x=9, y=5)")
        assert play["position"] == "(9, 5)"


def test_a_way_through_a_monster_is_a_way() -> None:
    with Debug(3) as play:
        play.until("explore_level()", "A boulder came into view at (22, 10)")
        assert play.world._hero is not None
        level = play.world._hero.level
        ways_in = next(room for room in level.rooms.rooms if room.id == 1).exits
        for call in ("go_to(room_id=1)", "up()"):
            level.monsters += [Monster(x, y, 0, "giant ant", False) for x, y in ways_in]
            play.do(call)
            assert play["location"] == "room 1" and "way" not in play["result"], play["result"]
            play.do('press_key(key="ESC")', "move_to(x=21, y=10)")


def test_who_bars_the_only_way_is_named() -> None:
    with Debug(3) as play:
        play.until("explore_level()", "A boulder came into view at (22, 10)")
        assert play.world._hero is not None
        level = play.world._hero.level
        ways_in = next(room for room in level.rooms.rooms if room.id == 1).exits
        goals = {"go_to(room_id=1)": "room 1", "move_to(x=3, y=6)": "(3, 6)", "kick(x=3, y=5)": "a place beside (3, 5)"}
        for call, goal in goals.items():
            level.monsters = [Monster(x, y, 0, "peaceful gnome", False) for x, y in ways_in]
            level._ways.clear()
            play.do(call)
            barred = [f"no known way leads to {goal} but past the peaceful gnome at {cell}" for cell in ways_in]
            assert play["result"].partition(" failed: ")[2] in barred, play["result"]


def test_one_who_hallucinates_fights_what_stands_there_to_its_end() -> None:
    with Debug(3) as play:
        play.do(f'drink(item_letter="{play.wish("cursed potion of hallucination")}")', 'press_key(key="ESC")')
        assert "State: hallucinating" in play["stats"]
        play.answer("ctrl-g", "newt")
        assert " at (4, 7), 1 step away" in play["monsters"]
        play.do("melee_attack(x=4, y=7)")
        assert play["result"].endswith(" is gone") and "You kill" in play["message"]
        assert " at (4, 7)" not in play["monsters"]


def test_a_swallowed_hero_is_told_so_and_fights_on() -> None:
    with Debug(3) as play:
        play.answer("ctrl-g", "hostile lurker above")
        play.until("rest(count=1)", "You are swallowed now.", most=10)
        assert "State: swallowed" in play["stats"] and play["monsters"] == ""
        assert play.do("explore_level()").end is None and "You hit the lurker above" in play["message"]


def test_counts_do_not_lead_past_the_limit_of_turns() -> None:
    with Debug(3) as play:
        turn = play["turn"]
        for call in ('type_text(text="300s")', 'press_key(key="9")'):
            play.do(call)
            assert play["outcome"] == "failed" and "search(count=...)" in play["result"] and play["turn"] == turn
        letter = play.wish("3 potions of water")  # a digit in an answer is no count
        assert f"{letter}: 3 " in play["inventory"]


@pytest.mark.parametrize("mode", ["level", "room"])
def test_what_is_part_of_no_room_is_told(mode: str) -> None:
    with Play(3, mode=mode) as play:
        assert play.world._hero is not None
        features = play.world._hero.level.features
        features[2][5], features[14][77] = 13, 17  # a door seen from afar, and bars in the room's wall
        play.do("look()")
        assert "- iron bars at (77, 14), 1 step away" in play["surroundings"]
        assert ("- open door at (5, 2), out of reach now" in play["surroundings"]) == (mode == "level")


@pytest.mark.parametrize(("closed", "opened"), [(15, 13), (16, 14)])
def test_a_door_that_holds_an_object_or_the_hero_is_open(closed: int, opened: int) -> None:
    with Play(3) as play:
        assert play.world._hero is not None
        hero, level = play.world._hero, play.world._hero.level
        walked, held = (74, 14), (75, 15)  # a doorway west of the hero, and a cell of the room
        for x, y in (walked, held):
            level.features[y][x] = closed
            level.locked.add((x, y))
        shown = hero.screen.glyphs.copy()
        shown[held[1], held[0]] = glyphs.BOULDER + 1  # an object; a monster that opened the door, say, died in it
        level.update(replace(hero.screen, glyphs=shown))
        assert level.feature(held) == opened and level.locked == {walked}
        play.do("move_to(x=74, y=14)")
        assert play["position"] == "(74, 14)" and level.feature(walked) == opened and not level.locked
        assert "blocks the way" not in play["exploration"]


def test_low_health_interrupts_a_long_skill() -> None:
    with Debug(3) as play:
        play.answer("ctrl-g", "hostile giant ant")
        play.do("rest(count=100)")
        assert play["result"] == "rest(count=100) was interrupted: Your health is low: 5 of 14 hit points."
        assert "Hit points 5 of 14" in play["stats"] and play["turn"] == "5"


def test_a_sacrifice_is_made_at_an_altar() -> None:
    with Debug(3) as play:
        play.do("move_to(x=6, y=5)")
        play.wish("altar")
        letter = play.wish("newt corpse")
        play.do("move_to(x=8, y=5)", "offer(x=6, y=5)")
        assert play["position"] == "(6, 5)" and play["result"].endswith("was interrupted: the game asks something")
        assert "What do you want to sacrifice?" in play["popup"]
        play.do(f'press_key(key="{letter}")')
        assert play["popup"] == "" and "newt corpse" not in play["inventory"], play.turn


def test_a_box_is_opened_and_its_content_taken() -> None:
    with Debug(3) as play:
        play.do("move_to(x=6, y=5)")
        letter = play.wish("large box")
        play.do(f'drop(item_letter="{letter}")', "move_to(x=8, y=5)", "loot(x=6, y=5)")
        assert play["position"] == "(6, 5)" and play["result"].endswith("was interrupted: the game asks something")
        assert play["popup"].startswith("Do what with the large box?")
        before = play["inventory"]
        play.do('press_key(key="o")')
        assert play["popup"].startswith("Take out what type of objects?")
        play.do('press_key(key="A")', 'press_key(key="ENTER")')
        assert play["popup"] == "" and len(play["inventory"].split("\n")) > len(before.split("\n"))

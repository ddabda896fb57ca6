"""Each skill on a game of a fixed seed: what it does, and how it fails.

With seed 3 a hero wakes at (76, 14) on stairs up, beside a pet, with four gold pieces at (75, 16).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from labyrinth_envs.nethack.skills import CATALOGUE
from tests.nethack.play import Play


def outcome(play: Play, call: str) -> str:
    return play.do(call).sections["outcome"]


def failure(play: Play, call: str) -> str:
    before = play["turn"]
    assert outcome(play, call) == "failed", play["result"]
    assert play["turn"] == before
    return play["result"].partition(" failed: ")[2]


def test_move_to_walks_step_by_step_and_knows_its_bounds() -> None:
    with Play(3) as play:
        assert outcome(play, "move_to(x=75, y=17)") == "done" and play["position"] == "(75, 17)"
        assert play["turn"] == "4"  # three steps
        assert outcome(play, "move_to(x=75, y=17)") == "done" and "already" in play["result"]
        assert failure(play, "move_to(x=0, y=0)") == "no known way leads to (0, 0)"
        assert outcome(play, "move_to(x=77, y=17)") == "done"
        assert (play["position"], play["result"]) == ("(76, 17)", "move_to(x=77, y=17): you stand beside (77, 17)")


def test_go_to_finds_rooms_by_number_also_by_those_that_are_gone() -> None:
    with Play(3) as play:
        assert failure(play, "go_to(room_id=99)").startswith("no room or corridor")
        play.do("explore_level()", "explore_level()")
        assert play["location"] != "room 1"
        assert outcome(play, "go_to(room_id=1)") == "done" and play["location"] == "room 1"
    with Play(3) as play:
        merged = play.until("explore_level()", "which was taken for")
        number = merged.sections["events"].partition("which was taken for ")[2].partition(" ")[0]
        known = next(iter(play.world.truth()["levels"]))["rooms"]  # type: ignore[call-overload]
        assert all(room["name"].split()[1] != number for room in known)
        for _ in range(5):
            if outcome(play, f"go_to(room_id={number})") != "interrupted":
                break
        assert play["outcome"] == "done"


def test_explore_level_finds_the_way_down_and_goes_on_where_it_was_interrupted() -> None:
    with Play(3) as play:
        turn = play.do("explore_level()")
        assert turn.sections["outcome"] == "interrupted" and "came into view" in turn.sections["interrupted_by"]
        play.until("explore_level()", "Stairs down came into view")
        assert "stairs down at" in play["surroundings"]


def test_explore_level_stops_at_the_limit_of_turns() -> None:
    with Play(3, turns_per_call=5) as play:
        play.until("explore_level()", "5 game turns have passed", "interrupted_by")


def test_search_uncovers_what_is_hidden() -> None:
    with Play(3) as play:
        assert outcome(play, "search(count=7)") == "done" and play["turn"] == "8"
        assert outcome(play, "search(x=75, y=15, count=1)") == "done" and play["position"] == "(75, 15)"
        play.until("explore_level()", "You find a hidden", "message")  # by its own searching


def test_a_door_that_resists_at_first_is_gone_through_once_it_opens() -> None:
    with Play(3) as play:
        play.do("pickup(x=75, y=16)", *["explore_level()"] * 3, "melee_attack(x=73, y=6)", "pickup(x=73, y=6)")
        play.do("explore_level()")
        assert "The door resists!\nThe door opens." in play["message"]
        play.do("explore_level()", "down()")
        assert play["depth"] == "2", play["result"]


def test_down_and_up_change_the_level() -> None:
    with Play(3) as play:
        assert failure(play, "down()").startswith("no way down is known")
        assert outcome(play, "down(x=75, y=16)") == "failed" and "can't go down here" in play["result"]
        play.until("explore_level()", "Stairs down came into view")
        play.until("down()", "went down", "result")
        assert (play["depth"], play["deepest"], play["outcome"]) == ("2", "2", "done")
        assert "another level" in play["events"]
        assert outcome(play, "up()") == "done" and (play["depth"], play["deepest"]) == ("1", "2")
        play.until("down()", "went down", "result")
        assert play["depth"] == "2"


def test_up_from_the_first_level_leaves_the_question_to_the_agent() -> None:
    with Play(3) as play:
        assert outcome(play, "up()") == "interrupted" and "Still climb?" in play["popup"]
        assert outcome(play, "rest()") == "failed" and "Still climb?" in play["result"]
        assert 'press_key(key="n")' in (play.world.valid_actions() or [])
        assert outcome(play, 'press_key(key="n")') == "done" and play["popup"] == ""
        play.do("up()")
        assert play.do('press_key(key="y")').end == "lost" and play.world.truth()["cause"] == "escaped"


def test_melee_attack_fights_until_the_monster_is_gone() -> None:
    with Play(3) as play:
        assert failure(play, "melee_attack(x=75, y=15)") == "no monster is to be seen at (75, 15)"
        play.until("explore_level()", "Kobold came into view")
        assert "- kobold at (65, 7)" in play["monsters"]
        assert outcome(play, "melee_attack(x=65, y=7)") == "done" and play["result"].endswith("the kobold is gone")
        assert "You kill the kobold!" in play["message"] and "kobold" not in play["monsters"]


def test_a_pet_is_not_attacked() -> None:
    with Play(3) as play:
        assert outcome(play, "melee_attack(x=75, y=14)") == "failed"
        assert "wishes you no harm" in play["result"] and play["turn"] == "1"


def test_kick_opens_a_locked_door() -> None:
    with Play(3) as play:
        assert failure(play, "kick(x=76, y=14)").startswith("you cannot kick where you stand")
        play.until("explore_level()", "Stairs down came into view")
        play.until("down()", "went down", "result")
        for _ in range(40):
            offered = [call for call in play.world.valid_actions() or [] if call.startswith("kick")]
            if offered:
                break
            play.do("explore_level()")
        assert "locked door" in play["exploration"]
        play.until(offered[0], "crashes open", "result")
        assert not [call for call in play.world.valid_actions() or [] if call == offered[0]]


def test_pickup_and_drop() -> None:
    with Play(3) as play:
        assert "gold pieces at (75, 16)" in play["surroundings"]
        assert outcome(play, "pickup(x=75, y=16)") == "done" and "gold 4" in play["stats"]
        assert "gold" not in play["surroundings"]
        assert "There is nothing here" in failure(play, "pickup()")
        assert failure(play, "pickup(x=75)") == "x and y go together: give both or neither"
        assert outcome(play, 'drop(item_letter="b")') == "done" and "dagger" not in play["inventory"]
        assert outcome(play, 'drop(item_letter="d")') == "done"
        assert outcome(play, "pickup(choose=true)") == "interrupted" and "dagger" in play["popup"]
        assert outcome(play, 'press_key(key="ESC")') == "done" and play["popup"] == ""
        assert outcome(play, "pickup()") == "done"
        assert "dagger" in play["inventory"] and "food ration" in play["inventory"]


def test_eat_asks_takes_and_fails() -> None:
    with Play(3) as play:
        assert outcome(play, "eat()") == "interrupted" and "What do you want to eat?" in play["popup"]
        assert outcome(play, 'press_key(key="ESC")') == "done"
        assert "item z is nothing to eat" == failure(play, 'eat(item_letter="z")') and play["popup"] == ""
        assert outcome(play, 'eat(item_letter="d")') == "done" and "food ration" not in play["inventory"]


def test_wield_wear_take_off_throw_apply() -> None:
    with Play(3) as play:
        assert (
            outcome(play, 'wield(item_letter="b")') == "done" and "b: a +0 dagger (weapon in hand)" in play["inventory"]
        )
        assert outcome(play, 'take_off(item_letter="c")') == "done" and "being worn" not in play["inventory"]
        assert (
            outcome(play, 'wear(item_letter="c")') == "done"
            and "c: an uncursed +3 small shield (being worn)" in (play["inventory"])
        )
        assert failure(play, "wear()").startswith("You don't have anything else to wear")
        assert outcome(play, 'throw(item_letter="b", direction="south")') == "done"
        assert "dagger" not in play["inventory"]
        assert outcome(play, 'apply(item_letter="e")') == "done" and "oil lamp (lit)" in play["inventory"]


def test_a_wizard_casts_zaps_reads_drinks_dips_and_wears_rings() -> None:
    with Play(3, role="wizard") as play:
        assert outcome(play, 'cast(spell_letter="a", direction="east")') == "done" and "energy" in play["stats"]
        assert failure(play, 'cast(spell_letter="z", direction="east")') == "there is no spell z"
        ring = play.letter("ring of protection")
        assert outcome(play, f'put_on(item_letter="{ring}")') == "interrupted" and "Right or Left" in play["popup"]
        assert outcome(play, 'press_key(key="r")') == "done" and "(on right hand)" in play["inventory"]
        assert outcome(play, f'remove(item_letter="{ring}")') == "done" and "(on right hand)" not in play["inventory"]
        assert failure(play, "remove()") == "there is nothing to remove"
        wand = play.letter("wand of locking")
        assert outcome(play, f'zap(item_letter="{wand}", direction="west")') == "done" and "(0:5)" in play["inventory"]
        assert outcome(play, f'read(item_letter="{play.letter("enchant armor")}")') == "done"
        assert "an uncursed scroll of enchant armor" in play["inventory"]
        water, weapon = play.letter("potion of water"), play.letter("quarterstaff")
        assert outcome(play, f'dip(item_letter="{weapon}", into_letter="{water}")') == "done"
        assert play["message"] == "Interesting..."
        assert outcome(play, f'drink(item_letter="{play.letter("gain ability")}")') == "done"
        assert "gain ability" not in play["inventory"]


def test_what_the_hero_lacks_is_said() -> None:
    with Play(3) as play:
        assert failure(play, "drink()") == "You don't have anything to drink."
        assert failure(play, "read()") == "You don't have anything to read."
        assert failure(play, "put_on()").startswith("You don't have anything else to put on")
        assert failure(play, 'zap(item_letter="a", direction="up")').startswith("You don't have anything to zap")
        assert failure(play, 'cast(spell_letter="a")').startswith("You don't know any spells")
        assert failure(play, "offer()") == "You are not standing on an altar."
        assert failure(play, "loot()") == "there is nothing to open here" and play["popup"] == ""
        assert "no shopkeeper here" in failure(play, "pay()")
        assert failure(play, "tip()") == "there is nothing to tip"


def test_an_archeologist_tips_a_sack() -> None:
    with Play(3, role="archeologist") as play:
        assert outcome(play, f'tip(item_letter="{play.letter("sack")}")') in ("done", "interrupted")
        assert "empty" in (play["message"] + play["popup"] + play["result"])


def test_loot_opens_a_box_and_leaves_the_choice_to_the_agent() -> None:
    with Play(10) as play:
        play.until("explore_level()", "large box came into view", most=60)
        x, y = play["events"].partition("large box came into view at (")[2].partition(")")[0].split(", ")
        for _ in range(10):
            play.do(f"loot(x={x}, y={y})")
            if "came into view" not in play["interrupted_by"]:
                break
        assert "locked" in play["result"] or "Do what" in play["popup"] or "empty" in play["message"], play.turn


def test_pray_says_yes_and_is_remembered() -> None:
    with Play(3) as play:
        assert "Last prayer: never" in play["stats"]
        assert outcome(play, "pray()") == "done" and "You begin praying" in play["message"]
        assert "Last prayer: turn 1" in play["stats"]


def test_look_takes_no_time_and_rest_does() -> None:
    with Play(3) as play:
        assert outcome(play, "look()") == "done" and "staircase up" in play["result"] and play["turn"] == "1"
        assert outcome(play, "rest(count=4)") == "done" and play["turn"] == "5"


def test_keys_and_texts_answer_questions() -> None:
    with Play(3) as play:
        play.do('press_key(key="#")')
        assert play["popup"].startswith("#")
        play.do('type_text(text="pray")', 'press_key(key="ENTER")')
        assert "Are you sure you want to pray?" in play["popup"]
        assert outcome(play, 'press_key(key="n")') == "done" and play["popup"] == "" and play["turn"] == "1"


def test_a_command_that_was_only_begun_is_taken_back() -> None:
    for begun in ("F", ";", "_", "m", "20"):
        with Play(3) as play:
            for key in begun:
                play.do(f'press_key(key="{key}")')
            assert outcome(play, "rest(count=2)") == "done" and play["turn"] == "3", begun


def test_windows_that_fill_the_screen_are_read() -> None:
    with Play(3) as play:
        play.do('press_key(key="ctrl-x")')
        assert play["popup"].startswith("Agent the Valkyrie's attributes:") and "Your strength is 17." in play["popup"]
        assert play.do('press_key(key="ESC")').sections["popup"] == ""
        play.do('press_key(key="\\\\")')  # what is known of the game's kinds, page by page
        assert "Discoveries" in play["message"] and "ranseur (hilted polearm)" in play["message"]
        play.do('press_key(key="D")')
        assert play["popup"].splitlines()[:3] == [
            "Drop what type of items?",
            "A - Auto-select every item",
            "a - All types",
        ]
        play.do('press_key(key="ESC")')
        assert play["popup"] == "" and outcome(play, "rest(count=1)") == "done"


def test_set_avoid_monster_flag() -> None:
    with Play(3) as play:
        assert "may lead through" in play["stats"]
        assert outcome(play, "set_avoid_monster_flag(value=true)") == "done" and "avoids monsters" in play["stats"]


@pytest.mark.parametrize("keys", [["#", "quit"], ["#", "exploremode"], ["S"]])
def test_the_game_is_neither_left_nor_cheated(keys: list[str]) -> None:
    with Play(3) as play:
        play.do(f'press_key(key="{keys[0]}")')
        if keys[1:]:
            play.do(f'type_text(text="{keys[1]}")', 'press_key(key="ENTER")')
        assert play["popup"] == "" and play.do('press_key(key="y")').end is None


def test_every_skill_is_tried_here() -> None:
    tried = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in CATALOGUE if f"{name}(" not in tried] == []

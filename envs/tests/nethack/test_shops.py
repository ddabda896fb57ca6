"""Shops, made reachable in debug mode: buying, refusing to pay, selling, leaving in debt.

With seed 16 level 2 has a general store of one Adjama, who stands at (72, 14) inside its door at (71, 14). A square
amulet lies at (73, 14) for 267 zorkmids, a murky potion at (73, 15) for 333.
"""

from __future__ import annotations

import pytest

from tests.nethack.debug import Debug


def customer(gold: int, mode: str = "level") -> Debug:
    """A hero in the shop's door."""
    play = Debug(16, mode=mode)
    play.jump(2)
    play.do('press_key(key="ctrl-f")')  # maps the level
    if gold:
        play.wish(f"{gold} gold pieces")
    play.teleport(70, 14)
    play.do("move_to(x=71, y=14)")
    assert "Welcome to Adjama's general store!" in play["message"] and play["position"] == "(71, 14)"
    return play


def leaves(play: Debug) -> bool:
    """Whether the hero gets out, once the keeper, who strolls about, is not in the way."""
    for _ in range(10):
        if play.do("move_to(x=70, y=14)").sections["position"] == "(70, 14)":
            return True
        play.do("move_to(x=73, y=14)", "move_to(x=73, y=13)")
    return False


@pytest.mark.parametrize("mode", ["level", "room"])
def test_one_thing_is_bought(mode: str) -> None:
    with customer(1000, mode) as play:
        play.do("move_to(x=73, y=14)")
        assert play["message"] == "You see here a square amulet (for sale, 267 zorkmids)."
        assert "- a square amulet (for sale, 267 zorkmids) at (73, 14), where you stand" in play["surroundings"]
        play.do("pay()")
        assert play["result"] == "pay() failed: You do not owe Adjama anything."
        assert "pay()" not in (play.world.valid_actions() or [])
        play.do("pickup()")
        assert play["outcome"] == "done" and "only 267 zorkmids for this square amulet" in play["result"]
        letter = play.letter(r"square amulet \(unpaid, 267 zorkmids\)")
        assert "pay()" in (play.world.valid_actions() or [])
        play.do("pay()")
        assert play["result"] == "pay() was interrupted: the game asks something"
        assert "Pay? [yn]" in play["popup"] and "267" in play["popup"]
        play.do('press_key(key="y")')
        assert "You bought a square amulet for 267 gold pieces." in play["message"] and play["popup"] == ""
        assert "gold 733" in play["stats"] and f"{letter}: a square amulet\n" in play["inventory"] + "\n"
        assert leaves(play)


def test_who_does_not_pay_is_kept_in_and_may_pay_later() -> None:
    with customer(1000) as play:
        play.do("pickup(x=73, y=14)", "pickup(x=73, y=15)")
        assert play["inventory"].count("unpaid") == 2
        play.do("pay()")
        assert play["popup"] == "Itemized billing? [ynq] (q)"
        turn = play["turn"]
        play.do("move_to(x=70, y=14)")
        assert play["outcome"] == "failed" and 'waits for an answer to "Itemized billing?' in play["result"]
        play.do('press_key(key="q")')
        assert play["popup"] == "" and play["inventory"].count("unpaid") == 2 and "gold 1000" in play["stats"]
        play.do("move_to(x=70, y=14)")
        why = "no known way leads to (70, 14) but past the peaceful Adjama at (72, 14)"
        assert play["result"] == f"move_to(x=70, y=14) failed: {why}"
        assert "- peaceful Adjama at (72, 14)" in play["monsters"] and int(play["turn"]) <= int(turn) + 1
        play.do("explore_level()")  # the shop, until nothing is left but to search it
        assert play["outcome"] in ("done", "interrupted") and play["depth"] == "2" and play["popup"] == ""
        play.do("pay()", 'press_key(key="y")')
        assert "Pay? [yn" in play["popup"]
        play.do('press_key(key="n")')
        assert "Pay? [yn" in play["popup"]
        play.do('press_key(key="y")')
        assert "You bought a murky potion for 333 gold pieces." in play["message"] and play["popup"] == ""
        assert play["inventory"].count("unpaid") == 1 and play.letter(r"square amulet \(unpaid, 267 zorkmids\)")
        play.do("pay()", 'press_key(key="y")')
        assert play["inventory"].count("unpaid") == 0 and "gold 400" in play["stats"]
        assert leaves(play)


def test_who_has_no_money_gives_back_what_cannot_be_paid() -> None:
    with customer(0) as play:
        play.do("pickup(x=73, y=14)", "pay()")
        assert play["result"] == "pay() failed: You have no money or credit."
        play.do(f'drop(item_letter="{play.letter("square amulet")}")')
        assert play["popup"] == "" and "unpaid" not in play["inventory"]
        assert leaves(play)


def test_what_is_eaten_in_the_shop_is_to_be_paid() -> None:
    with customer(1000) as play:
        play.until("pickup(x=74, y=14)", "unpaid", "inventory", most=5)
        play.do(f'eat(item_letter="{play.letter("egg")}")')
        assert '"You bite that egg, you pay for it!"' in play["message"] and "egg" not in play["inventory"]
        assert play.do("pay()").sections["popup"] == "An egg for 12 zorkmids.  Pay? [yn] (n)"
        play.do('press_key(key="y")')
        assert "gold 988" in play["stats"] and play["popup"] == ""
        assert play.do("pay()").sections["result"].endswith("You do not owe Adjama anything.")


def test_things_are_sold_when_the_agent_says_so() -> None:
    with customer(1000) as play:
        play.do("move_to(x=73, y=15)", 'drop(item_letter="a")')
        assert play["result"].endswith("was interrupted: the game asks something")
        assert play["popup"] == "Adjama offers 7 gold pieces for your club.  Sell it? [ynaq] (y)"
        assert 'press_key(key="n")' in (play.world.valid_actions() or [])
        play.do("rest()")
        assert play["outcome"] == "failed" and "Sell it?" in play["result"]
        play.do('press_key(key="y")')
        assert play["message"] == "You sold a +1 club for 7 gold pieces." and "gold 1007" in play["stats"]


def test_who_falls_out_of_the_shop_leaves_a_debt() -> None:
    with customer(1000) as play:
        play.do("pickup(x=73, y=14)", "move_to(x=73, y=15)")
        play.wish("trap door")
        play.do("move_to(x=73, y=16)")
        shop = play.levels[-1]
        play.do("move_to(x=73, y=15)")
        assert "You escaped the shop without paying!" in play["message"]
        # A potion broke, and the game asks in the midst of the fall what it is to be called.
        assert play["result"].endswith("was interrupted: the game asks something")
        assert play["popup"] == "Call a murky potion:" and play["events"] == "" and play["location"] == "room 6"
        play.do('press_key(key="ESC")')
        assert "You are on another level now, at depth 3." in play["events"] and "teleport" not in play["events"]
        assert "caveman" not in play["events"] and play["depth"] == play["deepest"] == "3" and play["popup"] == ""
        assert play.levels[-2] == shop
        assert "unpaid" not in play["inventory"]


def test_who_digs_out_of_the_shop_loses_the_pack() -> None:
    with customer(1000) as play:
        play.do("pickup(x=73, y=14)")
        letter = play.wish("pick-axe")
        for _ in range(4):
            play.do(f'apply(item_letter="{letter}")', 'press_key(key=">")')
            if play["depth"] == "3":
                break
        assert "Adjama grabs your backpack!" in play["message"] and "another level" in play["events"]
        assert "square amulet" not in play["inventory"] and "pick-axe (weapon in hand)" in play["inventory"]
        assert "gold 0" in play["stats"]

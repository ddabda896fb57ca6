"""The texts of a game's `.json`, which hold Inform 7's conditions: decided by the state of things; and its phrases."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection


def decided(text: str, own: str, states: Collection[tuple[str, str]], listed_in: Callable[[str], str]) -> str:
    """A text with its conditions decided and its lists written out.

    `own` is what a condition without a subject is about, `states` has (thing, "open") and the like, and `listed_in`
    gives what a holder contains as a list in words, empty of nothing. All things are named by id.
    """

    def holds(condition: str) -> bool:
        if state := re.fullmatch(r"(?:(\w+) is )?(open|closed|locked)", condition):
            thing = state[1] or own
            # what is locked is closed, too
            return (thing, state[2]) in states or (state[2] == "closed" and (thing, "locked") in states)
        if some := re.fullmatch(r"there is something [io]n the (\w+)", condition):
            return bool(listed_in(some[1]))
        if none := re.fullmatch(r"the (\w+) contains nothing|there is nothing on the (\w+)", condition):
            return not listed_in(none[1] or none[2])
        raise ValueError(f"A text has an unknown condition: {condition}")

    def chosen(found: re.Match[str]) -> str:
        parts = re.split(r"\[(?:else )?if (.*?)\]|\[(otherwise)\]", found[0].removesuffix("[end if]"))
        branches = [(parts[i] or parts[i + 1], parts[i + 2]) for i in range(1, len(parts), 3)]
        return next(
            (said for test, said in branches if test == "otherwise" or all(map(holds, test.split(" and ")))), ""
        )

    without = re.sub(r"\[if .*?\[end if\]", chosen, text, flags=re.DOTALL)
    return re.sub(r"\[a list of things [io]n the (\w+)\]", lambda found: listed_in(found[1]), without)


def listed(items: list[str], word: str = "and") -> str:
    """`a, b and c`; empty of nothing."""
    return f" {word} ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def points_gained(points: int) -> str:
    """What a compiled game adds where quests are completed."""
    words = "zero one two three four five six seven eight nine ten".split()
    word = words[points] if points < len(words) else str(points)
    return f"\n\n\n\nYour score has just gone up by {word} point{'' if points == 1 else 's'}."


def the_end(score: int, most: int, turns: int) -> str:
    """What a compiled game adds where it is won."""
    return (
        f"\n\n\n{' ' * 55}*** The End ***\n\nYou scored {score} out of a possible {most}, in {turns} turns.\n\n\n"
        "Would you like to RESTART, RESTORE a saved game, QUIT or UNDO the last command?"
    )

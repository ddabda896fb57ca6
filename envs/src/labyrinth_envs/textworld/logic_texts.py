"""The texts of a game's `.json`, which hold Inform 7's conditions: decided by the state of things."""

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
        if some := re.fullmatch(r"there is something in the (\w+)", condition):
            return bool(listed_in(some[1]))
        if none := re.fullmatch(r"the (\w+) contains nothing", condition):
            return not listed_in(none[1])
        raise ValueError(f"A text has an unknown condition: {condition}")

    def chosen(found: re.Match[str]) -> str:
        parts = re.split(r"\[(?:else )?if (.*?)\]|\[(otherwise)\]", found[0].removesuffix("[end if]"))
        branches = [(parts[i] or parts[i + 1], parts[i + 2]) for i in range(1, len(parts), 3)]
        return next(
            (said for test, said in branches if test == "otherwise" or all(map(holds, test.split(" and ")))), ""
        )

    without = re.sub(r"\[if .*?\[end if\]", chosen, text, flags=re.DOTALL)
    return re.sub(r"\[a list of things in the (\w+)\]", lambda found: listed_in(found[1]), without)


def listed(items: list[str], word: str = "and") -> str:
    """`a, b and c`; empty of nothing."""
    return f" {word} ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)

"""The guard of a running game: it accepts one command of plain characters.

TextWorld 1.7 follows the state of a game by what the interpreter prints. Several commands in one line make it lose an
output and with it score and facts for the rest of the episode, and so does taking several things at once; a line break
shifts every reply by one step, a NUL byte ends the process, a backslash makes the interpreter print without end,
over-long text is cut inside a character, and the interpreter's own verbs write files or undo moves behind the
tracker's back. So such text never reaches the game. "get" and "pick up", which the game obeys and the tracker misses,
are read as "take".
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from labyrinth_envs.world import WorldError

MAX_BYTES = 190
"""Longest command, bytes: the interpreter cuts at 198."""

META_VERBS = frozenset(
    "again brief disable enable fullscore g long normal notify nouns o objects oops places print_state pronouns q quit"
    " record recording replay restart restore restrict save script short superbrief superlong transcript undo"
    " unscript verbose verify version actions rules showme trace tree".split()
)
"""First words that speak to the interpreter, not to the game."""


def check_action(action: str, names: Iterable[str] = (), *, several: bool = False) -> str:
    """The command to send; raises `WorldError("bad-action")` for anything but one plain command for one thing.

    `names` are the game's: a thing may be called "salt and pepper shakers". With `several`, what speaks of several
    things or commands passes too, as published runs sent it.
    """
    command = action.strip(" ")
    if not command:
        raise _bad("the action is empty", "send one command, for example: look")
    if len(command.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        size = len(command.encode("utf-8", "surrogatepass"))
        raise _bad(f"the action has {size} bytes", f"send one command of at most {MAX_BYTES} bytes")
    if not all(" " <= character <= "~" for character in command):
        raise _bad(
            "the action holds a line break, a control character or a character outside ASCII",
            "send one line of plain ASCII letters",
        )
    if not several and re.search(r"[.,]|\bthen\b", command, re.IGNORECASE):
        raise _bad("the action holds several commands ('.', ',' or 'then')", "send them one by one")
    if re.search(r'[\[\]<>"\\]', command):
        raise _bad("the action holds brackets, quotes or a backslash", "use only the words of the valid actions")
    verb = command.split()[0].lower()
    if verb in META_VERBS or verb.startswith("tw-"):
        raise _bad(f"'{verb}' is a command of the interpreter, not of the game", "use only the valid actions")
    left = re.sub("|".join(map(re.escape, sorted(names, key=len, reverse=True))) or "(?!)", "", command, flags=re.I)
    if not several and re.search(r"\b(and|both|but|except)\b", left, re.IGNORECASE):
        raise _bad("the action speaks of several things at once", "name one thing in each action")
    taking = re.fullmatch(r"(?:get|pick up) (.+)|pick (.+) up", command, re.IGNORECASE)
    return f"take {taking[1] or taking[2]}" if taking else command


def _bad(what: str, remedy: str) -> WorldError:
    return WorldError("bad-action", f"Cannot take the action: {what}; {remedy}")

"""Every rule of text between ALFWorld and an agent, in one place; no other side repeats them.

- First observation: the welcome line and the task's line are taken off; the task is the turn's `goal`.
- Two dialects: since version 0.4 the package says "move X to Y" and "You arrive at Y.", before it said "put X in/on Y"
  and "You arrive at loc 12." Commands of both are understood; what is shown is in the dialect that was asked for.
"""

from __future__ import annotations

import re
from typing import Literal

Dialect = Literal["move", "put"]

NOTHING = "Nothing happens."
_PUT = re.compile(r"put (.+?) (?:in/on|into|onto|in|on) (.+)")
_MOVE = re.compile(r"move (.+?) to (.+)")


def intro(feedback: str) -> tuple[str, str]:
    """The first text apart: what is seen, and the task."""
    blocks = feedback.strip().split("\n\n")
    seen = [block for block in blocks if not block.startswith(("-= ", "Your task is to:"))]
    goals = [block.partition(":")[2].strip() for block in blocks if block.startswith("Your task is to:")]
    return "\n\n".join(seen), goals[0] if goals else ""


def readings(command: str) -> list[str]:
    """The readings of a command: itself, and its counterpart in the other dialect."""
    put, move = _PUT.fullmatch(command), _MOVE.fullmatch(command)
    if put:
        return [command, f"move {put[1]} to {put[2]}", f"put {put[1]} in/on {put[2]}"]
    return [command, f"put {move[1]} in/on {move[2]}"] if move else [command]


def shown_command(command: str, dialect: Dialect) -> str:
    """An admissible command as the agent sees it."""
    put, move = _PUT.fullmatch(command), _MOVE.fullmatch(command)
    if dialect == "put" and move:
        return f"put {move[1]} in/on {move[2]}"
    return f"move {put[1]} to {put[2]}" if dialect == "move" and put else command


def shown(feedback: str, dialect: Dialect, arrived: tuple[str, str] | None) -> str:
    """A reply as the agent reads it; `arrived` names receptacle and location after a "go to" that succeeded."""
    if dialect == "put":
        feedback = re.sub(r"^You move the (.+?) to the (.+)\.$", r"You put the \1 in/on the \2.", feedback)
    else:
        feedback = re.sub(r"^You put the (.+?) in/on the (.+)\.$", r"You move the \1 to the \2.", feedback)
    if arrived:
        where = arrived[0] if dialect == "move" else arrived[1]
        feedback = re.sub(r"^You arrive at [^.]+\.", f"You arrive at {where}.", feedback)
    if dialect == "put":
        feedback = feedback.replace(
            "  move (object) to (receptacle):  place", "  put (object) in/on (receptacle):  place"
        )
    return feedback

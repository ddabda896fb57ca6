"""Every rule of text between TextWorld and an agent, in one place; no other side repeats them.

- Observation: what follows the banner's last `$$$`, cut at the first `>` (prompt and status line), "livingroom" read
  as "living room", "Recipe #1" as "Recipe", outer white space and the banner's last `$` taken off (published logs hold
  them: `verbatim` keeps them, and `raw` cuts and renames nothing). To the first observation of an episode the task's
  paragraph is appended.
- Cooking: `cook X with stove | oven | BBQ` is shown as fry, roast, grill, and read back. Where TextWorld admits no
  `take` (with full hands), `take X` is offered for every food that lies in the room itself, as AriGraph's authors do,
  and the game refuses it; what stands on furniture or in containers is not offered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from labyrinth_envs.textworld.engine import Fact

_VERB_OF = {"stove": "fry", "oven": "roast", "BBQ": "grill"}


def observation(feedback: str, *, verbatim: bool = False) -> str:
    """Turns the game's raw text into the observation."""
    text = feedback.split("$$$")[-1].split(">", 1)[0]
    text = display(text).replace("Recipe #1", "Recipe")
    return text if verbatim else text.removeprefix("$").strip()


def raw(feedback: str) -> str:
    """The game's text as some published logs hold it: only the banner is gone."""
    return feedback.split("$$$")[-1]


def display(name: str) -> str:
    """A name of the game as the agent reads it."""
    return name.replace("livingroom", "living room").replace("Livingroom", "Living room")


def location(text: str) -> str | None:
    """The last room header (`-= Kitchen =-`) of an observation, or `None`."""
    headers = re.findall(r"-= (.+?) =-", text)
    return headers[-1] if headers else None


def shown_command(command: str) -> str:
    """A cooking command as the agent sees it."""
    cook = re.fullmatch(r"cook (.+) with (stove|oven|BBQ)", command)
    return f"{_VERB_OF[cook[2]]} {cook[1]} with {cook[2]}" if cook else command


def game_command(shown: str) -> str:
    """Turns a shown command into the game's own: the reverse of `shown_command`."""
    return re.sub(r"^(fry|roast|grill)(?= )", "cook", shown, flags=re.IGNORECASE)


def with_takes(commands: list[str], facts: Iterable[Fact], foods: Iterable[str]) -> list[str]:
    """The commands, and a `take` for every food that lies in the room where none is admissible."""
    if any("take" in command for command in commands):
        return commands
    lies = {fact[1]: fact[2] for fact in facts if fact[0] == "at"}
    return commands + [f"take {food}" for food in sorted(foods) if food in lies and lies[food] == lies["P"]]

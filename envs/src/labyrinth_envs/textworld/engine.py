"""A compiled game that runs: commands in, replies out, facts tracked.

TextWorld's own answers have three traps that end here: `won` and `lost` are true on the ending step only, the score is
cumulative, and a `.z8` without its `.json` has neither score nor facts.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

import textworld

Fact: TypeAlias = tuple[str, ...]
"""A predicate and the names of what it holds of: `("in", "Key 2", "White locker")`; P is the player, I its hands."""


@dataclass(frozen=True)
class Reply:
    """The result of one command."""

    feedback: str
    """Raw text of the game."""
    inventory: str = ""
    score: int = 0
    """Cumulative, by the game's own quests."""
    commands: list[str] | None = None
    """Admissible commands in TextWorld's order; `None` without tracking."""
    facts: frozenset[Fact] = field(default_factory=frozenset)
    end: Literal["won", "lost"] | None = None


class GameEngine(Protocol):
    """What plays one game, compiled or by its rules alone."""

    tracked: bool
    """Whether score, facts and admissible commands are known."""
    max_score: int
    types: dict[str, str]
    """TextWorld's type of each thing by its name."""
    quests: list[list[frozenset[Fact]]]
    """For each quest the sets of facts any of which completes it."""
    first: Reply

    def start(self) -> Reply:
        """Begins the game anew."""

    def send(self, command: str) -> Reply:
        """Executes one command that the guard has accepted."""

    def close(self) -> None:
        """Ends what runs the game."""


class Engine(GameEngine):
    """One running game that is compiled."""

    def __init__(self, path: Path) -> None:
        self.tracked = path.with_suffix(".json").is_file()
        wanted = textworld.EnvInfos(
            inventory=self.tracked, facts=self.tracked, admissible_commands=self.tracked, win_facts=self.tracked
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Jericho calls every game "not fully supported" that it does not know
            self._env = textworld.start(str(path), wanted)
        self.first = self._reply(self._env.reset())
        state = self._env.state
        self.max_score = int(state["max_score"] or 0) if self.tracked else 0
        self.types: dict[str, str] = dict(state["typed_entities"]) if self.tracked else {}
        self.quests: list[list[frozenset[Fact]]] = (
            [[frozenset(map(_fact, event)) for event in quest] for quest in (state["win_facts"] or [])]
            if self.tracked
            else []
        )

    def start(self) -> Reply:
        """Begins the game anew."""
        return self._reply(self._env.reset())

    def send(self, command: str) -> Reply:
        """Executes one command that the guard has accepted."""
        state, _, _ = self._env.step(command)
        return self._reply(state)

    def close(self) -> None:
        """Ends the interpreter."""
        self._env.close()

    def _reply(self, state: Any) -> Reply:
        feedback = str(state["feedback"])
        end: Literal["won", "lost"] | None = None
        if "*** The End ***" in feedback:
            end = "won"
        elif "*** You lost! ***" in feedback:
            end = "lost"
        if not self.tracked:
            return Reply(feedback, end=end)
        return Reply(
            feedback,
            inventory=str(state["inventory"] or ""),
            score=int(state["score"] or 0),
            commands=list(state["admissible_commands"]),
            facts=frozenset(map(_fact, state["facts"])),
            end=end,
        )


def _fact(proposition: Any) -> Fact:
    return (str(proposition.name), *(str(argument.name) for argument in proposition.arguments))

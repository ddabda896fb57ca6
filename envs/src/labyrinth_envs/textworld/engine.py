"""A compiled game that runs: commands in, replies out, facts tracked.

TextWorld's own answers have three traps that end here: `won` and `lost` are true on the ending step only, the score is
cumulative, and a `.z8` without its `.json` has neither score nor facts.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

import textworld
from textworld import Game
from textworld.logic import Proposition

import labyrinth_envs.textworld.sorted_facts  # noqa: F401  (TextWorld finds its actions by it)

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
        wanted = textworld.EnvInfos(inventory=self.tracked, admissible_commands=self.tracked)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Jericho calls every game "not fully supported" that it does not know
            self._env = textworld.start(str(path), wanted)
        first = self._env.reset()
        game = first["game"] if self.tracked else None
        if game:
            self._fact = reader_of_facts(game)
        self.first = self._reply(first)
        self.max_score = int(first["max_score"] or 0) if self.tracked else 0
        self.types: dict[str, str] = dict(first["typed_entities"]) if self.tracked else {}
        self.quests: list[list[frozenset[Fact]]] = [
            [frozenset(map(self._fact, event.condition.preconditions)) for event in quest.win_events]
            for quest in (game.quests if game else [])
        ]

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
            facts=frozenset(map(self._fact, state["_facts"])),
            end=end,
        )


def reader_of_facts(game: Game) -> Callable[[Proposition], Fact]:
    """What tells a proposition of a game by names. Results are kept, since most facts hold from step to step."""
    names = {id_: info.name or id_ for id_, info in game.infos.items()}

    @lru_cache(maxsize=10_000)
    def fact(proposition: Proposition) -> Fact:
        return (str(proposition.name), *(names[argument.name] for argument in proposition.arguments))

    return fact

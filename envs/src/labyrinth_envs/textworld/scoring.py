"""Rewards of the papers, computed on the world's side from facts and never from texts.

- Treasure Hunt, paper: each quest counts 1: a key, once, when first held; the treasure.
- Treasure Hunt, game: the game file's own: the treasure counts 3.
- Cleaning: +1 for taking a misplaced thing, +1 for putting it right, each once a thing; −1 for touching a thing in
  its right place, for putting one anywhere else or using it up; 0 otherwise. Only what the player moves counts. What
  somebody else carries off stays put right: the two points of a thing are for the player's work, whatever becomes of it
  later, and are given once, so that neither bad luck nor dawdling until more is to be done changes what can be scored.
- Cooking: the game's own: +1 for each ingredient fetched, cooked, cut; the meal held; the meal eaten.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from labyrinth_envs.textworld.engine import Fact, GameEngine, Reply


class Scorer(Protocol):
    """Adds up an episode. `score` is cumulative; `won` says that the scorer, not the game, ends it."""

    maximum: float
    score: float
    won: bool

    def start(self, reply: Reply) -> None:
        """Begins an episode with the game's first reply."""

    def update(self, reply: Reply) -> None:
        """Takes in the reply to one command."""


class GameScore:
    """The score that the game itself keeps."""

    def __init__(self, engine: GameEngine) -> None:
        self.maximum: float = engine.max_score
        self.score: float = 0
        self.won = False

    def start(self, reply: Reply) -> None:
        """Begins an episode with the game's first reply."""
        self.score = reply.score

    def update(self, reply: Reply) -> None:
        """Takes in the reply to one command."""
        self.score = reply.score


class QuestScore:
    """Counts one point for each quest, whatever the game itself gives for it."""

    def __init__(self, engine: GameEngine) -> None:
        self._quests = [events for events in engine.quests if events]
        self._done: set[int] = set()
        self.maximum: float = len(self._quests)
        self.score: float = 0
        self.won = False

    def start(self, reply: Reply) -> None:
        """Begins an episode with the game's first reply."""
        self._done = set()
        self.update(reply)

    def update(self, reply: Reply) -> None:
        """Takes in the reply to one command."""
        self._done |= {
            number for number, events in enumerate(self._quests) if any(event <= reply.facts for event in events)
        }
        self.score = len(self._done)


class TidyScore:
    """Cleaning: `homes` names the right place of each movable thing, or its right places."""

    def __init__(self, homes: Mapping[str, str | list[str]], engine: GameEngine) -> None:
        self._homes = {thing: {home} if isinstance(home, str) else set(home) for thing, home in homes.items()}
        self.misplaced = frozenset(
            thing for thing, place in places(engine.first.facts, homes).items() if place not in self._homes[thing]
        )
        self.maximum: float = 2 * len(self.misplaced)
        self.start(engine.first)

    def start(self, reply: Reply) -> None:
        """Begins an episode with the game's first reply."""
        self.score: float = 0
        self.won = False
        self._places = places(reply.facts, self._homes)
        self._taken: set[str] = set()
        self._righted: set[str] = set()
        self._right: set[str] = set()
        """Things that the player has put right and not moved since."""

    def update(self, reply: Reply) -> None:
        """Takes in the reply to one command."""
        before, self._places = self._places, places(reply.facts, self._homes)
        for thing, place in self._places.items():
            old = before.get(thing)
            if place != old and "I" in (place, old):  # else somebody else has moved it
                self.score += self._reward(thing, old, place)
                (self._right.add if place in self._homes[thing] else self._right.discard)(thing)
        self.score -= len(before.keys() - self._places.keys())
        self.won = self.misplaced <= self._right

    def _reward(self, thing: str, before: str | None, now: str) -> int:
        homes = self._homes[thing]
        if now == "I":
            if before in homes:
                return -1
            if thing in self.misplaced and thing not in self._taken:
                self._taken.add(thing)
                return 1
            return 0
        if now not in homes:
            return -1
        if thing in self.misplaced and thing not in self._righted:
            self._righted.add(thing)
            return 1
        return 0


def places(facts: frozenset[Fact], things: Mapping[str, object]) -> dict[str, str]:
    """Maps each thing to its location: a room (its floor), a supporter, a container, or I (in hand)."""
    return {fact[1]: fact[2] for fact in sorted(facts) if fact[0] in ("at", "on", "in") and fact[1] in things}

"""Where each thing was seen last: a memory of thirty lines without a model."""

from __future__ import annotations

import re

from labyrinth_memory import Cue, Memory, Perception, Recollection


class LastSeen(Memory):
    """Keeps, for each word, the last place and observation that mentions it."""

    def __init__(self, words: int = 5) -> None:
        self.words = words
        self.seen: dict[str, str] = {}

    def observe(self, perception: Perception) -> None:
        """Notes every longer word."""
        place = perception.location or "somewhere"
        for word in sorted(set(re.findall(r"[a-z]{4,}", perception.observation.lower()))):
            self.seen[word] = f"step {perception.step}, {place}: {perception.observation.strip()}"

    def recall(self, cue: Cue) -> Recollection:
        """The notes on the words of the plan, and of the goal."""
        wanted = re.findall(r"[a-z]{4,}", f"{cue.plan} {cue.goal}".lower())
        found = list(dict.fromkeys(self.seen[word] for word in wanted if word in self.seen))[: self.words]
        return Recollection({"Last seen": "\n\n".join(found)}, recalled={"notes": found})

    def save(self) -> dict[str, str]:
        """Everything that the next episode starts from; JSON."""
        return self.seen

    def load(self, body: dict[str, str]) -> None:
        """Goes on from what an earlier memory saved."""
        self.seen = dict(body)

"""A game to call skills in, closed after the test."""

from __future__ import annotations

import re
from types import TracebackType
from typing import Any, Self

from labyrinth_envs.nethack.world import NetHack, NetHackParameters
from labyrinth_envs.world import Turn


class Play:
    """One episode; `turn` is the last turn."""

    def __init__(self, seed: int, **parameters: Any) -> None:
        self.world = NetHack(NetHackParameters.model_validate({"seed": seed, "idle_calls": 0, **parameters}))
        self.turn = self.world.reset()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.world.close()

    def do(self, *calls: str) -> Turn:
        """Makes the calls one after the other."""
        for call in calls:
            self.turn = self.world.step(call)
        return self.turn

    def until(self, call: str, wanted: str, section: str = "events", most: int = 40) -> Turn:
        """Makes a call again and again until a section holds the wanted words."""
        for _ in range(most):
            if wanted in self.do(call).sections[section]:
                return self.turn
        raise AssertionError(f"{call} never brought {wanted!r}; last: {self.turn.observation}")

    def __getitem__(self, section: str) -> str:
        return self.turn.sections[section]

    def letter(self, words: str) -> str:
        """The letter of the thing carried whose text holds the words."""
        found = re.search(rf"^(\w): .*{words}", self["inventory"], re.MULTILINE)
        assert found, self["inventory"]
        return found[1]

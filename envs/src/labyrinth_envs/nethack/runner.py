"""Runs one call: sends its keys, watches what happens, and stops it by its limits and interrupts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from labyrinth_envs.nethack.calls import Call
from labyrinth_envs.nethack.keys import ESC, name_of
from labyrinth_envs.nethack.screen import Game
from labyrinth_envs.nethack.skills.base import Asked, Failed, Hero, Keys
from labyrinth_envs.nethack.tracker import INTERRUPTS, Event

KEYS_PER_CALL = 500
"""Most keys that one call may send: what takes no game time must end, too."""


@dataclass
class Report:
    """What became of a call."""

    outcome: Literal["done", "failed", "interrupted"]
    text: str
    interrupted_by: str = ""
    events: list[Event] = field(default_factory=list)
    keys: list[tuple[str, str]] = field(default_factory=list)
    """Key, and what the game said to it."""
    turns: int = 0
    """Game turns that passed."""


class Runner:
    """Runs calls one after the other; one that was interrupted goes on when the same call comes next."""

    def __init__(self, game: Game, hero: Hero, turns_per_call: int) -> None:
        self._game, self._hero, self._turns = game, hero, turns_per_call
        self._suspended: tuple[str, Keys, tuple[int, ...]] | None = None
        self._typed = False

    def run(self, call: Call) -> Report:
        """Runs a call to its end, a limit or an interrupt; never raises for what happens in the game."""
        hero, skill = self._hero, call.skill
        report = Report("done", "")
        prompt = hero.screen.prompt
        if prompt is not None and not skill.answers:
            question = prompt.text.partition("\n")[0]
            report.outcome = "failed"
            report.text = f'{call} failed: the game waits for an answer to "{question}"; use press_key or type_text'
            return report
        start = hero.screen.stats.turn
        if self._typed and not skill.answers:
            self._press(report, ESC)  # typed keys may have begun a command
        self._typed = skill.answers
        suspended, self._suspended = self._suspended, None
        try:
            if suspended is not None and suspended[0] == str(call):
                _, keys, batch = suspended
            else:
                keys = skill.run(hero, call.params)
                batch = next(keys)
            while not report.interrupted_by:
                report.interrupted_by = self._send(batch, skill.long, report, start)
                if not self._game.over:
                    batch = next(keys)  # a skill that is done in spite of what came up ends here
            report.outcome = "interrupted"
            report.text = f"{call} was interrupted: {report.interrupted_by}"
            self._suspended = (str(call), keys, batch)
        except StopIteration as end:
            report.interrupted_by = ""
            report.text = f"{call}: {end.value}"
        except Failed as failure:
            report.outcome, report.interrupted_by = "failed", ""
            report.text = f"{call} failed: {failure}"
        except Asked:
            report.outcome, report.interrupted_by = "interrupted", "the game asks something"
            report.text = f"{call} was interrupted: the game waits for an answer"
        report.turns = hero.screen.stats.turn - start
        return report

    def _send(self, batch: tuple[int, ...], long: bool, report: Report, start: int) -> str:
        """Sends keys that belong together; returns what interrupts the skill after them."""
        hero = self._hero
        hero.said = ""
        seen = len(report.events)
        for key in batch:
            self._press(report, key)
            if self._game.over:
                return f"the game is over ({self._game.cause})"
        if len(report.keys) >= KEYS_PER_CALL:
            return f"{KEYS_PER_CALL} keys were pressed"
        if hero.screen.prompt is not None:  # the skill answers, or leaves it to the agent
            return ""
        stops = [event.text for event in report.events[seen:] if event.kind in INTERRUPTS]
        if long and stops:
            return " ".join(stops)
        if hero.screen.stats.turn - start >= self._turns:
            return f"{self._turns} game turns have passed"
        return ""

    def _press(self, report: Report, key: int) -> None:
        screen = self._game.press(key)
        events = self._hero.tracker.update(screen)
        self._hero.said = "  ".join(part for part in (self._hero.said, screen.message) if part)
        report.events += events
        report.keys.append((name_of(key), screen.message))

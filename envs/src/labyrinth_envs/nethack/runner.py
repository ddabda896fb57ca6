"""Runs one call: sends its keys, watches what happens, and stops it by its limits and interrupts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from labyrinth_envs.nethack.calls import Call
from labyrinth_envs.nethack.keys import ESC, name_of
from labyrinth_envs.nethack.screen import Game
from labyrinth_envs.nethack.skills.base import Asked, Failed, Hero, Interrupted, Keys
from labyrinth_envs.nethack.tracker import INTERRUPTS, Event

KEYS_PER_CALL = 500
"""Most keys that one call may send: what takes no game time must end, too."""


@dataclass
class Report:
    """The result of a call."""

    call: str = ""
    outcome: Literal["done", "failed", "interrupted"] = "done"
    detail: str = ""
    """The text of the result: what was done, why it failed, or which limit stopped it."""
    stops: list[Event] = field(default_factory=list)
    """Events that interrupted it, where no limit did."""
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
        report = Report(str(call))
        prompt = hero.screen.prompt
        if prompt is not None and not skill.answers:
            question = prompt.text.partition("\n")[0]
            report.outcome = "failed"
            report.detail = f'the game waits for an answer to "{question}"; use press_key or type_text'
            return report
        start = hero.screen.stats.turn
        if self._typed and not skill.answers:
            self._press(report, ESC)  # typed keys may have begun a command, a cursor may be out
        self._typed = skill.answers
        suspended, self._suspended = self._suspended, None
        try:
            if suspended is not None and suspended[0] == report.call:
                _, keys, batch = suspended
            else:
                keys = skill.run(hero, call.params)
                batch = next(keys)
            while not self._stopped(batch, skill.long, report, start):
                batch = next(keys)
            if not self._game.over:
                batch = next(keys)  # a skill that is done in spite of what came up ends here
            report.outcome = "interrupted"
            self._suspended = (report.call, keys, batch)
        except StopIteration as end:
            report.detail = str(end.value)
        except Failed as failure:
            report.outcome, report.detail = "failed", str(failure)
        except Asked:
            report.outcome, report.detail = "interrupted", "the game asks something"
        except Interrupted:
            report.outcome = "interrupted"
        self._typed |= hero.screen.points
        report.turns = hero.screen.stats.turn - start
        return report

    def _stopped(self, batch: tuple[int, ...], long: bool, report: Report, start: int) -> bool:
        """Sends keys that belong together, and says whether the skill is to stop after them."""
        hero = self._hero
        hero.said = ""
        seen = len(report.events)
        for key in batch:
            self._press(report, key)
            if self._game.over:
                report.detail = f"the game is over ({self._game.cause})"
                return True
        if len(report.keys) >= KEYS_PER_CALL:
            report.detail = f"{KEYS_PER_CALL} keys were pressed"
            return True
        if hero.screen.prompt is not None:  # the skill answers, or leaves it to the agent
            return False
        report.stops = [event for event in report.events[seen:] if long and event.kind in INTERRUPTS]
        if not report.stops and hero.screen.stats.turn - start >= self._turns:
            report.detail = f"{self._turns} game turns have passed"
        return bool(report.stops or report.detail)

    def _press(self, report: Report, key: int) -> None:
        screen = self._game.press(key)
        events = self._hero.tracker.update(screen)
        self._hero.said = "  ".join(part for part in (self._hero.said, screen.message) if part)
        report.events += events
        report.keys.append((name_of(key), screen.message))

"""NetHack as a world: parameters, turns, ends, the truth."""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from typing import Annotated, ClassVar, Literal

from nle.env.base import NLE
from pydantic import Field

from labyrinth_envs.nethack.calls import parse, spec_of
from labyrinth_envs.nethack.describer import Describer, Mode
from labyrinth_envs.nethack.offers import offers
from labyrinth_envs.nethack.picture import draw
from labyrinth_envs.nethack.runner import Report, Runner
from labyrinth_envs.nethack.screen import Game, Screen
from labyrinth_envs.nethack.skills import CATALOGUE
from labyrinth_envs.nethack.skills.base import Hero
from labyrinth_envs.nethack.tracker import Event, Tracker
from labyrinth_envs.world import EnvSpec, Frame, Turn, Wire, WorldError

TASK = "Go down as deep into the dungeon as you can, level after level, and stay alive."
MAX_SCORE = 10_000.0
"""NetHack's score has no bound. This is about what the best program of rules reaches; a higher score raises it."""
SECTIONS = [
    *("message", "outcome", "result", "interrupted_by", "events", "popup", "location", "position", "surroundings"),
    *("exits", "monsters", "exploration", "inventory", "stats", "depth", "deepest", "turn"),
]

Role = Literal[
    "archeologist",
    "barbarian",
    "caveman",
    "healer",
    "knight",
    "monk",
    "priest",
    "ranger",
    "rogue",
    "samurai",
    "tourist",
    "valkyrie",
    "wizard",
]


class Play(Wire):
    """How a game is played by skills."""

    seed: Annotated[int, Field(ge=0, le=2**31 - 1, description="seed of the whole game")] = 0
    mode: Mode = Field(default="level", description="whether texts show the whole explored level or only the room")
    max_calls: int = Field(default=200, alias="maxCalls", ge=1, le=100_000, description="skill calls until the end")
    max_turns: int = Field(default=20_000, alias="maxTurns", ge=1, le=1_000_000, description="game turns until the end")
    turns_per_call: int = Field(
        default=100, alias="turnsPerCall", ge=1, le=1000, description="maximum of game turns in one skill call"
    )
    idle_calls: int = Field(
        default=10,
        alias="idleCalls",
        ge=0,
        le=1000,
        description="calls in a row without game time that end the episode; 0: never",
    )
    image: bool = Field(default=False, description="whether turns carry a PNG of the screen")
    frames: bool = Field(default=False, description="whether turns list the keys that were pressed")


class NetHackParameters(Play):
    """NetHack."""

    role: Role = Field(default="valkyrie", description="the hero's role")
    task: str = Field(default=TASK, min_length=1, max_length=2000, description="what the agent is told to do")


class NetHack:
    """NetHack played by skills, described level by level or room by room."""

    id = "nethack"
    Parameters: ClassVar[type[Play]] = NetHackParameters

    def __init__(self, parameters: NetHackParameters) -> None:
        game = Game(parameters.seed, NLE, character=parameters.role)
        self._open(parameters, f"5 (nle {version('nle')})", f"{parameters.seed}|{parameters.role}", game)

    def _goal(self) -> str:
        return str(self._spec.parameters["task"])

    def _score(self, screen: Screen) -> tuple[float, float]:
        """The score and the highest possible one."""
        score = float(screen.stats.score)
        return score, max(MAX_SCORE, score)

    def _open(self, parameters: Play, rules: str, content: str, game: Game) -> None:
        self._parameters = parameters
        shown = parameters.model_dump(mode="json", by_alias=True)
        first = {name: shown.pop(name) for name in ("seed", "mode", "role", "task", "level") if name in shown}
        self._spec = EnvSpec(
            id=self.id,
            version=rules,
            parameters=first | shown,  # the seal of a recorded episode covers their order, too
            sections=SECTIONS,
            actions=[spec_of(skill) for skill in CATALOGUE.values()],
            fallback="explore_level()",
            identity=hashlib.sha256(f"{self.id}|{rules}|{content}".encode()).hexdigest(),
        )
        self._game = game
        self._hero: Hero | None = None
        self._runner: Runner | None = None
        self._end: Literal["won", "lost", "limit"] | None = None
        self._calls = self._idle = 0

    @property
    def spec(self) -> EnvSpec:
        """The specification of the opened game."""
        return self._spec

    def reset(self) -> Turn:
        """Starts the seed's game anew."""
        self._hero = Hero(Tracker(self._game.start()))
        self._runner = Runner(self._game, self._hero, self._parameters.turns_per_call)
        self._end = None
        self._calls = self._idle = 0
        return self._turn(Report(events=[Event("message", self._hero.screen.message)]), self._hero)

    def step(self, action: str) -> Turn:
        """Executes one call of a skill; raises `WorldError` for text that is no call."""
        if self._runner is None or self._hero is None:
            raise WorldError("out-of-order", "Cannot step: the episode has not begun; reset it first")
        if self._end is not None:
            raise WorldError("ended", f"Cannot step: the episode has ended ({self._end}); reset it to play again")
        report = self._runner.run(parse(action))
        self._calls += 1
        self._idle = 0 if report.turns else self._idle + 1
        idle = self._parameters.idle_calls and self._idle >= self._parameters.idle_calls
        over = self._calls >= self._parameters.max_calls or self._hero.screen.stats.turn >= self._parameters.max_turns
        self._end = self._game.over or ("limit" if idle or over else None)
        return self._turn(report, self._hero)

    def valid_actions(self) -> list[str] | None:
        """Calls that make sense now; any other call may be made too. None after the end."""
        if self._hero is None:
            return None
        return [] if self._end is not None else offers(self._hero, self._parameters.mode)

    def truth(self) -> dict[str, object]:
        """`{depth, deepest, levelsCompleted, turn, cause, location, map, levels}`.

        - `levelsCompleted`: deepest depth reached, less one
        - `cause`: how the game ended, empty before
        - `map`: 21 lines of 79 characters, as shown
        - `levels`: of each level visited `{dungeon, level, depth, map, rooms}`; its `map` holds features alone, and a
          room is `{name, kind, size, exits}`
        """
        if self._hero is None:
            return {}
        screen, tracker = self._hero.screen, self._hero.tracker
        here = tracker.level.rooms.current
        return {
            "depth": screen.stats.depth,
            "deepest": self._game.deepest,
            "levelsCompleted": self._game.deepest - 1,
            "turn": screen.stats.turn,
            "cause": self._game.cause,
            "location": here.name if here else "",
            "map": [bytes(row).decode("latin-1") for row in screen.chars],
            "levels": [level.summary() for level in tracker.levels.values()],
        }

    def close(self) -> None:
        """Ends the game."""
        self._game.close()

    def _turn(self, report: Report, hero: Hero) -> Turn:
        screen = hero.screen
        sections = self._sections(report, hero)
        score, max_score = self._score(screen)
        return Turn(
            goal=self._goal(),
            observation=_observation(sections, self._parameters.mode),
            sections=sections,
            frames=[Frame(action=key, observation=said) for key, said in report.keys]
            if self._parameters.frames
            else [],
            score=score,
            max_score=max_score,
            end=self._end,
            image=draw(screen) if self._parameters.image else None,
        )

    def _sections(self, report: Report, hero: Hero) -> dict[str, str]:
        screen, describer = hero.screen, Describer(hero, self._parameters.mode)
        why = report.detail or " ".join(describer.events(report.stops)) or "something came into view elsewhere"
        messages = [event.text for event in report.events if event.kind == "message"]
        return {
            "message": "\n".join(dict.fromkeys(messages)),
            "outcome": report.outcome,
            "result": _RESULTS[report.outcome].format(report.call, why) if report.call else "",
            "interrupted_by": why if report.outcome == "interrupted" else "",
            "events": "\n".join(describer.events(report.events)),
            "popup": screen.prompt.text if screen.prompt else "",
            "location": describer.location(),
            "position": f"({screen.stats.x}, {screen.stats.y})",
            "surroundings": describer.surroundings(),
            "exits": describer.exits(),
            "monsters": describer.monsters(),
            "exploration": describer.exploration(),
            "inventory": describer.inventory(),
            "stats": describer.stats(),
            "depth": str(screen.stats.depth),
            "deepest": str(self._game.deepest),
            "turn": str(screen.stats.turn),
        }


_RESULTS = {"done": "{}: {}", "failed": "{} failed: {}", "interrupted": "{} was interrupted: {}"}
_TITLES = (
    ("result", "Last skill"),
    ("message", "Game messages"),
    ("events", "Events"),
    ("popup", "The game asks"),
    ("position", "Position"),
    ("surroundings", "Surroundings"),
    ("exits", "Exits of this place"),
    ("monsters", "Monsters"),
    ("exploration", "Exploration"),
    ("inventory", "Inventory"),
    ("stats", "Stats"),
)


def _observation(sections: dict[str, str], mode: Mode) -> str:
    shown = [
        f"{title}:\n{sections[name]}"
        for name, title in _TITLES
        if sections[name] and (name != "exits" or mode == "room")
    ]
    return "\n\n".join(shown)

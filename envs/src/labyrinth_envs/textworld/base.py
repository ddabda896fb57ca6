"""The base of all TextWorld worlds: one episode over an engine, with the texts and rewards of the papers.

Every text rule and every reward is applied on this side (`texts`, `scoring`); the method adds only what is its own, the
step's number and the `go to` macros.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import textworld
from pydantic import BaseModel

from labyrinth_envs.textworld import hunt, scoring, texts
from labyrinth_envs.textworld.cache import compiled
from labyrinth_envs.textworld.engine import Engine, GameEngine, Reply
from labyrinth_envs.textworld.gamedata import GameData, identity
from labyrinth_envs.textworld.guard import check_action
from labyrinth_envs.textworld.logic_engine import LogicEngine
from labyrinth_envs.textworld.rename import rename
from labyrinth_envs.textworld.specs import actions_of
from labyrinth_envs.textworld.truth import truth_of
from labyrinth_envs.world import EnvSpec, Turn, WorldError

RULES = {"hunt": 1, "cleaning": 1, "cooking": 2, "plain": 1}
"""The version of the rules by kind of game. Cooking 1 offered `take` also for foods on furniture and in containers."""

GOALS = {
    "hunt": "Find the treasure.",
    "cleaning": "The house is untidy. Find the things that are out of place and bring each back to where it belongs.",
    "plain": "Play the game as it tells you.",
}


@dataclass(frozen=True)
class Opened:
    """A game that is ready to be played."""

    story: Path | GameData
    """The `.z8`, with its `.json` beside it where state is to be tracked; or a game that runs by rules alone."""
    about: dict[str, Any]
    """What Labyrinth knows of it, in the game's names: `kind` (hunt, cleaning, cooking, plain), and where they apply
    `goal`, `task` (paragraph appended to the first observation), `homes` (Cleaning: thing → its right place or places),
    `moves` (Cleaning by rules alone: how often something is moved meanwhile, and the seed of what is) and `solution`
    (hunts, and Cleaning by rules alone: commands of a solution)."""
    identity: str


class Play:
    """One session of one compiled game: it implements `labyrinth_envs.world.World` except for the opening."""

    id: ClassVar[str]
    Parameters: ClassVar[type[BaseModel]]

    def __init__(
        self,
        parameters: BaseModel,
        opened: Opened,
        step_limit: int,
        *,
        rewards: Literal["paper", "game"] = "paper",
        verbatim: bool = False,
    ) -> None:
        about = opened.about
        self._kind: str = about["kind"]
        self._goal: str = about.get("goal", GOALS.get(self._kind, GOALS["plain"]))
        self._task: str = "" if verbatim else about.get("task", "")
        self._homes: dict[str, str | list[str]] = about["homes"] if self._kind == "cleaning" else {}
        self._step_limit = step_limit
        self._verbatim = verbatim
        self._engine: GameEngine = Engine(opened.story) if isinstance(opened.story, Path) else LogicEngine(opened.story)
        self._foods = [name for name, type_ in self._engine.types.items() if type_ == "f"]
        self._scorer = _scorer(about, rewards, self._engine)
        self._spec = EnvSpec(
            id=self.id,
            version=f"{RULES[self._kind]} (textworld {textworld.__version__})",
            parameters=parameters.model_dump(mode="json", by_alias=True),
            sections=["inventory", "location", *(["raw"] if verbatim else [])],
            actions=actions_of(self._kind),
            fallback="look",
            identity=opened.identity,
        )
        self._reply: Reply | None = None
        self._steps = 0
        self._location = ""
        self._end: Literal["won", "lost", "limit"] | None = None

    @property
    def spec(self) -> EnvSpec:
        """The specification of the opened game."""
        return self._spec

    def reset(self) -> Turn:
        """Begins the episode anew; the task's paragraph stands at the end of the observation."""
        self._steps = 0
        self._end = None
        self._location = ""
        self._reply = self._engine.start()
        self._scorer.start(self._reply)
        turn = self._turn(self._reply)
        if self._task:
            turn.observation = f"{turn.observation}\n\n{self._task}"
        return turn

    def step(self, action: str) -> Turn:
        """Executes one command; the game answers an invalid one, and a harmful one raises `WorldError`."""
        if self._reply is None:
            raise WorldError("out-of-order", "Cannot step: the episode has not begun; reset it first")
        if self._end is not None:
            raise WorldError("ended", f"Cannot step: the episode has ended ({self._end}); reset it to play again")
        command = check_action(action, self._engine.types, several=self._verbatim)
        if self._kind == "cooking":
            command = texts.game_command(command)
        self._reply = self._engine.send(command)
        self._scorer.update(self._reply)
        self._steps += 1
        # Published runs go on when all is put right: `verbatim` leaves the end to the game.
        self._end = self._reply.end or ("won" if self._scorer.won and not self._verbatim else None)
        if self._end is None and self._steps >= self._step_limit:
            self._end = "limit"
        return self._turn(self._reply)

    def valid_actions(self) -> list[str] | None:
        """TextWorld's admissible commands, in its order, as the agent sees them; none after the end."""
        if self._reply is None or self._reply.commands is None:
            return None
        if self._end is not None:
            return []
        commands = self._reply.commands
        if self._kind == "cooking":
            offered = texts.with_takes(commands, self._reply.facts, self._foods)
            return [texts.shown_command(command) for command in offered]
        return list(commands)

    def truth(self) -> dict[str, Any]:
        """See `truth.truth_of`; in Cleaning also `homes`, thing → its right place or places."""
        found = truth_of((self._reply or self._engine.first).facts)
        return found | {"homes": self._homes} if self._homes else found

    def close(self) -> None:
        """Ends the interpreter."""
        self._engine.close()

    def _turn(self, reply: Reply) -> Turn:
        observation = texts.observation(reply.feedback, verbatim=self._verbatim)
        self._location = texts.location(observation) or self._location
        sections = {"inventory": texts.display(reply.inventory), "location": self._location}
        if self._verbatim:
            sections["raw"] = texts.raw(reply.feedback)
        return Turn(
            goal=self._goal,
            observation=observation,
            sections=sections,
            score=self._scorer.score,
            max_score=self._scorer.maximum,
            end=self._end,
        )


def prepared(data: GameData, renaming: int | None, name: str) -> Opened:
    """The game renamed if asked, and compiled if need be; `name` is for error messages."""
    if renaming is not None:
        data = rename(data, renaming)
    about = data["metadata"]["labyrinth"]
    is_large = sum(info["type"] == "r" for _, info in data["infos"]) > hunt.MOST_COMPILED
    return Opened(data if is_large or "moves" in about else compiled(data, name), about, identity(data))


def _scorer(about: dict[str, Any], rewards: str, engine: GameEngine) -> scoring.Scorer:
    if rewards == "paper" and about["kind"] == "hunt":
        return scoring.QuestScore(engine)
    if rewards == "paper" and about["kind"] == "cleaning":
        return scoring.TidyScore(about["homes"], engine)
    return scoring.GameScore(engine)

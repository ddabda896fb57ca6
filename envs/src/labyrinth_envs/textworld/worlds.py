"""The TextWorld worlds as the laboratory knows them: parameters, the turn, and which game stands behind an id.

Every text rule and every reward of the papers is applied on this side (`texts`, `scoring`); the method adds only what
is its own, the step's number and the `go to` macros.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, ClassVar, Literal

import textworld
from pydantic import BaseModel, Field

from labyrinth_envs.textworld import hunt, scoring, texts
from labyrinth_envs.textworld.cache import compiled
from labyrinth_envs.textworld.engine import Engine, Reply
from labyrinth_envs.textworld.gamedata import GameData, identity
from labyrinth_envs.textworld.guard import check_action
from labyrinth_envs.textworld.specs import actions_of
from labyrinth_envs.textworld.truth import truth_of
from labyrinth_envs.world import EnvSpec, Turn, Wire, WorldError

VERSION = f"1 (textworld {textworld.__version__})"

Seed = Annotated[int, Field(ge=0, le=2**31 - 1)]
StepLimit = Annotated[int, Field(alias="stepLimit", ge=1, le=100_000, description="agent steps until the end")]
Kind = Literal["hunt", "cleaning", "cooking", "plain"]


class Common(Wire):
    """Parameters of every generated game."""

    seed: Seed = Field(0, description="0 is the paper's game; any other number draws a new one of the same kind")
    rename: Seed | None = Field(None, description="seed of invented words for all rooms, colours, things and foods")
    step_limit: StepLimit = 150


class HuntParameters(Common):
    """Treasure Hunt."""

    rewards: Literal["paper", "game"] = Field("paper", description="the treasure counts 1 (paper) or 3 (game)")


class TextWorldWorld:
    """What all of these worlds share. A subclass says which game it plays."""

    id: ClassVar[str]
    Parameters: ClassVar[type[BaseModel]]

    def __init__(self, parameters: Common, data: GameData) -> None:
        about = data["metadata"]["labyrinth"]
        self._open(parameters, compiled(data, self.id), about["kind"], identity(data))
        self._goal: str = about.get("goal", GOALS[self._kind])
        self._task: str = about.get("task", "")
        self._scorer = self._make_scorer(about)

    def _open(self, parameters: Common, game: Path, kind: Kind, content: str) -> None:
        self._parameters = parameters
        self._kind: Kind = kind
        self._identity = content
        self._engine = Engine(game)
        self._foods = [name for name, type_ in self._engine.types.items() if type_ == "f"]
        self._verbatim = False
        self._steps = 0
        self._end: Literal["won", "lost", "limit"] | None = None
        self._reply: Reply | None = None
        self._location = ""

    def _make_scorer(self, about: dict[str, object]) -> scoring.Scorer:
        if self._kind == "hunt" and getattr(self._parameters, "rewards", "paper") == "paper":
            return scoring.QuestScore(self._engine)
        return scoring.GameScore(self._engine)

    @property
    def spec(self) -> EnvSpec:
        return EnvSpec(
            id=self.id,
            version=VERSION,
            parameters=self._parameters.model_dump(mode="json", by_alias=True),
            sections=["inventory", "location"],
            actions=actions_of(self._kind),
            fallback="look",
            identity=self._identity,
        )

    def reset(self) -> Turn:
        self._steps = 0
        self._end = None
        self._location = ""
        self._reply = self._engine.start()
        self._scorer.start(self._reply)
        return self._turn(self._reply, first=True)

    def step(self, action: str) -> Turn:
        if self._reply is None:
            raise WorldError("bad-request", "Cannot step: the episode has not begun; call reset first")
        if self._end is not None:
            raise WorldError("ended", f"Cannot step: the episode has ended ({self._end}); call reset to begin anew")
        command = check_action(action)
        if self._kind == "cooking":
            command = texts.game_command(command)
        self._reply = self._engine.send(command)
        self._scorer.update(self._reply)
        self._steps += 1
        self._end = self._reply.end or ("won" if self._scorer.won else None)
        if self._end is None and self._steps >= self._parameters.step_limit:
            self._end = "limit"
        return self._turn(self._reply)

    def valid_actions(self) -> list[str] | None:
        if self._reply is None or self._reply.commands is None:
            return None
        if self._end is not None:
            return []
        commands = self._reply.commands
        if self._kind != "cooking":
            return list(commands)
        return [texts.shown_command(command) for command in texts.with_takes(commands, self._reply.facts, self._foods)]

    def truth(self) -> dict[str, object]:
        reply = self._reply or self._engine.first
        return truth_of(reply.facts)

    def close(self) -> None:
        self._engine.close()

    def _turn(self, reply: Reply, *, first: bool = False) -> Turn:
        observation = texts.observation(reply.feedback, verbatim=self._verbatim)
        self._location = texts.location(observation) or self._location
        if first and self._task and not self._verbatim:
            observation = f"{observation}\n\n{self._task}"
        return Turn(
            goal=self._goal,
            observation=observation,
            sections={"inventory": texts.display(reply.inventory), "location": self._location},
            score=self._scorer.score,
            max_score=self._scorer.maximum,
            end=self._end,
        )


GOALS: dict[str, str] = {
    "hunt": "Find the treasure.",
    "cleaning": "The house is untidy. Find the things that are out of place and bring each back to where it belongs.",
    "cooking": "Find the recipe in the cookbook, prepare the meal as it says and eat it.",
    "plain": "Play the game as it tells you.",
}


class Hunt(TextWorldWorld):
    """Treasure Hunt, 12 rooms and 4 keys."""

    id = "textworld/hunt"
    Parameters = HuntParameters

    def __init__(self, parameters: HuntParameters) -> None:
        super().__init__(parameters, hunt.make(self.id.split("/")[1], parameters.seed))


class HuntHard(Hunt):
    """Treasure Hunt, 16 rooms and 5 keys."""

    id = "textworld/hunt-hard"


class HuntHardest(Hunt):
    """Treasure Hunt, 36 rooms and 7 keys, with a thing of no use in every room."""

    id = "textworld/hunt-hardest"

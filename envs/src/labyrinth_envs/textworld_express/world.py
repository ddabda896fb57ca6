"""The world `textworld-express`: one game of one of the package's eight kinds."""

from __future__ import annotations

import hashlib
import json
import re
from importlib.metadata import version
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

from labyrinth_envs.commands import check_command
from labyrinth_envs.jvm import JavaWorld
from labyrinth_envs.textworld_express.simulator import Reply, Simulator
from labyrinth_envs.world import EnvSpec, Turn, Wire, WorldError, action_specs

VERSION = f"1 (textworld-express {version('textworld-express')})"

FIRST_SEED = {"train": 0, "dev": 10_000, "test": 20_000}
"""Fold → the first of its 1,000 seeds in the package."""

ACTIONS = action_specs(
    (
        ("look around", "describe the place again", False),
        ("inventory", "list what you carry", False),
        ("move {direction}", "walk north, east, south or west", True),
        ("open door to {direction}", "open a door", True),
        ("close door to {direction}", "close a door", False),
        ("open {container}", "open a container", True),
        ("close {container}", "close a container", False),
        ("examine {thing}", "look at a thing", False),
        ("take {thing}", "pick a thing up", False),
        ("put {thing} in {container}", "put a carried thing into or onto something", False),
        ("read {thing}", "read a recipe, a map or instructions", False),
        ("cook {food} in {device}", "cook a food in an oven, on a stove or on a barbecue", False),
        ("slice {food}", "slice a food with a knife; so do chop and dice", False),
        ("prepare meal", "make the meal of the recipe", False),
        ("eat {food}", "eat a food or the meal", False),
        ("task", "repeat the task", False),
    )
)


class TextWorldExpressParameters(Wire):
    """A kind of game, and which game of that kind."""

    game: Literal["cookingworld", "twc", "coin", "mapreader", "arithmetic", "sorting", "simonsays", "peckingorder"] = (
        Field(default="cookingworld", description="kind of game; twc is TextWorld Common Sense, coin is CoinCollector")
    )
    fold: Literal["train", "dev", "test"] = Field(default="train", description="part of the games")
    seed: Annotated[int, Field(ge=0, le=999)] = Field(default=0, description="number of the game within its fold")
    properties: dict[str, int] = Field(
        default_factory=dict,
        description="the package's properties of that game, for example numLocations; others keep their defaults",
    )
    step_limit: Annotated[int, Field(ge=1, le=100_000)] = Field(
        default=100, alias="stepLimit", description="agent steps until the episode ends"
    )
    heap_mb: Annotated[int, Field(ge=128, le=16_384)] = Field(
        default=256, alias="heapMb", description="heap of the Java process, MiB"
    )


class TextWorldExpress(JavaWorld[Simulator]):
    """TextWorld-Express: CookingWorld, Common Sense, CoinCollector, MapReader and four more, scored 0 to 100."""

    id: ClassVar[str] = "textworld-express"
    Parameters: ClassVar[type[BaseModel]] = TextWorldExpressParameters

    def __init__(self, parameters: TextWorldExpressParameters) -> None:
        """Names the game; Java is started by the first reset."""
        self._given = parameters
        self._seed = FIRST_SEED[parameters.fold] + parameters.seed
        properties = dict(sorted(parameters.properties.items()))
        content = [VERSION, parameters.game, parameters.fold, self._seed, properties]
        self._spec = EnvSpec(
            id=self.id,
            version=VERSION,
            parameters=parameters.model_dump(mode="json", by_alias=True, exclude={"heap_mb"}),  # it decides no text
            sections=["look", "inventory", "location"],
            actions=ACTIONS,
            fallback="look around",
            identity=hashlib.sha256(json.dumps(content).encode()).hexdigest(),
        )
        self._reply: Reply | None = None
        self._goal = self._location = ""
        self._steps = 0
        self._end: Literal["won", "lost", "limit"] | None = None

    @property
    def spec(self) -> EnvSpec:
        """The specification of the opened game."""
        return self._spec

    def reset(self) -> Turn:
        """Makes the game anew; the observation is that of the first place."""
        self._simulator = Simulator.kept(self._simulator or self._handed_on, self._given.heap_mb)
        self._steps, self._end, self._location = 0, None, ""
        reply = self._simulator.load(self._given.game, self._given.properties, self._seed, self._given.fold)
        self._goal = self._simulator.task()
        return self._turn(reply)

    def step(self, action: str) -> Turn:
        """Executes one command; one that the game does not know is answered in words and counts as a step."""
        if self._simulator is None:
            raise WorldError("out-of-order", "Cannot step: the episode has not begun; reset it first")
        if self._end is not None:
            raise WorldError("ended", f"Cannot step: the episode has ended ({self._end}); reset it to play again")
        reply = self._simulator.step(check_command(action))
        self._steps += 1
        return self._turn(reply)

    def valid_actions(self) -> list[str] | None:
        """Returns the actions that the game accepts now, sorted."""
        if self._reply is None:
            return None
        return [] if self._end is not None else self._reply.actions

    def truth(self) -> dict[str, object]:
        """`goldPath` until the first step: a sequence of actions that wins, not the shortest."""
        if self._simulator is None or self._steps:
            return {}
        return {"goldPath": self._simulator.gold_actions()}

    def renewed(self, parameters: TextWorldExpressParameters) -> TextWorldExpress:
        """Another game, which takes Java over."""
        other = TextWorldExpress(parameters)
        self.hand_on(other)
        return other

    def _turn(self, reply: Reply) -> Turn:
        self._reply = reply
        if reply.won:
            self._end = "won"
        elif reply.lost:
            self._end = "lost"
        elif self._steps >= self._given.step_limit:
            self._end = "limit"
        called = re.match(r"You are (?:in|on|at) the (.+?)\.", reply.look)
        self._location = called[1] if called else self._location
        return Turn(
            goal=self._goal,
            observation=reply.observation,
            sections={"look": reply.look, "inventory": reply.inventory, "location": self._location},
            score=max(0, int(100 * reply.score)),
            max_score=100,
            end=self._end,
        )

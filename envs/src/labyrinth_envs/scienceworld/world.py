"""The world `scienceworld`: one variation of one task."""

from __future__ import annotations

import hashlib
import json
import re
from importlib.metadata import version
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

from labyrinth_envs.commands import check_command
from labyrinth_envs.jvm import JavaWorld
from labyrinth_envs.scienceworld import gold
from labyrinth_envs.scienceworld.actions import ACTIONS
from labyrinth_envs.scienceworld.simulator import Simulator
from labyrinth_envs.scienceworld.tasks import ELECTRICAL, Split, Task, place
from labyrinth_envs.world import EnvSpec, Turn, Wire, WorldError

VERSION = f"2 (scienceworld {version('scienceworld')})"

Simplification = Literal[
    "teleportAction", "openDoors", "selfWateringFlowerPots", "noElectricalAction", "openContainers"
]


class ScienceWorldParameters(Wire):
    """A variation, by number or by split and index, and how it is played."""

    task: Task = Field(default="boil", description="name of the task")
    variation: int | None = Field(default=None, ge=0, description="number of the variation, from 0; or give `split`")
    split: Split | None = Field(default=None, description="part of the variations; others are refused")
    index: int | None = Field(default=None, ge=0, description="number within the split, from 0")
    simplification: Literal["easy", "none"] | list[Simplification] = Field(
        default="easy",
        description="easy (teleporting, open doors, self-watering pots, no wiring where the task needs none), none,"
        " or a list of names",
    )
    step_limit: Annotated[int, Field(ge=1, le=100_000)] = Field(
        default=100, alias="stepLimit", description="agent steps until the episode ends"
    )
    lost_score: Literal["last", "zero"] = Field(
        default="last", alias="lostScore", description="score of a lost episode: the last one before the loss, or 0"
    )
    play_on: bool = Field(default=False, alias="playOn", description="accepts actions after the end, for recorded runs")
    heap_mb: Annotated[int, Field(ge=128, le=16_384)] = Field(
        default=256, alias="heapMb", description="heap of the Java process, MiB"
    )


class ScienceWorld(JavaWorld[Simulator]):
    """ScienceWorld: 30 tasks of an elementary-school laboratory in 10 places, scored 0 to 100."""

    id: ClassVar[str] = "scienceworld"
    Parameters: ClassVar[type[BaseModel]] = ScienceWorldParameters

    def __init__(self, parameters: ScienceWorldParameters) -> None:
        """Finds the variation; Java is started by the first reset."""
        found = place(parameters.task, parameters.variation, parameters.split, parameters.index)
        self._given = parameters
        self._variation = found.variation
        self._simplification = _simplification(parameters)
        content = [VERSION, parameters.task, found.variation, self._simplification]
        resolved = {"variation": found.variation, "split": found.split, "index": found.index}
        # The heap decides nothing that is shown.
        shown = parameters.model_dump(mode="json", by_alias=True, exclude={"heap_mb"})
        self._spec = EnvSpec(
            id=self.id,
            version=VERSION,
            parameters=shown | resolved,
            sections=["look", "inventory", "location"],
            actions=ACTIONS,
            fallback="look around",
            identity=hashlib.sha256(json.dumps(content).encode()).hexdigest(),
        )
        self._goal = ""
        self._location = ""
        self._steps = 0
        self._score = 0
        self._end: Literal["won", "lost", "limit"] | None = None

    @property
    def spec(self) -> EnvSpec:
        """The specification of the opened task."""
        return self._spec

    def reset(self) -> Turn:
        """Builds the laboratory anew; the observation is that of `look around`, which is no step."""
        self._simulator = Simulator.kept(self._simulator or self._handed_on, self._given.heap_mb)
        self._steps, self._score, self._end, self._location = 0, 0, None, ""
        # `PythonInterface.reset` would load a second time.
        observation = self._simulator.load(self._given.task, self._variation, self._simplification)
        self._goal = self._simulator.task().removeprefix("Task Description:").strip()
        return self._turn(self._simulator, observation)

    def step(self, action: str) -> Turn:
        """Executes one command; one that the simulator does not know is answered in words and counts as a step."""
        if self._simulator is None:
            raise WorldError("out-of-order", "Cannot step: the episode has not begun; reset it first")
        if self._end is not None and not self._given.play_on:
            raise WorldError("ended", f"Cannot step: the episode has ended ({self._end}); reset it to play again")
        observation = self._simulator.step(check_command(action))
        self._steps += 1
        return self._turn(self._simulator, observation)

    def valid_actions(self) -> list[str] | None:
        """Returns the 100 to 3,000 accepted actions, sorted; bare numbers while it asks which thing is meant."""
        if self._simulator is None:
            return None
        return [] if self._end is not None and not self._given.play_on else self._simulator.valid_actions()

    def truth(self) -> dict[str, object]:
        """`goldPath` until the first step, found by a simulator of its own; the simulator's own `score` and `moves`.

        The simulator's score falls to −100 where an episode is lost; its moves count time, not steps.
        """
        known: dict[str, object] = {}
        if self._simulator is not None:
            known |= {"score": self._simulator.score(), "moves": self._simulator.moves()}
        if self._steps == 0:
            given = self._given
            known["goldPath"] = gold.path(
                self._spec.identity, given.task, self._variation, self._simplification, given.heap_mb
            )
        return known

    def renewed(self, parameters: ScienceWorldParameters) -> ScienceWorld:
        """Another game, which takes Java over."""
        other = ScienceWorld(parameters)
        self.hand_on(other)
        return other

    def _turn(self, simulator: Simulator, observation: str) -> Turn:
        score = simulator.score()
        if score >= 0:
            self._score = score
        elif self._end is None and self._given.lost_score == "zero":
            self._score = 0
        self._end = self._end or self._ended(score < 0, simulator)
        look = simulator.look().strip()
        called = re.match(r"This (?:room|outside location) is called the (.+?)\. ", look)
        self._location = called[1] if called else self._location
        return Turn(
            goal=self._goal,
            observation=observation.strip(),
            sections={"look": look, "inventory": simulator.inventory().strip(), "location": self._location},
            score=self._score,
            max_score=100,
            end=self._end,
        )

    def _ended(self, lost: bool, simulator: Simulator) -> Literal["won", "lost", "limit"] | None:
        if lost:
            return "lost"
        if simulator.completed():
            return "won"
        return "limit" if self._steps >= self._given.step_limit else None


def _simplification(parameters: ScienceWorldParameters) -> str:
    """Writes a simplification as the simulator reads it: `easy` alone, or names joined by commas."""
    names = parameters.simplification
    if names == "easy":
        return "easy"
    if names == "none":
        return ""
    if "noElectricalAction" in names and parameters.task in ELECTRICAL:
        raise WorldError(
            "bad-parameter",
            f"Cannot open scienceworld: {parameters.task} needs the electrical actions; leave noElectricalAction out",
        )
    return ",".join(sorted(set(names)))

"""The ALFWorld world of the catalogue: its parameters, and one episode over an engine."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from labyrinth_envs.alfworld import texts
from labyrinth_envs.alfworld.engine import Engine, Reply, bad_game
from labyrinth_envs.alfworld.files import Opened, identity, official_game, read_game
from labyrinth_envs.alfworld.frozen import households
from labyrinth_envs.alfworld.generate import household
from labyrinth_envs.alfworld.household import Household, TaskType
from labyrinth_envs.alfworld.package import VERSION
from labyrinth_envs.alfworld.truth import truth_of
from labyrinth_envs.world import EnvSpec, Turn, Wire, WorldError, action_specs, client_path

START = "middle of the room"
"""The section `location` before the first walk."""

_ACTIONS = [
    ("look", "describe again what is in front of you", False),
    ("inventory", "list what you carry", False),
    ("go to {place}", "walk to a piece of furniture", True),
    ("open {place}", "open a piece of furniture", True),
    ("close {place}", "close a piece of furniture", False),
    ("examine {thing}", "look closely at a piece of furniture or at a thing", True),
    ("take {thing} from {place}", "pick a thing up; the hand holds one", False),
    ("move {thing} to {place}", "put down what you hold", False),
    ("clean {thing} with {place}", "clean what you hold, at a sink", False),
    ("heat {thing} with {place}", "heat what you hold, at a microwave", False),
    ("cool {thing} with {place}", "cool what you hold, at a fridge", False),
    ("use {thing}", "turn a lamp on", False),
    ("slice {thing} with {tool}", "slice a thing with a knife in hand", False),
    ("help", "list the forms of commands", False),
]


class AlfworldParameters(Wire):
    """ALFWorld."""

    set: Literal["households", "fresh", "train", "valid_seen", "valid_unseen", "file"] = Field(
        default="households",
        description="our 134 frozen households, a new one by type and seed, an official set, or a .tw-pddl file",
    )
    game: Annotated[int, Field(ge=0, le=100_000, description="which game of the set (households: 0 to 133)")] = 0
    order: Literal["sorted", "shuffled"] = Field(
        default="sorted", description="official sets: sorted by path, or then shuffled as in ReAct's evaluation"
    )
    type: TaskType | None = Field(default=None, description="fresh: the type of task (put)")
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] | None = Field(
        default=None, description="fresh: draws the household (0)"
    )
    path: Annotated[str, Field(min_length=1, max_length=4096)] | None = Field(
        default=None, description="file: the .tw-pddl file; official sets: the folder of data, else ALFWORLD_DATA"
    )
    dialect: texts.Dialect = Field(
        default="move", description='"move X to Y" and newer texts, or "put X in/on Y" and older ones; both are read'
    )
    step_limit: Annotated[int, Field(ge=1, le=100_000)] = Field(
        default=50, alias="stepLimit", description="agent steps until the episode ends"
    )

    @model_validator(mode="after")
    def _whole(self) -> AlfworldParameters:
        if self.set == "file" and self.path is None:
            raise ValueError("set file wants a path")
        if self.set != "fresh" and (self.type is not None or self.seed is not None):
            raise ValueError(f"type and seed draw a household; set {self.set} has its own: give set fresh, or a game")
        if self.set in ("fresh", "file") and self.game:
            raise ValueError(f"set {self.set} has no numbered games")
        if self.set in ("fresh", "households") and self.path is not None:
            raise ValueError(f"set {self.set} is read from no path")
        return self


class Alfworld:
    """ALFWorld as text: household tasks of six types, official games or our own."""

    id = "alfworld"
    Parameters = AlfworldParameters

    def __init__(self, parameters: AlfworldParameters) -> None:
        opened = _opened(parameters)
        self._type, self._plan, self._game = opened.type, opened.plan, opened.game
        self._dialect = parameters.dialect
        self._step_limit = parameters.step_limit
        if parameters.set == "fresh":  # nobody has played it yet
            check_solvable(self._engine, opened)
        elif parameters.set != "households":  # the frozen ones have been played: they are translated when they begin
            _ = self._intro
        self._begun = False
        self._steps = 0
        self._location = START
        self._end: Literal["won", "limit"] | None = None
        self._spec = EnvSpec(
            id=self.id,
            version=f"1 ({VERSION})",
            parameters=parameters.model_dump(mode="json", by_alias=True),
            sections=["inventory", "location"],
            actions=action_specs(
                (texts.shown_command(name, self._dialect), description, explores)
                for name, description, explores in _ACTIONS
            ),
            fallback="look",
            identity=identity(opened.game),
        )

    @cached_property
    def _engine(self) -> Engine:
        return Engine(self._game)

    @cached_property
    def _intro(self) -> tuple[str, str]:
        """What there is to see at the beginning, and the goal."""
        return texts.intro(self._engine.first.feedback)

    @cached_property
    def _reply(self) -> Reply:
        return self._engine.first

    @property
    def spec(self) -> EnvSpec:
        """The specification of the opened game."""
        return self._spec

    def reset(self) -> Turn:
        """Begins the episode anew."""
        self._reply = self._engine.start()
        self._begun, self._steps, self._location, self._end = True, 0, START, None
        return self._turn(self._intro[0])

    def step(self, action: str) -> Turn:
        """Executes one command, in either dialect; the game answers "Nothing happens." to one that cannot be done."""
        if not self._begun:
            raise WorldError("out-of-order", "Cannot step: the episode has not begun; reset it first")
        if self._end is not None:
            raise WorldError("ended", f"Cannot step: the episode has ended ({self._end}); reset it to play again")
        command = _checked(action)
        command = next((known for known in texts.readings(command) if known in self._reply.commands), command)
        done = command in self._reply.commands
        self._reply = self._engine.send(command)
        self._steps += 1
        arrived = None
        if done and command.startswith("go to "):
            self._location = command.removeprefix("go to ")
            arrived = self._location, self._standing(self._reply)
        self._end = "won" if self._reply.won else "limit" if self._steps >= self._step_limit else None
        return self._turn(texts.shown(self._reply.feedback, self._dialect, arrived))

    def valid_actions(self) -> list[str] | None:
        """The admissible commands, sorted; none after the end."""
        if self._end is not None or not self._begun:
            return [] if self._begun else None
        return sorted(texts.shown_command(command, self._dialect) for command in self._reply.commands)

    def truth(self) -> dict[str, Any]:
        """See `truth.truth_of`; also `type` of the task and `plan`, commands that solve it from the start, if known."""
        plan = [texts.shown_command(command, self._dialect) for command in self._plan]
        return truth_of(self._reply.facts) | {"type": self._type, "plan": plan}

    def close(self) -> None:
        """Nothing outside this process is held."""

    def _standing(self, reply: Reply) -> str:
        return next((fact[2] for fact in reply.facts if fact[0] == "atlocation"), "")

    def _turn(self, observation: str) -> Turn:
        held = sorted(fact[2] for fact in self._reply.facts if fact[0] == "holds")
        carrying = f"You are carrying: a {held[0]}." if held else "You are not carrying anything."
        return Turn(
            goal=self._intro[1],
            observation=observation,
            sections={"inventory": carrying, "location": self._location},
            score=1.0 if self._end == "won" else 0.0,
            max_score=1.0,
            end=self._end,
        )


def check_solvable(engine: Engine, opened: Opened) -> None:
    """Plays the plan of a game that has just begun; a reset begins it anew.

    Raises:
        WorldError: a command of it cannot be done, or all of them do not solve the task.
    """
    reply = engine.first
    for command in opened.plan:
        if command not in reply.commands:
            raise bad_game(opened.game.name, f'its plan has "{command}", which cannot be done there')
        reply = engine.send(command)
    if not reply.won:
        raise bad_game(opened.game.name, "its plan does not solve it")


def _opened(parameters: AlfworldParameters) -> Opened:
    if parameters.set == "fresh":
        return _own(household(parameters.type or "put", parameters.seed or 0))
    if parameters.set == "households":
        frozen = households()
        if parameters.game >= len(frozen):
            raise WorldError("bad-parameter", f"there is no household {parameters.game}; give 0 to {len(frozen) - 1}")
        return _own(frozen[parameters.game])
    if parameters.set == "file":
        return read_game(client_path(parameters.path or ""))
    return official_game(parameters.path, parameters.set, parameters.game, parameters.order)


def _own(one: Household) -> Opened:
    return Opened(one.game(), one.type, one.plan())


def _checked(action: str) -> str:
    command = action.strip(" ")
    if not command:
        raise WorldError("bad-action", "Cannot take the action: it is empty; send one command, for example: look")
    if any(character < " " for character in command):
        raise WorldError(
            "bad-action", "Cannot take the action: it holds a line break or a control character; send one line"
        )
    return command

"""What every world of the laboratory offers, and the catalogue it registers itself in.

A world is one class and one line in `WORLDS` (`labyrinth_envs.worlds`). It runs alone in a worker process of its own,
knows nothing of sockets or sessions, and is handed parameters that its own pydantic model has already checked.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class Wire(BaseModel):
    """Base of everything that crosses the wire: unknown fields are refused on both sides, names are camelCase there."""

    model_config = ConfigDict(
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        json_schema_serialization_defaults_required=True,
    )


class Frame(Wire):
    """One primitive step inside a macro: what was sent and what came back."""

    action: str
    observation: str
    sections: dict[str, str] = Field(default_factory=dict)
    image: bytes | None = Field(default=None, exclude=True)


class Turn(Wire):
    """What the world shows after a reset or a step.

    `score` and `max_score` are in the environment's own units and cumulative; `end` is latched: once set it stays.
    `image` is a PNG; on the wire it travels as a frame of its own and never as text.
    """

    goal: str
    observation: str
    sections: dict[str, str] = Field(default_factory=dict)
    frames: list[Frame] = Field(default_factory=list)
    score: float = Field(allow_inf_nan=False)
    max_score: float = Field(allow_inf_nan=False)
    end: Literal["won", "lost", "limit"] | None = None
    image: bytes | None = Field(default=None, exclude=True)


class ActionSpec(Wire):
    """One form of action: `{name: "take {object} from {place}", …}`."""

    name: str
    params: list[str] = Field(default_factory=list)
    description: str
    explores: bool = False


def action_specs(forms: Iterable[tuple[str, str, bool]]) -> list[ActionSpec]:
    """The forms of action of (name, description, whether it explores); parameters stand in braces in the name."""
    return [
        ActionSpec(name=name, params=re.findall(r"{(\w+)}", name), description=description, explores=explores)
        for name, description, explores in forms
    ]


class EnvSpec(Wire):
    """What a session is: everything that, with the actions taken, decides what the world shows."""

    id: str
    version: str
    """Version of the world's own rules and of the packages below it, e.g. `1 (textworld 1.7.0)`."""
    parameters: dict[str, object]
    sections: list[str]
    """Names that `Turn.sections` may hold."""
    actions: list[ActionSpec]
    fallback: str
    """The action a method takes when a model's answer names none (`look`)."""
    identity: str
    """SHA-256 (hex) of the game's content: equal games have equal identity, whatever path they came from."""


class World(Protocol):
    """The contract. Every method may raise `WorldError`; anything else is a bug and ends the session's worker.

    The first line of the class's docstring is its line in the catalogue. Workers are forked from a process that has
    imported every world's module and `worlds.PRELOAD`, so a module may import what it likes at its top.
    """

    id: ClassVar[str]
    Parameters: ClassVar[type[BaseModel]]
    """A subclass of `Wire` with a range and a default for each parameter; JSON is read strictly (no "12" for 12)."""

    def __init__(self, parameters: Any) -> None:
        """Opens the world; `parameters` is an instance of `Parameters`."""

    @property
    def spec(self) -> EnvSpec:
        """What was opened; constant over the session."""
        ...

    def reset(self) -> Turn:
        """Starts the episode anew; the first turn after it is always the same."""
        ...

    def step(self, action: str) -> Turn:
        """One agent step. After the end it raises `WorldError("ended", …)`."""
        ...

    def valid_actions(self) -> list[str] | None:
        """The admissible actions now, in the world's own order; `None` where text is free."""
        ...

    def truth(self) -> dict[str, object]:
        """Ground truth for measuring; only the recorder asks for it."""
        ...

    def close(self) -> None:
        """Lets go of files and processes; nothing is called after it."""


@runtime_checkable
class RenewableWorld(World, Protocol):
    """A world whose process costs so much to start that the next session of its client takes it over."""

    def renewed(self, parameters: Any) -> World:
        """Another game in this process, with what this one may hand on; nothing is called on this one after it.

        Nothing that the new one shows depends on what was played before.
        """
        ...


ErrorCode = Literal[
    "bad-request",  # not JSON, unknown field, wrong type, unknown method
    "version",  # unknown protocol version
    "unknown-world",
    "bad-parameter",  # out of range, unknown name
    "bad-game",  # a game file that cannot be read, compiled or started
    "unknown-session",  # never opened, closed, or its lease ran out
    "bad-action",  # too long, several commands in one, control characters, a meta verb
    "ended",  # a step after the end of the episode
    "out-of-order",  # a step number that is neither the next nor the last
    "worker-died",  # the session's process crashed, was killed or hung
    "too-many-sessions",
    "disk",  # no space, no permission
    "internal",
]


class WorldError(Exception):
    """A typed refusal: `code` for programs, one line with the remedy for people."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.message = message


def given_path(path: str) -> Path:
    """A path as its sender meant it: relative ones start where the server was started, not in the worker's scratch."""
    return Path(os.environ.get("LABYRINTH_HOME", os.getcwd()), path)


def client_path(path: str) -> Path:
    """A file that a client names, which must lie in a folder of `LABYRINTH_GAMES` (a JSON list) where that is set.

    Raises:
        WorldError: `bad-parameter` if it lies elsewhere, by whatever links, or can be no path.
    """
    if "\0" in path:
        raise WorldError("bad-parameter", "cannot open a path with the character U+0000; name a file")
    named, allowed = given_path(path), os.environ.get("LABYRINTH_GAMES")
    if allowed is None:
        return named
    folders = [Path(folder) for folder in json.loads(allowed)]
    try:
        place = named.resolve()
    except (OSError, RuntimeError) as error:  # links in a ring
        raise WorldError("bad-parameter", f'cannot open "{path}": its links lead nowhere') from error
    if any(place.is_relative_to(folder) for folder in folders):
        return named
    message = "this server opens no game files of clients there; start it with --games DIR to allow a folder"
    raise WorldError("bad-parameter", f'cannot open "{path}": {message}')


def cache_folder() -> Path:
    """Where compiled games are kept (`LABYRINTH_CACHE`, else `.lab/games` where the server was started)."""
    return given_path(os.environ.get("LABYRINTH_CACHE") or ".lab/games")

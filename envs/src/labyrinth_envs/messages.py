"""The messages of the world server's protocol (`protocol.py`), and its methods."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from labyrinth_envs.world import EnvSpec, ErrorCode, Wire

RequestId = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[!-~]+$")]
SessionId = Annotated[str, Field(min_length=1, max_length=64)]


class ErrorBody(Wire):
    """A code for programs, one line with the remedy for people."""

    code: ErrorCode
    message: str


# ── what a request's `params` hold ────────────────────────────────────────────────────────────────────────────────────


class NoParams(Wire):
    """The method takes no parameters: `{}`."""


class OpenParams(Wire):
    """Which world to open. `params` is checked against the world's own schema, as `list` shows it."""

    world: str
    params: dict[str, object] = Field(default_factory=dict)


class SessionParams(Wire):
    """The session that is meant."""

    session: SessionId


class StepParams(Wire):
    """One action. `step` counts from 1 since the last reset."""

    session: SessionId
    step: int = Field(ge=1)
    action: str


# ── what a reply's `ok` holds ─────────────────────────────────────────────────────────────────────────────────────────


class HelloReply(Wire):
    """Who answers. `lease_seconds` is how long a session may lie idle before it is closed."""

    protocol: int
    version: str
    worlds: list[str]
    pid: int
    lease_seconds: float
    max_sessions: int


class WorldEntry(Wire):
    """One line of the catalogue. `problem` says why the world cannot be opened here, or is null."""

    id: str
    doc: str
    parameters: dict[str, object] = Field(description="JSON Schema of the parameters, with ranges and defaults.")
    problem: str | None


class ListReply(Wire):
    """The catalogue, sorted by id."""

    worlds: list[WorldEntry]


class OpenReply(Wire):
    """A new session; `reset` comes next."""

    session: SessionId
    spec: EnvSpec


class FrameReply(Wire):
    """One primitive step inside a macro."""

    action: str
    observation: str
    sections: dict[str, str]
    image: int | None


class TurnReply(Wire):
    """What the world shows. `image` is the index of a binary frame that follows the JSON."""

    goal: str
    observation: str
    sections: dict[str, str]
    frames: list[FrameReply]
    score: float
    max_score: float
    end: Literal["won", "lost", "limit"] | None
    image: int | None


class DirectReply(Wire):
    """A Unix socket on which the session's own process takes calls; clients on the server's machine can reach it."""

    path: str


class ActionsReply(Wire):
    """The admissible actions now, in the world's own order; null where text is free."""

    actions: list[str] | None


class TruthReply(Wire):
    """Ground truth for measuring."""

    truth: dict[str, object]


class CloseReply(Wire):
    """The session is gone, and its process with it."""


class PingReply(Wire):
    """The server is alive and holds so many sessions."""

    sessions: int


# ── envelopes ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class RequestMessage(Wire):
    """The one JSON frame of a request."""

    v: int
    id: RequestId
    method: str
    params: dict[str, object] = Field(default_factory=dict)


class StepMessage(Wire):
    """A request of one step, by far the most frequent, checked in one go."""

    v: Annotated[int, Field(ge=1, le=1)]
    id: RequestId
    method: Literal["step"]
    params: StepParams


class OkMessage(Wire):
    """The JSON frame of a reply that succeeded."""

    v: int
    id: str
    ok: dict[str, object]


class ErrorMessage(Wire):
    """The JSON frame of a reply that failed."""

    v: int
    id: str | None
    error: ErrorBody


METHODS: dict[str, tuple[type[Wire], type[Wire]]] = {
    "hello": (NoParams, HelloReply),
    "list": (NoParams, ListReply),
    "open": (OpenParams, OpenReply),
    "reset": (SessionParams, TurnReply),
    "step": (StepParams, TurnReply),
    "direct": (SessionParams, DirectReply),
    "validActions": (SessionParams, ActionsReply),
    "truth": (SessionParams, TruthReply),
    "close": (SessionParams, CloseReply),
    "ping": (NoParams, PingReply),
}
"""Method → (type of `params`, type of `ok`)."""

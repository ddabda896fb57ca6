"""A world behind an OpenEnv server (`labyrinth-envs openenv`), for the clients and trainers of that package.

Below `/play` it is also a server of MCP with two tools, since what OpenEnv answers at `/mcp` is no full MCP. Each
session of the server plays in a worker process of its own, as in the lab. An agent sees observations, goal, score and
valid actions, and never the ground truth.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI
from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from openenv.core.env_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
from pydantic import Field

from labyrinth_envs.client import RemoteWorld
from labyrinth_envs.messages import TurnReply
from labyrinth_envs.server import Server, ServerOptions
from labyrinth_envs.world import WorldError
from labyrinth_envs.worlds import WORLDS


class TextAction(Action):
    """One action of the world, as text."""

    text: str = Field(description="The action, for example: look")


class WorldObservation(Observation):
    """What the agent sees. `reward` is the score that the last action added."""

    observation: str = Field(description="The text of the world")
    goal: str = Field(description="The task")
    score: float = Field(description="The score so far, in the world's own units")
    max_score: float = Field(description="The highest score of this game")
    valid_actions: list[str] | None = Field(default=None, description="The admissible actions; null where text is free")
    truncated: bool = Field(default=False, description="Whether the episode ended at its limit of steps")
    refused: str | None = Field(default=None, description="Why the world refused the action, which changed nothing")


class WorldState(State):
    """Which game is played and how far it is."""

    world: str = ""
    identity: str = ""


class WorldEnvironment(Environment[TextAction, WorldObservation, WorldState]):
    """One session: a world of the server behind it."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, endpoint: str, world: str, params: dict[str, object]) -> None:
        super().__init__()
        self._endpoint, self._id, self._params = endpoint, world, params
        self._world: RemoteWorld | None = None
        self._turn: TurnReply | None = None
        self._state = WorldState(world=world)

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any) -> WorldObservation:
        """Starts an episode.

        Args:
            seed: the game to play, where the world has a parameter `seed`; the session's last one where it is left out.
            episode_id: a name for the episode.
            kwargs: further parameters of the world.
        """
        wanted = self._params | kwargs | ({} if seed is None else {"seed": seed})
        if self._world is None or wanted != self._params:
            self.close()
            self._world, self._params = RemoteWorld(self._endpoint, self._id, wanted), wanted
        self._turn = self._world.reset()
        self._state = WorldState(episode_id=episode_id, world=self._id, identity=self._world.spec["identity"])
        return self._seen(self._turn, None, None)

    def step(self, action: TextAction, timeout_s: float | None = None, **kwargs: Any) -> WorldObservation:
        """Takes an action; one that the world refuses changes nothing, and `refused` says why."""
        if self._world is None or self._turn is None:
            raise WorldError("out-of-order", "cannot step: the episode has not begun; call reset first")
        before = self._turn
        try:
            self._turn = self._world.step(action.text)
        except WorldError as error:
            if error.code != "bad-action":
                raise
            return self._seen(before, 0.0, error.message)
        self._state.step_count += 1
        return self._seen(self._turn, self._turn.score - before.score, None)

    @property
    def state(self) -> WorldState:
        """The game and the number of steps taken."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """Name and version of the environment."""
        return EnvironmentMetadata(name=f"labyrinth/{self._id}", description=f"The world {self._id} of Labyrinth")

    def close(self) -> None:
        """Closes the world."""
        world, self._world = self._world, None
        if world is not None:
            world.close()

    def _seen(self, turn: TurnReply, reward: float | None, refused: str | None) -> WorldObservation:
        assert self._world is not None
        return WorldObservation(
            observation=turn.observation,
            goal=turn.goal,
            score=turn.score,
            max_score=turn.max_score,
            valid_actions=self._world.valid_actions(),
            truncated=turn.end == "limit",
            refused=refused,
            done=turn.end is not None,
            reward=reward,
        )


def tools(make: Callable[[], WorldEnvironment], sessions: int) -> FastMCP[None]:
    """The world as two tools of MCP. Each session has its own; beyond `sessions` the oldest one is closed."""
    mcp: FastMCP[None] = FastMCP("labyrinth")
    worlds: dict[str, WorldEnvironment] = {}
    one = threading.Lock()  # calls come in threads, and a world takes one at a time

    @mcp.tool
    def start(context: Context, seed: int | None = None) -> dict[str, Any]:
        """Starts the game, or starts it again. `seed` chooses another game."""
        with one:
            world = worlds.pop(context.session_id, None) or make()
            worlds[context.session_id] = world
            while len(worlds) > sessions:
                worlds.pop(next(iter(worlds))).close()
            return world.reset(seed).model_dump()

    @mcp.tool
    def act(action: str, context: Context) -> dict[str, Any]:
        """Takes one action, for example: look."""
        with one:
            if context.session_id not in worlds:
                raise ToolError("call start first")
            return worlds[context.session_id].step(TextAction(text=action)).model_dump()

    return mcp


@contextmanager
def application(world: str, params: dict[str, object], sessions: int) -> Iterator[FastAPI]:
    """The OpenEnv application of one world, and the world server behind it while the context is open.

    Raises:
        WorldError: `unknown-world`.
    """
    if world not in WORLDS:
        raise WorldError("unknown-world", f'unknown world "{world}"; there are {", ".join(sorted(WORLDS))}')
    server = Server(ServerOptions(max_sessions=2 * sessions), WORLDS)  # half of them are for MCP
    thread = threading.Thread(target=server.run)
    thread.start()

    def make() -> WorldEnvironment:
        return WorldEnvironment(server.endpoint, world, params)

    try:
        app = create_fastapi_app(
            make,
            TextAction,
            WorldObservation,
            max_concurrent_envs=sessions,
            env_name=f"labyrinth-{world.replace('/', '-')}",
            state_cls=WorldState,
        )
        play, inner = tools(make, sessions).http_app(path="/"), app.router.lifespan_context

        @asynccontextmanager
        async def lifespan(of: FastAPI) -> AsyncIterator[None]:
            async with inner(of), play.lifespan(play):
                yield

        app.router.lifespan_context = lifespan
        app.mount("/play", play)
        yield app
    finally:
        server.stop()
        thread.join()


def serve(world: str, params: dict[str, object], host: str, port: int, sessions: int) -> None:
    """Serves until interrupted; the first line of standard output says where."""
    with application(world, params, sessions) as app:
        http = uvicorn.Server(uvicorn.Config(app, host=host, port=port, log_level="warning"))
        with http.config.bind_socket() as socket:
            address = f"http://{host}:{socket.getsockname()[1]}"
            print(json.dumps({"ready": True, "endpoint": address, "pid": os.getpid()}), flush=True)
            http.run([socket])

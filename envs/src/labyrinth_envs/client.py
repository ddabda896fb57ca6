"""A client of a world server in Python: a world of another process, with the methods of a world."""

from __future__ import annotations

import json
import uuid
from typing import Any

import zmq

from labyrinth_envs.messages import TurnReply
from labyrinth_envs.protocol import PROTOCOL_VERSION
from labyrinth_envs.world import WorldError

TIMEOUT = 600
"""Seconds that a call may take: the server itself ends worlds that hang long before."""


class RemoteWorld:
    """A session of a world server. Threads may take turns with it, and only one may call it at a time."""

    def __init__(self, endpoint: str, world: str, params: dict[str, object]) -> None:
        """Opens a world.

        Args:
            endpoint: address of the server, `tcp://host:port`.
            world: id of the world.
            params: its parameters; omitted ones take their defaults.

        Raises:
            WorldError: what the server refuses, with its code.
        """
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        self._socket.linger = 0
        self._socket.connect(endpoint)
        self._session = ""
        try:
            opened = self._call("open", world=world, params=params)
        except BaseException:
            self._context.destroy()
            raise
        self._session, self.spec = opened["session"], opened["spec"]
        self._step = 0

    def reset(self) -> TurnReply:
        """Starts the episode again."""
        self._step = 0
        return TurnReply.model_validate(self._call("reset"))

    def step(self, action: str) -> TurnReply:
        """Takes one action.

        Raises:
            WorldError: `bad-action`, `ended` and what else a world refuses.
        """
        turn = TurnReply.model_validate(self._call("step", step=self._step + 1, action=action))
        self._step += 1
        return turn

    def valid_actions(self) -> list[str] | None:
        """The admissible actions now; None where text is free."""
        actions: list[str] | None = self._call("validActions")["actions"]
        return actions

    def close(self) -> None:
        """Ends the session and the connection."""
        if self._context.closed:
            return
        try:
            self._call("close")
        except WorldError:  # it has ended already
            pass
        self._context.destroy()

    def _call(self, method: str, **params: object) -> dict[str, Any]:
        session = {"session": self._session} if self._session else {}
        request = {"v": PROTOCOL_VERSION, "id": str(uuid.uuid4()), "method": method, "params": session | params}
        self._socket.send(json.dumps(request).encode())
        if not self._socket.poll(TIMEOUT * 1000):
            raise WorldError("worker-died", f"no answer to {method} within {TIMEOUT} s; is the world server running?")
        reply = json.loads(self._socket.recv_multipart()[0])
        if "error" in reply:
            raise WorldError(reply["error"]["code"], reply["error"]["message"])
        ok: dict[str, Any] = reply["ok"]
        return ok

"""The loop of a worker: it takes commands from its server's pipe and from its client's socket, and carries each out."""

from __future__ import annotations

import errno
import json
import os
import pickle
import select
import traceback
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from labyrinth_envs.direct import DirectSocket, Pulse
from labyrinth_envs.error_messages import one_line, shorten
from labyrinth_envs.ledger import Answer, Command, Ledger, command_of
from labyrinth_envs.messages import ActionsReply, DirectReply, TruthReply
from labyrinth_envs.protocol import RequestError, encode_error, encode_ok, encode_turn, parse_request
from labyrinth_envs.world import World, WorldError

DISK = {errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS}
"""`errno` of errors that the user can mend: a full disk, missing permissions."""
OF_SERVER = ("open", "close", "direct")
"""Methods of a session that its server carries out."""
LEFT = b"left"
"""The answer of a worker that has let go of its session: no call of it is at work, and none will be."""
RENEWAL = "renew"
"""The method by which a server opens another session in a worker that has let go of its own."""


def renewal(session: str, params: dict[str, object]) -> Command:
    """The command that opens a session in a spare worker."""
    return Command(RENEWAL, session=session, actions=(json.dumps(params),))


def send(pipe: Connection, message: Answer | Command) -> None:
    """Sends a message as a plain tuple: a pickle that names its class takes several times as long, at each step."""
    pipe.send_bytes(pickle.dumps(tuple(message)))


def receive(pipe: Connection) -> Any:
    """Waits for a message and returns its values.

    Raises:
        EOFError, OSError: the other end is closed.
    """
    return pickle.loads(pipe.recv_bytes())


class WorkerLoop:
    """Plays one world for one session."""

    def __init__(self, world: World, session: str, pipe: Connection, scratch: str) -> None:
        """`pipe` leads to the server, `scratch` is the folder of the session."""
        self._world = world
        self._session = session
        self._pipe = pipe
        self._scratch = scratch
        self._ledger = Ledger(partial(attempt, self._execute))
        self._direct: DirectSocket | None = None
        self._pulse: Pulse | None = None
        self._poller = select.poll()
        self._poller.register(pipe.fileno(), select.POLLIN)
        self._last = False

    def run(self) -> bool:
        """Carries commands out until one ends the session; returns whether the world can still be closed.

        Raises:
            EOFError, BrokenPipeError, ConnectionResetError: the server is gone.
        """
        pipe = self._pipe.fileno()
        while not self._last:
            for source, _ in self._poller.poll():
                if source == pipe:
                    command = Command(*receive(self._pipe))
                    if not command.method:
                        self._leave()
                        return True
                    send(self._pipe, self._answer(command))
                else:
                    self._serve_client(source)
                if self._last:
                    break
        return False

    def _answer(self, command: Command) -> Answer:
        if command.method == "direct":
            return attempt(self._listen)
        if self._pulse is not None:
            self._pulse.begin(command.method)
        answer = self._ledger.carry_out(command)
        if self._pulse is not None:
            self._pulse.end()
        self._last = answer.last
        return answer

    def _execute(self, command: Command) -> Answer:
        world = self._world
        if command.method == "step":
            return Answer(*encode_turn(world.step(command.actions[0])))
        if command.method == "reset":
            return Answer(*encode_turn(world.reset()))
        if command.method == "validActions":
            return Answer(ActionsReply(actions=world.valid_actions()).model_dump_json(by_alias=True).encode())
        return Answer(TruthReply(truth=world.truth()).model_dump_json(by_alias=True).encode())

    # ── the client's socket ───────────────────────────────────────────────────────────────────────────────────────

    def _listen(self) -> Answer:
        if self._direct is None:
            self._pulse = Pulse(self._scratch, create=True)
            self._direct = DirectSocket(self._scratch)
            self._poller.register(self._direct.listener.fileno(), select.POLLIN)
        return Answer(DirectReply(path=self._direct.path).model_dump_json().encode())

    def _leave(self) -> None:
        if self._direct is not None:
            self._direct.close()
        if self._pulse is not None:
            self._pulse.close()

    def _serve_client(self, source: int) -> None:
        assert self._direct is not None
        client = self._direct.client
        if source == self._direct.listener.fileno():
            self._poller.register(self._direct.accept().fileno(), select.POLLIN)
        elif client is None or source != client.fileno():
            self._poller.unregister(source)  # of a client that is gone
        else:
            for request in self._direct.receive():
                self._direct.send(self._reply(request))

    def _reply(self, frame: bytes) -> list[bytes]:
        if self._last:  # the server tells the rest how the session ended
            return []
        try:
            request = parse_request(frame)
            command = command_of(request)
            if command is None or command.method in OF_SERVER:
                message = f'this socket takes no "{request.method}"; send it to the server'
                raise RequestError("bad-request", message, request.id)
            if command.session != self._session:
                message = f'unknown session "{shorten(command.session)}"; this socket is of another'
                raise RequestError("unknown-session", message, request.id)
        except RequestError as error:
            return [encode_error(error.id, error.code, error.message)]
        answer = self._answer(command)
        if answer.last:
            send(self._pipe, answer)
        if answer.error is not None:
            return [encode_error(request.id, *answer.error)]
        return [encode_ok(request.id, answer.ok), *answer.images]


def attempt(work: Callable[..., Answer], *arguments: Command) -> Answer:
    """Runs `work` and turns whatever it raises into a typed error."""
    try:
        return work(*arguments)
    except WorldError as error:
        return Answer(error=(error.code, error.message))
    except MemoryError:
        traceback.print_exc()
        allowed = os.environ.get("LABYRINTH_MEMORY_MB", "?")
        message = f"the world wants more memory than the {allowed} MiB of --memory-mb, and its session has ended"
        return Answer(error=("internal", f"{message}; open a new one, or serve with more"), last=True)
    except BaseException as error:
        disk = disk_error(error)
        if disk:
            return Answer(error=("disk", disk.message))
        traceback.print_exc()
        what = one_line(f"{type(error).__name__}: {error}", 300)
        message = f"the world failed ({what}) and its session has ended; open a new one, and see the server's log"
        return Answer(error=("internal", message), last=True)


def disk_error(error: BaseException) -> WorldError | None:
    """The error as a `WorldError` of code `disk`, or None if the disk is not its cause."""
    if not isinstance(error, OSError) or error.errno not in DISK:
        return None
    where = f' at "{error.filename}"' if error.filename else ""
    return WorldError("disk", f"cannot write or read{where}: {error.strerror}; free space or change the permissions")

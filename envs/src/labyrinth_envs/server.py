"""The world server: a ZeroMQ ROUTER in one thread that never waits for a world.

A request goes to its session (`sessions.py`) and through a pipe to its worker (`worker.py`); the answer comes back the
same way. Every frame gets an answer, and no frame of one client disturbs another.
"""

from __future__ import annotations

import os
import secrets
import time
import traceback
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import zmq

from labyrinth_envs import keys
from labyrinth_envs.addresses import ServeError, cannot_listen, check_address
from labyrinth_envs.admission import why_full
from labyrinth_envs.error_messages import did_you_mean, one_line, shorten
from labyrinth_envs.ledger import Command, command_of
from labyrinth_envs.limits import CPU_SECONDS, MEMORY_MB, MemoryWatch
from labyrinth_envs.loop import Loop
from labyrinth_envs.memory import memory_shortage
from labyrinth_envs.messages import HelloReply, OpenParams, PingReply
from labyrinth_envs.opening import Opening
from labyrinth_envs.processes import launch_error, read_catalogue, warm_up, worker_environment
from labyrinth_envs.protocol import PROTOCOL_VERSION, Request, RequestError, encode_error, encode_ok, parse_request
from labyrinth_envs.sessions import Call, Reply, ReplyAddress, Session
from labyrinth_envs.worker_process import GRACE_SECONDS, SpareWorkers, WorkerProcess
from labyrinth_envs.world import ErrorCode, Wire
from labyrinth_envs.worlds import WORLDS

ENDED_KEPT = 256
"""Number of ended sessions that are kept, so that late calls are told how they ended."""


@dataclass(frozen=True)
class ServerOptions:
    """Options of a server. All times are in seconds."""

    bind: str = "tcp://127.0.0.1:*"
    keys: Path | None = None
    lease: float = 600
    max_sessions: int = 64
    client_sessions: int | None = None
    """Sessions that one client key may hold; by default half of all where there are several keys."""
    games: tuple[Path, ...] | None = None
    """Folders from which clients may open game files; by default any on this machine alone, none with keys."""
    call_seconds: float = 60
    """Time limit of one call; a worker that exceeds it is killed."""
    memory_mb: int = MEMORY_MB
    """Memory of each process of a world, in MiB."""
    cpu_seconds: int = CPU_SECONDS
    """Processor time of each process of a world."""


class Server:
    """The world server. The constructor binds the socket; `run` serves until `stop` is called."""

    def __init__(self, options: ServerOptions, worlds: dict[str, str] | None = None) -> None:
        """Binds the socket. `worlds` maps ids to `module:Class`, as `WORLDS` does.

        Raises:
            ServeError: the address cannot be bound, or other machines can reach it and there are no keys.
        """
        self._options = options
        self._worlds = dict(WORLDS if worlds is None else worlds)
        self._sessions: dict[str, Session] = {}
        self._opens: dict[tuple[str, str], Session] = {}
        self._catalogue: bytes | None = None
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._gate: keys.Gate | None = None
        self._router = self._context.socket(zmq.ROUTER)
        try:
            self.endpoint = self._bind()
        except BaseException:
            self._close_sockets()
            raise
        self.loop = Loop()
        self._memory = MemoryWatch(options.memory_mb)
        self._spare = SpareWorkers(self.loop, options.cpu_seconds)
        self.loop.watch(self._router, self._receive)
        if self._gate is not None:
            self.loop.watch(self._gate.socket, self._gate.admit)
        games = options.games if options.games or not options.keys else ()
        self._environment = worker_environment(games, options.memory_mb, options.cpu_seconds)

    def _bind(self) -> str:
        bind, folder = self._options.bind, self._options.keys
        check_address(bind, guarded=folder is not None)
        self._router.linger = 500
        self._router.ipv6 = "[" in bind
        self._router.maxmsgsize = 64 * 1024 * 1024  # a frame beyond it costs its sender the connection
        try:
            if folder is not None:
                self._gate = keys.Gate(self._router, self._context, folder)
            self._router.bind(bind)
        except keys.KeyFolderError as error:
            raise ServeError(str(error)) from None
        except zmq.ZMQError as error:
            raise cannot_listen(bind, error) from None
        return self._router.getsockopt_string(zmq.LAST_ENDPOINT)

    # ── the loop ──────────────────────────────────────────────────────────────────────────────────────────────────

    def run(self) -> None:
        """Serves until `stop` is called; kills all workers before it returns."""
        self.loop.start_job(warm_up, lambda _: None)
        try:
            self.loop.run(self._tick, lambda: self._sessions)
        finally:
            self._close()

    def stop(self) -> None:
        """Ends `run`; may be called from any thread."""
        self.loop.stop()

    def _tick(self, now: float) -> None:
        greedy = self._memory.over(now)
        for session in self._sessions.values():
            session.tick(now, self._options.lease, greedy)
        self._spare.tick(now, greedy)
        gone = [session for session in self._sessions.values() if session.ended and session.worker is None]
        surplus = len(gone) - ENDED_KEPT
        for place, session in enumerate(gone):
            if place < surplus or now > session.touched + self._options.lease + 60:
                del self._sessions[session.id]
                self._opens = {id: kept for id, kept in self._opens.items() if kept is not session}

    def _close(self) -> None:
        self.loop.end_jobs()
        workers = [session.worker for session in self._sessions.values() if session.worker is not None]
        for worker in workers:
            worker.kill()
        for worker in workers:
            worker.process.join(GRACE_SECONDS)
            worker.discard()
        self._spare.close()
        self.loop.close()
        self._close_sockets()

    def _close_sockets(self) -> None:
        self._router.close()
        if self._gate is not None:
            self._gate.close()
        self._context.term()

    # ── requests ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _receive(self) -> None:
        for _ in range(64):  # then the pipes have their turn
            try:
                if self._gate is None:
                    route, *frames = self._router.recv_multipart(zmq.DONTWAIT)
                    client = ""
                else:
                    parts = self._router.recv_multipart(zmq.DONTWAIT, copy=False)
                    route, *frames = [part.bytes for part in parts]
                    client = str(parts[-1].get("User-Id"))
            except zmq.Again:
                return
            self._serve(client, route, frames)

    def _serve(self, client: str, route: bytes, frames: list[bytes]) -> None:
        try:
            if len(frames) != 1:
                message = f"a request is one frame of JSON, this one has {len(frames)}; use a DEALER socket"
                raise RequestError("bad-request", message, None)
            request = parse_request(frames[0])
        except RequestError as error:
            return self._send_raw(route, [encode_error(error.id, error.code, error.message)])
        address = ReplyAddress(route, request.id)
        if self._gate is not None and client not in self._gate.clients():
            message = "the key of this client has been revoked; ask whoever runs the server for another"
            return self._refuse(address, "bad-request", message)
        try:
            self._handle(client, address, request)
        except Exception as error:
            traceback.print_exc()
            what = one_line(f"{type(error).__name__}: {error}", 300)
            self._refuse(address, "internal", f"the server failed on this request ({what}); see its log")

    def _handle(self, client: str, address: ReplyAddress, request: Request) -> None:
        command = command_of(request)
        if isinstance(request.params, OpenParams):
            return self._open(client, address, request.params)
        if command is not None:
            session = self._sessions.get(command.session)
            if session is None or session.client != client:
                message = (
                    f'unknown session "{shorten(command.session)}": never opened, or closed long ago; open a new one'
                )
                return self._refuse(address, "unknown-session", message)
            return session.ask(Call(command, [address]), time.monotonic())
        if request.method == "list":
            return self._list(address)
        if request.method == "hello":
            return self._reply(address, self._hello())
        live = sum(session.ended is None for session in self._sessions.values())
        return self._reply(address, PingReply(sessions=live))

    def _hello(self) -> HelloReply:
        return HelloReply(
            protocol=PROTOCOL_VERSION,
            version=version("labyrinth-envs"),
            worlds=sorted(self._worlds),
            pid=os.getpid(),
            lease_seconds=self._options.lease,
            max_sessions=self._options.max_sessions,
        )

    def _list(self, address: ReplyAddress) -> None:
        if self._catalogue is not None:
            return self._send(address, Reply(self._catalogue))

        def finish(job: Future[bytes]) -> None:
            error = job.exception()
            if error is not None:
                return self._refuse(address, *launch_error(error))
            self._catalogue = job.result()
            return self._send(address, Reply(self._catalogue))

        return self.loop.start_job(lambda: read_catalogue(self._worlds, self._options.call_seconds), finish)

    def _open(self, client: str, address: ReplyAddress, params: OpenParams) -> None:
        now = time.monotonic()
        call = Call(Command("open"), [address])
        if (client, address.id) in self._opens:
            return self._opens[client, address.id].ask(call, now)
        target = self._worlds.get(params.world)
        if target is None:
            known = ", ".join(sorted(self._worlds)) or "none"
            meant = did_you_mean(params.world, self._worlds)
            message = f'unknown world "{shorten(params.world)}"{meant}; there are {known}'
            return self._refuse(address, "unknown-world", message)
        limits = (self._options.max_sessions, self._options.client_sessions)
        full = why_full(client, self._sessions.values(), *limits, len(self._gate.clients()) if self._gate else 1)
        if full is not None:
            return self._refuse(address, "too-many-sessions", full)
        session = Session(secrets.token_hex(8), params.world, client, self._send, self._options.call_seconds, now)
        session.on_release = lambda worker: self._release(session, worker)

        opening = Opening(self.loop, session, target, params.params, self._environment)
        taken = self._spare.take(client, params.world, opening.take_over)
        short = None if taken else self._memory_shortage()
        if short is not None:
            self._spare.dismiss()
            return self._refuse(address, "too-many-sessions", short)
        self._sessions[session.id] = self._opens[client, address.id] = session
        session.ask(call, now)
        return None if taken else opening.start()

    def _memory_shortage(self) -> str | None:
        live = [session for session in self._sessions.values() if session.ended is None]
        return memory_shortage(sum(session.opening for session in live)) if live or self._spare.any() else None

    def _release(self, session: Session, worker: WorkerProcess) -> None:
        self.loop.unwatch(worker.pipe.fileno())
        self.loop.unwatch(worker.process.sentinel)
        live = sum(session.ended is None for session in self._sessions.values())
        self._spare.put(worker, session.client, session.world, self._options.max_sessions - live)

    # ── replies ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _reply(self, address: ReplyAddress, ok: Wire) -> None:
        self._send(address, Reply(ok.model_dump_json(by_alias=True).encode()))

    def _refuse(self, address: ReplyAddress, code: ErrorCode, message: str) -> None:
        self._send(address, Reply(error=(code, message)))

    def _send(self, address: ReplyAddress, reply: Reply) -> None:
        if reply.error is not None:
            self._send_raw(address.route, [encode_error(address.id, *reply.error)])
        else:
            self._send_raw(address.route, [encode_ok(address.id, reply.ok), *reply.images])

    def _send_raw(self, route: bytes, frames: list[bytes]) -> None:
        with suppress(zmq.ZMQError):  # the client is gone or reads nothing: it will ask again
            self._router.send_multipart([route, *frames], zmq.DONTWAIT)

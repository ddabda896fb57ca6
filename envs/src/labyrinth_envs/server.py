"""The world server: a ZeroMQ ROUTER in one thread that never waits for a world.

A request goes to its session (`sessions.py`) and through a pipe to its worker (`worker.py`); the answer comes back the
same way. Every frame gets an answer, and no frame of one client disturbs another.
"""

from __future__ import annotations

import errno
import ipaddress
import os
import queue
import re
import secrets
import signal
import socket
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

import zmq
import zmq.auth

from labyrinth_envs import keys
from labyrinth_envs.error_messages import one_line, shorten
from labyrinth_envs.processes import launch_error, read_catalogue, warm_up
from labyrinth_envs.protocol import (
    PROTOCOL_VERSION,
    HelloReply,
    OpenParams,
    PingReply,
    Request,
    RequestError,
    SessionParams,
    StepParams,
    encode_error,
    encode_ok,
    parse_request,
)
from labyrinth_envs.sessions import (
    GRACE_SECONDS,
    Call,
    Reply,
    ReplyAddress,
    Session,
)
from labyrinth_envs.world import ErrorCode, Wire
from labyrinth_envs.worlds import WORLDS

TICK_SECONDS = 0.1
"""Interval at which deadlines and leases are checked while there are sessions, in seconds."""
Result = TypeVar("Result")

ENDED_KEPT = 256
"""Number of ended sessions that are kept, so that late calls are told how they ended."""


class ServeError(Exception):
    """The server cannot start; the message is one line with the remedy."""


@dataclass(frozen=True)
class ServerOptions:
    """Options of a server. All times are in seconds."""

    bind: str = "tcp://127.0.0.1:*"
    keys: Path | None = None
    lease: float = 600
    max_sessions: int = 64
    call_seconds: float = 60
    """Time limit of one call; a worker that exceeds it is killed."""


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
        self._opens: dict[str, Session] = {}
        self._catalogue: bytes | None = None
        self._stopping = False
        self._signalled = False
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._authenticator: zmq.auth.Authenticator | None = None
        self._router = self._context.socket(zmq.ROUTER)
        try:
            self.endpoint = self._bind()
        except BaseException:
            self._close_sockets()
            raise
        self._jobs = ThreadPoolExecutor(max_workers=1, thread_name_prefix="labyrinth-jobs")
        self._done: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._wakes, self._woken = socket.socketpair()
        self._wakes.setblocking(False)
        self._woken.setblocking(False)
        self._poller = zmq.Poller()
        self._watched: dict[object, Callable[[], None]] = {}
        self._watch(self._router, self._receive)
        self._watch(self._woken.fileno(), self._finish_jobs)
        if self._authenticator is not None:
            self._watch(self._authenticator.zap_socket, partial(keys.admit, self._authenticator))
        home = os.getcwd()
        cache = os.path.join(home, os.environ.get("LABYRINTH_CACHE", ".lab/games"))
        threads = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
        self._environment = {"LABYRINTH_HOME": home, "LABYRINTH_CACHE": cache, **threads}

    def _bind(self) -> str:
        bind, folder = self._options.bind, self._options.keys
        if not bind.startswith("ipc://") and not split_address(bind)[0]:  # ZeroMQ takes 99999 for another port
            raise ServeError(f'"{bind}" is no address; --bind takes tcp://HOST:PORT, such as tcp://127.0.0.1:*')
        if folder is None and not is_local(bind):
            remedy = "write keys with ./lab keys DIR and start it with --keys DIR"
            raise ServeError(f"refusing to listen on {bind} without keys, for anybody could come in; {remedy}")
        self._router.linger = 500
        self._router.ipv6 = "[" in bind
        self._router.maxmsgsize = 64 * 1024 * 1024  # a frame beyond it costs its sender the connection
        try:
            if folder is not None:
                self._authenticator = keys.guard(self._router, self._context, folder)
            self._router.bind(bind)
        except keys.KeyFolderError as error:
            raise ServeError(str(error)) from None
        except zmq.ZMQError as error:
            why = "the port is in use" if error.errno == errno.EADDRINUSE else error.strerror
            remedy = "choose another address with --bind, such as tcp://127.0.0.1:* for any free port"
            raise ServeError(f"cannot listen on {bind}: {why}; {remedy}") from None
        return self._router.getsockopt_string(zmq.LAST_ENDPOINT)

    # ── the loop ──────────────────────────────────────────────────────────────────────────────────────────────────

    def run(self) -> None:
        """Serves until `stop` is called; kills all workers before it returns."""
        next_tick = 0.0
        self._jobs.submit(warm_up)
        try:
            while not self._stopping:
                ready = self._poller.poll(int(TICK_SECONDS * 1000) if self._sessions else None)
                for source, _ in ready:
                    action = self._watched.get(source)
                    if action is not None:
                        self._guarded(action)
                now = time.monotonic()
                if now >= next_tick:
                    next_tick = now + TICK_SECONDS
                    self._tick(now)
        finally:
            self._close()

    def _guarded(self, action: Callable[[], None]) -> None:
        try:
            action()
        except Exception:  # a bug met in one session must not end the others
            traceback.print_exc()

    def stop(self) -> None:
        """Ends `run`; may be called from any thread."""
        self._stopping = True
        self._wake()

    def stop_on(self, *signals: signal.Signals) -> None:
        """Ends `run` when one of the signals arrives; must be called from the main thread."""
        for number in signals:
            signal.signal(number, lambda *_: self.stop())
        # Python runs a handler between two of its own instructions, and the loop may be waiting in ZeroMQ: wake it.
        self._signalled = True
        signal.set_wakeup_fd(self._wakes.fileno(), warn_on_full_buffer=False)

    def stop_at_end_of(self, descriptor: int) -> None:
        """Ends `run` when `descriptor` (such as standard input) reaches its end: the parent process is gone."""

        def read() -> None:
            if not os.read(descriptor, 4096):
                self.stop()

        self._watch(descriptor, read)

    def _watch(self, source: int | zmq.Socket[bytes], action: Callable[[], None]) -> None:
        self._poller.register(source, zmq.POLLIN)
        self._watched[source] = action

    def _unwatch(self, source: int) -> None:
        if self._watched.pop(source, None) is not None:
            self._poller.unregister(source)

    def _wake(self) -> None:
        with suppress(BlockingIOError, OSError):  # full: a wake-up is pending; closed: the loop has ended
            self._wakes.send(b".")

    def _tick(self, now: float) -> None:
        for session in self._sessions.values():
            session.tick(now, self._options.lease)
        gone = [session for session in self._sessions.values() if session.ended and session.process is None]
        surplus = len(gone) - ENDED_KEPT
        for place, session in enumerate(gone):
            if place < surplus or now > session.touched + self._options.lease + 60:
                del self._sessions[session.id]
                self._opens = {id: kept for id, kept in self._opens.items() if kept is not session}

    def _close(self) -> None:
        self._jobs.shutdown(wait=True)
        for session in self._sessions.values():
            session.kill()
        for session in self._sessions.values():
            if session.process is not None:
                session.process.join(GRACE_SECONDS)
                session.discard()
        if self._signalled:
            signal.set_wakeup_fd(-1)
        self._wakes.close()
        self._woken.close()
        self._close_sockets()

    def _close_sockets(self) -> None:
        self._router.close()
        if self._authenticator is not None:
            self._authenticator.stop()
        self._context.term()

    # ── requests ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _receive(self) -> None:
        for _ in range(64):  # then the pipes have their turn
            try:
                route, *frames = self._router.recv_multipart(zmq.DONTWAIT)
            except zmq.Again:
                return
            self._serve(route, frames)

    def _serve(self, route: bytes, frames: list[bytes]) -> None:
        try:
            if len(frames) != 1:
                message = f"a request is one frame of JSON, this one has {len(frames)}; use a DEALER socket"
                raise RequestError("bad-request", message, None)
            request = parse_request(frames[0])
        except RequestError as error:
            return self._send_raw(route, [encode_error(error.id, error.code, error.message)])
        address = ReplyAddress(route, request.id)
        try:
            self._handle(address, request)
        except Exception as error:
            traceback.print_exc()
            what = one_line(f"{type(error).__name__}: {error}", 300)
            self._refuse(address, "internal", f"the server failed on this request ({what}); see its log")

    def _handle(self, address: ReplyAddress, request: Request) -> None:
        params = request.params
        if isinstance(params, OpenParams):
            return self._open(address, params)
        if isinstance(params, (SessionParams, StepParams)):
            session = self._sessions.get(params.session)
            if session is None:
                message = (
                    f'unknown session "{shorten(params.session)}": never opened, or closed long ago; open a new one'
                )
                return self._refuse(address, "unknown-session", message)
            step, action = (params.step, params.action) if isinstance(params, StepParams) else (0, "")
            return session.ask(Call(request.method, [address], step, action), time.monotonic())
        if request.method == "list":
            return self._list(address)
        if request.method == "hello":
            return self._reply(address, self._hello())
        return self._reply(address, PingReply(sessions=self._live()))

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

        return self._start_job(lambda: read_catalogue(self._worlds, self._options.call_seconds), finish)

    def _open(self, address: ReplyAddress, params: OpenParams) -> None:
        now = time.monotonic()
        call = Call("open", [address])
        if address.id in self._opens:
            return self._opens[address.id].ask(call, now)
        target = self._worlds.get(params.world)
        if target is None:
            known = ", ".join(sorted(self._worlds)) or "none"
            return self._refuse(address, "unknown-world", f'unknown world "{shorten(params.world)}"; there are {known}')
        if self._live() >= self._options.max_sessions:
            message = f"the server holds {self._options.max_sessions} sessions and takes no more"
            message = f"{message}; close one, or start it with a higher --max-sessions"
            return self._refuse(address, "too-many-sessions", message)
        session = Session(secrets.token_hex(8), params.world, self._send, self._options.call_seconds, now)
        self._sessions[session.id] = self._opens[address.id] = session
        session.ask(call, now)

        def launch() -> None:
            session.launch(target, params.params, self._environment)

        def finish(job: Future[None]) -> None:
            error = job.exception()
            if error is not None:
                return session.end(launch_error(error), time.monotonic())
            assert session.process is not None and session.pipe is not None
            session.started(time.monotonic())
            pipe, sentinel = session.pipe.fileno(), session.process.sentinel

            def receive() -> None:
                if not session.receive(time.monotonic()):
                    self._unwatch(pipe)

            def exited() -> None:
                self._unwatch(pipe)
                self._unwatch(sentinel)
                session.exited()
                self._start_job(session.collect, lambda job: session.on_process_exit(job.result(), time.monotonic()))

            self._watch(pipe, receive)
            self._watch(sentinel, exited)
            return None

        return self._start_job(launch, finish)

    def _live(self) -> int:
        return sum(session.ended is None for session in self._sessions.values())

    # ── work that takes a while: importing worlds, starting processes ─────────────────────────────────────────────

    def _start_job(self, work: Callable[[], Result], finish: Callable[[Future[Result]], None]) -> None:
        """Runs `work` in another thread and then calls `finish` in this one."""

        def tell(job: Future[Result]) -> None:
            self._done.put(lambda: finish(job))
            self._wake()

        self._jobs.submit(work).add_done_callback(tell)

    def _finish_jobs(self) -> None:
        with suppress(BlockingIOError):
            self._woken.recv(4096)
        while not self._done.empty():
            self._guarded(self._done.get())

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


def is_local(bind: str) -> bool:
    """Whether only processes of this machine can reach the address."""
    if bind.startswith(("ipc://", "inproc://")):
        return True
    host, _ = split_address(bind)
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def split_address(bind: str) -> tuple[str, str]:
    """Splits `tcp://HOST:PORT` into host and port (0 to 65535, or `*`); both are empty for any other text."""
    found = re.fullmatch(r"tcp://(?:\[([^\]]+)\]|([^:]+)):(\*|\d{1,5})", bind)
    if found is None or (found[3] != "*" and int(found[3]) > 65535):
        return "", ""
    return found[1] or found[2], found[3]

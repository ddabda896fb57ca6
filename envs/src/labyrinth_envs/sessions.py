"""One session as the server sees it: a queue of calls, the last replies, and a worker process that may die.

This module has no socket and never waits: the server calls `ask` when a request comes, `receive` when the worker's
pipe is readable, `on_process_exit` when its process has ended and `tick` at regular intervals. Each call is answered
exactly once to each address.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple

from labyrinth_envs.direct import Pulse
from labyrinth_envs.error_messages import shorten
from labyrinth_envs.ledger import Answer, Command
from labyrinth_envs.processes import describe_exit
from labyrinth_envs.worker_loop import receive
from labyrinth_envs.worker_process import GRACE_SECONDS, WorkerProcess
from labyrinth_envs.world import ErrorCode

REPLIES_KEPT = 8
"""Number of replies that a session keeps by request id, for requests that are sent again."""
CALLS_WAITING = 32
"""Number of calls that may wait in one session."""
TRUTH_TIMEOUT_FACTOR = 5
"""`truth` may take this many times as long as other calls: some worlds search for a winning play."""


class ReplyAddress(NamedTuple):
    """Where a reply is sent: a ZeroMQ routing id, and the id of the request."""

    route: bytes
    id: str


class Reply(NamedTuple):
    """The result of a call: JSON and pictures, or an error."""

    ok: bytes = b""
    images: list[bytes] = []
    error: tuple[ErrorCode, str] | None = None


@dataclass
class Call:
    """A request in progress. It has several addresses if it was sent again from another socket."""

    command: Command
    addresses: list[ReplyAddress]

    @property
    def method(self) -> str:
        """The method of the protocol."""
        return self.command.method

    def has_id_of(self, other: Call) -> bool:
        """Whether `other` is a repetition of this request."""
        return any(mine.id == theirs.id for mine in self.addresses for theirs in other.addresses)


@dataclass
class Session:
    """A session from `open` until the server forgets it; `ended` says why it takes no more calls."""

    id: str
    world: str
    client: str
    """Public key of the client that opened it; empty on a server without keys."""
    send: Callable[[ReplyAddress, Reply], None]
    call_seconds: float
    touched: float
    """Time of its last use, in seconds of the server's clock."""
    ended: tuple[ErrorCode, str] | None = None
    worker: WorkerProcess | None = None
    on_release: Callable[[WorkerProcess], None] | None = None
    """Takes the worker that another session may take over, after an orderly close."""
    _calls: deque[Call] = field(default_factory=deque)  # the first one is being executed
    _replies: OrderedDict[str, Reply] = field(default_factory=OrderedDict)
    _opened: Reply | None = None
    _pulse: Pulse | None = None  # of a session whose client calls its worker itself
    _deadline: float | None = None
    _hung: str | None = None
    _renewable: bool = False

    @property
    def busy(self) -> bool:
        """Whether a call is being executed."""
        return bool(self._calls)

    @property
    def opening(self) -> bool:
        """Whether its world is being opened, so that most of its memory is still to be taken."""
        return self.ended is None and self._opened is None

    # ── calls ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def ask(self, call: Call, now: float) -> None:
        """Accepts a call; its reply goes out through `send`, now or later."""
        self.touched = now
        known = self._opened if call.method == "open" else None
        known = known or self._replies.get(call.addresses[0].id)
        if known is not None:
            return self._send(call, known)
        if self.ended is not None:
            return self._send(call, Reply(error=self.ended))
        for waiting in self._calls:
            if waiting.has_id_of(call):
                waiting.addresses += [address for address in call.addresses if address not in waiting.addresses]
                return None
        if call.method == "close":
            self._answer(call, Reply(ok=b"{}"))
            return self.end(("unknown-session", f"session {self.id} is closed; open a new one"), now, closed=True)
        if len(self._calls) >= CALLS_WAITING:
            message = f"session {self.id} has {CALLS_WAITING} calls waiting; wait for their replies"
            return self._send(call, Reply(error=("bad-request", message)))
        self._calls.append(call)
        if len(self._calls) == 1 and call.method != "open":
            self._dispatch(now)
        return None

    def _dispatch(self, now: float) -> None:
        """Gives the first call to the worker."""
        if self._calls and self.ended is None:
            command = self._calls[0].command
            assert self.worker is not None
            self._deadline = now + self._seconds_of(command.method) * max(1, len(command.actions))
            self.worker.tell(command)

    def _seconds_of(self, method: str) -> float:
        return self.call_seconds * (TRUTH_TIMEOUT_FACTOR if method == "truth" else 1)

    def _answer(self, call: Call, reply: Reply) -> None:
        for address in call.addresses:
            self._replies[address.id] = reply
        while len(self._replies) > REPLIES_KEPT:
            self._replies.popitem(last=False)
        self._send(call, reply)

    def _send(self, call: Call, reply: Reply) -> None:
        for address in call.addresses:
            self.send(address, reply)

    # ── the worker's life ─────────────────────────────────────────────────────────────────────────────────────────

    def started(self, now: float) -> None:
        """Sets the deadline of `open`: the worker runs and is opening its world. One nobody waits for is dismissed."""
        if self.ended is not None and self.worker is not None:
            self.worker.dismiss()
        self._deadline = now + (self.call_seconds if self.ended is None else GRACE_SECONDS)

    def receive(self, now: float) -> bool:
        """Reads one answer from the pipe; returns False once the pipe is closed."""
        assert self.worker is not None
        try:
            answer = Answer(*receive(self.worker.pipe))
        except (EOFError, OSError):
            if self._deadline is None or self._deadline > now + GRACE_SECONDS:
                self._deadline = now + GRACE_SECONDS
            return False
        if self.ended is not None:
            return True
        if not self._calls:  # its client's call, on the direct way, has ended the world
            if answer.error is not None and answer.last:
                self.end(answer.error, now)
            return True
        self.touched, self._deadline = now, None
        call = self._calls.popleft()
        reply = Reply(answer.ok, answer.images, answer.error)
        if call.method == "open" and answer.error is None:
            self._opened = reply = Reply(b'{"session":"%s","spec":%s}' % (self.id.encode(), answer.ok))
            self._renewable = answer.renewable
        if call.method == "direct" and answer.error is None and self._pulse is None:
            self._pulse = Pulse(self.worker.scratch)
        self._answer(call, reply)
        if answer.error is not None and (answer.last or call.method == "open"):
            self.end(answer.error, now)
        else:
            self._dispatch(now)
        return True

    def end(self, reason: tuple[ErrorCode, str], now: float, *, closed: bool = False) -> None:
        """Ends the session: answers the waiting calls and dismisses the worker, or kills it if it is executing one.

        With `closed`, a worker that another session may take over is let go and not dismissed.
        """
        if self.ended is not None:
            return
        self.ended = reason
        calls, self._calls = self._calls, deque()
        for call in calls:
            self._answer(call, Reply(error=reason))
        at_work = self._deadline is not None or (self._pulse is not None and self._pulse.read().since)
        if self.worker is not None and at_work:
            self.worker.kill()
        elif self.worker is not None and closed and self._renewable and not self.worker.killed:
            self._release(self.worker)
        elif self.worker is not None:
            self.worker.dismiss()
        self._deadline = now + GRACE_SECONDS

    def _release(self, worker: WorkerProcess) -> None:
        worker.tell(Command())
        self._let_go()
        if self.on_release is not None:
            self.on_release(worker)

    def tick(self, now: float, lease: float, greedy: AbstractSet[int] = frozenset()) -> None:
        """Kills a worker past its deadline or in a greedy group; ends a session that was idle for `lease` seconds."""
        if self.worker is not None and self.worker.pid in greedy:
            self._hung = "took more memory than --memory-mb allows, shared memory included, and was killed"
            self.worker.kill()
        late, direct = self._late_call(now)
        if late is not None and self.worker is not None:
            if self.ended is None and late:
                seconds = self._seconds_of(late)
                self._hung = f"gave no answer to {late} within {seconds:g} s and was killed"
            self.worker.kill()
        if self.ended is None and not self._calls and not direct and now > self.touched + lease:
            message = f"session {self.id} lay idle for {lease:g} s and was closed; open a new one"
            self.end(("unknown-session", message), now)

    def _late_call(self, now: float) -> tuple[str | None, bool]:
        """The method of a call past its deadline (empty: the exit), and whether the worker's client waits for one."""
        if self._deadline is not None and now > self._deadline:
            return (self._calls[0].method if self._calls else ""), False
        if self._pulse is None or self.ended is not None:
            return None, False
        since, touched, method = self._pulse.read()
        self.touched = max(self.touched, touched)
        return (method if since and now > since + self._seconds_of(method) else None), since > 0

    def lost_spare(self, now: float) -> bool:
        """Whether its process, which was another session's before, has ended on its own before it opened the world."""
        self._read_last(now)
        if self.worker is None or self.worker.sessions == 1 or not self.opening or self._hung is not None:
            return False
        self.worker.discard()
        self.worker = self._deadline = None
        return True

    def on_process_exit(self, status: int | None, now: float) -> None:
        """Reads the last answers, tells waiting clients how the process ended, and removes its scratch folder."""
        self._read_last(now)
        if self.ended is None:
            cause = self._hung or describe_exit(status)
            message = f"the process of session {self.id} ({shorten(self.world)}) {cause}; open a new session"
            self.end(("worker-died", message), now)
        if self.worker is not None:
            self.worker.discard()
        self._let_go()

    def _read_last(self, now: float) -> None:
        while self.worker is not None and self.worker.pipe.poll() and self.receive(now):
            pass

    def _let_go(self) -> None:
        self.worker = None
        if self._pulse is not None:
            self._pulse.close()
            self._pulse = None

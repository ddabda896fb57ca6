"""Worker processes as their server sees them: one with its pipe and scratch folder, and those that wait for a session.

A world may say that another game of it can be opened in the same process (`world.RenewableWorld`): those on the JVM,
whose start costs more than most episodes. After an orderly close such a worker is spare for a while, and the next
session of the same world and client takes it over.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import Literal

from labyrinth_envs.ledger import Answer, Command
from labyrinth_envs.loop import Loop
from labyrinth_envs.processes import SCRATCH, fork
from labyrinth_envs.worker import WorkerConfig, main
from labyrinth_envs.worker_loop import LEFT, receive, renewal, send

GRACE_SECONDS = 2.0
"""Time that a worker has to exit by itself before it is killed, in seconds."""
SPARE_SECONDS = 10.0
"""How long a worker waits for another session, in seconds."""
SESSIONS = 64
"""Sessions of one worker, after which it ends."""
CPU_SHARE = 0.25
"""Age of a worker that takes no further session, as a share of its processor time: each session must have enough."""


@dataclass(eq=False)
class WorkerProcess:
    """A process that runs the world of one session at a time."""

    process: ForkServerProcess
    pipe: Connection
    scratch: str
    born: float
    """Time of its start, in seconds of the monotonic clock."""
    sessions: int = 1
    killed: bool = False
    _exited: bool = False

    @classmethod
    def launch(
        cls, session: str, world: str, target: str, params: dict[str, object], environment: dict[str, str]
    ) -> WorkerProcess:
        """Starts a worker. The first start waits for imports, so a thread other than the server's calls this.

        Raises:
            OSError: the scratch folder or the process cannot be created.
        """
        scratch = tempfile.mkdtemp(prefix=f"{SCRATCH}{os.getpid()}-")
        pipe, far = fork.Pipe()
        try:
            config = WorkerConfig(session, world, target, params, scratch, environment)
            process = fork.Process(target=main, args=(far, config), name=f"labyrinth {session}")
            process.start()
            return cls(process, pipe, scratch, time.monotonic())
        except BaseException:
            pipe.close()
            shutil.rmtree(scratch, ignore_errors=True)
            raise
        finally:
            far.close()

    @property
    def pid(self) -> int | None:
        """Process id, which is also that of its group."""
        return self.process.pid

    def tell(self, command: Command) -> None:
        """Sends a command."""
        with suppress(OSError):  # the process is gone: its end will be reported
            send(self.pipe, command)

    def renew(self, session: str, params: dict[str, object]) -> None:
        """Opens another session in a spare worker; the answer comes as at the first one."""
        self.sessions += 1
        self.tell(renewal(session, params))

    def dismiss(self) -> None:
        """Tells it to end: its session, and then itself, where it would wait for another."""
        self.tell(Command())
        self.tell(Command())

    def kill(self) -> None:
        """Kills the worker and all processes that it started."""
        self.killed = True
        if self.process.pid is None or self._exited:
            return
        with suppress(ProcessLookupError):
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except ProcessLookupError:  # it has not yet made its group
                os.kill(self.process.pid, signal.SIGKILL)

    def collect(self) -> int | None:
        """Returns the exit status of the ended process; only the launching thread may call it (both use one list)."""
        self.process.join()
        return self.process.exitcode

    def exited(self) -> None:
        """Kills the children of the ended process; from now on its id may belong to another process."""
        if self.process.pid is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self._exited = True

    def discard(self) -> None:
        """Closes the pipe and removes the scratch folder."""
        self.pipe.close()
        shutil.rmtree(self.scratch, ignore_errors=True)


Taker = Callable[[WorkerProcess | None], None]
"""What is given a worker, or None where none is left."""


@dataclass
class _Place:
    """Where a spare worker belongs, what has become of it, and when it is told to end, or killed."""

    client: str
    world: str
    until: float
    state: Literal["leaving", "spare", "dismissed", "gone"] = "leaving"
    taker: Taker | None = None


class SpareWorkers:
    """The workers that wait for a session. A session takes only one that its own client has left.

    A worker is spare once it says that it has left its session. One that has not said so may still be playing it.
    """

    def __init__(self, loop: Loop, cpu_seconds: float) -> None:
        """`cpu_seconds` is the processor time that a worker may take in its life."""
        self._loop = loop
        self._oldest = cpu_seconds * CPU_SHARE
        self._kept: dict[WorkerProcess, _Place] = {}

    def put(self, worker: WorkerProcess, client: str, world: str, room: int) -> None:
        """Keeps a worker that was told to leave its session, if there is `room` for one more and it is not too old."""
        now = time.monotonic()
        waiting = sum(place.state in ("leaving", "spare") for place in self._kept.values())
        self._kept[worker] = place = _Place(client, world, now + GRACE_SECONDS)
        self._loop.watch(worker.pipe.fileno(), lambda: self._receive(worker, place))
        self._loop.watch(worker.process.sentinel, lambda: self._forget(worker, place))
        if waiting >= room or worker.sessions >= SESSIONS or now - worker.born > self._oldest:
            self._dismiss(worker, place)

    def take(self, client: str, world: str, taker: Taker) -> bool:
        """Gives `taker` the worker of this client and world that was left last, at once or when it has left.

        Returns whether there is one; the taker is given None where it ends before.
        """
        places = [
            (worker, place) for worker, place in self._kept.items() if (place.client, place.world) == (client, world)
        ]
        for state in ("spare", "leaving"):
            for worker, place in reversed(places):
                if place.state == state and place.taker is None:
                    place.taker = taker
                    if state == "spare":
                        self._give(worker, place)
                    return True
        return False

    def any(self) -> bool:
        """Whether there are some."""
        return bool(self._kept)

    def tick(self, now: float, greedy: AbstractSet[int]) -> None:
        """Ends the workers for which no session came, and kills those that do not end or take too much memory."""
        for worker, place in self._kept.items():
            if worker.pid in greedy or (now > place.until and place.state != "spare"):
                worker.kill()
            elif now > place.until:
                self._dismiss(worker, place)

    def dismiss(self) -> None:
        """Ends all that no session waits for: their memory is wanted."""
        for worker, place in self._kept.items():
            if place.taker is None and place.state in ("leaving", "spare"):
                self._dismiss(worker, place)

    def close(self) -> None:
        """Kills all of them and waits for their end."""
        for worker in self._kept:
            worker.kill()
        for worker in self._kept:
            worker.process.join(GRACE_SECONDS)
            worker.discard()
        self._kept.clear()

    def _receive(self, worker: WorkerProcess, place: _Place) -> None:
        try:
            answer = Answer(*receive(worker.pipe))
        except (EOFError, OSError):
            self._loop.unwatch(worker.pipe.fileno())
            return
        if answer.ok == LEFT and place.state == "leaving":  # what came before is of the session that was left
            place.state, place.until = "spare", time.monotonic() + SPARE_SECONDS
            if place.taker is not None:
                self._give(worker, place)

    def _give(self, worker: WorkerProcess, place: _Place) -> None:
        del self._kept[worker]
        self._loop.unwatch(worker.pipe.fileno())
        self._loop.unwatch(worker.process.sentinel)
        assert place.taker is not None
        place.taker(worker)

    def _dismiss(self, worker: WorkerProcess, place: _Place) -> None:
        place.state, place.until = "dismissed", time.monotonic() + GRACE_SECONDS
        worker.tell(Command())

    def _forget(self, worker: WorkerProcess, place: _Place) -> None:
        """Collects one that has ended; it stays in the list until then, so that `close` finds it."""
        place.state, taker, place.taker = "gone", place.taker, None
        self._loop.unwatch(worker.pipe.fileno())
        self._loop.unwatch(worker.process.sentinel)
        worker.exited()

        def collected(_: Future[int | None]) -> None:
            worker.discard()
            del self._kept[worker]

        self._loop.start_job(worker.collect, collected)
        if taker is not None:
            taker(None)

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
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerProcess

from labyrinth_envs import worker
from labyrinth_envs.ledger import Command
from labyrinth_envs.loop import Loop
from labyrinth_envs.processes import SCRATCH, fork
from labyrinth_envs.worker_loop import renewal, send

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
            config = worker.WorkerConfig(session, world, target, params, scratch, environment)
            process = fork.Process(target=worker.main, args=(far, config), name=f"labyrinth {session}")
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


@dataclass
class _Place:
    """Where a spare worker belongs, and when it is told to end, or killed where it has been told."""

    client: str
    world: str
    until: float
    dismissed: bool = False


class SpareWorkers:
    """The workers that wait for a session. A session takes only one that its own client has left."""

    def __init__(self, loop: Loop, cpu_seconds: float) -> None:
        """`cpu_seconds` is the processor time that a worker may take in its life."""
        self._loop = loop
        self._oldest = cpu_seconds * CPU_SHARE
        self._kept: dict[WorkerProcess, _Place] = {}

    def put(self, spare: WorkerProcess, client: str, world: str, now: float) -> None:
        """Keeps a worker that has let go of its session; one that has served long is told to end."""
        self._kept[spare] = place = _Place(client, world, now + SPARE_SECONDS)
        self._loop.watch(spare.process.sentinel, lambda: self._forget(spare))
        if spare.sessions >= SESSIONS or now - spare.born > self._oldest:
            self._dismiss(spare, place, now)

    def take(self, client: str, world: str) -> WorkerProcess | None:
        """The worker of this client and world that was left last, or None."""
        for spare, place in reversed(self._kept.items()):
            alive = not place.dismissed and not wait([spare.process.sentinel], 0)
            if alive and (place.client, place.world) == (client, world):
                del self._kept[spare]
                self._loop.unwatch(spare.process.sentinel)
                return spare
        return None

    def tick(self, now: float) -> None:
        """Ends the workers for which no session came."""
        for spare, place in self._kept.items():
            if now > place.until:
                if place.dismissed:
                    spare.kill()
                else:
                    self._dismiss(spare, place, now)

    def dismiss(self, now: float) -> None:
        """Ends all of them: their memory is wanted."""
        for spare, place in self._kept.items():
            if not place.dismissed:
                self._dismiss(spare, place, now)

    def close(self) -> None:
        """Kills all of them and waits for their end."""
        for spare in self._kept:
            spare.kill()
        for spare in self._kept:
            spare.process.join(GRACE_SECONDS)
            spare.discard()
        self._kept.clear()

    def _dismiss(self, spare: WorkerProcess, place: _Place, now: float) -> None:
        place.dismissed, place.until = True, now + GRACE_SECONDS
        spare.tell(Command())

    def _forget(self, spare: WorkerProcess) -> None:
        self._loop.unwatch(spare.process.sentinel)
        self._kept.pop(spare, None)
        spare.exited()
        self._loop.start_job(spare.collect, lambda _: spare.discard())

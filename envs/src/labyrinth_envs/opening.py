"""How a session that is being opened gets its worker: a spare one that its client has left, or a new process."""

from __future__ import annotations

import time
from concurrent.futures import Future

from labyrinth_envs.loop import Loop
from labyrinth_envs.processes import launch_error
from labyrinth_envs.sessions import Session
from labyrinth_envs.worker_process import WorkerProcess


class Opening:
    """The opening of one session; it goes on for as long as the session has a worker."""

    def __init__(
        self, loop: Loop, session: Session, target: str, params: dict[str, object], environment: dict[str, str]
    ) -> None:
        """`target` is the world as `module:Class`, `environment` that of its worker."""
        self._loop = loop
        self._session = session
        self._target = target
        self._params = params
        self._environment = environment

    def start(self) -> None:
        """Gives the session a new worker."""
        session = self._session

        # In another thread. The session has the worker at once, so that a server that stops finds it.
        def launch() -> None:
            session.worker = WorkerProcess.launch(
                session.id, session.world, self._target, self._params, self._environment
            )

        def finish(job: Future[None]) -> None:
            error = job.exception()
            if error is not None:
                return session.end(launch_error(error), time.monotonic())
            assert session.worker is not None
            return self._watch(session.worker)

        self._loop.start_job(launch, finish)

    def take_over(self, worker: WorkerProcess | None) -> None:
        """Gives the session a spare worker, or a new one where there is none any more."""
        if worker is None:
            return self.start()
        self._session.worker = worker
        self._watch(worker)
        return worker.renew(self._session.id, self._params)

    def _watch(self, worker: WorkerProcess) -> None:
        """Hears what the worker answers, and when it ends; one that ends while it is taken over is replaced."""
        session = self._session
        session.started(time.monotonic())
        pipe, sentinel = worker.pipe.fileno(), worker.process.sentinel

        def receive() -> None:
            if not session.receive(time.monotonic()):
                self._loop.unwatch(pipe)

        def exited() -> None:
            self._loop.unwatch(pipe)
            self._loop.unwatch(sentinel)
            worker.exited()
            self._loop.start_job(worker.collect, collected)

        def collected(job: Future[int | None]) -> None:
            if session.lost_spare(time.monotonic()):
                return self.start()
            return session.on_process_exit(job.result(), time.monotonic())

        self._loop.watch(pipe, receive)
        self._loop.watch(sentinel, exited)

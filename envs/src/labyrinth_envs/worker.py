"""The worker process of a session: it runs one world and takes commands through a pipe.

The process belongs to its server: it has a process group and a scratch folder of its own, reads nothing from standard
input, writes what it prints to standard error, and dies when the server dies, however that happens.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
import traceback
from dataclasses import dataclass
from multiprocessing import forkserver, parent_process
from multiprocessing.connection import Connection, wait

from labyrinth_envs.error_messages import check_parameters, one_line
from labyrinth_envs.ledger import Answer, Command
from labyrinth_envs.limits import limit_resources, limit_shared_memory
from labyrinth_envs.messages import ListReply, WorldEntry
from labyrinth_envs.worker_loop import LEFT, RENEWAL, WorkerLoop, attempt, receive, send
from labyrinth_envs.world import RenewableWorld, WorldError
from labyrinth_envs.worlds import PRELOAD, WORLDS, is_missing_package, load_world

DEADLY = (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGQUIT)
"""Signals whose default action a worker restores: pygame, which minigrid imports, catches them and aborts."""


@dataclass(frozen=True)
class WorkerConfig:
    """The session, its world (`target` is `module:Class`) with parameters, and the worker's surroundings."""

    session: str
    world: str
    target: str
    params: dict[str, object]
    scratch: str
    environment: dict[str, str]


def main(pipe: Connection, config: WorkerConfig) -> None:
    """Opens a world and plays it until the pipe is closed or a command says to exit.

    A world that can be renewed waits for the next session after it has let go of one.
    """
    _isolate(config.scratch, config.environment)
    session, params, world = config.session, config.params, None

    def start() -> Answer:
        nonlocal world
        opened = load_world(config.world, config.target)
        given = check_parameters(config.world, opened.Parameters, params)
        world = world.renewed(given) if isinstance(world, RenewableWorld) else opened(given)
        return Answer(world.spec.model_dump_json(by_alias=True).encode(), renewable=isinstance(world, RenewableWorld))

    try:
        while True:
            answer = attempt(start)
            send(pipe, answer)
            if world is None or answer.error is not None:
                break
            if not WorkerLoop(world, session, pipe, config.scratch).run():
                return
            if not isinstance(world, RenewableWorld):
                break
            send(pipe, Answer(LEFT))
            command = Command(*receive(pipe))
            if command.method != RENEWAL:
                break
            session, params = command.session, json.loads(command.actions[0])
        if world is not None:
            world.close()
    except (EOFError, BrokenPipeError, ConnectionResetError):  # the server is gone
        if world is not None:
            world.close()
        _end_group(config.scratch)


def catalogue(worlds: dict[str, str]) -> ListReply:
    """Lists all worlds with their parameters; for one that cannot be imported, `problem` says why."""
    entries = []
    for id in sorted(worlds):
        try:
            world = load_world(id, worlds[id])
            doc = (world.__doc__ or id).strip().splitlines()[0]
            parameters, problem = world.Parameters.model_json_schema(by_alias=True), None
        except WorldError as error:
            doc, parameters, problem = id, {}, one_line(error.message)
        except Exception as error:
            traceback.print_exc()
            doc, parameters, problem = id, {}, one_line(f"cannot be opened here: {type(error).__name__}: {error}")
        entries.append(WorldEntry(id=id, doc=doc, parameters=parameters, problem=problem))
    return ListReply(worlds=entries)


def send_catalogue(pipe: Connection, worlds: dict[str, str]) -> None:
    """Sends the catalogue as JSON; it runs in a process of its own, so that the server imports no world."""
    os.dup2(2, 1)
    pipe.send(catalogue(worlds).model_dump_json(by_alias=True).encode())


def preload() -> None:
    """Imports the worlds' modules once, in the fork server."""
    for module in [*PRELOAD, *{target.partition(":")[0]: None for target in WORLDS.values()}]:
        try:
            __import__(module)
        except Exception as error:
            if not is_missing_package(error, "labyrinth_envs"):  # the worlds that need it say so when they are opened
                print(f"labyrinth: cannot preload {module}: {one_line(error)}", file=sys.stderr)


def _isolate(scratch: str, environment: dict[str, str]) -> None:
    for deadly in DEADLY:
        signal.signal(deadly, signal.SIG_DFL)
    os.setsid()
    os.umask(0o077)
    os.chdir(scratch)
    os.environ.update(environment, TMPDIR=scratch)
    memory_mb = int(environment["LABYRINTH_MEMORY_MB"])
    limit_resources(memory_mb, int(environment["LABYRINTH_CPU_SECONDS"]))
    limit_shared_memory(memory_mb)
    tempfile.tempdir = scratch
    nowhere = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, 0)
    os.close(nowhere)
    os.dup2(2, 1)
    # The thread below takes the scratch folder and the world's own children along. It does not run while foreign code
    # holds the interpreter: there Linux's death signal ends the process, and elsewhere a guard.
    server = parent_process()
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
    elif server is not None:
        guard(server.sentinel)
    _close_forkserver_pipe()
    threading.Thread(target=_die_with_server, args=[scratch], daemon=True).start()


def guard(sentinel: int) -> int:
    """Starts a shell that kills this process group one second after the pipe `sentinel` has reached its end.

    Returns:
        The shell's process id. It belongs to the group itself, so that whoever kills the group ends it too.
    """
    command = ["sh", "-c", "read -r _; sleep 1; kill -9 0"]
    return os.posix_spawn("/bin/sh", command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, sentinel, 0)])


def _close_forkserver_pipe() -> None:
    """Closes the descriptor through which a worker could start processes by the fork server.

    The fork server lives as long as any process holds this descriptor. If only the server holds it, the fork server
    ends with the server, and its end triggers the death signal of all workers, even of one that is stopped or stuck.
    """
    state = vars(forkserver._forkserver)
    held, state["_forkserver_alive_fd"] = state.get("_forkserver_alive_fd"), None
    if held is not None:
        os.close(held)


def _die_with_server(scratch: str) -> None:
    server = parent_process()
    if server is not None:
        wait([server.sentinel])
        _end_group(scratch)


def _end_group(scratch: str) -> None:
    """Removes the scratch folder and kills the process group: this process and all that it started."""
    shutil.rmtree(scratch, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)

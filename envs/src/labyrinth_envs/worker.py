"""The worker process of a session: it runs one world and takes commands through a pipe.

The process belongs to its server: it has a process group and a scratch folder of its own, reads nothing from standard
input, writes what it prints to standard error, and dies when the server dies, however that happens.
"""

from __future__ import annotations

import ctypes
import errno
import os
import pickle
import shutil
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing import forkserver, parent_process
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple

from labyrinth_envs.error_messages import check_parameters, one_line
from labyrinth_envs.limits import limit_resources, limit_shared_memory
from labyrinth_envs.protocol import (
    ActionsReply,
    ListReply,
    TruthReply,
    WorldEntry,
    encode_turn,
)
from labyrinth_envs.world import ErrorCode, World, WorldError
from labyrinth_envs.worlds import PRELOAD, WORLDS, is_missing_package, load_world

DEADLY = (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGQUIT)
"""Signals whose default action a worker restores: pygame, which minigrid imports, catches them and aborts."""

DISK = {errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS}
"""`errno` of errors that the user can mend: a full disk, missing permissions."""


class Answer(NamedTuple):
    """The reply of a worker: JSON and pictures, or an error. The process exits after a `last` answer."""

    ok: bytes = b""
    images: list[bytes] = []
    error: tuple[ErrorCode, str] | None = None
    last: bool = False


class Command(NamedTuple):
    """A request to a worker: a method of the protocol, and the action of a step. An empty method means exit."""

    method: str = ""
    action: str = ""


@dataclass(frozen=True)
class WorkerConfig:
    """The world that a worker opens (`target` is `module:Class`), its parameters, scratch folder and environment."""

    world: str
    target: str
    params: dict[str, object]
    scratch: str
    environment: dict[str, str]


def send(pipe: Connection, message: Answer | Command) -> None:
    """Sends a message as a plain tuple: a pickle that names its class takes several times as long, at each step."""
    pipe.send_bytes(pickle.dumps(tuple(message)))


def receive(pipe: Connection) -> Any:
    """Waits for a message and returns its values.

    Raises:
        EOFError, OSError: the other end is closed.
    """
    return pickle.loads(pipe.recv_bytes())


def main(pipe: Connection, config: WorkerConfig) -> None:
    """Opens a world and executes commands until the pipe is closed or a command says to exit."""
    _isolate(config.scratch, config.environment)
    worlds: list[World] = []

    def start() -> tuple[bytes, list[bytes]]:
        world = load_world(config.world, config.target)
        worlds.append(world(check_parameters(config.world, world.Parameters, config.params)))
        return worlds[0].spec.model_dump_json(by_alias=True).encode(), []

    answer = attempt(start)
    try:
        send(pipe, answer)
        while worlds and not answer.last:
            command = Command(*receive(pipe))
            if not command.method:
                break
            answer = attempt(partial(execute, worlds[0], command))
            send(pipe, answer)
    except (EOFError, BrokenPipeError, ConnectionResetError):  # the server is gone
        if worlds:
            worlds[0].close()
        _end_group(config.scratch)
    if worlds and not answer.last:
        worlds[0].close()


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


def execute(world: World, command: Command) -> tuple[bytes, list[bytes]]:
    """Executes one command; returns its answer as JSON, and pictures."""
    if command.method == "step":
        return encode_turn(world.step(command.action))
    if command.method == "reset":
        return encode_turn(world.reset())
    if command.method == "validActions":
        return ActionsReply(actions=world.valid_actions()).model_dump_json(by_alias=True).encode(), []
    return TruthReply(truth=world.truth()).model_dump_json(by_alias=True).encode(), []


def attempt(work: Callable[[], tuple[bytes, list[bytes]]]) -> Answer:
    """Runs `work` and turns whatever it raises into a typed error."""
    try:
        return Answer(*work())
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
    return WorldError("disk", f"cannot write or read{where}: {error.strerror}; free space or mend the permissions")


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

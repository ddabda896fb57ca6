"""What runs in a session's own process: one world, asked through a pipe.

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

from labyrinth_envs.complaints import check_parameters, one_line
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
"""Signals that end a worker as the system has it; pygame, which minigrid imports, catches them and aborts instead."""

DISK = {errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS}
"""Errors that the user's disk can cause and the user can mend."""


class Answer(NamedTuple):
    """What a worker sends back: JSON and pictures, or an error. After a `last` answer the process ends."""

    ok: bytes = b""
    images: list[bytes] = []
    error: tuple[ErrorCode, str] | None = None
    last: bool = False


class Order(NamedTuple):
    """What a worker is asked: a method of the protocol, and the action of a step; no method: to leave."""

    method: str = ""
    action: str = ""


@dataclass(frozen=True)
class Errand:
    """Which world a worker is to open (`target` is `module:Class`), and where it may write."""

    world: str
    target: str
    params: dict[str, object]
    scratch: str
    environment: dict[str, str]


def send(pipe: Connection, message: Answer | Order) -> None:
    """Sends a message as plain values: a pickle that names its class costs several times as much, each step."""
    pipe.send_bytes(pickle.dumps(tuple(message)))


def receive(pipe: Connection) -> Any:
    """Waits for the values of a message.

    Raises:
        EOFError, OSError: nobody is left at the other end.
    """
    return pickle.loads(pipe.recv_bytes())


def main(pipe: Connection, errand: Errand) -> None:
    """Opens a world, answers orders until there are no more, and leaves."""
    _settle(errand.scratch, errand.environment)
    worlds: list[World] = []

    def start() -> tuple[bytes, list[bytes]]:
        world = load_world(errand.world, errand.target)
        worlds.append(world(check_parameters(errand.world, world.Parameters, errand.params)))
        return worlds[0].spec.model_dump_json(by_alias=True).encode(), []

    answer = attempt(start)
    try:
        send(pipe, answer)
        while worlds and not answer.last:
            order = Order(*receive(pipe))
            if not order.method:
                break
            answer = attempt(partial(carry_out, worlds[0], order))
            send(pipe, answer)
    except (EOFError, BrokenPipeError, ConnectionResetError):  # the server is gone
        if worlds:
            worlds[0].close()
        _vanish(errand.scratch)
    if worlds and not answer.last:
        worlds[0].close()


def catalogue(worlds: dict[str, str]) -> ListReply:
    """All worlds with their parameters; one that cannot be imported says so instead."""
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


def tell_catalogue(pipe: Connection, worlds: dict[str, str]) -> None:
    """Sends the catalogue as JSON: in a process of its own, so that the server need not import the worlds."""
    os.dup2(2, 1)
    pipe.send(catalogue(worlds).model_dump_json(by_alias=True).encode())


def carry_out(world: World, order: Order) -> tuple[bytes, list[bytes]]:
    """One order of a session; its answer as JSON, and pictures."""
    if order.method == "step":
        return encode_turn(world.step(order.action))
    if order.method == "reset":
        return encode_turn(world.reset())
    if order.method == "validActions":
        return ActionsReply(actions=world.valid_actions()).model_dump_json(by_alias=True).encode(), []
    return TruthReply(truth=world.truth()).model_dump_json(by_alias=True).encode(), []


def attempt(work: Callable[[], tuple[bytes, list[bytes]]]) -> Answer:
    """Runs `work`; whatever it raises becomes a typed error."""
    try:
        return Answer(*work())
    except WorldError as error:
        return Answer(error=(error.code, error.message))
    except BaseException as error:
        disk = disk_error(error)
        if disk:
            return Answer(error=("disk", disk.message))
        traceback.print_exc()
        what = one_line(f"{type(error).__name__}: {error}", 300)
        message = f"the world failed ({what}) and its session has ended; open a new one, and see the server's log"
        return Answer(error=("internal", message), last=True)


def disk_error(error: BaseException) -> WorldError | None:
    """The error as `disk`, where it is one."""
    if not isinstance(error, OSError) or error.errno not in DISK:
        return None
    where = f' at "{error.filename}"' if error.filename else ""
    return WorldError("disk", f"cannot write or read{where}: {error.strerror}; free space or mend the permissions")


def preload() -> None:
    """Imports what worlds need, once, in the process that all workers are forked from."""
    for module in [*PRELOAD, *{target.partition(":")[0]: None for target in WORLDS.values()}]:
        try:
            __import__(module)
        except Exception as error:
            if not is_missing_package(error, "labyrinth_envs"):  # the worlds that need it say so when they are opened
                print(f"labyrinth: cannot preload {module}: {one_line(error)}", file=sys.stderr)


def _settle(scratch: str, environment: dict[str, str]) -> None:
    for deadly in DEADLY:
        signal.signal(deadly, signal.SIG_DFL)
    os.setsid()
    os.umask(0o077)
    os.chdir(scratch)
    os.environ.update(environment, TMPDIR=scratch)
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
    _let_go_of_forkserver()
    threading.Thread(target=_die_with_server, args=[scratch], daemon=True).start()


def guard(sentinel: int) -> int:
    """Starts a shell that kills this process group one second after the pipe `sentinel` has reached its end.

    Returns:
        The shell's process id. It belongs to the group itself, so that whoever kills the group ends it too.
    """
    command = ["sh", "-c", "read -r _; sleep 1; kill -9 0"]
    return os.posix_spawn("/bin/sh", command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, sentinel, 0)])


def _let_go_of_forkserver() -> None:
    """Closes what a worker inherits for starting processes of its own through the parent of all workers.

    That parent lives as long as anybody holds this descriptor. With the server alone holding it, it ends with the
    server, and its end is the kernel's signal to all workers, also to one that is stopped or stuck.
    """
    state = vars(forkserver._forkserver)
    held, state["_forkserver_alive_fd"] = state.get("_forkserver_alive_fd"), None
    if held is not None:
        os.close(held)


def _die_with_server(scratch: str) -> None:
    server = parent_process()
    if server is not None:
        wait([server.sentinel])
        _vanish(scratch)


def _vanish(scratch: str) -> None:
    """Ends this process and all that it started, and removes what they wrote."""
    shutil.rmtree(scratch, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)

"""The fork server from which workers are started, their scratch folders, and how their ends and failures are told."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
from multiprocessing import forkserver
from pathlib import Path

from labyrinth_envs import worker
from labyrinth_envs.limits import CPU_SECONDS, MEMORY_MB
from labyrinth_envs.worker_loop import disk_error
from labyrinth_envs.world import ErrorCode

SCRATCH = "labyrinth-session-"
"""Prefix of scratch folders; the server's process id and a random part follow."""

fork = multiprocessing.get_context("forkserver")
fork.set_forkserver_preload(["labyrinth_envs.preload"])


def worker_environment(
    games: tuple[Path, ...] | None, memory_mb: int = MEMORY_MB, cpu_seconds: int = CPU_SECONDS
) -> dict[str, str]:
    """The environment variables of a worker; `games` are the folders of clients' game files, any where it is None."""
    home = os.getcwd()
    cache = os.path.join(home, os.environ.get("LABYRINTH_CACHE", ".lab/games"))
    variables = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    if games is not None:
        variables["LABYRINTH_GAMES"] = json.dumps([str(folder.resolve()) for folder in games])
    variables |= {"LABYRINTH_MEMORY_MB": str(memory_mb), "LABYRINTH_CPU_SECONDS": str(cpu_seconds)}
    return {"LABYRINTH_HOME": home, "LABYRINTH_CACHE": cache, **variables}


def warm_up() -> None:
    """Starts the fork server, which imports the worlds' packages before the first session is opened."""
    if sys.platform == "darwin":  # macOS ends a fork of a process that has loaded its frameworks, as pygame does
        os.environ.setdefault("OBJC_DISABLE_INITIALIZE_FORK_SAFETY", "YES")
    forkserver.ensure_running()
    remove_stale_scratch()


def remove_stale_scratch() -> None:
    """Removes the scratch folders of servers that were killed before they could."""
    for folder in Path(tempfile.gettempdir()).glob(f"{SCRATCH}*"):
        pid = folder.name.removeprefix(SCRATCH).partition("-")[0]
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            shutil.rmtree(folder, ignore_errors=True)
        except (ValueError, OSError):  # not one of ours, or another user's
            pass


def stop_fork_server() -> None:
    """Kills the fork server, even while it is importing; to be called when no session is left."""
    pid = vars(forkserver._forkserver).get("_forkserver_pid")
    if pid is not None:
        os.kill(pid, signal.SIGKILL)


def read_catalogue(worlds: dict[str, str], timeout: float) -> bytes:
    """Reads the reply to `list`, as JSON, in a process of its own.

    Raises:
        TimeoutError: the worlds took longer than `timeout` seconds to import.
        EOFError: the process died.
    """
    near, far = fork.Pipe(duplex=False)
    process = fork.Process(target=worker.send_catalogue, args=(far, worlds), name="labyrinth catalogue")
    process.start()
    far.close()
    try:
        if not near.poll(timeout):
            raise TimeoutError(f"the worlds gave no catalogue within {timeout:g} s")
        catalogue: bytes = near.recv()
        return catalogue
    finally:
        near.close()
        process.kill()
        process.join()


def describe_exit(code: int | None) -> str:
    """`was killed by signal 11 (SIGSEGV)`, `exited with status 3`."""
    if code is None or code >= 0:
        return f"exited with status {code}"
    if code == -signal.SIGXCPU:
        return "has used up its processor time (--cpu-seconds) and was killed"
    try:
        return f"was killed by signal {-code} ({signal.Signals(-code).name})"
    except ValueError:
        return f"was killed by signal {-code}"


def launch_error(error: BaseException) -> tuple[ErrorCode, str]:
    """The error reply for a worker that could not be started."""
    refusal = disk_error(error)
    if refusal is not None:
        return refusal.code, refusal.message
    return (
        "internal",
        f"cannot get an answer from a new process ({type(error).__name__}: {error}); see the server's log",
    )

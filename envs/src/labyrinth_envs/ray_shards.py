"""Plays the shards of a study as tasks of a Ray cluster: `python -m labyrinth_envs.ray_shards --shards N …`.

Each task runs the command with `--shard k/N` and a store of its own on the node that Ray chooses. The checkout and the
folder of the stores have the same paths on every node. A shard whose node dies is started again on another one
and goes on from its store.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import signal
import subprocess
import sys

os.environ.setdefault("RAY_DEDUP_LOGS", "0")  # lines of several shards differ in little, and each tells of its own

import ray  # noqa: E402

PR_SET_PDEATHSIG = 1
"""The option of `prctl` by which Linux kills a process when its parent ends."""


def die_with_parent() -> None:
    """Let the system kill this process when its task is killed with the node: it would hold the lock of its store."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def play(command: list[str], name: str) -> int:
    """Run a command on a node and return its exit status; what it says of its progress goes to the driver.

    Args:
        command: the program and its arguments.
        name: what its lines begin with, such as `shard 1/4`.
    """
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=die_with_parent,
    )
    assert process.stderr is not None
    try:
        for line in process.stderr:
            print(f"{name}: {line.rstrip()}", flush=True)
        return process.wait()
    finally:
        process.kill()


def play_shards(command: list[str], shards: int, stores: str) -> list[int]:
    """Play every shard of a command on the cluster that is connected, and return their exit statuses in order.

    A shard takes one processor of its node; one whose node died is started again, three times at most.

    Args:
        command: the command of the whole study.
        shards: the number of shards, ≥ 1.
        stores: the folder of their stores, which every node reaches.
    """
    task = ray.remote(num_cpus=1, max_retries=3)(play)
    runs = []
    for k in range(1, shards + 1):
        store = os.path.join(stores, f"shard-{k}-of-{shards}.sqlite")
        runs.append(task.remote([*command, "--shard", f"{k}/{shards}", "--store", store], f"shard {k}/{shards}"))
    statuses: list[int] = ray.get(runs)
    return statuses


def main(arguments: list[str]) -> int:
    """Connect to the cluster, play the shards, and return the highest of their exit statuses."""
    parser = argparse.ArgumentParser(prog="ray_shards")
    parser.add_argument("--address", default="local")
    parser.add_argument("--shards", type=int, required=True)
    parser.add_argument("--stores", required=True)
    parser.add_argument("command", nargs="+")
    told = parser.parse_args(arguments)
    try:
        ray.init(address=told.address, log_to_driver=True)
        return max(play_shards(told.command, told.shards, told.stores))
    except Exception as error:  # of Ray, which has no class of its own for a cluster that does not start
        lines = str(error).strip().splitlines() or [type(error).__name__]
        print(f"ray_shards: {lines[0]}", file=sys.stderr)
        return 70
    finally:
        ray.shutdown()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

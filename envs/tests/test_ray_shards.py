"""Shards on a cluster of several nodes on this machine, one of which is killed."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

STUDY = """
import os, sys, time
shard, store = sys.argv[sys.argv.index("--shard") + 1], sys.argv[sys.argv.index("--store") + 1]
done = len(open(store).readlines()) if os.path.exists(store) else 0
open(store + ".runs", "a").write(f"{os.getpid()}\\n")
for step in range(done, 8):
    while step == 4 and not os.path.exists(os.path.join(os.path.dirname(store), "killed")):
        time.sleep(0.1)
    open(store, "a").write(f"{shard} {step}\\n")
    print("step", step, file=sys.stderr, flush=True)
"""
"""Plays eight steps into its store, after those that are there, as a study does; the last four when one is killed."""

DRIVER = """
import glob, json, os, subprocess, sys, threading, time
import ray
from ray.cluster_utils import Cluster
from labyrinth_envs.ray_shards import play_shards

study, folder = sys.argv[1:]
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
nodes = [cluster.add_node(num_cpus=1) for _ in range(3)]
ray.init(address=cluster.address)
cluster.wait_for_nodes()

def kill_one():
    while not all(os.path.exists(f"{folder}/shard-{k}-of-3.sqlite") for k in (1, 2, 3)):
        time.sleep(0.1)
    cluster.remove_node(nodes[0], allow_graceful=False)
    players = [open(path).read().strip() for path in glob.glob(f"{folder}/*.runs")]
    while all(subprocess.getoutput(f"ps -o stat= -p {player}")[:1] not in ("", "Z") for player in players):
        time.sleep(0.1)
    open(f"{folder}/killed", "w").close()

threading.Thread(target=kill_one).start()
statuses = play_shards([sys.executable, "-c", study], 3, folder)
ray.shutdown()
cluster.shutdown()
print(json.dumps(statuses))
"""


@pytest.mark.skipif(
    importlib.util.find_spec("ray") is None, reason="only ./lab study --ray needs it: uv run --group ray"
)
def test_a_shard_whose_node_is_killed_goes_on_elsewhere(tmp_path: Path) -> None:
    driver = [
        sys.executable,
        "-c",
        DRIVER,
        STUDY,
        str(tmp_path),
    ]  # a process of its own: Ray leaves threads and warnings behind
    ended = subprocess.run(driver, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert json.loads(ended.stdout.splitlines()[-1]) == [0, 0, 0]
    runs = [len((tmp_path / f"shard-{k}-of-3.sqlite.runs").read_text().splitlines()) for k in (1, 2, 3)]
    assert sorted(runs) == [1, 1, 2], "one shard was started twice"
    for k in (1, 2, 3):
        assert (tmp_path / f"shard-{k}-of-3.sqlite").read_text().splitlines() == [f"{k}/3 {step}" for step in range(8)]

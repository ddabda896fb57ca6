"""A Ray cluster of a head without processors and two nodes on this machine, for `ray_test.ts`.

Says where it is in one line of JSON; kills a node for the first line of standard input, and ends with it.
"""

import json
import os
import sys

# A busy machine starts the processes of a node slowly.
os.environ |= {"RAY_raylet_start_wait_time_s": "300", "RAY_agent_register_timeout_ms": "300000"}

from ray.cluster_utils import Cluster  # noqa: E402

STORE = 80 * 1024 * 1024
"""Bytes of a node's object store, about the least that Ray takes."""

said, sys.stdout = sys.stdout, sys.stderr  # Ray prints, too
cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "object_store_memory": STORE})
nodes = [cluster.add_node(num_cpus=2, object_store_memory=STORE) for _ in range(2)]
print(json.dumps({"ready": True, "endpoint": cluster.address, "pid": os.getpid()}), file=said, flush=True)
if sys.stdin.readline():
    cluster.remove_node(nodes[0], allow_graceful=False)
    sys.stdin.read()
cluster.shutdown()

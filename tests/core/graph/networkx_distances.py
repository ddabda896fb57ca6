"""Graph edit distances by networkx (needs scipy): JSON [{"a", "b", "costs"}, ...] on standard input, JSON [number, ...] on standard output.

Rooms and objects may not stand for each other; every other substitution has its price. A case with a "timeout" in seconds gets
{"distance", "seconds"}: the best found until then, or null.
"""

import json
import sys
import time

import networkx as nx
import scipy.optimize  # noqa: F401  networkx needs it, and says so only in the middle of its work

FORBIDDEN = 10_000.0  # more than any script of these small graphs costs


def graph_of(value):
    graph = nx.Graph()
    for node in value["nodes"]:
        graph.add_node(node["id"], kind=node["kind"], label=node["label"])
    for edge in value["edges"]:
        graph.add_edge(edge["a"], edge["b"], label=edge["label"])
    return graph


def distance(case):
    costs = case["costs"]

    def change_node(one, other):
        if one["kind"] != other["kind"]:
            return FORBIDDEN
        return 0 if one["label"] == other["label"] else costs["relabelNode"]

    started = time.monotonic()
    found = nx.graph_edit_distance(
        graph_of(case["a"]),
        graph_of(case["b"]),
        node_subst_cost=change_node,
        node_del_cost=lambda _: costs["deleteNode"],
        node_ins_cost=lambda _: costs["insertNode"],
        edge_subst_cost=lambda one, other: 0 if one["label"] == other["label"] else costs["relabelEdge"],
        edge_del_cost=lambda _: costs["deleteEdge"],
        edge_ins_cost=lambda _: costs["insertEdge"],
        timeout=case.get("timeout"),
    )
    return {"distance": found, "seconds": time.monotonic() - started} if "timeout" in case else found


json.dump([distance(case) for case in json.load(sys.stdin)], sys.stdout)

import assert from "node:assert/strict";
import {
  labelPropagation,
  pluralityLabel,
  type WeightedNeighbours,
} from "../../../lib/core/graph/label-propagation.ts";

/** The graph of edges written `ab`, all of weight 1; nodes in alphabetical order. */
function graphOf(...edges: string[]): WeightedNeighbours {
  const nodes = [...new Set(edges.join(""))].sort();
  const around = (node: string): string[] =>
    edges.filter((edge) => edge.includes(node)).map((edge) => edge.replace(node, ""));
  return new Map(
    nodes.map((
      node,
    ) => [
      node,
      new Map(
        around(node).map((other) => [other, around(node).filter((one) => one === other).length]),
      ),
    ]),
  );
}

Deno.test("labelPropagation() by hand: two triangles that one edge joins are two communities", () => {
  // a 0→2→3, b 1→2→3, c 2→3→3; d 3→5, e 4→5, f stays 5
  assert.deepEqual(
    [...labelPropagation(graphOf("ab", "bc", "ca", "cd", "de", "ef", "fd"))].join(" "),
    "a,3 b,3 c,3 d,5 e,5 f,5",
  );
});

Deno.test("labelPropagation() keeps a node without neighbours by itself, and parts never share a label", () => {
  const graph = new Map([...graphOf("ab", "cd"), ["e", new Map()]]);
  assert.deepEqual([...labelPropagation(graph)].join(" "), "a,1 b,1 c,3 d,3 e,4");
});

Deno.test("labelPropagation() follows the heavier edge", () => {
  assert.equal(labelPropagation(graphOf("ab", "ab", "bc", "cd", "cd")).get("b"), 1);
  assert.equal(labelPropagation(graphOf("ab", "bc", "bc", "cd", "cd")).get("b"), 3);
});

Deno.test("pluralityLabel() counts by weight, gives ties to the largest label, and knows none where no neighbour has one", () => {
  const labels = new Map([["a", 0], ["b", 0], ["c", 7], ["d", 9]]);
  assert.equal(pluralityLabel(new Map([["a", 1], ["b", 1], ["c", 1]]), labels), 0);
  assert.equal(pluralityLabel(new Map([["a", 1], ["b", 1], ["c", 3]]), labels), 7);
  assert.equal(pluralityLabel(new Map([["c", 1], ["d", 1]]), labels), 9);
  assert.equal(pluralityLabel(new Map([["z", 1]]), labels), undefined);
});

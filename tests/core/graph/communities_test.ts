import assert from "node:assert/strict";
import { nestedCommunities } from "../../../lib/core/graph/communities.ts";

/** The graph of edges such as `ab`, each with its weight. */
function graphOf(edges: Readonly<Record<string, number>>): Map<string, Map<string, number>> {
  const graph = new Map<string, Map<string, number>>();
  for (
    const [[a = "", b = ""], weight] of Object.entries(edges).map(([ends, weight]) =>
      [ends, weight] as const
    )
  ) {
    for (const [one, other] of [[a, b], [b, a]] as const) {
      graph.set(one, (graph.get(one) ?? new Map()).set(other, weight));
    }
  }
  return graph;
}

function shown(edges: Readonly<Record<string, number>>): string[] {
  return nestedCommunities(graphOf(edges), 10).map(({ level, members }) =>
    `${level} ${members.join("")}`
  );
}

// Modularity by hand. Two triangles and the bridge cd, 7 edges: 2·(3/7 − (7/14)²) = 0.357, as one
// community 0.
Deno.test("nestedCommunities() parts two triangles that one edge joins", () => {
  assert.deepEqual(shown({ ab: 1, bc: 1, ca: 1, de: 1, ef: 1, fd: 1, cd: 1 }), ["0 abc", "0 def"]);
});

// The square ab, bc, cd, da is parted by its heavy edges: of 22 in all, {ab}{cd} has 20/22 −
// 2·(22/44)² = 0.409.
Deno.test("nestedCommunities() goes by the weights of edges", () => {
  assert.deepEqual(shown({ ab: 10, cd: 10, bc: 1, da: 1 }), ["0 ab", "0 cd"]);
  assert.deepEqual(shown({ ab: 1, cd: 1, bc: 10, da: 10 }), ["0 ad", "0 bc"]);
});

/** A ring of ten triangles 0 to 9, whose links have weight 1 and 0.5 by turns. */
function ring(): Map<string, Map<string, number>> {
  const graph = new Map<string, Map<string, number>>();
  const join = (a: string, b: string, weight: number): void => {
    for (const [one, other] of [[a, b], [b, a]] as const) {
      graph.set(one, (graph.get(one) ?? new Map()).set(other, weight));
    }
  };
  for (let at = 0; at < 10; at++) {
    for (const [a, b] of ["ab", "bc", "ca"]) join(`${a}${at}`, `${b}${at}`, 1);
  }
  for (let at = 0; at < 10; at++) join(`c${at}`, `a${(at + 1) % 10}`, at % 2 === 0 ? 1 : 0.5);
  return graph;
}

// The ring has a weight of 37.5. Its ten triangles have a modularity of 30/37.5 − 10·(7.5/75)² =
// 0.70, the five pairs that weight 1 links have 35/37.5 − 5·(15/75)² = 0.73. A pair by itself is
// the graph of the first test, and falls into its triangles.
Deno.test("nestedCommunities() divides communities above the size again, and those alone", () => {
  const named = (size: number): string[] =>
    nestedCommunities(ring(), size).map(({ level, members }) => `${level} ${members.join(" ")}`);
  const pairs = [0, 2, 4, 6, 8].map((at) =>
    `0 a${at} b${at} c${at} a${at + 1} b${at + 1} c${at + 1}`
  );
  assert.deepEqual(named(6), pairs);
  assert.deepEqual(named(5), [
    ...pairs,
    ...Array.from({ length: 10 }, (_, at) => `1 a${at} b${at} c${at}`),
  ]);
  assert.deepEqual(named(2), named(5), "a triangle is parted no further");
});

Deno.test("nestedCommunities() leaves out a vertex without an edge, and an empty graph has none", () => {
  assert.deepEqual(nestedCommunities(new Map([...graphOf({ ab: 1 }), ["z", new Map()]]), 10), [{
    level: 0,
    members: ["a", "b"],
  }]);
  assert.deepEqual(nestedCommunities(new Map(), 10), []);
});

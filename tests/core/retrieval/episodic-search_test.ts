import assert from "node:assert/strict";
import { parseTriplets } from "../../../lib/core/graph/mod.ts";
import {
  episodicRelevance,
  episodicSearch,
  HyperEdges,
} from "../../../lib/core/retrieval/episodic-search.ts";

const near = (actual: number, wanted: number): void =>
  assert(Math.abs(actual - wanted) < 1e-12, `${actual}, not ${wanted}`);

Deno.test("episodicRelevance() is Eq. 1, by hand", () => {
  near(episodicRelevance(3, 4), 0.75 * 1.3862943611198906); // ln 4
  near(episodicRelevance(1, 8), 0.125 * 2.0794415416798357); // ln 8
  assert.equal(episodicRelevance(1, 1), 0); // a lone triplet weighs nothing
  assert.equal(episodicRelevance(0, 0), 0); // nor does an observation without any
});

/**
 * Four observations: of 1, 2, 4 and 8 triplets; those of the smaller ones are in the larger ones
 * too.
 */
function edges(): HyperEdges {
  const all = parseTriplets(
    "a, r, 1; a, r, 2; a, r, 3; a, r, 4; a, r, 5; a, r, 6; a, r, 7; a, r, 8",
  );
  const hyper = new HyperEdges();
  for (const size of [1, 2, 4, 8]) hyper.add(all.slice(0, size));
  return hyper;
}

Deno.test("relevances() may rank half of a large episode above all of a small one, by hand", () => {
  const recalled = parseTriplets("a, r, 1; a, r, 2; a, r, 3; a, r, 4; b, r, 9");
  // n/N = 1/1, 2/2, 4/4, 4/8; ln N = 0, 0.693, 1.386, 2.079
  const wanted = [0, 0.6931471805599453, 1.3862943611198906, 0.5 * 2.0794415416798357];
  edges().relevances(recalled).forEach((relevance, i) => near(relevance, wanted[i] ?? NaN));
  assert.deepEqual(episodicSearch(recalled, edges(), { k: 4 }), [2, 3, 1, 0]);
});

Deno.test("HyperEdges counts equal triplets of an episode once", () => {
  const hyper = new HyperEdges();
  hyper.add(parseTriplets("a, r, b").concat(parseTriplets("a, r, b; c, r, d")));
  near(hyper.relevances(parseTriplets("a, r, b"))[0] ?? NaN, 0.5 * Math.LN2);
});

Deno.test("episodicSearch() gives the k most relevant episodes that take part; ties go to the later", () => {
  const hyper = new HyperEdges();
  for (let i = 0; i < 4; i++) hyper.add(parseTriplets("a, r, b; c, r, d"));
  const recalled = parseTriplets("a, r, b");
  assert.deepEqual(episodicSearch(recalled, hyper, { k: 2 }), [3, 2]);
  assert.deepEqual(episodicSearch(recalled, hyper, { k: 2, among: (episode) => episode < 2 }), [
    1,
    0,
  ]);
  assert.deepEqual(episodicSearch(recalled, hyper, { k: 9 }), [3, 2, 1, 0]);
  assert.deepEqual(episodicSearch(recalled, hyper, { k: 0 }), []);
  assert.deepEqual(episodicSearch(recalled, new HyperEdges(), { k: 2 }), []);
});

Deno.test("episodicSearch() adds relevance and similarity, each over its maximum, when given both", () => {
  const recalled = parseTriplets("a, r, 1; a, r, 2; a, r, 3; a, r, 4");
  // relevance / 1.386 = 0, 0.5, 1, 0.75; similarity / 0.8 = 1, 0.75, 0, 0.5; sums 1, 1.25, 1, 1.25
  assert.deepEqual(episodicSearch(recalled, edges(), { k: 2, similarities: [0.8, 0.59, 0, 0.4] }), [
    3,
    1,
  ]);
  assert.deepEqual(episodicSearch(recalled, edges(), { k: 2, similarities: [0.8, 0.61, 0, 0.4] }), [
    1,
    3,
  ]);
  assert.deepEqual(episodicSearch([], edges(), { k: 1, similarities: [0.1, 0.3, 0.2, 0] }), [1]); // nothing recalled: no division by zero
});

import assert from "node:assert/strict";
import {
  groundByEmbedding,
  matchAction,
  swiftsageActions,
} from "../../../lib/core/agent/ground-action.ts";
import { shortenHistory, withShortAction } from "../../../lib/core/agent/text-history.ts";
Deno.test("matchAction() ignores case, spaces, quotes, stops at the end, articles and list marks, and nothing else", () => {
  const possible = ["look", "take the Key 1", "go to cabinet 1"];
  const same = [
    "`Take the  key 1`.",
    "take key 1;",
    "“Take a Key 1”!",
    "1. take the key 1",
    "- **take the key 1**",
    "[take the key 1]",
  ];
  for (const wanted of same) assert.equal(matchAction(wanted, possible), "take the Key 1", wanted);
  assert.equal(matchAction("Go to the cabinet 1.", possible), "go to cabinet 1");
  for (const other of ["take the key", "take the key 1 now", "the", "", "go to cabinet 10"]) {
    assert.equal(matchAction(other, possible), undefined, other);
  }
  assert.equal(
    matchAction("take map", ["take a map", "take the map"]),
    undefined,
    "it could be either",
  );
  assert.equal(matchAction("take the map", ["take a map", "take the map"]), "take the map");
});

Deno.test("groundByEmbedding() takes the greatest sum of cosines, whatever the vectors' lengths", async () => {
  const at: Readonly<Record<string, [number, number]>> = {
    p: [1, 0],
    q: [0, 3],
    r: [0, 1],
    east: [9, 0],
    north: [0, 1],
    "": [0, 0],
  };
  const embedder = {
    id: "plane",
    dimensions: 2,
    embed: (texts: readonly string[]) =>
      Promise.resolve(texts.map((text) => new Float32Array(at[text] ?? [0, 0]))),
  };
  assert.equal(await groundByEmbedding(["p", "q", "r"], ["", "east", "north"], embedder), "north"); // 2 against 1
  assert.equal(await groundByEmbedding(["p"], ["", "north", "east"], embedder), "east");
  assert.equal(await groundByEmbedding(["p"], [], embedder), undefined);
});

Deno.test("swiftsageActions() keeps what SwiftSage's evaluation keeps", () => {
  const possible = [
    "close door to kitchen",
    "open door to kitchen",
    "go to door to kitchen",
    "focus on kitchen",
    "focus on air",
    "focus on water",
    "focus on orange seed in soil",
    "focus on apple",
    "wait1",
    "look around",
  ];
  const kept = swiftsageActions(possible, {
    recent: ["look around", "pick up cup", "wait1", "open door to kitchen"],
    seen:
      "This room is called the kitchen. You see a substance called water, an orange, a seed, soil.",
  });
  assert.deepEqual(kept.slice(0, 3), [
    "focus on water",
    "focus on orange seed in soil",
    "look around",
  ]);
  assert.equal(kept.includes("open door to hallway"), true);
  assert.equal(kept.includes("open door to kitchen"), false); // taken just now
  assert.equal(kept.length, 3 + 9);
});

Deno.test("shortenHistory() drops from the longest example, then examples, then the oldest steps", () => {
  const count = (text: string): number => text.length;
  const examples = [["A", "a1", "a2"], ["B", "b1"]];
  const history = ["h1", "h2", "h3"];
  const at = (room: number): unknown => {
    const { examples: shown, history: steps } = shortenHistory(examples, history, { room, count });
    return [shown, steps];
  };
  assert.deepEqual(at(14), [["A\na1\na2", "B\nb1"], history]);
  assert.deepEqual(at(13), [["A\na2", "B\nb1"], history]);
  assert.deepEqual(at(8), [["A", "B"], history]);
  assert.deepEqual(at(7), [["B"], history]);
  assert.deepEqual(at(5), [[], ["h2", "h3"]]);
  assert.deepEqual(at(0), [[], ["h3"]]);
});

Deno.test("withShortAction() cuts an action above 500 characters, and no thought", () => {
  const long = `eat ${"x".repeat(996)}`;
  const cut = `eat ${"x".repeat(196)}… (800 more characters)`;
  assert.deepEqual(withShortAction({ action: long, observation: `You cannot ${long}.` }), {
    action: cut,
    observation: `You cannot ${cut}.`,
  });
  for (const action of [`think: ${long}`, "look"]) {
    assert.deepEqual(withShortAction({ action, observation: "OK." }), {
      action,
      observation: "OK.",
    });
  }
});

import assert from "node:assert/strict";
import { parseLog } from "../../../lib/apps/replay/log.ts";
import { readAttempt } from "../../../lib/apps/replay/steps.ts";
import { versionOf } from "../../../lib/apps/replay/versions.ts";
import { graphLog, HALL, KITCHEN, newestLog } from "./sample-log.ts";

const STEP = { observation: HALL, fresh: ["a, is, b"], graph: ["a, is, b"], action: "look" };

Deno.test("parseLog() numbers attempts and steps when heads repeat or lines of steps are missing", () => {
  const log = graphLog([STEP, STEP], [0, 0]).replaceAll(/^Step: \d\n/gm, "");
  const attempts = parseLog(`${log}\n${log}`, "run.txt");
  assert.deepEqual(
    attempts.map(({ number, steps }) => [number, steps.map((step) => step.number)]),
    [[1, [1, 2]], [2, [1, 2]]],
  );
});

Deno.test("parseLog() tells a macro's observations from those of steps", () => {
  const [attempt] = parseLog(
    newestLog([{ ...STEP, exits: { hall: ["east"], kitchen: [] }, frames: [KITCHEN, HALL] }, STEP]),
    "run.txt",
  );
  assert.equal(attempt?.steps.length, 2);
  const [step] = attempt?.steps ?? [];
  assert.deepEqual(
    step?.frames.map(({ text }) => text),
    [KITCHEN, HALL].map((text) => `${text}\n`),
  );
  assert.equal(step?.fields.get("Observation")?.text, `Game step #1\n${HALL}`);
  assert.deepEqual([...step?.exits ?? []].map(([place, { text }]) => [place, text]), [[
    "hall",
    "['east']",
  ], ["kitchen", "none"]]);
  assert.equal(attempt?.rewards?.text.trim(), "[0.0, 0.0]"); // the last of the lists
});

Deno.test("parseLog() reads line ends of either kind and gives lines of the file", () => {
  const log = graphLog([STEP], [0]);
  const lines = (text: string): unknown =>
    parseLog(text, "run.txt").map(({ line, steps }) => [line, steps.map((step) => step.line)]);
  assert.deepEqual(lines(log), [[1, [4]]]);
  assert.deepEqual(lines(log.replaceAll("\n", "\r\n")), [[1, [4]]]);
});

Deno.test("versionOf() tells a version by the fields of the attempt's first step", () => {
  const versions = (text: string): unknown[] => parseLog(text, "run.txt").map(versionOf);
  const graph = graphLog([STEP], [0]);
  const newest = newestLog([STEP]);
  assert.deepEqual(versions(graph), ["graph"]);
  assert.deepEqual(versions(newest), ["newest"]);
  assert.deepEqual(versions(newest.replace("Plan0:", "Actions that isn't tried: []\nPlan0:")), [
    "middle",
  ]);
  assert.deepEqual(versions(graph.replace("Plan0:", "Subjective perception: dark\nPlan0:")), [
    "oldest",
  ]);
  const dated = newest.replace("If explore: False\n", "").replace(
    "Associated triplets: []",
    "Associated triplets: ['Step 1: a, is, b']",
  );
  assert.deepEqual(versions(dated), ["dated"]);
  assert.deepEqual(versions(newest.replace("If explore: False\n", "")), [undefined]);
});

Deno.test("readAttempt() reads rewards, but no list that a model rewrote", () => {
  const [graph] = parseLog(graphLog([STEP], [2]), "run.txt").map((attempt) =>
    readAttempt(attempt, "run.txt")
  );
  assert.deepEqual([graph?.steps[0]?.recalled, graph?.rewards], [undefined, [2]]);
  const [newest] = parseLog(newestLog([STEP]), "run.txt").map((attempt) =>
    readAttempt(attempt, "run.txt")
  );
  assert.deepEqual(newest?.steps[0]?.recalled, []);
});

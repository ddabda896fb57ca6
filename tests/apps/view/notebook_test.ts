import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { inflateSync } from "node:zlib";
import { KnowledgeGraph } from "../../../lib/core/graph/knowledge-graph.ts";
import { checkoutRoot, displaySymbol } from "../../../lib/core/platform.ts";
import { putEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { putTurn } from "../../../lib/lab/store/turns.ts";
import type { GraphView } from "../../../lib/apps/view/graph.ts";
import {
  type Displayed,
  episodeView,
  graphView,
  studyView,
} from "../../../lib/apps/view/notebook.ts";
import type { EpisodeView, StepView } from "../../../lib/apps/view/record.ts";
import { samplePlan, sampleTurn } from "../../lab/store/samples.ts";
import { withVariables } from "../../environment.ts";
import { fill, HOSTILE } from "./invented.ts";

const DONE = "a".repeat(16);

/** What an output hands over to its page under a name. */
function handedOver<T>(view: Displayed, name: string): T {
  const html = String(view[displaySymbol]()["text/html"]).replaceAll("&quot;", '"');
  const packed = html.match(new RegExp(`labyrinth\\("${name}", "([^"]+)"\\)`))?.[1] ??
    assert.fail(`nothing is handed over as ${name}`);
  return JSON.parse(inflateSync(Uint8Array.fromBase64(packed)).toString());
}

Deno.test("episodeView() holds the whole episode in a frame without rights", async () => {
  using store = openStore(":memory:");
  await fill(store);
  const view = await episodeView(store, DONE);
  const html = String(view[displaySymbol]()["text/html"]);
  assert.match(
    html,
    /^<iframe sandbox="allow-scripts" srcdoc="[^"]+" title="Labyrinth" style="[^"]+"><\/iframe>\n<small>[^<]+<\/small>$/,
  );
  assert.ok(!html.includes("<script>document.title")); // HOSTILE
  const steps = handedOver<Record<string, StepView>>(view, `step/${DONE}/0.0`);
  assert.equal(steps["0.1"]?.turn.observation, HOSTILE);
  assert.equal(steps["0.1"]?.calls[0]?.prompt.length, 2);
  await assert.rejects(episodeView(store, DONE, { step: '"</script>' }), { name: "UsageError" });
});

Deno.test("episodeView() leaves prompts and replies out where the output would be over a million characters", async () => {
  using store = openStore(":memory:");
  await fill(store);
  const noise = Array.from(
    { length: 30_000 },
    (_, at) => createHash("sha256").update(`${at}`).digest("base64"),
  ).join("\n");
  putTurn(store, sampleTurn({ episode: DONE, step: 3, observation: noise }));
  const view = await episodeView(store, DONE);
  const steps = handedOver<Record<string, StepView>>(view, `step/${DONE}/0.0`);
  assert.deepEqual(steps["0.1"]?.calls[0]?.prompt, []);
  assert.match(steps["0.1"]?.calls[0]?.reply ?? "", /left out/);
});

Deno.test("episodeView() holds no key, no path of this machine and no folder of a game", async () => {
  using store = openStore(":memory:");
  await fill(store);
  const id = "c".repeat(16);
  const worldParams = { path: "/srv/my games/hunt.z8", look: "/" };
  putEpisode(store, samplePlan({ id, study: "hunts@mine", chain: "3", worldParams }));
  using _key = withVariables({ VIEW_API_KEY: "sk-0123456789" });
  const observation = `no / in /srv/my games/hunt.json, ${checkoutRoot()}data, sk-0123456789`;
  putTurn(store, sampleTurn({ episode: id, step: 12, observation }));
  const view = await episodeView(store, id);
  const { episode } = handedOver<EpisodeView>(view, `episode/${id}`);
  assert.deepEqual(episode.worldParams, { path: "hunt.z8", look: "/" });
  assert.equal(
    handedOver<Record<string, StepView>>(view, `step/${id}/0.10`)["0.12"]?.turn.observation,
    "no / in hunt.json, (the path of this checkout)/data, (the value of VIEW_API_KEY)",
  );
});

Deno.test("graphView() keeps the times at which a knowledge graph changed", async () => {
  const graph = new KnowledgeGraph();
  const triplet = { subject: "key", relation: "is in", object: "locker" };
  graph.add(triplet, 1);
  graph.remove(triplet, 4);
  const view = await graphView(graph);
  assert.deepEqual(handedOver<GraphView>(view, "graph"), {
    triplets: [["key", "is in", "locker"]],
    inherited: [],
    changes: [{ pass: 0, step: 1, op: "add", triplet: 0 }, {
      pass: 0,
      step: 4,
      op: "remove",
      triplet: 0,
    }],
  });
});

Deno.test("studyView() fails as the run does that it watches", async () => {
  using store = openStore(":memory:");
  await fill(store);
  await assert.rejects(
    studyView(store, "hunts@mine", Promise.reject(new RangeError("no luck"))),
    /no luck/,
  );
});

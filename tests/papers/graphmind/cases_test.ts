import assert from "node:assert/strict";
import type { Triplet } from "../../../lib/core/graph/triplet.ts";
import { observationFigure } from "../../../lib/papers/graphmind/figures/observation.ts";
import { keySteps } from "../../../lib/papers/graphmind/panels.ts";
import { graphmindReport } from "../../../lib/papers/graphmind/report.ts";
import type { GridStep } from "../../../lib/papers/graphmind/trace.ts";
import { type Figure, svgToPdf, svgToPng, toSvg } from "../../../lib/report/figure.ts";
import { rowsOf } from "../../../lib/report/frame.ts";
import { putPicture } from "../../../lib/lab/store/artefacts.ts";
import { putCall } from "../../../lib/lab/store/calls.ts";
import { sha256 } from "../../../lib/core/text/canonical.ts";
import type { Store } from "../../../lib/lab/store/open.ts";
import { putReply, replyKey } from "../../../lib/lab/store/replies.ts";
import { knowledge, type SampleTrial, START, storeOf, STUDY, TRUTH } from "./store.ts";

/** The smallest PNG: one pixel. */
const PNG = Uint8Array.fromBase64("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");

function figureOf(store: Store, name: string): Figure | undefined {
  return graphmindReport(store, STUDY).figures.find(({ id }) => id === `graphmind-${name}-mute`);
}

/** Records what the extractor was asked at a step, with a picture. */
function recordView(store: Store, episode: string, { step, png }: { readonly step: number; readonly png: Uint8Array }): void {
  const role = "graphmind/extract";
  const content = [{ text: "Observation" }, { image: sha256(png) }];
  const request = { role, model: "mute", messages: [{ role: "system", content: "See." }, { role: "user", content }], step };
  const key = replyKey(request);
  putReply(store, { key, request, reply: {}, endpoint: "", codeVersion: "", at: 0 });
  const tokens = { promptTokens: 1, cachedTokens: 0, completionTokens: 1, reasoningTokens: 0, dollars: null };
  putCall(store, { episode, pass: 0, step, role, model: "mute", key, kind: "paid", ...tokens, latencyMs: 0, at: 0 });
  putPicture(store, png);
}

Deno.test("Figure 7 shows the picture that the model was shown, and says so where there was none", async () => {
  using store = storeOf([{ id: "a", condition: "kg", image: true, triplets: knowledge() }]);
  assert.match(figureOf(store, "fig7")?.caption ?? "", /Left: drawn from the text, since the model was shown no picture/);
  recordView(store, "a", { step: 1, png: PNG }); // the view after step 0, which has as much in it as any
  const figure = figureOf(store, "fig7") ?? assert.fail();
  assert.match(figure.caption, /after step 0 of trial a, .*Left: the picture that the model was shown; right/);
  const svg = await toSvg(figure);
  assert.ok(svg.includes(`data:image/png;base64,${PNG.toBase64()}`));
  assert.ok(svgToPng(svg).length > 0 && (await svgToPdf(svg)).length > 0);
});

Deno.test("observationFigure() draws each cell of a view from its text", () => {
  const { frame } = observationFigure("Wall; Red_Locked_Door\nBlue_Ball; Agent", { id: "o", title: "O", subtitle: "", caption: "n = 1." });
  const rows = rowsOf<{ x: number; y: number; look: string; words: string }>(frame).map(({ x, y, look, words }) => [x, y, look, words]);
  assert.deepEqual(rows, [[0, 0, "wall", "Wall"], [1, 0, "lock", "Red\nLocked\nDoor"], [0, 1, "thing", "Blue\nBall"], [
    1,
    1,
    "agent",
    "Agent",
  ]]);
});

Deno.test("Figure 3 shows the directions of entities and the distances between them", () => {
  const triplets: Triplet[] = [
    ...knowledge(),
    { subject: "red key (room 2)", relation: "is_located_to north-east", object: "room 2" },
    { subject: "red key (room 2)", relation: "are_apart 3", object: "purple locked door (room 2)" },
  ];
  using store = storeOf([{ id: "a", condition: "kg", earlier: knowledge().slice(0, 1), triplets }]);
  const texts = rowsOf<{ name: string; text: string }>(figureOf(store, "fig3-after")?.frame ?? assert.fail());
  const room = (texts.find(({ name }) => name === "room 2")?.text ?? "").replaceAll("\n", " ");
  assert.match(room, /red key \(north-east\)/);
  assert.match(room, /red key – purple locked door: 3 apart/);
});

Deno.test("figures of trajectories take trials from several layouts", () => {
  const layouts = ["2x2-d1-0", "2x2-d3-0", "2x2-d1-1"];
  using store = storeOf(layouts.flatMap((layout, index): SampleTrial[] => [
    { id: `kg-${index}`, condition: "kg", layout, triplets: knowledge() },
    { id: `sm-${index}`, condition: "sm", layout, success: false },
  ]));
  const shown = ["fig1", "fig4", "fig10", "fig11"].map((name) => figureOf(store, name)?.caption.match(/layout (\S+),/)?.[1]);
  assert.equal(new Set(shown).size, 3, shown.join(", "));
  assert.notEqual(shown[2], shown[3]);
});

Deno.test("distances of graphs are shown for each condition apart, and success by distance for each mission too", async () => {
  const graph = { triplets: knowledge() };
  using store = storeOf([
    { id: "a", condition: "kg", ...graph },
    { id: "b", condition: "kg-static", success: false, ...graph },
    { id: "c", condition: "kg-llm-actor", success: false, ...graph },
    { id: "d", condition: "kg", mission: "open-door", success: false, ...graph },
  ]);
  const panels = rowsOf<{ panel: string }>(figureOf(store, "fig5")?.frame ?? assert.fail()).map(({ panel }) => panel);
  assert.deepEqual(panels, ["KG, 2x2", "KG, static, 2x2", "KG, LLM as actor, 2x2"]);
  const bars = rowsOf<{ mission: string; condition: string; label: string }>(figureOf(store, "success-ged")?.frame ?? assert.fail());
  const svg = await toSvg(figureOf(store, "success-ged") ?? assert.fail());
  for (const bin of ["0", "1–5", "6–10", "11–20", "&gt; 20"]) assert.ok(svg.includes(`>${bin}</text>`), `no place for ${bin}`);
  assert.deepEqual(bars.map(({ mission, condition, label }) => `${mission}, ${condition}: ${label}`).sort(), [
    "OpenDoor, KG: 0/1",
    "PutNextTo, KG, LLM as actor: 0/1",
    "PutNextTo, KG, static: 0/1",
    "PutNextTo, KG: 1/1",
  ]);
});

Deno.test("keySteps() shows what brought something new before walks to and fro", () => {
  const steps = Array.from({ length: 40 }, (_, step): GridStep => ({
    ...{ step, action: "", truth: step < 30 ? START : TRUTH, path: [], isTraced: true, details: {}, observation: "" },
    ...{ from: step % 2, to: (step + 1) % 2 },
    sections: step === 25
      ? { door_change: "The red door changed from locked to open." }
      : step === 20
      ? { inventory_change: "You picked up the red key." }
      : {},
  }));
  assert.deepEqual(keySteps(steps).shown.map(({ step }) => step), [0, 1, 2, 3, 4, 5, 6, 7, 20, 25, 30, 39]);
  assert.deepEqual(keySteps(steps.slice(0, 5)).shown, steps.slice(0, 5));
});

import assert from "node:assert/strict";
import { svgToPdf, svgToPng, toSvg } from "../../lib/report/figure.ts";
import { memoryGraphFigure } from "../../lib/report/figures/memory-graph.ts";
import { growthFrame } from "../../lib/papers/arigraph/figures/graph-growth.ts";
import { scoreFrame } from "../../lib/papers/arigraph/figures/score-steps.ts";
import { frameOf, rowsOf } from "../../lib/report/frame.ts";

const STEPS = frameOf(
  [
    { episode: "a", game: "textworld/hunt", condition: "arigraph", step: 0, normalised: 0, triplets: 0, updated: 0 },
    { episode: "a", game: "textworld/hunt", condition: "arigraph", step: 1, normalised: 0.5, triplets: 4, updated: 0 },
    { episode: "a", game: "textworld/hunt", condition: "arigraph", step: 2, normalised: 1, triplets: 6, updated: 2 },
    { episode: "b", game: "textworld/hunt", condition: "arigraph", step: 0, normalised: 0, triplets: 0, updated: 0 },
    { episode: "b", game: "textworld/hunt", condition: "arigraph", step: 1, normalised: 0, triplets: 2, updated: 1 },
  ],
  {
    episode: "text",
    game: "text",
    condition: "text",
    step: "integer",
    normalised: "number",
    triplets: "integer",
    updated: "integer",
  },
);

Deno.test("growthFrame() averages over the attempts still running", () => {
  assert.deepEqual(rowsOf(growthFrame(STEPS)), [
    { game: "Treasure Hunt", place: 0, step: 1, attempts: 2, triplets: 3, least: 2, most: 4, updateRate: 0.5 },
    { game: "Treasure Hunt", place: 0, step: 2, attempts: 1, triplets: 6, least: 6, most: 6, updateRate: 1 },
  ]);
});

Deno.test("scoreFrame() keeps the last score of an attempt that ended", () => {
  const last = rowsOf<Record<string, unknown>>(scoreFrame(STEPS)).at(-1);
  assert.deepEqual(last, {
    game: "Treasure Hunt",
    condition: "AriGraph",
    step: 2,
    attempts: 2,
    score: 0.5,
    worst: 0,
    best: 1,
  });
});

const FIGURE = memoryGraphFigure(
  [
    { subject: "kitchen", relation: "contains", object: "table" },
    { subject: "knife", relation: "is on", object: "table" },
  ],
  { id: "g", title: "A graph", backbone: "offline", places: ["kitchen"] },
);

Deno.test("toSvg() draws every entity and relation, and equal figures alike", async () => {
  const svg = await toSvg(FIGURE);
  for (const word of ["kitchen", "table", "knife", "contains", "is on", "offline"]) assert.ok(svg.includes(word), word);
  assert.equal(await toSvg(FIGURE), svg);
});

Deno.test("svgToPdf() embeds its font and gives equal bytes for equal figures", async () => {
  const svg = await toSvg(FIGURE);
  const pdf = await svgToPdf(svg);
  const text = new TextDecoder("latin1").decode(pdf);
  assert.ok(text.startsWith("%PDF-") && /\/FontFile2/.test(text), "no embedded TrueType font");
  assert.deepEqual(await svgToPdf(svg), pdf);
});

Deno.test("svgToPng() draws at twice the size", async () => {
  const svg = await toSvg(FIGURE);
  const png = svgToPng(svg);
  const width = new DataView(png.buffer, png.byteOffset).getUint32(16);
  assert.equal(width, 2 * Math.round(Number(svg.match(/width="([\d.]+)"/)?.[1])));
});

Deno.test("toSvg() throws what Vega-Lite only warns of", async () => {
  const spec = { ...FIGURE.spec, layer: [{ mark: "bar", encoding: { nowhere: { field: "x", type: "quantitative" } } }] };
  await assert.rejects(toSvg({ ...FIGURE, spec }), /specification is wrong/);
});

Deno.test("toSvg() gives equal figures equal ids whatever was drawn before or is drawn beside it", async () => {
  const frame = frameOf([{ x: 1, y: 2 }], { x: "integer", y: "number" });
  const axis = (field: string): object => ({ field, type: "quantitative", scale: { domain: [0, 1], clamp: false } });
  const mark = { type: "line", clip: true };
  const clipped = { id: "c", caption: "", frame, spec: { data: { name: "frame" }, mark, encoding: { x: axis("x"), y: axis("y") } } };
  const first = await toSvg(clipped);
  assert.match(first, /url\(#clip1\)/);
  assert.ok((await Promise.all([toSvg(clipped), toSvg(clipped)])).every((svg) => svg === first));
});

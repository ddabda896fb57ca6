import assert from "node:assert/strict";
import { svgToPdf, svgToPng, toSvg } from "../../lib/report/figure.ts";
import { memoryGraphFigure } from "../../lib/report/figures/memory-graph.ts";
import { frameOf, rowsOf } from "../../lib/report/frame.ts";

const FIGURE = memoryGraphFigure(
  [
    { subject: "kitchen", relation: "contains", object: "table" },
    { subject: "knife", relation: "is on", object: "table" },
  ],
  { id: "g", title: "A graph", backbone: "offline", places: ["kitchen"] },
);

Deno.test("toSvg() draws every entity and relation, and equal figures alike", async () => {
  const svg = await toSvg(FIGURE);
  for (const word of ["kitchen", "table", "knife", "contains", "is on", "stand-in"]) assert.ok(svg.includes(word), word);
  assert.equal(await toSvg(FIGURE), svg);
});

Deno.test("memoryGraphFigure() sets the names of crossing lines apart", () => {
  const rooms = ["a", "b", "c", "d"];
  const joined = rooms.flatMap((subject, i) =>
    rooms.slice(i + 1).map((object) => ({ subject, relation: `${subject} to ${object}`, object }))
  );
  const { frame } = memoryGraphFigure(joined, { id: "g", title: "A graph", backbone: "offline" });
  const lines = rowsOf<Record<"label" | "kind", string> & Record<"x" | "y" | "mx" | "my", number>>(frame);
  const [one, other] = ["a to c", "b to d"].map((name) => lines.find(({ label }) => label === name)); // they cross in the middle
  assert.ok(one && other);
  const across = Math.max(...lines.map(({ x }) => x)) - Math.min(...lines.map(({ x }) => x));
  assert.ok(Math.hypot(one.mx - other.mx, one.my - other.my) > 0.02 * across);
});

Deno.test("memoryGraphFigure() tells a relation of more than a dozen lines once", async () => {
  const draw = (keys: number) =>
    memoryGraphFigure(
      Array.from({ length: keys }, (_, i) => ({ subject: `key ${i}`, relation: "opens", object: "door" })),
      { id: "g", title: "A graph", backbone: "offline" },
    );
  assert.equal(draw(12).caption, "A graph: 12 triplets. Model: stand-in, n = 1.");
  assert.equal(draw(13).caption, "A graph: 13 triplets (lines without a name: opens). Model: stand-in, n = 1.");
  assert.equal((await toSvg(draw(13))).match(/>[^<]*opens/g)?.length, 1);
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

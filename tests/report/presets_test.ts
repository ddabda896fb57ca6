import assert from "node:assert/strict";
import { type Figure, figureOf, toSvg, toVegaLite } from "../../lib/report/figure.ts";
import { nominal, quantitative } from "../../lib/report/marks.ts";
import { brokenText, PRESETS, textWidth } from "../../lib/report/presets.ts";

const METHODS = ["a method with a long name", "another method with a long name", "a third one"];

/** Three panels of bars. */
function panels(width: number): Figure {
  return figureOf({
    id: "f",
    caption: "",
    title: "A title that is longer than a column of a page in two columns is wide",
    subtitle: "backbone: offline",
    rows: METHODS.flatMap((method) => ["A", "B", "C"].map((game) => ({ game, method, score: 0.5 }))),
    fields: [["text", "game", "method"], ["number", "score"]],
    facet: nominal("game", ["A", "B", "C"]),
    columns: 3,
    spec: {
      width,
      height: 100,
      mark: "bar",
      encoding: {
        x: nominal("method", METHODS, { axis: { labelFontSize: 14, labels: false } }),
        y: quantitative("score", "score"),
        color: nominal("method", METHODS),
      },
    },
  });
}

for (const [preset, { width }] of Object.entries(PRESETS) as [keyof typeof PRESETS, { width: number }][]) {
  Deno.test(`toSvg() fills the width of a ${preset}, whatever width the panels are stated with`, async () => {
    for (const stated of [60, 400]) {
      const drawn = Number((await toSvg(panels(stated), { preset })).match(/viewBox="0 0 ([\d.]+)/)?.[1]);
      assert.ok(drawn <= width && drawn > width - 6, `${drawn} of ${width}`);
    }
  });
}

Deno.test("letters have 7 to 9 pt in a column and on a page", async () => {
  for (const preset of ["column", "page"] as const) {
    const sizes = [...(await toSvg(panels(100), { preset })).matchAll(/font-size="([\d.]+)px"/g)].map(([, size]) => Number(size));
    assert.ok(sizes.length > 5 && sizes.every((size) => size >= 7 && size <= 9), `${sizes}`);
    const { config } = toVegaLite(panels(100), { preset }) as { config: { title: { fontSize: number } } };
    assert.ok(config.title.fontSize <= 9);
  }
});

Deno.test("textWidth() measures the font that is drawn, and brokenText() keeps to it", () => {
  assert.ok(Math.abs(textWidth("iiii", 10) - 4 * 2.78) < 0.1); // an i of DejaVu Sans is 569 of 2048 units wide
  assert.ok(textWidth("word", 10, "bold") > textWidth("word", 10));
  const lines = brokenText("one two three four five six", 40, 8);
  assert.ok(lines.length > 1 && lines.every((line) => textWidth(line, 8) <= 40));
});

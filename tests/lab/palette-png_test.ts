import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { loadModule } from "../../lib/core/platform.ts";
import { palettePng } from "../../lib/lab/palette-png.ts";

type Color = readonly [number, number, number];

Deno.test("palettePng() keeps up to 256 colours as they are", () => {
  const colors = Array.from({ length: 13 * 19 }, (_, i): Color => [i, 255 - i, i * 7 % 256]);
  assert.deepEqual(decoded(palettePng(pixelsOf(colors), 13, 19), 13, 19), colors);
});

Deno.test("palettePng() gives each of more colours a near one, rare ones too", () => {
  const greys = Array.from({ length: 40 * 49 }, (_, i): Color => [i % 256, i % 256, i % 251]);
  const oranges = Array.from({ length: 40 }, (_, i): Color => [255, 100 + i, i]);
  const colors = [...greys, ...oranges];
  const found = decoded(palettePng(pixelsOf(colors), 40, 50), 40, 50);
  const far = colors.filter((color, i) =>
    color.some((value, k) => Math.abs(value - (found[i]?.[k] ?? NaN)) > 24)
  );
  assert.deepEqual(far, []);
  assert.ok(new Set(found.map(String)).size <= 256);
});

function pixelsOf(colors: readonly Color[]): Uint8Array {
  return Uint8Array.from(colors.flatMap((color) => [...color, 255]));
}

/** The colours of a PNG, as another library reads them. */
function decoded(png: Uint8Array, width: number, height: number): Color[] {
  const { Resvg } = loadModule<typeof import("@resvg/resvg-js")>("@resvg/resvg-js");
  const href = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
  const size = `width="${width}" height="${height}"`;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} href="${href}"/></svg>`;
  const { pixels } = new Resvg(svg, { imageRendering: 1 }).render();
  return Array.from(
    { length: width * height },
    (_, i) => [pixels[4 * i] ?? 0, pixels[4 * i + 1] ?? 0, pixels[4 * i + 2] ?? 0] as const,
  );
}

/** Pictures of few colours as small PNG files (PNG specification, third edition, W3C 2025). */

import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";

/**
 * Opaque pixels (RGBA, row by row) as a PNG with a palette, a third of the size that a chart has in
 * full colour. Up to 256 colours stay as they are; of more, those close to a more frequent one
 * become it.
 */
export function palettePng(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const colors = new Uint32Array(pixels.slice().buffer);
  const counts = new Map<number, number>();
  for (const { color, from, to } of runs(colors)) {
    counts.set(color, (counts.get(color) ?? 0) + to - from);
  }
  const all = [...counts].sort(([a, n], [b, m]) => m - n || a - b).map(([color]) => color);
  const { palette, places } = paletteOf(all);
  const indices = new Uint8Array(colors.length);
  for (const { color, from, to } of runs(colors)) indices.fill(places.get(color) ?? 0, from, to);
  const rows = Buffer.alloc((width + 1) * height); // each row begins with its filter: 0, none
  for (let y = 0; y < height; y++) {
    rows.set(indices.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  }
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]); // 8 bits, indexed
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap(channels))),
    chunk("IDAT", deflateSync(rows, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Neighbouring pixels of one colour; most of a chart is white. */
function* runs(colors: Uint32Array): Generator<Record<"color" | "from" | "to", number>> {
  for (let from = 0, to = 1; to <= colors.length; to++) {
    const color = colors[from] ?? 0;
    if (color === colors[to]) continue;
    yield { color, from, to };
    from = to;
  }
}

/** Red, green and blue of a pixel that was read as a little-endian number. */
function channels(color: number): [number, number, number] {
  return [color & 255, color >> 8 & 255, color >> 16 & 255];
}

/** At most 256 colours of all, the most frequent first, and the place in it of each of all. */
function paletteOf(
  all: readonly number[],
): { palette: number[]; places: ReadonlyMap<number, number> } {
  const palette: number[] = [];
  const places = new Map<number, number>();
  for (let reach = 0; places.size < all.length; reach = reach * 1.2 || 4) {
    palette.length = 0;
    places.clear();
    for (const color of all) {
      let place = reach === 0 ? -1 : palette.findIndex((other) => distance(color, other) < reach);
      if (place < 0) place = palette.push(color) - 1;
      if (place > 255) break; // again, with colours that are further apart
      places.set(color, place);
    }
  }
  return { palette, places };
}

/** Euclidean distance of two colours, 0 to 442. */
function distance(one: number, other: number): number {
  const [[r, g, b], [s, h, c]] = [channels(one), channels(other)];
  return Math.hypot(r - s, g - h, b - c);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

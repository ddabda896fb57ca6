import assert from "node:assert/strict";
import { PALETTE, stylesOf } from "../../lib/report/styles.ts";

type Triple = readonly [number, number, number];

/** Machado, Oliveira and Fernandes (2009), severity 1: linear RGB as dichromats see it. */
const DEFICIENCIES: Readonly<Record<string, readonly Triple[]>> = {
  none: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

function times(matrix: readonly Triple[], [x, y, z]: Triple): Triple {
  return matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Triple;
}

/** CIELAB (D65) of `#rrggbb` as it is seen. */
function labOf(hex: string, seen: readonly Triple[]): Triple {
  const linear = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4) as unknown as Triple;
  const shown = times(seen, linear).map((c) => Math.min(1, Math.max(0, c))) as unknown as Triple;
  const xyz = times([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]], shown);
  const [x, y, z] = xyz.map((value, i) => value / ([0.95047, 1, 1.08883][i] ?? 1))
    .map((t) => t > 216 / 24389 ? Math.cbrt(t) : t * 841 / 108 + 4 / 29) as unknown as Triple;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** CIEDE2000 (Sharma, Wu and Dalal 2005). */
function distance([l1, a1, b1]: Triple, [l2, a2, b2]: Triple): number {
  const [rad, deg] = [(d: number): number => d * Math.PI / 180, (r: number): number => (r * 180 / Math.PI + 360) % 360];
  const grey = (c: number): number => Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7));
  const g = 1.5 - 0.5 * grey((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2);
  const [c1, c2] = [Math.hypot(g * a1, b1), Math.hypot(g * a2, b2)];
  const [h1, h2] = [deg(Math.atan2(b1, g * a1)), deg(Math.atan2(b2, g * a2))];
  const turn = c1 * c2 === 0 ? 0 : (h2 - h1 + 540) % 360 - 180;
  const [l, c, dh] = [(l1 + l2) / 2, (c1 + c2) / 2, 2 * Math.sqrt(c1 * c2) * Math.sin(rad(turn / 2))];
  const h = c1 * c2 === 0 ? h1 + h2 : (h1 + turn / 2 + 360) % 360;
  const t = 1 - 0.17 * Math.cos(rad(h - 30)) + 0.24 * Math.cos(rad(2 * h)) + 0.32 * Math.cos(rad(3 * h + 6)) -
    0.2 * Math.cos(rad(4 * h - 63));
  const [sl, sc, sh] = [1 + 0.015 * (l - 50) ** 2 / Math.sqrt(20 + (l - 50) ** 2), 1 + 0.045 * c, 1 + 0.015 * c * t];
  const rotation = -2 * grey(c) * Math.sin(rad(60 * Math.exp(-(((h - 275) / 25) ** 2))));
  const [x, y, z] = [(l2 - l1) / sl, (c2 - c1) / sc, dh / sh];
  return Math.sqrt(x * x + y * y + z * z + rotation * y * z);
}

Deno.test("the distance is that of the published test data", () => {
  // pairs 1, 7 and 25 of Sharma, Wu and Dalal
  for (
    const [a, b, wanted] of [
      [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
      [[50, 0, 0], [50, -1, 2], 2.3669],
      [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
    ] as const
  ) assert.ok(Math.abs(distance(a, b) - wanted) < 1e-4);
});

for (const [name, seen] of Object.entries(DEFICIENCIES)) {
  Deno.test(`no two of the twelve colours are closer than 15 with ${name === "none" ? "no deficiency" : name}`, () => {
    assert.equal(new Set(PALETTE).size, 12);
    const labs = PALETTE.map((hex) => labOf(hex, seen));
    const close = labs.flatMap((a, i) => labs.slice(0, i).flatMap((b, j) => distance(a, b) < 15 ? [`${PALETTE[i]} ${PALETTE[j]}`] : []));
    assert.deepEqual(close, []);
  });
}

Deno.test("stylesOf() gives a method the same colour beside whatever it stands, and its forms lighter tints and other dashes", () => {
  const [alone] = stylesOf(["RAG"]);
  const [, beside] = stylesOf(["AriGraph", "RAG", "a custom method"]);
  assert.equal(alone?.color, beside?.color);
  const [first, second, custom, other] = stylesOf(["Reflexion, trial 1", "Reflexion, trial 2", "mine", "yours"]);
  assert.deepEqual([first?.color, second?.color], ["#799129", "#a6b670"]);
  assert.notDeepEqual(first?.dash, second?.dash);
  assert.equal(new Set([first, custom, other].map((style) => style?.color)).size, 3);
});

Deno.test("stylesOf() knows a method by its id, too, and gives no two methods one colour", () => {
  const colors = (...names: string[]): string[] => stylesOf(names).map(({ color }) => color);
  assert.deepEqual(colors("arigraph", "full-history", "rag, k 5"), colors("AriGraph", "Full History", "RAG"));
  assert.deepEqual(colors("mine", "ariadne/full-history", "ariadne + random"), [
    colors("mine")[0],
    ...colors("Full History", "Random actions"),
  ]);
  assert.equal(new Set(colors("summary", "react", "mine", "arigraph", "wese")).size, 5);
});

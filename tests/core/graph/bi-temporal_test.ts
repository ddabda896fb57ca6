import assert from "node:assert/strict";
import { type BiTemporal, settleContradiction } from "../../../lib/core/graph/bi-temporal.ts";

/**
 * Settles a contradiction at step 9 and writes both as `validAt–invalidAt, createdAt–expiredAt`.
 */
function settled(fresh: BiTemporal, known: BiTemporal): string[] {
  settleContradiction(fresh, known, 9);
  return [fresh, known].map((one) =>
    `${one.validAt}–${one.invalidAt ?? ""}, ${one.createdAt}–${one.expiredAt ?? ""}`
  );
}

Deno.test("settleContradiction() by hand: of two facts that meet, the earlier ends where the later begins", () => {
  assert.deepEqual(settled({ validAt: 9, createdAt: 9 }, { validAt: 2, createdAt: 3 }), [
    "9–, 9–",
    "2–9, 3–9",
  ]);
  assert.deepEqual(settled({ validAt: 5, createdAt: 9 }, { validAt: 2, createdAt: 3 }), [
    "5–, 9–",
    "2–5, 3–9",
  ]);
  assert.deepEqual(settled({ validAt: 1, createdAt: 9 }, { validAt: 4, createdAt: 4 }), [
    "1–4, 9–9",
    "4–, 4–",
  ]); // old news
  assert.deepEqual(settled({ validAt: 4, createdAt: 9 }, { validAt: 4, createdAt: 4 }), [
    "4–, 9–",
    "4–4, 4–9",
  ]); // the new one is believed
  assert.deepEqual(
    settled({ validAt: 6, createdAt: 9 }, { validAt: 2, invalidAt: 8, createdAt: 2 }),
    ["6–, 9–", "2–6, 2–9"],
  );
});

Deno.test("settleContradiction() by hand: facts whose times do not meet stay", () => {
  assert.deepEqual(
    settled({ validAt: 9, createdAt: 9 }, { validAt: 2, invalidAt: 9, createdAt: 2, expiredAt: 9 }),
    ["9–, 9–", "2–9, 2–9"],
  );
  assert.deepEqual(
    settled({ validAt: 7, createdAt: 9 }, { validAt: 2, invalidAt: 5, createdAt: 2 }),
    ["7–, 9–", "2–5, 2–"],
  );
  assert.deepEqual(
    settled({ validAt: 1, invalidAt: 4, createdAt: 9 }, { validAt: 4, createdAt: 4 }),
    ["1–4, 9–", "4–, 4–"],
  );
});

Deno.test("settleContradiction() keeps the step at which a fact had expired already", () => {
  const known = { validAt: 2, invalidAt: 12, createdAt: 2, expiredAt: 5 };
  assert.deepEqual(settled({ validAt: 9, createdAt: 9 }, known)[1], "2–9, 2–5");
});

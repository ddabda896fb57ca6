import assert from "node:assert/strict";
import { nearestName } from "../../../lib/core/text/did-you-mean.ts";

const WORLDS = [
  "alfworld",
  "babyai",
  "dialogues/locomo",
  "textworld/cooking",
  "textworld/hunt",
  "textworld/hunt-hard",
];

/** Given name → the one that was meant. */
const NEAREST: Readonly<Record<string, string | undefined>> = {
  "textworld/hnt": "textworld/hunt",
  "textworld/hunt-hrd": "textworld/hunt-hard",
  "textwrld": "textworld/cooking", // the first of the family
  "textwrld/co": "textworld/cooking",
  "hunt": "textworld/hunt",
  "hnut": "textworld/hunt",
  "locomoo": "dialogues/locomo",
  "alfwrld": "alfworld",
  "AlfWorld": "alfworld",
  "baby": "babyai",
  "t": undefined,
  "nethack": undefined,
};

for (const [given, wanted] of Object.entries(NEAREST)) {
  Deno.test(`nearestName() of ${given} is ${wanted}`, () =>
    assert.equal(nearestName(given, WORLDS), wanted));
}

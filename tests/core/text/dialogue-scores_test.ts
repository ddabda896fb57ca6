import assert from "node:assert/strict";
import { containedScore, locomoScore } from "../../../lib/core/text/dialogue-scores.ts";

// Computed by hand with LoCoMo's rules: stems, no articles, no "and", no punctuation.
Deno.test("locomoScore() of a single-hop answer is the F1 of its stems", () => {
  assert.deepEqual(locomoScore("She painted a lake and mountains.", "painting lakes", 4), {
    em: 0,
    f1: 2 * (2 / 4) * 1 / (2 / 4 + 1),
  });
  assert.deepEqual(locomoScore("7 May 2023", "May 7, 2023", 2), { em: 1, f1: 1 });
  assert.deepEqual(locomoScore("in June", "7 May 2023", 2), { em: 0, f1: 0 });
  assert.deepEqual(locomoScore("", "", 4), { em: 1, f1: 0 }, "nothing in common is 0 there");
});

Deno.test("locomoScore() of a multi-hop answer is the mean over gold parts, whatever else is given", () => {
  assert.equal(locomoScore("hiking, the museum, swimming", "museum, hiking", 1).f1, 1);
  assert.equal(locomoScore("museum", "museum, hiking, camping", 1).f1, 1 / 3);
});

Deno.test("locomoScore() cuts an open-domain gold answer at its semicolon and wants a refusal of an adversarial question", () => {
  assert.equal(locomoScore("Likely no", "Likely no; since this one went badly", 3).f1, 1);
  assert.ok(locomoScore("Likely no", "Likely no; since this one went badly", 4).f1 < 1);
  assert.equal(locomoScore("Not mentioned in the conversation", "", 5).f1, 1);
  assert.equal(locomoScore("No information available", "", 5).f1, 1);
  assert.equal(locomoScore("a red car", "", 5).f1, 0);
});

Deno.test("containedScore() looks for a gold answer within the answer, not the other way round", () => {
  assert.equal(
    containedScore("It is the Kingdom of Ostrea, I think", ["kingdom of ostrea"]).contained,
    1,
  );
  assert.equal(containedScore("Ostrea", ["Kingdom of Ostrea"]).contained, 0);
  assert.deepEqual(containedScore("yes", ["no", "Yes."]), { em: 1, f1: 1, contained: 1 });
  assert.throws(() => containedScore("x", []), RangeError);
});

import assert from "node:assert/strict";
import { asSent, asShown, headersIn, textAfterStep } from "../../../lib/apps/replay/texts.ts";

Deno.test("asShown() and asSent() replace the words of cooking wherever they stand", () => {
  assert.equal(asShown("cook red onion with stove"), "fry red onion with stove");
  assert.equal(asShown("put cookbook on stove"), "put frybook on stove");
  assert.equal(asShown("cook egg with oven"), "roast egg with oven");
  assert.equal(asShown("cook egg with BBQ"), "grill egg with BBQ");
  assert.equal(asShown("examine cookbook"), "examine cookbook");
  assert.equal(asSent("put frybook on stove"), "put cookbook on stove");
  assert.equal(asSent("grill egg with BBQ"), "cook egg with BBQ");
});

Deno.test("textAfterStep() takes off the step's number in each of its forms, and no other's", () => {
  for (const head of ["Game step #7\n", "\nGame step #7\n", "Step: 7\n", ""]) {
    assert.equal(textAfterStep(`${head}\nYou win.`, 7), "\nYou win.");
  }
  assert.equal(textAfterStep("Step: 8\nYou win.", 7), "Step: 8\nYou win.");
});

Deno.test("headersIn() finds every room header in order", () => {
  assert.deepEqual(headersIn("-= Room A =-\nfoo\n> -= Kids Room =-0/1"), ["Room A", "Kids Room"]);
});

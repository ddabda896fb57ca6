import assert from "node:assert/strict";
import type { PartChoices } from "../../../lib/papers/study-options.ts";
import { PAPERS } from "../../../lib/papers/studies.ts";

const VALUES: PartChoices = { models: { "*": "offline" } };

function idsOf(values: Partial<PartChoices>): string[] {
  return (PAPERS["reasonplanner"]?.({ ...VALUES, ...values }) ?? []).map(({ study }) => study.id);
}

Deno.test("reproduce reasonplanner plays the tables; with --full the look-aheads as well; --only look-ahead those alone", () => {
  assert.deepEqual(idsOf({}), ["reasonplanner-quick@offline"]);
  assert.deepEqual(idsOf({ full: true }), ["reasonplanner-full@offline", "reasonplanner-look-ahead-full@offline"]);
  assert.deepEqual(idsOf({ only: ["look-ahead"] }), ["reasonplanner-look-ahead-quick@offline"]);
  assert.deepEqual(idsOf({ only: ["look-ahead", "queries-5", "boil"], full: true }), [
    "reasonplanner-look-ahead-full-boil-queries-5@offline",
  ]);
  assert.deepEqual(idsOf({ only: ["melt", "react"], attempts: 2 }), ["reasonplanner-quick-melt-react-x2@offline"]);
});

Deno.test("where no models are named, the stand-in plays, in WESE with a weaker one where the paper has a weak model", () => {
  const backbones = ["arigraph", "graphmind", "reasonplanner", "wese"].map((paper) =>
    [{}, { full: true }, { models: { "*": "offline" } }].map((values) => PAPERS[paper]?.(values)[0]?.study.id.split("@")[1])
  );
  const usual = ["offline", "offline", "offline"];
  assert.deepEqual(backbones, [usual, usual, usual, ["offline+offline-weak", "offline+offline-weak", "offline"]]);
  const weak = PAPERS["wese"]?.({ only: ["weak-models"] }).at(-1)?.study.id;
  assert.equal(weak, "wese-weak-quick-q100@offline");
});

Deno.test("the quick form writes into the paper's folder itself; what it cannot take is refused in one line", () => {
  const [part] = PAPERS["reasonplanner"]?.(VALUES) ?? [];
  assert.equal(part?.ordinary, "reasonplanner-quick");
  const forms = [{ only: ["look-ahead"] }, { full: true }].map((values) =>
    (PAPERS["reasonplanner"]?.({ ...VALUES, ...values }) ?? []).map(({ study, ordinary }) => study.id === `${ordinary}@offline`)
  );
  assert.deepEqual(forms, [[true], [false, false]]); // the full ones have folders of their own
  for (const values of [{ games: "folder" }, { only: ["chess"] }, { attempts: 0 }, { attempts: 4 }]) {
    assert.throws(() => idsOf(values), (error: Error) => /^[^\n]+$/.test(error.message));
  }
});

import assert from "node:assert/strict";
import type { PlannedEpisode } from "../../lib/lab/study.ts";
import {
  type PlannedClaim,
  plannedClaims,
  plannedClaimsText,
} from "../../lib/papers/claim-plan.ts";

function planned(
  paper: string,
  episodes: readonly PlannedEpisode[],
  models = { "*": "offline" } as Readonly<Record<string, string>>,
): PlannedClaim[] {
  return plannedClaims(`${paper}_claims`, {
    models,
    chains: episodes.map((episode, i) => ({ id: `${i}`, episodes: [episode] })),
  });
}

Deno.test("plannedClaims() counts games, not attempts, against those that the paper's spread asks for", () => {
  const episodes = [1, 2, 3].flatMap((attempt) =>
    ["arigraph", "rag"].flatMap((condition) =>
      [0, 1].map((layout): PlannedEpisode => ({
        ...{
          world: "textworld/hunt",
          params: { seed: layout },
          label: "textworld/hunt",
          method: "ariadne",
          memory: "rag",
        },
        ...{ condition, attempt, seed: attempt },
      }))
    )
  );
  const [claim, ...others] = planned("arigraph", episodes);
  // 1 and 0.33: √(0.33 · 0.67) = 0.4702; at 95 % ± 0.1 takes 88 games: 1.9876 · 0.4702 / √88 =
  // 0.0996, of 87: 0.1002
  assert.deepEqual([others.length, claim?.id, claim?.games, claim?.needed], [0, "A3", 2, 88]);
  assert.equal(claim?.neededAsPrinted, 6); // 0.67: 2.5706 · 0.4702 / √6 = 0.493, of four 0.748, of five 0.584
  assert.match(
    plannedClaimsText([claim as PlannedClaim])[1] ?? "",
    /^ +A3 {2}2 games, about 88 decide \(6 where the difference is the paper's\): In Treasure Hunt/,
  );
});

Deno.test("plannedClaims() says which claims one model cannot test, and which the paper's games do not decide", () => {
  const conditions = (names: readonly string[], label: string): PlannedEpisode[] =>
    names.map((condition) => ({
      ...{
        world: "scienceworld",
        params: { index: 0 },
        label,
        method: "random",
        condition,
        attempt: 1,
        seed: 1,
      },
    }));
  const wese = conditions(["act-wese", "act-sese"], "scienceworld/boil");
  const weak = (models: Readonly<Record<string, string>>): (string | undefined)[] =>
    planned("wese", wese, models).filter(({ id }) => id === "W7").map(({ untested }) => untested);
  assert.deepEqual(weak({ "*": "one" }), ["one has a weak and the strong role"]);
  assert.deepEqual(weak({ "*": "one", "wese/act": "two" }), [undefined]);
  const melt = planned("reasonplanner", conditions(["reasonplanner", "saycan"], "melt"));
  const text = plannedClaimsText(melt).join("\n");
  assert.match(text, /R4 {2}1 game, the 3 there are do not decide/);
  assert.match(text, /^claims {4}games enough to decide 0 of 2/);
  assert.deepEqual(plannedClaimsText([]), []);
});

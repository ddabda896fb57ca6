import assert from "node:assert/strict";
import { rolesOf } from "../../lib/lab/choices.ts";
import { bindingOf, modelIdOf, ROLE_MAPS } from "../../lib/core/llm/roles.ts";
import { STUDIES } from "../../lib/papers/studies.ts";
import { arigraphStudy } from "../../lib/papers/arigraph/textworld-study.ts";
import { reasonPlannerStudy } from "../../lib/papers/reasonplanner/study.ts";
import { weseStudy } from "../../lib/papers/wese/study.ts";
import { shortened, thinned } from "../../lib/papers/study-options.ts";
import type { Study } from "../../lib/lab/study.ts";

Deno.test("every study's id names the models that answer its roles, and no other, under each ready map", () => {
  for (const [id, create] of Object.entries(STUDIES)) {
    if (id.endsWith("-full")) continue; // the same conditions with more trials
    for (const map of Object.values(ROLE_MAPS)) {
      const study = create({ models: map });
      const roles = new Set(study.chains.flatMap(({ episodes }) => episodes.flatMap(rolesOf)));
      const answering = [
        ...new Set(Array.from(roles, (role) => modelIdOf(bindingOf(study.models, role)))),
      ].sort();
      assert.equal(study.id.slice(study.id.lastIndexOf("@") + 1), answering.join("+"), study.id);
    }
  }
});

Deno.test("paperStudy() binds offline-weak to every role; WESE alone has it where the paper has its weak model", () => {
  for (const [id, create] of Object.entries(STUDIES)) {
    const { models } = create({ models: ROLE_MAPS["offline-weak"] });
    assert.deepEqual(
      models,
      id.startsWith("wese-") ? ROLE_MAPS["offline-weak"] : { "*": "offline-weak" },
      id,
    );
  }
  assert.equal(weseStudy({ only: ["act"] }).id, "wese-quick-act@offline");
});

Deno.test("shortened() limits the steps of each method that takes any, in a study of its own", () => {
  const limitsOf = (study: Study): Set<string> =>
    new Set(
      study.chains.flatMap(({ episodes }) =>
        episodes.map(({ method, options }) =>
          `${
            typeof method === "string" ? method : method.id
          } ${options?.method?.maxSteps} ${options?.method?.explorationSteps}`
        )
      ),
    );
  const study = weseStudy({ only: ["cot", "act", "act-wese"] });
  const short = shortened(study, 3);
  assert.equal(short.id, "wese-quick-act-act-wese-cot-steps3@offline+offline-weak");
  assert.deepEqual(
    limitsOf(short),
    new Set(["act 3 undefined", "wese 3 3", "cot undefined undefined"]),
  );
  assert.ok(limitsOf(shortened(study, 20)).has("act 8 undefined"), "a shorter limit stays");
});

Deno.test("thinned() keeps so many episodes of each condition in each world, of the same games, and the chains that they wait for", () => {
  const kept = (study: Study): string[] =>
    study.chains.map(({ id, episodes }) => `${id} ${episodes.length}`);
  const wese = thinned(weseStudy({ only: ["hotpotqa", "fever", "act", "react-wese"] }), 2);
  assert.equal(wese.id, "wese-quick-act-fever-hotpotqa-react-wese-episodes2@offline+offline-weak");
  assert.deepEqual(wese.chains.map(({ id }) => id.split("/")[0]), [
    "hotpotqa",
    "hotpotqa",
    "fever",
    "fever",
  ], "spread over both sets");
  assert.deepEqual(
    new Set(wese.chains.map(({ id }) => id.split("|")[0])).size,
    2,
    "the same questions",
  );
  const trained = thinned(reasonPlannerStudy({ only: ["reasonplanner", "react"] }), 1);
  assert.deepEqual(kept(trained), ["training 1", "melt|react|1 1", "reasonplanner|1 1"]);
  assert.equal(trained.chains[0]?.gold, "world");
  const { chains } = arigraphStudy();
  assert.equal(thinned(arigraphStudy(), 1000).chains.length, chains.length);
});

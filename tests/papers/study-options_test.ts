import assert from "node:assert/strict";
import { rolesOf } from "../../lib/lab/choices.ts";
import { bindingOf, modelIdOf, ROLE_MAPS } from "../../lib/llm/roles.ts";
import { STUDIES } from "../../lib/papers/studies.ts";
import { weseStudy } from "../../lib/papers/wese/study.ts";

Deno.test("every study's id names the models that answer its roles, and no other, under each ready map", () => {
  for (const [id, { create }] of Object.entries(STUDIES)) {
    if (id.endsWith("-full")) continue; // the same conditions with more trials
    for (const map of Object.values(ROLE_MAPS)) {
      const study = create({ models: map });
      const roles = new Set(study.lanes.flatMap(({ episodes }) => episodes.flatMap(rolesOf)));
      const answering = [...new Set(Array.from(roles, (role) => modelIdOf(bindingOf(study.models, role))))].sort();
      assert.equal(study.id.slice(study.id.lastIndexOf("@") + 1), answering.join("+"), study.id);
    }
  }
});

Deno.test("paperStudy() binds offline-weak to every role; WESE alone has it where the paper has its weak model", () => {
  for (const [id, { create }] of Object.entries(STUDIES)) {
    const { models } = create({ models: ROLE_MAPS["offline-weak"] });
    assert.deepEqual(models, id.startsWith("wese-") ? ROLE_MAPS["offline-weak"] : { "*": "offline-weak" }, id);
  }
  assert.equal(weseStudy({ only: ["act"] }).id, "wese-quick-act@offline");
});

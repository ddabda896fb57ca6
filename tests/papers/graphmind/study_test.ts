import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { graphmindStudy } from "../../../lib/papers/graphmind/study.ts";
import { checkoutRoot } from "../../../lib/platform.ts";

Deno.test("graphmindStudy() in full has the paper's numbers of trials: 30 a mission, size and condition, 36 on large maps", () => {
  const { lanes } = graphmindStudy({ full: true, models: { "*": "gemini-2.5-flash" } });
  const cells = Map.groupBy(lanes, ({ id }) => {
    const [label = "", condition = ""] = id.split("|");
    return `${label.replace(/-d\d.*$/, "")} ${condition}`;
  });
  for (const condition of ["kg", "sm", "none", "random-dsl"]) {
    for (const mission of ["put-next-to", "open-door"]) {
      for (const rooms of ["2x2", "3x3"]) assert.equal(cells.get(`${mission}/${rooms} ${condition}`)?.length, 30);
    }
    for (const rooms of ["4x4", "7x7"]) {
      assert.equal(cells.get(`put-next-to/${rooms} ${condition}`)?.length, 36);
      assert.equal(cells.has(`open-door/${rooms} ${condition}`), false);
    }
  }
  for (const condition of ["kg-static", "kg-llm-actor", "kg-text"]) {
    assert.equal(cells.get(`put-next-to/3x3 ${condition}`)?.length, 30);
    assert.equal(cells.has(`open-door/3x3 ${condition}`) || cells.has(`put-next-to/4x4 ${condition}`), false);
  }
  assert.equal(cells.get("open-door/3x3 oracle")?.length, 10, "an oracle goes the same way every time");
});

Deno.test("graphmindStudy() names layouts that are there, truth for measuring, and gold for the oracle alone", () => {
  const study = graphmindStudy({ full: true });
  assert.equal(study.truth, true);
  for (const { id, gold, episodes: [episode] } of study.lanes) {
    const layout = String(episode?.params?.["layout"]);
    assert.ok(existsSync(join(checkoutRoot(), "envs", "src", "labyrinth_envs", "babyai", "layouts", `${layout}.json`)), layout);
    assert.equal(gold !== undefined, id.includes("|oracle|"), id);
  }
});

Deno.test("graphmindStudy() shows pictures to models that can see, and leaves Table 7's text alone where none can", () => {
  const pictures = (models?: Record<string, string>) =>
    new Map(
      graphmindStudy({ only: ["2x2-d1-0", "put-next-to"], ...(models ? { models } : {}) }).lanes
        .map(({ episodes: [episode] }) => [episode?.condition, episode?.params?.["image"]]),
    );
  assert.deepEqual([...new Set(pictures().values())], [false]);
  assert.equal(pictures().has("kg-text"), false);
  const seen = pictures({ "*": "gemini-2.5-flash" });
  assert.deepEqual([seen.get("kg"), seen.get("sm"), seen.get("kg-text"), seen.get("random-dsl")], [true, true, false, false]);
});

Deno.test("graphmindStudy() keeps what is named, and refuses names that it does not know or cells that the paper lacks", () => {
  const lanes = graphmindStudy({ only: ["3x3", "open-door", "kg", "sm"] }).lanes.map(({ id }) => id);
  assert.deepEqual(lanes, ["open-door/3x3-d1-0|kg|1", "open-door/3x3-d1-0|sm|1", "open-door/3x3-d3-0|kg|1", "open-door/3x3-d3-0|sm|1"]);
  assert.equal(graphmindStudy({ only: ["3x3-d1-4", "kg"], attempts: 2 }).id, "graphmind-quick-3x3-d1-4-kg-x2@offline");
  assert.throws(() => graphmindStudy({ only: ["elephant"] }), { name: "UsageError", message: /^--only elephant names no mission/ });
  assert.throws(() => graphmindStudy({ only: ["open-door", "kg-static"] }), { name: "UsageError", message: /no such cell/ });
  assert.throws(() => graphmindStudy({ only: ["kg-text"] }), {
    name: "UsageError",
    message: /^--only kg-text .* text alone, as which kg is/,
  });
  assert.ok(graphmindStudy({ only: ["kg-text"], images: true }).lanes.length > 0);
});

import assert from "node:assert/strict";
import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { graphmindStudy } from "../../../lib/papers/graphmind/study.ts";
import type { RoleMap } from "../../../lib/core/llm/roles.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { ownFolder } from "../../folder.ts";

Deno.test("graphmindStudy() in full has the paper's numbers of trials: 30 a mission, size and condition, 36 on large maps", () => {
  const { chains } = graphmindStudy({ full: true, models: { "*": "gemini-2.5-flash" } });
  const cells = Map.groupBy(chains, ({ id }) => {
    const [label = "", condition = ""] = id.split("|");
    return `${label.replace(/-d\d.*$/, "")} ${condition}`;
  });
  for (const condition of ["kg", "sm", "none", "random-dsl"]) {
    for (const mission of ["put-next-to", "open-door"]) {
      for (const rooms of ["2x2", "3x3"]) {
        assert.equal(cells.get(`${mission}/${rooms} ${condition}`)?.length, 30);
      }
    }
    for (const rooms of ["4x4", "7x7"]) {
      assert.equal(cells.get(`put-next-to/${rooms} ${condition}`)?.length, 36);
      assert.equal(cells.has(`open-door/${rooms} ${condition}`), false);
    }
  }
  for (const condition of ["kg-static", "kg-global-map", "kg-llm-actor", "kg-text"]) {
    assert.equal(cells.get(`put-next-to/3x3 ${condition}`)?.length, 30);
    assert.equal(
      cells.has(`open-door/3x3 ${condition}`) || cells.has(`put-next-to/4x4 ${condition}`),
      false,
    );
  }
  assert.equal(
    cells.get("open-door/3x3 oracle")?.length,
    10,
    "an oracle goes the same way every time",
  );
});

Deno.test("graphmindStudy() names layouts that are there, truth for measuring, and gold for the oracle alone", () => {
  const study = graphmindStudy({ full: true });
  assert.equal(study.truth, true);
  for (const { id, gold, episodes: [episode] } of study.chains) {
    const layout = String(episode?.params?.["layout"]);
    assert.ok(
      existsSync(
        join(
          checkoutRoot(),
          "envs",
          "src",
          "labyrinth_envs",
          "babyai",
          "layouts",
          `${layout}.json`,
        ),
      ),
      layout,
    );
    assert.equal(gold !== undefined, id.includes("|oracle|"), id);
  }
});

Deno.test("graphmindStudy() shows pictures to models that can see, and leaves Table 7's text alone where none can", () => {
  const pictures = (models?: RoleMap) =>
    new Map(
      graphmindStudy({ only: ["2x2-d1-0", "put-next-to"], ...(models ? { models } : {}) }).chains
        .map(({ episodes: [episode] }) => [episode?.condition, episode?.params?.["image"]]),
    );
  const blind: (RoleMap | undefined)[] = [
    undefined,
    { "*": "offline-weak" },
    { "*": "offline-r40-p90" },
    { "*": "offline", "wese/*": "gpt-4o" },
    { "*": "smollm2" },
    { "*": { model: "Qwen/Qwen3-32B", images: false } },
  ];
  for (const models of blind) {
    assert.deepEqual([...new Set(pictures(models).values())], [false], JSON.stringify(models));
    assert.equal(pictures(models).has("kg-text"), false);
  }
  const seen = pictures({ "*": "offline", "graphmind/*": "gemini-2.5-flash" });
  assert.deepEqual([seen.get("kg"), seen.get("sm"), seen.get("kg-text"), seen.get("random-dsl")], [
    true,
    true,
    false,
    false,
  ]);
});

Deno.test("graphmindStudy() keeps what is named, and refuses names that it does not know or cells that the paper lacks", () => {
  const chains = graphmindStudy({ only: ["3x3", "open-door", "kg", "sm"] }).chains.map(({ id }) =>
    id
  );
  assert.deepEqual(chains, [
    "open-door/3x3-d1-0|kg|1",
    "open-door/3x3-d1-0|sm|1",
    "open-door/3x3-d3-0|kg|1",
    "open-door/3x3-d3-0|sm|1",
  ]);
  assert.equal(
    graphmindStudy({ only: ["3x3-d1-4", "kg"], attempts: 2 }).id,
    "graphmind-quick-3x3-d1-4-kg-x2@offline",
  );
  assert.throws(() => graphmindStudy({ only: ["elephant"] }), {
    name: "UsageError",
    message: /^--only elephant names no mission/,
  });
  assert.throws(() => graphmindStudy({ only: ["open-door", "kg-static"] }), {
    name: "UsageError",
    message: /no such cell/,
  });
  assert.throws(() => graphmindStudy({ only: ["kg-text"] }), {
    name: "UsageError",
    message: /^--only kg-text .* text alone, as which kg is/,
  });
  assert.ok(graphmindStudy({ only: ["kg-text"], images: true }).chains.length > 0);
});

Deno.test("graphmindStudy() takes a user's layouts, a file or a folder, with their own sizes and missions", () => {
  using own = ownFolder();
  const folder = own.path;
  assert.throws(() => graphmindStudy({ games: folder }), {
    name: "UsageError",
    message: /^--games .* has no layout: name a layout file/,
  });
  copyFileSync(
    join(checkoutRoot(), "envs", "src", "labyrinth_envs", "babyai", "layouts", "4x4-d1-0.json"),
    join(folder, "a.json"),
  );
  writeFileSync(
    join(folder, "b.json"),
    JSON.stringify({ id: "mine", size: 2, missions: { "open-door": { door: "red" } } }),
  );
  const chains = graphmindStudy({ games: folder, only: ["kg", "kg-static", "oracle"] }).chains;
  assert.deepEqual(chains.map(({ id }) => id), [
    "put-next-to/4x4-d1-0|kg|1",
    "put-next-to/4x4-d1-0|oracle|1",
    "open-door/2x2-mine|kg|1",
  ]);
  assert.equal(chains[0]?.episodes[0]?.params?.["layout"], join(folder, "a.json"));
  assert.throws(() => graphmindStudy({ games: folder, only: ["3x3"] }), {
    name: "UsageError",
    message: /^--only 3x3 names no mission/,
  });
  writeFileSync(join(folder, "c.json"), "{");
  assert.throws(() => graphmindStudy({ games: folder }), {
    name: "UsageError",
    message: /^cannot read the layout .*c\.json: /,
  });
});

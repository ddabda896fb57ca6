/**
 * The paper is the default: every option of the four papers' makers against
 * `data/library/paper-defaults.json`.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type PaperDefault, paperDefaults } from "../../docs/reference/defaults.ts";
import { METHODS } from "../../lib/core/agent/registry.ts";
import { MEMORIES } from "../../lib/core/memory/registry.ts";
import { checkoutRoot } from "../../lib/core/platform.ts";
import { optionNames } from "../../lib/core/text/registry.ts";

/** Makers of other papers, or of none. */
const OTHERS = [
  ..."a-mem graphiti graphrag hipporag mem0 memgpt plain-notes converse".split(" "),
];

/**
 * The default that a row asks for: the paper's value, else the authors', else our ceiling;
 * `undefined` where none of them is told.
 */
function wantedDefault({ paper, authors, ceiling }: PaperDefault): unknown {
  return paper !== undefined ? paper : authors !== undefined ? authors : ceiling;
}

Deno.test("each default is the paper's value, or the authors' where the paper is silent", () => {
  const rows = paperDefaults();
  const wrong = rows.filter((row) =>
    wantedDefault(row) !== undefined && wantedDefault(row) !== row.ours
  )
    .map((row) =>
      `${row.maker} ${row.option}: ${JSON.stringify(row.ours)}, wanted ${
        JSON.stringify(wantedDefault(row))
      }`
    );
  assert.deepEqual(wrong, []);
  const unexplained = rows.filter((row) => wantedDefault(row) === undefined && !row.why);
  assert.deepEqual(
    unexplained.map(({ maker, option }) =>
      `${maker} ${option} has no value of paper or code, and no reason`
    ),
    [],
  );
});

Deno.test("every option of the four papers' makers has one row, and no row is of an option that there is not", () => {
  const options = Object.entries({ ...MEMORIES, ...METHODS }).filter(([id]) => !OTHERS.includes(id))
    .flatMap(([id, { options }]) => optionNames(options).map((name) => `${id} ${name}`));
  assert.ok(options.length > 100, `${options.length} options`);
  assert.deepEqual(
    paperDefaults().map(({ maker, option }) => `${maker} ${option}`).sort(),
    options.sort(),
  );
});

Deno.test("the table of defaults names deviations that there are", () => {
  const folder = join(checkoutRoot(), "docs", "explanation", "deviations");
  const page = readFileSync(join(folder, "README.md"), "utf8");
  assert.match(page, /^\| `room-graph` \| `votes` \| `5` \| – \| `5` \| \[graphmind D5\]/m);
  const missing = paperDefaults().flatMap(({ id }) => id ?? []).filter((id) => {
    const [name, number] = id.split(" ");
    return !readFileSync(join(folder, `${name}.md`), "utf8").includes(`| ${number} |`);
  });
  assert.deepEqual([...new Set(missing)], []);
});

Deno.test("GraphMind's deviations give the tokens and distances that the shipped tables show", () => {
  const read = (...path: string[]): string[][] =>
    readFileSync(join(checkoutRoot(), ...path), "utf8").split("\n").map((line) =>
      line.slice(2, -2).split(" | ")
    );
  const page = read("docs", "explanation", "deviations", "graphmind.md");
  const [d7, d15] = ["D7", "D15"].map((id) => page.find(([first]) => first === id)?.join(" "));
  const tables = ["figures", "graphmind", "offline"];
  const tokens =
    read(...tables, "table5-input-tokens.md").find(([role]) => role === "Verify Completion")?.map((
      cell,
    ) => parseInt(cell)) ?? [];
  assert.ok(d15?.includes(`${tokens[2]} (SM), ${tokens[1]} (KG) and ${tokens[3]} (static)`));
  const ged =
    read(...tables, "table8-access.md").find(([rooms, measure]) =>
      rooms === "3x3" && measure === "GED"
    )?.flatMap((cell) => parseFloat(cell).toFixed(1)) ?? [];
  assert.ok(d7?.includes(`GED ${ged[2]}, `) && d7.includes(`2 of 2 with ${ged[4]}.`));
});

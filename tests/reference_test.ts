/** The generated parts of the documents are what the code gives now. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { connectWorlds } from "../lib/core/env/mod.ts";
import { checkoutRoot } from "../lib/core/platform.ts";
import * as frames from "../lib/lab/frames.ts";
import { helpsOf, PAGES, withPart, worldSection } from "../docs/reference/make.ts";
import { COMMANDS } from "../lib/apps/cli/commands.ts";
import { guides } from "./guides.ts";

const REMEDY = ".lab/tools/bin/deno task reference writes it";

const read = (page: string): string => readFileSync(join(checkoutRoot(), page), "utf8");

for (const page of Object.keys(PAGES).filter((page) => !page.endsWith("worlds.md"))) {
  Deno.test(`reference: ${page} is current`, async () => {
    assert.equal(read(page), withPart(read(page), await PAGES[page]?.() ?? ""), REMEDY);
  });
}

Deno.test("reference: every column of every frame is on the page", () => {
  const sections = new Map(
    read("docs/reference/frames.md").split(/^## /m).map((text) => [text.split("\n")[0], text]),
  );
  const { EPISODES_COLUMNS, STEPS_COLUMNS, CALLS_COLUMNS, PASSES_COLUMNS } = frames;
  const known = {
    episodes: EPISODES_COLUMNS,
    steps: STEPS_COLUMNS,
    calls: CALLS_COLUMNS,
    passes: PASSES_COLUMNS,
    graphSteps: frames.GRAPH_STEPS_COLUMNS,
  };
  for (const [frame, columns] of Object.entries(known)) {
    const text = sections.get(frame) ?? "";
    const missing = Object.keys(columns).filter((column) => !text.includes(`\`${column}\``));
    assert.deepEqual(missing, [], frame);
  }
});

Deno.test("reference: every world at hand is on the page with its arguments", async () => {
  const sections = read("docs/reference/worlds.md").split(/^(?=## )|^<!-- end/m).map((text) =>
    text.trim()
  );
  await using worlds = connectWorlds();
  const catalogue = await worlds.list();
  assert.ok(catalogue.some(({ id }) => id === "questions/encyclopedia"));
  const outdated: string[] = [];
  for (const world of catalogue) {
    if (!sections.includes(await worldSection(world, worlds))) outdated.push(world.id);
  }
  assert.deepEqual(outdated, [], REMEDY);
  const here = new Set(catalogue.map(({ id }) => id));
  const elsewhere = sections.flatMap((text) => text.match(/^## (\S+\/\S+|[a-z-]+)$/m)?.[1] ?? [])
    .filter((id) => !here.has(id));
  if (elsewhere.length > 0) process.stdout.write(`skipped: not here: ${elsewhere.join(", ")}\n`);
});

Deno.test("reference: every command that a page names exists, with its options", async () => {
  const notOurs = new Set(["--version", "--help"]);
  const unknown: string[] = [];
  let count = 0;
  for (const page of guides()) {
    if (page.endsWith("CHANGELOG.md") || page.endsWith("commands.md")) continue;
    const code = readFileSync(page, "utf8").match(/^```(sh|text)\n[^]*?^```|`[^`\n]+`/gm) ?? [];
    for (const line of code.flatMap((text) => text.replaceAll("\\\n", " ").split("\n"))) {
      for (const [, name = "", rest = ""] of line.matchAll(/\.\/lab ([a-z]+)([^`|;#&]*)/g)) {
        count += 1;
        const help = name in COMMANDS ? (await helpsOf(name)).join("\n") : "";
        const options = [...rest.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([option]) => option)
          .filter((option) => !notOurs.has(option) && !help.includes(option));
        if (help === "") unknown.push(`${page}: ./lab ${name}`);
        unknown.push(...options.map((option) => `${page}: ./lab ${name} ${option}`));
      }
    }
  }
  assert.ok(count > 100, `${count} commands`);
  assert.deepEqual(unknown, []);
});

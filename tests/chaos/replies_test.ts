/** Hostile replies of a model, carried through played games to every file and screen. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectWorlds } from "../../lib/core/env/worlds.ts";
import { serverCommand } from "../../lib/core/env/server.ts";
import { figure } from "../../lib/lab/figure.ts";
import { frameOf, rowsOf } from "../../lib/lab/frame-of.ts";
import { steps } from "../../lib/lab/frames.ts";
import { type EpisodeRecord, listEpisodes } from "../../lib/lab/store/episodes.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import { listReplies } from "../../lib/lab/store/replies.ts";
import { listGraphChanges, listTurns } from "../../lib/lab/store/turns.ts";
import { table } from "../../lib/lab/table.ts";
import { createHandler } from "../../lib/apps/view/server.ts";
import { createTally } from "../../lib/apps/view/tally.ts";
import { lab } from "../apps/cli/captured.ts";
import { completion, startFakeEndpoint } from "../core/llm/fake-endpoint.ts";
import { chaosDraw, FULL, hostileText } from "./generators.ts";
import { ownFolder } from "../folder.ts";

const worlds = connectWorlds();
Deno.test.beforeAll(async () => void await (await worlds.open("textworld/hunt")).close());
Deno.test.afterAll(() => worlds.close());

/**
 * Nothing that a file or a terminal may hold: control characters but tab and line ends, halves of
 * pairs, what XML forbids.
 */
const UNSAFE = /[[\p{Cc}\p{Cs}\uFFFE\uFFFF]--[\t\n\r]]/v;

/** Replies that are wanted in the long form, and the games and steps that ask for as many. */
const [REPLIES, ATTEMPTS, STEPS] = FULL ? [10_000, "10", "150"] : [50, "1", "25"];

/**
 * Answers that come again and again among those that are drawn; those that are triplets reach the
 * graph, and so tables and figures.
 */
const ANSWERS: readonly string[] = [
  "kitchen\u0001, has\u001b[31m, table; \uFFFElocker, is in, \uD800room; =cmd|' /C calc'!A0, is, @SUM(1+1)",
  "<script>alert(1)</script>, is, <img src=x onerror=alert(1)>; a & b, is, &lt;b&gt;; ]]>, ends, <!--",
  "\\input{/etc/passwd} % $x^2$, is, #1_2~; `code`, [links](javascript:alert(1)), ![to](http://x)",
  "ключ, лежит в, 箱子 مفتاح; \u202Eevil, turns, text; \u0085next, \u009b31m, \u007f",
  '{"action_to_take": "look\\u001b[2J\\ud800", "plan": ["\\u0000"], "emotion": {"emotion_state": "<b>"}}',
  "\u0000\uDC00\uFFFF\u001b]0;title\u0007",
];

Deno.test("chaos: hostile replies reach no file and no screen as more than text, and every figure is drawn", async () => {
  using own = ownFolder();
  const folder = own.path;
  const draw = chaosDraw("replies");
  await using endpoint = startFakeEndpoint();
  // A megabyte first, then drawn replies and the next of `ANSWERS` in turn.
  endpoint.behave(() => {
    const at = endpoint.asked.length;
    const content = at === 1
      ? "x".repeat(1_000_000)
      : at % 3 > 0
      ? hostileText(draw)
      : ANSWERS[(at / 3) % ANSWERS.length];
    return completion(content ?? "", { model: "m\u001b[31m" });
  });
  const model = "=cmd|' /C calc'!A0 <script>\u001b[31m]";
  const map = join(folder, "map.json");
  writeFileSync(map, JSON.stringify({ "*": { model, baseUrl: endpoint.baseUrl } }));
  const [store, figures] = [join(folder, "lab.sqlite"), join(folder, "figures")];
  const args = [
    "study",
    "arigraph-quick",
    "--only",
    "hunt,arigraph",
    "--attempts",
    ATTEMPTS,
    "--steps",
    STEPS,
    "--models",
    map,
  ];
  const played = await lab(...args, "--store", store);
  assert.equal(played.status, 0, played.err);
  assertShown(played);
  assert.ok(endpoint.asked.length >= REPLIES, `${endpoint.asked.length} replies`);
  if (FULL) console.log(`  ${endpoint.asked.length} replies`);

  using opened = openStore(store);
  const [episode] = listEpisodes(opened);
  assert.ok(episode);
  const names = listGraphChanges(opened, episode.id).flatMap((
    { subject, relation, object },
  ) => [subject, relation, object]);
  assert.ok(names.includes("kitchen\uFFFD"), "the graph holds safe text");
  assert.ok(names.every((name) => !UNSAFE.test(name)));
  mkdirSync(figures);
  const told = [...new Set(names)].map((name) => ({
    name,
    n: names.filter((other) => other === name).length,
  }));
  await table(frameOf(told, { name: "text", n: "integer" }), {
    caption: model,
    file: join(figures, "names"),
  });
  const encoding = {
    y: { field: "name", type: "nominal" },
    x: { field: "n", type: "quantitative" },
  } as const;
  await figure({ data: { values: told }, mark: "bar", encoding }, {
    caption: model,
    file: join(figures, "drawn"),
  });
  const files = readdirSync(figures);
  for (const end of [".md", ".tex", ".csv", ".svg", ".pdf"]) {
    assert.ok(files.some((file) => file.endsWith(end)), end);
  }
  for (const file of files.filter((file) => /\.(md|tex|csv|svg|txt)$/.test(file))) {
    const text = readFileSync(join(figures, file), "utf8");
    assert.doesNotMatch(text, UNSAFE, file);
    if (/\.(md|svg)$/.test(file)) assert.doesNotMatch(text, /<script|<img src=x/, file);
    if (file.endsWith(".md")) {
      assert.doesNotMatch(text, file === "README.md" ? /\]\((?!arigraph-)/ : /\]\(/, file);
    }
  }
  const checked = spawnSync(serverCommand(), ["-c", CHECK, figures], { encoding: "utf8" });
  assert.equal(checked.status, 0, checked.stderr);
  assert.match(
    readFileSync(join(figures, "drawn.svg"), "utf8"),
    /ключ|箱子|kitchen\uFFFD|&lt;script|=cmd/,
  );

  const [first] = [...listReplies(opened, "arigraph/extract")].filter(({ reply }) =>
    JSON.stringify(reply).includes("\\u0001")
  );
  assert.ok(first, "the record holds the reply as it came");

  for (const words of [[], [episode.id], [episode.id, "1"], [episode.id, "9"]]) {
    assertShown(await lab("show", ...words, "--store", store));
    const json = await lab("show", ...words, "--store", store, "--json");
    assertShown(json);
    JSON.parse(json.out);
  }
  await assertShared(store, episode);
});

/** What frames hold, and what the run page is served. */
async function assertShared(path: string, { id, study }: EpisodeRecord): Promise<void> {
  using store = openStore(path, { readOnly: true });
  for (const row of rowsOf<Record<string, unknown>>(steps(store, study))) {
    assert.doesNotMatch(`${row["action"]} ${row["location"]}`, UNSAFE);
  }
  const turns = listTurns(store, id);
  for (const { observation } of turns) assert.doesNotMatch(observation, UNSAFE);
  const page = createHandler({ store, tally: createTally(store), now: () => 0, page: new Map() });
  const places = turns.map(({ pass, step }) => `step/${id}/${pass}.${step}`);
  for (
    const place of [
      "studies",
      `study/${encodeURIComponent(study)}`,
      `episode/${id}`,
      `graph/${id}`,
      ...places,
    ]
  ) {
    const response = await page.answer(new Request(`http://localhost/data/${place}`));
    assert.equal(response.status, 200, place);
    assertSafe(await response.json(), place);
  }
  page.close();
}

/** No text of a value, nor a name in it, holds what a file or a terminal may not. */
function assertSafe(value: unknown, place: string): void {
  if (typeof value === "string") assert.doesNotMatch(value, UNSAFE, place);
  if (typeof value !== "object" || value === null) return;
  for (const part of Object.entries(value).flat()) assertSafe(part, place);
}

/** What is printed holds no control character but the lab's own styles. */
function assertShown({ out, err }: { readonly out: string; readonly err: string }): void {
  for (const text of [out, err]) {
    // deno-lint-ignore no-control-regex
    const plain = text.replaceAll(/\u001b\[(0|1|2|22)m/g, "");
    const at = plain.search(UNSAFE);
    assert.equal(at, -1, JSON.stringify(plain.slice(Math.max(0, at - 200), at + 200)));
  }
}

/** Reads every SVG with an XML parser and every CSV with its own, in Python. */
const CHECK = `
import csv, pathlib, re, sys, xml.etree.ElementTree as xml
for path in pathlib.Path(sys.argv[1]).iterdir():
    if path.suffix == ".svg": xml.parse(path)
    if path.suffix == ".csv":
        rows = list(csv.reader(path.open(newline="", encoding="utf-8"), strict=True))
        assert len({len(row) for row in rows}) == 1, path
        for field in (field for row in rows for field in row):
            assert not re.match(r"[=+@\\t\\r].|-[^0-9.]", field), (path, field)
`;

import assert from "node:assert/strict";
import { linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { playStudy } from "../../lib/lab/lab.ts";
import { planBench } from "../../lib/memory-bench/plan.ts";
import { type BenchResult, benchResult, verifyResult } from "../../lib/memory-bench/result.ts";
import { hashOf } from "../../lib/store/canonical.ts";
import { openStore } from "../../lib/store/open.ts";
import { lab } from "../cli/captured.ts";

const WORDS = ["memory-bench", "--worlds", "questions", "--games", "2", "--memories", "none,passages", "--models", "offline"];

/** A user's memory, as docs/write-a-memory.md has one: it keeps the last text. */
const MINE = `export const last = { id: "last-text", create: () => {
  let seen = "";
  return {
    id: "last-text",
    observe: ({ observation }) => Promise.resolve(void (seen = observation)),
    recall: () => Promise.resolve({ sections: { "Last text": seen } }),
    save: () => ({ kind: "last-text", body: seen }),
    load: () => {},
  };
} };
`;

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-bench-"));
  try {
    await body(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A result as somebody would alter it who also computes its hash anew. */
function forged(result: BenchResult, change: (copy: { -readonly [K in keyof BenchResult]: BenchResult[K] }) => void): BenchResult {
  const { sha256: _, ...copy } = structuredClone(result);
  change(copy as BenchResult);
  return { ...copy, sha256: hashOf(copy) };
}

Deno.test("memory-bench plays, resumes without a new episode, and writes a result that verify holds against the record and names each alteration of", async () => {
  await inFolder(async (folder) => {
    const [store, to] = [join(folder, "lab.sqlite"), join(folder, "card")];
    const words = [...WORDS, "--store", store, "--to", to];
    const played = await lab(...words);
    assert.equal(played.status, 0, played.err);
    assert.match(played.out, /\| passages \| \*?\*?1\.00/);
    assert.match(played.out, /ordering of memories on two disjoint ranges/);
    const file = join(to, "memory-bench-full.json");
    const text = readFileSync(file, "utf8");
    const drawn = readFileSync(join(to, "memory-bench-full-card-offline-figure.csv"), "utf8").trim().split("\n");
    assert.deepEqual(drawn, [
      "memory,score,low,high,n",
      "passages,1.0,0.3976353643835254,1.0,4", // 0.025^(1/4), the exact interval of 4 of 4
      "none,0.0,0.0,0.6023646356164746,4",
    ], "the best first");
    const again = await lab(...words);
    assert.deepEqual([again.status, / begins/.test(again.err), readFileSync(file, "utf8")], [0, false, text]);

    const verified = await lab("memory-bench", "verify", file, "--store", store);
    assert.deepEqual([verified.status, verified.err], [0, ""], verified.out);
    assert.match(verified.out, /holds \(8 episodes\), against itself, the protocol and the record/);
    writeFileSync(file, text.replace('"value": 1,', '"value": 0.5,'));
    const altered = await lab("memory-bench", "verify", file, "--store", store);
    assert.equal(altered.status, 1);
    assert.match(
      altered.out,
      /^the file was altered: [^\n]*\naltered number in memory-bench-full-card-offline, passages, score: the file has 0\.50[^\n]*, the record gives 1\.00[^\n]*\n$/,
    );

    const result = JSON.parse(text) as BenchResult;
    namesEachAlteration(result, store);
  });
});

Deno.test("verify names a study that was played with other limits than the protocol's", async () => {
  const plan = planBench({ memories: ["passages"], worlds: ["questions"], games: 1, models: { "*": "offline" } });
  using store = openStore(":memory:");
  for (const study of plan.plays) await playStudy({ ...study, recallTokens: 100_000 }, { store });
  assert.deepEqual(verifyResult(benchResult(store, plan), store), [
    `the study ${plan.plays[0]?.id} was not played as the protocol plans it`,
  ]);
});

Deno.test("memory-bench --dry-run prices by memory what was played offline, plays nothing, and says what it cannot compare", async () => {
  await inFolder(async (folder) => {
    const [store, to] = [join(folder, "lab.sqlite"), join(folder, "card")];
    const dry = [...WORDS.with(-1, "gpt-4o"), "--dry-run", "--store", store, "--to", to];
    const unknown = await lab(...dry);
    assert.equal(unknown.status, 0, unknown.err);
    assert.match(unknown.out, /^passages +4 +4 +0 +0 +0 +0 +unknown$[^]*nothing on record compares with 8 episodes: /m);
    assert.equal((await lab(...WORDS, "--store", store, "--to", to)).status, 0);
    const priced = await lab(...dry, "--json");
    type Row = Readonly<Record<"planned" | "callsToPay" | "promptTokens" | "completionTokens" | "dollars" | "unknown", number>>;
    const rows = JSON.parse(priced.out) as (Row & { readonly memory: string })[];
    assert.deepEqual(rows.map(({ memory, planned, callsToPay, unknown }) => [memory, planned, callsToPay, unknown]), [
      ["none", 4, 4, 0],
      ["passages", 4, 4, 0],
      ["all", 8, 8, 0],
    ]);
    for (const { promptTokens, completionTokens, dollars } of rows) {
      assert.ok(promptTokens > 0 && Math.abs(dollars - (2.5 * promptTokens + 10 * completionTokens) / 1e6) < 1e-4, `${dollars}`);
    }
    const probed = await lab(...WORDS.with(6, "none"), "--dry-run", "--probe", "--store", join(folder, "other.sqlite"));
    assert.match(probed.out, /^none +4 +[0-3] .*\$0\.00$/m, probed.err);
  });
});

function namesEachAlteration(result: BenchResult, path: string): void {
  using store = openStore(path);
  const [first = assert.fail()] = result.episodes;
  const [a = 0] = result.seeds.ranges["A"] ?? [];
  const problems = (change: Parameters<typeof forged>[1]): string[] => verifyResult(forged(result, change), store);
  assert.deepEqual(verifyResult(result, store), []);
  assert.deepEqual(problems(({ protocol }) => protocol.sha256 = "0".repeat(64)).map((line) => line.split(":")[0]), [
    "another protocol",
  ]);
  const seeds = problems((copy) => {
    copy.seeds.ranges["A"] = [a + 1, ...copy.seeds.ranges["A"]?.slice(1) ?? []];
    copy.seeds.sha256 = hashOf(copy.seeds.ranges);
  });
  assert.ok(seeds.includes("the seeds of range A were altered: they are not those that the protocol publishes"), seeds.join("\n"));
  const unknown = problems((copy) => Object.assign(copy.seeds.ranges, { C: [1], constructor: [2] })).join("\n");
  for (const name of ["C", "constructor"]) assert.match(unknown, new RegExp(`the seeds of range ${name} were altered`));
  const dropped = problems((copy) => copy.episodes = copy.episodes.slice(1));
  assert.deepEqual(dropped, [
    `the episode of ${"none"} with offline in questions, game ${first.game}, is missing from the file`,
    `the episode ${first.episode} of ${first.study}, which the record has, is missing from the file`,
  ]);
  const invented = problems((copy) => copy.episodes = [{ ...first, episode: "f".repeat(16) }, ...copy.episodes.slice(1)]);
  assert.deepEqual(invented, [`the episode ${"f".repeat(16)} of ${first.study} is missing from the record`]);
  const swapped = problems((copy) =>
    copy.episodes = copy.episodes.map((one, at) => at === 0 ? { ...one, game: result.episodes[1]?.game ?? 0 } : one)
  );
  assert.ok(swapped.some((line) => line.includes(`the episode ${first.episode} was not played in the game that`)), swapped.join("\n"));
  assert.deepEqual(problems((copy) => copy.ordering = ["The ordering is mine."]), ["the sentences on the ordering were altered"]);
  const captioned = problems((copy) => copy.tables = copy.tables.map((one, at) => at === 0 ? { ...one, caption: "Mine." } : one));
  assert.deepEqual(captioned, ["the tables were altered"]);
  const longer = problems((copy) => copy.tables = copy.tables.map((one) => ({ ...one, rows: [...one.rows, one.rows[0] ?? []] })));
  assert.deepEqual(longer, ["the tables were altered"]);
  const twice = problems((copy) => {
    copy.seeds.ranges["B"] = copy.seeds.ranges["A"] ?? [];
    copy.seeds.sha256 = hashOf(copy.seeds.ranges);
  });
  assert.ok(twice.includes("the seeds were altered: one stands in the ranges twice"), twice.join("\n"));
  const renamed = problems((copy) => {
    copy.memories = ["none", "rag"];
    copy.studies = copy.studies.map((one) => one.memory === "passages" ? { ...one, memory: "rag" } : one);
  });
  const [, passages = assert.fail()] = result.studies;
  assert.ok(renamed.includes(`the study ${passages.study} was not played as the protocol plans it`), renamed.join("\n"));
  const stronger = problems((copy) => {
    copy.readers = ["gpt-4o"];
    copy.studies = copy.studies.map((one) => ({ ...one, reader: "gpt-4o" }));
  });
  assert.ok(stronger.includes(`the episode ${first.episode} was played by offline, and not by gpt-4o`), stronger.join("\n"));
  const chain = problems((copy) => copy.studies = copy.studies.map((one) => ({ ...one, chain: "1".repeat(64) })));
  assert.equal(chain.filter((line) => /^the chain of .* ends in [0-9a-f]{12}, and not in 111111111111$/.test(line)).length, 2);
  store.database.exec(`update packed_turns set goal = 'Another' where episode = '${first.episode}'`);
  using altered = openStore(path);
  const broken = verifyResult(result, altered);
  assert.ok(broken.includes(`the episode ${first.episode} of ${first.study} is missing from the record`), broken.join("\n"));
}

Deno.test("memory-bench plays a user's file with stages, and goes on with the held-back seeds that it drew", async () => {
  await inFolder(async (folder) => {
    const [mine, to] = [join(folder, "mine.ts"), join(folder, "card")];
    writeFileSync(mine, MINE);
    const words = [
      "memory-bench",
      "--quick",
      "--worlds",
      "hunt-12",
      "--games",
      "1",
      "--memories",
      "full-history",
      "--memory",
      mine,
      "--held-back",
      "--to",
      to,
    ];
    const played = await lab(...words, "--store", join(folder, "lab.sqlite"));
    assert.equal(played.status, 0, played.err);
    assert.match(played.out, /\| last-text \|.*\n/);
    assert.match(played.out, /it keeps no triplets \([^)]*last-text: precision, recall, stale steps\)/);
    assert.match(played.out, /Where is it lost\?[^]*\| last-text \| reader:llama-3\.1-8b \| 1 \|/);
    assert.match(played.out, /unknown: fewer than two games a range/);
    const file = join(to, "memory-bench-quick-held-back.json");
    const { seeds } = JSON.parse(readFileSync(file, "utf8")) as BenchResult;
    assert.equal(seeds.kind, "held back");
    const again = await lab(...words, "--store", join(folder, "lab.sqlite"));
    assert.deepEqual([again.status, / begins/.test(again.err)], [0, false]);
    assert.deepEqual((JSON.parse(readFileSync(file, "utf8")) as BenchResult).seeds, seeds);
    const other = await lab(...words.map((word) => word === "1" ? "2" : word), "--store", join(folder, "lab.sqlite"));
    assert.equal(other.status, 2);
    assert.match(other.err, /holds seeds of another protocol or number of games: choose another folder with --to\n$/);
    assert.equal((await lab("memory-bench", "verify", file)).status, 0);
  });
});

Deno.test("memory-bench writes held-back seeds whole or not at all, and plays no others than the file commits to", () =>
  inFolder(async (folder) => {
    const [file, before] = ["memory-bench-full-held-back.json", "before.json"].map((name) => join(folder, name)) as [string, string];
    const words = ["memory-bench", "--worlds", "questions", "--games", "1", "--memories", "none", "--models", "offline", "--held-back"];
    const play = (): ReturnType<typeof lab> => lab(...words, "--to", folder, "--store", join(folder, "lab.sqlite"));
    assert.equal((await play()).status, 0);
    const seeds = (path: string): BenchResult["seeds"] => (JSON.parse(readFileSync(path, "utf8")) as BenchResult).seeds;
    linkSync(file, before);
    writeFileSync(before, readFileSync(before, "utf8").replace('"planned": 2', '"planned": 3'));
    assert.equal((await play()).status, 0);
    assert.match(readFileSync(before, "utf8"), /"planned": 3/, "a result is written over another one, which a kill cuts");
    assert.deepEqual(seeds(file), seeds(before));
    const text = readFileSync(file, "utf8");
    const [seed = 0] = Object.values(seeds(file).ranges).flat();
    writeFileSync(file, text.replaceAll(`${seed}`, `${seed ^ 1}`));
    const altered = await play();
    assert.equal(altered.status, 2);
    assert.match(altered.err, /held-back\.json does not hold the seeds that it commits to: it was altered; [^\n]*--to\n$/);
  }));

Deno.test("memory-bench refuses in one line what it cannot play or read", async () => {
  await inFolder(async (folder) => {
    const empty = join(folder, "empty.ts");
    writeFileSync(empty, "export const nothing = 1;\n");
    const [broken, odd] = [join(folder, "broken.ts"), join(folder, "odd.ts")];
    writeFileSync(broken, "export const mine = {;\n");
    writeFileSync(odd, 'export const odd = { id: "../odd\\nid", create: () => ({}) };\n');
    const [thrown, getter] = [join(folder, "thrown.ts"), join(folder, "getter.ts")];
    writeFileSync(thrown, "throw null;\n");
    writeFileSync(getter, "export const mine = { get id() { throw 5; } };\n");
    const refusals: readonly (readonly [RegExp, ...string[]])[] = [
      [/there is no world "hunts"/, "--worlds", "hunts"],
      [/there is no memory "ragg"; did you mean "rag"/, "--memories", "ragg"],
      [/10 games of each world in a range: ask for 1 to 10, not 11/, "--games", "11"],
      [/exports 0 memories: let it export one object with an id and a function create/, "--memory", empty],
      [/cannot load the memory/, "--memory", join(folder, "none.ts")],
      [/cannot load the memory .*SyntaxError/, "--memory", broken],
      [/cannot load the memory .*thrown\.ts: null$/m, "--memory", thrown],
      [/cannot load the memory .*getter\.ts: 5$/m, "--memory", getter],
      [/a memory cannot be called "\.\.\/odd\\nid": use up to 64 letters, digits, dots and hyphens/, "--memory", odd],
      [/two memories are called "rag"/, "--memories", "rag,rag"],
      [/is no result of the benchmark/, "verify", empty.replace("empty.ts", "other.json")],
    ];
    writeFileSync(join(folder, "other.json"), "{}");
    for (const [message, ...words] of refusals) {
      const { status, err } = await lab(
        "memory-bench",
        ...words,
        ...(words[0] === "verify" ? [] : ["--to", folder, "--store", join(folder, "x.sqlite")]),
      );
      assert.equal(status, 2, words.join(" "));
      assert.match(err, message);
      assert.equal(err.trim().split("\n").length, 1, err);
    }
  });
});

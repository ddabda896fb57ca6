/**
 * A study is played with a model behind HTTP, packed, and rebuilt in an empty store where no server
 * answers.
 */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { connectWorlds } from "../../../lib/core/env/worlds.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { digestOf } from "../../../lib/lab/digest.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { listStudies } from "../../../lib/lab/store/studies.ts";
import { getReplyRow, putReply } from "../../../lib/lab/store/replies.ts";
import { startEndpoint } from "../../lab/endpoint.ts";
import { lab } from "./captured.ts";
import { withVariables } from "../../environment.ts";

const worlds = connectWorlds(); // one world server serves all that is played in this process
const folder = mkdtempSync(join(tmpdir(), "lab-pack-"));
Deno.test.beforeAll(async () => void await (await worlds.open("textworld/hunt")).close());
Deno.test.afterAll(async () => {
  await worlds.close();
  rmSync(folder, { recursive: true });
});

const KEY = "sk-secret-of-packs-0123";
const STUDY = ["arigraph-quick", "--only", "hunt,full-history", "--attempts", "1", "--steps", "12"];
const pack = join(folder, "hunt.jsonl.zst");

Deno.test("pack and study --replies play every step again without a model, and no key is in the pack", async () => {
  const map = join(folder, "map.json");
  using _key = withVariables({ LABYRINTH_PACK_KEY: KEY });
  const at = (name: string): string[] => ["--store", join(folder, `${name}.sqlite`)];
  {
    await using endpoint = await startEndpoint();
    const price = { prompt: 1, cached: 1, completion: 2 };
    const headers = { "x-team": "a-private-team" };
    const extraBody = { top_k: 20, search: { api_key: "a-private-key" } };
    const baseUrl = endpoint.baseUrl.replace("//", "//me:a-private-word@");
    const binding = {
      model: "counted",
      baseUrl,
      keyEnv: "LABYRINTH_PACK_KEY",
      headers,
      extraBody,
      price,
      temperature: 0.2,
    };
    writeFileSync(map, JSON.stringify({ "*": binding }));
    const played = await lab("study", ...STUDY, "--models", map, ...at("played"));
    assert.equal(played.status, 0, played.err);
    assert.ok(
      endpoint.answered.every((body) => body.includes("a-private-key")),
      "the endpoint is sent the key",
    );
  }
  using store = openStore(join(folder, "played.sqlite"), { readOnly: true });
  const recorded = JSON.stringify([
    store.prepare("select * from studies").all(),
    store.prepare("select * from episodes").all(),
    store.prepare("select key from replies").all().map(({ key }) =>
      getReplyRow(store, String(key))
    ),
  ]);
  for (const secret of [KEY, "a-private"]) {
    assert.ok(!recorded.includes(secret), `${secret} is in the store`);
  }
  assert.match(recorded, /top_k/);
  const packed = await lab(
    "pack",
    "arigraph",
    "--store",
    join(folder, "played.sqlite"),
    "--out",
    pack,
  );
  assert.equal(packed.status, 0, packed.err);
  assert.match(packed.out, /1 episodes\n\d+ replies to \d+ calls, .* licence in its first line/s);

  const rebuilt = await lab("study", ...STUDY, "--replies", pack, ...at("rebuilt"));
  assert.equal(rebuilt.status, 0, rebuilt.err);
  const digests = ["played", "rebuilt"].map((name) => {
    using one = openStore(join(folder, `${name}.sqlite`), { readOnly: true });
    return listStudies(one).map((study) => digestOf(one, study));
  });
  assert.deepEqual(digests[1], digests[0]);

  const text = zstdDecompressSync(readFileSync(pack)).toString();
  for (
    const secret of [KEY, "127.0.0.1", "a-private", "baseUrl", folder, checkoutRoot().slice(0, -1)]
  ) {
    assert.ok(!text.includes(secret), `${secret} is in the pack`);
  }
  assert.match(text, /MIT licence.*outputs of counted.*textworld\/hunt/s);

  const again = join(folder, "again.jsonl.zst");
  assert.equal(
    (await lab("pack", "arigraph", "--store", join(folder, "rebuilt.sqlite"), "--out", again))
      .status,
    0,
  );
  const [a, b] = [pack, again].map((path) => zstdDecompressSync(readFileSync(path)).toString());
  assert.equal(a, b, "a pack of what a pack was unpacked to is the same pack");
});

Deno.test("study --replies tells a damaged, cut, foreign or unfitting pack in one line", async () => {
  const whole = readFileSync(pack);
  const text = zstdDecompressSync(whole);
  const edited = (from: string, to: string): Uint8Array =>
    zstdCompressSync(Buffer.from(text.toString("latin1").replaceAll(from, to), "latin1"));
  const cases: [string, string | Uint8Array, RegExp][] = [
    ["cut", whole.subarray(0, whole.length - 200), /damaged/],
    ["flipped", whole.map((byte, at) => at === whole.length >> 1 ? byte ^ 1 : byte), /damaged/],
    [
      "edited",
      edited(`"role":"ariadne/act"`, `"role":"ariadne/axt"`),
      /is damaged \(line \d+: a reply is not that of its request\)/,
    ],
    [
      "kind",
      edited(`"kind":"paid"`, `"kind":"gift"`),
      /is damaged \(line 3: call: kind: Invalid option/,
    ],
    ["column", edited(`"latencyMs":`, `"x) --    ":`), /is damaged \(line 3: .*expected number/],
    ["text for a number", edited(`"promptTokens":1`, `"promptTokens":-`), /is damaged \(.*JSON/],
    [
      "negative",
      edited(`"promptTokens":10`, `"promptTokens":-1`),
      /is damaged \(line \d+: call: promptTokens: Too small/,
    ],
    [
      "choices",
      edited(`"choices":[{`, `"chances":[{`),
      /is damaged \(line \d+: reply: reply: choices: Invalid input/,
    ],
    ["database", readFileSync(join(folder, "played.sqlite")), /is no pack of Labyrinth/],
    [
      "newer",
      edited(`"formatVersion":2`, `"formatVersion":3`),
      /version 3, this Labyrinth reads 2: update Labyrinth/,
    ],
    ["text", "no pack at all", /is no pack of Labyrinth/],
    ["foreign", zstdCompressSync("no archive"), /is no pack of Labyrinth/],
    ["empty", "", /is no pack of Labyrinth/],
  ];
  for (const [name, content, wanted] of cases) {
    const path = join(folder, name);
    writeFileSync(path, content);
    const told = await lab(
      "study",
      ...STUDY,
      "--replies",
      path,
      "--store",
      join(folder, "unused.sqlite"),
    );
    assert.deepEqual(
      [told.status, told.out, told.err.trimEnd().includes("\n")],
      [2, "", false],
      `${name}: ${told.err}`,
    );
    assert.match(told.err, wanted, name);
  }
  const store = ["--store", join(folder, "unused.sqlite")];
  const other = await lab(
    "study",
    "arigraph-quick",
    "--only",
    "cooking,arigraph",
    "--replies",
    pack,
    ...store,
  );
  assert.match(
    other.err,
    /^lab: the pack .* holds the replies to arigraph-.*@counted, not to .*cooking.*: give the options .*--episodes/,
  );
  assert.equal(other.status, 2);
  assert.match(
    (await lab("study", "arigraph-quick", "--replies", "nowhere.tar", ...store)).err,
    /unknown --replies "nowhere.tar".*the path of a pack/,
  );
});

Deno.test("pack refuses a store without the study, replies that are missing, and a text with a key", async () => {
  const store = ["--store", join(folder, "rebuilt.sqlite")];
  const unknown = await lab("pack", "wese", ...store);
  assert.deepEqual(
    [unknown.status, /holds no study "wese"; it holds arigraph-/.test(unknown.err)],
    [2, true],
    unknown.err,
  );

  const taken = await lab("pack", "arigraph", ...store, "--out", folder);
  assert.deepEqual(
    [
      taken.status,
      /^lab: cannot write the pack to .*: not a file; .* --out\n$/.test(taken.err),
    ],
    [2, true],
    taken.err,
  );

  using opened = openStore(join(folder, "rebuilt.sqlite"));
  const [first] = opened.prepare("select key from replies").all();
  const row = getReplyRow(opened, String(first?.["key"]));
  putReply(opened, {
    ...row as NonNullable<typeof row>,
    reply: { ...row?.reply as object, note: KEY },
  }, { replace: true });
  const out = join(folder, "leaky.jsonl.zst");
  using _key = withVariables({ LABYRINTH_PACK_KEY: KEY });
  const leaky = await lab("pack", "arigraph", ...store, "--out", out);
  assert.match(
    leaky.err,
    /^lab: cannot pack the study: a text of it holds the value of LABYRINTH_PACK_KEY/,
  );
  assert.ok(
    !readdirSync(folder).some((name) => name.startsWith("leaky")),
    "nothing is left behind",
  );

  opened.database.exec("delete from packed_replies");
  assert.match(
    (await lab("pack", "arigraph", ...store, "--out", out)).err,
    /a reply to .* is not on record/,
  );
});

/**
 * A corpus in a folder: FEVER's pages in their own shape, the same answers as from memory, and an
 * index that is whole or not there.
 */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { connectWorlds, type MeasuredEnvironment } from "../../../../lib/mod.ts";
import { createWikiPages } from "../../../../lib/core/env/questions/wiki-pages.ts";
import { lookAtFolder, openWikiFolder } from "../../../../lib/core/env/questions/wiki-folder.ts";
import { createDraw } from "../../../../lib/core/random.ts";
import { withVariables } from "../../../environment.ts";
import { faultLibrary } from "../../../lab/store/faults.ts";
import { inData, isLine } from "./data_folder.ts";
import { slowTest } from "../../../slow.ts";

const worlds = connectWorlds({ endpoint: "tcp://127.0.0.1:9", silence: 50 }); // no server may be asked

interface Place {
  /** Where corpora are kept. */
  readonly wiki: string;
  /** Where their indexes are kept. */
  readonly cache: string;
}

/** Runs with the files of one data folder, one claim and a cache of its own. */
function inFolder(
  files: Readonly<Record<string, string>>,
  body: (place: Place) => Promise<void>,
): Promise<void> {
  const claim = JSON.stringify({ id: 1, label: "SUPPORTS", claim: "Tarn has a bridge." });
  return inData({ ...files, "fever/paper_dev.jsonl": claim }, async (folder) => {
    using _cache = withVariables({ LABYRINTH_CACHE: join(folder, "cache") });
    await body({ wiki: join(folder, "wiki"), cache: join(folder, "cache", "wiki") });
  });
}

function claim(corpus = "wiki-pages"): Promise<MeasuredEnvironment> {
  return worlds.open("wiki/fever", { index: 0, corpus });
}

/** JSON Lines as FEVER's authors write them, an empty record first. */
function official(...pages: readonly (readonly [id: string, text: string])[]): string {
  return [["", ""], ...pages].map(([id, text]) =>
    `${JSON.stringify({ id, text, lines: `0\t${text}` })}\n`
  ).join("");
}

/** Of two files; the second adds to a page of the first. */
const PAGES = {
  "wiki/wiki-pages/wiki-001.jsonl": official(
    [
      "Tarn_-LRB-town-RRB-",
      "Tarn -LRB- -LSB- taarn -RSB- , -LCB- t -RCB- -RRB- is a town . It lies in Ostrea . ",
    ],
    ["Moor-COLON-_A_Tale", "Moor is a tale . "],
  ),
  "wiki/wiki-pages/wiki-002.jsonl": official(["The_Tarn", ""], [
    "Tarn_-LRB-town-RRB-",
    "It has a bridge . ",
  ], ["Bog", "A moor . "]),
};

Deno.test("FEVER's pages are read as published, and shown as pages are", () =>
  inFolder({ ...PAGES, "wiki/wiki-pages/.DS_Store": "what a file manager leaves" }, async () => {
    const world = await claim();
    assert.equal((await world.reset()).observation, "Claim: Tarn has a bridge.");
    const said: [string, string][] = [
      [
        "search[Tarn]",
        "Tarn ( [ taarn ] , { t } ) is a town. It lies in Ostrea .. It has a bridge ..",
      ],
      ["lookup[bridge]", "(Result 1 / 1) It has a bridge .."],
      ["search[moor: a tale]", "Moor is a tale .."],
      [
        "search[tarn_(Town)]",
        "Tarn ( [ taarn ] , { t } ) is a town. It lies in Ostrea .. It has a bridge ..",
      ],
      ["search[the tarn]", ""],
      // words weigh 12 on the town's page and 6 on the other; "tarn" 4 of them and 3: 4 ÷ (4 +
      // 1.61) < 3 ÷ (3 + 1.00)
      ["search[Tarn bridge]", "Could not find Tarn bridge. Similar: ['The Tarn', 'Tarn (town)']."],
      ["search[]", "Could not find . Similar: []."],
      [`search[${"x ".repeat(5000)}]`, `Could not find ${"x ".repeat(5000)}. Similar: [].`],
    ];
    for (const [action, observation] of said) {
      assert.equal((await world.step(action)).observation, observation, action.slice(0, 40));
    }
    assert.equal((await world.step("finish[supports]")).end, "won");
  }));

Deno.test("FEVER's pages in one file are the same world, held in memory", () =>
  inFolder({ ...PAGES, "wiki/some.jsonl": Object.values(PAGES).join("") }, async ({ cache }) => {
    const some = await claim("some.jsonl");
    assert(!existsSync(cache));
    assert.equal(some.spec.identity, (await claim()).spec.identity);
    await some.reset();
    assert.equal(
      (await some.step("search[Tarn bridge]")).observation,
      "Could not find Tarn bridge. Similar: ['The Tarn', 'Tarn (town)'].",
    );
  }));

/** Pages with few words, so that titles and scores meet often. */
function drawnPages(count: number): { title: string; text: string }[] {
  const draw = createDraw("pages");
  const word = (): string =>
    "The tarn Moor bog é Ｂog fen 1 on reed".split(" ")[Math.floor(10 * draw.next())] ?? "";
  const words = (most: number): string =>
    Array.from({ length: 1 + Math.floor(most * draw.next()) }, word).join(" ");
  return Array.from({ length: count }, () => ({
    title: `${words(3)}${draw.next() < 0.3 ? ` (${words(1)})` : ""}`,
    text: ` ${words(6)}. ${words(2)}.${draw.next() < 0.3 ? "\n" : ""}`,
  }));
}

const lines = (pages: readonly unknown[]): string =>
  pages.map((page) => JSON.stringify(page)).join("\n");

Deno.test("a folder gives what memory gives: pages, names, similar titles and identity", () => {
  const pages = drawnPages(3000);
  return inFolder({
    "wiki/own/b.jsonl": lines(pages.slice(1000)),
    "wiki/own/a.jsonl": lines(pages.slice(0, 1000)),
  }, async ({ wiki }) => {
    const [held, indexed] = [
      createWikiPages(pages),
      await openWikiFolder(lookAtFolder(join(wiki, "own"))),
    ];
    assert.deepEqual([indexed.size, indexed.identity], [held.size, held.identity]);
    let found = 0;
    for (const [at, { title }] of drawnPages(1500).entries()) {
      const page = held.find(title);
      if (page) found += 1;
      assert.deepEqual(indexed.find(title), page, title);
      if (at % 5 === 0) assert.deepEqual(indexed.similar(title, 5), held.similar(title, 5), title);
    }
    assert(held.size > 500 && found > 700, `${held.size} pages, of which ${found} were asked for`);
  });
});

Deno.test("a corpus as odd programs write it is the same world from a folder as from a file", () => {
  const odd = [
    { title: "A\0b", text: "Nul \0 here." },
    { title: "A\0c", text: "Nul there." },
    { title: "half \ud83d", text: "Half a letter \ud83d." },
    { title: "half \ude00", text: "The other half." },
    { title: "x".repeat(10_240), text: "Long." },
    { title: "Big", text: "word ".repeat(2 ** 21) }, // 10 MiB, the pieces in which a file is read many times over
  ].map((page) => JSON.stringify(page)).join("\r\n\r\n");
  return inFolder({ "wiki/own/a.jsonl": `\ufeff${odd}\r\n`, "wiki/own.jsonl": odd }, async () => {
    const both = await Promise.all(["own", "own.jsonl"].map(claim));
    assert.equal(both[0]?.spec.identity, both[1]?.spec.identity);
    const said: [string, string][] = [
      ["search[A\0b]", "Could not find A\0b. Similar: ['A\ufffdb', 'A\ufffdc', 'half \ufffd']."],
      ["search[a\ufffdc]", "Nul there.."],
      ["search[Half \ude00]", "Half a letter \ud83d.. The other half.."],
      ["search[half]", "Could not find half. Similar: ['half \ufffd']."],
      [`search[${"X".repeat(10_240)}]`, "Long.."],
    ];
    for (const world of both) {
      await world.reset();
      for (const [action, observation] of said) {
        assert.equal((await world.step(action)).observation, observation, action.slice(0, 40));
      }
      assert.equal((await world.step("search[big]")).observation.length, 5 * 2 ** 21); // its last blank gives way to a full stop
    }
  });
});

slowTest("more pages than one part of the index holds are one corpus", () => {
  const pages = Array.from(
    { length: 66_000 },
    (_, number) => ({ title: `p${number}`, text: number % 30 === 0 ? "moor reed" : "reed" }),
  );
  return inFolder({ "wiki/own/a.jsonl": lines(pages) }, async ({ wiki }) => {
    const indexed = await openWikiFolder(lookAtFolder(join(wiki, "own")));
    assert.equal(indexed.size, 66_000);
    for (const number of [0, 65_535, 65_536, 65_999]) {
      assert.deepEqual(indexed.similar(`P${number}?`, 2), [`p${number}`]);
      assert.deepEqual(indexed.find(`P${number}`), pages[number]);
    }
    // every thirtieth page has "moor", too few to be common; all have "reed", the rarest of a text
    // that has no other
    assert.deepEqual(indexed.similar("reed moor", 3), ["p0", "p10020", "p10050"]);
    assert.deepEqual(indexed.similar("reed", 3), ["p1", "p10", "p100"]);
  });
});

Deno.test("what is wrong with a folder is said in one line, with file and line of a record", async () => {
  const cases: [Record<string, string>, RegExp][] = [
    [
      {
        ...PAGES,
        "wiki/wiki-pages/wiki-003.jsonl": `${official(["Fen", "Wet . "])}{"id": "Reed", "te\n`,
      },
      /wiki-003\.jsonl, line 3: invalid JSON/,
    ],
    [
      { ...PAGES, "wiki/wiki-pages/wiki-000.jsonl": '\n{"id": "Fen"}\n' },
      /wiki-000\.jsonl, line 2: title: /,
    ],
    [
      { ...PAGES, "wiki/wiki-pages/wiki-000.jsonl": '{"title": "Fen"}\n' },
      /wiki-000\.jsonl, line 1: text: /,
    ],
    [
      { ...PAGES, "wiki/wiki-pages/wiki-000.jsonl": "PK\u0003\u0004" },
      /wiki-000\.jsonl, line 1: not a JSON object/,
    ],
    [
      { ...PAGES, "wiki/wiki-pages/wiki-pages.zip": "PK" },
      /wiki-pages\.zip is not a JSON Lines file .*: unpack or remove it/,
    ],
    [
      { "wiki/wiki-pages/wiki-pages/wiki-001.jsonl": "{}" },
      /wiki-pages\/wiki-pages is not a JSON Lines file/,
    ],
    [{ "wiki/wiki-pages/.DS_Store": "" }, /wiki-pages holds no JSON Lines file/],
    [{ "wiki/wiki-pages/a.jsonl": official() }, /wiki-pages has no page/],
    [
      { "wiki/wiki-pages": "PK" },
      /wiki-pages is neither a folder nor a \.json or \.jsonl file: unpack it/,
    ],
    [{}, /there is no .*wiki\/wiki-pages: get wiki-pages from FEVER's authors/],
  ];
  for (const [files, message] of cases) {
    await inFolder(files, async ({ cache }) => {
      await assert.rejects(
        claim(),
        isLine(message),
        String(message),
      );
      if (existsSync(cache)) {
        assert.deepEqual(readdirSync(cache).filter((name) => !name.includes(".lock")), []);
      }
    });
  }
  await inFolder(
    {},
    () => assert.rejects(claim(".."), { name: "WorldError", kind: "bad-parameter" }),
  );
});

/** The one index of the cache. */
function indexOf({ cache }: Place): string {
  const [name = "", ...others] = readdirSync(cache).filter((name) => !name.includes(".lock"));
  assert.deepEqual(others, [], name);
  return join(cache, name);
}

Deno.test("an index is used again until a file changes, comes or goes", () =>
  inFolder({ ...PAGES, "wiki/other/a.jsonl": official(["Fen", "Other . "]) }, async (place) => {
    const first = await claim();
    const { ino } = statSync(indexOf(place));
    const sizes = async (): Promise<number> =>
      (await openWikiFolder(lookAtFolder(join(place.wiki, "wiki-pages")))).size;
    assert.equal(await sizes(), 4);
    assert.equal(statSync(indexOf(place)).ino, ino);
    writeFileSync(join(place.wiki, "wiki-pages", "wiki-002.jsonl"), official(["Bog", "Wet . "]));
    await first.reset();
    await assert.rejects(first.step("search[The Tarn]"), {
      kind: "bad-game",
      message: /wiki-002\.jsonl has been changed since/,
    });
    const second = await claim();
    assert.notEqual(second.spec.identity, first.spec.identity);
    await second.reset();
    assert.equal((await second.step("search[Bog]")).observation, "Wet ..");
    assert.equal(await sizes(), 3);
    rmSync(join(place.wiki, "wiki-pages", "wiki-001.jsonl"));
    assert.equal(await sizes(), 1);
    writeFileSync(indexOf(place), "no index");
    assert.equal(await sizes(), 1);
    const opening = openWikiFolder(lookAtFolder(join(place.wiki, "other")));
    utimesSync(join(place.wiki, "other", "a.jsonl"), 1, 1); // while it is read
    await assert.rejects(opening, { name: "UsageError", message: /other has been changed since/ });
    assert(!indexOf(place).includes("other"));
    await claim("other");
    assert.equal(readdirSync(place.cache).filter((name) => name.endsWith(".sqlite")).length, 2);
  }));

Deno.test("a damaged index is one line that names it, and is written anew once it is removed", () => {
  const pages = drawnPages(3000);
  return inFolder({ "wiki/own/a.jsonl": lines(pages) }, async (place) => {
    const folder = lookAtFolder(join(place.wiki, "own"));
    const { identity } = await openWikiFolder(folder);
    const path = indexOf(place);
    const bytes = readFileSync(path);
    const whole = 3 * bytes.readUInt16BE(16); // the header and the first two tables, by the size of SQLite's pages
    writeFileSync(path, bytes.fill(0xff, whole));
    const damaged = {
      name: "UsageError",
      message: /^the index .*\.sqlite cannot be read: .*malformed; remove that file/,
    };
    await assert.rejects(async () => {
      const indexed = await openWikiFolder(folder);
      indexed.find(pages[0]?.title ?? "");
    }, damaged);
    await assert.rejects(async () => (await openWikiFolder(folder)).similar("Tarn", 5), damaged);
    rmSync(path);
    assert.equal((await openWikiFolder(folder)).identity, identity);
  });
});

/** So many pages that their index takes a while. */
const MANY = {
  "wiki/own/a.jsonl": lines(
    Array.from({ length: 20_000 }, (_, number) => ({ title: `p${number}`, text: "reed" })),
  ),
};

/** Whether an index is being written. */
function isBegun({ cache }: Place): boolean {
  return existsSync(cache) && readdirSync(cache).some((name) => name.endsWith(".part"));
}

/** Opens a folder in a process of its own; a shell's words may come first. */
function openElsewhere(
  folder: string,
  shell = "",
): { readonly child: ChildProcess; readonly said: Promise<string> } {
  const script = join(import.meta.dirname ?? "", "open_folder.ts");
  const child = spawn("sh", [
    "-c",
    `${shell} exec "$RUNTIME" run -A --no-check "$1" "$2"`,
    "sh",
    script,
    folder,
  ], {
    env: { ...process.env, RUNTIME: process.execPath },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout?.on("data", (piece) => out += piece);
  return { child, said: new Promise((resolve) => child.on("close", () => resolve(out))) };
}

Deno.test("a process that is killed while it writes an index leaves none; two that want one at once have the same", () =>
  inFolder(
    MANY,
    async (place) => {
      const folder = join(place.wiki, "own");
      const { child, said } = openElsewhere(folder);
      for (let waited = 0; !isBegun(place) && waited < 200_000; waited += 2) await setTimeout(2);
      child.kill("SIGKILL");
      assert.equal(await said, "");
      assert(indexOf(place).endsWith(".part"));
      const here = openWikiFolder(lookAtFolder(folder));
      const there = openElsewhere(folder);
      assert.equal((await here).size, 20_000);
      assert.equal(await there.said, "20000");
      assert(indexOf(place).endsWith(".sqlite"));
    },
  ));

Deno.test("who waits for an index is told so, and can stop it", () =>
  inFolder(
    MANY,
    async (place) => {
      const told: string[] = [];
      const stop = new AbortController();
      const stoppable = connectWorlds({
        endpoint: "tcp://127.0.0.1:9",
        signal: () => stop.signal,
        onDelay: (what) => told.push(what),
      });
      const opening = stoppable.open("wiki/fever", { index: 0, corpus: "own" });
      const reason = new DOMException("interrupted by the user", "AbortError");
      while (!isBegun(place)) await setTimeout(1);
      stop.abort(reason);
      await assert.rejects(opening, reason);
      assert.deepEqual(readdirSync(place.cache).filter((name) => !name.includes(".lock")), []);
      assert.equal(told.length, 1);
      assert.match(
        told[0] ?? "",
        /own are indexed in .*cache\/wiki, once: this takes minutes where they are gigabytes$/,
      );
      const again = connectWorlds({
        endpoint: "tcp://127.0.0.1:9",
        onDelay: (what) => told.push(what),
      });
      for (let time = 0; time < 2; time++) {
        await again.open("wiki/fever", {
          index: 0,
          corpus: "own",
        });
      }
      assert.equal(told.length, 2);
      await Promise.all([stoppable.close(), again.close()]);
    },
  ));

Deno.test("a cache where files cannot be locked, or cannot be read, is said in one line with its remedy, and nobody waits for it", () =>
  inFolder({ ...PAGES, "wiki/own/a.jsonl": lines(drawnPages(2000)) }, async ({ wiki }) => {
    const library = faultLibrary(wiki);
    if (library === undefined) return;
    const said = (fault: string): Promise<string> =>
      openElsewhere(join(wiki, "own"), `export LD_PRELOAD=${library} ${fault};`).said;
    const { ENOLCK, EOPNOTSUPP } = constants.errno;
    for (const errno of [ENOLCK, EOPNOTSUPP]) {
      assert.match(
        await said(`FAULT_LOCK=${errno}`),
        /^disk: cannot write the index of \S+own to \S+cache\/wiki: files cannot be locked there, .*; set LABYRINTH_CACHE to a folder on a disk[^\n]*$/,
      );
    }
  }));

Deno.test("what goes wrong with an open index is told of the index, not of a store", () =>
  inFolder(PAGES, async (place) => {
    const pages = await openWikiFolder(lookAtFolder(join(place.wiki, "wiki-pages")));
    assert.match(pages.find("Bog")?.text ?? "", /moor/);
    const other = new DatabaseSync(indexOf(place));
    other.exec("drop table names");
    other.close();
    assert.throws(() => pages.find("Bog"), {
      kind: "disk",
      message: /^the index \S+ cannot be read: no such table: names; .*LABYRINTH_CACHE/,
    });
  }));

Deno.test("a cache that cannot be written, or is full, is said in one line with its remedy", () =>
  inFolder(
    { ...PAGES, "wiki/own/a.jsonl": lines(drawnPages(2000)), "file": "" },
    async ({ wiki, cache }) => {
      const { said } = openElsewhere(join(wiki, "own"), 'trap "" XFSZ; ulimit -f 100;'); // no file of more than 50 KiB
      assert.match(
        await said,
        /^disk: cannot write the index of .*own to .*cache\/wiki: .*; free some space there and for temporary files, or set LABYRINTH_CACHE [^\n]*$/,
      );
      assert.deepEqual(readdirSync(cache).filter((name) => !name.includes(".lock")), []);
      using _file = withVariables({ LABYRINTH_CACHE: join(wiki, "..", "file") });
      await assert.rejects(claim(), {
        name: "WorldError",
        kind: "disk",
        message:
          /^[^\n]*free some space there and for temporary files, or set LABYRINTH_CACHE[^\n]*$/,
      });
    },
  ));

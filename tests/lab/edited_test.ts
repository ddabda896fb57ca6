/**
 * User-defined code that was edited is played again, and says so; what else changes under a study's episodes
 * is refused.
 */

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Outcome } from "../../lib/core/agent/method.ts";
import type { MeasuredEnvironment, Turn } from "../../lib/core/env/environment.ts";
import type { Worlds } from "../../lib/core/env/worlds.ts";
import { experiment } from "../../lib/lab/experiment.ts";
import { playStudy, priceStudy } from "../../lib/lab/lab.ts";
import * as library from "../../lib/lab/lab.ts";
import { sourceHash } from "../../lib/lab/source.ts";
import { createAct, createMem0, createRag } from "../../lib/mod.ts";
import type { CustomMemory, CustomMethod } from "../../lib/lab/study.ts";
import type { MemoryContext } from "../../lib/core/memory/memory.ts";
import * as numbers from "../../lib/core/stats/mod.ts";
import { Frozen } from "./frozen.ts";
import { openStore, type Store } from "../../lib/lab/store/open.ts";
import { ownFolder } from "../folder.ts";

/** Says what its memory recalls, which is its score. */
const sayer: CustomMethod = {
  id: "sayer",
  create: (memory) => ({
    id: "sayer",
    run: async ({ world, recorder }): Promise<Outcome> => {
      const env = await world();
      await recorder.step({ pass: 0, step: 0, turn: await env.reset() });
      const { sections } = await (memory?.({} as MemoryContext) ?? assert.fail()).recall({
        step: 1,
        goal: "",
        observation: "",
        plan: "",
      });
      const action = sections["what"] ?? "";
      const turn = await env.step(action);
      await recorder.step({ pass: 0, step: 1, action, turn });
      return {
        passes: [{
          kind: "only",
          score: turn.score,
          maxScore: turn.maxScore,
          steps: 1,
          end: turn.end,
        }],
      };
    },
  }),
};

function memory(recall: () => string, id = "own"): CustomMemory {
  return {
    id,
    create: () => ({
      id,
      observe: () => Promise.resolve(),
      recall: () => Promise.resolve({ sections: { what: recall() } }),
      save: () => ({ kind: id, body: null }),
      load: () => {},
    }),
  };
}

const two = (): string => "2";
const three = (): string => "3";
/**
 * The code of `create` is the same in all: what tells them apart is what the functions around it
 * hold.
 */
const saysTwo = memory(two);
const saysThree = memory(three);

function adder(step: (sum: number) => number): Worlds {
  const turn = (score: number): Turn => ({
    goal: "",
    observation: "",
    sections: {},
    frames: [],
    score,
    maxScore: 10,
    end: "limit",
  });
  const env: MeasuredEnvironment = {
    spec: {
      id: "adder",
      version: "1",
      parameters: {},
      sections: [],
      actions: [],
      fallback: "",
      identity: "0".repeat(64),
    },
    reset: () => Promise.resolve({ ...turn(0), end: undefined }),
    step: (action) => Promise.resolve(turn(step(Number(action)))),
    validActions: () => Promise.resolve(undefined),
    truth: () => Promise.resolve({}),
    close: () => Promise.resolve(),
  };
  return {
    list: () => Promise.resolve([]),
    open: () => Promise.resolve({ ...env, step: (action) => env.step(action) }),
    close: () => Promise.resolve(),
  };
}

async function play(
  store: Store,
  mine: CustomMemory,
  more: {
    worlds?: Worlds;
    method?: CustomMethod;
    modelOptions?: Record<string, number>;
    fresh?: boolean;
  } = {},
): Promise<{ scores: (number | undefined)[]; said: string[] }> {
  const { worlds = adder((sum) => sum), method = sayer, modelOptions, fresh } = more;
  const said: string[] = [];
  const study = experiment({
    id: "edited",
    worlds: ["adder"],
    methods: [method],
    memories: [mine],
    modelOptions,
  });
  const { episodes } = await playStudy(study, {
    store,
    worlds,
    fresh,
    onNotice: (what) => said.push(what),
  });
  return { scores: episodes.map(({ score }) => score), said };
}

Deno.test("an edited memory, method or world never gives a stale number, and says that it is played again", async () => {
  using store = openStore(":memory:");
  assert.deepEqual(await play(store, saysTwo), { scores: [2], said: [] });
  assert.deepEqual(await play(store, saysTwo), { scores: [2], said: [] });
  const again = "or what it uses was edited: 1 recorded episode of edited is played again";
  assert.deepEqual(await play(store, saysThree), {
    scores: [3],
    said: [`the memory own ${again}`],
  });
  const method: CustomMethod = { ...sayer, create: (memory) => ({ ...sayer.create(memory) }) };
  assert.deepEqual(await play(store, saysThree, { method }), {
    scores: [3],
    said: [`the method sayer ${again}`],
  });
  const worlds = { ...adder((sum) => sum), open: () => adder((sum) => sum + 1).open("adder") };
  assert.deepEqual(await play(store, saysThree, { method, worlds }), {
    scores: [4],
    said: [`the world adder ${again}`],
  });
  const study = experiment({
    id: "edited",
    worlds: ["adder"],
    methods: [method],
    memories: [saysThree],
  });
  assert.equal((await priceStudy(study, { store, worlds })).toPlay, 0);
  assert.equal((await priceStudy(study, { store, worlds: adder((sum) => sum + 2) })).toPlay, 1);
});

Deno.test("options of a user-defined memory are part of its identity; another change of the study is refused in words of a notebook", async () => {
  using store = openStore(":memory:");
  await play(store, saysTwo);
  assert.match(
    (await play(store, { ...saysTwo, options: { k: 1 } })).said.join(),
    /the memory own or what it uses was edited/,
  );
  await assert.rejects(play(store, memory(() => "2", "another")), {
    name: "StoreError",
    kind: "conflict",
    message: /fresh: true \}\)$/,
  });
  assert.deepEqual((await play(store, memory(() => "2", "another"), { fresh: true })).scores, [2]);
});

Deno.test("playStudy() tells of each failed episode with its error, and of a mistyped option with the nearest", async () => {
  using store = openStore(":memory:");
  const boom = new RangeError("boom");
  const failures: unknown[] = [];
  const study = experiment({
    id: "failing",
    worlds: ["adder"],
    methods: [sayer],
    memories: [memory(() => {
      throw boom;
    })],
  });
  const worlds = adder((sum) => sum);
  const { failed } = await playStudy(study, {
    store,
    worlds,
    onFailure: (_, error) => failures.push(error),
  });
  assert.deepEqual([failed, failures], [1, [boom]]);
  const misspelt = { store, worlds, frehs: true };
  await assert.rejects(playStudy(study, misspelt), {
    name: "UsageError",
    message: /no option "frehs"; did you mean "fresh"\?/,
  });
});

Deno.test("sourceHash() tells code apart, follows what is around it, in its module and in cells, and ends at circles", async () => {
  const hash = (value: unknown): Promise<string> => sourceHash([value], { closures: true });
  assert.notEqual(await hash(() => 1), await hash(() => 2));
  const adds = (k: number, rules = { a: [k] }) => () => k + rules.a.length + helper();
  assert.notEqual(await hash(adds(1)), await hash(adds(2)));
  assert.equal(await hash(adds(1)), await hash(adds(1)));
  const before = await hash(adds(1));
  helper = () => 4;
  assert.notEqual(await hash(adds(1)), before);
  const circle: Record<string, unknown> = { two };
  circle["self"] = circle;
  assert.match(await hash(circle), /^[0-9a-f]{16}$/);
  const imports = () => openStore(":memory:");
  assert.equal(await hash(imports), await hash(imports));
  const shared = globalThis as unknown as { sharedByCells?: unknown };
  const using = new Function("return sharedByCells()");
  shared.sharedByCells = () => 1;
  const first = await sourceHash([using], { closures: false });
  shared.sharedByCells = () => 2;
  assert.notEqual(await sourceHash([using], { closures: false }), first);
  delete shared.sharedByCells;
});

Deno.test("sourceHash() follows objects that code uses: sets, patterns, dates, instances, classes under classes", async () => {
  const uses = (code: string, before: string) =>
    sourceHash([new Function(`${before}; return ${code};`)()], { closures: true });
  const edits: [code: string, before: string, after: string][] = [
    ["() => S.has(1)", "const S = new Set([1])", "const S = new Set([2])"],
    ["() => M.get(1)", "const M = new Map([[1, [1]]])", "const M = new Map([[1, [2]]])"],
    ["() => R.test('a')", "const R = /a/", "const R = /b/"],
    ["() => D.getTime()", "const D = new Date(1)", "const D = new Date(2)"],
    ["() => V[0]", "const V = new Float32Array([1])", "const V = new Float32Array([2])"],
    ["() => rank.k", "const rank = new class { k = 1 }()", "const rank = new class { k = 2 }()"],
    [
      "() => rank.go()",
      "const rank = new class { go() { return 1; } }()",
      "const rank = new class { go() { return 2; } }()",
    ],
    ["() => Own.k", "class Own {} Own.k = 1", "class Own {} Own.k = 2"],
    [
      "class extends Base {}",
      "class Base { go() { return 1; } }",
      "class Base { go() { return 2; } }",
    ],
    [
      "() => ({ observe: (k) => k, recall: (text) => text.slice(k) })",
      "const k = 1",
      "const k = 2",
    ],
    ["(text) => text.split(/\\/\\//).slice(k)", "const k = 1", "const k = 2"],
    ["(text) => text.split(/`/).slice(k).join('`')", "const k = 1", "const k = 2"],
    ["() => `a ${f({ one: 1 }, k)} b`", "const k = 1", "const k = 2"],
  ];
  const own = "class Own { #k = 1; static #s = 1; get() { return this.#k + Own.#s; } }";
  const inBase =
    "class Base { #k; constructor(k) { this.#k = k; } k() { return this.#k; } } class Own extends Base {}";
  const f = "function f(a, b) { return a + (b?.k ?? 0); }";
  edits.push(
    [
      "() => one.get()",
      `${own} const one = new Own()`,
      `${own.replace("#k = 1", "#k = 2")} const one = new Own()`,
    ],
    [
      "() => one.k()",
      `${inBase} const one = new Own({ deep: [1] })`,
      `${inBase} const one = new Own({ deep: [2] })`,
    ],
    [
      "() => Own.s()",
      "let k = 1; class Own { static #s = k; static s() { return Own.#s; } } k = 0",
      "let k = 2; class Own { static #s = k; static s() { return Own.#s; } } k = 0",
    ],
    ["() => g()", `${f} const g = f.bind(null, 1)`, `${f} const g = f.bind(null, 2)`],
    [
      "() => g()",
      `${f} const g = f.bind(null, 1, { k: 1 })`,
      `${f} const g = f.bind(null, 1, { k: 2 })`,
    ],
    [
      "() => g()",
      `${f} const g = f.bind(null, 1)`,
      `${f.replace("+", "-")} const g = f.bind(null, 1)`,
    ],
    [
      "() => g()",
      "const g = function () { return this.k; }.bind({ k: 1 })",
      "const g = function () { return this.k; }.bind({ k: 2 })",
    ],
    [
      "() => last()",
      `const table = Array.from({ length: 400 }, (_, k) => ({ k })); const last = () => { table; return h(); }; const h = () => 1`,
      `const table = Array.from({ length: 400 }, (_, k) => ({ k })); const last = () => { table; return h(); }; const h = () => 2`,
    ],
  );
  for (const [code, before, after] of edits) {
    assert.equal(await uses(code, before), await uses(code, before), code);
    assert.notEqual(await uses(code, before), await uses(code, after), code);
  }
});

Deno.test("sourceHash() takes a memory or method of the library by id and version, whatever its schema has computed since", async () => {
  const cells = globalThis as unknown as Record<"createOfCell", unknown>;
  const hashes: string[] = [];
  for (const create of [createRag, createRag, createMem0, createAct]) {
    cells.createOfCell = create;
    hashes.push(
      await sourceHash([new Function("return () => createOfCell({})")()], { closures: true }),
    );
    create({});
  }
  assert.equal(hashes[1], hashes[0]);
  assert.equal(new Set(hashes).size, 3);
});

Deno.test("sourceHash() sees the fields of an object whose class is imported", async () => {
  const hash = (value: object): Promise<string> => sourceHash([() => value], { closures: true });
  assert.equal(await hash(new Frozen(1)), await hash(new Frozen(1)));
  assert.notEqual(await hash(new Frozen(1)), await hash(new Frozen(2)));
});

Deno.test("sourceHash() follows what is imported from files of the user's, and nothing of the library's", async () => {
  using own = ownFolder();
  const folder = own.path;
  const edited = async (
    name: string,
    inner: string,
  ): Promise<{ readonly shout: () => string }> => {
    await writeFile(
      join(folder, `${name}.ts`),
      `const inner = () => ${inner};\nexport const shout = (): string => inner();\n`,
    );
    return await import(pathToFileURL(join(folder, `${name}.ts`)).href);
  };
  const [first, same, other] = [
    await edited("a", "'x'"),
    await edited("b", "'x'"),
    await edited("c", "'y'"),
  ];
  const hash = (value: unknown): Promise<string> => sourceHash([() => value], { closures: true });
  assert.equal(await hash(first.shout), await hash(same.shout));
  assert.notEqual(
    await hash(first.shout),
    await hash(other.shout),
    "a function that an imported one calls was edited",
  );
  assert.equal(await hash(first), await hash(same));
  assert.notEqual(await hash(first), await hash(other), "the same by way of the whole module");
  assert.equal(
    await hash(library),
    await hash(numbers),
    "modules of the library are not looked into",
  );
});

Deno.test("sourceHash() of a world reads what its step is bound to, but for the objects that hold its state", async () => {
  const step = function (this: { n: number }, by: number): number {
    return this.n += by;
  };
  const hash = (f: unknown): Promise<string> => sourceHash([f], { closures: false });
  assert.equal(await hash(step.bind({ n: 1 }, 1)), await hash(step.bind({ n: 2 }, 1)));
  assert.notEqual(await hash(step.bind({ n: 1 }, 1)), await hash(step.bind({ n: 1 }, 2)));
  const other = function (this: { n: number }, by: number): number {
    return this.n -= by;
  };
  assert.notEqual(await hash(step.bind({ n: 1 }, 1)), await hash(other.bind({ n: 1 }, 1)));
});

let helper = (): number => 3;

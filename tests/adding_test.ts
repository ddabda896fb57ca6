/**
 * Adding a memory, a method or an embedder takes one new file and one line: a copy of the tree gets
 * one of each and plays with them.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { checkoutRoot } from "../lib/core/platform.ts";

/** What is added: a new file, and a line of a list. */
interface Addition {
  readonly file: string;
  readonly source: string;
  readonly list: string;
  readonly line: string;
}

const MEMORY: Addition = {
  file: "lib/core/memory/echo.ts",
  list: "lib/core/memory/memory-list.ts",
  line: 'export { echo } from "./echo.ts";',
  source: `
import { z } from "zod";
import { checkOptions } from "../text/registry.ts";
import type { MemoryEntry } from "./memory.ts";

const options = z.strictObject({ times: z.int().min(1).default(2) });

/** Repeats the last observation, and tells the length of its vector. */
export const echo: MemoryEntry = {
  id: "echo",
  description: "the last observation, repeated",
  version: "1",
  options,
  prompts: [],
  create: (given = {}) => {
    const { times } = checkOptions("the memory echo", options, given);
    return ({ embedder }) => {
      let last = "";
      return {
        id: "echo",
        observe: async ({ observation }) => void (last = observation),
        recall: async () => {
          const [vector] = await embedder.embed([last]);
          return { sections: { Echo: last.repeat(times) }, recalled: { echo: [last], vector: [String(vector)] } };
        },
        save: () => ({ kind: "echo", body: last }),
        load: ({ body }) => void (last = String(body)),
      };
    };
  },
};
`,
};

const EMBEDDER: Addition = {
  file: "lib/core/retrieval/letters.ts",
  list: "lib/core/retrieval/embedder-list.ts",
  line: 'export { letters } from "./letters.ts";',
  source: `
import type { EmbedderEntry } from "./embedder.ts";

/** The number of letters in a text, times a factor. */
export const letters: EmbedderEntry = {
  id: "letters",
  description: "the number of letters",
  argument: "factor",
  open: (factor) =>
    Promise.resolve({
      id: "letters-" + factor,
      dimensions: 1,
      embed: (texts) => Promise.resolve(texts.map((text) => Float32Array.of(Number(factor) * text.length))),
    }),
};
`,
};

const METHOD: Addition = {
  file: "lib/core/agent/repeat.ts",
  list: "lib/core/agent/method-list.ts",
  line: 'export { repeat } from "./repeat.ts";',
  source: `
import { z } from "zod";
import { UsageError } from "../errors.ts";
import { checkOptions } from "../text/registry.ts";
import type { MethodEntry } from "./method.ts";

const options = z.strictObject({ action: z.string().default("look") });

export const repeat: MethodEntry = {
  id: "repeat",
  description: "the same action on every step",
  version: "1",
  options,
  prompts: [],
  takesMemory: true,
  create: ({ memory: createMemory, ...given } = {}) => {
    const { action } = checkOptions("the method repeat", options, given);
    if (!createMemory) throw new UsageError("repeat needs a memory");
    return {
      id: "repeat",
      run: async ({ world, ask, embedder, recorder }) => {
        const memory = createMemory({ ask, embedder });
        const environment = await world();
        let turn = await environment.reset();
        let step = 0;
        await recorder.step({ pass: 0, step, turn });
        while (!turn.end) {
          const seen = { step: ++step, goal: turn.goal, observation: turn.observation };
          await memory.observe(seen);
          const { recalled } = await memory.recall({ ...seen, plan: "" });
          turn = await environment.step(action);
          await recorder.step({ pass: 0, step, action, turn, details: { recalled } });
        }
        await environment.close();
        return { passes: [{ kind: "only", score: turn.score, maxScore: turn.maxScore, steps: step, end: turn.end }] };
      },
    };
  },
};
`,
};

/** Plays an episode by the names that a study would use, and prints what came of it. */
const PLAY = `
import { chooseMemory, chooseMethod } from "./lib/lab/choices.ts";
import { openEmbedder } from "./lib/core/retrieval/embedders.ts";
import { createAsker } from "./lib/core/llm/asker.ts";
import { scripted } from "./lib/core/llm/scripted.ts";
import { recording } from "./tests/core/agent/recording.ts";
import { tinyWorld } from "./tests/core/agent/tiny-world.ts";

const planned = JSON.parse(Deno.args[0]);
const memory = chooseMemory(planned);
const method = chooseMethod(planned, memory);
const record = recording();
const { passes } = await method.create().run({
  world: async () => tinyWorld({ stepLimit: 4 }),
  ask: createAsker({ model: scripted([]) }),
  embedder: await openEmbedder(planned.embedder),
  recorder: record.recorder,
  seed: 1,
});
console.log(JSON.stringify({ memory: memory.identity, method: method.identity, passes, details: record.steps.map((step) => step.details) }));
`;

interface Played {
  readonly memory: Readonly<Record<string, unknown>>;
  readonly method: Readonly<Record<string, unknown>>;
  readonly passes: readonly { readonly steps: number }[];
  readonly details:
    readonly ({ readonly recalled?: Readonly<Record<string, readonly string[]>> } | null)[];
}

/** A copy of the library in a folder of its own. */
function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), "labyrinth-adding-"));
  for (
    const path of [
      "lib",
      "data/library",
      "deno.json",
      "tests/core/agent/recording.ts",
      "tests/core/agent/tiny-world.ts",
    ]
  ) {
    cpSync(join(checkoutRoot(), path), join(copy, path), { recursive: true });
  }
  symlinkSync(join(checkoutRoot(), "node_modules"), join(copy, "node_modules"));
  return copy;
}

function add(copy: string, { file, source, list, line }: Addition): void {
  writeFileSync(join(copy, file), source);
  writeFileSync(join(copy, list), `${readFileSync(join(copy, list), "utf8")}${line}\n`);
}

/**
 * Each file of the copy that the checkout lacks or has otherwise: `new`, or its lines that are new.
 */
function touched(copy: string): Record<string, "new" | string[]> {
  const found: Record<string, "new" | string[]> = {};
  const known = new Set(
    readdirSync(join(checkoutRoot(), "lib"), { recursive: true, encoding: "utf8" }),
  );
  for (
    const path of readdirSync(join(copy, "lib"), { recursive: true, encoding: "utf8" }).filter((
      path,
    ) => path.endsWith(".ts"))
  ) {
    if (!known.has(path)) {
      found[`lib/${path}`] = "new";
      continue;
    }
    const [before, after] = [checkoutRoot(), copy].map((root) =>
      readFileSync(join(root, "lib", path), "utf8")
    );
    if (before !== after) {
      found[`lib/${path}`] = after?.replace(before ?? "", "").trimEnd().split("\n") ?? [];
    }
  }
  return found;
}

function play(copy: string, planned: Readonly<Record<string, string>>): Played {
  writeFileSync(join(copy, "play.ts"), PLAY);
  const flags = [
    "run",
    "--no-check",
    "--no-lock",
    "--cached-only",
    "--node-modules-dir=manual",
    "--allow-all",
  ];
  return JSON.parse(
    execFileSync(process.execPath, [...flags, "play.ts", JSON.stringify(planned)], {
      cwd: copy,
      encoding: "utf8",
    }),
  );
}

Deno.test("a memory, a method and an embedder are added by one new file and one line each", () => {
  const copy = copyTree();
  try {
    for (const addition of [MEMORY, METHOD, EMBEDDER]) add(copy, addition);
    assert.deepEqual(touched(copy), {
      [MEMORY.file]: "new",
      [MEMORY.list]: [MEMORY.line],
      [METHOD.file]: "new",
      [METHOD.list]: [METHOD.line],
      [EMBEDDER.file]: "new",
      [EMBEDDER.list]: [EMBEDDER.line],
    });
    const { memory, method, passes, details } = play(copy, {
      method: "repeat",
      memory: "echo",
      embedder: "letters:2",
    });
    assert.deepEqual(memory, { id: "echo", version: "1", options: { times: 2 } });
    assert.deepEqual(method, { id: "repeat", version: "1", options: { action: "look" } });
    assert.equal(passes[0]?.steps, 4);
    const { echo: [seen = ""] = [], vector } = details.find((step) => step?.recalled)?.recalled ??
      {};
    assert.match(seen, /^-= Hall =-/);
    assert.deepEqual(vector, [String(2 * seen.length)]);
  } finally {
    rmSync(copy, { recursive: true });
  }
});

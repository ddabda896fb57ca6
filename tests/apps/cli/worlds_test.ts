import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import process from "node:process";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { main as keys } from "../../../lib/apps/cli/keys.ts";
import { main as playWorld, play } from "../../../lib/apps/cli/play.ts";
import { main as serve } from "../../../lib/apps/cli/serve.ts";
import { main as listWorlds } from "../../../lib/apps/cli/worlds.ts";
import type { StepRecord } from "../../../lib/core/agent/method.ts";
import { connectWorlds } from "../../../lib/core/env/mod.ts";
import { spawnServer } from "../../../lib/core/env/server.ts";
import { UsageError } from "../../../lib/core/errors.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { withVariables } from "../../environment.ts";

// One server for this process and for the commands it starts.
const server = spawnServer([]);
const variables = withVariables({ LAB_WORLDS: (await server.ready).endpoint });
const worlds = connectWorlds();
Deno.test.afterAll(async () => {
  await worlds.close();
  variables[Symbol.dispose]();
  server.child.stdin?.end();
  await server.exited;
});

/** Runs the command line in a process of its own. */
function lab(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  const words = [
    "run",
    "-A",
    "--no-check",
    join(checkoutRoot(), "lib", "apps", "cli", "main.ts"),
    ...args,
  ];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      words,
      (error, out, err) => resolve({ status: Number(error?.code ?? 0), out, err }),
    );
  });
}

Deno.test("worlds --json prints the catalogue as one JSON value and nothing else", async () => {
  const { status, out, err } = await lab("worlds", "--json");
  assert.equal(status, 0);
  assert.equal(err, "");
  assert.deepEqual(JSON.parse(out), JSON.parse(JSON.stringify(await worlds.list())));
});

Deno.test("worlds prints every world with its parameters, ranges and defaults in 100 columns", async () => {
  const out = stripVTControlCharacters((await lab("worlds")).out);
  const flat = out.replaceAll(/\s+/g, " ");
  for (const { id, doc } of await worlds.list()) assert.ok(flat.includes(`${id} ${doc}`), id);
  assert.deepEqual(out.split("\n").filter((line) => line.length > 100), []);
  assert.match(out, /^ {4}stepLimit +integer 1\.\.\d+ = \d+: /m);
  const corpora = [...out.matchAll(/^ {4}corpus +string (\w+)/gm)].map(([, given]) => given);
  assert.deepEqual(corpora, ["required", "optional", "optional"]); // of FEVER, HotpotQA and MuSiQue
});

Deno.test("unknown options, worlds and parameters are refused with one line that names the choices", async () => {
  for (
    const [main, args, choices] of [
      [listWorlds, ["--jsn"], /did you mean --json\?/],
      [listWorlds, ["textworld/hnut"], /did you mean "textworld\/hunt"\?/],
      [listWorlds, ["textwrld"], /did you mean "textworld/],
      [playWorld, [], /needs a world, e\.g\. textworld\/hunt/],
      [playWorld, ["nowhere"], /textworld\/hunt/],
      [playWorld, ["textworld/hutn"], /did you mean "textworld\/hunt"\?/],
      [playWorld, ["textworld/hunt", "planets=3"], /stepLimit/],
      [playWorld, ["textworld/hunt", "stepLimti=3"], /did you mean "stepLimit"\?/],
      [playWorld, ["textworld/hunt", "seed"], /name=value/],
      [playWorld, ["textworld/hunt", "--seed", "many"], /seed/],
      [keys, [], /missing required argument .folder.; see \.\/lab keys --help/],
      [serve, ["--bidn", "1"], /did you mean --bind\?/],
    ] as const
  ) {
    const isTold = (error: unknown): boolean =>
      error instanceof UsageError && choices.test(error.message) && !error.message.includes("\n");
    await assert.rejects(main(args), isTold, args.join(" "));
  }
  const { status, out, err } = await lab("worlds", "--jsn");
  assert.deepEqual([status, out], [2, ""]);
  assert.match(err, /^lab: [^\n]*--json[^\n]*\n$/);
});

Deno.test("play() plays what a person types, shows the valid actions, and records each step", async () => {
  const env = await worlds.open("textworld/hunt", { stepLimit: 3 });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const shown = text(output);
  const records: StepRecord[] = [];
  input.end("?\n\ntake Key 1\nlook. look\ninventory\nlook\nnever played\n");
  const recorder = {
    step: (record: StepRecord): Promise<void> => Promise.resolve(void records.push(record)),
  };
  const last = await play(env, { input, output, recorder });
  output.end();
  await env.close();
  assert.deepEqual(records.map(({ step, action }) => [step, action]), [
    [0, undefined],
    [1, "take Key 1"],
    [2, "inventory"],
    [3, "look"],
  ]);
  assert.equal(records.at(-1)?.turn, last);
  const seen = await shown;
  assert.match(seen, /^take Key 1$/m); // among the valid actions
  assert.match(seen, /several commands/);
  assert.match(seen, /carrying: a Key 1/);
  assert.match(seen, /The step limit ended the game after 3 steps\. Score: 1 of 5/);
});

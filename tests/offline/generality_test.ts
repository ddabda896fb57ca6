/**
 * The stand-in is general, not tuned: in games that are drawn when the test runs, and again
 * with every name replaced by an invented word, Ariadne with AriGraph beats random possible
 * actions. A small form always runs; LAB_SLOW=1 plays 20 hunts and 20 cookings of each.
 */

import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import process from "node:process";
import {
  connectWorlds,
  createAriadne,
  createAriGraph,
  createAsker,
  createRandom,
  type Method,
} from "../../lib/mod.ts";
import { createLexicalEmbedder } from "../../lib/core/retrieval/lexical.ts";
import { comparePaired } from "../../lib/core/stats/paired.ts";
import { withoutTruth } from "../../lib/core/env/session.ts";
import { createStandIn } from "../../lib/offline/stand-in.ts";
import { offlineResponders } from "../../lib/offline/responders/mod.ts";
import { env } from "../../lib/core/platform.ts";
import { wantsSlow } from "../slow.ts";

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

interface Game {
  readonly world: string;
  readonly seed: number;
  readonly rename?: number;
}

/** Games of fresh seeds, none of them 0, which is the paper's. LAB_SEED repeats a draw. */
function drawn(
  world: string,
  { count, renamed }: { readonly count: number; readonly renamed: boolean },
): Game[] {
  const first = Number(env("LAB_SEED") ?? randomInt(1, 2 ** 30));
  print(
    `${world}${renamed ? ", renamed" : ""}: seeds ${first} … ${
      first + count - 1
    } (LAB_SEED=${first})`,
  );
  return Array.from(
    { length: count },
    (_, index) => ({ world, seed: first + index, ...(renamed ? { rename: first + index } : {}) }),
  );
}

async function score(method: Method, { world, ...parameters }: Game): Promise<number> {
  const model = createStandIn({
    responders: offlineResponders,
    modelOptions: { seed: parameters.seed },
  });
  const outcome = await method.run({
    world: async () => withoutTruth(await worlds.open(world, parameters)),
    ask: createAsker({ model }),
    embedder: createLexicalEmbedder(),
    recorder: { step: () => Promise.resolve(), event: () => {} },
    seed: parameters.seed,
  });
  const pass = outcome.passes[0];
  assert(pass && pass.maxScore > 0);
  return pass.score / pass.maxScore;
}

/** Normalised scores of both methods on the same games. */
async function play(
  games: readonly Game[],
): Promise<{ readonly ariadne: number[]; readonly random: number[] }> {
  const ariadne: number[] = [];
  const random: number[] = [];
  for (const game of games) {
    ariadne.push(await score(createAriadne({ memory: createAriGraph() }), game));
    random.push(await score(createRandom(), game));
  }
  return { ariadne, random };
}

Deno.test("offline Ariadne with AriGraph beats random actions in drawn games with invented names", async () => {
  const games = ["textworld/hunt", "textworld/cooking"].flatMap((world) =>
    drawn(world, { count: 1, renamed: true })
  );
  const { ariadne, random } = await play(games);
  assert(sum(ariadne) > sum(random), `Ariadne ${ariadne.join(", ")}; random ${random.join(", ")}`);
});

for (const world of ["textworld/hunt", "textworld/cooking"]) {
  for (const renamed of [false, true]) {
    const name =
      `offline: the paired 95 % interval of Ariadne over random lies above zero, 20 games, ${world}${
        renamed ? ", renamed" : ""
      }`;
    Deno.test({
      name,
      ignore: !wantsSlow(
        `20 games of ${world}${renamed ? ", renamed" : ""}, against random actions`,
      ),
      async fn(): Promise<void> {
        const games = drawn(world, { count: 20, renamed });
        const { ariadne, random } = await play(games);
        const difference = comparePaired(ariadne, random, { range: [0, 1] });
        const { low = NaN, high = NaN } = difference.t ?? {};
        print(
          `  Ariadne ${(sum(ariadne) / 20).toFixed(3)}, random ${(sum(random) / 20).toFixed(3)}, ` +
            `difference ${difference.mean.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`,
        );
        assert(low > 0);
      },
    });
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

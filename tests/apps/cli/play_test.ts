/** A person's games go into the store. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { play as playIn } from "../../../lib/apps/cli/play.ts";
import { connectWorlds, type Environment } from "../../../lib/core/env/mod.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";
import { episodes as framed } from "../../../lib/lab/frames.ts";
import { listEpisodes } from "../../../lib/lab/store/episodes.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { listTurns } from "../../../lib/lab/store/turns.ts";
import { ownFolder } from "../../folder.ts";

/** `./lab play` with these lines typed in. */
async function play(lines: readonly string[], ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [
    "run",
    "-A",
    "--no-check",
    join(checkoutRoot(), "lib", "apps", "cli", "main.ts"),
    "play",
    ...args,
  ]);
  const ended = new Promise<number>((resolve) =>
    child.on("exit", (status) => resolve(status ?? -1))
  );
  child.stdin.end(lines.map((line) => `${line}\n`).join(""));
  const [out, err, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  assert.equal(status, 0, err);
  return out;
}

Deno.test("play records each session as an episode; one that was left stands in no table", async () => {
  using own = ownFolder();
  const folder = own.path;
  const path = join(folder, "lab.sqlite");
  const left = await play(["take Key 1", "look"], "textworld/hunt", "--store", path);
  assert.match(
    left,
    /You left after 2 steps\. Score: 1 of 5\nRecorded as [0-9a-f]{16}, unfinished: it counts in no table\n$/,
  );
  const ended = await play(
    ["?", "help", "inventory", "", "take Key 1"],
    "textworld/hunt",
    "stepLimit=2",
    "--store",
    path,
  );
  assert.match(ended, /Recorded as ([0-9a-f]{16}): \.\/lab show \1\n$/);

  using store = openStore(path);
  const episodes = listEpisodes(store, { study: "human" }).toSorted((a, b) =>
    a.attempt - b.attempt
  );
  assert.deepEqual(
    episodes.map((
      { method, condition, world, attempt, status, failureKind, score, maxScore, steps, ended },
    ) => ({
      method,
      condition,
      world,
      attempt,
      status,
      ...(failureKind === undefined ? { score, maxScore, steps, ended } : { failureKind }),
    })),
    [
      {
        method: "human",
        condition: "human",
        world: "textworld/hunt",
        attempt: 1,
        status: "failed",
        failureKind: "unfinished",
      },
      ...[{
        method: "human",
        condition: "human",
        world: "textworld/hunt",
        attempt: 2,
        status: "completed",
      }]
        .map((row) => ({ ...row, score: 1, maxScore: 5, steps: 2, ended: "limit" })),
    ],
  );
  assert.deepEqual(
    listTurns(store, episodes[0]?.id ?? "").map(({ step, action }) => [step, action]),
    [
      [0, undefined],
      [1, "take Key 1"],
      [2, "look"],
    ],
  );
  assert.deepEqual(framed(store, "human").select("attempt", "score").rows(), [[2, 0.2]]);
});

Deno.test("a section is left out only where the observation tells it, not where its words stand there by chance", async () => {
  const observation =
    "-= Cellar =-\nA key lies under a keyhole at depth 2, says the monkey. Open the door to win.\n\n  You smell smoke.";
  const turn = {
    goal: "Open the door",
    observation,
    sections: {
      carrying: "key",
      smell: "You smell smoke.",
      location: "Cellar",
      depth: "2",
      deepest: "2",
      turn: "",
    },
    frames: [],
    score: 0,
    maxScore: 1,
  };
  const world: Environment = {
    spec: {
      id: "cellar",
      version: "1",
      parameters: {},
      sections: [],
      actions: [],
      fallback: "wait",
      identity: "",
    },
    reset: () => Promise.resolve(turn),
    step: () => Promise.reject(new Error("nothing is typed")),
    validActions: () => Promise.resolve([]),
    close: () => Promise.resolve(),
  };
  const output = new PassThrough();
  await playIn(world, { input: Readable.from([]), output });
  assert.equal(
    (await text(output.end())).split("\n\n(?")[0],
    `Goal: Open the door\n\n${observation}\n\ncarrying: key\ndeepest: 2`,
  );
});

Deno.test("a person sees the goal once, and with each turn what the observation leaves out", async () => {
  const worlds = connectWorlds();
  const shown = async (
    id: string,
    params: Record<string, unknown>,
    ...lines: string[]
  ): Promise<string> => {
    const output = new PassThrough();
    const input = Readable.from(lines.map((line) => `${line}\n`));
    await playIn(await worlds.open(id, params), { input, output });
    return await text(output.end());
  };
  try {
    const maze = await shown(
      "babyai",
      {},
      "left",
      "pickup",
      "go_to_entity(grey box)",
      "pick_up_entity(grey box)",
    );
    assert.equal(maze.match(/^Goal: Open the blue door\.$/gm)?.length, 1);
    assert.match(maze, /Agent[^\n]*\n\nfacing: south\ninventory: nothing\n/); // at the start, under what is seen
    assert.match(maze, /facing: east\ninventory: nothing\nresult: nothing changed\n/); // there was nothing to pick up
    assert.match(
      maze,
      /inventory: grey box\ninventory change: You picked up the grey box\.\nresult: done\n/,
    );
    assert.doesNotMatch(maze, /passed door/); // nothing to say

    const laboratory = await shown(
      "scienceworld",
      { variation: 0 },
      "open door to kitchen",
      "teleport to kitchen",
      "inventory",
    );
    assert.equal(laboratory.match(/^Goal: Your task is to boil water\./gm)?.length, 1);
    assert.equal(
      laboratory.match(/This room is called the hallway/g)?.length,
      1,
      "what has not changed is not shown again",
    );
    assert.match(
      laboratory,
      /You teleport to the kitchen\.\n\nlook:\nThis room is called the kitchen/,
    );

    const hunt = await shown("textworld/hunt", {}, "take Key 1");
    assert.match(
      hunt,
      /\n\ninventory: You are carrying: a Key 1\.\nlocation: Room A\nscore: 1 of 5\n/,
    );

    const question = await shown("questions/encyclopedia", { paragraphs: 4 }, "?");
    assert.match(
      question,
      /^Goal: Answer the question\.\n\nWesstad\nWesstad is a harbour town[^\n]*\n\nNarentia\n/,
    );
    assert.match(
      question,
      /\n\nOn which river does the capital of Narentia stand\?\n\n\(\? or help shows/,
    );
    assert.match(question, /^(> )?finish\[\{answer\}\]: give the answer and end$/m);
  } finally {
    await worlds.close();
  }
});

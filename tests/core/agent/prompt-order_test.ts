/**
 * The order of prompts changes what a server can keep of them, and nothing else. What it can keep
 * is counted here by itself: as the longest beginning, in characters, that a request shares with
 * any earlier one.
 */

import assert from "node:assert/strict";
import {
  type AriadneOptions,
  type ChatRequest,
  connectWorlds,
  createAriadne,
  createAriGraph,
  createFullHistory,
  type Method,
} from "../../../lib/mod.ts";
import { withoutTruth } from "../../../lib/core/env/session.ts";
import { createStandIn } from "../../../lib/offline/stand-in.ts";
import { offlineResponders } from "../../../lib/offline/responders/mod.ts";
import { recording, worldless } from "./recording.ts";

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

interface Played {
  readonly actions: readonly (string | undefined)[];
  readonly scores: readonly number[];
  readonly texts: readonly string[];
}

/** Plays a game by the stand-in. */
async function play(method: Method, world: string, seed: number): Promise<Played> {
  const standIn = createStandIn({ responders: offlineResponders });
  const texts: string[] = [];
  const chat = (request: ChatRequest): ReturnType<typeof standIn.chat> => {
    texts.push(request.messages.map(({ role, content }) => `${role}\n${content}`).join("\n"));
    return standIn.chat(request);
  };
  const record = recording();
  await method.run({
    world: async () => withoutTruth(await worlds.open(world, { seed })),
    ...worldless({ id: "offline", chat }, record, 0),
  });
  return {
    actions: record.steps.map(({ action }) => action),
    scores: record.steps.map(({ turn }) => turn.score),
    texts,
  };
}

/**
 * Share of characters that stand in a beginning shared with an earlier request, in whole blocks of
 * 64, and how many a step do not.
 */
function reused(
  texts: readonly string[],
  steps: number,
): { readonly share: number; readonly anew: number } {
  let [all, shared] = [0, 0];
  for (const [index, text] of texts.entries()) {
    const lengths = texts.slice(0, index).map((earlier) => {
      let length = 0;
      while (
        length < text.length && text.startsWith(earlier.slice(length, length + 64), length) &&
        length + 64 <= earlier.length
      ) {
        length += 64;
      }
      return Math.min(length, text.length);
    });
    all += text.length;
    shared += Math.max(0, ...lengths);
  }
  return { share: shared / all, anew: (all - shared) / steps };
}

Deno.test("a server can keep 60 % of AriGraph's prompts and 90 % of full history's, and computes half as much anew", async () => {
  const cases = [
    {
      least: 0.6,
      make: (rules: Partial<AriadneOptions>) =>
        createAriadne({ memory: createAriGraph({ order: rules.order }), ...rules }),
    },
    {
      least: 0.9,
      make: (rules: Partial<AriadneOptions>) =>
        createAriadne({ memory: createFullHistory(), ...rules }),
    },
  ];
  for (const { least, make } of cases) {
    const [ours, theirs] = await Promise.all(
      (["cacheable", "paper"] as const).map(async (order) => {
        const { texts, actions } = await play(make({ order, maxSteps: 40 }), "textworld/hunt", 0);
        return reused(texts, actions.length - 1);
      }),
    );
    assert.ok(ours && theirs && ours.share >= least, `${ours?.share}`);
    assert.ok(ours.anew <= theirs.anew / 2, `${ours.anew} ÷ ${theirs.anew}`);
  }
});

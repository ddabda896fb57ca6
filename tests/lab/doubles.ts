/** Small stand-ins for the ports, for the logic of the runner alone. */

import type { Method, Outcome } from "../../lib/core/agent/method.ts";
import type { MeasuredEnvironment, Turn } from "../../lib/core/env/environment.ts";
import { WorldError } from "../../lib/core/errors.ts";
import type { ChatModel } from "../../lib/core/llm/chat-model.ts";
import { KnowledgeGraph } from "../../lib/core/graph/knowledge-graph.ts";
import type { Worlds } from "../../lib/core/env/worlds.ts";
import type { RunPorts } from "../../lib/lab/run-options.ts";
import type { CustomMethod, Study } from "../../lib/lab/study.ts";
import type { Store } from "../../lib/lab/store/open.ts";
import { getReply, putReply, replyKey } from "../../lib/lab/store/replies.ts";

/** A world that counts: each step adds the number in the action ("add 2"); 10 or more wins. */
export function countingWorld(
  options: { drift?: () => number; crash?: (step: number) => boolean; limit?: number } = {},
): {
  open: RunPorts["worlds"]["open"];
  opened: () => number;
  left: () => number;
} {
  const { drift = () => 0, crash = () => false, limit = 20 } = options;
  let opened = 0;
  let closed = 0;

  function open(
    id: string,
    params: Readonly<Record<string, unknown>> = {},
  ): Promise<MeasuredEnvironment> {
    if (id !== "counting") {
      return Promise.reject(
        new WorldError("unknown-world", `unknown world "${id}"; there are counting`),
      );
    }
    opened++;
    let sum = 0;
    let steps = 0;
    let over = false;
    const turn = (): Turn => ({
      goal: "Count to ten",
      observation: `The sum is ${sum + drift()}`,
      sections: { inventory: "nothing" },
      frames: [],
      score: Math.min(sum, 10),
      maxScore: 10,
      ...(sum >= 10 ? { end: "won" as const } : steps >= limit ? { end: "limit" as const } : {}),
    });
    return Promise.resolve({
      spec: {
        id,
        version: "1",
        parameters: { stepLimit: limit, ...params },
        sections: ["inventory"],
        actions: [],
        fallback: "add 0",
        identity: `game of ${JSON.stringify(params)}`,
      },
      reset: async () => {
        await 0;
        sum = 0;
        steps = 0;
        return turn();
      },
      step: async (action) => {
        await 0;
        steps++;
        if (crash(steps)) throw new WorldError("worker-died", "the worker died");
        sum += Number(action.slice(4));
        return turn();
      },
      validActions: () => Promise.resolve(["add 1", "add 2"]),
      truth: () => Promise.resolve({ sum }),
      close: () => {
        if (!over) closed++;
        over = true;
        return Promise.resolve();
      },
    });
  }

  return { open, opened: () => opened, left: () => opened - closed };
}

/**
 * A method that asks its model for each action, keeps a graph of the sums it saw, and hands on how
 * often it has played.
 */
export const countingMethod: CustomMethod = {
  id: "counting",
  version: "1",
  isVersioned: true,
  create: () => ({
    id: "counting",
    async run({ world, ask, recorder, seed, artefact, goldPath }): Promise<Outcome> {
      const played = (artefact?.body as { played: number } | undefined)?.played ?? 0;
      const env = await world();
      const graph = new KnowledgeGraph();
      let turn = await env.reset();
      let step = 0;
      await recorder.step({
        pass: 0,
        step,
        turn,
        graph,
        details: { played, gold: goldPath?.length ?? 0 },
      });
      while (!turn.end) {
        step++;
        const reply = await ask.model.chat({
          role: "counting/act",
          messages: [{
            role: "user",
            content: `${turn.observation}, seed ${seed}, played ${played}`,
          }],
          sample: { ...ask.sample, pass: 0, step },
        });
        const action = reply.choices[0].text;
        turn = await env.step(action);
        graph.add({ subject: `step ${step}`, relation: "gives", object: turn.observation }, step);
        if (step > 1) recorder.event({ pass: 0, step, kind: "later", detail: action });
        await recorder.step({ pass: 0, step, action, turn, graph });
      }
      await env.close();
      return {
        passes: [{
          kind: "only",
          score: turn.score,
          maxScore: turn.maxScore,
          steps: step,
          end: turn.end,
        }],
        artefact: { kind: "counting", body: { played: played + 1 } },
      };
    },
  } satisfies Method),
};

/** A study of the counting method: one chain an attempt, `episodes` in each. */
export function countingStudy(
  study: Partial<Study> & { attempts?: number; episodes?: number } = {},
): Study {
  const { attempts = 1, episodes = 1, ...rest } = study;
  return {
    id: "counting",
    title: "Counting",
    models: { "*": "counter" },
    chains: Array.from({ length: attempts }, (_, i) => ({
      id: `chain ${i + 1}`,
      episodes: Array.from({ length: episodes }, (_, k) => ({
        world: "counting",
        params: { game: k },
        method: countingMethod,
        attempt: i + 1,
        seed: i + 1,
      })),
    })),
    ...rest,
  };
}

/**
 * A model that answers "add 1" or "add 2" by the length of what it is asked, behind the store's
 * record of replies; `asked` counts what got through.
 */
export function countingModels(
  store: Store,
  answer?: (asked: number) => string,
): { models: RunPorts["models"]; asked: () => number } {
  let asked = 0;
  const model: ChatModel = {
    id: "counter",
    chat: async ({ role, messages, sample = {} }) => {
      const key = replyKey({ model: "counter", role, messages, sample });
      const recorded = getReply(store, key) as string | undefined;
      const text = recorded ?? await reply(messages[0]?.content as string);
      if (recorded === undefined) {
        putReply(store, {
          key,
          request: { model: "counter", role },
          reply: text,
          endpoint: "test",
          codeVersion: "1",
          at: 0,
        });
      }
      return {
        model: "counter",
        choices: [{ text, finish: "stop" }],
        usage: { prompt: 1, cached: 0, completion: 1, reasoning: 0 },
      };
    },
  };

  async function reply(prompt: string): Promise<string> {
    await 0;
    asked++;
    return answer?.(asked) ?? `add ${1 + prompt.length % 2}`;
  }

  return { models: () => model, asked: () => asked };
}

/** A clock that moves on a second at each look. */
export function tickingClock(): RunPorts["clock"] {
  let now = 1_000_000;
  return { now: () => now += 1000, sleep: () => Promise.resolve() };
}

export const noEmbedder: RunPorts["embedder"] = {
  id: "none",
  dimensions: 1,
  embed: (texts) => Promise.resolve(texts.map(() => new Float32Array(1))),
};

/** A whole catalogue of a way to open worlds. */
export function worldsBy(open: Worlds["open"] = countingWorld().open): Worlds {
  return { open, list: () => Promise.resolve([]), close: () => Promise.resolve() };
}

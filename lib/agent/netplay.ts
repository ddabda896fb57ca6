/**
 * NetPlay: a model chooses one skill after another from what the game shows and a short history (Jeurissen et al. 2024, arXiv 2403.00690,
 * §3). It is the base of AriGraph's NetHack experiments (Anokhin et al. 2024, arXiv 2407.04363, §4, Table 1).
 *
 * | NetPlay | here |
 * |---|---|
 * | observation description | the turn's observation, of the whole level or of the room |
 * | skills | the world's forms of action |
 * | short-term memory of 500 tokens | `History` |
 * | skill errors in the memory | `refused` |
 *
 * Deviations are numbered in `docs/deviations/arigraph.md`, D43 and later.
 *
 * @module
 */

import { z } from "zod";
import type { Environment, Turn } from "../env/environment.ts";
import { stepLimitOf } from "../env/step-limit.ts";
import { WorldError } from "../errors.ts";
import type { Prompt } from "../llm/prompt.ts";
import { loadTokenCounter, type TokenCounter } from "../text/tokens.ts";
import { inWorld } from "./ariadne-loop.ts";
import type { Episode, Method, Pass } from "./method.ts";
import { formatSkills, parseSkill, skillPrompt } from "./netplay.prompts.ts";

/** Constants of NetPlay. */
export const NETPLAY_PAPER = {
  /** Tokens of the history. */
  historyTokens: 500,
} as const;

/** Options of the method; absent ones take their defaults. */
export interface NetPlayOptions {
  /** Most skill calls, 1 … 1,000,000. Unless told: the world's parameter `maxCalls` or `stepLimit`, else 150. The world's own limit holds besides. */
  readonly maxSteps?: number;
  /** Tokens of the history that the prompt shows, 0 … 1,000,000; of a longer one the oldest entries go. @default {500} */
  readonly historyTokens?: number;
  /** How often a model is asked again after an answer that cannot be read or a call that the world refuses, 0 … 10. @default {2} */
  readonly reAsks?: number;
}

/** Reads the options, as a study gives them. */
export const netplayOptions = z.strictObject(
  {
    maxSteps: z.int().min(1).max(1_000_000).exactOptional(),
    historyTokens: z.int().min(0).max(1_000_000).default(NETPLAY_PAPER.historyTokens),
    reAsks: z.int().min(0).max(10).default(2),
  } satisfies Record<keyof NetPlayOptions, z.ZodType>,
);

/** All prompts of the method: role `netplay/skill`. */
export const netplayPrompts: readonly Prompt[] = [skillPrompt];

/**
 * NetPlay. What it reports to the recorder: `malformed-reply` (an answer that stayed unreadable, or named no skill), `invalid-action` (a call
 * that the world refused: what it said enters the history), `fallback`.
 *
 * @throws {z.ZodError} if an option is unknown or out of range.
 *
 * @example A lever, pulled
 * ```ts
 * import { createAsker, scripted } from "labyrinth/llm";
 * import { createLexicalEmbedder } from "labyrinth/retrieval";
 * import { createNetPlay } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * const seen = { goal: "Win.", observation: "There is a lever.", sections: {}, frames: [], score: 0, maxScore: 1 };
 * const pull = { name: "pull(what={what})", params: ["what"], description: "pull something (what: string)", explores: false };
 * const world = {
 *   spec: { id: "lever", version: "1", parameters: {}, sections: [], actions: [pull], fallback: "look", identity: "0".repeat(64) },
 *   reset: async () => seen,
 *   step: async (action: string) => action === 'pull(what="lever")' ? { ...seen, score: 1, end: "won" as const } : seen,
 *   validActions: async () => undefined,
 *   close: async () => {},
 * };
 * const model = scripted({ "netplay/skill": ['{"thoughts": {"reasoning": "It is all there is."}, "skill": {"name": "pull", "what": "lever"}}'] });
 * const { passes } = await createNetPlay().run({
 *   world: async () => world,
 *   ask: createAsker({ model }),
 *   embedder: createLexicalEmbedder(),
 *   recorder: { step: async () => {}, event: () => {} },
 *   seed: 1,
 * });
 * assert.deepEqual(passes, [{ kind: "only", score: 1, maxScore: 1, steps: 1, end: "won" }]);
 * ```
 */
export function createNetPlay(options: NetPlayOptions = {}): Method {
  const checked = netplayOptions.parse(options);
  return {
    id: "netplay",
    run: (episode) => inWorld(episode, async (world) => ({ passes: [{ kind: "only", ...await play(world, episode, checked) }] })),
  };
}

/** Agent steps, where the world names no limit. */
const MOST_STEPS = 150;
/** The skills that answer when the game asks something, where a world has them. */
const ANSWERS = /^(press_key|type_text)\(/;

async function play(world: Environment, episode: Episode, options: z.output<typeof netplayOptions>): Promise<Omit<Pass, "kind">> {
  const { recorder, signal } = episode;
  const limit = options.maxSteps ?? stepLimitOf(world.spec) ?? MOST_STEPS;
  const history = new History(options.historyTokens, await loadTokenCounter());
  let step = 0;
  const report = (kind: string, detail: string): void => recorder.event({ pass: 0, step, kind, detail });

  signal?.throwIfAborted();
  let turn = await world.reset();
  let latest = ""; // what came of the last skill stands in the observation, and enters the history with the next one
  await recorder.step({ pass: 0, step, turn });
  while (!turn.end && step < limit) {
    signal?.throwIfAborted();
    step += 1;
    const { call, details } = await next();
    if (latest !== "") history.add(latest);
    latest = entryOf(call, turn);
    await recorder.step({ pass: 0, step, action: call, turn, details });
  }
  return { score: turn.score, maxScore: turn.maxScore, steps: step, end: turn.end ?? "limit" };

  /** Lets the model choose until the world takes a call, and moves the turn on. */
  async function next(): Promise<{ readonly call: string; readonly details: Record<string, unknown> }> {
    const answering = (turn.sections["popup"] ?? "") !== "" ? world.spec.actions.filter(({ name }) => ANSWERS.test(name)) : [];
    const skills = answering.length > 0 ? answering : world.spec.actions;
    const parse = parseSkill(skills);
    let refused = "";
    for (let asked = 0; asked <= options.reAsks; asked++) {
      const values = {
        task: turn.goal,
        history: history.text(refused),
        observation: turn.observation.trim(),
        skills: formatSkills(skills),
      };
      const answer = await episode.ask.at({ pass: 0, step })(skillPrompt, values, { parse, reAsks: options.reAsks });
      if (answer.kind === "malformed") {
        report("malformed-reply", `${skillPrompt.role}: ${answer.problem}`);
        return await fallBack("malformed-reply");
      }
      const { call, thoughts } = answer.value;
      try {
        turn = await world.step(call);
        return { call, details: { ...thoughts } };
      } catch (error) {
        if (!(error instanceof WorldError && error.kind === "bad-action")) throw error;
        report("invalid-action", `${call.slice(0, 200)}: ${error.message}`);
        refused = `> ${call.slice(0, 200)}\n${error.message}`;
      }
    }
    if (latest !== "") history.add(latest);
    latest = "";
    history.add(refused);
    return await fallBack("invalid-action");
  }

  async function fallBack(
    instead: "malformed-reply" | "invalid-action",
  ): Promise<{ readonly call: string; readonly details: Record<string, unknown> }> {
    const { fallback } = world.spec;
    report("fallback", `${fallback}, after ${instead}`);
    turn = await world.step(fallback);
    return { call: fallback, details: { fallback: instead } };
  }
}

/** What the prompt shows of earlier skills: the latest entries, as many as fit. */
class History {
  #entries: readonly string[] = [];
  readonly #most: number;
  readonly #count: TokenCounter;

  constructor(most: number, count: TokenCounter) {
    this.#most = most;
    this.#count = count;
  }

  add(entry: string): void {
    this.#entries = this.#fitting([...this.#entries, entry], 0);
  }

  /** The entries, and what was refused just now: it is shown whatever its length, and entries make room for it. */
  text(refused: string): string {
    const shown = refused === "" ? this.#entries : this.#fitting([...this.#entries, refused], 1);
    return shown.join("\n\n");
  }

  /** The last of the entries, as many as the tokens allow, but `least`. */
  #fitting(entries: readonly string[], least: number): readonly string[] {
    let kept = entries;
    while (kept.length > least && this.#count(kept.join("\n\n")) > this.#most) kept = kept.slice(1);
    return kept;
  }
}

/** The call with what it came to, what the game said and what happened; of a world that does not tell these apart, with what it showed. */
function entryOf(call: string, { sections, observation }: Turn): string {
  const told = ["result", "message", "events"].map((name) => sections[name]).filter((part) => part !== undefined);
  const lines = told.length > 0 ? told.filter((part) => part !== "") : [observation.trim()];
  return [`> ${call}`, ...lines].join("\n");
}

/**
 * NetPlay: a model chooses one skill after another from what the game shows and a short history
 * (Jeurissen et al. 2024, arXiv 2403.00690, §3). It is the base of AriGraph's NetHack experiments
 * (Anokhin et al. 2024, arXiv 2407.04363, §4, Table 1).
 *
 * | NetPlay | here |
 * |---|---|
 * | observation description | the turn's observation, of the whole level or of the room |
 * | skills | the world's forms of action |
 * | short-term memory of 500 tokens | `SkillHistory` |
 * | skill errors in the memory | `refused` |
 *
 * Deviations are numbered in `docs/explanation/deviations/arigraph.md`, D43 and later.
 */

import { z } from "zod";
import type { OptionsOf } from "../text/registry.ts";
import type { ActionSpec, Turn } from "../env/environment.ts";
import { loadTokenCounter, type TokenCounter } from "../text/tokens.ts";
import type { MethodMaker } from "./method.ts";
import { formatSkills, parseSkill, skillForm, skillPrompt } from "./netplay.prompts.ts";
import { type Done, type LoopOptions, loopOptions, onePass, type Rollout } from "./rollout.ts";
import { methodEntry } from "./method-entry.ts";

/** Constants of NetPlay. */
export const NETPLAY_PAPER = {
  historyTokens: 500,
} as const;

/** Options of the method. */
export interface NetPlayOptions extends LoopOptions {
  /**
   * Tokens of the history that the prompt shows, 0 … 1,000,000; of a longer one the oldest entries
   * are dropped.
   * @default {500}
   */
  readonly historyTokens?: number;
  /**
   * How often a model is asked again after a reply that cannot be read or a call that the world
   * refuses, 0 … 10.
   * @default {2}
   */
  readonly reAsks?: number;
}

const netplayOptions = z.strictObject({
  maxSteps: loopOptions.maxSteps,
  historyTokens: z.int().min(0).max(1_000_000).default(NETPLAY_PAPER.historyTokens),
  reAsks: loopOptions.reAsks,
}) satisfies OptionsOf<NetPlayOptions>;

/**
 * NetPlay. It reports `malformed-reply`, `invalid-action` (a refused call; its words enter the
 * history), `fallback`.
 * @throws {UsageError} for an unknown or invalid option.
 *
 * @example
 * ```ts
 * import { createNetPlay } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createNetPlay({ historyTokens: 1000 }).id, "netplay");
 * assert.throws(() => createNetPlay({ historyTokens: -1 }), /historyTokens/);
 * ```
 */
export const createNetPlay: MethodMaker<NetPlayOptions> = methodEntry(
  {
    id: "netplay",
    description: "the next skill from what is seen and a short history (NetPlay)",
    version: "2",
    options: netplayOptions,
    prompts: [skillPrompt],
  },
  (episode, options) =>
    onePass(episode, { ...options, usualSteps: MAX_STEPS }, (rollout) => play(rollout, options)),
);

const MAX_STEPS = 150;
const ANSWERS = /^(press_key|type_text)\(/;

async function play(
  rollout: Rollout,
  { historyTokens, reAsks }: z.output<typeof netplayOptions>,
): Promise<void> {
  const history = new SkillHistory(historyTokens, await loadTokenCounter());
  await rollout.reset();
  await rollout.record();
  while (!rollout.isOver) {
    rollout.beginStep();
    const { action, fallback, thoughts } = await nextSkill(rollout, history, reAsks);
    history.addLatest(entryOf(action, rollout.turn));
    await rollout.record(action, { ...thoughts, fallback });
  }
}

async function nextSkill(
  rollout: Rollout,
  history: SkillHistory,
  reAsks: number,
): Promise<Done & { readonly thoughts?: object }> {
  const skills = skillsIn(rollout);
  const options = { parse: parseSkill(skills), form: skillForm(skills) };
  let refused = "";
  for (let asked = 0; asked <= reAsks; asked++) {
    const { goal, observation } = rollout.turn;
    const values = {
      task: goal,
      history: history.text(refused),
      observation: observation.trim(),
      skills: formatSkills(skills),
    };
    const choice = await rollout.ask(skillPrompt, values, options);
    if (!choice) return await rollout.fallBack("malformed-reply");
    const refusal = await rollout.attempt(choice.call);
    if (refusal === undefined) return { action: choice.call, thoughts: choice.thoughts };
    rollout.report("invalid-action", `${choice.call.slice(0, 200)}: ${refusal}`);
    refused = `> ${choice.call.slice(0, 200)}\n${refusal}`;
  }
  history.addRefused(refused);
  return await rollout.fallBack("invalid-action");
}

function skillsIn({ turn, world }: Rollout): readonly ActionSpec[] {
  const { actions } = world.spec;
  const answering = (turn.sections["popup"] ?? "") === ""
    ? []
    : actions.filter(({ name }) => ANSWERS.test(name));
  return answering.length > 0 ? answering : actions;
}

class SkillHistory {
  #entries: readonly string[] = [];
  #latest = "";
  readonly #most: number;
  readonly #count: TokenCounter;

  constructor(most: number, count: TokenCounter) {
    this.#most = most;
    this.#count = count;
  }

  addLatest(entry: string): void {
    this.#add(this.#latest);
    this.#latest = entry;
  }

  addRefused(refused: string): void {
    this.addLatest("");
    this.#add(refused);
  }

  text(refused: string): string {
    const shown = refused === "" ? this.#entries : this.#fitting([...this.#entries, refused], 1);
    return shown.join("\n\n");
  }

  #add(entry: string): void {
    if (entry !== "") this.#entries = this.#fitting([...this.#entries, entry], 0);
  }

  #fitting(entries: readonly string[], least: number): readonly string[] {
    let kept = entries;
    while (kept.length > least && this.#count(kept.join("\n\n")) > this.#most) kept = kept.slice(1);
    return kept;
  }
}

function entryOf(call: string, { sections, observation }: Turn): string {
  const told = ["result", "message", "events"].map((name) => sections[name]).filter((part) =>
    part !== undefined
  );
  const lines = told.length > 0 ? told.filter((part) => part !== "") : [observation.trim()];
  return [`> ${call}`, ...lines].join("\n");
}

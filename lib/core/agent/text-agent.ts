/**
 * The loop of the text agents: task, history and the world's last words go to the model, and its
 * next line goes to the world. Act, ReAct (Yao et al. 2023, arXiv 2210.03629), SayCan with
 * candidates (as SwiftSage's evaluation runs it) and both passes of WESE play by it.
 *
 * | ReAct §2 | here |
 * |---|---|
 * | o_t, a_t | `Rollout.turn`, `action` |
 * | c_t, the context | the sections of `textPrompt`: examples, task, forms of action, history |
 * | â_t ∈ L, a thought | `Move.thought`: it is not sent to the world, whose answer is taken to be `OK.` |
 *
 * Papers differ in the rules, and leave some open: the choices are in
 * `docs/explanation/deviations/reasonplanner.md` and `docs/explanation/deviations/wese.md`.
 */

import type { z } from "zod";
import type { ActionSpec, EnvSpec } from "../env/environment.ts";
import { loadTokenCounter, type TokenCounter } from "../text/tokens.ts";
import { examplesFor } from "./examples.ts";
import {
  formLine,
  groundByEmbedding,
  groundByWords,
  isBare,
  matchAction,
  swiftsageActions,
} from "./ground-action.ts";
import type { Done, Rollout } from "./rollout.ts";
import { HEARD, parseMove, type TextAgentSection, type TextPrompt } from "./text-agent.prompts.ts";
import { formatEntry, type HistoryEntry, shortenHistory } from "./text-history.ts";
import type { TextAgentOptions, textAgentOptions } from "./text-agent-options.ts";

export interface TextPlay {
  readonly options: z.output<typeof textAgentOptions>;
  readonly prompt: TextPrompt;
  readonly extra?: Readonly<Record<string, string>>;
  /** Replies drawn for each action (SayCan). @default {1} */
  readonly candidates?: number;
  /**
   * The forms of action that may be taken; the world's fallback takes the place of any other
   * action.
   * @default those of the world, or any action
   */
  readonly forms?: readonly ActionSpec[];
  readonly ends?: (action: string) => boolean;
  /**
   * Called with each turn of the world, the reset included, before the model is asked. What it
   * gives back is recorded with the turn.
   */
  readonly onTurn?: (
    rollout: Rollout,
    action?: string,
  ) => Promise<Readonly<Record<string, unknown>> | undefined>;
}

export interface TextPlayed {
  readonly opening: string;
  readonly entries: readonly HistoryEntry[];
}

export function asksQuestion({ actions }: EnvSpec): boolean {
  return actions.some(({ name }) => name.startsWith("finish["));
}

/**
 * Agent steps where neither the options nor the world limit them: N_e = N_t of WESE (arXiv
 * 2404.07456, §4.1.1 and §4.2.1).
 */
export const TEXT_AGENT_STEPS = { questions: 8, other: 50 } as const;

export function usualSteps(spec: EnvSpec): number {
  return asksQuestion(spec) ? TEXT_AGENT_STEPS.questions : TEXT_AGENT_STEPS.other;
}

export async function playText(rollout: Rollout, play: TextPlay): Promise<TextPlayed> {
  const run = new TextRun(rollout, play, memoised(await loadTokenCounter()));
  await run.toItsEnd();
  return run;
}

class TextRun {
  readonly entries: HistoryEntry[] = [];
  opening = "";
  #examples: readonly (readonly string[])[] = [];
  readonly #rollout: Rollout;
  readonly #play: TextPlay;
  readonly #count: TokenCounter;
  /** Patterns of the actions that may be taken; absent where every one may. */
  readonly #allowed: readonly RegExp[] | undefined;

  constructor(rollout: Rollout, play: TextPlay, count: TokenCounter) {
    this.#rollout = rollout;
    this.#play = play;
    this.#count = count;
    this.#allowed = play.forms?.map(patternOf);
  }

  async toItsEnd(): Promise<void> {
    const rollout = this.#rollout;
    const { options, prompt, onTurn } = this.#play;
    const { goal, observation } = await rollout.reset();
    this.opening = observation.trim();
    this.#examples = examplesFor(rollout.world.spec, goal, options.examples).map((example) =>
      example.lines(prompt.thoughts)
    );
    await rollout.record(undefined, await onTurn?.(rollout));
    const maxTurns = options.maxTurns ?? 2 * rollout.limit;
    for (let turns = 0; !rollout.isOver && turns < maxTurns; turns++) {
      if (await this.#turn() === "stopped") break;
    }
  }

  async #turn(): Promise<"goes on" | "stopped"> {
    const rollout = this.#rollout;
    const { options, prompt, extra, candidates = 1, ends, onTurn } = this.#play;
    rollout.episode.signal?.throwIfAborted();
    const possible = await this.#possibleActions();
    const asking = { parse: parseMove, extra, n: candidates > 1 ? candidates : undefined };
    const reply = await rollout.answer(prompt, this.#values(possible), asking, rollout.step + 1);
    const moves = reply.kind === "ok" ? reply.values ?? [reply.value] : [];
    const [move] = moves;
    const wanted = moves.flatMap(({ action }) => action === undefined ? [] : [action]);
    if (wanted[0] !== undefined && ends?.(wanted[0])) {
      rollout.report("stopped-exploring", `after ${rollout.step} steps`);
      return "stopped";
    }
    if (move?.thought !== undefined) {
      this.entries.push({ action: `think: ${move.thought}`, observation: HEARD });
    }
    if (move && wanted.length === 0) {
      if (options.thoughtsCount ?? !asksQuestion(rollout.world.spec)) {
        rollout.beginStep();
        rollout.turn = { ...rollout.turn, observation: HEARD, frames: [] };
        await rollout.record(`think: ${move.thought}`);
      }
      return "goes on";
    }
    rollout.beginStep();
    rollout.read(prompt, reply);
    if (move && move.ignored > 0) {
      rollout.report("extra-lines", `${move.ignored} after the action were left out`);
    }
    const { action, ...done } = await this.#act(wanted, possible);
    this.entries.push({ action, observation: rollout.turn.observation });
    await rollout.record(action, {
      ...await onTurn?.(rollout, action),
      reason: move?.thought,
      ...done,
    });
    if (!options.stopOnLoop || rollout.turn.end || !circles(this.entries)) return "goes on";
    rollout.report("stopped-loop", `the last ${LOOP} actions are two in turn`);
    return "stopped";
  }

  /**
   * The possible actions. They are asked for only where the prompt shows them or the answer is
   * grounded to them: in some worlds no call is slower.
   */
  async #possibleActions(): Promise<readonly string[] | undefined> {
    const { options } = this.#play;
    if (options.actions !== "possible" && options.grounding === "none") return undefined;
    const { world, turn } = this.#rollout;
    const all = await world.validActions();
    const scene = {
      recent: actionsIn(this.entries).slice(-3),
      seen: [turn.observation, ...Object.values(turn.sections)].join("\n"),
    };
    const kept = all && options.filter === "swiftsage" ? swiftsageActions(all, scene) : all;
    return kept?.filter((action) => this.#allows(action));
  }

  get #listing(): TextAgentOptions["actions"] {
    const isOpen = asksQuestion(this.#rollout.world.spec) || this.#examples.length === 0;
    return this.#play.options.actions ?? (isOpen ? "forms" : "none");
  }

  /**
   * The sections of the prompt, with examples and history as long as its tokens allow; without the
   * section of actions where none are listed.
   */
  #values(possible: readonly string[] | undefined): Partial<Record<TextAgentSection, string>> {
    const { entries, opening } = this;
    const { options, prompt, extra = {}, forms = this.#rollout.world.spec.actions } = this.#play;
    const { goal } = this.#rollout.turn;
    const count = this.#count;
    const listed = options.actions === "possible" ? possible : undefined;
    const actions = this.#listing === "none"
      ? undefined
      : listed?.join("\n") ?? forms.map(formLine).join("\n");
    const fixed = [prompt.instructions, goal, opening, actions ?? "", ...Object.values(extra)]
      .reduce((sum, text) => sum + count(text), 0);
    const room = Math.max(0, options.contextTokens - fixed);
    const shown = shortenHistory(this.#examples, entries.map(formatEntry), { room, count });
    const dropped = entries.length - shown.history.length;
    if (dropped > 0) this.#rollout.report("shortened-history", `${dropped} steps left out`);
    return {
      examples: shown.examples.join("\n\n"),
      goal,
      actions,
      history: [...(opening === goal ? [] : [opening]), ...shown.history, ">"].join("\n"), // a question is its own opening
    };
  }

  async #act(
    wanted: readonly string[],
    possible: readonly string[] | undefined,
  ): Promise<Done & { readonly wanted?: readonly string[] }> {
    const [first] = wanted;
    if (first === undefined) return await this.#rollout.act(undefined);
    const action = await this.#grounded(first, wanted, possible);
    if (!this.#allows(action)) return await this.#rollout.refuse(first, "it is not allowed here");
    const done = await this.#rollout.act(action, first);
    return done.fallback || action === first ? done : { ...done, wanted };
  }

  #allows(action: string): boolean {
    return this.#allowed?.some((pattern) => pattern.test(action)) ?? true;
  }

  async #grounded(
    first: string,
    wanted: readonly string[],
    possible: readonly string[] | undefined,
  ): Promise<string> {
    // the possible actions are asked for where the world may not take the answer for its writing
    // alone
    if (!possible) {
      return isBare(first)
        ? first
        : matchAction(first, await this.#rollout.world.validActions() ?? []) ?? first;
    }
    const { options } = this.#play;
    const found = options.grounding === "embedder"
      ? await groundByEmbedding(wanted, possible, this.#rollout.episode.embedder)
      : options.grounding === "overlap"
      ? groundByWords(wanted, possible)
      : matchAction(first, possible);
    if (found === undefined) return first;
    if (matchAction(first, [found]) === undefined) {
      this.#rollout.report("grounded", `${JSON.stringify(first.slice(0, 200))} → ${found}`);
    }
    return found;
  }
}

function patternOf({ name }: ActionSpec): RegExp {
  const source = name.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("[\\s\\S]*");
  return new RegExp(`^${source}$`, "i");
}

const LOOP = 5;

function actionsIn(entries: readonly HistoryEntry[]): string[] {
  return entries.filter(({ action }) => !action.startsWith("think: ")).map(({ action }) => action);
}

/** Whether the last five actions are two different ones, as SwiftSage's evaluation has it. */
function circles(entries: readonly HistoryEntry[]): boolean {
  const last = actionsIn(entries).slice(-LOOP);
  return last.length === LOOP && new Set(last).size === 2;
}

function memoised(count: TokenCounter): TokenCounter {
  const known = new Map<string, number>();
  return (text) => known.getOrInsertComputed(text, count);
}

/**
 * The loop of the step-by-step text agents: task, history and the world's last words go to the model, its next line goes to the world. Act,
 * ReAct (Yao et al. 2023, arXiv 2210.03629), SayCan with candidates (as SwiftSage's evaluation runs it) and both passes of WESE play by it.
 *
 * | ReAct §2 | here |
 * |---|---|
 * | o_t, a_t | `turn`, `action` |
 * | c_t, the context | the sections of `textPrompt`: examples, task, forms of action, history |
 * | â_t ∈ L, a thought | `Move.thought`: it is not sent to the world, whose answer is taken to be `OK.` |
 *
 * Choices that the papers leave open are in `docs/deviations/reasonplanner.md` and `docs/deviations/wese.md`.
 *
 * @module
 */

import type { ActionSpec, Environment, Turn } from "../env/environment.ts";
import { stepLimitOf } from "../env/step-limit.ts";
import { WorldError } from "../errors.ts";
import type { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { loadTokenCounter, type TokenCounter } from "../text/tokens.ts";
import { formLine } from "./action-forms.ts";
import { examplesFor } from "./examples.ts";
import { groundByEmbedding, groundByWords, swiftsageActions } from "./ground-action.ts";
import { matchAction } from "./match-action.ts";
import type { Episode, Pass } from "./method.ts";
import { formatEntry, type HistoryEntry, shortenHistory } from "./text-history.ts";
import { type CheckedTextAgentOptions, TEXT_AGENT_STEPS } from "./text-agent-options.ts";
import { HEARD, parseMove, type TextAgentSection, type TextPrompt } from "./text-agent.prompts.ts";

/** What one play is given. */
export interface TextPlay {
  readonly episode: Episode;
  readonly options: CheckedTextAgentOptions;
  /** Asks for the next action. */
  readonly prompt: TextPrompt;
  /** 0-based number of the play within the episode. @default {0} */
  readonly pass?: number;
  /** Titled texts shown after the history. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Replies drawn for each action (SayCan). @default {1} */
  readonly candidates?: number;
  /** The forms of action that may be taken. @default those of the world */
  readonly forms?: readonly ActionSpec[];
  /** Whether an action may be taken; one that may not becomes the world's fallback. @default any may */
  readonly allows?: (action: string) => boolean;
  /** A reply by which the agent ends the play of itself: it has seen enough. */
  readonly ends?: (action: string) => boolean;
  /** Graph whose changes are recorded with the steps. */
  readonly graph?: KnowledgeGraph;
  /** What to record with the opening. */
  readonly details?: () => Record<string, unknown>;
  /** Told of each turn of the world, the reset included, before it is recorded and before the model is asked. */
  readonly onTurn?: (turn: Turn, at: { readonly step: number; readonly action?: string }) => Promise<void>;
}

/** What one play came to. */
export interface TextPlayed {
  readonly pass: Omit<Pass, "kind">;
  /** What the world showed last. */
  readonly turn: Turn;
  /** What it showed first, and each step, thoughts included. */
  readonly opening: string;
  readonly entries: readonly HistoryEntry[];
}

/** Whether a world asks a question: then its last action gives the answer. */
export function asksQuestion({ actions }: Environment["spec"]): boolean {
  return actions.some(({ name }) => name.startsWith("finish["));
}

/** Plays a world once, from reset to its end, to a limit, or until the agent goes round in circles. */
export async function playText(world: Environment, play: TextPlay): Promise<TextPlayed> {
  const { episode, options, prompt, pass = 0, extra = {}, candidates = 1, forms = world.spec.actions, ends, graph, onTurn } = play;
  const { recorder, signal } = episode;
  const maxSteps = options.maxSteps ?? stepLimitOf(world.spec) ??
    (asksQuestion(world.spec) ? TEXT_AGENT_STEPS.questions : TEXT_AGENT_STEPS.other);
  const maxTurns = options.maxTurns ?? 2 * maxSteps;
  const report = (kind: string, detail: string): void => recorder.event({ pass, step, kind, detail });
  const count = memoised(await loadTokenCounter());
  const entries: HistoryEntry[] = [];
  let [step, turns] = [0, 0];

  signal?.throwIfAborted();
  let turn = await world.reset();
  const opening = turn.observation.trim();
  const examples = examplesFor(world.spec, turn.goal, options.examples).map((example) => example.lines(prompt.thoughts));
  const record = (action: string | undefined, details: Record<string, unknown>): Promise<void> =>
    recorder.step({ pass, step, ...(action === undefined ? {} : { action }), turn, ...(graph ? { graph } : {}), details });
  await onTurn?.(turn, { step });
  await record(undefined, play.details?.() ?? {});

  while (!turn.end && step < maxSteps && turns < maxTurns) {
    signal?.throwIfAborted();
    turns += 1;
    const possible = await possibleActions();
    const reply = await episode.ask.at({ pass, step: step + 1 })(prompt, fitted(possible), {
      parse: parseMove,
      extra,
      reAsks: options.reAsks,
      ...(candidates > 1 ? { n: candidates } : {}),
    });
    const moves = (reply.choices ?? [reply.text]).map(parseMove).flatMap((read) => read.kind === "ok" ? [read.value] : []);
    const [move] = moves;
    const wanted = moves.flatMap(({ action }) => action === undefined ? [] : [action]);
    if (wanted[0] !== undefined && ends?.(wanted[0])) {
      report("stopped-exploring", `after ${step} steps`);
      break;
    }
    if (move?.thought !== undefined) entries.push({ action: `think: ${move.thought}`, observation: HEARD });
    if (move && wanted.length === 0) {
      if (!options.thoughtsCount) continue;
      step += 1;
      turn = { ...turn, observation: HEARD, frames: [] };
      await record(`think: ${move.thought}`, {});
      continue;
    }
    step += 1;
    if (reply.kind === "malformed") report("malformed-reply", `${prompt.role}: ${reply.problem}`);
    if (move && move.ignored > 0) report("extra-lines", `${move.ignored} after the action were left out`);
    const { action, details } = await act(wanted, possible);
    entries.push({ action, observation: turn.observation });
    await onTurn?.(turn, { step, action });
    await record(action, { ...(move?.thought === undefined ? {} : { reason: move.thought }), ...details });
    if (options.stopOnLoop && !turn.end && circles(entries)) {
      report("stopped-loop", `the last ${LOOP} actions are two in turn`);
      break;
    }
  }
  return { pass: { score: turn.score, maxScore: turn.maxScore, steps: step, end: turn.end ?? "limit" }, turn, opening, entries };

  /** Asked for only where the prompt shows them or the answer is grounded to them: in some worlds it is the dearest call. */
  async function possibleActions(): Promise<readonly string[] | undefined> {
    if (options.actions !== "possible" && options.grounding === "none") return undefined;
    const all = await world.validActions();
    const scene = { recent: doneIn(entries).slice(-3), seen: [turn.observation, ...Object.values(turn.sections)].join("\n") };
    const kept = all && options.filter === "swiftsage" ? swiftsageActions(all, scene) : all;
    return play.allows ? kept?.filter(play.allows) : kept;
  }

  function fitted(possible: readonly string[] | undefined): Record<TextAgentSection, string> {
    const listed = options.actions === "possible" ? possible : undefined;
    const actions = options.actions === "none" ? "" : listed?.join("\n") ?? forms.map(formLine).join("\n");
    const fixed = [prompt.instructions, turn.goal, opening, actions, ...Object.values(extra)].reduce((sum, text) => sum + count(text), 0);
    const room = Math.max(0, options.contextTokens - fixed);
    const shown = shortenHistory(examples, entries.map(formatEntry), { room, count });
    if (shown.history.length < entries.length) report("shortened-history", `${entries.length - shown.history.length} steps left out`);
    return {
      examples: shown.examples.join("\n\n"),
      goal: turn.goal,
      actions,
      history: [...(opening === turn.goal ? [] : [opening]), ...shown.history, ">"].join("\n"), // a question is its own opening
    };
  }

  /** Does what is wanted, or in its place the world's fallback. Moves the turn on. */
  async function act(
    wanted: readonly string[],
    possible: readonly string[] | undefined,
  ): Promise<{ readonly action: string; readonly details: Record<string, unknown> }> {
    const [first] = wanted;
    if (first === undefined) return await fallBack("malformed-reply");
    const action = await grounded(wanted, possible);
    if (play.allows && !play.allows(action)) return await refused(first, "it is not allowed here");
    try {
      turn = await world.step(action);
    } catch (error) {
      if (error instanceof WorldError && error.kind === "bad-action") return await refused(first, error.message);
      throw error;
    }
    return { action, details: action === first ? {} : { wanted: [...wanted] } };
  }

  async function grounded(wanted: readonly string[], possible: readonly string[] | undefined): Promise<string> {
    const [first = ""] = wanted;
    if (!possible) return first;
    const found = options.grounding === "embedder"
      ? await groundByEmbedding(wanted, possible, episode.embedder)
      : options.grounding === "overlap"
      ? groundByWords(wanted, possible)
      : matchAction(first, possible);
    if (found !== undefined && matchAction(first, [found]) === undefined) report("grounded", `${line(first)} → ${found}`);
    return found ?? first;
  }

  function refused(wanted: string, why: string): ReturnType<typeof fallBack> {
    report("invalid-action", `${line(wanted)}: ${why}`);
    return fallBack("invalid-action");
  }

  async function fallBack(instead: "malformed-reply" | "invalid-action"): Promise<{ action: string; details: Record<string, unknown> }> {
    const { fallback } = world.spec;
    report("fallback", `${fallback}, after ${instead}`);
    turn = await world.step(fallback);
    return { action: fallback, details: { fallback: instead } };
  }
}

/** Actions that are looked at for circles. */
const LOOP = 5;

function doneIn(entries: readonly HistoryEntry[]): string[] {
  return entries.filter(({ action }) => !action.startsWith("think: ")).map(({ action }) => action);
}

/** Whether the last five actions are two different ones, as SwiftSage's evaluation has it. */
function circles(entries: readonly HistoryEntry[]): boolean {
  const last = doneIn(entries).slice(-LOOP);
  return last.length === LOOP && new Set(last).size === 2;
}

function memoised(count: TokenCounter): TokenCounter {
  const known = new Map<string, number>();
  return (text) => known.getOrInsertComputed(text, count);
}

function line(text: string): string {
  return JSON.stringify(text.slice(0, 200));
}

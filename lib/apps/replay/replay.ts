/**
 * Replays the published runs of AriGraph (Anokhin et al. 2024, arXiv 2407.04363): compares our
 * memory, our world and our meter with what the authors' agents logged, step by step.
 */

import { destinationOf } from "../../core/agent/go-to.ts";
import { parseAct, parsePlan } from "../../core/agent/ariadne-replies.ts";
import { normaliseEntity } from "../../core/graph/triplet.ts";
import { addUsage } from "../../core/llm/asker.ts";
import { dollarsFor, priceOf } from "../../core/llm/prices.ts";
import type { Embedder } from "../../core/retrieval/embedder.ts";
import { actionAsLogged, bestScored, tripletAsWritten } from "./answers.ts";
import type { Games } from "./games.ts";
import { parseLog } from "./log.ts";
import { type LastAction, ReplayedMemory } from "./memory.ts";
import { RecallOverlap } from "./recalls.ts";
import { Findings, type LogReport, type StepFindings } from "./report.ts";
import { isQuestionLog, replayQuestions } from "./questions.ts";
import { type Attempt, readAttempt, type Step } from "./steps.ts";
import type { RewardRule } from "./rewards.ts";
import { headersIn } from "./texts.ts";
import { ReplayedWorld } from "./world.ts";

/** Options of a replay. */
export interface ReplayOptions {
  /**
   * The games at hand; each attempt is played in the one that fits it. Without them only memory and
   * meter are compared.
   */
  readonly games?: Games;
  /**
   * An embedder with which recall by search is repeated; its overlap with the logged recall is
   * reported.
   */
  readonly embedder?: Embedder;
  /** Called after each attempt: `number` from 1, `of` the number of attempts in the log. */
  readonly onAttempt?: (
    attempt: { readonly file: string; readonly number: number; readonly of: number },
  ) => void;
}

/**
 * Replays one log of a game, of any version, or of questions; `file` is its name, for messages and
 * the report.
 *
 * @throws {UsageError} if the text is no such log, with file, line and remedy.
 * @throws {WorldError} if the worlds are lost.
 */
export async function replayLog(
  logText: string,
  file: string,
  options: ReplayOptions = {},
): Promise<LogReport> {
  const text = logText.replace(/^\uFEFF/, ""); // an editor's byte order mark would hide the first attempt
  if (isQuestionLog(text)) return await replayQuestions(text, file, options);
  const logged = parseLog(text, file);
  const findings = new Findings();
  const attempts = withTheirRewards(
    logged.map((attempt, index) => readAttempt(attempt, file, logged[index - 1])),
    findings,
  );
  const overlap = options.embedder && new RecallOverlap(options.embedder);
  const played = new Set<string>();
  const rewardRules: string[] = [];
  for (const attempt of attempts) {
    const game = await bestGame(attempt, findings, options, played);
    if (game !== undefined) played.add(game);
    const rewardRule = await replayAttempt(attempt, findings, {
      games: options.games,
      game,
      overlap,
    });
    if (rewardRule !== undefined) rewardRules.push(rewardRule);
    options.onAttempt?.({ file, number: attempt.number, of: attempts.length });
  }
  return findings.report({
    file,
    game: [...played].join(", "),
    attempts: attempts.length,
    steps: attempts.reduce((sum, { steps }) => sum + steps.length, 0),
    versions: attempts.map(({ rules }) => rules.version),
    rewardRules,
    overlap: overlap?.result,
  });
}

/**
 * The number of steps within which games that begin alike differ: the published ones hold different
 * things in the first rooms.
 */
const TRIAL = 40;

/**
 * Returns the game whose observations agree most with the attempt's, among those that begin as it
 * does.
 */
async function bestGame(
  attempt: Attempt,
  findings: Findings,
  { games }: ReplayOptions,
  played: ReadonlySet<string>,
): Promise<string | undefined> {
  if (!games || attempt.steps.length === 0) return undefined;
  const fitting = (await games.fitting(attempt)).sort((a, b) =>
    Number(played.has(b)) - Number(played.has(a))
  );
  if (fitting.length === 0) {
    const wanted = `a game that begins in ${
      headersIn(attempt.steps[0]?.observation ?? "").at(-1) ?? "an unknown room"
    }`;
    findings.at(attempt.number, 1).note(
      "observation",
      wanted,
      "no such game; name its folder with --games",
      "wrong-game",
    );
  }
  if (fitting.length < 2) return fitting[0];
  const seen = { ...attempt, steps: attempt.steps.slice(0, TRIAL) };
  let best: { readonly game: string; readonly matched: number } | undefined;
  for (const game of fitting) {
    const trial = new Findings();
    await replayAttempt(seen, trial, { games, game });
    const { matched } = trial.tallies.observation;
    if (!best || matched > best.matched) best = { game, matched };
    if (matched === seen.steps.length) break;
  }
  return best?.game;
}

async function replayAttempt(
  attempt: Attempt,
  findings: Findings,
  { games, game, overlap }: Pick<ReplayOptions, "games"> & {
    readonly game?: string;
    readonly overlap?: RecallOverlap;
  },
): Promise<RewardRule | undefined> {
  const memory = new ReplayedMemory(attempt);
  const opened = games && game !== undefined ? await games.open(game, attempt) : undefined;
  const world = opened ? await ReplayedWorld.begin(attempt, opened) : undefined;
  const compareRecall = attempt.rules.recall === "search" ? overlap?.over(memory.graph) : undefined;
  let lastAction: LastAction | undefined;
  try {
    for (const [index, step] of attempt.steps.entries()) {
      const last = index === attempt.steps.length - 1;
      const here = findings.at(
        attempt.number,
        step.number,
        last && isCutOff(attempt) ? "truncated-log" : "unexplained",
      );
      await memory.observe(step, lastAction, here);
      await compareRecall?.({
        items: step.items,
        recalled: step.recalled ?? [],
        fresh: step.fresh.map(tripletAsWritten),
      });
      await world?.hold(step, memory, here);
      const action = actionTaken(step, attempt.steps[index + 1], here);
      const destination = destinationOf(action);
      if (destination !== undefined) holdPath(step, destination, memory, here);
      await world?.act(step, action, destination, memory, here);
      holdMeter(step, attempt.steps[index - 1], here);
      const room = step.frames.flatMap(headersIn).at(-1);
      lastAction = { action, macro: destination !== undefined, room };
    }
    if (attempt.cut) {
      const here = findings.at(attempt.number, attempt.cut.number);
      if (world) world.holdCut(attempt.cut, here);
      else {here.note(
          "observation",
          "a whole step",
          `the log breaks off in the step at line ${attempt.cut.line}`,
          "truncated-log",
        );}
    }
    return world && holdRewards(attempt, world, findings);
  } finally {
    await world?.close();
  }
}

/**
 * Whether the log breaks off in the attempt, so that its last step may be incomplete: rewards are
 * printed last.
 */
function isCutOff({ rewards, steps }: Attempt): boolean {
  return rewards === undefined || rewards.length < steps.length;
}

/**
 * The action taken (where the answer is a table of scores, the next step names it). Compares our
 * parsers of plan and action with the log.
 */
function actionTaken(step: Step, next: Step | undefined, findings: StepFindings): string {
  const plan = parsePlan(step.plan);
  const empty = /"plan_steps":\s*\[\s*\]/.test(step.plan);
  findings.hold(
    "parsing",
    "a plan",
    plan.kind === "ok" ? "a plan" : plan.problem,
    empty ? "refused-answer" : undefined,
  );
  const best = bestScored(step.action);
  if (best !== undefined) return next?.lastAction ?? best;
  const logged = actionAsLogged(step.action);
  const ours = parseAct(step.action);
  findings.hold("parsing", logged, ours.kind === "ok" ? ours.value.action : "look");
  return logged;
}

/**
 * Compares a macro with ours: it takes as many moves as our shortest path, each to a nearer room,
 * or is refused where ours is.
 */
function holdPath(
  step: Step,
  destination: string,
  memory: ReplayedMemory,
  findings: StepFindings,
): void {
  const route = memory.route(destination);
  const logged = step.frames.length === 0 ? "refused" : `${step.frames.length} moves`;
  const ours = typeof route === "string" ? "refused" : `${route.length} moves`;
  const distances = memory.distancesTo(destination);
  const rooms = step.frames.flatMap((frame) => headersIn(frame).slice(-1).map(normaliseEntity));
  const away = rooms.filter((room, index) =>
    rooms.length === step.frames.length && distances.get(room) !== rooms.length - 1 - index
  );
  findings.hold(
    "path",
    `${destination}: ${logged}${away.length > 0 ? `, through ${away.join(", ")}` : ""}`,
    `${destination}: ${ours}`,
  );
}

/** The rounding error in dollars that a sum of exact costs may have. */
const EXACT = 1e-9;
/** The rounding error in dollars that a sum of costs printed with two digits may have. */
const ROUNDED = 0.0151;

/** The backbone of the published games (AriGraph §4). */
const PRICE = priceOf("gpt-4-0125-preview");

/**
 * Checks that the attempt's sums after a step are those before it and what the step used, and that
 * plan and action, whose tokens are logged, cost no more than the step, to which the memory's calls
 * belong too. Where the log does not print a number, nothing is compared with it.
 */
function holdMeter(step: Step, before: Step | undefined, findings: StepFindings): void {
  const { tokens, dollars } = step;
  if (tokens?.calls && (before?.tokens || step.number === 1)) {
    const sum = tokens.calls.reduce(
      addUsage,
      before?.tokens?.sum ?? { prompt: 0, completion: 0, cached: 0, reasoning: 0 },
    );
    const itemised = dollarsFor(tokens.calls.reduce(addUsage), PRICE);
    if (dollars && itemised !== null) {
      findings.hold(
        "meter",
        "no more than the step",
        itemised <= dollars.step ? "no more than the step" : `${itemised}$`,
      );
    }
    findings.hold(
      "meter",
      `${tokens.sum.prompt} + ${tokens.sum.completion}`,
      `${sum.prompt} + ${sum.completion}`,
    );
  }
  if (dollars && (before?.dollars || step.number === 1)) {
    const sum = (before?.dollars?.attempt ?? 0) + dollars.step;
    const near = Math.abs(sum - dollars.attempt) <= (dollars.rounded ? ROUNDED : EXACT);
    findings.hold("meter", `${dollars.attempt}$`, near ? `${dollars.attempt}$` : `${sum}$`);
  }
}

function holdRewards(
  attempt: Attempt,
  world: ReplayedWorld,
  findings: Findings,
): RewardRule | undefined {
  const { rewards } = attempt;
  if (!rewards) {
    findings.at(attempt.number, attempt.steps.length).note(
      "reward",
      "a list of rewards",
      "the log ends before it",
      "truncated-log",
    );
    return undefined;
  }
  const { rule, sums } = world.rewards.best(rewards);
  for (const [index, sum] of sums.entries()) {
    const cause = index >= rewards.length ? "truncated-log" : undefined;
    findings.at(attempt.number, index + 1).hold("reward", rewards[index] ?? "none", sum, cause);
  }
  return rule;
}

/** Exchanges the lists of rewards of two attempts whose lengths fit each other's steps. */
function withTheirRewards(attempts: readonly Attempt[], findings: Findings): Attempt[] {
  const fits = (attempt: Attempt, list: Attempt | undefined): boolean =>
    list?.rewards?.length === attempt.steps.length;
  return attempts.map((attempt) => {
    if (!attempt.rewards || fits(attempt, attempt)) return attempt;
    const other = attempts.find((other) =>
      other !== attempt && fits(attempt, other) && fits(other, attempt)
    );
    if (!other?.rewards) return attempt;
    const [wanted, got] = [`${attempt.rewards.length} rewards`, `${attempt.steps.length} steps`];
    findings.at(attempt.number, 1).note("reward", wanted, got, "exchanged-rewards");
    return { ...attempt, rewards: other.rewards };
  });
}

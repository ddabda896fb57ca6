/**
 * Replays the published runs of AriGraph (Anokhin et al. 2024, arXiv 2407.04363) on our memory and
 * our world, step by step.
 */

import { destinationOf } from "../../core/agent/go-to.ts";
import { parseAct, parsePlan } from "../../core/agent/ariadne-replies.ts";
import { normaliseEntity, parseTriplet } from "../../core/graph/triplet.ts";
import { ARIGRAPH_PAPER } from "../../core/memory/arigraph-options.ts";
import { parseEntities, parseOutdate } from "../../core/memory/arigraph-replies.ts";
import { actionAsLogged, bestScored, itemsAsLogged, staleAsLogged, written } from "./answers.ts";
import type { Games } from "./games.ts";
import { parseLog } from "./log.ts";
import { type LastAction, ReplayedMemory } from "./memory.ts";
import { Findings, type LogReport, type StepFindings } from "./report.ts";
import { isQuestionLog, replayQuestions } from "./questions.ts";
import { type Attempt, readAttempt, type Step } from "./steps.ts";
import type { RewardRule } from "./rewards.ts";
import { headersIn, withoutLastBreaks } from "./texts.ts";
import { ReplayedWorld } from "./world.ts";

export interface ReplayOptions {
  /** Each attempt is played in the game that fits it; without games only memory is compared. */
  readonly games?: Games;
  /** Called after each attempt: `number` from 1, `of` the number of attempts in the log. */
  readonly onAttempt?: (
    attempt: { readonly file: string; readonly number: number; readonly of: number },
  ) => void;
}

/**
 * Replays a log of a game, of any version, or of questions; `file` is its name in messages.
 *
 * @throws {UsageError} if the text is no such log, with file, line and remedy.
 * @throws {WorldError} if the worlds are lost.
 */
export async function replayLog(
  logText: string,
  file: string,
  options: ReplayOptions = {},
): Promise<LogReport> {
  const text = logText.replace(/^\uFEFF/, ""); // a byte order mark would hide the first attempt
  if (isQuestionLog(text)) return await replayQuestions(text, file);
  const logged = parseLog(text, file);
  const findings = new Findings();
  const attempts = withTheirRewards(
    logged.map((attempt, index) => readAttempt(attempt, file, logged[index - 1])),
    findings,
  );
  const played = new Set<string>();
  const rewardRules: string[] = [];
  for (const attempt of attempts) {
    const game = await bestGame(attempt, findings, options, played);
    if (game !== undefined) played.add(game);
    const rewardRule = await replayAttempt(attempt, findings, options.games, game);
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
  });
}

/** Steps within which games that begin alike differ. */
const TRIAL = 40;

/** Returns the game whose observations agree best with the attempt's. */
async function bestGame(
  attempt: Attempt,
  findings: Findings,
  { games }: ReplayOptions,
  played: ReadonlySet<string>,
): Promise<string | undefined> {
  const [first] = attempt.steps;
  if (!games || !first) return undefined;
  const fitting = (await games.fitting(attempt)).sort((a, b) =>
    Number(played.has(b)) - Number(played.has(a))
  );
  if (fitting.length === 0) {
    findings.at(attempt.number, 1).note(
      "observation",
      `a game that begins in ${headersIn(first.observation).at(-1) ?? "an unknown room"}`,
      "no such game; name its folder with --games",
      "wrong-game",
    );
  }
  if (fitting.length < 2) return fitting[0];
  const seen = { ...attempt, steps: attempt.steps.slice(0, TRIAL) };
  let best: { readonly game: string; readonly matched: number } | undefined;
  for (const game of fitting) {
    const trial = new Findings();
    await replayAttempt(seen, trial, games, game);
    const { matched } = trial.tallies.observation;
    if (!best || matched > best.matched) best = { game, matched };
    if (matched === seen.steps.length) break;
  }
  return best?.game;
}

async function replayAttempt(
  attempt: Attempt,
  findings: Findings,
  games?: Games,
  game?: string,
): Promise<RewardRule | undefined> {
  const memory = new ReplayedMemory(attempt);
  const opened = games && game !== undefined ? await games.open(game, attempt) : undefined;
  const world = opened ? await ReplayedWorld.begin(attempt, opened) : undefined;
  const { steps, rewards, cut } = attempt;
  const isCutOff = rewards === undefined || rewards.length < steps.length; // rewards come last
  let lastAction: LastAction | undefined;
  try {
    for (const [index, step] of steps.entries()) {
      const isLast = index === steps.length - 1;
      const here = findings.at(
        attempt.number,
        step.number,
        isLast && isCutOff ? "truncated-log" : "unexplained",
      );
      await memory.observe(step, lastAction, here);
      holdParsing(step, here);
      holdEpisodes(attempt, step, here);
      await world?.hold(step, memory, here);
      const action = actionTaken(step, steps[index + 1], here);
      const destination = destinationOf(action);
      if (destination !== undefined) holdPath(step, destination, memory, here);
      await world?.act(step, action, destination, memory, here);
      const room = step.frames.flatMap(headersIn).at(-1);
      lastAction = { action, macro: destination !== undefined, room };
    }
    if (cut) {
      const here = findings.at(attempt.number, cut.number);
      const where = `the log breaks off in the step at line ${cut.line}`;
      if (world) world.holdCut(cut, here);
      else here.note("observation", "a whole step", where, "truncated-log");
    }
    return world && holdRewards(attempt, world, findings);
  } finally {
    await world?.close();
  }
}

/** The action taken, by the next step where the answer is a table of scores. */
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

/** Compares what our parsers read in the models' answers with what the authors' code read. */
function holdParsing({ entities, outdated }: Step, findings: StepFindings): void {
  const { deepest } = ARIGRAPH_PAPER;
  if (entities.trimStart().startsWith("{")) {
    const read = parseEntities(deepest)(entities);
    const wanted = [...itemsAsLogged(entities)].map((
      [name, importance],
    ) => [name.trim(), Math.min(Math.ceil(importance), deepest)]);
    findings.hold("parsing", wanted, read.kind === "ok" ? [...read.value] : read.problem);
  }
  const wanted = written(staleAsLogged(outdated).stale).flatMap((text) => parseTriplet(text) ?? []);
  const ours = parseOutdate(outdated);
  findings.hold(
    "parsing",
    written(wanted),
    ours.kind === "ok" ? written(ours.value.stale) : ours.problem,
    outdated.split("[[").length > 2 ? "nested-answer" : undefined,
  );
}

/** Checks the number and the age of the recalled episodes. */
function holdEpisodes({ rules, steps }: Attempt, step: Step, findings: StepFindings): void {
  if (!rules.episodes || !step.episodes) return;
  const { back, all } = rules.episodes;
  const past = steps.slice(0, Math.max(0, step.number - back));
  const known = new Set(past.map(({ observation }) => withoutLastBreaks(observation)));
  // one version adds inventory and action to the observation
  const strange = step.episodes.filter((episode) =>
    !known.has(withoutLastBreaks(episode.replace(/\nInventory: [^]*$/, "")))
  );
  const most = Math.min(ARIGRAPH_PAPER.k, step.number - 1);
  const right = all ? step.episodes.length === most : step.episodes.length <= most;
  findings.hold("episodes", [...strange, right ? "" : `${step.episodes.length} episodes`], [
    right ? "" : `${most} episodes`,
  ]);
}

/** Compares a macro with ours: as many moves as our shortest path, each to a nearer room. */
function holdPath(
  { frames }: Step,
  destination: string,
  memory: ReplayedMemory,
  findings: StepFindings,
): void {
  const route = memory.route(destination);
  const logged = frames.length === 0 ? "refused" : `${frames.length} moves`;
  const ours = typeof route === "string" ? "refused" : `${route.length} moves`;
  const distances = memory.distancesTo(destination);
  const rooms = frames.flatMap((frame) => headersIn(frame).slice(-1).map(normaliseEntity));
  const away = rooms.filter((room, index) =>
    rooms.length === frames.length && distances.get(room) !== rooms.length - 1 - index
  );
  findings.hold(
    "path",
    `${destination}: ${logged}${away.length > 0 ? `, through ${away.join(", ")}` : ""}`,
    `${destination}: ${ours}`,
  );
}

function holdRewards(
  { rewards, number, steps }: Attempt,
  world: ReplayedWorld,
  findings: Findings,
): RewardRule | undefined {
  if (!rewards) {
    const here = findings.at(number, steps.length);
    here.note("reward", "a list of rewards", "the log ends before it", "truncated-log");
    return undefined;
  }
  const { rule, sums } = world.rewards.best(rewards);
  for (const [index, sum] of sums.entries()) {
    const cause = index >= rewards.length ? "truncated-log" : undefined;
    findings.at(number, index + 1).hold("reward", rewards[index] ?? "none", sum, cause);
  }
  return rule;
}

/** Exchanges the lists of rewards of two attempts whose lengths fit each other's steps. */
function withTheirRewards(attempts: readonly Attempt[], findings: Findings): Attempt[] {
  const fits = ({ steps }: Attempt, list?: Attempt): boolean =>
    list?.rewards?.length === steps.length;
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

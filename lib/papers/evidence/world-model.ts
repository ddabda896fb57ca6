/**
 * What does ReasonPlanner's world model know? Predictions and the critic (Pham-Dinh et al. 2024, arXiv 2410.09252, §3.3 to §3.5) held against the
 * simulator, by reader, look-ahead and query limit, with and without the temporal graph.
 *
 * | ReasonPlanner | here |
 * |---|---|
 * | L, look-ahead (§4.2.1) | `lookAhead` |
 * | k, queries a prediction (§4.2.1) | `queries` |
 * | with and without the world model (Table 2) | `worldModel` |
 * | r̂ and r, the predicted and the real response | `response`: F1 of their words |
 * | ŝ and s, the predicted and the real state | `state`: F1 of their words |
 * | R_c, the critic | `precision`: of the plans that it ends, the share after which the simulator departed from the prediction; `recall`: the reverse |
 *
 * The simulator departs where it refused the command, did not know it, or let the score fall.
 */

import { mean } from "simple-statistics";
import { REASONPLANNER_PAPER } from "../../agent/reasonplanner-options.ts";
import { parseVerdict } from "../../agent/reasonplanner.prompts.ts";
import { experiment } from "../../lab/experiment.ts";
import type { Study } from "../../lab/study.ts";
import { type PlayedExperiment, withMeasures } from "../../report/experiment.ts";
import { curveFigure } from "../../report/figures/experiment.ts";
import { phaseFigure } from "../../report/figures/phase.ts";
import type { ReportedAdvantage } from "../../report/figures/paper-order.ts";
import { paperTable } from "../../report/paper.ts";
import type { StudyReport } from "../../report/study-report.ts";
import { meansTable } from "../../report/tables/experiment.ts";
import { listAnswered } from "../../store/calls.ts";
import type { Store } from "../../store/open.ts";
import { getReply, getRequest } from "../../store/replies.ts";
import { wordF1 } from "../../text/qa-scores.ts";
import { readSections } from "../../text/sections.ts";
import { reasonPlannerStudy } from "../reasonplanner/study.ts";
import { checkNames, paperStudy, type PartChoices } from "../study-options.ts";
import { placedAt, readSiblings, replaceRows, siblings, withFactors } from "./siblings.ts";

const TASKS = ["find-living-thing", "lifespan-longest-lived", "melt", "test-conductivity"];

/** Look-aheads, query limits, test variations of each task, tasks and agent steps. */
const FORMS = {
  quick: { lookAhead: [1, 5], queries: [1, 3], variations: 6, tasks: TASKS.slice(0, 2), steps: 25 },
  full: { lookAhead: [1, 3, 5, 10], queries: [1, 3, 5], variations: 3, tasks: TASKS, steps: 100 },
} as const;

/**
 * The study *look-ahead × queries × world model*, as data, with the models given. `only` names tasks; `attempts` is the number of test variations.
 *
 * @throws {UsageError} if `only` names no task of the study.
 *
 * @example
 * ```ts
 * import { worldModelStudy } from "labyrinth/papers/evidence";
 * import assert from "node:assert/strict";
 *
 * const { lanes } = worldModelStudy({ models: { "*": "reader:gpt-4o" }, only: ["find-living-thing"], attempts: 1 });
 * assert.deepEqual([lanes[0]?.id, lanes.length - 1], ["training", 2 * 2 + 2]); // with the world model, and without
 * ```
 */
export function worldModelStudy(options: PartChoices = {}): Study {
  const form = options.full ? "full" : "quick";
  const { lookAhead, queries, variations, tasks: usual, steps } = FORMS[form];
  const { only = [], attempts = variations } = options;
  checkNames(only, usual, "no task of this study");
  const tasks = only.length > 0 ? only : usual;
  const worlds = tasks.flatMap((task) =>
    Array.from({ length: attempts }, (_, index) => ({
      ...{ world: "scienceworld", label: `${task}, variation ${index}` },
      params: { task, split: "test", index, stepLimit: 100 },
      factors: { task },
    }))
  );
  const common = { id: "lanes", worlds, methods: ["reasonplanner"], steps };
  const [training] = reasonPlannerStudy({ only: ["reasonplanner", ...tasks], full: options.full ?? false }).lanes;
  if (!training) throw new Error("ReasonPlanner is not trained");
  const trained = experiment({ ...common, factors: { lookAhead, queries, worldModel: [true] } }).lanes;
  const alone = experiment({ ...common, factors: { lookAhead, worldModel: [false] } }).lanes;
  return paperStudy(`evidence-reasonplanner-${form}`, options, variations, {
    title: "What does a world model know? Look-ahead × queries × world model",
    lanes: [...withFactors([training], { task: "training" }), ...trained.map((lane) => ({ ...lane, after: training.id })), ...alone],
  });
}

/** A prediction that was judged, beside what the simulator did. */
interface Judged {
  /** F1 of the words of the predicted and the real response, in [0, 1]. */
  readonly response: number;
  /** The same of the states; null where none was predicted. */
  readonly state: number | null;
  readonly departed: boolean;
  readonly replanned: boolean;
}

/** Reads what the critic was shown, and what it said; `undefined` of a verdict that cannot be read. */
export function judgedOf(prompt: string, reply: string, wasRefused = false): Judged | undefined {
  const verdict = parseVerdict(reply);
  const { Predicted: expected = "", "What happened": actual = "" } = readSections(prompt);
  if (verdict.kind === "malformed") return undefined;
  const [before = 0, now = 0] = (partOf(actual, "Score").match(/-?[\d.]+/g) ?? []).map(Number);
  const real = partOf(actual, "Response");
  const predicted = partOf(expected, "State");
  return {
    response: sharedWords(partOf(expected, "Response"), real),
    state: predicted === "not predicted" ? null : sharedWords(predicted, partOf(actual, "State")),
    departed: wasRefused || now < before || /^No known action/.test(real),
    replanned: verdict.value.replan,
  };
}

/** What stands after a heading of the critic's sections, up to the next one. */
function partOf(section: string, heading: string): string {
  const parts = section.split(/^(Command|Response|Score|State): /m);
  return parts[parts.indexOf(heading) + 1]?.trim() ?? "";
}

function sharedWords(one: string, other: string): number {
  const [given, wanted] = [one, other].map((text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  return wordF1(given ?? [], wanted ?? []);
}

/** Every verdict of an episode's critic, in order. */
function judgedIn(store: Store, episode: string): Judged[] {
  const refused = new Set(
    store.prepare("select step from events where episode = ? and kind = 'invalid-action'").all(episode).map(({ step }) => Number(step)),
  );
  return listAnswered(store, episode).filter(({ role }) => role === "reasonplanner/critic").flatMap(({ key, step }) => {
    const messages = getRequest(store, key)?.messages as readonly { readonly content: string }[] | undefined;
    const reply = getReply(store, key) as { readonly choices: readonly { readonly text: string }[] } | undefined;
    return judgedOf(messages?.map(({ content }) => content).join("\n") ?? "", reply?.choices[0]?.text ?? "", refused.has(step ?? -1)) ?? [];
  });
}

const SHARE = { digits: 2, range: [0, 1], optional: true } as const;

function readWorldModel(store: Store, study: string): PlayedExperiment {
  const played = replaceRows(
    { ...readSiblings(store, study, "reader"), titles: { lookAhead: "look-ahead L", queries: "queries k", plans: "planner" } },
    ({ factors: { task, ...factors }, ...row }) => task === "training" ? [] : [{ ...row, factors }],
  );
  const judged = new Map(played.rows.map(({ episode }) => [episode, judgedIn(store, episode)]));
  const share =
    (of: (one: Judged) => number | boolean | null, among: (one: Judged) => boolean = () => true) =>
    ({ episode }: { readonly episode: string }) => {
      const values = judged.get(episode)?.filter(among).flatMap((one) => of(one) ?? []) ?? [];
      return values.length === 0 ? null : values.reduce<number>((sum, value) => sum + Number(value), 0) / values.length;
    };
  return withMeasures(played, {
    response: { title: "F1 of predicted responses", ...SHARE, of: share(({ response }) => response) },
    state: { title: "F1 of predicted states", ...SHARE, of: share(({ state }) => state) },
    precision: { title: "critic's precision", ...SHARE, of: share(({ departed }) => departed, ({ replanned }) => replanned) },
    recall: { title: "critic's recall", ...SHARE, of: share(({ replanned }) => replanned, ({ departed }) => departed) },
  });
}

const READING =
  "F1: words that predictions and the simulator share. Precision: of the plans that the critic ends, the share after which the simulator had " +
  "refused the command or lowered the score; recall: the share of those that it ends. An episode without any is left out. The offline backbone foresees no " +
  "wording: of every action it predicts that it is done, and mostly that all is as before, so its F1 says nothing of a language model; its critic ends a plan only at a refusal that it reads.";

/** What asks no graph stands beside every query limit. */
function besideQueries(played: PlayedExperiment): PlayedExperiment {
  const limits = (played.levels.get("queries") ?? []).filter((limit) => limit !== null);
  return replaceRows(played, (row) => {
    const { worldModel, queries = null, reader } = row.factors;
    const plans = worldModel ? "a world model" : "no world model";
    return placedAt(row, (worldModel ? [queries] : limits).map((k) => ({ plans, setting: `${reader}, k = ${k}`.replace("reader:", "") })));
  });
}

/** What the world model adds to the score in tasks of the study, by the paper's Table 2: the mean of theirs, at its look-ahead of 5 with k = 3. */
export function paperWorldModel(tasks: readonly string[], settings: readonly string[]): ReportedAdvantage[] {
  const gaps = paperTable("reasonplanner_table2_ablation").filter(({ name = "" }) => tasks.includes(name))
    .map((row) => (Number(row["with_wm"]) - Number(row["without_wm"])) / 100);
  return gaps.length > 0
    ? [{
      than: "no world model",
      x: REASONPLANNER_PAPER.lookAhead,
      y: "paper (gpt-4-turbo)",
      mean: mean(gaps),
      of: settings.filter((one) => one.endsWith("k = 3")),
    }]
    : [];
}

/** Everything that is made of the world model. */
export const WORLD_MODEL_REPORT: StudyReport = {
  exhibits: [],
  studies: siblings,
  tables: ({ store, study, allowIncomplete }) => {
    const of = ["score", "steps", "response", "state", "precision", "recall"];
    const table = meansTable(store, readWorldModel(store, study), { of, allowIncomplete });
    return [{ ...table, caption: `${table.caption} ${READING}` }];
  },
  figures: [({ store, study }) => {
    const played = readWorldModel(store, study);
    const named = replaceRows(played, ({ factors, ...row }) => {
      const method = factors["worldModel"] ? `k = ${factors["queries"]}` : "no world model";
      return [{ ...row, factors: { ...factors, method } }];
    });
    const beside = besideQueries(played);
    const measured = ["score", "recall"].filter((y) => played.rows.some(({ values }) => (values[y] ?? null) !== null));
    return [
      ...measured.map((y) => {
        const curve = curveFigure(store, named, { x: "lookAhead", y, by: "method", panel: "reader" });
        return y === "recall" ? { ...curve, caption: `${curve.caption} ${READING}` } : curve;
      }),
      phaseFigure(store, beside, {
        x: "lookAhead",
        y: "setting",
        by: "plans",
        level: "a world model",
        than: ["no world model"],
        reported: paperWorldModel(
          TASKS.filter((task) => played.rows.some(({ world }) => world.includes(task))),
          (beside.levels.get("setting") ?? []).map(String),
        ),
      }),
    ];
  }],
};

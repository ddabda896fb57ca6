/**
 * What explains the published code's score on MuSiQue (AIRI-Institute/AriGraph, issue 3: 23.0 EM and 35.1 F1, where Table 2 of the paper has 36.5 and
 * 47.9)? One factor after the other is changed on the same questions, and the published log is scored anew. What came of it stands in `docs/deviations/arigraph.md`.
 */

import { existsSync, readFileSync } from "node:fs";
import { mean } from "simple-statistics";
import { officialPath } from "../../core/env/questions/data-folder.ts";
import { musique } from "../../core/env/questions/official-sets.ts";
import type { Options, Study } from "../../lab/study.ts";
import { type Measure, resampled, wholeMeasure } from "../../report/estimate.ts";
import type { Exhibit, LineWhere } from "../../report/exhibit.ts";
import { answerRows } from "../../report/frame.ts";
import type { StudyReport } from "../../report/study-report.ts";
import type { Cell, Table } from "../../report/table.ts";
import { numpyPermutation } from "../../core/stats/sampling.ts";
import { listEpisodes } from "../../lab/store/episodes.ts";
import type { Store } from "../../lab/store/open.ts";
import { listStudies } from "../../lab/store/studies.ts";
import { containedScore } from "../../core/text/dialogue-scores.ts";
import { countWords, musiqueScore, normaliseAnswer, pooledScore } from "../../core/text/qa-scores.ts";
import { checkNames, namedOr, paperStudy, type PartChoices } from "../study-options.ts";
import { ARIGRAPH_QUESTIONS, MEASURES, POOLED, type QuestionTrial } from "./questions.ts";

/** A factor at another level than Table 2's, the base. */
interface Condition {
  /** What `only` calls it. */
  readonly name: string;
  readonly memory?: string;
  readonly options?: Options;
  readonly method?: Options;
}

const BASE = "base";
const CONDITIONS: readonly Condition[] = [
  { name: BASE },
  { name: "titles", method: { titles: true } },
  ...[3, 12, 24].map((width): Condition => ({ name: `width-${width}`, options: { width } })),
  ...[1, 2, 5].map((depth): Condition => ({ name: `depth-${depth}`, options: { depth } })),
  { name: "k-0", options: { episodic: false } },
  ...[1, 4, 8].map((k): Condition => ({ name: `k-${k}`, options: { k } })),
  { name: "all-paragraphs", memory: "passages" },
];

/** Its label in tables. */
const labelOf = (name: string): string => name.replaceAll("-", " ");

/** Questions of the study; of the encyclopedia 50 of each seed. */
const QUESTIONS = 200;
const OF_A_SEED = 50;

/** Options of the study. */
export interface AttributionOptions extends Omit<PartChoices, "games" | "attempts"> {
  /** Questions asked, from the first, 1 … 200. @default {200} */
  readonly questions?: number;
}

/**
 * The study, as data: MuSiQue's 200 questions of Table 2 in the full form, which needs its file, and 200 of the encyclopedia in the quick one. `only`
 * names conditions. The embedder is the study's: another one is another study, whose rows stand in the same table.
 *
 * @throws {UsageError} if `only` names no condition.
 *
 * @example
 * ```ts
 * import { attributionStudy } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * assert.equal(attributionStudy({ questions: 20 }).lanes.length, 20 * 13); // questions, conditions
 * ```
 */
export function attributionStudy({ questions = QUESTIONS, ...options }: AttributionOptions = {}): Study {
  const { full = false, only = [] } = options;
  checkNames(only, CONDITIONS.map(({ name }) => name), "no condition of this study");
  const world = full ? "questions/musique" : "questions/encyclopedia";
  const sample = full
    ? numpyPermutation(42, 2417).slice(0, QUESTIONS).map((index): Options => ({ index }))
    : Array.from({ length: QUESTIONS }, (_, at): Options => ({ seed: 1 + Math.floor(at / OF_A_SEED), index: at % OF_A_SEED }));
  const lanes = sample.slice(0, questions).flatMap((params) =>
    namedOr(CONDITIONS, only).map(({ name, memory = "arigraph", options = {}, method = {} }) => ({
      id: `${world} ${JSON.stringify(params)}|${labelOf(name)}`,
      episodes: [{
        ...{ world, params, method: "answer", memory, condition: labelOf(name), attempt: 1, seed: 1 },
        options: { method, memory: memory === "arigraph" ? { ...ARIGRAPH_QUESTIONS, ...options } : options },
      }],
    }))
  );
  const form = `attribution-arigraph${full ? "-full" : ""}${questions === QUESTIONS ? "" : `-n${questions}`}`;
  return paperStudy(form, options, 1, { title: "AriGraph on MuSiQue: which factor explains how many points?", lanes });
}

/** A question under one condition, which tells its embedder; `place` is equal for the same question under all of them. */
type AttributionTrial = QuestionTrial & { readonly place: string; readonly embedder: string };

/** The questions of a study, and those of the same form and models with other embedders or conditions, each once. */
function attributionTrials(store: Store, study: string): AttributionTrial[] {
  const form = (id: string): string => id.replace(/^(attribution-arigraph(?:-full)?(?:-n\d+)?)[^@]*/, "$1");
  const trials = [study, ...listStudies(store).filter((id) => id !== study && form(id) === form(study))].flatMap((id) => {
    const episodes = new Map(listEpisodes(store, { study: id }).map((one) => [one.id, one]));
    return answerRows(store, id).map((row) => {
      const { worldParams, identity } = episodes.get(row.episode) ?? {};
      return { ...row, place: JSON.stringify(worldParams), embedder: String(identity?.["embedder"]) };
    });
  });
  const known = new Map(trials.toReversed().map((trial) => [[trial.condition, trial.place, trial.embedder].join(), trial]));
  return [...known.values()].reverse();
}

type Row = LineWhere<AttributionTrial, "embedder">;

/** The mean difference in F1 to the base with the same embedder, question by question. */
function gain({ where: { embedder } }: Row): Measure<AttributionTrial> {
  return wholeMeasure<AttributionTrial>({
    ...{ name: "F1 to base", better: "more", digits: 1, interval: "a seeded percentile bootstrap" },
    beside: (trial) => trial.condition === BASE && trial.embedder === embedder,
    of: (trials) => {
      const base = new Map(trials.flatMap((trial) => trial.condition === BASE ? [[trial.place, trial.f1 ?? 0]] : []));
      const pairs = trials.flatMap(({ condition, place, f1 }) => {
        const before = base.get(place);
        return condition === BASE || before === undefined ? [] : [100 * ((f1 ?? 0) - before)];
      });
      if (pairs.length === 0) return "is the base";
      return { value: mean(pairs), ...resampled(pairs, mean, { name: "F1 to base" }) };
    },
  });
}

/** A row a condition and embedder: official scores, what the factor adds to the base, and the score of the authors' code. */
function attributionExhibit(trials: readonly AttributionTrial[]): Exhibit<AttributionTrial, Row> {
  const embedders = [...new Set(trials.map(({ embedder }) => embedder))];
  return {
    ...{ id: "arigraph-attribution", source: "Table 2", head: "factor", trial: "question" },
    title: (backbone) => `AriGraph on MuSiQue's form of questions: one factor after the other (${backbone})`,
    trials: attributionTrials,
    rows: embedders.flatMap((embedder) =>
      CONDITIONS.map(({ name }) => labelOf(name)).map((name) => ({
        name: embedders.length > 1 ? `${name}, ${embedder}` : name,
        where: { condition: name, embedder },
      }))
    ),
    columns: [
      { name: "EM", measure: MEASURES.em },
      { name: "F1", measure: MEASURES.f1 },
      { name: "F1 to base" },
      { name: "pooled F1", measure: POOLED },
    ],
    measure: (row, { measure }) => measure ?? gain(row),
    caption: ({ backbone, n, intervals }) =>
      `Model: ${backbone}; ${n} a cell, ${
        [...new Set(trials.map(({ game }) => game))].join(", ")
      }. Base: paragraphs without titles, width 6, depth 3, k 2, as in Table 2. ` +
      `${intervals} "All paragraphs" shows what reading alone loses.`,
  };
}

/** The authors' published log of MuSiQue: 200 questions, gpt-4o-mini. */
const LOG = { folder: "arigraph", file: "musique_gpt_mini.txt", publisher: "AriGraph's authors (AIRI-Institute/AriGraph on GitHub)" };

/** The published log scored anew, whole and by what was recalled; none where the user has no log. */
export function publishedLogTable(): Table | undefined {
  const path = officialPath(LOG);
  if (!existsSync(path)) return undefined;
  const aliases = musiqueAliases();
  const all = readFileSync(path, "utf8").split(/^QUESTION: /m).slice(1).flatMap((block) => {
    const [, reply, gold] = block.match(/^AGENT ANSWER: ([^]*?)^TRUE ANSWER: (.*)$/m) ?? [];
    if (reply === undefined || gold === undefined) return []; // a question that was begun anew
    const told = (name: string): boolean => contains(block.match(new RegExp(`^${name}: (.*)$`, "m"))?.[1] ?? "", gold);
    const answer = (reply.split("Direct answer:").at(-1) ?? "").trim();
    const golds = [gold, ...aliases.get(block.split("\n")[0] ?? "") ?? []];
    return [{
      ...{ ...musiqueScore(answer, golds), contained: containedScore(answer, golds).contained, words: countWords(answer, gold) },
      ...{ graph: told("ASSOCIATED SUBGRAPH"), episodes: told("EPISODIC MEMORY"), unknown: /^\W*unknown/i.test(answer) },
    }];
  });
  const percent = (scores: readonly number[]): Cell => scores.length > 0 ? { value: 100 * mean([...scores]), digits: 1 } : null;
  const part = (name: string, keep: (one: typeof all[number]) => boolean): Cell[] => {
    const some = all.filter(keep);
    return [name, `${some.length}`, percent(some.map(({ em }) => em)), percent(some.map(({ f1 }) => f1))];
  };
  const pooled = pooledScore(all.map(({ words }) => words));
  return {
    id: "arigraph-published-log",
    title: "AriGraph's published log of MuSiQue, scored anew (gpt-4o-mini)",
    caption: `The authors' log of ${all.length} questions; Table 2 has EM 36.5 and F1 47.9. Official scores ${
      aliases.size > 0 ? "with" : "without"
    } aliases. "Recalled" means that the words of the gold answer stand in it.`,
    columns: ["scored", "n", "EM", "F1"],
    rows: [
      ["the authors' code, words pooled", `${all.length}`, percent([pooled.em]), percent([pooled.f1])],
      part("MuSiQue's official scorer", () => true),
      ["the gold answer contained in the answer", `${all.length}`, percent(all.map(({ contained }) => contained)), null],
      part("official, answered", ({ unknown }) => !unknown),
      part('official, "Unknown"', ({ unknown }) => unknown),
      part("official, recalled in the graph alone", ({ graph, episodes }) => graph && !episodes),
      part("official, recalled in the paragraphs alone", ({ graph, episodes }) => !graph && episodes),
      part("official, recalled in both", ({ graph, episodes }) => graph && episodes),
      part("official, recalled in neither", ({ graph, episodes }) => !graph && !episodes),
    ],
  };
}

function contains(text: string, gold: string): boolean {
  return ` ${normaliseAnswer(text.replaceAll(",", " "))} `.includes(` ${normaliseAnswer(gold)} `);
}

/** Question → its aliases, where the user has MuSiQue. */
function musiqueAliases(): Map<string, readonly string[]> {
  const path = officialPath(musique.file);
  if (!existsSync(path)) return new Map();
  const lines = readFileSync(path, "utf8").split("\n").filter((line) => line.trim() !== "");
  return new Map(lines.map((line) => JSON.parse(line)).map(({ question, answer_aliases }) => [question, answer_aliases]));
}

/** Everything that is made of the attribution. */
export const ATTRIBUTION_REPORT: StudyReport = {
  exhibits: ({ store, study }) => [attributionExhibit(attributionTrials(store, study))],
  tables: () => [publishedLogTable() ?? []].flat(),
};

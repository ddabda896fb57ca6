/** What does a memory keep of a long conversation? Every memory on the same answerer over dialogues that are made here, or the public sets. */

import type { Options, PlannedEpisode, Study } from "../../lab/study.ts";
import { MEMORIES } from "../../memory/registry.ts";
import { meanMeasure, type Measure, type Trial } from "../../report/estimate.ts";
import type { Exhibit, Line } from "../../report/exhibit.ts";
import { checkHeld } from "../../report/held-study.ts";
import type { StudyReport } from "../../report/study-report.ts";
import { clusteredWilsonInterval } from "../../stats/shares.ts";
import type { Store } from "../../store/open.ts";
import { checkNames, namedOr, paperStudy, type PartChoices } from "../study-options.ts";
import { ONLY_IN } from "./matrix.ts";

/** A set of dialogues. */
interface DialogueSet {
  readonly name: string;
  /** The lengths at which it is played: the label and the parameters of its world. */
  readonly lengths: readonly { readonly label: string; readonly params: Options }[];
  /** The parameter that numbers its dialogues from 0. */
  readonly numberedBy: "seed" | "index";
}

const generated = (sessions: number): DialogueSet["lengths"][number] => ({ label: `${sessions} sessions`, params: { sessions } });

/** Sessions and dialogues of each form. */
const FORMS = { quick: { sessions: [12, 60], dialogues: 4 }, full: { sessions: [12, 60, 240], dialogues: 20 } } as const;

const OFFICIAL = ["longmemeval", "locomo", "memory-agent"];

function setsOf(form: keyof typeof FORMS): DialogueSet[] {
  return [
    { name: "generated", lengths: FORMS[form].sessions.map(generated), numberedBy: "seed" },
    ...OFFICIAL.map((name): DialogueSet => ({ name, lengths: [{ label: name, params: {} }], numberedBy: "index" })),
  ];
}

/** The name in `only` by which a judge scores the answers. */
const JUDGE = { name: "judge" };

/** A memory under its options: no game is played, and nothing but the recollection is shown, so that no turn is left out of it. */
interface Condition {
  readonly name: string;
  readonly memory: string;
  readonly options: Options;
}

const OPTIONS: Readonly<Record<string, Options>> = {
  "a-mem": { nPrev: 0 },
  arigraph: { texts: "paragraphs", exploration: false, nPrev: 0 },
  graphiti: { texts: "paragraphs" },
  hipporag: { texts: "paragraphs" },
  memgpt: { nPrev: 0 },
  "plain-notes": { nPrev: 0 },
  rag: { nPrev: 0 },
  simulacra: { nPrev: 0 },
};

/** Every memory but those that read one world alone; passages by both of their searches. */
const CONDITIONS: readonly Condition[] = Object.keys(MEMORIES).filter((memory) => ONLY_IN[memory] === undefined).flatMap((memory) =>
  memory === "passages"
    ? ["bm25", "embedding"].map((by) => ({ name: `passages ${by}`, memory, options: { by } }))
    : [{ name: memory, memory, options: OPTIONS[memory] ?? {} }]
);

/**
 * The study *memory × length of a dialogue*, as data, with the models given. `only` names memories, or public sets in place of the generated
 * dialogues, and `judge`, by which a model in the role `judge/verdict` scores the answers (D10); `attempts` is the number of dialogues.
 *
 * @throws {UsageError} if `only` names neither a memory nor a set.
 *
 * @example
 * ```ts
 * import { dialogueStudy } from "labyrinth/papers/evidence";
 * import assert from "node:assert/strict";
 *
 * const { lanes } = dialogueStudy({ only: ["arigraph", "rag"] });
 * assert.equal(lanes.length, 2 * 4 * 2); // lengths, dialogues, memories
 * assert.equal(lanes[0]?.episodes[0]?.world, "dialogues/generated");
 * ```
 */
export function dialogueStudy(options: PartChoices = {}): Study {
  const form = options.full ? "full" : "quick";
  const { only = [], attempts = FORMS[form].dialogues } = options;
  const sets = setsOf(form);
  const isJudged = only.includes(JUDGE.name);
  checkNames(only, [...CONDITIONS, ...sets, JUDGE].map(({ name }) => name), "neither a memory nor a set of this study");
  const lanes = namedOr(sets, only, sets.slice(0, 1)).flatMap((set) =>
    Array.from({ length: attempts }, (_, number) => number).flatMap((number) =>
      set.lengths.flatMap((length) =>
        namedOr(CONDITIONS, only).map((condition) => {
          const episode = episodeOf(set, length, number, condition, isJudged);
          return { id: `${episode.label}, ${number}|${condition.name}`, episodes: [episode] };
        })
      )
    )
  );
  return paperStudy(`evidence-dialogues-${isJudged ? "judged-" : ""}${form}`, options, FORMS[form].dialogues, {
    title: "What does a memory keep of a conversation?",
    lanes,
  });
}

function episodeOf(
  { name, numberedBy }: DialogueSet,
  { label, params }: DialogueSet["lengths"][number],
  number: number,
  { name: condition, memory, options }: Condition,
  isJudged: boolean,
): PlannedEpisode {
  return {
    ...{ world: `dialogues/${name}`, label, params: { ...params, [numberedBy]: number, ...(isJudged && { judge: true }) } },
    ...{ method: isJudged ? "converse-judged" : "converse", memory, options: { memory: options }, condition, attempt: 1, seed: 1 },
  };
}

/** A question of a dialogue with the score of its answer; of an episode that is not completed one line without. */
interface DialogueTrial extends Trial {
  /** The set and length. */
  readonly label: string;
  /** Tells the dialogue from others of its label; equal under all conditions. */
  readonly dialogue: string;
  /** Id of the question; null unless the episode is completed. So are its class and the score. */
  readonly question: string | null;
  readonly kind: string | null;
  /** In [0, 1], by the set's own rules; by the judge 1 where it accepted the answer, else 0. */
  readonly score: number | null;
  /** Whether an answer that was planted for the judge is right; null of an answer that was given. */
  readonly planted: "right" | "wrong" | null;
}

/** The questions of a study of dialogues, in order of label, condition, dialogue and question; with a judge, what it said of given and planted answers. */
function dialogueTrials(store: Store, study: string): DialogueTrial[] {
  checkHeld(store, study);
  return store.prepare(`
    select e.id as episode, e.condition, e.status, cast(e.seed as text) as seed, coalesce(e.label, e.world) as label, e.world_params as dialogue,
      t.sections ->> '$.question' as question, t.sections ->> '$.kind' as kind, t.sections ->> '$.planted' as planted,
      coalesce(t.sections ->> '$.verdict' = 'right', cast(t.sections ->> '$.score' as real)) as score
    from episodes e left join turns t on t.episode = e.id and t.step >= 1 and e.status = 'completed'
      and (e.method = 'converse' or t.sections ->> '$.verdict' is not null)
    where e.study = ? and e.method in ('converse', 'converse-judged')
    order by label, e.condition, dialogue, t.step`).all(study) as unknown as DialogueTrial[];
}

/**
 * The errors of the judge of a study, measured on planted answers, as a sentence; an empty text where no judge scored. What it said of an answer counts
 * once, although every memory's episode has it.
 */
function judgeText(store: Store, study: string): string {
  const said = dialogueTrials(store, study).filter(({ planted }) => planted !== null);
  const planted = [...new Map(said.map((trial) => [JSON.stringify([trial.dialogue, trial.question, trial.planted]), trial])).values()];
  if (planted.length === 0) return "";
  const share = (is: "right" | "wrong", isError: (trial: DialogueTrial) => boolean): string => {
    const own = planted.filter((trial) => trial.planted === is);
    const errors = [...Map.groupBy(own, ({ dialogue }) => dialogue).values()].map((some) => some.map(isError));
    const percent = (value: number): string => (100 * value).toFixed(1);
    const { low, high } = clusteredWilsonInterval(errors);
    return `${percent(errors.flat().filter(Boolean).length / own.length)} % [${percent(low)}, ${percent(high)}] of ${own.length}`;
  };
  const [accepted, rejected] = [share("wrong", ({ score }) => score === 1), share("right", ({ score }) => score === 0)];
  const models = store.prepare(
    "select distinct c.model from calls c join episodes e on e.id = c.episode where e.study = ? and role = 'judge/verdict'",
  );
  return ` Scored by a judge (${
    models.all(study).map(({ model }) => model).join(", ")
  }), which accepted ${accepted} planted wrong answers and ` +
    `rejected ${rejected} right ones in other words (Wilson's 95 % intervals of clustered answers).`;
}

type Column = Line<DialogueTrial> & { readonly measure: Measure<DialogueTrial> };

/** The share of right answers in percent, over all questions and by class; a row a memory at a length. */
function dialogueExhibit(trials: readonly DialogueTrial[], judged: string): Exhibit<DialogueTrial, Line<DialogueTrial>, Column> {
  const labels = [...new Set(trials.map(({ label }) => label))].sort((a, b) => parseInt(a) - parseInt(b) || (a < b ? -1 : 1));
  const conditions = [...new Set(trials.map(({ condition }) => condition))].sort();
  const kinds = [...new Set(trials.flatMap(({ kind }) => kind ?? []))];
  return {
    ...{ id: "dialogues", source: "", head: "memory", trial: "question", compete: "rows" },
    title: (backbone) => `What does a memory keep of a conversation? (${backbone})`,
    trials: (store, study) => dialogueTrials(store, study).filter(({ planted }) => planted === null),
    rows: labels.flatMap((label) =>
      conditions.map((condition) => ({
        name: `${condition}, ${label}`,
        rivals: label,
        has: (trial: DialogueTrial) => trial.label === label && trial.condition === condition,
      }))
    ),
    columns: [
      { name: "all", measure: scoreMeasure("score") },
      ...kinds.map((kind) => ({
        name: kind,
        measure: scoreMeasure(kind),
        has: (trial: DialogueTrial) => trial.kind === kind || trial.kind === null,
      })),
    ],
    caption: ({ backbone, n, intervals }) =>
      `Score of the answers in percent by class of question. Backbone ${backbone}; ${n} a cell. Intervals of clustered questions, whose ` +
      `number counts for as many as differ by dialogue. ${intervals} A memory that recalls nothing is right wherever "Unknown" is the answer.${judged}`,
  };
}

function scoreMeasure(name: string): Measure<DialogueTrial> {
  return meanMeasure({
    ...{ name, range: [0, 100], better: "more", digits: 1, interval: "wilson" },
    of: ({ score }) => score === null ? null : 100 * score,
    clusterOf: ({ dialogue }) => dialogue,
  });
}

/** Everything that is made of the dialogues. */
export const DIALOGUE_REPORT: StudyReport = {
  exhibits: ({ store, study }) => [dialogueExhibit(dialogueTrials(store, study), judgeText(store, study))],
};

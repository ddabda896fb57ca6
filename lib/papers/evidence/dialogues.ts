/** What does a memory keep of a long conversation? Every memory on the same answerer over dialogues that are made here, or the public sets. */

import type { Options, PlannedEpisode, Study } from "../../lab/study.ts";
import { MEMORIES } from "../../memory/registry.ts";
import { meanMeasure, type Measure, type Trial } from "../../report/estimate.ts";
import type { Exhibit, Line } from "../../report/exhibit.ts";
import { checkHeld } from "../../report/held-study.ts";
import type { StudyReport } from "../../report/study-report.ts";
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

/** A memory under its options: no game is played, and nothing but the recollection is shown, so that no turn is left out of it. */
interface Condition {
  readonly name: string;
  readonly memory: string;
  readonly options: Options;
}

const OPTIONS: Readonly<Record<string, Options>> = {
  arigraph: { texts: "paragraphs", exploration: false, nPrev: 0 },
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
 * dialogues; `attempts` is the number of dialogues.
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
  checkNames(only, [...CONDITIONS, ...sets].map(({ name }) => name), "neither a memory nor a set of this study");
  const lanes = namedOr(sets, only, sets.slice(0, 1)).flatMap((set) =>
    Array.from({ length: attempts }, (_, number) => number).flatMap((number) =>
      set.lengths.flatMap((length) =>
        namedOr(CONDITIONS, only).map((condition) => {
          const episode = episodeOf(set, length, number, condition);
          return { id: `${episode.label}, ${number}|${condition.name}`, episodes: [episode] };
        })
      )
    )
  );
  return paperStudy(`evidence-dialogues-${form}`, options, FORMS[form].dialogues, {
    title: "What does a memory keep of a conversation?",
    lanes,
  });
}

function episodeOf(
  { name, numberedBy }: DialogueSet,
  { label, params }: DialogueSet["lengths"][number],
  number: number,
  { name: condition, memory, options }: Condition,
): PlannedEpisode {
  return {
    ...{ world: `dialogues/${name}`, label, params: { ...params, [numberedBy]: number } },
    ...{ method: "converse", memory, options: { memory: options }, condition, attempt: 1, seed: 1 },
  };
}

/** A question of a dialogue with the score of its answer; of an episode that is not completed one line without. */
interface DialogueTrial extends Trial {
  /** The set and length. */
  readonly label: string;
  /** Tells the dialogue from others of its label; equal under all conditions. */
  readonly dialogue: string;
  /** The class of the question; null unless the episode is completed. So is the score. */
  readonly kind: string | null;
  /** In [0, 1], by the set's own rules. */
  readonly score: number | null;
}

/** The questions of a study of dialogues, in order of label, condition, dialogue and question. */
function dialogueTrials(store: Store, study: string): DialogueTrial[] {
  checkHeld(store, study);
  return store.prepare(`
    select e.id as episode, e.condition, e.status, cast(e.seed as text) as seed, coalesce(e.label, e.world) as label, e.world_params as dialogue,
      json_extract(t.sections, '$.kind') as kind, cast(json_extract(t.sections, '$.score') as real) as score
    from episodes e left join turns t on t.episode = e.id and t.step >= 1 and e.status = 'completed'
    where e.study = ? and e.method = 'converse' order by label, e.condition, dialogue, t.step`).all(study) as unknown as DialogueTrial[];
}

type Column = Line<DialogueTrial> & { readonly measure: Measure<DialogueTrial> };

/** The share of right answers in percent, over all questions and by class; a row a memory at a length. */
function dialogueExhibit(trials: readonly DialogueTrial[]): Exhibit<DialogueTrial, Line<DialogueTrial>, Column> {
  const labels = [...new Set(trials.map(({ label }) => label))].sort((a, b) => parseInt(a) - parseInt(b) || (a < b ? -1 : 1));
  const conditions = [...new Set(trials.map(({ condition }) => condition))].sort();
  const kinds = [...new Set(trials.flatMap(({ kind }) => kind ?? []))];
  return {
    ...{ id: "dialogues", source: "", head: "memory", trial: "question", compete: "rows" },
    title: (backbone) => `What does a memory keep of a conversation? (${backbone})`,
    trials: dialogueTrials,
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
      `Score of the answers in percent by class of question. Backbone ${backbone}; ${n} a cell. Intervals of clustered questions: dialogues are ` +
      `drawn whole. ${intervals} A memory that recalls nothing is right wherever "Unknown" is the answer.`,
  };
}

function scoreMeasure(name: string): Measure<DialogueTrial> {
  return meanMeasure({
    ...{ name, range: [0, 100], better: "more", digits: 1, interval: "bootstrap" },
    of: ({ score }) => score === null ? null : 100 * score,
    clusterOf: ({ dialogue }) => dialogue,
  });
}

/** Everything that is made of the dialogues. */
export const DIALOGUE_REPORT: StudyReport = {
  exhibits: ({ store, study }) => [dialogueExhibit(dialogueTrials(store, study))],
};

/** What is made of the studies across papers, and the parts that `./lab reproduce evidence` plays. */

import { UsageError } from "../../errors.ts";
import type { Study } from "../../lab/study.ts";
import { parseRoleMap } from "../../llm/role-map.ts";
import { bindingOf, modelIdOf } from "../../llm/roles.ts";
import { readExperiment, withMeasures } from "../../report/experiment.ts";
import { heatFigure } from "../../report/figures/experiment.ts";
import { breakEvenFigure, breakEvenTable, phaseFigure } from "../../report/figures/phase.ts";
import { type Report, reportOf, type StudyReport } from "../../report/study-report.ts";
import { meansTable } from "../../report/tables/experiment.ts";
import type { TableOptions } from "../../report/exhibit-table.ts";
import type { Store } from "../../store/open.ts";
import { didYouMean } from "../../text/did-you-mean.ts";
import { checkNames, formOf, type Part, type PartChoices } from "../study-options.ts";
import { matrixStudy, readMatrix, withReasons } from "./matrix.ts";
import { attributionFigure, attributionStudies, attributionTable, stagesBeside } from "./attribution.ts";
import { ATTRIBUTED } from "./attribution-methods.ts";
import { CARRIED_REPORT, carriedStudy } from "./carried.ts";
import { CANDIDATES, readerChoiceStudy, readerChoiceTable } from "./reader-choice.ts";
import { DIALOGUE_REPORT, dialogueStudy } from "./dialogues.ts";
import { DUNGEON_REPORT, dungeonStudy } from "./dungeon.ts";
import { EXPLORATION_REPORT, explorationStudies } from "./exploration.ts";
import { CALIBRATED, memoryLengthStudy, READERS, SIZED_WORLDS, type SizedWorld } from "./memory-length.ts";
import { ROOM_ERRORS_REPORT, roomErrorStudies } from "./room-errors.ts";
import { ROOM_SIZES_REPORT, roomSizesStudy } from "./room-sizes.ts";
import { placedAt, replaceRows, siblings } from "./siblings.ts";
import { STEP_REPORT, stepStudy } from "./step-losses.ts";
import { SWEEPS_REPORT } from "./sweeps-report.ts";
import { sweepStudies } from "./sweeps.ts";
import { WORLD_MODEL_REPORT, worldModelStudy } from "./world-model.ts";

/** Against what the graph is held in the diagrams. */
const RIVALS = ["full-history", "summary", "rag"];

/** Of a whole episode they would be the fewer the sooner it is lost. */
const TOKENS_A_STEP: Parameters<typeof withMeasures>[1] = {
  tokensAStep: {
    ...{ title: "tokens a step", digits: 0, range: [0, Infinity], better: "less" },
    of: ({ values: { tokens, steps } }) => typeof tokens === "number" && steps ? tokens / steps : null,
  },
};

/**
 * Everything that is made of *memory × reader × length* in one world: a row of the diagrams is a reader, and a level of what else is varied. They are
 * left out where there is nothing to compare.
 */
function lengthReport({ size, varied, reported = () => [] }: SizedWorld): StudyReport {
  const y = varied ? "setting" : "model";
  const optionsIn = (store: Store, study: string) => {
    const played = withMeasures(readExperiment(store, siblings(store, study)), TOKENS_A_STEP);
    const all = varied
      ? replaceRows(played, (row) => placedAt(row, [{ [y]: `${row.factors["model"]}, ${varied.factor} ${row.factors[varied.factor]}` }]))
      : played;
    const memories = all.levels.get("memory") ?? [];
    const than = memories.includes("arigraph") ? RIVALS.filter((memory) => memories.includes(memory)) : [];
    return { played, all, options: { x: size, y, than } };
  };
  return {
    exhibits: [],
    studies: siblings,
    tables: ({ store, study, allowIncomplete }) => {
      const { played, all, options } = optionsIn(store, study);
      return [
        meansTable(store, played, { of: ["score", "won", "steps", "tokens", "tokensAStep"], allowIncomplete }),
        ...(options.than.length > 0 ? [breakEvenTable(store, all, options)] : []),
      ];
    },
    figures: [({ store, study }) => {
      const { all, options } = optionsIn(store, study);
      if (options.than.length === 0) return [];
      const shown = {
        ...options,
        reported: reported((all.levels.get(y) ?? []).map(String)).filter(({ than }) => options.than.includes(than)),
      };
      return [
        phaseFigure(store, all, shown),
        phaseFigure(store, all, { ...options, of: "tokensAStep" }),
        breakEvenFigure(store, all, shown),
      ];
    }],
  };
}

/** Everything that is made of the attribution: nothing until a reader has played every stage. */
export const ATTRIBUTION_REPORT: StudyReport = {
  exhibits: [],
  studies: stagesBeside,
  tables: ({ store, study }) => [attributionTable(store, stagesBeside(store, study))].filter(({ rows }) => rows.length > 0),
  figures: [({ store, study }) => [attributionFigure(store, stagesBeside(store, study))].filter(({ frame }) => frame.height > 0)],
};

/** The spreads of all candidates in a store. */
export const READER_CHOICE_REPORT: StudyReport = {
  exhibits: [],
  studies: siblings,
  tables: ({ store, study }) => [readerChoiceTable(store, siblings(store, study))],
};

/** Everything that is made of the matrix. */
export const MATRIX_REPORT: StudyReport = {
  exhibits: [],
  studies: siblings,
  tables: ({ store, study, allowIncomplete }) =>
    (["score", "won"] as const).map((of) =>
      withReasons(meansTable(store, readMatrix(store, study), { of, across: "world", allowIncomplete }))
    ),
  figures: [({ store, study }) => heatFigure(store, readMatrix(store, study), { x: "world", y: "memory" })],
};

/**
 * Makes tables and figures of a study across papers, from it and those of the same form with other models.
 *
 * @throws {UsageError} if the study has no completed episode.
 *
 * @example
 * ```ts
 * import { evidenceReport } from "labyrinth/papers/evidence";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.throws(() => evidenceReport(store, "unplayed"), { name: "UsageError", message: /no completed episode to report/ });
 * ```
 */
export function evidenceReport(store: Store, study: string, options: TableOptions = {}): Report {
  const [, kind = "length"] = study.match(/^evidence-([a-z]+)/) ?? [];
  return reportOf((STUDIES[kind] ?? STUDIES["length"] as StudyForm).report, store, study, options);
}

/** The studies by the name that `--only` takes, alone or with names of the study's own. */
const STUDIES: Readonly<Record<string, StudyForm>> = {
  ...Object.fromEntries(
    Object.entries(SIZED_WORLDS).map(([name, world]): [string, StudyForm] => [
      name,
      { create: (values) => [memoryLengthStudy(values, name)], report: lengthReport(world), readers: world.readers },
    ]),
  ),
  matrix: { create: (values) => [matrixStudy(values)], report: MATRIX_REPORT },
  attribution: attributionForm("arigraph"),
  ...Object.fromEntries(
    Object.keys(ATTRIBUTED).filter((method) => method !== "arigraph")
      .map((method) => [`attribution-${method}`, { ...attributionForm(method), readers: READERS }]),
  ),
  carried: { create: (values) => [carriedStudy(values)], report: CARRIED_REPORT, readers: [CALIBRATED] },
  dialogues: { create: (values) => [dialogueStudy(values)], report: DIALOGUE_REPORT, readers: [CALIBRATED] },
  graphmind: { create: roomErrorStudies, report: ROOM_ERRORS_REPORT, readers: ["reader:perfect"] },
  rooms: { create: (values) => [roomSizesStudy(values)], report: ROOM_SIZES_REPORT, readers: ["reader:perfect", READERS[0], READERS[2]] },
  wese: { create: explorationStudies, report: EXPLORATION_REPORT, readers: [], isWhole: true },
  reasonplanner: { create: (values) => [worldModelStudy(values)], report: WORLD_MODEL_REPORT, readers: [READERS[0], READERS[2]] },
  nethack: { create: (values) => [dungeonStudy(values)], report: DUNGEON_REPORT, readers: READERS },
  steps: { create: (values) => [stepStudy(values)], report: STEP_REPORT, readers: [...READERS, "reader:perfect"] },
  sweeps: { create: sweepStudies, report: SWEEPS_REPORT, readers: [CALIBRATED] },
  "reader-choice": { create: (values) => [readerChoiceStudy(values)], report: READER_CHOICE_REPORT, readers: CANDIDATES, isWhole: true },
};

/** The attribution of a method; the reader is the model of its first role, of AriGraph that of the planner. */
function attributionForm(method: string): StudyForm {
  const role = method === "arigraph" ? "ariadne/plan" : Object.values(ATTRIBUTED[method]?.stages ?? {})[0]?.[0] ?? "";
  return {
    create: ({ models = {}, only: _, ...values }) => attributionStudies({ ...values, method, reader: modelIdOf(bindingOf(models, role)) }),
    report: ATTRIBUTION_REPORT,
    isWhole: true,
  };
}

interface StudyForm {
  readonly create: (values: PartChoices) => readonly Study[];
  readonly report: StudyReport;
  /** Readers of its own, none where its studies bind theirs; then it is played where it is named. */
  readonly readers?: readonly string[];
  /** Whether it is played whole: `--only` names nothing in it. */
  readonly isWhole?: boolean;
}

/** The parts: each study with each of the three readers, unless models are named; `only` names studies, then what each of them takes. */
export function evidenceParts({ only, ...values }: PartChoices): Part[] {
  if (values.games !== undefined) throw new UsageError("evidence draws its own games: leave out --games");
  const named = Object.keys(STUDIES).filter((name) => only?.includes(name));
  const rest = only?.filter((name) => !Object.hasOwn(STUDIES, name));
  if (rest?.length && named.length !== 1) {
    const meant = rest.map((name) => didYouMean(name, Object.keys(STUDIES))).find((said) => said !== "") ?? "";
    throw new UsageError(
      `--only ${rest.join(",")} of evidence says what to play of one study: name ${Object.keys(STUDIES).join(" or ")}, too${meant}`,
    );
  }
  if (named.some((name) => STUDIES[name]?.isWhole)) {
    checkNames(rest ?? [], [], `nothing in ${named[0]}, which is played whole`, Object.keys(STUDIES));
  }
  const usual = Object.keys(STUDIES).filter((name) => !STUDIES[name]?.readers);
  const parts = (named.length > 0 ? named : usual).flatMap((name) => {
    const { create, report, readers = READERS } = STUDIES[name] as StudyForm;
    const maps = values.models || readers.length === 0 ? [values.models] : readers.map((reader) => parseRoleMap(reader));
    return maps.flatMap((models): Part[] => {
      const plain = create({ models });
      const studies = create({ ...values, only: rest, models });
      const [folder] = studies.map((study) => formOf({ study })).sort((a, b) => a.length - b.length); // the stages and a baseline add to its name
      return studies.map((study, i, { length }) => ({
        ...{ study, report, folder },
        ordinary: formOf({ study: plain.at(i - length) ?? study }),
      }));
    });
  });
  return [...new Map(parts.map((part) => [part.study.id, part])).values()]; // the perfect reader is common to all
}

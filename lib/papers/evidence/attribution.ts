/**
 * Where is it lost? The score that a reader costs a graph memory, attributed to the stages of a step: they are given to the perfect reader one after the
 * other, in the order in which a step passes through them, and what the score gains is what the stage had lost.
 *
 * | stage | roles |
 * |---|---|
 * | extraction | `arigraph/extract` |
 * | staleness | `arigraph/outdate` |
 * | retrieval | `arigraph/entities`, `arigraph/explore` |
 * | planning | `ariadne/plan` |
 * | acting | `ariadne/act` |
 *
 * The gains add up to the whole loss. What the perfect reader lacks to 1 is due to none of them, and to the rules of the backbone and the step limit. A gain
 * depends on the order: a stage that comes later starts from better ones before it.
 */

import { experiment } from "../../lab/experiment.ts";
import type { Study } from "../../lab/study.ts";
import type { RoleMap } from "../../llm/roles.ts";
import { experimentCaption, type ExperimentRow, readExperiment } from "../../report/experiment.ts";
import { type Figure, figureOf } from "../../report/figure.ts";
import { category, nominal, quantitative } from "../../report/marks.ts";
import { lossCell, type StageLoss, stageLosses } from "../../report/stage-losses.ts";
import { PALETTE } from "../../report/styles.ts";
import type { Table } from "../../report/table.ts";
import type { Store } from "../../store/open.ts";
import { paperStudy, type PartChoices } from "../study-options.ts";

const PERFECT = "reader:perfect";

/** Stage → the roles that belong to it, in the order of a step. */
export const STAGES: Readonly<Record<string, readonly string[]>> = {
  extraction: ["arigraph/extract"],
  staleness: ["arigraph/outdate"],
  retrieval: ["arigraph/entities", "arigraph/explore"],
  planning: ["ariadne/plan"],
  acting: ["ariadne/act"],
};

const FORMS = { quick: { rooms: 16, games: 4 }, full: { rooms: 36, games: 20 } } as const;

/** What the studies of a reader let choose. */
export interface AttributionOptions extends Omit<PartChoices, "models" | "only"> {
  /** The reader's name with `reader:`. */
  readonly reader: string;
  /** Rooms of the hunts. @default 16; of the full form 36 */
  readonly rooms?: number;
}

/**
 * The studies of one reader, as data: in each one more stage is perfect; in the last one all are, whatever the reader. `attempts` is the number of games.
 *
 * @example
 * ```ts
 * import { attributionStudies } from "labyrinth/papers/evidence";
 * import assert from "node:assert/strict";
 *
 * const studies = attributionStudies({ reader: "reader:gpt-4o" });
 * assert.deepEqual(studies[1]?.models, { "*": "reader:gpt-4o", "arigraph/extract": "reader:perfect" });
 * assert.deepEqual(studies.at(-1)?.models, { "*": "reader:perfect" });
 * ```
 */
export function attributionStudies({ reader, rooms: asked, ...options }: AttributionOptions): Study[] {
  const form = options.full ? "full" : "quick";
  const { games, rooms } = { ...FORMS[form], ...(asked === undefined ? {} : { rooms: asked }) };
  const names = Object.keys(STAGES);
  return [undefined, ...names].map((stage, count): Study => {
    const perfect = names.slice(0, count).flatMap((name) => STAGES[name] ?? []).map((role) => [role, PERFECT]);
    const isLast = stage === names.at(-1);
    const models: RoleMap = isLast ? { "*": PERFECT } : { "*": reader, ...Object.fromEntries(perfect) };
    const { lanes } = experiment({
      id: "lanes",
      worlds: [{
        world: "textworld/long-hunt",
        label: `${rooms} rooms`,
        params: { rooms, spareKeys: 3, shuffledNotes: true },
        factors: { reader: isLast ? PERFECT : reader, perfect: stage ?? "none" },
      }],
      games: options.attempts ?? games,
      memories: ["arigraph"],
      steps: 500,
    });
    const name = `evidence-attribution-${form}${asked === undefined ? "" : `-rooms${asked}`}${stage === undefined ? "" : `-${stage}`}`;
    return paperStudy(name, { ...options, models }, games, { title: "Where is it lost? Stages of AriGraph by reader", lanes });
  });
}

/** What a stage had lost of the score of a reader. */
export interface Loss extends StageLoss {
  readonly reader: string;
}

/** The losses of every reader in some rows of attribution studies; only games that all its studies completed. */
export function lossesOf(rows: readonly ExperimentRow[]): Loss[] {
  const names = Object.keys(STAGES);
  const last = names.at(-1);
  const readers = [...new Set(rows.map(({ factors }) => String(factors["reader"])))].filter((reader) => reader !== PERFECT);
  const scoresOf = (reader: string, stage: string): Map<string, number> =>
    new Map(
      rows.flatMap(({ factors, game, values: { score } }) =>
        factors["reader"] === (stage === last ? PERFECT : reader) && factors["perfect"] === stage && score !== null ? [[game, score]] : []
      ),
    );
  return readers.flatMap((reader) =>
    stageLosses(["none", ...names].map((stage) => scoresOf(reader, stage)), names).map((loss) => ({ reader, ...loss }))
  );
}

/**
 * The losses as a table: a row a reader, a column a stage.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth";
 * import { attributionTable } from "labyrinth/papers/evidence";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.throws(() => attributionTable(store, ["unplayed"]), { name: "UsageError" });
 * ```
 */
export function attributionTable(store: Store, studies: readonly string[]): Table {
  const played = readExperiment(store, studies);
  const losses = lossesOf(played.rows);
  const columns = ["scored", ...Object.keys(STAGES), "rest"];
  return {
    id: `attribution-${formOf(studies)}`,
    title: "Where is it lost? Normalised score by stage",
    caption: captionOf(played),
    columns: ["reader", "games", ...columns],
    rows: [...Map.groupBy(losses, ({ reader }) => reader)].map(([reader, own]) => [
      reader,
      `${own[0]?.games}`,
      ...columns.map((stage) => lossCell(own.find((loss) => loss.stage === stage))),
    ]),
  };
}

/**
 * The losses as stacked bars that add up to 1; a gain below 0 hangs below the axis.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth";
 * import { attributionFigure } from "labyrinth/papers/evidence";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.throws(() => attributionFigure(store, ["unplayed"]), { name: "UsageError" });
 * ```
 */
export function attributionFigure(store: Store, studies: readonly string[]): Figure {
  const played = readExperiment(store, studies);
  const rows = lossesOf(played.rows);
  const order = ["scored", ...Object.keys(STAGES), "rest"];
  const readers = [...new Set(rows.map(({ reader }) => reader))];
  return figureOf({
    id: `attribution-figure-${formOf(studies)}`,
    title: "Where is it lost?",
    subtitle: `backbone: ${played.backbone}`,
    caption: captionOf(played),
    rows: rows.map((row) => ({ ...row, place: order.indexOf(row.stage) })),
    fields: [["text", "reader", "stage"], ["number", "value"], ["integer", "games", "place"]],
    width: 360,
    height: { step: 34 },
    mark: "bar",
    encoding: {
      y: nominal("reader", readers),
      x: quantitative("value", "normalised score", { stack: "zero" }),
      color: category("stage", order, order.map((_, i) => i === order.length - 1 ? "#dddddd" : PALETTE[i])),
      order: { field: "place", type: "ordinal" },
    },
  });
}

function captionOf(played: Parameters<typeof experimentCaption>[0]): string {
  return experimentCaption(
    played,
    "Scored: the normalised score of AriGraph with the reader in every role. A stage: what the score gains when that stage, too, is given to the perfect reader, " +
      "in the order of the columns. Rest: what is missing to 1 then.",
  );
}

/** The form that the studies have in common, without stage and models. */
function formOf(studies: readonly string[]): string {
  return studies.toSorted((a, b) => a.length - b.length)[0]?.replace(/@.*$/s, "") ?? "attribution";
}

/**
 * Where is it lost? The score that a reader costs a knowledge-graph method, attributed to the stages of a step: they are given to the perfect reader one
 * after the other, in the order in which a step passes through them, and what the score gains is what the stage had lost. The stages of each method, with
 * their roles, are data: `attribution-methods.ts`.
 *
 * The gains add up to the whole loss. What the perfect reader lacks to 1 is due to none of them, and to the rules of the backbone and the step limit. A gain
 * depends on the order: a stage that comes later starts from better ones before it.
 */

import type { Study } from "../../lab/study.ts";
import type { RoleMap } from "../../llm/roles.ts";
import { mayErr } from "../../offline/provider.ts";
import { type ExperimentRow, type PlayedExperiment, readExperiment } from "../../report/experiment.ts";
import { experimentCaption } from "../../report/experiment-caption.ts";
import { type Figure, figureOf } from "../../report/figure.ts";
import { category, nominal, quantitative } from "../../report/marks.ts";
import { lossCell, type StageLoss, stageLosses } from "../../report/stage-losses.ts";
import { PALETTE } from "../../report/styles.ts";
import type { Cell, Table } from "../../report/table.ts";
import type { Store } from "../../store/open.ts";
import { listStudies } from "../../store/studies.ts";
import { checkName } from "../../text/did-you-mean.ts";
import { paperStudy, type PartChoices } from "../study-options.ts";
import { ARIGRAPH, ATTRIBUTED, type AttributedMethod } from "./attribution-methods.ts";
import { namedBy, replaceRows } from "./siblings.ts";

const PERFECT = "reader:perfect";

/** What the studies of a reader let choose. */
export interface AttributionOptions extends Omit<PartChoices, "models" | "only"> {
  /** The reader's name with `reader:`. */
  readonly reader: string;
  /** The method: `arigraph`, `graphmind`, `wese` or `reasonplanner`. @default {"arigraph"} */
  readonly method?: string;
  /** Rooms of AriGraph's hunts. @default 16; of the full form 36 */
  readonly rooms?: number;
}

/**
 * The studies of one reader, as data: in each one more stage is perfect; in the last one all are, whatever the reader. `attempts` is the number of games
 * of each kind.
 *
 * @throws {UsageError} for a method that there is not.
 *
 * @example
 * ```ts
 * import { attributionStudies } from "labyrinth/papers/evidence";
 * import assert from "node:assert/strict";
 *
 * const studies = attributionStudies({ reader: "reader:gpt-4o" });
 * assert.deepEqual(studies[1]?.models, { "*": "reader:gpt-4o", "arigraph/extract": "reader:perfect" });
 * assert.deepEqual(studies.at(-1)?.models, { "*": "reader:perfect" });
 * assert.equal(attributionStudies({ reader: "reader:gpt-4o", method: "wese" }).length, 5); // four stages
 * ```
 */
export function attributionStudies({ reader, method = "arigraph", rooms, ...options }: AttributionOptions): Study[] {
  checkName("method of the attribution", method, Object.keys(ATTRIBUTED));
  const { title, stages, games, lanes } = ATTRIBUTED[method] as AttributedMethod;
  const form = options.full ? "full" : "quick";
  const names = Object.keys(stages);
  const own = method === "arigraph" ? "" : `${method}-`;
  return [undefined, ...names].map((stage, count): Study => {
    const perfect = names.slice(0, count).flatMap((name) => stages[name] ?? []).map((role) => [role, PERFECT]);
    const isLast = stage === names.at(-1);
    const models: RoleMap = isLast ? { "*": PERFECT } : { "*": reader, ...Object.fromEntries(perfect) };
    const name = `evidence-attribution-${own}${form}${rooms === undefined ? "" : `-rooms${rooms}`}${
      stage === undefined ? "" : `-${stage}`
    }`;
    return paperStudy(name, { ...options, models }, games[form], {
      title: `Where is it lost? Stages of ${title} by reader`,
      lanes: lanes({
        ...{ form, rooms, games: options.attempts ?? games[form] },
        factors: { reader: isLast ? PERFECT : reader, perfect: stage ?? "none" },
      }),
    });
  });
}

/** The method of a study of attribution, and what its id says beside stage and models. */
function placeOf(study: string): { readonly method: AttributedMethod; readonly form: string } {
  const [, name = "arigraph", form = "", rest = ""] =
    study.match(/^evidence-attribution(?:-(?!quick|full)([a-z]+))?-((?:quick|full)(?:-rooms\d+)?)([^@]*)/) ?? [];
  const method = ATTRIBUTED[name] ?? ARIGRAPH;
  const stage = Object.keys(method.stages).find((stage) => rest === `-${stage}` || rest.startsWith(`-${stage}-`));
  return { method, form: [name, form, rest.slice(stage === undefined ? 0 : stage.length + 1)].join(" ") };
}

/** The studies of attribution of one form in a store: every reader and stage. */
export function stagesBeside(store: Store, study: string): string[] {
  const { form } = placeOf(study);
  return listStudies(store).filter((id) => id.startsWith("evidence-attribution-") && placeOf(id).form === form);
}

/** What a stage had lost of the score of a reader. */
export interface Loss extends StageLoss {
  readonly reader: string;
}

/** The losses of every reader in some rows of attribution studies; only games that all its studies completed. */
export function lossesOf(rows: readonly ExperimentRow[], { stages }: Pick<AttributedMethod, "stages"> = ARIGRAPH): Loss[] {
  const names = Object.keys(stages);
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

/** The rows of attribution studies that count, and their method: a training is no game. */
function readAttribution(
  store: Store,
  studies: readonly string[],
): { readonly played: PlayedExperiment; readonly method: AttributedMethod } {
  const played = replaceRows(readExperiment(store, studies), (row) => row.factors["task"] === "training" ? [] : [row]);
  return { played, method: placeOf(studies[0] ?? "").method };
}

/** Whether a reader can lose anything in a stage: where none of its roles can err, a gain of 0 would say nothing. */
function canLose(reader: string, stage: string, { stages }: AttributedMethod): boolean {
  return stages[stage]?.some((role) => mayErr(reader, role)) ?? true;
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
  const { played, method } = readAttribution(store, studies);
  const losses = lossesOf(played.rows, method);
  const columns = ["scored", ...Object.keys(method.stages), "rest"];
  const isSilent = losses.some(({ reader, stage }) => !canLose(reader, stage, method));
  const cellOf = (stage: string, own: readonly Loss[]): Cell =>
    canLose(own[0]?.reader ?? "", stage, method) ? lossCell(own.find((loss) => loss.stage === stage)) : "never errs";
  return {
    id: `attribution-${namedBy(formOf(studies), [...new Set(losses.map(({ reader }) => reader))])}`,
    title: `Where is it lost? Normalised score by stage${titleEnd(method)}`,
    caption: captionOf(played, method, isSilent ? " Never errs: no error of that reader reaches a role of the stage." : ""),
    columns: ["reader", "games", ...columns],
    rows: [...Map.groupBy(losses, ({ reader }) => reader)].map(([reader, own]) => [
      reader,
      `${own[0]?.games}`,
      ...columns.map((stage) => cellOf(stage, own)),
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
  const { played, method } = readAttribution(store, studies);
  const rows = lossesOf(played.rows, method).filter(({ reader, stage }) => canLose(reader, stage, method));
  const order = ["scored", ...Object.keys(method.stages), "rest"];
  const readers = [...new Set(rows.map(({ reader }) => reader))];
  return figureOf({
    id: `attribution-figure-${namedBy(formOf(studies), readers)}`,
    title: `Where is it lost?${titleEnd(method)}`,
    subtitle: `backbone: ${played.backbone}`,
    caption: captionOf(played, method, " A gain below 0 hangs left of 0, so that the others reach beyond 1.", "none"),
    rows: rows.map((row) => ({ ...row, place: order.indexOf(row.stage) })),
    fields: [["text", "reader", "stage"], ["number", "value"], ["integer", "games", "place"]],
    width: 360,
    height: { step: 34 },
    mark: "bar",
    encoding: {
      y: nominal("reader", readers),
      x: quantitative("value", "normalised score", { stack: "zero" }),
      color: category("stage", order, order.map(stageColour)),
      order: { field: "place", type: "ordinal" },
    },
  });
}

/** The stages of all methods by their colour, which is the same in every figure; of any other name, the rest, it is grey. */
const COLOURED = ["scored", "extraction", "staleness", "retrieval", "planning", "acting", "exploring", "", "", "verification", "criticism"];

/** The colour of a stage, `#rrggbb`. */
export function stageColour(stage: string): string {
  return PALETTE[COLOURED.indexOf(stage)] ?? "#dddddd";
}

/** Titles name the method and its games, but for those of the method that they began with. */
function titleEnd(method: AttributedMethod): string {
  return method === ARIGRAPH ? "" : ` (${method.title} in ${method.place})`;
}

function captionOf(played: PlayedExperiment, method: AttributedMethod, more = "", intervals: "means" | "none" = "means"): string {
  const text =
    `Scored: the normalised score of ${method.title} with the reader in every role. A stage: what the score gains when that stage, too, is given to ` +
    "the perfect reader, one after the other. Rest: what is missing to 1 then.";
  return experimentCaption(played, text + more + (method === ARIGRAPH ? "" : ` ${rolesText(method)}`), { intervals });
}

/** The roles of each stage, and why stages of other methods are none of this one's. */
function rolesText({ stages, without }: AttributedMethod): string {
  const roles = Object.entries(stages).map(([stage, roles]) => `${stage} ${roles.map((role) => role.replace(/^.*\//, "")).join(", ")}`);
  const none = Object.entries(without).map(([stage, why]) => ` No role of ${stage}: ${why}.`);
  return `Roles: ${roles.join("; ")}.${none.join("")}`;
}

/** The form that the studies have in common, without stage and models. */
function formOf(studies: readonly string[]): string {
  return studies.toSorted((a, b) => a.length - b.length)[0]?.replace(/@.*$/s, "") ?? "attribution";
}

/**
 * What the lab rebuilds of the AriGraph paper from a NetHack study.
 *
 * @module
 */

import { listTruths } from "../../store/turns.ts";
import type { Store } from "../../store/open.ts";
import { type DungeonScreen, dungeonStripFigure } from "./figures/dungeon-strip.ts";
import type { Figure } from "../../report/figure.ts";
import { nethackGrowthFigure, nethackProgressFigure, type NetHackStep, nethackStepsFrame } from "./figures/nethack.ts";
import { rowsOf } from "../../report/frame.ts";
import { arigraphLedger } from "./ledger.ts";
import { agentName, type NetHackRun, nethackRunsFrame } from "./nethack-runs.ts";
import {
  namedByEmbedder,
  type Report,
  reportedBackbone,
  writeReport,
  type WriteReportOptions,
  type WrittenReport,
} from "../../report/report.ts";
import { nethackTable } from "./tables/nethack-scores.ts";

/** Screens of the strip. */
const SCREENS = 6;

/**
 * Table 1, depth and score over the calls, the graph over the levels, the strip of the deepest run of Ariadne (Figure 13), and Table 1's numbers in
 * the ledger.
 *
 * @throws {UsageError} if the study has no completed episode, or its episodes have more than one backbone.
 *
 * @example
 * ```ts
 * import { nethackReport } from "labyrinth/papers/arigraph";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.throws(() => nethackReport(store, "unplayed"), { name: "UsageError", message: /no completed episode to report/ });
 * ```
 */
export function nethackReport(store: Store, study: string, options: { readonly allowIncomplete?: boolean } = {}): Report {
  const runs = nethackRunsFrame(store, study);
  const rows = rowsOf<NetHackRun>(runs);
  const named = { backbone: reportedBackbone(rows, study) };
  const steps = nethackStepsFrame(store, study);
  const name = namedByEmbedder(store, study);
  const strip = stripOf(store, rows, rowsOf<NetHackStep>(steps), named.backbone);
  const remembers = rowsOf<NetHackStep>(steps).some(({ triplets }) => triplets !== null);
  return {
    tables: [name(nethackTable(runs, { ...named, ...options }))],
    figures: [nethackProgressFigure(steps, named), ...(remembers ? [nethackGrowthFigure(steps, named)] : []), ...(strip ? [strip] : [])]
      .map(name),
    ledger: arigraphLedger(store, [study]).filter(({ source }) => source === "Table 1"),
  };
}

/**
 * Writes the report's files and the ledger of Table 1 into a folder.
 *
 * @throws {UsageError} as `nethackReport` does; what the file system says where the folder cannot be written.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { writeNethackReport } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * await assert.rejects(writeNethackReport(store, "unplayed", { folder: "figures" }), { name: "UsageError" }); // and no file is written
 * ```
 */
export async function writeNethackReport(
  store: Store,
  study: string,
  options: Pick<WriteReportOptions, "folder"> & { readonly allowIncomplete?: boolean },
): Promise<WrittenReport> {
  const report = nethackReport(store, study, options);
  const id = report.tables[0]?.id.replace("table1", "nethack-ledger") ?? "arigraph-nethack-ledger";
  return await writeReport(report, { folder: options.folder, ledger: { id, title: "AriGraph, Table 1: the paper's numbers and ours" } });
}

/** The run that got deepest, of Ariadne where it played; of equal ones the one with the higher score. */
function stripOf(store: Store, runs: readonly NetHackRun[], steps: readonly NetHackStep[], backbone: string): Figure | undefined {
  const done = runs.filter(({ status }) => status === "completed");
  const ours = done.filter(({ condition }) => condition === "ariadne-room");
  const [best] = (ours.length > 0 ? ours : done).toSorted((a, b) => (b.levels ?? 0) - (a.levels ?? 0) || (b.score ?? 0) - (a.score ?? 0));
  const screens = best ? nethackScreens(store, best.episode, steps) : [];
  if (!best || screens.length === 0) return undefined;
  const agent = agentName(best.condition);
  return dungeonStripFigure(screens, {
    id: `arigraph-fig13-${backbone}`,
    title: "A run through NetHack",
    subtitle: `${agent}, seed ${best.seed}, backbone: ${backbone}`,
    caption:
      `${agent} in NetHack, seed ${best.seed} (n = 1), backbone ${backbone} (after Figure 13): the game's map before each call that reached a new level, ` +
      `and at the end: ${screens.length} screens, levels completed: ${best.levels}, score ${best.score}. Drawn from the game's own map.`,
  });
}

/** The screens of a run: before each new level, and the last of all; of more than six the first and the last five. */
export function nethackScreens(store: Store, episode: string, steps: readonly NetHackStep[]): DungeonScreen[] {
  const run = steps.filter((step) => step.episode === episode);
  const chosen = run.filter((step, index) => index === run.length - 1 || (run[index + 1]?.deepest ?? 0) > step.deepest);
  const kept = chosen.length > SCREENS ? [...chosen.slice(0, 1), ...chosen.slice(1 - SCREENS)] : chosen;
  const maps = new Map(listTruths(store, episode).map(({ step, truth }) => [step, truth["map"]]));
  return kept.flatMap(({ step, depth, score }) => {
    const map = maps.get(step);
    return Array.isArray(map) ? [{ title: `call ${step}, dungeon level ${depth}, score ${score}`, map: map.map(String) }] : [];
  });
}

/** `./lab replay scienceworld <files or folder …> [--json]`: recorded gold runs, each action taken in our own world. */

import { availableParallelism } from "node:os";
import { basename } from "node:path";
import process from "node:process";
import { connectWorlds } from "../../core/env/mod.ts";
import { UsageError, WorldError } from "../../core/errors.ts";
import {
  readScienceworldLog,
  type RecordedEpisode,
  replayScienceworld,
  SCIENCEWORLD_COMPARED,
  type ScienceworldReport,
  type ScienceworldTallies,
  sumScienceworld,
} from "../replay/mod.ts";
import { complain, printResult } from "./options.ts";
import { filesAt, textOf } from "./replay-files.ts";

/** Replays files; 0 where every episode was replayed and reached its recorded score at least, else 1. */
export async function replayScienceworldFiles(
  paths: readonly string[],
  { json }: { readonly json: boolean },
): Promise<number> {
  const files = paths.flatMap((path) => filesAt(path, ".json", "recorded runs of ScienceWorld"));
  const problems: string[] = [];
  const episodes = files.flatMap((path) => {
    try {
      return readScienceworldLog(textOf(path, "recorded runs of ScienceWorld"), basename(path)).map((episode) => ({ path, episode }));
    } catch (error) {
      if (!(error instanceof UsageError) || files.length === 1) throw error;
      problems.push(error.message);
      return [];
    }
  });

  const replayed = await replayAll(episodes, (problem) => problems.push(problem));
  const totals = sumScienceworld(replayed.map(({ report }) => report));
  const reports = [...Map.groupBy(replayed, ({ path }) => path)].map(([path, group]) => {
    const variations = group.map(({ report }) => report);
    return { file: basename(path), task: variations[0]?.task, ...sumScienceworld(variations), variations };
  });
  printResult(
    { files: reports, totals },
    json,
    () => [...reports.map(({ file, variations }) => [file, ...variations.map(describe)].join("\n")), `all\n${line(totals)}\n`].join("\n"),
  );
  for (const { path, report: { task, variation, final, reached } } of replayed) {
    if (!reached) problems.push(`${basename(path)}: ${task} ${variation} ends at ${final.ours}, recorded is ${final.logged}`);
  }
  problems.forEach(complain);
  return problems.length > 0 ? 1 : 0;
}

interface Replayed {
  readonly path: string;
  readonly report: ScienceworldReport;
}

/** All episodes, as many side by side as there are cores; those that the world refuses or loses are told and left out. */
async function replayAll(
  recorded: readonly { readonly path: string; readonly episode: RecordedEpisode }[],
  refused: (problem: string) => void,
): Promise<Replayed[]> {
  await using worlds = connectWorlds();
  const results: (Replayed | undefined)[] = [];
  const waiting = recorded.entries();
  async function work(): Promise<void> {
    for (const [place, { path, episode }] of waiting) {
      const { task, variation, steps } = episode;
      const file = basename(path);
      try {
        results[place] = { path, report: await replayScienceworld(episode, worlds) };
        process.stderr.write(`${file}: ${task} ${variation}, ${steps.length} steps replayed (${place + 1} of ${recorded.length})\n`);
      } catch (error) {
        if (!(error instanceof WorldError)) throw error; // what is replayed already is worth telling
        refused(`cannot replay ${file}, ${task} ${variation}: ${error.message}`);
      }
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return results.filter((result) => result !== undefined);
}

/** An episode in words: what was held, why it differs, and where it does so first. */
function describe(report: ScienceworldReport): string {
  const { task, variation, steps, final, first } = report;
  const head = `${task} ${variation}  ${steps} steps, ends at ${final.ours} (recorded ${final.logged})`;
  if (first === null) return `${head}\n${line(report)}`;
  const where = `  first at step ${first.step}, ${first.action}: ${first.what}, ${first.cause}`;
  return [head, line(report), where, `    recorded  ${flat(first.logged)}`, `    ours      ${flat(first.ours)}`].join("\n");
}

function line(report: ScienceworldTallies & Pick<ScienceworldReport, "causes">): string {
  const held = SCIENCEWORLD_COMPARED.map((what) => {
    const tally = report[what];
    const sorted = "sorted" in tally && tally.sorted > tally.matched ? ` (${tally.sorted} sorted)` : "";
    return `${what} ${tally.matched}/${tally.total}${sorted}`;
  });
  const causes = Object.entries(report.causes).filter(([, count]) => count > 0).map(([cause, count]) => `${count} ${cause}`);
  return `  ${[...held, ...causes].join(", ")}`;
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

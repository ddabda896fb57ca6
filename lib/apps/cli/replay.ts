/** `./lab replay`: published runs, replayed on our own memory and worlds; and recorded gold runs of ScienceWorld, each action in our own world. */

import { basename } from "node:path";
import process from "node:process";
import { connectWorlds } from "../../core/env/mod.ts";
import { UsageError, WorldError } from "../../core/errors.ts";
import { COMPARED, createReplayer, type LogReport } from "../replay/mod.ts";
import { openEmbedder } from "../../core/retrieval/mod.ts";
import { counted } from "../../core/text/amounts.ts";
import { command } from "./command.ts";
import { JSON_OPTION } from "./named-store.ts";
import { complain, printResult } from "./options.ts";
import { filesAt, textOf } from "./replay-files.ts";
import { replayScienceworldFiles } from "./replay-scienceworld.ts";

/** Replays logs; 0 where every log could be replayed in a game that fits it, else 1. */
export const main = command({
  name: "replay",
  words: {
    "<system>": { says: "whose runs they are", choices: ["arigraph", "scienceworld"] },
    "<files...>": { says: "the authors' logs, or recorded gold runs; or folders of them" },
  },
  options: {
    games: { value: "folder", says: "of arigraph: the games that were played", multiple: true },
    embedder: { value: "name", says: "of arigraph: measure how far the retrieved triplets overlap, with this embedder" },
    ...JSON_OPTION,
  },
}, async ({ json, ...values }, [system, ...paths]) => {
  if (system === "scienceworld") {
    const odd = Object.entries(values).find(([, value]) => value !== undefined);
    if (odd) throw new UsageError(`cannot replay scienceworld with --${odd[0]}, which is for arigraph`);
    return await replayScienceworldFiles(paths, { json });
  }
  const embedder = values.embedder === undefined ? undefined : await openEmbedder(values.embedder);
  const logs = paths.flatMap((path) => filesAt(path, ".txt", "the authors' logs"));
  await using worlds = connectWorlds();
  const reports: LogReport[] = [];
  const problems: string[] = [];
  const replayer = createReplayer({ worlds, games: values.games ?? [], embedder, onAttempt: showAttempt });
  for (const log of logs) {
    try {
      const { report } = await replayer.replay(textOf(log, "the authors' logs"), basename(log));
      reports.push(report);
      problems.push(
        ...report.misses.filter(({ cause }) => cause === "wrong-game").map(({ attempt, expected, got }) =>
          `${log}, attempt ${attempt}: wanted ${expected}; ${got}`
        ),
      );
    } catch (error) {
      if (logs.length === 1) throw error;
      if (error instanceof UsageError) problems.push(error.message);
      else if (error instanceof WorldError) problems.push(`cannot replay ${basename(log)}: ${error.message}`);
      else throw error;
    }
  }
  printResult({ logs: reports }, json, ({ logs }) => logs.map(describe).join("\n"));
  problems.forEach(complain);
  return problems.length > 0 ? 1 : 0;
});

function showAttempt({ file, number, of }: { readonly file: string; readonly number: number; readonly of: number }): void {
  process.stderr.write(`${file}: attempt ${number} of ${of} replayed\n`);
}

/** A log in words: what was held, and how many of each cause were not equal. */
function describe(report: LogReport): string {
  const held = COMPARED.filter((what) => report[what].total > 0);
  const lines = held.map((what) => {
    const { matched, total } = report[what];
    const causes = Map.groupBy(report.misses.filter((miss) => miss.what === what), ({ cause }) => cause);
    const rest = [...causes].map(([cause, misses]) => `${misses.length} ${cause}`).join(", ");
    return `  ${what.padEnd(12)}${`${matched} of ${total}`.padEnd(14)}${rest}`.trimEnd();
  });
  const where = report.game === "" ? "no game" : report.game;
  const [attempts, steps] = [counted(report.attempts, "attempt"), counted(report.steps, "step")];
  return [`${report.file}  ${where}, ${attempts} (${report.versions.join(", ")}), ${steps}`, ...lines, ...overlapOf(report), ""].join("\n");
}

function overlapOf({ overlap }: LogReport): string[] {
  if (!overlap) return [];
  const [recall, precision, jaccard] = [overlap.recall, overlap.precision, overlap.jaccard].map((mean) => mean.toFixed(3));
  const over = `${counted(overlap.steps, "step")} with ${overlap.embedder}`;
  return [`  ${"overlap".padEnd(12)}recall ${recall}, precision ${precision}, Jaccard ${jaccard} over ${over}`];
}

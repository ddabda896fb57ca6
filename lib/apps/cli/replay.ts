/**
 * `./lab replay`: published runs, replayed on our own memory and worlds; and recorded gold runs of
 * ScienceWorld, each action in our own world.
 */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { connectWorlds } from "../../core/env/mod.ts";
import { UsageError, WorldError } from "../../core/errors.ts";
import { openEmbedder } from "../../core/retrieval/mod.ts";
import { counted } from "../../core/text/amounts.ts";
import { didYouMean } from "../../core/text/did-you-mean.ts";
import { gameFilesIn, Games } from "../replay/games.ts";
import { replayLog } from "../replay/replay.ts";
import { COMPARED, type LogReport } from "../replay/report.ts";
import {
  replayScienceworld,
  SCIENCEWORLD_COMPARED,
  type ScienceworldReport,
  type ScienceworldSums,
  sumScienceworld,
} from "../replay/scienceworld.ts";
import { readScienceworldLog } from "../replay/scienceworld-log.ts";
import { command } from "./command.ts";
import { JSON_OPTION } from "./named-store.ts";
import { complain, printResult } from "./options.ts";

/**
 * Replays logs; 0 where every log could be replayed in a game that fits it, and every gold run
 * reached its recorded score; else 1.
 */
export const main = command({
  name: "replay",
  words: {
    "<system>": { description: "whose runs they are", choices: ["arigraph", "scienceworld"] },
    "<files...>": { description: "the authors' logs, or recorded gold runs; or folders of them" },
  },
  options: {
    games: {
      value: "folder",
      description: "of arigraph: the games that were played",
      multiple: true,
    },
    embedder: {
      value: "name",
      description:
        "of arigraph: measure how far the retrieved triplets overlap, with this embedder",
    },
    ...JSON_OPTION,
  },
}, async ({ json, games = [], embedder }, [system, ...paths]) => {
  if (system === "arigraph") return await replayArigraph(paths, { json, games, embedder });
  const odd = embedder !== undefined ? "embedder" : games.length > 0 ? "games" : undefined;
  if (odd) throw new UsageError(`cannot replay scienceworld with --${odd}, which is for arigraph`);
  return await replayGoldRuns(paths, json);
});

async function replayArigraph(
  paths: readonly string[],
  options: {
    readonly json: boolean;
    readonly games: readonly string[];
    readonly embedder?: string;
  },
): Promise<number> {
  const embedder = options.embedder === undefined
    ? undefined
    : await openEmbedder(options.embedder);
  const logs = paths.flatMap((path) => filesAt(path, ".txt", "the authors' logs"));
  await using worlds = connectWorlds();
  const files = gameFilesIn(options.games);
  const games = files.length > 0 ? new Games(worlds, files) : undefined;
  const onAttempt = (
    { file, number, of }: { readonly file: string; readonly number: number; readonly of: number },
  ): void => void process.stderr.write(`${file}: attempt ${number} of ${of} replayed\n`);
  const reports: LogReport[] = [];
  const problems: string[] = [];
  for (const log of logs) {
    try {
      const report = await replayLog(textOf(log, "the authors' logs"), basename(log), {
        games,
        embedder,
        onAttempt,
      });
      reports.push(report);
      for (const { cause, attempt, expected, got } of report.misses) {
        if (cause === "wrong-game") {
          problems.push(`${log}, attempt ${attempt}: wanted ${expected}; ${got}`);
        }
      }
    } catch (error) {
      if (logs.length === 1) throw error;
      problems.push(problemOf(error, basename(log)));
    }
  }
  printResult({ logs: reports }, options.json, ({ logs }) => logs.map(describeLog).join("\n"));
  problems.forEach(complain);
  return problems.length > 0 ? 1 : 0;
}

/** A log in words: what was compared, and how many of each cause were not equal. */
function describeLog(report: LogReport): string {
  const lines = COMPARED.filter((what) => report[what].total > 0).map((what) => {
    const { matched, total } = report[what];
    const causes = Map.groupBy(
      report.misses.filter((miss) => miss.what === what),
      ({ cause }) => cause,
    );
    const rest = [...causes].map(([cause, misses]) => `${misses.length} ${cause}`).join(", ");
    return `  ${what.padEnd(12)}${`${matched} of ${total}`.padEnd(14)}${rest}`.trimEnd();
  });
  const { game, overlap } = report;
  const [attempts, steps] = [counted(report.attempts, "attempt"), counted(report.steps, "step")];
  if (overlap) {
    const means = `recall ${overlap.recall.toFixed(3)}, precision ${
      overlap.precision.toFixed(3)
    }, Jaccard ${overlap.jaccard.toFixed(3)}`;
    lines.push(
      `  ${"overlap".padEnd(12)}${means} over ${
        counted(overlap.steps, "step")
      } with ${overlap.embedder}`,
    );
  }
  return [
    `${report.file}  ${game || "no game"}, ${attempts} (${report.versions.join(", ")}), ${steps}`,
    ...lines,
    "",
  ].join("\n");
}

/**
 * Replays recorded episodes, as many in parallel as there are cores; those that the world refuses
 * or loses are named and left out.
 */
async function replayGoldRuns(paths: readonly string[], json: boolean): Promise<number> {
  const what = "recorded runs of ScienceWorld";
  const files = paths.flatMap((path) => filesAt(path, ".json", what));
  const problems: string[] = [];
  const recorded = files.flatMap((path) => {
    try {
      return readScienceworldLog(textOf(path, what), basename(path)).map((episode) => ({
        path,
        episode,
      }));
    } catch (error) {
      if (!(error instanceof UsageError) || files.length === 1) throw error;
      problems.push(error.message);
      return [];
    }
  });
  await using worlds = connectWorlds();
  const replayed: { readonly path: string; readonly report: ScienceworldReport }[] = [];
  const waiting = recorded.entries();
  const work = async (): Promise<void> => {
    for (const [place, { path, episode }] of waiting) {
      const name = `${basename(path)}, ${episode.task} ${episode.variation}`;
      try {
        replayed[place] = { path, report: await replayScienceworld(episode, worlds) };
        process.stderr.write(
          `${name}: ${episode.steps.length} steps replayed (${place + 1} of ${recorded.length})\n`,
        );
      } catch (error) {
        problems.push(problemOf(error, name));
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));

  const found = replayed.filter((one) => one !== undefined);
  const totals = sumScienceworld(found.map(({ report }) => report));
  const reports = [...Map.groupBy(found, ({ path }) => path)].map(([path, group]) => {
    const variations = group.map(({ report }) => report);
    return {
      file: basename(path),
      task: variations[0]?.task,
      ...sumScienceworld(variations),
      variations,
    };
  });
  printResult(
    { files: reports, totals },
    json,
    () =>
      [
        ...reports.map(({ file, variations }) => [file, ...variations.map(describeRun)].join("\n")),
        `all\n${tallies(totals)}\n`,
      ].join("\n"),
  );
  for (const { path, report: { task, variation, final, reached } } of found) {
    if (!reached) {
      problems.push(
        `${
          basename(path)
        }: ${task} ${variation} ends at ${final.ours}, recorded is ${final.logged}`,
      );
    }
  }
  problems.forEach(complain);
  return problems.length > 0 ? 1 : 0;
}

/** An episode in words: what was compared, why it differs, and where it does so first. */
function describeRun(report: ScienceworldReport): string {
  const { task, variation, steps, final, first } = report;
  const flat = (text: string): string => text.replaceAll(/\s+/g, " ");
  const head = [
    `${task} ${variation}  ${steps} steps, ends at ${final.ours} (recorded ${final.logged})`,
    tallies(report),
  ];
  if (first === null) return head.join("\n");
  const where = `  first at step ${first.step}, ${first.action}: ${first.what}, ${first.cause}`;
  return [
    ...head,
    where,
    `    recorded  ${flat(first.logged)}`,
    `    ours      ${flat(first.ours)}`,
  ].join("\n");
}

function tallies(report: ScienceworldReport | ScienceworldSums): string {
  const compared = SCIENCEWORLD_COMPARED.map((what) => {
    const tally = report[what];
    const sorted = "sorted" in tally && tally.sorted > tally.matched
      ? ` (${tally.sorted} sorted)`
      : "";
    return `${what} ${tally.matched}/${tally.total}${sorted}`;
  });
  const causes = Object.entries(report.causes).filter(([, count]) => count > 0).map((
    [cause, count],
  ) => `${count} ${cause}`);
  return `  ${[...compared, ...causes].join(", ")}`;
}

/**
 * Why one of several could not be replayed.
 * @throws {unknown} anything but a mistake of the user's or the worlds'
 */
function problemOf(error: unknown, name: string): string {
  if (error instanceof UsageError) return error.message;
  if (error instanceof WorldError) return `cannot replay ${name}: ${error.message}`;
  throw error;
}

/**
 * The file itself, or those of a folder that end so, sorted; `what` they are, for messages.
 * @throws {UsageError} if there are none.
 */
function filesAt(path: string, ending: string, what: string): string[] {
  if (!existsSync(path)) {
    const near = existsSync(dirname(path))
      ? didYouMean(basename(path), readdirSync(dirname(path)))
      : "";
    throw new UsageError(
      `cannot replay ${path}: there is no such file or folder${near}; give ${what}`,
    );
  }
  if (!statSync(path).isDirectory()) return [path];
  const files = readdirSync(path).filter((name) => name.endsWith(ending)).sort();
  if (files.length === 0) {
    throw new UsageError(
      `cannot replay ${path}: the folder holds no ${ending} file; give the folder of ${what}`,
    );
  }
  return files.map((name) => join(path, name));
}

/**
 * A file's text.
 * @throws {UsageError} where it has none that can be read: a folder, or more than fits into a
 *   string.
 */
function textOf(path: string, what: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(
      `cannot replay ${path}: ${(error as Error).message.split(",")[0]}; give a file of ${what}`,
      { cause: error },
    );
  }
}

/** `./lab replay`: published runs of AriGraph, replayed on our own memory and worlds. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { connectWorlds } from "../../core/env/mod.ts";
import { UsageError, WorldError } from "../../core/errors.ts";
import { counted } from "../../core/text/amounts.ts";
import { didYouMean } from "../../core/text/did-you-mean.ts";
import { gameFilesIn, Games } from "../replay/games.ts";
import { replayLog, type ReplayOptions } from "../replay/replay.ts";
import { COMPARED, type LogReport } from "../replay/report.ts";
import { command } from "./command.ts";
import { JSON_OPTION } from "./named-store.ts";
import { complain, printResult } from "./options.ts";

/** Replays logs; status 1 if one cannot be replayed or no game fits it. */
export const main = command({
  name: "replay",
  words: {
    "<system>": { description: "system whose runs are replayed", choices: ["arigraph"] },
    "<files...>": { description: "run logs of the system's authors, or folders of them" },
  },
  options: {
    games: { value: "folder", description: "folder of the games played", multiple: true },
    ...JSON_OPTION,
  },
  notes: ["Example: ./lab replay arigraph logs/ --games games/"],
}, async ({ json, games: folders = [] }, [, ...paths]) => {
  const logs = paths.flatMap(logsAt);
  await using worlds = connectWorlds();
  const files = gameFilesIn(folders);
  const games = files.length > 0 ? new Games(worlds, files) : undefined;
  const onAttempt: ReplayOptions["onAttempt"] = ({ file, number, of }) =>
    void process.stderr.write(`${file}: attempt ${number} of ${of} replayed\n`);
  const reports: LogReport[] = [];
  const problems: string[] = [];
  for (const log of logs) {
    try {
      const report = await replayLog(textOf(log), basename(log), { games, onAttempt });
      reports.push(report);
      for (const { cause, attempt, expected, got } of report.misses) {
        if (cause === "wrong-game") {
          problems.push(`${log}, attempt ${attempt}: ${expected}: ${got}`);
        }
      }
    } catch (error) {
      const isNamed = error instanceof UsageError;
      if (logs.length === 1 || !isNamed && !(error instanceof WorldError)) throw error;
      problems.push(isNamed ? error.message : `cannot replay ${basename(log)}: ${error.message}`);
    }
  }
  printResult({ logs: reports }, json, ({ logs }) => logs.map(describe).join("\n"));
  problems.forEach(complain);
  return problems.length > 0 ? 1 : 0;
});

/** A log in words: what was compared, and the differences by cause. */
function describe(report: LogReport): string {
  const lines = COMPARED.filter((what) => report[what].total > 0).map((what) => {
    const { matched, total } = report[what];
    const misses = report.misses.filter((miss) => miss.what === what);
    const causes = [...Map.groupBy(misses, ({ cause }) => cause)].map(([cause, { length }]) =>
      `${length} ${cause}`
    );
    return `  ${what.padEnd(12)}${`${matched} of ${total}`.padEnd(14)}${causes.join(", ")}`
      .trimEnd();
  });
  const [attempts, steps] = [counted(report.attempts, "attempt"), counted(report.steps, "step")];
  return [
    `${report.file}  ${report.game || "no game"}, ${attempts} (${
      report.versions.join(", ")
    }), ${steps}`,
    ...lines,
    "",
  ].join("\n");
}

/** The log at a path, or the logs of a folder, sorted. @throws {UsageError} if there is none. */
function logsAt(path: string): string[] {
  if (!existsSync(path)) {
    const near = existsSync(dirname(path))
      ? didYouMean(basename(path), readdirSync(dirname(path)))
      : "";
    throw new UsageError(
      `cannot replay ${path}: no such file or folder${near}; name the authors' logs`,
    );
  }
  if (!statSync(path).isDirectory()) return [path];
  const files = readdirSync(path).filter((name) => name.endsWith(".txt")).sort();
  if (files.length > 0) return files.map((name) => join(path, name));
  throw new UsageError(`cannot replay ${path}: no .txt file in it; name the folder with the logs`);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const why = (error as Error).message.split(",")[0];
    throw new UsageError(`cannot replay ${path}: ${why}; name a log file`, { cause: error });
  }
}

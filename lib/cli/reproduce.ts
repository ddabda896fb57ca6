/**
 * `./lab reproduce [paper]`: plays a paper's study, then writes its tables and figures and prints ours beside the paper's.
 *
 * @module
 */

import { join, relative } from "node:path";
import process from "node:process";
import { UsageError } from "../errors.ts";
import { arigraphQuestionsStudy, arigraphStudy } from "../lab/studies/mod.ts";
import type { Study } from "../lab/study.ts";
import { projectRoot } from "../platform.ts";
import { writeArigraphReport } from "../report/arigraph.ts";
import { writeArigraphQuestionsReport } from "../report/arigraph-questions.ts";
import { readOptions } from "./options.ts";
import {
  openNamedStore,
  playWithProgress,
  RUN_OPTIONS,
  RUN_USAGE,
  type RunValues,
  shortfall,
  studyChoices,
  wholeNumber,
} from "./run-study.ts";

const USAGE =
  `./lab reproduce [arigraph] [--full] [--only <game or memory>,… | --only questions,<set or condition>,…] [--games <folder>] [--attempts N] [--figures <folder>] ` +
  `[--incomplete] ${RUN_USAGE}`;

const PAPERS = ["arigraph"];

/** Plays and reports. Status 1 if episodes are missing at the end. */
export async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = readOptions(args, USAGE, {
    ...RUN_OPTIONS,
    full: { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    games: { type: "string" },
    attempts: { type: "string" },
    figures: { type: "string" },
    incomplete: { type: "boolean", default: false },
  }, { min: 0, max: Infinity });
  const unknown = positionals.find((paper) => !PAPERS.includes(paper));
  if (unknown !== undefined) throw new UsageError(`unknown paper "${unknown}"; there are ${PAPERS.join(", ")}`);

  const { study, write } = partOf(values);
  using store = openNamedStore(values.store);
  const result = await playWithProgress(study, store, values);
  const missing = shortfall(result);
  if (missing !== undefined) process.stderr.write(`lab: ${missing}\n`);
  if (result.completed === 0 || (missing !== undefined && !values.incomplete)) {
    if (values.json) print({ ...summary(result), files: [] });
    return 1;
  }

  const folder = values.figures ?? join(projectRoot, "figures");
  const { files, markdown } = await write(store, study.id, { folder, allowIncomplete: values.incomplete }).catch((error) => {
    throw refusedByDisk(error, folder);
  });
  const shown = files.map(shortPath);
  if (values.json) print({ ...summary(result), files: shown });
  else process.stdout.write(`${markdown}\nWritten:\n${shown.map((file) => `  ${file}`).join("\n")}\n`);
  return missing === undefined ? 0 : 1;
}

/** What of the paper is asked for: its games, or with `--only questions` its questions. */
function partOf(values: PartValues): { readonly study: Study; readonly write: typeof writeArigraphReport } {
  const only = values.only?.flatMap((names) => names.split(",")).map((name) => name.trim());
  const common = { full: values.full, ...studyChoices(values) };
  if (only?.includes(QUESTIONS)) {
    if (values.games !== undefined || values.attempts !== undefined) {
      throw new UsageError(`--only ${QUESTIONS} plays no games and asks each question once: leave out --games and --attempts`);
    }
    const study = arigraphQuestionsStudy({ ...common, only: only.filter((name) => name !== QUESTIONS) });
    return { study, write: writeArigraphQuestionsReport };
  }
  const study = arigraphStudy({
    ...common,
    ...(values.games === undefined ? {} : { games: values.games }),
    ...(only === undefined ? {} : { only }),
    ...(values.attempts === undefined ? {} : { attempts: wholeNumber("--attempts", values.attempts) }),
  });
  return { study, write: writeArigraphReport };
}

/** What `--only` calls the paper's questions. */
const QUESTIONS = "questions";

interface PartValues extends RunValues {
  readonly full: boolean;
  readonly only?: string[] | undefined;
  readonly games?: string | undefined;
  readonly attempts?: string | undefined;
}

/** What the file system refused, with the remedy; any other error as it is. */
function refusedByDisk(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || !("syscall" in error)) return error;
  const remedy = "choose another folder with --figures, or free some space, and run the same command again; what was played is kept";
  return new UsageError(`cannot write tables and figures to ${folder}: ${error.message}; ${remedy}`, { cause: error });
}

/** A path as seen from here, where it lies below. */
function shortPath(path: string): string {
  const near = relative(process.cwd(), path);
  return near === "" || near.startsWith("..") ? path : near;
}

function summary({ study, planned, completed, failed, parked, episodes }: Awaited<ReturnType<typeof playWithProgress>>): object {
  return {
    study,
    planned,
    completed,
    failed,
    parked,
    episodes: episodes.map(({ id, lane, world, label, condition, attempt, status, failureKind, score, maxScore, steps, ended }) => ({
      id,
      lane,
      game: label ?? world,
      condition,
      attempt,
      status,
      failureKind,
      score,
      maxScore,
      steps,
      ended,
    })),
  };
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

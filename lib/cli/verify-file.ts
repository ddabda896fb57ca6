/** `./lab verify <file>`: says which episodes an exported file is made of, and whether file and store are as they were. */

import { readFileSync } from "node:fs";
import { UsageError } from "../errors.ts";
import { type Mark, provenanceOf, readMark, type StudyProvenance } from "../report/provenance.ts";
import { sha256 } from "../store/canonical.ts";
import { chainOf } from "../store/chain.ts";
import { brokenEpisodes } from "../store/damage.ts";
import type { Store } from "../store/open.ts";
import { inColumns } from "./options.ts";

/** A study behind a file, held against the store. */
interface CheckedStudy extends StudyProvenance {
  /** `equal`: the store holds what the file was made of; `other`: it holds other episodes of the study; `absent`: none. */
  readonly state: "equal" | "other" | "absent";
  /** Ids of the study's completed episodes in the store; those behind the file where the state is `equal`. */
  readonly ids: readonly string[];
  /** Commits under which the answers in these episodes were recorded, `+` where the checkout differed from it. */
  readonly commits: readonly string[];
}

/** An exported file, held against a store. */
export interface CheckedFile {
  readonly file: string;
  /** Whether the file is as it was written. */
  readonly isWhole: boolean;
  /** Version of the library that wrote it. */
  readonly labyrinth: string;
  readonly studies: readonly CheckedStudy[];
  /** What is broken in the store, one line for each episode. */
  readonly broken: readonly string[];
}

/** Holds a file against a store. @throws {UsageError} for a file that cannot be read or names no studies. */
export function checkFile(store: Store, file: string): CheckedFile {
  const { isWhole, labyrinth, studies: told } = markOfFile(file);
  const studies = told.map((study): CheckedStudy => {
    const [now] = provenanceOf(store, [study.study]).studies;
    const ids = chainOf(store, study.study).map(({ episode }) => episode);
    const state = now === undefined ? "absent" : now.chain === study.chain ? "equal" : "other";
    return { ...study, state, ids, commits: commitsOf(store, study.study) };
  });
  return { file, isWhole, labyrinth, studies, broken: brokenEpisodes(store) };
}

/** The mark of a file, or of the one beside a CSV. */
function markOfFile(file: string): Mark {
  if (!file.endsWith(".csv")) {
    const mark = readMark(read(file));
    if (mark) return mark;
    throw new UsageError(
      `${file} does not say what it is made of: it was changed, an earlier version drew it, or it is none that ./lab reproduce wrote`,
    );
  }
  const content = read(file);
  for (const beside of [".md", ".txt"].map((ending) => file.replace(/\.csv$/, ending))) {
    const mark = readIfThere(beside);
    if (mark?.csv !== undefined) return { ...mark, isWhole: mark.csv === sha256(content) };
  }
  throw new UsageError(
    `nothing says what ${file} is made of: a CSV is told by the .md or .txt of the same name that was written beside it`,
  );
}

function read(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`cannot read ${file}: ${(error as Error).message.split(",")[0]}`, { cause: error });
  }
}

function readIfThere(file: string): Mark | undefined {
  try {
    return readMark(readFileSync(file));
  } catch {
    return undefined;
  }
}

function commitsOf(store: Store, study: string): string[] {
  return store.prepare(`
    select distinct code_version as version from replies where key in
      (select key from calls join episodes e on e.id = calls.episode where e.study = ? and e.status = 'completed') order by 1`)
    .all(study).map(({ version }) => String(version));
}

/** Whether nothing is to be complained of. */
export function isAsWritten({ isWhole, studies, broken }: CheckedFile): boolean {
  return isWhole && broken.length === 0 && studies.every(({ state }) => state === "equal");
}

const STATES: Readonly<Record<CheckedStudy["state"], string>> = {
  equal: "as in the store",
  other: "NOT as in the store, which holds other episodes of it",
  absent: "not in the store",
};

/** The findings in words: a block for each study, its episodes last. */
export function describeFile({ file, isWhole, labyrinth, studies, broken }: CheckedFile): string {
  const blocks = studies.map(({ study, backbone, embedder, seeds, code, episodes, chain, state, ids, commits }) =>
    inColumns([
      ["study", `${study}: ${STATES[state]}`],
      ["backbone", embedder === "" ? backbone : `${backbone}, embedder ${embedder}`],
      ["seeds", seeds],
      ["code", commits.length === 0 ? code : `${code}; answers recorded at ${commits.join(", ")}`],
      ["chain", `${chain} over ${episodes} episodes`],
      ...(state === "equal" ? [["episodes", ids.join(" ")]] : []),
    ])
  );
  return [
    `${file} is ${isWhole ? "as it was written" : "NOT as it was written"} by Labyrinth ${labyrinth}\n`,
    ...blocks,
    ...broken.map((line) => `${line}\n`),
  ].join("\n");
}

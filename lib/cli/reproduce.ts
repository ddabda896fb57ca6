/** `./lab reproduce [paper]`: plays a paper's study, then writes its tables and figures and prints ours beside the paper's. */

import { dirname, join, relative } from "node:path";
import process from "node:process";
import { keepServer } from "../env/worlds.ts";
import { UsageError, WorldError } from "../errors.ts";
import { terminalText } from "../foreign-text.ts";
import { resultOf, type StudyResult } from "../lab/runner.ts";
import type { Study } from "../lab/study.ts";
import { checkoutRoot, isInterruption } from "../platform.ts";
import { brokenEpisodes, excludeBroken } from "../store/damage.ts";
import type { Store } from "../store/open.ts";
import { command } from "./command.ts";
import { complain, printResult } from "./options.ts";
import { foreignTo, type Pack, packedStudies, packOf, takeReplies } from "./packs.ts";
import { formOf, hasLedger, isOrdinary, type Part, type PartChoices } from "../papers/study-options.ts";
import { PAPERS } from "../papers/studies.ts";
import { writeGallery } from "../report/gallery.ts";
import { writePaperLedger, writeStudyReport, type WrittenReport } from "../report/study-report.ts";
import {
  type Played,
  playWithProgress,
  RUN_OPTIONS,
  type RunValues,
  shardFile,
  SIZE_OPTIONS,
  smaller,
  studyChoices,
  unanswered,
} from "./run-study.ts";
import { shortfall } from "./shortfall.ts";
import { openNamedStore } from "./named-store.ts";

const PAPER_NAMES = Object.keys(PAPERS);

/** A part with the paper that it is of. */
interface PaperPart extends Part {
  readonly paper: string;
}

/** Plays and reports. Status 1 if episodes or figures are missing at the end, 130 where Ctrl-C is why (143 and 129 for SIGTERM and SIGHUP): it leaves the parts that have not begun. */
export const main = command({
  name: "reproduce",
  words: { "[papers...]": { says: "the papers, all unless told", choices: PAPER_NAMES } },
  options: {
    full: { says: "play as many trials as the paper" },
    only: {
      value: "names",
      says: "play these alone: games, layouts, tasks, sets, methods, conditions or parts, with commas between",
      multiple: true,
    },
    games: { value: "folder", says: "play games of yours, or official ones, in place of the lab's own" },
    ...SIZE_OPTIONS,
    figures: { value: "folder", says: "where tables and figures go", defaultSays: "figures/ of the checkout" },
    incomplete: { says: "report also what is not played to its end" },
    ...RUN_OPTIONS,
  },
}, async (values, words) => {
  if (words.length === 0 && (values.only !== undefined || values.games !== undefined)) {
    throw new UsageError(`--only and --games speak of one paper's parts: name the paper, ${PAPER_NAMES.join(", ")}`);
  }
  const pack = await packOf(values.replies);
  const choices: PartChoices = {
    ...studyChoices(values, pack),
    full: values.full,
    only: values.only?.flatMap((names) => names.split(",")).map((name) => name.trim()),
    games: values.games,
    attempts: values.attempts,
  };
  const papers = words.length > 0 ? words : PAPER_NAMES;
  const asked = papers.flatMap((paper) =>
    (PAPERS[paper]?.(choices) ?? []).map((part): PaperPart => ({ ...part, paper, study: smaller(part.study, values) }))
  );
  const parts = pack ? packedStudies(pack, asked, ({ study }) => study.id) : asked;
  using store = openNamedStore(values.store, { name: shardFile(values.shard) });
  if (pack) await takeReplies(store, pack);
  for (const { study, optional } of parts) {
    const refusal = optional ? undefined : unanswered(study, store, values); // an optional one is left out when its turn comes
    if (refusal && !asItStands(study, store, values)) throw refusal;
  }
  await using _server = keepServer();
  const outcomes: Outcome[] = [];
  // A ledger a paper, in the folder of its first part, with the last part there and its outcome.
  const ledgers = new Map<string, { readonly folder: string; readonly part: Part; readonly index: number }>();
  let isComplete = true;
  let stopped: unknown;
  for (const part of parts) {
    try {
      const folder = values.figures ?? figuresOf(part);
      const outcome = await playPart(part, store, { ...values, pack, folder });
      if (!outcome) {
        isComplete &&= part.optional === true;
        continue;
      }
      outcomes.push(outcome);
      const paper = part.report.ledger?.prefix;
      if (paper !== undefined && outcome.files.length > 0 && hasLedger(part, parts, values.only)) {
        if ((ledgers.get(paper)?.folder ?? folder) === folder) ledgers.set(paper, { folder, part, index: outcomes.length - 1 });
      }
      if (!values.json && outcome.files.length > 0) printWritten(outcome);
      const isAllDone = part === parts.at(-1) && outcome.result.completed === outcome.result.planned;
      if (outcome.interrupted && !isAllDone) throw outcome.interrupted;
    } catch (error) {
      if (!isInterruption(error)) throw error;
      stopped = error; // what came of the parts so far is told first
      break;
    }
  }
  for (const { folder, part, index } of ledgers.values()) { // over all parts, now that they are played
    const { files, undrawn = [] } = await writeLedger(part, store, { ...values, folder });
    const outcome = outcomes[index] as Outcome;
    outcomes[index] = { ...outcome, files: [...outcome.files, ...files], undrawn: [...outcome.undrawn ?? [], ...undrawn] };
  }
  await writeGalleries(outcomes.flatMap(({ files, folder }) => files.length > 0 ? [folder] : []));
  if (values.json && outcomes.length > 0) {
    const told = outcomes.map(({ result, files }) => ({ ...summary(result), files }));
    printResult(parts.length === 1 ? told[0] : { parts: told }, true, String);
  }
  if (stopped !== undefined) throw stopped;
  return isComplete && outcomes.every(({ result, undrawn = [] }) => result.completed === result.planned && undrawn.length === 0) ? 0 : 1;
});

/** Writes the ledger of a part's paper, and says so unless the output is one JSON value. */
async function writeLedger(
  { study, report }: Part,
  store: Store,
  { folder, json }: { readonly folder: string; readonly json?: boolean | undefined },
): Promise<WrittenReport> {
  const written = toldAbout(
    await writePaperLedger(report, store, study.id, { folder }).catch((error) => {
      throw refusedByDisk(error, folder);
    }),
  );
  if (!json) printWritten(written);
  return written;
}

/** Writes the pages of folders that got files, and those of the folders in `figures/` that they lie in. */
async function writeGalleries(folders: readonly string[]): Promise<void> {
  const root = join(checkoutRoot(), "figures");
  const above = (path: string): string[] => path.startsWith(join(root, "/")) ? [path, ...above(dirname(path))] : [path];
  for (const folder of [...new Set(folders.flatMap(above))].sort((a, b) => b.length - a.length)) { // the innermost first
    await writeGallery(folder, GALLERY).catch((error) => {
      throw refusedByDisk(error, folder);
    });
  }
}

/** What the page of a folder says before its tables and figures. */
export const GALLERY =
  "Where a caption says that the stand-in played, the numbers are those of a rule-based player, not of a language model (`docs/offline.md`).\n" +
  "Each file says at its end what it is made of; `./lab verify FILE` compares it with a store.";

function printWritten({ markdown, files }: WrittenReport): void {
  process.stdout.write(terminalText(`${markdown}\nWritten:\n${files.map((file) => `  ${file}`).join("\n")}\n`));
}

/** Complains of what could not be drawn; the paths are as seen from here. */
function toldAbout({ files, markdown, undrawn = [] }: WrittenReport): WrittenReport {
  undrawn.forEach(complain);
  return { files: files.map(shortPath), markdown, undrawn };
}

/** Where a study's files go: `figures/<paper>/` for a paper's ordinary form, a folder in it for any other, so that none overwrites another. */
function figuresOf(part: PaperPart): string {
  return join(checkoutRoot(), "figures", part.paper, ...(isOrdinary(part) ? [] : [formOf(part)]));
}

interface Outcome extends Played, WrittenReport {
  readonly folder: string;
}

type PartOptions = RunValues & {
  readonly pack?: Pack;
  readonly folder: string;
  readonly incomplete: boolean;
};

/** Plays a part and, where there is enough of it, writes what is made of it. `undefined` for one that is left out: optional, or in a world that is not installed. */
async function playPart({ study, report, optional }: Part, store: Store, options: PartOptions): Promise<Outcome | undefined> {
  let played: Played;
  try {
    played = store.readOnly ? asRecorded(study, store) : await playWithProgress(study, store, options);
  } catch (error) {
    const reported = asItStands(study, store, options);
    const isAbsent = error instanceof WorldError && error.kind === "unknown-world"; // other parts may play other worlds
    if (!(reported || optional || isAbsent) || !(error instanceof UsageError || error instanceof WorldError)) throw error;
    complain(`${study.id} is ${reported ? "reported as it stands" : "left out"}: ${error.message}`);
    if (!reported) return undefined;
    played = { result: resultOf(store, study.id) };
  }
  if (excludeBroken(store, study.id).length > 0) played = { ...played, result: resultOf(store, study.id) };
  const { result } = played;
  const { pack, folder, incomplete } = options;
  const missing = shortfall(result);
  if (missing !== undefined) complain(missing);
  const foreign = pack && foreignTo(pack, result.episodes);
  if (foreign !== undefined) complain(foreign);
  if (options.shard || result.completed === 0 || (missing !== undefined && !incomplete)) {
    return { ...played, files: [], markdown: "", folder };
  }
  const written = await writeReport({ study, report }, store, options);
  brokenEpisodes(store).filter((line) => result.episodes.every(({ failureMessage }) => failureMessage !== line)).forEach(complain); // of other studies
  return { ...played, ...written, folder };
}

/** Writes everything that is made of a part but the ledger of its paper. */
async function writeReport(
  { study, report }: Pick<Part, "study" | "report">,
  store: Store,
  { folder, incomplete }: Pick<PartOptions, "folder" | "incomplete">,
): Promise<WrittenReport> {
  return toldAbout(
    await writeStudyReport(report, store, study.id, { folder, allowIncomplete: incomplete, ledger: false }).catch((error) => {
      throw refusedByDisk(error, folder);
    }),
  );
}

/** A study as the store holds it, where nothing can be written. */
function asRecorded({ id }: Study, store: Store): Played {
  complain(`the store ${store.path} lies where nothing can be written: ${id} is reported as it stands`);
  return { result: resultOf(store, id) };
}

/** Whether a study may be reported where no more of it can be played. */
function asItStands({ id }: Study, store: Store, { incomplete, fresh }: Pick<PartOptions, "incomplete" | "fresh">): boolean {
  return incomplete && !fresh && resultOf(store, id).completed > 0;
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

/** What `--json` tells of an episode. */
const TOLD = ["attempt", "status", "failureKind", "score", "maxScore", "steps", "ended"] as const;

function summary({ episodes, ...result }: StudyResult): object {
  const told = episodes.map(({ id, lane, world, label, condition, ...episode }) => ({
    ...{ id, lane, game: label ?? world, condition },
    ...Object.fromEntries(TOLD.map((name) => [name, episode[name]])),
  }));
  return { ...result, episodes: told };
}

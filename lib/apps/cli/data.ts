/** `./lab data`: the official data sets: who publishes them, and which are here. */

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { type OfficialFile, officialPath } from "../../core/env/questions/data-folder.ts";
import {
  type DialogueFile,
  locomo,
  longMemEval,
  LONGMEMEVAL_FILES,
} from "../../core/env/questions/dialogue-sets.ts";
import { MEMORY_AGENT_SPLITS, memoryAgent } from "../../core/env/questions/memory-agent-bench.ts";
import {
  fever,
  hotpotqa,
  hotpotqaSimplified,
  musique,
  type OfficialSet,
  type RecordSet,
} from "../../core/env/questions/official-sets.ts";
import { FEVER_PAGES } from "../../core/env/questions/wiki-corpus.ts";
import { serverCommand } from "../../core/env/server.ts";
import { UsageError } from "../../core/errors.ts";
import { command } from "./command.ts";
import { JSON_OPTION } from "./named-store.ts";
import { printResult } from "./options.ts";

interface DataSet {
  readonly name: string;
  readonly title: string;
  readonly publisher: string;
  readonly playedBy: string;
  readonly path: string;
  readonly state: "missing" | "broken" | "truncated" | "whole" | "larger";
  /** Numbers of records, files or games, here and as published. */
  readonly found: number;
  readonly published: number;
  /** The first record in a line, where it has text; and what is wrong, where the set is broken. */
  readonly first?: string;
  readonly problem?: string;
}

export const main = command({ name: "data", options: JSON_OPTION }, async ({ json }) => {
  const sets = [
    ...await Promise.all(
      QUESTION_SETS.map(([set, name, title, playedBy]) =>
        recordSet(
          set,
          { name, title, playedBy },
          ({ question, answer }) => `${question} → ${answer}`,
        )
      ),
    ),
    wikiPages(),
    ...await Promise.all(
      dialogueSets().map(([set, name, title, world]) =>
        recordSet(
          set,
          { name, title, playedBy: `the world dialogues/${world}` },
          ({ turns, questions: [first] }) =>
            `${turns.length} turns; ${first?.question} → ${first?.answers[0] ?? "no answer"}`,
        )
      ),
    ),
    ...households(),
  ];
  printResult(sets, json, (sets) => `${sets.map(describeSet).join("\n")}\n${OF_AUTHORS}\n`);
  return 0;
});

const OF_AUTHORS =
  `AriGraph's own games and logs (AIRI-Institute/AriGraph on GitHub) may lie anywhere:
    ./lab study arigraph-quick --games FOLDER, ./lab replay arigraph LOGS --games FOLDER`;
const QUESTIONS = "./lab reproduce arigraph";
const WESE = "./lab study wese-quick --games official";

const QUESTION_SETS: readonly (readonly [OfficialSet, name: string, title: string, by: string])[] =
  [
    [
      hotpotqa,
      "hotpotqa",
      "HotpotQA, development set with distractors",
      `${QUESTIONS} and ${WESE}`,
    ],
    [hotpotqaSimplified, "hotpotqa-simplified", "the same without paragraphs", WESE],
    [musique, "musique", "MuSiQue, answerable development set", QUESTIONS],
    [fever, "fever", "FEVER, development set of its paper", WESE],
  ];

function dialogueSets(): (readonly [DialogueFile, name: string, title: string, world: string])[] {
  return [
    [locomo("none"), "locomo", "LoCoMo, long conversations", "locomo"],
    ...LONGMEMEVAL_FILES.map((name) =>
      [longMemEval(name), name, "LongMemEval", "longmemeval"] as const
    ),
    ...MEMORY_AGENT_SPLITS.map((name) =>
      [memoryAgent(name, 4096), `memory-agent ${name}`, "MemoryAgentBench", "memory-agent"] as const
    ),
  ];
}

type About = Pick<DataSet, "name" | "title" | "playedBy">;

/** A set that is a file of records; `inWords` shows its first. */
async function recordSet<Item>(
  set: RecordSet<Item>,
  about: About,
  inWords: (first: Item) => string,
): Promise<DataSet> {
  const known = { ...about, ...placeOf(set.file), published: set.file.records ?? 0 };
  if (!existsSync(known.path)) return { ...known, ...stateOf(0, known.published) };
  try {
    const found = await set.size();
    return { ...known, ...stateOf(found, known.published), first: inWords(await set.at(0)) };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { ...known, state: "broken", found: 0, problem: error.message };
  }
}

function wikiPages(): DataSet {
  const known = placeOf({
    folder: "wiki",
    file: FEVER_PAGES,
    publisher: "FEVER's authors (fever.ai), unpacked from wiki-pages.zip",
  });
  const published = 109;
  const found = isFolder(known.path)
    ? readdirSync(known.path).filter((name) => name.endsWith(".jsonl")).length
    : 0;
  const about = {
    name: FEVER_PAGES,
    title: "Wikipedia's pages of June 2017, in files",
    playedBy: WESE,
  };
  return { ...about, ...known, published, ...stateOf(found, published) };
}

function households(): DataSet[] {
  const words = ["-m", "labyrinth_envs.alfworld.official"];
  const { status, stdout } = spawnSync(serverCommand(), words, { encoding: "utf8" });
  if (status !== 0) return []; // the world is not installed
  const sets: (Pick<DataSet, "path" | "found" | "published"> & { readonly split: string })[] = JSON
    .parse(stdout);
  return sets.map(({ split, path, found, published }) => ({
    name: `alfworld-${split}`,
    title: `ALFWorld, games of ${split}`,
    publisher: "its authors, by the command alfworld-download",
    playedBy: split === "valid_unseen" ? WESE : `the world alfworld, set "${split}"`,
    path,
    published,
    ...stateOf(found, published),
  }));
}

function placeOf(file: OfficialFile): Pick<DataSet, "path" | "publisher"> {
  return { path: officialPath(file), publisher: file.publisher };
}

function stateOf(found: number, published: number): Pick<DataSet, "state" | "found"> {
  if (found === 0) return { state: "missing", found };
  const state = found < published ? "truncated" : found > published ? "larger" : "whole";
  return { state, found };
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

function describeSet(
  { name, title, publisher, playedBy, path, state, found, published, first, problem }: DataSet,
): string {
  const shown = first !== undefined && first.length > 110 ? `${first.slice(0, 109)}…` : first;
  return [
    `${name}  ${title}: ${state}${
      state === "missing" || state === "broken" ? "" : `, ${found} of ${published}`
    }`,
    `    ${path}`,
    ...(problem ? [`    ${problem}`] : []),
    ...(shown ? [`    first: ${shown}`] : []),
    `    published by ${publisher}; for ${playedBy}`,
    "",
  ].join("\n");
}

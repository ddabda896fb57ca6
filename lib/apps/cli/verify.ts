/** `./lab verify`: checks the integrity of a store, or the plays behind exported files. */

import { readFileSync } from "node:fs";
import { z } from "zod";
import { UsageError } from "../../core/errors.ts";
import { digestOf } from "../../lab/digest.ts";
import { brokenEpisodes, excludeBroken } from "../../lab/store/damage.ts";
import type { Store } from "../../lab/store/open.ts";
import { listStudies } from "../../lab/store/studies.ts";
import { type CheckedEpisode, type Verification, verifyStore } from "../../lab/store/verify.ts";
import { command } from "./command.ts";
import { inColumns, printResult, userPath } from "./options.ts";
import { JSON_OPTION, openNamedStore, STORE_OPTION } from "./named-store.ts";

export const main = command({
  name: "verify",
  words: {
    "[files...]": {
      description: "manifest.json files of tables and figures (default: check the whole store)",
    },
  },
  options: { ...STORE_OPTION, ...JSON_OPTION },
  notes: ["Example: ./lab verify figures/arigraph/offline/manifest.json"],
}, ({ store: named, json }, words) => {
  using store = openNamedStore(named, { create: false, readOnly: true });
  if (words.length === 0) return wholeStore(verifyStore(store), json);
  const files = words.map((file) => checkFile(store, userPath(file)));
  printResult(files, json, (files) =>
    files.map(({ studies, broken }) => {
      const rows = studies.map(({ study, state, exhibits }) => [
        study,
        STATES[state],
        exhibits.join(" "),
      ]);
      return [inColumns(rows), ...broken.map((line) => `${line}\n`)].join("");
    }).join("\n"));
  const isEqual = files.every(({ studies, broken }) =>
    broken.length === 0 && studies.every(({ state }) => state === "equal")
  );
  return isEqual ? 0 : 1;
});

const STATES = {
  equal: "as in the store",
  other: "NOT as in the store, which holds other plays of it",
  absent: "not in the store",
} as const;

const manifest = z.object({
  studies: z.record(z.string(), z.object({ digest: z.string() })),
  exhibits: z.record(z.string(), z.object({ studies: z.array(z.string()).default([]) })),
});

interface CheckedFile {
  readonly file: string;
  readonly studies: readonly {
    readonly study: string;
    readonly state: keyof typeof STATES;
    readonly exhibits: readonly string[];
  }[];
  /** What is broken in the store, one line for each episode. */
  readonly broken: readonly string[];
}

/** Compares a manifest with a store. @throws {UsageError} for a file that is none. */
function checkFile(store: Store, file: string): CheckedFile {
  const { studies, exhibits } = read(file);
  const held = listStudies(store);
  const checked = Object.entries(studies).map(([study, { digest }]) => {
    const isHeld = held.includes(study);
    if (isHeld) excludeBroken(store, study);
    const state = !isHeld ? "absent" : digestOf(store, study) === digest ? "equal" : "other";
    const made = Object.keys(exhibits).filter((name) => exhibits[name]?.studies.includes(study));
    return { study, state, exhibits: made } as const;
  });
  return { file, studies: checked, broken: brokenEpisodes(store) };
}

function read(file: string): z.infer<typeof manifest> {
  try {
    return manifest.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    const why = error instanceof z.ZodError
      ? "it is no manifest"
      : (error as Error).message.split(",")[0];
    throw new UsageError(
      `cannot read ${file}: ${why}; give a manifest.json that ./lab reproduce wrote`,
      { cause: error },
    );
  }
}

const COUNTED = ["whole", "open", "broken"] as const;

function wholeStore(found: Verification, json: boolean): number {
  const { store, problems, episodes, replies, artefacts } = found;
  const broken = episodes.filter(({ state }) => state === "broken");
  const isWhole = problems.length + broken.length + replies.broken + artefacts.broken === 0;
  const studies = [...Map.groupBy(episodes, ({ study }) => study)].map(([study, rows]) => {
    const count = (wanted: CheckedEpisode["state"]): number =>
      rows.filter(({ state }) => state === wanted).length;
    return { study, whole: count("whole"), open: count("open"), broken: count("broken") };
  });
  printResult({ ...found, studies, broken, episodes: undefined }, json, ({ studies, broken }) =>
    [
      inColumns([
        ["study", ...COUNTED],
        ...studies.map((row) => [row.study, ...COUNTED.map((state) => `${row[state]}`)]),
      ]),
      `replies    ${replies.whole} whole, ${replies.broken} broken\n`,
      `artefacts  ${artefacts.whole} whole, ${artefacts.broken} broken\n`,
      ...problems.map((problem) => `broken     the file: ${problem}\n`),
      ...broken.map(({ episode, study, chain, ordinal, problem }) =>
        `broken     ${episode} (${study}, ${chain}, ${ordinal}): ${problem}\n`
      ),
      isWhole
        ? `${store} is as it was recorded\n`
        : `the next run plays broken episodes again; ./lab merge NEW ${store} copies the rest\n`,
    ].join(""));
  return isWhole ? 0 : 1;
}

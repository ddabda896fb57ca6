/**
 * `./lab verify`: says which episodes of a store are as they were recorded, and of a manifest
 * whether it holds the plays that tables and figures are made of.
 */

import {
  type CheckedEpisode,
  type EpisodeState,
  type Verification,
  verifyStore,
} from "../../lab/store/verify.ts";
import { command } from "./command.ts";
import { inColumns, printResult, userPath } from "./options.ts";
import { JSON_OPTION, openNamedStore, STORE_OPTION } from "./named-store.ts";
import { type CheckedFile, checkFile, describeFile, isAsWritten } from "./verify-file.ts";

/**
 * Verifies a store, or manifests against it. Status 1 if anything is not as it was recorded or
 * written.
 */
export const main = command({
  name: "verify",
  words: {
    "[files...]": {
      description: "manifests of exported tables and figures; the store as a whole unless told",
    },
  },
  options: { ...STORE_OPTION, ...JSON_OPTION },
}, (values, words) => {
  using store = openNamedStore(values.store, { create: false, readOnly: true });
  if (words.length > 0) {
    const files = words.map((file) => checkFile(store, userPath(file)));
    printResult(
      files,
      values.json,
      (checked) => (checked as CheckedFile[]).map(describeFile).join("\n"),
    );
    return files.every(isAsWritten) ? 0 : 1;
  }
  const verification = verifyStore(store);
  printResult(
    values.json ? asJson(verification) : verification,
    values.json,
    (result) => describe(result as Verification),
  );
  const { problems, episodes, replies, artefacts } = verification;
  const isBroken = episodes.some(({ state }) => state === "broken") || replies.broken > 0 ||
    artefacts.broken > 0;
  return problems.length > 0 || isBroken ? 1 : 0;
});

const STATES: readonly EpisodeState[] = ["whole", "open", "broken"];

function countsOf(episodes: readonly CheckedEpisode[]): Record<EpisodeState, number> {
  return Object.fromEntries(
    STATES.map((state) => [state, episodes.filter((episode) => episode.state === state).length]),
  ) as Record<
    EpisodeState,
    number
  >;
}

function asJson({ episodes, ...rest }: Verification): object {
  const studies = [...Map.groupBy(episodes, ({ study }) => study)].map(([study, rows]) => ({
    study,
    ...countsOf(rows),
  }));
  return { ...rest, studies, broken: episodes.filter(({ state }) => state === "broken") };
}

function describe({ store, problems, episodes, replies, artefacts }: Verification): string {
  const studies = [...Map.groupBy(episodes, ({ study }) => study)].map(([study, rows]) => {
    const counts = countsOf(rows);
    return [study, ...STATES.map((state) => String(counts[state]))];
  });
  const broken = episodes.filter(({ state }) => state === "broken");
  const isWhole = problems.length + broken.length + replies.broken + artefacts.broken === 0;
  return [
    inColumns([["study", ...STATES], ...studies]),
    `replies    ${replies.whole} whole, ${replies.broken} broken\n`,
    `artefacts  ${artefacts.whole} whole, ${artefacts.broken} broken\n`,
    ...problems.map((problem) => `broken     the file: ${problem}\n`),
    ...broken.map(({ episode, study, chain, ordinal, problem }) =>
      `broken     ${episode} (${study}, ${chain}, ${ordinal}): ${problem}\n`
    ),
    isWhole
      ? `${store} is as it was recorded\n`
      : `the next run plays broken episodes again; ./lab merge NEW ${store} copies what is whole into a new store\n`,
  ].join("");
}

/**
 * What the stand-in plays, pinned: digests of actions, observations, scores, graph changes and
 * tokens of quick studies, episode by episode. A change of the code that is to change no play
 * leaves them as they are. `deno run -A tests/pins_test.ts` plays everything and writes the
 * digests.
 */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { connectWorlds } from "../lib/core/env/worlds.ts";
import { playStudy } from "../lib/lab/lab.ts";
import type { Study } from "../lib/lab/study.ts";
import { findStudy } from "../lib/papers/mod.ts";
import { hashOf } from "../lib/core/text/canonical.ts";
import { EMBEDDING_ROLE } from "../lib/lab/store/costs.ts";
import { type EpisodeRecord, listEpisodes } from "../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../lib/lab/store/open.ts";
import { listGraphChanges, listTurns } from "../lib/lab/store/turns.ts";
import "../lib/offline/mod.ts";
import { wantsSlow } from "./slow.ts";
import { listAnswered } from "../lib/lab/store/calls.ts";

/** The studies whose plays are pinned. */
const STUDIES = [
  "arigraph-quick",
  "arigraph-rl-benchmark",
  "arigraph-random-walk",
  "arigraph-nethack",
  "arigraph-questions",
  "graphmind-quick",
  "reasonplanner-quick",
  "wese-quick",
];

/**
 * Study → digests of the selected chains, by their id, and of all chains of a condition, by `*` and
 * its name.
 */
type Pins = Record<string, Record<string, string>>;

const file = new URL("pins.json", import.meta.url);
const pins = JSON.parse(readFileSync(file, "utf8")) as Pins;

/** What an episode came to, without times, prices and the form of the record. */
function digestOf(store: Store, { id, score, maxScore, ended, steps }: EpisodeRecord): string {
  const turns = listTurns(store, id).map((turn) => [
    ...[turn.pass, turn.step, turn.action ?? "", turn.observation, turn.sections, turn.frames],
    ...[turn.score, turn.maxScore, turn.ended ?? "", turn.graphSize ?? -1],
  ]);
  const changes = listGraphChanges(store, id).map((
    { pass, step, op, subject, relation, object },
  ) => [pass, step, op, subject, relation, object]);
  const answered = listAnswered(store, id).filter(({ role }) => role !== EMBEDDING_ROLE);
  const sum = (of: "promptTokens" | "completionTokens"): number =>
    answered.reduce((total, call) => total + call[of], 0);
  return hashOf([turns, changes, [score, maxScore, ended, steps], [
    answered.length,
    sum("promptTokens"),
    sum("completionTokens"),
  ]]).slice(
    0,
    12,
  );
}

/**
 * Plays chains of a study, all or those selected, and returns their digests by chain and by
 * condition.
 */
async function play(name: string, only?: ReadonlySet<string>): Promise<Record<string, string>> {
  const whole = findStudy(name);
  const study: Study = only
    ? { ...whole, chains: whole.chains.filter(({ id }) => only.has(id)) }
    : whole;
  using store = openStore(":memory:");
  const { completed, planned } = await playStudy(study, { store, worlds });
  assert.equal(completed, planned, `episodes of ${name} that did not end`);
  const played = listEpisodes(store).map((episode) => ({
    ...episode,
    digest: digestOf(store, episode),
  }));
  const digests = (group: (episode: EpisodeRecord) => string): [string, string][] =>
    [...Map.groupBy(played, group)].map((
      [key, all],
    ) => [
      key,
      all.length === 1 ? `${all[0]?.digest}` : hashOf(all.map(({ digest }) => digest)).slice(0, 12),
    ]);
  return Object.fromEntries([
    ...digests(({ chain }) => chain),
    ...digests(({ condition }) => `* ${condition}`),
  ]);
}

const worlds = connectWorlds();
const isWhole = wantsSlow("all episodes of the quick studies beside the selected ones");

if (import.meta.main) {
  for (const name of STUDIES) {
    const digests = await play(name);
    const isPinned = (key: string): boolean =>
      key.startsWith("* ") || Object.hasOwn(pins[name] ?? {}, key);
    pins[name] = Object.fromEntries(Object.entries(digests).filter(([key]) => isPinned(key)));
    console.log(name, Object.keys(pins[name]).length);
  }
  writeFileSync(file, `${JSON.stringify(pins, null, 1)}\n`);
  await worlds.close();
} else {
  Deno.test.afterAll(() => worlds.close());
  for (const name of STUDIES) {
    const pinned = pins[name] ?? {};
    const chains = Object.keys(pinned).filter((key) => !key.startsWith("* "));
    if (!isWhole && chains.length === 0) continue;
    Deno.test(`${name}: ${isWhole ? "every episode is" : "the selected episodes are"} played as it was pinned`, async () => {
      const digests = await play(name, isWhole ? undefined : new Set(chains));
      const found = Object.fromEntries(
        Object.keys(pinned).filter((key) => isWhole || !key.startsWith("* ")).map((
          key,
        ) => [key, digests[key]]),
      );
      assert.deepEqual(
        found,
        isWhole ? pinned : Object.fromEntries(chains.map((chain) => [chain, pinned[chain]])),
      );
    });
  }
}

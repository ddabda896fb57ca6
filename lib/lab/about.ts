/** Who played a study, in the words of a caption. */

import type { Store } from "./store/open.ts";
import { checkHeld } from "./held-study.ts";

/**
 * The facts of a study for a caption: its models, how many test episodes are completed (and how
 * many are not), and their seeds. Episodes that only train a memory for others are left out.
 *
 * @throws {UsageError} for a mistyped study.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth";
 * import { about } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.equal(about(store, "mine"), "No episode of mine has been played.");
 * ```
 */
export function about(store: Store, study: string): string {
  checkHeld(store, study);
  const training = trainingChains(store, study);
  const all = store.prepare(`select chain, backbone, status, cast(seed as text) as seed
    from episodes where study = ? and (method <> 'human' or status = 'completed')`).all(study);
  const tests = all.filter(({ chain }) => !training.has(String(chain)));
  const done = tests.filter(({ status }) => status === "completed");
  if (done.length === 0) return `No episode of ${study} has been played.`;
  const models = [...new Set(done.map(({ backbone }) => String(backbone)))].sort();
  const n = done.length === tests.length
    ? `n = ${done.length}`
    : `n = ${done.length} of ${tests.length}`;
  const episodes = `${n} ${tests.length === 1 ? "episode" : "episodes"}`;
  const named = `Model${models.length === 1 ? "" : "s"}: ${models.map(nameOf).join(", ")}`;
  return `${named}; ${episodes}, ${seedsText(done.map(({ seed }) => String(seed)))}.`;
}

/** A model by its own name; the rule-based player is no model. */
function nameOf(model: string): string {
  return model.replaceAll(/(?<=^|\+)offline\b/g, "stand-in");
}

function seedsText(seeds: readonly string[]): string {
  const different = [...new Set(seeds)].sort((a, b) => Number(BigInt(a) - BigInt(b)));
  const [first = "", last = ""] = [different[0], different.at(-1)];
  if (different.length === 1) return `seed ${first}`;
  const isRun = BigInt(last) - BigInt(first) === BigInt(different.length - 1);
  if (isRun && different.length > 2) return `seeds ${first} to ${last}`;
  return different.length > 8 ? `${different.length} seeds` : `seeds ${different.join(", ")}`;
}

/** The chains of episodes from whose memory others of the study start. */
export function trainingChains(store: Store, study: string): Set<string> {
  const rows = store.prepare(`select distinct json_extract(l.value, '$.after') as chain
    from studies s, json_each(s.spec, '$.chains') l
    where s.id = ? and chain is not null`).all(study);
  return new Set(rows.map(({ chain }) => String(chain)));
}

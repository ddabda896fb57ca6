/** Packs as `--replies` names them, from which studies are played without a model. */

import { existsSync } from "node:fs";
import { UsageError } from "../../core/errors.ts";
import { openPack, type Pack } from "../../lab/unpack.ts";
import type { CacheMode } from "../../lab/llm/cache.ts";
import type { StudyOptions } from "../../papers/study-options.ts";
import { PAPERS } from "../../papers/parts.ts";
import { canonicalJson } from "../../core/text/canonical.ts";
import { excludeBroken } from "../../lab/store/damage.ts";
import type { Store } from "../../lab/store/open.ts";
import { listStudies } from "../../lab/store/studies.ts";
import { didYouMean } from "../../core/text/did-you-mean.ts";
import { complain, userPath } from "./options.ts";

export { foreignTo, importPack as takeReplies, type Pack } from "../../lab/unpack.ts";

const MODES = ["record", "replay", "off"] as const;

/**
 * The mode that `--replies` names; `undefined` where it names a file.
 * @throws {UsageError} if there is no such mode or file.
 */
export function replyMode(text: string): CacheMode | undefined {
  const mode = MODES.find((known) => known === text);
  if (mode || existsSync(userPath(text))) return mode;
  throw new UsageError(
    `unknown --replies "${text}"${
      didYouMean(text, MODES)
    }; give record, replay, off, or the path of a pack by ./lab pack`,
  );
}

/**
 * Reads and checks the pack that `--replies` names; `undefined` where it names a mode.
 * @throws {UsageError} for a damaged pack.
 */
export function packOf(replies: string): Pack | undefined {
  return replyMode(replies) ? undefined : openPack(userPath(replies));
}

/**
 * What the studies of a pack were played with.
 * @throws {UsageError} if they were played with several choices of one kind.
 */
export function packedChoices({ path, manifest: { studies } }: Pack): StudyOptions {
  const only = <T>(option: string, values: readonly (T | undefined)[]): T | undefined => {
    const different = new Map(values.map((value) => [canonicalJson(value ?? null), value]));
    if (different.size < 2) return values[0];
    throw new UsageError(
      `the pack ${path} holds several variants: name one with ${option}`,
    );
  };
  const bindings = studies.flatMap(({ models }) => Object.entries(models));
  const roles = Map.groupBy(bindings, ([role]) => role);
  return {
    models: Object.fromEntries(
      [...roles].map((
        [role, of],
      ) => [role, only("--models", of.map(([, binding]) => binding)) ?? ""]),
    ),
    embedder: only("--embedder", studies.map(({ embedder }) => embedder)),
    promptOverrides: only("--prompts", studies.map(({ promptOverrides }) => promptOverrides)),
  };
}

/**
 * Those of the planned studies that a pack holds.
 * @throws {UsageError} if it holds none of them.
 */
export function packedStudies<T>(
  { path, manifest }: Pack,
  planned: readonly T[],
  idOf: (one: T) => string,
): T[] {
  const ids = manifest.studies.map(({ id }) => id);
  const held = planned.filter((one) => ids.includes(idOf(one)));
  if (held.length > 0) return held;
  throw new UsageError(
    `the pack ${path} holds the replies to ${ids.join(", ")}, not to ${
      planned.map(idOf).join(", ")
    }: ` +
      "give the options that it was played with (--only, --attempts, --episodes, --steps, --full)",
  );
}

export const RECORDED = {
  "<names...>": { description: "study ids, or papers (all their studies in the store)" },
} as const;

/**
 * The studies in a store that were named by their id or by their paper; broken episodes are named
 * and left out.
 * @throws {UsageError} for a name of which the store holds none.
 */
export function recordedStudies(store: Store, names: readonly string[]): string[] {
  const held = listStudies(store);
  const found = names.map((name) =>
    held.includes(name)
      ? [name]
      : Object.hasOwn(PAPERS, name)
      ? held.filter((id) => id.startsWith(`${name}-`))
      : []
  );
  const missing = names[found.findIndex((studies) => studies.length === 0)];
  if (missing === undefined) {
    const studies = [...new Set(found.flat())];
    studies.flatMap((study) => excludeBroken(store, study)).forEach(complain);
    return studies;
  }
  const near = didYouMean(missing, [...held, ...Object.keys(PAPERS)]);
  throw new UsageError(
    `the store holds no study ${JSON.stringify(missing)}${near}; it holds ${
      held.join(", ") || "none: play one first"
    }`,
  );
}

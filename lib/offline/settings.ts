/**
 * The options of the offline backbone by the names of its models, so that one study can bind roles to a weak and a strong one.
 *
 * @module
 */

import { UsageError } from "../errors.ts";
import type { OfflineOptions } from "./backbone.ts";

/** The options of `offline-weak`: it finds three of five facts, gets one of seven wrong, and reads 2000 tokens. Versioned by `OFFLINE_RULES`. */
export const WEAK_KNOBS = { recall: 0.6, precision: 0.85, window: 2000 } as const satisfies OfflineOptions;

/**
 * The options that a model's name sets: `offline` has those given, `offline-weak` the weak ones; suffixes set single ones: `-r60` recall and `-p85`
 * precision in per cent, `-w2000` the reading window in tokens.
 *
 * @throws {UsageError} if the name is none of these.
 *
 * @example
 * ```ts
 * import { offlineSettings } from "labyrinth/offline";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(offlineSettings("offline", { recall: 0.9 }), { recall: 0.9 });
 * assert.deepEqual(offlineSettings("offline-r40-w500"), { recall: 0.4, window: 500 });
 * assert.throws(() => offlineSettings("offline-strong"), /offline-weak/);
 * ```
 */
export function offlineSettings(model: string, given: OfflineOptions = {}): OfflineOptions {
  const [, weak, ...settings] = model.match(/^offline(-weak)?(?:-r(\d{1,3}))?(?:-p(\d{1,3}))?(?:-w(\d{1,7}))?$/) ?? [];
  const [recall, precision, window] = settings.map((digits) => digits === undefined ? undefined : Number(digits));
  if (settings.length === 0 || (recall ?? 0) > 100 || (precision ?? 0) > 100 || window === 0) {
    throw new UsageError(
      `there is no offline model ${model}: choose offline or offline-weak, with -r<0 to 100>, -p<0 to 100> and -w<tokens> after it, in this order`,
    );
  }
  return {
    ...given,
    ...(weak === undefined ? {} : WEAK_KNOBS),
    ...(recall === undefined ? {} : { recall: recall / 100 }),
    ...(precision === undefined ? {} : { precision: precision / 100 }),
    ...(window === undefined ? {} : { window }),
  };
}

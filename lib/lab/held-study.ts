/** Whether a store holds the study that a table, figure or frame is asked for. */

import { UsageError } from "../core/errors.ts";
import { excludeBroken } from "./store/damage.ts";
import type { Store } from "./store/open.ts";
import { didYouMean, nearestName } from "../core/text/did-you-mean.ts";

/**
 * Checks a study's episodes against their digests before a frame reads them; one that was not
 * played has none.
 * @throws {UsageError} for a mistyped id.
 */
export function checkHeld(store: Store, study: string): void {
  const known = heldStudies(store);
  if (!known.includes(study) && nearestName(study, known) !== undefined) {
    throw unknownStudy(store, study);
  }
  excludeBroken(store, study);
}

/** Says that a store holds no study of an id, and which is nearest. */
export function unknownStudy(store: Store, study: string): UsageError {
  const known = heldStudies(store);
  return new UsageError(
    `the store holds no study "${study}"${didYouMean(study, known)}; it holds ${
      known.join(", ") || "none"
    }`,
  );
}

function heldStudies(store: Store): string[] {
  return store.prepare("select id from studies order by id").all().map(({ id }) => String(id));
}
